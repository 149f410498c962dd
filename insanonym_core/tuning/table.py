"""The trials of a search as a CSV file: to look at, and to go on from."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from insanonym_core import __version__
from insanonym_core.errors import InsanonymError, UsageError
from insanonym_core.io.output import unwritable, writing
from insanonym_core.io.spreadsheets import defused_row, restored
from insanonym_core.kinds import Data
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import recipe_from_content
from insanonym_core.results.threats import DEFINITION
from insanonym_core.texts import Phrase
from insanonym_core.tuning.trials import Tried, front_of_trials

_NUMBERS = ("privacy", "utility", "defence")
_COLUMNS = (
    "number",
    "front",
    *_NUMBERS,
    "decided_by",
    "draws",
    "sampled",
    "steps",
    "failed",
    "measures",
    "choices",
    "search",
)
_BAD_ROW = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, InsanonymError)


def search_id(base: Recipe, data: Data) -> str:
    """What trials belong to: data, roles, headlines and measures of this version.

    Of the data only two bytes: enough to notice another file, too few to tell whose file it was.
    """
    content = replace(base, steps=(), data=None, seed=None).plain()
    text = f"{json.dumps(content, sort_keys=True, default=str)} {__version__} {DEFINITION}"
    known = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=6).hexdigest()
    return known + hashlib.blake2b(data.digest(), digest_size=2).hexdigest()


def write_trials(trials: Iterable[Tried], of: str, path: Path, *, force: bool = False) -> None:
    """All trials of a search; those on the front are marked."""
    with writing(path, force=force) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        _write(file, list(trials), of)


def trials_to_text(trials: Iterable[Tried], of: str = "") -> str:
    """The same table as a text."""
    file = io.StringIO(newline="")
    _write(file, list(trials), of)
    return file.getvalue()


def _write(file: TextIO, trials: list[Tried], of: str) -> None:
    front = {one.number for one in front_of_trials(trials)}
    rows = csv.writer(file)
    rows.writerow(_COLUMNS)
    rows.writerows(_row(one, one.number in front, of) for one in trials)


@contextmanager
def kept_trials(path: Path, of: str) -> Iterator[Callable[[Tried], None]]:
    """A file that each trial is added to as it comes, behind those that are there."""
    try:
        fresh = not path.exists() or path.stat().st_size == 0
        path.touch(mode=0o600)  # what was measured may tell about single rows: only for the owner
        with path.open("a", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            if fresh:
                rows.writerow(_COLUMNS)

            def keep(one: Tried) -> None:
                rows.writerow(_row(one, False, of))
                file.flush()

            yield keep
    except OSError as error:
        raise unwritable(path, error) from None


def read_trials(path: Path, base: Recipe, of: str) -> list[Tried]:
    """The trials of an earlier search of the same data; an incomplete last line is left out."""
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(
            "{path} cannot be read as trials of a search ({reason}): check the name.",
            path=path,
            reason=getattr(error, "strerror", None) or Phrase("no UTF-8"),
        ) from None
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if not rows or tuple(rows[0]) != _COLUMNS:
        raise _no_trials(path)
    found: dict[int, Tried] = {}
    for place, cells in enumerate(rows[1:], start=2):
        if len(cells) < len(_COLUMNS) and place == len(rows):
            break  # it was cut off
        row = dict(zip(_COLUMNS, map(restored, cells), strict=False))
        if row.get("search") != of:
            raise UsageError(
                "{path} belongs to a search of other data, roles or headlines: choose another file, or "
                "search without --resume.",
                path=path,
            )
        try:
            one = _tried(row, base)
        except _BAD_ROW:
            raise _no_trials(path) from None
        found[one.number] = one
    return [replace(one, number=place) for place, one in enumerate(found.values(), start=1)]


def _no_trials(path: Path) -> UsageError:
    return UsageError("{path} holds no trials of a search: choose another file.", path=path)


def _row(one: Tried, on_front: bool, of: str) -> list[object]:
    measures = {name: value for name, value in one.values.items() if name not in _NUMBERS}
    return defused_row(
        [
            one.number,
            int(on_front),
            *(_number(one.values.get(name, math.nan)) for name in _NUMBERS),
            one.decided_by,
            one.draws,
            int(one.sampled),
            json.dumps(one.recipe.plain()["steps"], ensure_ascii=False),
            str(one.failed),
            json.dumps({name: value for name, value in measures.items() if math.isfinite(value)}),
            json.dumps(dict(one.choices), ensure_ascii=False),
            of,
        ]
    )


def _number(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else ""


def _tried(row: Mapping[str, str], base: Recipe) -> Tried:
    values = {str(name): float(value) for name, value in json.loads(row["measures"]).items()}
    values |= {name: float(row[name]) for name in _NUMBERS if row[name]}
    content = {**base.plain(), "steps": json.loads(row["steps"])}
    return Tried(
        int(row["number"]),
        replace(recipe_from_content(content), folder=base.folder),
        values,
        int(row["draws"]),
        row["decided_by"],
        row["failed"],
        bool(int(row["sampled"])),
        dict(json.loads(row["choices"])),
    )
