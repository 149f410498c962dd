"""Every number on the page, written down as it is shown: the page and scores.csv cannot disagree."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping

from markupsafe import Markup, escape

from insanonym_core.spreadsheets import defused_row
from insanonym_core.texts import say
from insanonym_core.written import number, percent


class Ledger:
    """Shows numbers in the page's language and keeps each under a name and a detail."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._rows: dict[tuple[str, str], float] = {}

    def keep(self, name: str, detail: str, value: float) -> None:
        """Write a number down; two different numbers under one name would be a fault of ours."""
        before = self._rows.setdefault((name, detail), value)
        if before != value and not (math.isnan(before) and math.isnan(value)):
            raise ValueError(f"{name} {detail} is {before} and {value}")

    def show(self, name: str, detail: str, value: float, decimals: int | None = None) -> Markup:
        """A number as the page shows it; not a number is n/a."""
        # Rounded before it is written: a tiny number is 0.000, not 8.67e-19.
        shown = value if decimals is None or math.isnan(value) else round(value, decimals)
        return self._shown(name, detail, value, number(shown, self.lang, decimals))

    def share(self, name: str, detail: str, value: float) -> Markup:
        """A share as a percentage."""
        return self._shown(name, detail, value, percent(value, self.lang))

    def _shown(self, name: str, detail: str, value: float, text: str) -> Markup:
        self.keep(name, detail, value)
        exact = "" if math.isnan(value) else _exact(value)
        return Markup('<data value="{}">{}</data>').format(exact, text)

    def sentence(self, text: str, **values: object) -> Markup:
        """A sentence in the page's language; what fills it is escaped unless it is a shown number."""
        return Markup(escape(say(text, self.lang))).format(**values)  # noqa: S704  our own text, escaped

    def as_csv(self) -> str:
        """name, detail, value: exact, one line each."""
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(("name", "detail", "value"))
        for (name, detail), value in self._rows.items():
            rows.writerow([*defused_row((name, detail)), "" if math.isnan(value) else _exact(value)])
        return out.getvalue()

    @property
    def rows(self) -> Mapping[tuple[str, str], float]:
        """All numbers by name and detail."""
        return self._rows


def _exact(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))
