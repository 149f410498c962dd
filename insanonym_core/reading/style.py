"""How a file is written, so that what is made of it can be written alike: in the user's style."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from insanonym_core.errors import UsageError, brief

if TYPE_CHECKING:
    import pandas as pd

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: (\d\d:\d\d(?::\d\d)?))?(?:\.\d+)?")
_POINT = re.compile(r"(?<=\d)\.(?=\d)")


@dataclass(frozen=True)
class Style:
    """Separator, decimal mark, encoding, and the form of dates by column; empty where nothing is known."""

    separator: str = ""
    decimal: str = "."
    encoding: str = ""
    dates: Mapping[str, str] = field(default_factory=dict)

    def for_file(self, suffix: str) -> Style:
        """The style of a file by its suffix: tabs in .tsv, in .csv the separator of the original, or a "
        "comma."""
        if suffix == ".tsv":
            return replace(self, separator="\t")
        separator = self.separator if self.separator in (",", ";", "|") else ","
        # A decimal comma beside commas that separate would have to stand in quotes.
        return replace(self, separator=separator, decimal="." if separator == "," else self.decimal)

    def asked(self, name: str) -> Style:
        """This style, or the one of this name instead; the form of dates stays.

        >>> Style("|", dates={"day": "%d/%m/%Y"}).asked("french").separator
        ';'
        """
        if name in ("", "original"):
            return self
        if name not in NAMED:
            raise UsageError(
                "The style of the output must be one of {names}, got {name}.",
                names=", ".join(("original", *NAMED)),
                name=brief(name),
            )
        return replace(NAMED[name], dates=self.dates)

    def encoded(self, text: str) -> bytes:
        """The text in the encoding of the original; in UTF-8 with its mark if that cannot hold it.

        What spreadsheets on Windows take for UTF-8 must begin with the mark.
        """
        if self.encoding in ("", "utf-8"):
            return text.encode()
        try:
            return (codecs.BOM_UTF16_LE if self.encoding == "utf-16-le" else b"") + text.encode(self.encoding)
        except UnicodeEncodeError:
            return text.encode("utf-8-sig")


NAMED = {"french": Style(";", ",", "utf-8-sig"), "plain": Style(",", ".", "utf-8")}
"""Styles that can be asked for: what a French Excel opens by a double click, and what programs expect."""


def styled(frame: pd.DataFrame, style: Style, labels: Mapping[str, str]) -> pd.DataFrame:
    """A table with its dates, and the numbers and dates inside labels, as the original writes them.

    `labels` are columns whose intervals are texts, with the kind of their values: number or date.
    """
    import pandas as pd

    changed = {}
    for name in frame.columns:
        column, form = frame[name], style.dates.get(str(name))
        if pd.api.types.is_datetime64_any_dtype(column.dtype):
            if form is not None:
                changed[name] = _written_dates(column, form)
        elif labels.get(str(name)) == "number" and style.decimal == ",":
            changed[name] = _relabelled(column, _with_commas)
        elif labels.get(str(name)) == "date" and form is not None:
            changed[name] = _relabelled(column, partial(_with_dates, form=form))
    return frame.assign(**{str(name): column for name, column in changed.items()}) if changed else frame


def _written_dates(column: pd.Series, form: str) -> pd.Series:
    times = column.dropna()
    if "%H" not in form and (times != times.dt.normalize()).any():
        form += " %H:%M:%S"  # what is published is not cut off
    return column.dt.strftime(form)


def _relabelled(column: pd.Series, change: object) -> pd.Series:
    texts = column.astype(object)
    new = {text: change(text) for text in texts.dropna().unique() if isinstance(text, str)}  # type: ignore[operator]
    return texts.map(lambda text: new.get(text, text))


def _with_commas(label: str) -> str:
    """An interval with decimal commas: [1.5, 2.5] becomes [1,5; 2,5]."""
    return _POINT.sub(",", label.replace(", ", "; "))


def _with_dates(label: str, form: str) -> str:
    import datetime

    def written(match: re.Match[str]) -> str:
        text = f"{match[1]}-{match[2]}-{match[3]}" + (f" {match[4]}" if match[4] else "")
        stamp = datetime.datetime.fromisoformat(text)
        return stamp.strftime(form.partition(" ")[0] if not match[4] else form)

    return _DATE.sub(written, label)


def labels_of(kinds: Mapping[str, str], generalised: Iterable[str]) -> dict[str, str]:
    """The kinds of the generalised columns whose values are numbers or dates."""
    return {name: kinds[name] for name in generalised if kinds.get(name) in ("number", "date")}
