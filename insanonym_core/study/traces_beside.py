"""What a table of traces and a projection of the same rows give away together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from insanonym_core.traces.build import JOINT
from insanonym_core.traces.texts import column_texts

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.traces.table import TraceTable


@dataclass(frozen=True)
class TraceDifference:
    """Groups of fewer than k rows that a projection lacks and a table of traces shows to exist.

    `rows` is the least number of rows in them; both are None where the two share no column.
    """

    traces: str
    projection: str
    groups: int | None
    rows: int | None


def difference_traces(
    tables: Iterable[tuple[str, TraceTable, bool]],
    projections: Mapping[str, pd.DataFrame],
    cleaned: pd.DataFrame,
    item: Sequence[str],
    k: int,
) -> Iterator[TraceDifference]:
    """Subtract each projection from each table of traces, given by name and whether it has a prefix."""
    for traces, table, prefixed in tables:
        for name, frame in projections.items():
            common = [column for column in item if column in frame.columns]
            if not common:
                yield TraceDifference(traces, name, None, None)
                continue
            fewest = fewest_rows(table, cleaned, item, common, prefixed=prefixed)
            found = groups_found(fewest, Counter(rows_as_texts(frame, common)), k)
            yield TraceDifference(traces, name, len(found), sum(found))


def fewest_rows(
    table: TraceTable, cleaned: pd.DataFrame, item: Sequence[str], common: Sequence[str], *, prefixed: bool
) -> Counter[tuple[str, ...]]:
    """The least number of rows of each combination of the columns `common` that the traces tell of.

    Each step of a trace is a row at least, and a masked count is one person at least. `cleaned` are the rows
    from which traces were counted: a step that may be several of their combinations tells of none.
    """
    steps: Counter[str] = Counter()
    for trace, low in zip(table.traces, table.ranges()[0].tolist(), strict=True):
        for step in trace[1:] if prefixed else trace:
            steps[step] += low
    combinations: dict[str, set[tuple[str, ...]]] = {}
    places = [item.index(name) for name in common]
    for values in set(rows_as_texts(cleaned, item)):
        combination = tuple(values[place] for place in places)
        combinations.setdefault(JOINT.join(values), set()).add(combination)
    found: Counter[tuple[str, ...]] = Counter()
    for step, rows in steps.items():
        possible = combinations.get(step, set())
        if len(possible) == 1:
            found[next(iter(possible))] += rows
    return found


def rows_as_texts(frame: pd.DataFrame, names: Sequence[str]) -> list[tuple[str, ...]]:
    """The rows of a table as traces write them."""
    columns = []
    for name in names:
        codes, words = column_texts(frame[name]).with_missing()
        columns.append([words[code] for code in codes.tolist()])
    return list(zip(*columns, strict=True))


def groups_found(fewest: Counter[tuple[str, ...]], published: Counter[tuple[str, ...]], k: int) -> list[int]:
    """How many rows each small group has at least that is told of and not published."""
    lacking = (rows - published[combination] for combination, rows in fewest.items())
    return [rows for rows in lacking if 0 < rows < k]
