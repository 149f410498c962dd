"""The French catalogue: whole, nothing stale, the same places to fill, and set as French is set."""

from __future__ import annotations

import re
import string

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from insanonym_core.texts.catalogue import CATALOGUE, LOCALE
from tests.texts.__main__ import TEMPLATE
from tests.texts.extraction import extracted, literals

NO_BREAK = "\u00a0\u202f"
ILL_SET = {
    "narrow no-break space before ; ? ! %": r"(?<!\u202f)[;?!%]",
    "no-break space before : and »": rf"(?<![{NO_BREAK}])(?:»|:(?=\s|$))",
    "no-break space after «": rf"«(?![{NO_BREAK}])",
    "no-break space where none belongs": rf"[{NO_BREAK}](?![:;?!»%\d])(?<!«.)",
    "decimal point": r"\d\.\d",
    "straight apostrophe or quotation mark": r"""['"]""",
    "apostrophe left out": r"(?<![/\w])(?:[dlnsjt]|qu) (?=[aeiouyàâéèêëîïôû])(?!entropique)",
    "vowel not elided": r"(?i)(?<!-)\b(?:de|le|la|que|ne|se|jusque|lorsque|puisque) (?=[aeiouyàâéèêëîïôûœ])",
    "two spaces": r"  ",
    "English left in": r"(?i)\b(?:the|of|and|row|rows|held-out|dataset|record|records|utility|privacy)\b",
}
# What one types or reads as code: names, values, options, addresses, file names.
AS_TYPED = re.compile(
    rf"«[{NO_BREAK}][^»]*:[^»]*»|`[^`]*`|\{{[^}}]*\}}|--\w[\w-]*(?: FILE)?|\w+(?:\.\w+)?=[\d.:]+"
)


def catalogue() -> Catalog:
    with (LOCALE / CATALOGUE.format(lang="fr")).open("rb") as file:
        return read_po(file, locale="fr")


MESSAGES = [message for message in catalogue() if message.id]


def ways(message) -> list[tuple[str, str]]:
    """(English, French), for the singular and the plural."""
    if isinstance(message.id, tuple):
        return list(zip(message.id, message.string, strict=True))
    return [(message.id, message.string)]


def places(text: str) -> set[tuple[str, str]]:
    """The names of the places to fill, and how numbers are written there."""
    return {(name, spec or "") for _, name, spec, _ in string.Formatter().parse(text) if name is not None}


def test_every_text_is_in_the_catalogue():
    known = catalogue()
    missing = {
        text.id: text.place
        for text in extracted()
        if (found := known.get(text.id, text.context or None)) is None
        or isinstance(found.id, tuple) != bool(text.many)
        or (text.many and found.id != (text.id, text.many))
    }
    assert missing == {}, "run `make messages`, and translate what is new"


def test_every_text_is_translated_and_none_is_a_guess():
    assert [one.id for one in MESSAGES if one.fuzzy or not all(said for _, said in ways(one))] == []


def test_no_translation_is_stale():
    said = {(text.id, text.context) for text in extracted()}
    stale = [
        one.id
        for one in MESSAGES
        if (first(one), one.context or "") not in said and (one.context or one.id not in literals())
    ]
    assert stale == [], "run `make messages`"


def test_every_sentence_is_followed_from_the_code():
    """Others stay as long as they are literals somewhere, so nobody would miss them if they changed."""
    said = {(text.id, text.context) for text in extracted()}
    kept = [first(one) for one in MESSAGES if (first(one), one.context or "") not in said]
    assert [text for text in kept if text.endswith(".")] == []


def first(message) -> str:
    return message.id[0] if isinstance(message.id, tuple) else message.id


def test_the_template_holds_the_same_texts():
    with TEMPLATE.open("rb") as file:
        template = read_po(file)
    assert {(one.id, one.context) for one in template if one.id} == {
        (one.id, one.context) for one in MESSAGES
    }
    assert not any(any(said for _, said in ways(one)) for one in template if one.id)


def test_places_to_fill_are_the_same_in_both_languages():
    for message in MESSAGES:
        counted = {("n", ""), ("n", ":,"), ("n", ",")} if isinstance(message.id, tuple) else set()
        for english, french in ways(message):  # "one row" needs no number
            assert places(french) - counted == places(english) - counted, english


def test_translations_have_the_shape_of_the_english():
    for message in MESSAGES:
        for english, french in ways(message):
            assert french.count("\n\n") == english.count("\n\n"), english
            assert french.count("`") == english.count("`"), english
            assert french.endswith(".") or not english.endswith("."), english


@pytest.mark.parametrize("fault", ILL_SET)
def test_french_is_well_set(fault):
    found = [
        french
        for message in MESSAGES
        for _, french in ways(message)
        if re.search(ILL_SET[fault], AS_TYPED.sub("x", french))
    ]
    assert found == []
