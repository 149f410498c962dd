"""Numbers, and a release of them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from insanonym_core.errors import DataError
from insanonym_core.io.output import writing
from insanonym_core.io.publication import Publication
from insanonym_core.io.sources import Source, source_of
from insanonym_core.kinds import Made
from insanonym_core.numeric.randomness import content_digest

MAX_BYTES = 10_000_000


@dataclass(frozen=True, eq=False)
class Numbers:
    """Rows of numbers."""

    values: np.ndarray
    demonstration: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def digest(self) -> bytes:
        """A digest of the content."""
        return content_digest((), [self.values.ravel()])


@dataclass(frozen=True, eq=False)
class Release:
    """Original and published numbers."""

    original: Numbers
    published: Numbers


def demo(reading: Mapping[str, Any]) -> Numbers:
    """demo:numbers."""
    return Numbers(np.random.default_rng(1).normal(50, 10, (40, 3)), demonstration=True)


def read(source: Source | str, reading: Mapping[str, Any]) -> Numbers:
    """A CSV of numbers without a header; every wrong line is told, and there is a limit."""
    opened = source if isinstance(source, Source) else source_of(Path(source))
    if opened.parquet:
        raise DataError(f"{opened.name} is Parquet: give numbers as CSV.")
    with opened.open() as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise DataError(f"{opened.name} has more than {MAX_BYTES // 10**6} MB: give less.")
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8", errors="replace"))))
    if not rows:
        raise DataError(f"{opened.name} has no rows: give at least one.")
    wrong = [line for line, row in enumerate(rows, start=1) if len(row) != len(rows[0]) or not _all(row)]
    if wrong:
        lines = ", ".join(map(str, wrong[:20]))
        raise DataError(
            f"{opened.name}, lines {lines}: must hold {len(rows[0])} numbers, separated by commas."
        )
    return Numbers(np.array(rows, dtype=float))


def _all(row: list[str]) -> bool:
    """Whether every cell is a finite number."""
    try:
        return all(math.isfinite(float(cell)) for cell in row)
    except ValueError:
        return False


def make(recipe: Any, data: Numbers, draws: Any, job: Any) -> Made:
    """Apply the steps."""
    numbers = data
    for method, generator in recipe.built(draws):
        job.progress(type(method).__name__)
        numbers = method.apply(numbers, generator)
    return Made(Release(data, numbers), len(data), len(numbers))


class NumbersPublication(Publication):
    """Rounded and sorted."""

    def file(self, recipe: Any) -> tuple[str, str]:
        """CSV."""
        return "numbers.csv", "text/csv"

    def write(self, recipe: Any, release: Release, path: Path, **options: Any) -> list[str]:
        """Write the numbers."""
        rows = sorted(release.published.values.round(1).tolist())
        with writing(path, **options) as beside:
            beside.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n")
        return []


PUBLICATION = NumbersPublication()
