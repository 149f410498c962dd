"""Counting traces for publication."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import pandas as pd

from insanonym_core.errors import UsageError
from insanonym_core.parameters import Choice, ColumnNames, Lines, Range
from insanonym_core.registry import methods
from insanonym_core.traces.build import Traces, build_traces
from insanonym_core.traces.disclosure import subtract
from insanonym_core.traces.mask import mask_small_counts
from insanonym_core.traces.protection import Protected, protect
from insanonym_core.traces.release import TraceRelease
from insanonym_core.traces.renamed import names_of_lines
from insanonym_core.traces.table import TraceTable, count_traces

NO_LIMIT = 10**6
_PLAIN = ""  # the name of the table without a prefix; no column has it


@methods.add("count_traces", data="traces", title="Count and mask traces", order=1, last=True)
@dataclass(frozen=True, kw_only=True)
class CountTraces:
    """Publishes how many individuals left each trace; counts below the threshold are masked.

    A long trace is often one person's alone, whatever is masked about its count. Without `protect`, a
    second table can be subtracted; with it the tables with each prefix and without one are published
    together, larger counts as ranges, so that every masked count keeps at least `protect` possible values
    for who subtracts them.
    """

    item: Annotated[tuple[str, ...], ColumnNames()] = ()
    order: Annotated[tuple[str, ...], ColumnNames(single=True)] = ()
    prefix: Annotated[tuple[str, ...], ColumnNames(single=True, optional=True)] = ()
    mask: Annotated[int, Range(2, 1000, whole=True, unit="individuals")] = 10
    style: Annotated[Literal["less", "one"], Choice("less", "one")] = "less"
    several: Annotated[Literal["last", "all"], Choice("last", "all")] = "last"
    semester: Annotated[tuple[str, ...], ColumnNames(single=True)] = ()
    renamed: Annotated[str, Lines("G5PLS = G5PRLS")] = ""
    further: Annotated[tuple[str, ...], ColumnNames()] = ()
    protect: Annotated[int, Range(0, 100, whole=True, unit="values", zero="no")] = 0

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The columns that come first, each in a table of its own."""
        return tuple(dict.fromkeys((*self.prefix, *self.further)))

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
        prefixes = self.prefixes or (None,)
        traces = [self._build(frame, identifier, prefix, since) for prefix in prefixes]
        counted = dict(zip(prefixes, map(count_traces, traces), strict=True))
        plain = count_traces(self._build(frame, identifier, None, since)) if self.prefixes else None
        protected = self._protected(counted, plain)
        if protected is None:
            masked = {one: mask_small_counts(table, self.mask, self.style) for one, table in counted.items()}
            second = None if plain is None else mask_small_counts(plain, self.mask, self.style)
        else:
            second = protected.tables[_PLAIN] if self.prefixes else None
            masked = {one: protected.tables[one or _PLAIN] for one in counted}
        release = TraceRelease(
            traces[0],
            counted[prefixes[0]],
            masked[prefixes[0]],
            second,
            None,
            len(uncleaned),
            len(frame),
            int(uncleaned[identifier].nunique()),
            {one: masked[one] for one in prefixes[1:] if one is not None},
            protected,
        )
        if second is None:
            return release
        labelled = release.labelled()
        without = {label: table for label, table in labelled.items() if table is second.table}
        return replace(
            release,
            together=subtract(
                without, {label: labelled[label] for label in labelled if label not in without}, NO_LIMIT
            ),
        )

    def _protected(
        self, counted: Mapping[str | None, TraceTable], plain: TraceTable | None
    ) -> Protected | None:
        """Protect all tables together, if that is asked for (one value would be no protection)."""
        if self.protect < 2:
            return None
        prefixed = {name: table for name, table in counted.items() if name is not None}
        return protect({_PLAIN: counted[None] if plain is None else plain}, prefixed, self.mask, self.protect)

    def _build(
        self, frame: pd.DataFrame, identifier: str, prefix: str | None, since: int | str | None
    ) -> Traces:
        return build_traces(
            frame,
            identifier,
            self.order[0],
            list(self.item),
            prefix,
            self.several,
            since,
            self.semester[0] if self.semester else None,
            names_of_lines(self.renamed),
        )
