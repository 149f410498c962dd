"""Catalogue of the synthetic Université de Valmarne, as plain tables.

A *subject* is taught in one *component* (a faculty or an institute) as one or several *kinds* of diploma;
FATES holds what students do after a year of each kind. The French words are those of the source.
"""

from __future__ import annotations

from typing import NamedTuple


class Subject(NamedTuple):
    """One line of SUBJECTS; `size` is its relative size, `then` the subject its students continue in."""

    component: str
    code: str
    name: str
    discipline: str
    profile: str
    size: float
    kinds: str
    then: str


class Kind(NamedTuple):
    """One line of KINDS; a subject with fewer than `min_newcomers` is not taught as this kind."""

    label: str
    levels: tuple[int, ...]  # after the bac, of each year of the diploma
    shares: tuple[float, ...]  # of all newcomers, who begin in each year
    options: int  # at most, in the last year
    min_newcomers: int  # newcomers in ten years
    common_path: bool = False  # the first option is to have none


class Fate(NamedTuple):
    """Chances after a year of study; the remainder is the chance that a student leaves."""

    onward: float  # the next year of the same diploma, or what follows it
    repeat: float
    change: float  # any other stage of the same or the next level
    onward_kinds: tuple[tuple[str, float], ...]


COMPONENTS = {  # name: (number, first letter of its stage codes)
    "IUTSD": (941, "S"),
    "IUTVB": (942, "V"),
    "IUTMR": (943, "B"),
    "IG": (920, "G"),
    "LSHS": (930, "L"),
    "DROIT": (931, "D"),
    "ECO": (932, "E"),
    "COM": (933, "C"),
    "SANTE": (950, "H"),
    "FTLV": (960, "A"),
}

SUBJECTS = tuple(
    Subject(component, code, name, discipline, profile, size, kinds, then)
    for component, code, name, discipline, profile, size, kinds, then in (
        ("IUTSD", "TC", "Techniques de commercialisation", "Gestion", "business", 16, "DUT LP", "GES"),
        ("IUTSD", "GEA", "Gestion entreprises administrations", "Gestion", "business", 14, "DUT LP", "GES"),
        ("IUTSD", "HSE", "Hygiène sécurité environnement", "Environnement", "industry", 6, "DUT LP", "CHI"),
        ("IUTSD", "MP", "Mesures physiques", "Physique", "industry", 6, "DUT LP", "PHY"),
        ("IUTSD", "GMP", "Génie mécanique et productique", "Mécanique", "industry", 5, "DUT LP", "MEC"),
        ("IUTVB", "IN", "Informatique", "Informatique", "industry", 9, "DUT LP", "INF"),
        ("IUTVB", "RT", "Réseaux et télécommunications", "Réseaux", "industry", 7, "DUT LP", "INF"),
        ("IUTVB", "GE", "Génie électrique", "Electronique", "industry", 6, "DUT LP", "TEL"),
        ("IUTVB", "CJ", "Carrières juridiques", "Droit privé", "law", 6, "DUT LP", "DRT"),
        ("IUTMR", "CS", "Carrières sociales", "Travail social", "social", 7, "DUT LP", "EDU"),
        ("IUTMR", "GB", "Génie biologique", "Biologie", "life", 5, "DUT LP", "SV"),
        ("IUTMR", "SM", "Science des matériaux", "Matériaux", "industry", 3, "DUT LP", "PHY"),
        ("IUTMR", "IC", "Information communication", "Communication", "letters", 4, "DUT LP", "COM"),
        ("IG", "INF", "Informatique", "Informatique", "science", 9, "LIC LP MAS DOC", ""),
        ("IG", "MAT", "Mathématiques", "Mathématiques", "science", 6, "LIC MAS DOC", ""),
        ("IG", "PHY", "Physique", "Physique", "science", 4, "LIC MAS DOC", ""),
        ("IG", "CHI", "Chimie", "Chimie", "science", 4, "LIC LP MAS DOC", ""),
        ("IG", "MEC", "Sciences pour l'ingénieur", "Mécanique", "science", 5, "LIC MAS DOC", ""),
        ("IG", "TEL", "Télécommunications", "Electronique", "science", 5, "ING", "INF"),
        ("IG", "ENE", "Energétique", "Energie", "science", 4, "ING", "PHY"),
        ("IG", "MAC", "Mathématiques appliquées", "Mathématiques", "science", 3, "ING", "MAT"),
        ("IG", "CP", "Cycle préparatoire", "Sciences fondamentales", "science", 4, "PREP", "TEL"),
        ("LSHS", "LET", "Lettres modernes", "Lettres", "letters", 6, "LIC MAS DOC", ""),
        ("LSHS", "HIS", "Histoire", "Histoire", "letters", 6, "LIC MAS DOC", ""),
        ("LSHS", "GEO", "Géographie", "Géographie", "letters", 3, "LIC LP MAS DOC", ""),
        ("LSHS", "ANG", "Anglais", "Langues", "letters", 8, "LIC MAS DOC", ""),
        ("LSHS", "ESP", "Espagnol", "Langues", "letters", 4, "LIC MAS", ""),
        ("LSHS", "LEA", "Langues étrangères appliquées", "Langues", "letters", 8, "LIC LP MAS", ""),
        ("LSHS", "PSY", "Psychologie", "Psychologie", "social", 12, "LIC MAS DOC", ""),
        ("LSHS", "SOC", "Sociologie", "Sociologie", "social", 4, "LIC MAS DOC", ""),
        ("LSHS", "EDU", "Sciences de l'éducation", "Education", "social", 6, "LIC LP MAS DOC", ""),
        ("DROIT", "DRT", "Droit", "Droit privé", "law", 22, "LIC LP MAS DOC", ""),
        ("DROIT", "DPU", "Droit public", "Droit public", "law", 6, "MAS DOC", ""),
        (
            "DROIT",
            "AES",
            "Administration économique sociale",
            "Administration",
            "business",
            12,
            "LIC MAS",
            "",
        ),
        ("DROIT", "CAP", "Capacité en droit", "Droit privé", "adult", 5, "CAP", "DRT"),
        ("ECO", "ECO", "Economie gestion", "Economie", "business", 16, "LIC MAS DOC", ""),
        ("ECO", "GES", "Gestion", "Gestion", "business", 9, "LIC LP MAS DOC", ""),
        ("ECO", "FIN", "Finance", "Finance", "business", 5, "MAS DOC", ""),
        ("COM", "COM", "Information communication", "Communication", "letters", 6, "LIC LP MAS DOC", ""),
        ("SANTE", "PAS", "Première année santé", "Médecine", "life", 20, "PACES", "MED"),
        ("SANTE", "MED", "Médecine", "Médecine", "life", 6, "DFGSM DFASM", ""),
        ("SANTE", "SV", "Sciences de la vie", "Biologie", "life", 9, "LIC LP MAS DOC", ""),
        ("SANTE", "STA", "Activités physiques et sportives", "Sport", "life", 9, "LIC LP MAS DOC", ""),
        ("SANTE", "SAN", "Santé publique", "Santé publique", "care", 6, "MAS DU", ""),
        ("FTLV", "FC", "Formation continue", "Pluridisciplinaire", "adult", 3, "DU LP", ""),
        ("FTLV", "DA", "Accès aux études universitaires", "Pluridisciplinaire", "adult", 5, "DAEU", "AES"),
    )
)

