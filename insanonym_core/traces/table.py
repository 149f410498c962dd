"""A table of traces: each distinct trace once, with its number of individuals.

When published, a small count is *masked*: it stands for 1 to threshold − 1. A masked table does not contain
the true counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from insanonym_core.errors import LINES_SHOWN, DataError, Problem, UsageError, brief
from insanonym_core.numeric.arrays import Bools, Ints
from insanonym_core.numeric.grouping import combine
from insanonym_core.texts import Phrase
from insanonym_core.traces.build import Traces
from insanonym_core.traces.texts import column_texts

Trace = tuple[str, ...]
Style = Literal["one", "less"]
COUNT = "count"
_MAX_STEPS = 10_000


@dataclass(frozen=True, eq=False)
class TraceTable:
    """Traces and their counts, most frequent first, ties by the steps' texts.

    Where `masked`, `counts` is 1 and stands for 1 to `threshold` − 1; it is published as 1 (style "one") or
    as "<10" (style "less"). `threshold` is None where no masking is known of.
    """

    traces: tuple[Trace, ...]
    counts: Ints
    masked: Bools
    threshold: int | None = None
    style: Style = "one"

    @classmethod
    def from_counts(
        cls,
        traces: Sequence[Trace],
        counts: Ints,
        masked: Bools | None = None,
        threshold: int | None = None,
        style: Style = "one",
    ) -> TraceTable:
        """Build a table sorted by its published counts, so that the order reveals nothing else."""
        masked = np.zeros(len(traces), dtype=bool) if masked is None else masked
        published = np.where(masked, 1, counts)
        order = sorted(range(len(traces)), key=lambda row: (-int(published[row]), traces[row]))
        rows = np.array(order, dtype=np.int64)
        return cls(tuple(traces[row] for row in order), published[rows], masked[rows], threshold, style)

    def __len__(self) -> int:
        return len(self.traces)

    @property
    def individuals(self) -> int | None:
        """Number of individuals; None if masked counts hide it."""
        lowest, highest = self.people
        return lowest if lowest == highest else None

    @property
    def people(self) -> tuple[int, int]:
        """Lowest and highest possible number of individuals."""
        low, high = self.ranges()
        return int(low.sum()), int(high.sum())

    def ranges(self) -> tuple[Ints, Ints]:
        """Return the lowest and highest possible value of each published count."""
        return self.counts, np.where(self.masked, (self.threshold or 2) - 1, self.counts)

    def published(self) -> list[str]:
        """Return the counts as published."""
        hidden = f"<{self.threshold}" if self.style == "less" else "1"
        return [
            hidden if masked else str(count)
            for count, masked in zip(self.counts.tolist(), self.masked.tolist(), strict=True)
        ]

    def assume_masked(self, threshold: int | None) -> TraceTable:
        """Return the table as read with a known threshold: a count of 1 may stand for any count below it.

        A count from 2 to threshold − 1 shows that the table was not masked: then all its counts are exact.
        """
        if threshold is None:
            return self
        check_threshold(threshold)
        if self.threshold is not None and self.threshold != threshold:
            raise UsageError(
                "'threshold' must be {known}, by which the table was masked, got {threshold}.",
                known=self.threshold,
                threshold=threshold,
            )
        visible = self.counts[~self.masked]
        looks_masked = not self.masked.any() and not ((visible > 1) & (visible < threshold)).any()
        return TraceTable.from_counts(
            self.traces,
            self.counts,
            self.masked | (looks_masked & (self.counts < threshold)),
            int(threshold),
            self.style,
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the columns count, step_1, step_2, …; columns after the end of a trace are empty.

        Counts are whole numbers, or texts where some read "<10".
        """
        texts = self.style == "less" and bool(self.masked.any())
        columns: dict[str, pd.Series] = {
            COUNT: pd.Series(self.published(), dtype="str") if texts else pd.Series(self.counts)
        }
        for step in range(max(map(len, self.traces), default=0)):
            words = [trace[step] if step < len(trace) else None for trace in self.traces]
            columns[f"step_{step + 1}"] = pd.Series(words, dtype="str")
        return pd.DataFrame(columns)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, threshold: int | None = None) -> TraceTable:
        """Read a published table back: counts in the first column, whatever its name, then the steps.

        Counts that read "<10" are masked, and with a `threshold` counts of 1 (see assume_masked).
        """
        columns = []
        for place in range(frame.shape[1]):
            texts = column_texts(frame.iloc[:, place])
            words = (*texts.values, "")
            columns.append([words[code] for code in texts.code.tolist()])
        rows = enumerate(zip(*columns, strict=True), start=2)  # as in a file whose first line is the header
        return table_from_rows(rows, threshold)


