"""Record every number when it is formatted for the page, so that scores.csv agrees with the page."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

from insanonym_core.io.spreadsheets import defused_row
from insanonym_core.texts import NARROW_SPACE, template_of
from insanonym_core.texts.numbers import number, percent


class Ledger:
    """Formats numbers in the language of the page and records each under a name and a detail."""

    def __init__(self, lang: str, within: str = "") -> None:
        self.lang = lang
        self._within = within
        self._rows: dict[tuple[str, str], float] = {}

    def within(self, name: str) -> Ledger:
        """A ledger of one table among several: it writes into this one, with that name before its names."""
        part = Ledger(self.lang, f"{self._within}{name}.")
        part._rows = self._rows
        return part

    def record(self, name: str, detail: str, value: float) -> None:
        """Record a number; a ValueError if another number has the same name and detail."""
        recorded = self._rows.setdefault((f"{self._within}{name}", detail), value)
        if recorded != value and not (math.isnan(recorded) and math.isnan(value)):
            raise ValueError(f"{name} {detail} is {recorded} and {value}")

    def show(self, name: str, detail: str, value: float, decimals: int | None = None) -> Markup:
        """Record a number and return it as HTML; NaN is n/a."""
        # Round first: a tiny number is shown as 0.000, not 8.67e-19.
        rounded = value if decimals is None or math.isnan(value) else round(value, decimals)
        return self._data_element(name, detail, value, number(rounded, self.lang, decimals))

    def share(self, name: str, detail: str, value: float) -> Markup:
        """Record a share and return it as HTML, in percent."""
        return self._data_element(name, detail, value, percent(value, self.lang))

    def _data_element(self, name: str, detail: str, value: float, text: str) -> Markup:
        """Record a number; return an HTML data element with its exact value and the text."""
        self.record(name, detail, value)
        exact = "" if math.isnan(value) else _exact_text(value)
        return Markup('<data value="{}">{}</data>').format(exact, text)

    def sentence(self, text: str, **values: object) -> Markup:
        """Translate a sentence and fill in `values`, escaped unless they are Markup."""
        return Markup(escape(template_of(text, self.lang))).format(**values)  # noqa: S704  our own text, escaped

    def joined(self, parts: Iterable[Markup]) -> Markup:
        """Several remarks in a row."""
        between = Markup("; ") if self.lang == "en" else Markup("{}; ").format(NARROW_SPACE)
        return between.join(parts)

    def as_csv(self) -> str:
        """All numbers as CSV (name, detail, value), not rounded."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(("name", "detail", "value"))
        for (name, detail), value in self._rows.items():
            writer.writerow([*defused_row((name, detail)), "" if math.isnan(value) else _exact_text(value)])
        return buffer.getvalue()

    @property
    def rows(self) -> Mapping[tuple[str, str], float]:
        """All recorded numbers by (name, detail)."""
        return self._rows


def prose(text: str) -> Markup:
    """A text of ours on one line, its words in backticks set as code."""
    code, plain = Markup("<code>{}</code>"), Markup("{}")
    parts = re.split(r"`([^`]+)`", re.sub(r"[ \n]+", " ", text))
    return Markup().join((code if place % 2 else plain).format(part) for place, part in enumerate(parts))


def first_paragraph(text: str) -> Markup:
    """What a docstring says first, as prose."""
    return prose(text.split("\n\n", 1)[0])


def _exact_text(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))
