"""Counting traces for publication."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import pandas as pd

from insanonym_core.errors import UsageError
from insanonym_core.parameters import Choice, ColumnNames, Range
from insanonym_core.registry import methods
from insanonym_core.traces.build import Traces, build_traces
from insanonym_core.traces.disclosure import differencing
from insanonym_core.traces.mask import mask_small_counts
from insanonym_core.traces.release import TraceRelease
from insanonym_core.traces.table import count_traces

NO_LIMIT = 10**6


@methods.add("count_traces", data="traces", title="Count and mask traces", order=1, last=True)
@dataclass(frozen=True, kw_only=True)
class CountTraces:
    """Publishes how many individuals left each trace; counts below the threshold are masked.

    A second table, with another prefix or without one, can be subtracted from it: see what both reveal. And a
    long trace is often one person's alone, whatever is masked about its count.
    """

    item: Annotated[tuple[str, ...], ColumnNames()] = ()
    order: Annotated[tuple[str, ...], ColumnNames(single=True)] = ()
    prefix: Annotated[tuple[str, ...], ColumnNames(single=True, optional=True)] = ()
    mask: Annotated[int, Range(2, 1000, whole=True, unit="individuals")] = 10
    style: Annotated[Literal["less", "one"], Choice("less", "one")] = "less"
    several: Annotated[Literal["last", "all"], Choice("last", "all")] = "last"

    def apply(
        self,
        frame: pd.DataFrame,
        identifier: str | None,
        *,
        before: pd.DataFrame | None = None,
        since: int | str | None = None,
    ) -> TraceRelease:
        """Build, count and mask traces; losses are counted from `before`, the table before any cleaning.

        `since` leaves out individuals first seen before that year.
        """
        if identifier is None:
            raise UsageError("count_traces needs to know who is who: name the identifier column.")
        if not self.order:
            raise UsageError(
                "count_traces needs the column that orders a trace, such as the year: set 'order'."
            )
        uncleaned = frame if before is None else before
        traces = self._build(frame, identifier, self.prefix, since)
        counted = count_traces(traces)
        masked = mask_small_counts(counted, self.mask, self.style)
        second = together = None
        if self.prefix:
            second = mask_small_counts(
                count_traces(self._build(frame, identifier, (), since)), self.mask, self.style
            )
            together = differencing(masked.table, second.table, threshold=self.mask, width=NO_LIMIT)
        return TraceRelease(
            traces,
            counted,
            masked,
            second,
            together,
            len(uncleaned),
            len(frame),
            int(uncleaned[identifier].nunique()),
        )

    def _build(
        self, frame: pd.DataFrame, identifier: str, prefix: Sequence[str], since: int | str | None
    ) -> Traces:
        first = prefix[0] if prefix else None
        return build_traces(frame, identifier, self.order[0], list(self.item), first, self.several, since)
