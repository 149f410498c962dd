"""Differencing of two projections of one table: subtracting their counts reveals suppressed rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.numeric.arrays import Ints
from insanonym_core.numeric.grouping import combine
from insanonym_core.traces.texts import check_columns, column_texts


@dataclass(frozen=True)
class SuppressedRows:
    """A combination of the common columns (None = missing) that has `rows` rows fewer in one table."""

    values: tuple[str | None, ...]
    rows_a: int
    rows_b: int
    rows: int
    missing_from: Literal["A", "B"]


@dataclass(frozen=True)
class ProjectionDifference:
    """The small groups of suppressed rows that two tables reveal, the smallest first.

    `columns` are the common ones, `rows` all revealed rows. `exact`: the columns of one table are among those
    of the other, so each number is that of the rows suppressed; otherwise it is the least it can be.
    """

    columns: tuple[str, ...]
    k: int
    exact: bool
    combinations: tuple[SuppressedRows, ...]
    rows: int

    def to_frame(self) -> pd.DataFrame:
        """The combinations as columns: the common ones, then rows_a, rows_b, rows, missing_from."""
        return pd.DataFrame(
            [(*one.values, one.rows_a, one.rows_b, one.rows, one.missing_from) for one in self.combinations],
            columns=[*self.columns, "rows_a", "rows_b", "rows", "missing_from"],
        )


def difference_projections(frame_a: pd.DataFrame, frame_b: pd.DataFrame, k: int = 5) -> ProjectionDifference:
    """Find groups of fewer than k suppressed rows by subtracting the counts of two tables.

    Both tables are projections of one, published without the rows whose combination is rarer than k
    (`suppress_rare_rows`). Both are counted by their common columns. Where the counts differ by d, one table
    lacks at least d rows of that combination that the other has: exactly d when it has more columns and all
    of the other's, because the coarser table has all rows of a combination or none. With 0 < d < k the rows
    were suppressed for being rare, and a group smaller than k stands out again: such combinations are
    reported. A missing value is a value of its own. Counts are rows: a projection has no individuals.
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 2:
        raise UsageError("'k' must be a whole number of 2 or more, got {k}.", k=brief(k))
    common = [name for name in frame_a.columns if name in frame_b.columns]
    if not common:
        raise UsageError(
            "The two tables have no column in common, so there is nothing to subtract: give two "
            "tables that share columns."
        )
    check_columns(frame_a, common)
    check_columns(frame_b, common)
    key, words = _joint_key(frame_a, frame_b, common)
    _, example, group = np.unique(key, return_index=True, return_inverse=True)
    in_a = np.bincount(group[: len(frame_a)], minlength=len(example))
    in_b = np.bincount(group[len(frame_a) :], minlength=len(example))

    b_is_coarser, a_is_coarser = len(frame_b.columns) == len(common), len(frame_a.columns) == len(common)
    if (b_is_coarser and (in_a > in_b).any()) or (a_is_coarser and (in_b > in_a).any()):
        raise DataError(
            "The two tables do not come from the same data, or not with the same k, because the "
            "one with more columns has more rows of a combination than the one with fewer: give "
            "two tables of the same data."
        )
    lost = np.abs(in_a - in_b)
    combinations = [
        SuppressedRows(
            tuple(
                texts[code] for code, texts in ((codes[example[row_group]], texts) for codes, texts in words)
            ),
            int(in_a[row_group]),
            int(in_b[row_group]),
            int(lost[row_group]),
            "A" if in_a[row_group] < in_b[row_group] else "B",
        )
        for row_group in np.flatnonzero((lost > 0) & (lost < k)).tolist()
    ]
    combinations.sort(key=lambda one: (one.rows, [(value is not None, value or "") for value in one.values]))
    return ProjectionDifference(
        tuple(map(str, common)),
        int(k),
        a_is_coarser or b_is_coarser,
        tuple(combinations),
        sum(one.rows for one in combinations),
    )


def _joint_key(
    frame_a: pd.DataFrame, frame_b: pd.DataFrame, common: list[str]
) -> tuple[Ints, list[tuple[Ints, list[str | None]]]]:
    """Return a joint key of the rows of A and B over the common columns, and codes and texts per column."""
    words: list[tuple[Ints, list[str | None]]] = []
    for name in common:
        ours, theirs = column_texts(frame_a[name]), column_texts(frame_b[name])
        code_of_text = {
            text: code for code, text in enumerate(dict.fromkeys((*ours.values, *theirs.values)), start=1)
        }
        codes_of_b = np.array([*(code_of_text[text] for text in theirs.values), 0], dtype=np.int64)
        codes = np.concatenate([ours.code + 1, codes_of_b[theirs.code]])
        words.append((codes, [None, *code_of_text]))
    return combine(*((codes, len(texts)) for codes, texts in words)), words