KINDS = {  # of diploma
    "DUT": Kind("DUT", (1, 2), (15, 0.9), 2, 100, True),
    "LIC": Kind("Licence", (1, 2, 3), (31, 3.2, 7.5), 2, 100, True),
    "LP": Kind("Licence pro", (3,), (9,), 7, 100),
    "MAS": Kind("Master", (4, 5), (6.5, 8), 7, 100),
    "DOC": Kind("Doctorat", (8,), (1.2,), 1, 10),
    "ING": Kind("Ingénieur", (3, 4, 5), (1.2, 0.2, 0.1), 1, 50),
    "PREP": Kind("Cycle préparatoire", (1, 2), (0.6, 0.1), 1, 50),
    "PACES": Kind("PACES", (1,), (8,), 1, 50),
    "DFGSM": Kind("DFGSM", (2, 3), (0.3, 0.2), 1, 50),
    "DFASM": Kind("DFASM", (4, 5, 6), (0.2, 0.1, 0.2), 1, 50),
    "CAP": Kind("Capacité", (1, 2), (1.2, 0.1), 1, 50),
    "DAEU": Kind("DAEU", (0,), (1.4,), 1, 50),
    "DU": Kind("DU", (5,), (5,), 40, 50),
}

FATES = {  # by kind and year of the kind
    "DUT1": Fate(0.68, 0.06, 0.05, (("DUT2", 1.0),)),
    "DUT2": Fate(0.26, 0.05, 0.03, (("LP1", 0.65), ("LIC3", 0.35))),
    "LIC1": Fate(0.45, 0.14, 0.05, (("LIC2", 1.0),)),
    "LIC2": Fate(0.63, 0.11, 0.05, (("LIC3", 0.93), ("LP1", 0.07))),
    "LIC3": Fate(0.39, 0.11, 0.04, (("MAS1", 1.0),)),
    "LP1": Fate(0.02, 0.02, 0.02, (("MAS1", 1.0),)),
    "MAS1": Fate(0.55, 0.09, 0.05, (("MAS2", 1.0),)),
    "MAS2": Fate(0.03, 0.05, 0.02, (("DOC1", 1.0),)),
    "DOC1": Fate(0.00, 0.66, 0.00, ()),
    "ING1": Fate(0.85, 0.04, 0.02, (("ING2", 1.0),)),
    "ING2": Fate(0.90, 0.03, 0.01, (("ING3", 1.0),)),
    "ING3": Fate(0.03, 0.02, 0.02, (("DOC1", 1.0),)),
    "PREP1": Fate(0.65, 0.03, 0.15, (("PREP2", 1.0),)),
    "PREP2": Fate(0.75, 0.03, 0.10, (("ING1", 1.0),)),
    "PACES1": Fate(0.11, 0.36, 0.10, (("DFGSM1", 1.0),)),
    "DFGSM1": Fate(0.94, 0.03, 0.01, (("DFGSM2", 1.0),)),
    "DFGSM2": Fate(0.94, 0.03, 0.00, (("DFASM1", 1.0),)),
    "DFASM1": Fate(0.95, 0.03, 0.00, (("DFASM2", 1.0),)),
    "DFASM2": Fate(0.95, 0.03, 0.00, (("DFASM3", 1.0),)),
    "DFASM3": Fate(0.00, 0.10, 0.03, ()),
    "CAP1": Fate(0.30, 0.15, 0.02, (("CAP2", 1.0),)),
    "CAP2": Fate(0.30, 0.15, 0.02, (("LIC1", 1.0),)),
    "DAEU1": Fate(0.15, 0.20, 0.02, (("LIC1", 1.0),)),
    "DU1": Fate(0.00, 0.08, 0.03, ()),
}

