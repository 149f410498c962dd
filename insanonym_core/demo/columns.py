"""Descriptions of the columns of the demonstration tables, in English and French."""

from __future__ import annotations

_ENROLMENTS = {
    "CODE_INDIVIDU": ("number of the student", "numéro de l’étudiant"),
    "ANNEE_INSCRIPTION": ("year of the enrolment", "année de l’inscription"),
    "LIB_DIPLOME": ("diploma prepared", "diplôme préparé"),
    "NIVEAU_DANS_LE_DIPLOME": ("year within the diploma", "année dans le diplôme"),
    "NIVEAU_APRES_BAC": ("years after the bac", "nombre d’années après le bac"),
    "LIBELLE_DISCIPLINE_DIPLOME": ("discipline of the diploma", "discipline du diplôme"),
    "CODE_SISE_DIPLOME": ("national code of the diploma", "code SISE du diplôme"),
    "CODE_ETAPE": ("code of the stage of study", "code de l’étape"),
    "LIBELLE_COURT_ETAPE": ("stage of study, short", "étape, libellé court"),
    "LIBELLE_LONG_ETAPE": ("stage of study", "étape, libellé long"),
    "LIBELLE_COURT_COMPOSANTE": ("faculty or institute", "composante (UFR, institut)"),
    "CODE_COMPOSANTE": ("code of the faculty or institute", "code de la composante"),
    "REGROUPEMENT_BAC": ("type of bac", "type de bac"),
    "LIBELLE_ACADEMIE_BAC": ("school district of the bac", "académie du bac"),
    "CONTINENT": ("continent of the nationality", "continent de la nationalité"),
    "LIBELLE_REGIME": ("initial studies, continuing education or apprenticeship", "régime d’inscription"),
    "NIEME_INSCRIPTION": ("how many enrolments so far", "rang de l’inscription"),
}
_PATIENTS = {
    "sex": ("sex", "sexe"),
    "age": ("age in years", "âge en années"),
    "height_cm": ("height in centimetres", "taille en centimètres"),
    "weight_kg": ("weight in kilograms", "poids en kilogrammes"),
    "systolic_mmhg": ("systolic blood pressure", "pression artérielle systolique"),
    "diastolic_mmhg": ("diastolic blood pressure", "pression artérielle diastolique"),
    "glucose_mmol_l": ("blood glucose", "glycémie"),
    "smoking": ("smoking habit", "tabagisme"),
    "blood_group": ("blood group", "groupe sanguin"),
    "town": ("town of residence", "commune de résidence"),
    "admission_date": ("day of admission", "jour d’admission"),
    "diagnosis": ("main diagnosis", "diagnostic principal"),
}
DESCRIPTIONS = {"demo:enrolments": _ENROLMENTS, "demo:patients": _PATIENTS}


def column_description(data: str | None, column: str, lang: str) -> str:
    """Description of a column; empty if there is none."""
    both = DESCRIPTIONS.get(data or "", {}).get(column)
    return both[lang == "fr"] if both else ""
