"""Recognise direct identifiers by the name of a column (name, e-mail, telephone …), English or French.

The one list of words for everything that looks at column names: what is not published (`direct`), and which
column tells individuals apart.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from insanonym_core.texts import Phrase

PEOPLE, EMAIL, TELEPHONE, ADDRESS, SOCIAL, BANK, DOCUMENTS, ONLINE, CODES = (
    Phrase(text)
    for text in (
        "names of people",
        "e-mail addresses",
        "telephone numbers",
        "postal addresses",
        "social security numbers",
        "bank accounts or cards",
        "numbers of documents or vehicles",
        "addresses or accounts on the internet",
        "numbers or codes of people",
    )
)
Needs = Literal["nothing", "many", "unique"]


@dataclass(frozen=True)
class Header:
    """What a column name says about the values of the column.

    `needs`: it is believed whatever the values are, only with many different values, or only when nearly
    every row has its own. `numbers`: whether a column of numbers can be meant: any, long ones, or none.
    `rank`: how well the column tells individuals apart, 0 first; None if it does not.
    """

    what: Phrase
    needs: Needs
    numbers: Literal["any", "long", "none"]
    rank: int | None


PERSON_CODE, PERSON, NATIONAL, PLAIN_CODE, OTHER_CODE, CONTACT, RELATED, TEXT = range(8)


def _word_set(*words: str) -> frozenset[str]:
    return frozenset(word for line in words for word in line.split())


# For each kind: words that suffice, and words that count only with many different values.
_KINDS = {
    EMAIL: (_word_set("email mail courriel mel"), _word_set("")),
    ONLINE: (
        _word_set("ip ipv"),
        _word_set(
            "mac url twitter facebook instagram insta linkedin snapchat whatsapp telegram skype handle cookie"
        ),
    ),
    TELEPHONE: (
        _word_set("telephone phone tel gsm fax cellphone phonenumber imei imsi msisdn"),
        _word_set("mobile portable"),
    ),
    ADDRESS: (_word_set("address adresse addr"), _word_set("street rue voie domicile")),
    SOCIAL: (_word_set("ssn nir secu nss"), _word_set("")),
    BANK: (_word_set("iban rib"), _word_set("compte")),
    DOCUMENTS: (
        _word_set("passport passeport cni immatriculation numberplate licenceplate licenseplate"),
        _word_set("plaque plate permis"),
    ),
    PEOPLE: (
        _word_set(
            "surname lastname firstname forename fullname givenname familyname username login nickname lname",
            "fname displayname prenom patronyme nomprenom surnom",
        ),
        _word_set("pseudo alias identite identity"),
    ),
}
_WORD_COMBINATIONS = {
    _word_set("social security"): SOCIAL,
    _word_set("securite sociale"): SOCIAL,
    _word_set("num ss"): SOCIAL,
    _word_set("numero ss"): SOCIAL,
    _word_set("bank account"): BANK,
    _word_set("compte bancaire"): BANK,
    _word_set("carte bancaire"): BANK,
    _word_set("credit card number"): BANK,
    _word_set("license plate"): DOCUMENTS,
    _word_set("licence plate"): DOCUMENTS,
    _word_set("number plate"): DOCUMENTS,
    _word_set("driver license"): DOCUMENTS,
    _word_set("driver licence"): DOCUMENTS,
    _word_set("vehicle registration"): DOCUMENTS,
    _word_set("carte identite"): DOCUMENTS,
    _word_set("medical record"): CODES,
}
_NUMBERS: dict[Phrase, Literal["any", "long"]] = {
    SOCIAL: "any",
    CODES: "any",
    TELEPHONE: "long",
    BANK: "long",
    DOCUMENTS: "long",
}
_FIRST_NAME = _word_set("prenom firstname forename givenname fname")
_NAME = _word_set("name nom")
_SUBJECT = _word_set(
    "patient person individual client customer student pupil employee user member agent subject citizen",
    "tenant candidate respondent participant resident passenger personne individu etudiant eleve employe",
    "salarie utilisateur usager membre sujet beneficiaire assure adherent locataire candidat participant",
    "abonne passager",
)
_RELATED = _word_set(
    "doctor physician nurse teacher mother father parent contact owner spouse husband wife guardian",
    "manager author medecin infirmier enseignant professeur mere pere proprietaire conjoint epouse epoux",
    "mari tuteur child driver holder signatory recipient sender reviewer enfant bebe conducteur",
    "chauffeur titulaire signataire interlocuteur destinataire expediteur correspondant",
)
_SHORT_PERSON = _word_set("ind indiv pers etu usr pat")  # beside a word for a name or a code only
_NAME_QUALIFIER = _word_set(
    "full first last family given middle maiden birth display legal preferred emergency marital usual",
    "complete personal private professional work home main primary secondary complet usage usuel",
    "naissance jeune fille famille traitant referent urgence personnel perso prive pro professionnel",
    "principal secondaire",
)
_STOP_WORDS = _word_set("of the and de d du des et le la l e n")
_GENERIC_ID = _word_set("id uid uuid ident identifier identifiant")
_CODE = _GENERIC_ID | _word_set("code numero num number no ref reference key cle token hash")
_NUMBER = _word_set("num numero number no id")  # written together with another word: numtel, telno
_PERSON_CODE = _word_set("matricule ipp nip mrn ine numen")
_FILE_OF_A_PERSON = _word_set("dossier badge")
_CONTRACT = _word_set("contrat contract policy chart case")  # of a person, beside a word for a code only
_INSEE = _word_set("insee numero num no")
_EVENT = _word_set(
    "visit visite sejour stay order commande transaction row ligne line record sample event evenement",
    "admission consultation passage appointment rdv session encounter episode trip trajet course payment",
    "paiement",
)
_PLACE_OR_THING = _word_set(
    "town city commune ville country pays region department departement state province district quartier",
    "place lieu site building batiment station stop arret zone area canton continent academie product",
    "produit item article brand marque model modele drug medicament molecule disease maladie diagnosis",
    "diploma diplome discipline module programme program formation filiere etape composante etablissement",
    "school ecole lycee college university universite hospital hopital service ward unit unite clinic",
    "clinique company entreprise societe firm organisation organization bank banque insurance assurance",
    "team equipe club job poste metier profession title category categorie group groupe class classe",
    "species language langue file fichier column variable field champ table project projet shop store",
    "magasin year annee month mois week semaine day jour test exam measure hotel restaurant film movie",
    "song book livre cours matiere flight vol batch lot sport animal plant",
)
# A header with one of these counts, describes or dates something: phone_type, prenom_count, email_opt_in.
_ATTRIBUTE_OF = _word_set(
    "type kind category categorie brand marque operator operateur provider fournisseur domain domaine",
    "model modele frequency frequence count counts nb nombre nbr total status statut valid verified",
    "verifie flag opt optin optout consent consentement has is length longueur size taille rate taux",
    "score nature genre quality qualite language langue date time heure age ages duration duree reason",
    "motif",
)
# Measured numbers: one different value per person is no evidence of an identifier.
_MEASURED = _word_set(
    "age income revenu salary salaire wage pay weight poids height taille size amount montant price prix",
    "cost cout balance solde value valeur score note grade result resultat total count nb nombre distance",
    "duration duree time year annee rate taux area surface budget rent loyer sum somme points",
)
# Long numbers of other things; their values may look like telephone or social security numbers.
_OTHER_NUMBERS = _word_set(
    "siren siret isbn issn ean barcode gtin doi finess timestamp unix epoch ts time temps heure",
    "horodatage date",
)
_CERTAIN = frozenset().union(*(certain for certain, _ in _KINDS.values()))
_WEAK = frozenset().union(*(weak for _, weak in _KINDS.values()))
_HEADS = _NAME | _CODE | _CERTAIN | _PERSON_CODE
_COMPANIONS = (
    _SUBJECT | _RELATED | _SHORT_PERSON | frozenset(word for word in _NAME_QUALIFIER if len(word) > 4)
)
_KNOWN = _HEADS | _COMPANIONS | _NAME_QUALIFIER | _PLACE_OR_THING | _ATTRIBUTE_OF | _EVENT
_KNOWN |= _WEAK | _MEASURED


@lru_cache(maxsize=4096)
def read_header(name: str) -> Header | None:
    """What the name of a column says about direct identifiers; None if nothing."""
    raw = _raw_words(name)
    words = frozenset(part for word in raw for part in _split_word(word)) - _STOP_WORDS
    if not words or words & _ATTRIBUTE_OF:
        return None
    return _contact_header(words) or _name_header(words) or _code_header(words, frozenset(raw) - _STOP_WORDS)


def is_measured(name: str) -> bool:
    """Whether the name of a column says that its numbers are measured or counted."""
    return bool(
        {part for word in _raw_words(name) for part in _split_word(word)} & (_MEASURED | _ATTRIBUTE_OF)
    )


def holds_other_numbers(name: str) -> bool:
    """Whether a column name announces long numbers that do not identify people: times, ISBN, companies …"""
    return bool({*_raw_words(name)} & _OTHER_NUMBERS)


def _raw_words(name: str) -> list[str]:
    """The words of a column name, without accents: 'prénomPatient_2' → prenom, patient."""
    plain = "".join(
        character for character in unicodedata.normalize("NFKD", name) if not unicodedata.combining(character)
    )
    return re.findall(r"[a-z]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", plain).lower())


def _split_word(word: str) -> tuple[str, ...]:
    """Split a word into known words, without plural s: 'nompatient' → nom, patient."""
    if word in _KNOWN:
        return (word,)
    if word.endswith("s") and word[:-1] in _KNOWN:
        return (word[:-1],)
    for place in range(2, len(word) - 1):
        left, right = word[:place], word[place:]
        if any(
            (head in _HEADS and more in _COMPANIONS) or (head in _CERTAIN and more in _NUMBER)
            for head, more in ((left, right), (right, left))
        ):
            return left, right
    return (word,)


def _contact_header(words: frozenset[str]) -> Header | None:
    """Recognise words for e-mail, telephone, documents …"""
    for together, what in _WORD_COMBINATIONS.items():
        if together <= words:
            return _header(what, "nothing")
    if "insee" in words and words <= _INSEE:
        return _header(SOCIAL, "nothing")
    usual = _CERTAIN | _WEAK | _SUBJECT | _RELATED | _SHORT_PERSON | _NAME_QUALIFIER | _CODE | _NAME
    for what, (certain, weak) in _KINDS.items():
        if words & certain:
            first_name = what is PEOPLE and words & _FIRST_NAME and not words & _NAME
            return _header(what, "many" if words - usual else "nothing", ranked=not first_name)
        if words & weak and not words & _PLACE_OR_THING:
            return _header(what, "many")
    return None


def _header(what: Phrase, needs: Needs, *, ranked: bool = True) -> Header:
    """Build a header with the usual rank and number format of its kind."""
    ranks = {SOCIAL: NATIONAL, CODES: PERSON_CODE, ADDRESS: None, ONLINE: None}
    rank = ranks.get(what, CONTACT) if ranked else None
    return Header(what, needs, _NUMBERS.get(what, "none"), rank)


def _name_header(words: frozenset[str]) -> Header | None:
    """Recognise names of people; beside unknown words the column needs many different values."""
    people = _SUBJECT | _RELATED | _SHORT_PERSON
    if words <= _word_set("first last"):
        return Header(PEOPLE, "many", "none", None)
    if not words & _NAME or (words & (_PLACE_OR_THING | _EVENT) and not words & people):
        return None
    unknown = bool(words - _NAME - people - _NAME_QUALIFIER)
    return _header(PEOPLE, "many" if unknown else "nothing", ranked=not unknown)


def _code_header(words: frozenset[str], raw: frozenset[str]) -> Header | None:
    """Recognise numbers and codes of people.

    `raw` are the words as written: a plural such as 'patients' names a count, not a person.
    """
    people = _SUBJECT | _RELATED | _SHORT_PERSON
    persons = words & people
    if persons & {word[:-1] for word in raw if word.endswith("s") and word not in _KNOWN}:
        persons = frozenset()
    rank = PERSON_CODE if persons & (_SUBJECT | _SHORT_PERSON) else RELATED
    others = words - _CODE - people - _NAME_QUALIFIER - _PERSON_CODE - _FILE_OF_A_PERSON
    if words & _CODE and words & _CONTRACT and not others - _CONTRACT:
        return Header(CODES, "many", "any", OTHER_CODE)
    if words & _PERSON_CODE:
        return Header(CODES, "many" if others else "nothing", "any", PERSON_CODE)
    if words & _FILE_OF_A_PERSON and not others:
        return Header(CODES, "many", "any", PERSON_CODE)
    if persons and not others:
        if words & _CODE:
            return Header(CODES, "nothing", "any", rank)
        if persons <= _SHORT_PERSON:
            return None
        subject = bool(persons & _SUBJECT)
        return Header(PEOPLE, "many", "any" if subject else "none", PERSON if subject else RELATED)
    if words <= _GENERIC_ID:
        return Header(CODES, "nothing", "any", PLAIN_CODE)
    if not words & _GENERIC_ID and not (persons and words & _CODE):
        return None
    if words & (_PLACE_OR_THING | _EVENT | _MEASURED):
        return Header(CODES, "unique", "any", None)  # identifies a visit, not a person
    return Header(CODES, "many", "any", rank if persons else OTHER_CODE)
