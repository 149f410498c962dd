"""Translation of all texts of the user interface; the English text is the key of its translation.

The French is in `locale/fr/LC_MESSAGES/insanonym.po`, read when French is first asked for. A text may have
places to fill, each with a format as in str.format: say("{rows:,} rows", "fr", rows=1234).
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

LANGUAGES = ("en", "fr")
NARROW_SPACE = "\u202f"
_FRENCH_MARKS = str.maketrans({",": NARROW_SPACE, ".": ","})


class Phrase(str):
    """An English text of ours, its places filled, which remembers them: it can still be said in French.

    Where a text may come from the data (a column's name, a category), only a Phrase is translated. Values
    that are Phrases are said in the same language; numbers are written as the language writes them.
    """

    template: str
    many: str
    values: dict[str, Any]  # Any: what fills a place of a text
    keyed: bool = False

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        """Fill the places."""
        return cls._made(template, "", values)

    @classmethod
    def plural(cls, one: str, many: str, /, *, n: float, **values: object) -> Phrase:
        """The text for `n` things: `one` or `many`, as the language has it; both may write {n}.

        >>> Phrase.plural("{n:,} row", "{n:,} rows", n=1200), Phrase.plural("{n:,} row", "{n:,} rows", n=1)
        ('1,200 rows', '1 row')
        """
        return cls._made(one, many, {"n": n, **values})

    @classmethod
    def _made(
        cls,
        template: str,
        many: str,
        values: dict[str, Any],  # Any: what fills a place of a text
    ) -> Phrase:
        kept = {name: _plain(value) for name, value in values.items()}
        written = template if not many or kept["n"] == 1 else many
        made = str.__new__(cls, fill(written, kept) if kept else written)
        made.template, made.many, made.values = template, many, kept
        return made

    @classmethod
    def in_context(cls, context: str, text: str, english: str) -> Phrase:
        """A text that means something else elsewhere, such as the name of a parameter."""
        made = str.__new__(cls, english)
        made.template, made.many, made.values, made.keyed = f"{context}:{text}", "", {}, True
        return made

    def __reduce__(self) -> tuple[Any, ...]:  # Any: as pickle wants it
        return _rebuilt, (str(self), self.template, self.many, self.values, self.keyed)


def _rebuilt(
    said: str,
    template: str,
    many: str,
    values: dict[str, Any],  # Any: what fills a place of a text
    keyed: bool,
) -> Phrase:
    made = str.__new__(Phrase, said)
    made.template, made.many, made.values, made.keyed = template, many, values, keyed
    return made


def _plain(value: object) -> object:
    """A value that is small and can be sent to another process: a text or a number."""
    if isinstance(value, str | int | float | None):
        return value
    item = getattr(value, "item", None)  # a number of numpy
    return item() if callable(item) else str(value)


def join_texts(separator: str, texts: Iterable[str]) -> Phrase:
    """Several texts in a row: those of ours among them are still said in French."""
    parts = {f"part{place}": text for place, text in enumerate(texts)}
    return Phrase._made(separator.join(f"{{{name}}}" for name in parts), "", dict(parts))


class _Filler(string.Formatter):
    """str.format, in a language: Phrases are said in it, numbers written in its way."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def format_field(self, value: Any, format_spec: str) -> str:  # Any: what fills a place
        if isinstance(value, Phrase):
            value = say(value, self.lang)
        written: str = format(value, format_spec)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return localised(written, self.lang)
        return written


def fill(template: str, values: Mapping[str, object], lang: str = "en") -> str:
    """A text with its places filled."""
    return template.format(**values) if lang == "en" else _Filler(lang).vformat(template, (), values)


def localised(written: str, lang: str) -> str:
    """A number as Python writes it, as the language does: 1,234.5 is 1 234,5 in French.

    >>> localised("1,234.5%", "fr") == "1\u202f234,5\u202f%"
    True
    """
    if lang != "fr":
        return written
    return written.translate(_FRENCH_MARKS).replace("%", f"{NARROW_SPACE}%")


@cache
def french() -> dict[str, str]:
    """All translations into French by their English; those with a context as "context:text"."""
    from insanonym_core.texts.catalogue import read_catalogue

    return read_catalogue("fr")


def add_french(texts: Mapping[str, str]) -> None:
    """Add the translations of another package; existing ones are kept."""
    for text, translation in texts.items():
        _ADDED.setdefault(text, translation)


_ADDED: dict[str, str] = {}


def _translated(text: str, lang: str, otherwise: str) -> str:
    if lang != "fr":
        return otherwise
    return french().get(text) or _ADDED.get(text, otherwise)


def say(text: str, lang: str = "en", **values: object) -> str:
    """A text of ours in a language, its places filled; what has no translation stays as it is."""
    if isinstance(text, Phrase):
        if lang == "en" or text.keyed:
            return _translated(text.template, lang, str(text))
        values = text.values
    said = template_of(text, lang)
    return fill(said, values, lang) if values else said


MANY = "many:"
"""What the plural of a translation is found by, before its English singular."""


def _is_one(number: Any, lang: str) -> bool:  # Any: a number of any type
    """Whether a number takes the singular: in French 0 does too, and 1.5."""
    return abs(number) < 2 if lang == "fr" else number == 1


def template_of(text: str, lang: str = "en") -> str:
    """A text of ours in a language, its places not filled."""
    many = ""
    if isinstance(text, Phrase):
        values, many, text = text.values, text.many, text.template
    if many and not _is_one(values["n"], lang):
        return _translated(f"{MANY}{text}", lang, many)
    return _translated(text, lang, text)


def label(text: str, lang: str = "en") -> str:
    """Translate a text that may come from the data: a Phrase is translated, a plain text is not."""
    return say(text, lang) if isinstance(text, Phrase) else text


def parameter_phrase(name: str) -> Phrase:
    """The name of a parameter as people read it."""
    return Phrase.in_context("parameter", name, name.replace("_", " "))


def choice_phrase(value: str) -> Phrase:
    """One of the texts of a choice as people read it."""
    return Phrase.in_context("choice", value, value)


def parameter_label(name: str, lang: str = "en") -> str:
    """The name of a parameter in a language."""
    return say(parameter_phrase(name), lang)


def choice_label(value: str, lang: str = "en") -> str:
    """One of the texts of a choice in a language."""
    return say(choice_phrase(value), lang)