def count_traces(traces: Traces) -> TraceTable:
    """Group equal traces and count them: one row per trace, most frequent first."""
    # Walk all traces in parallel, step by step: individuals share a node as long as their steps are equal.
    active = np.arange(traces.individuals)
    length = np.diff(traces.start)
    node, nodes, step = np.zeros(len(active), dtype=np.int64), 1, 0
    examples: list[Ints] = []
    counts: list[Ints] = []
    while len(active):
        code = traces.code[traces.start[active] + step]
        distinct, node = np.unique(combine((node, nodes), (code, len(traces.items))), return_inverse=True)
        nodes, step = len(distinct), step + 1
        ended = length[active] == step
        _, example, count = np.unique(node[ended], return_index=True, return_counts=True)
        examples.append(active[ended][example])
        counts.append(count)
        active, node = active[~ended], node[~ended]
    distinct_traces = [
        traces.steps(individual) for individuals in examples for individual in individuals.tolist()
    ]
    return TraceTable.from_counts(distinct_traces, np.concatenate(counts))


def table_from_rows(
    rows: Iterable[tuple[int, Sequence[str]]], threshold: int | None = None, name: str = ""
) -> TraceTable:
    """Build a table from (line, texts): a count, then the steps; empty texts at the end are padding."""
    if threshold is not None:
        check_threshold(threshold)
    wrong: dict[str, list[int]] = {}
    lines_of: dict[Trace, int] = {}
    counts: list[int] = []
    labels: set[int] = set()
    for line, (count, *steps) in rows:
        while steps and steps[-1] == "":
            steps.pop()
        trace = tuple(steps)
        match = re.fullmatch(r"(<?)\s*([0-9]{1,15})", count.strip())
        if not match or int(match[2]) < (2 if match[1] else 1):
            wrong.setdefault("count", []).append(line)
        elif len(trace) > _MAX_STEPS:
            wrong.setdefault("long", []).append(line)
        elif not trace or "" in trace:
            wrong.setdefault("steps", []).append(line)
        elif trace in lines_of:
            wrong.setdefault("twice", []).append(line)
        else:
            lines_of[trace] = line
            counts.append(0 if match[1] else int(match[2]))
            labels.update([int(match[2])] if match[1] else [])
    _raise_problems(wrong, name)
    where = name or Phrase("the table")
    if not counts:
        raise DataError("{where}: there are no traces; give a table with at least one trace.", where=where)
    if len(labels) > 1:
        thresholds = ", ".join(f"<{label}" for label in sorted(labels)[:3])
        raise DataError(
            "{where}: the masked counts are {thresholds}; a table must have one threshold.",
            where=where,
            thresholds=thresholds,
        )
    known = labels.pop() if labels else None
    if known and threshold and known != threshold:
        raise UsageError(
            "{where}: the masked counts are <{known}, so 'threshold' must be {known}, got {threshold}.",
            where=where,
            known=known,
            threshold=threshold,
        )
    threshold = known or threshold
    number = np.array(counts, dtype=np.int64)
    table = TraceTable.from_counts(list(lines_of), number, number == 0, known, "less" if known else "one")
    return table.assume_masked(threshold)


_WRONG = {
    "count": Phrase(
        "a row must begin with a count, a whole number of 1 or more, or <10; check the separator."
    ),
    "long": Phrase("a trace must have at most {most:,} steps; check the line breaks.", most=_MAX_STEPS),
    "steps": Phrase("a trace must have at least one step, and no empty one before its last; fill it in."),
    "twice": Phrase("each trace must be in one row only; add the counts up."),
}


def _raise_problems(wrong: dict[str, list[int]], name: str) -> None:
    """Raise a DataError that lists all problems, if there are any."""
    problems = [
        Problem(code, _WRONG[code], len(lines), tuple(lines[:LINES_SHOWN]), name)
        for code, lines in wrong.items()
    ]
    if problems:
        raise DataError.of(problems)


def check_threshold(threshold: object) -> None:
    """Refuse a threshold that is not a whole number of 2 or more."""
    if isinstance(threshold, bool) or not isinstance(threshold, int | np.integer) or threshold < 2:
        raise UsageError(
            "'threshold' must be a whole number of 2 or more, got {threshold}.", threshold=brief(threshold)
        )