# Options by profile, the most popular first.
OPTIONS = {
    "business": "Marketing, Audit, Banque, Ressources humaines, Logistique, Assurance, Immobilier, Achats",
    "industry": "Maintenance, Qualité, Automatismes, Conception, Sécurité, Métrologie, Energie, Aéronautique",
    "law": "Affaires, Travail, Notariat, Fiscalité, Patrimoine, Environnement, Numérique, Santé",
    "letters": "Médiation, Edition, Traduction, Patrimoine, Médias, Documentation, Tourisme, Création",
    "life": "Nutrition, Biotechnologies, Entraînement, Handicap, Imagerie, Cosmétologie, Génétique, Ecologie",
    "science": "Données, Modélisation, Logiciels sûrs, Réseaux, Optique, Procédés, Matériaux, Images",
    "social": "Insertion, Clinique, Formation, Enfance, Animation, Politiques sociales, Travail, Migrations",
    "care": (
        "Soins palliatifs, Gérontologie, Tabacologie, Nutrition, Urgences, Echographie, Douleur, "
        "Addictologie, Hypnose, Sommeil, Pédiatrie, Vaccinologie, Ethique, Plaies, Diabète, Allergologie, "
        "Simulation, Podologie, Acupuncture, Dermatologie, Sexologie, Hygiène, Psychotraumatisme, "
        "Périnatalité, Obésité, Sport santé, Art-thérapie, Coordination"
    ),
    "adult": (
        "Encadrement, Comptabilité, Tutorat, Médiation, Langue des signes, Orientation, "
        "Bilan de compétences, Adoption, Voyages, Données, Secrétariat, Ecriture"
    ),
}

RARE_DISCIPLINES = tuple(
    name.strip()
    for line in (
        "Etudes nordiques, Etudes celtiques, Paléographie, Numismatique, Egyptologie, Musicologie",
        "Glaciologie, Océanographie, Astronomie, Volcanologie, Apiculture, Oenologie, Horlogerie",
        "Lutherie, Vitrail, Théologie, Sinologie, Ethnomusicologie, Papyrologie, Cartographie",
        "Muséologie, Sylviculture, Aquaculture, Acoustique, Bioéthique, Criminologie, Démographie",
        "Ergonomie, Gemmologie, Iconographie, Ludologie, Météorologie, Onomastique, Phonétique",
        "Sigillographie, Toxicologie, Urbanisme, Victimologie, Zoologie, Archéométrie",
    )
    for name in line.split(", ")
)
RARE_DIPLOMA = "Certificat"
PARTNERS = ("Turin", "Porto", "Gand", "Cracovie", "Uppsala", "Galway", "Brno", "Leipzig", "Delft", "Tartu")
