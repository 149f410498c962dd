"""A table of traces: each distinct trace once, with its number of individuals.

When published, a small count is *masked*: it stands for 1 to threshold − 1, or for 1 to more where the table
was protected (`traces.protection`), which also publishes larger counts as *ranges*. A published table does
not contain the true counts.
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

    A published count stands for `counts` to `high`. Where `masked`, `counts` is 1, and `high` is
    `threshold` − 1 or more; it is published as 1 (style "one") or as "<10" (style "less"). Another range is
    published as "20 to 29". `threshold` is None where no masking is known of.
    """

    traces: tuple[Trace, ...]
    counts: Ints
    masked: Bools
    high: Ints
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
        high: Ints | None = None,
    ) -> TraceTable:
        """Build a table sorted by its published counts, so that the order reveals nothing else.

        Without `high`, counts are exact where they are not masked.
        """
        masked = np.zeros(len(traces), dtype=bool) if masked is None else masked
        low = np.where(masked, 1, counts)
        if high is None:
            high = np.where(masked, (threshold or 2) - 1, counts)
        order = sorted(range(len(traces)), key=lambda row: (-int(low[row]), -int(high[row]), traces[row]))
        rows = np.array(order, dtype=np.int64)
        return cls(tuple(traces[row] for row in order), low[rows], masked[rows], high[rows], threshold, style)

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
        return self.counts, self.high

    @property
    def exact(self) -> Bools:
        """Where the true count is published."""
        return ~self.masked & (self.counts == self.high)

    def published(self) -> list[str]:
        """Return the counts as published."""
        return [
            ("1" if self.style == "one" else f"<{high + 1}")
            if masked
            else (str(low) if low == high else f"{low} to {high}")
            for low, high, masked in zip(
                self.counts.tolist(), self.high.tolist(), self.masked.tolist(), strict=True
            )
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
        visible = self.counts[self.exact]
        looks_masked = not self.masked.any() and not ((visible > 1) & (visible < threshold)).any()
        small = looks_masked & self.exact & (self.counts < threshold)
        return TraceTable.from_counts(
            self.traces,
            self.counts,
            self.masked | small,
            int(threshold),
            self.style,
            np.where(small, threshold - 1, self.high),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the columns count, step_1, step_2, …; columns after the end of a trace are empty.

        Counts are whole numbers, or texts where some read "<10" or "20 to 29".
        """
        texts = bool((~self.exact).any()) if self.style == "less" else not self.exact[~self.masked].all()
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

        Counts that read "<10" are masked, and with a `threshold` counts of 1 (see assume_masked); those that
        read "20 to 29" are ranges.
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
    ranges: list[tuple[int, int, bool]] = []
    for line, (count, *steps) in rows:
        while steps and steps[-1] == "":
            steps.pop()
        trace = tuple(steps)
        span = _parse_count(count)
        if span is None:
            wrong.setdefault("count", []).append(line)
        elif len(trace) > _MAX_STEPS:
            wrong.setdefault("long", []).append(line)
        elif not trace or "" in trace:
            wrong.setdefault("steps", []).append(line)
        elif trace in lines_of:
            wrong.setdefault("twice", []).append(line)
        else:
            lines_of[trace] = line
            ranges.append(span)
    _raise_problems(wrong, name)
    where = name or Phrase("the table")
    if not ranges:
        raise DataError("{where}: there are no traces; give a table with at least one trace.", where=where)
    low, high, masked = (np.array(values) for values in zip(*ranges, strict=True))
    known = _threshold_of(set((high[masked] + 1).tolist()), threshold, where)
    threshold = known or threshold
    style: Style = "less" if known else "one"
    table = TraceTable.from_counts(list(lines_of), low, masked, known, style, high)
    return table.assume_masked(threshold)


def _parse_count(text: str) -> tuple[int, int, bool] | None:
    """Return the lowest and highest value of a published count, and whether it is masked; None for others."""
    text = text.strip()
    if match := re.fullmatch(r"<\s*([0-9]{1,15})", text):
        return (1, int(match[1]) - 1, True) if int(match[1]) >= 2 else None
    if match := re.fullmatch(r"([0-9]{1,15})(?: to ([0-9]{1,15}))?", text):
        low, high = int(match[1]), int(match[2] or match[1])
        return (low, high, False) if 1 <= low <= high else None
    return None


def _threshold_of(labels: set[int], threshold: int | None, where: str) -> int | None:
    """Return the threshold of counts masked as "<10" and, in protected tables, "<20", "<40", …."""
    if not labels:
        return None
    first = threshold if threshold and all(on_ladder(label, threshold) for label in labels) else min(labels)
    if not all(on_ladder(label, first) for label in labels):
        raise DataError(
            "{where}: the masked counts are {thresholds}; a table must have one threshold.",
            where=where,
            thresholds=", ".join(f"<{label}" for label in sorted(labels)[:3]),
        )
    if threshold and first != threshold:
        raise UsageError(
            "{where}: the masked counts are <{known}, so 'threshold' must be {known}, got {threshold}.",
            where=where,
            known=first,
            threshold=threshold,
        )
    return first


def on_ladder(label: int, threshold: int) -> bool:
    """Whether a masked count may read below `label`: the threshold, doubled as often as protection needs."""
    times, rest = divmod(label, threshold)
    return rest == 0 and times > 0 and times & (times - 1) == 0


_WRONG = {
    "count": Phrase(
        "a row must begin with a count, a whole number of 1 or more, or <10, or 20 to 29; check the "
        "separator."
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
