"""Columns that look like direct identifiers: names, e-mail, telephone, addresses, numbers of people.

By the name of the column (English and French), or by its values. A wrong alarm costs an option; a missed one
publishes names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

import numpy as np

from insanonym_core.tabular.table import Column, Table
from insanonym_core.texts import Phrase

NEARLY_UNIQUE = 0.9  # share of the present values that are different
MIN_ROWS = 10  # with fewer present values, different texts say nothing
_SAMPLE = 500  # distinct values that are looked at
_LOOKED_AT = 200  # characters of a value; more would cost time and tell nothing
_MIN_SHARE_OF_VALUES = 0.1  # so many e-mail addresses make a column of them; a single typing error does not
_MIN_TELEPHONE = 100_000  # smaller numbers count telephones
_ALL_DIFFERENT = Phrase("nearly every row has a different text")

PEOPLE, EMAIL, TELEPHONE, ADDRESS, SOCIAL, CODES = (
    Phrase(text)
    for text in (
        "names of people",
        "e-mail addresses",
        "telephone numbers",
        "postal addresses",
        "social security numbers",
        "numbers or codes of people",
    )
)


def _set(*words: str) -> frozenset[str]:
    return frozenset(word for line in words for word in line.split())


_WORDS = {
    EMAIL: _set("email emails mail courriel courriels"),
    TELEPHONE: _set("telephone telephones phone phones tel mobile portable gsm fax cellphone phonenumber"),
    ADDRESS: _set("address addresses adresse adresses addr street rue"),
    SOCIAL: _set("ssn nir secu"),
    PEOPLE: _set(
        "surname surnames lastname firstname forename fullname givenname familyname username login",
        "prenom prenoms patronyme nomprenom",
    ),
}
_NAME = _set("name names nom noms")
_PERSON = _set(
    "patient person individual client customer student pupil employee user member agent subject citizen",
    "doctor physician nurse teacher mother father parent contact owner tenant candidate respondent",
    "personne individu etudiant eleve employe salarie utilisateur usager membre sujet beneficiaire assure",
    "adherent medecin infirmier enseignant professeur mere pere proprietaire locataire candidat",
)
_OF_A_NAME = _set(
    "full first last family given middle maiden birth of the and",
    "complet usage usuel naissance jeune fille famille de d du et",
)
_CODE_ALONE = _set("id uid uuid ident identifier identifiant matricule")
_CODE = _CODE_ALONE | _set("ids code numero num number no")
_INSEE = _set("insee numero num no n")
_YES_OR_NO = _set("yes no y n true false 0 1 oui non o vrai faux t f x")
_EMAIL_VALUE = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_TELEPHONE_VALUE = re.compile(r"(?=(?:\D*\d){9,15}\D*$)\+?[\d\s().\-/]+")
_SOCIAL_VALUE = re.compile(r"[12]\d\d(?:0[1-9]|1[0-2])\d[\dAB]\d{6}(?:\d\d)?|\d{3}-\d\d-\d{4}")
_FRENCH_TELEPHONE_NUMBER = re.compile(r"33[1-9]\d{8}")


def direct_identifiers(table: Table) -> Mapping[str, str]:
    """The columns that look like direct identifiers, each with the reason; found once for a table."""

    def find() -> dict[str, str]:
        found = {name: _reason(column) for name, column in table.columns.items()}
        return {name: why for name, why in found.items() if why}

    return table.derive("direct identifiers", find)


def _reason(column: Column) -> str:
    """Why a column looks like a direct identifier; empty if it does not."""
    if column.kind == "date":
        return ""
    present = column.codes[column.codes >= 0]
    occurring = np.flatnonzero(np.bincount(present, minlength=len(column.values)))
    if len(occurring) == 0:
        return ""
    step = -(-len(occurring) // _SAMPLE)
    seen = Column(column.name, column.kind, column.values[occurring[::step]], column.codes[:0])
    texts = [text[:_LOOKED_AT].strip() for text in seen.texts()]
    if {text.casefold() for text in texts} <= _YES_OR_NO:
        return ""
    unique = len(present) > MIN_ROWS and len(occurring) >= NEARLY_UNIQUE * len(present)
    by_name = _by_name(column, unique)
    if by_name:
        return Phrase("{what}, by the name of the column", what=by_name)
    by_values = _by_values(column, texts)
    if by_values:
        return Phrase("{what}, by the values", what=by_values)
    return _ALL_DIFFERENT if unique and column.kind == "category" else ""


def _words(name: str) -> list[str]:
    """The words of a column name, without accents: 'prénomPatient_2' → prenom, patient."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
    return re.findall(r"[a-z]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", plain).lower())


def _by_name(column: Column, unique: bool) -> Phrase | None:
    words = set(_words(column.name))
    text = column.kind == "category"
    for what, known in _WORDS.items():
        if words & known and (text or what is SOCIAL or (what is TELEPHONE and _long_numbers(column))):
            return what
    if {"social", "security"} <= words or {"securite", "sociale"} <= words:
        return SOCIAL
    if "insee" in words and words <= _INSEE:
        return SOCIAL
    if text and words & _NAME and words <= _NAME | _PERSON | _OF_A_NAME:
        return PEOPLE
    if len(words) == 1 and words <= _CODE_ALONE:
        return CODES
    if words & _CODE and words & _PERSON and words <= _CODE | _PERSON | _OF_A_NAME:
        return CODES
    return CODES if unique and words & _CODE_ALONE else None


def _long_numbers(column: Column) -> bool:
    return bool(np.nanmax(np.abs(column.numbers())) >= _MIN_TELEPHONE)


def _by_values(column: Column, texts: list[str]) -> Phrase | None:
    compact = [re.sub(r"[\s.]", "", text) for text in texts]
    if column.kind == "number":
        if _share(compact, _SOCIAL_VALUE.fullmatch) >= NEARLY_UNIQUE:
            return SOCIAL
        return TELEPHONE if _share(compact, _FRENCH_TELEPHONE_NUMBER.fullmatch) >= NEARLY_UNIQUE else None
    if _share(texts, _EMAIL_VALUE.search) >= _MIN_SHARE_OF_VALUES:
        return EMAIL
    if _share(compact, _SOCIAL_VALUE.fullmatch) >= _MIN_SHARE_OF_VALUES:
        return SOCIAL
    return TELEPHONE if _share(texts, _TELEPHONE_VALUE.fullmatch) >= _MIN_SHARE_OF_VALUES else None


def _share(texts: list[str], found: Callable[[str], object]) -> float:
    return sum(found(text) is not None for text in texts) / len(texts)
