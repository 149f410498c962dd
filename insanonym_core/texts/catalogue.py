"""Reads a catalogue of translations (.po).

It is read by Babel as it stands: there is no compiled file that could be older than its source, and an
editable install needs no build. English needs none of this.
"""

from __future__ import annotations

from pathlib import Path

from babel.messages.pofile import read_po

from insanonym_core.texts import MANY

LOCALE = Path(__file__).with_name("locale")
CATALOGUE = "{lang}/LC_MESSAGES/insanonym.po"


def read_catalogue(lang: str) -> dict[str, str]:
    """The translations of a language by their English text, "context:text" and "many:text" (plurals)."""
    found: dict[str, str] = {}
    with (LOCALE / CATALOGUE.format(lang=lang)).open("rb") as file:
        catalogue = read_po(file, locale=lang)
    for message in catalogue:
        if not message.id or message.fuzzy or not message.string:
            continue
        match message.id, message.string:
            case (str(one), _), (str(said), str(said_of_many)):
                found[one], found[f"{MANY}{one}"] = said, said_of_many
            case str(text), str(said):
                found[f"{message.context}:{text}" if message.context else text] = said
    return found
