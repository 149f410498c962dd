"""Everything people read, in English and French. The English text itself is the key of its translation.

Each `fr_*.py` beside this file holds a dictionary FRENCH for one part of the house. A text may have places to
fill: say("k = {k} of {rows} rows", "fr", k=5, rows=100).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

LANGUAGES = ("en", "fr")


class Phrase(str):
    """An English text of ours, its places filled, which remembers them: it can still be said in French.

    Where a text may come from the data (a column's name, a category), only a Phrase is translated.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, **values: object) -> Phrase:
        """Fill the places."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values
        return made


@cache
def french() -> dict[str, str]:
    """All translations; a test sees to it that no text is translated in two ways."""
    found: dict[str, str] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        found.update(importlib.import_module(module.name).FRENCH)
    return found


def add_french(texts: Mapping[str, str]) -> None:
    """Add the translations of another package; ours stay as they are."""
    for text, translation in texts.items():
        french().setdefault(text, translation)


def say(text: str, lang: str = "en", **values: object) -> str:
    """A text of ours in a language, its places filled; what has no translation stays as it is."""
    if isinstance(text, Phrase):
        values = {
            name: label(value, lang) if isinstance(value, str) else value
            for name, value in text.values.items()
        }
        text = text.template
    said = french().get(text, text) if lang == "fr" else text
    return said.format(**values) if values else said


def label(text: str, lang: str = "en") -> str:
    """A text that may come from the data: ours is said, theirs stays what it is."""
    return say(text, lang) if isinstance(text, Phrase) else text


def parameter_label(name: str, lang: str = "en") -> str:
    """The name of a parameter as people read it."""
    return french().get(f"parameter:{name}", name) if lang == "fr" else name.replace("_", " ")


def choice_label(value: str, lang: str = "en") -> str:
    """One of the texts of a choice as people read it."""
    return french().get(f"choice:{value}", value) if lang == "fr" else value
