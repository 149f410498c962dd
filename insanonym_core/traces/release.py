"""The result of counting traces: the table to publish, and what a second table would reveal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from insanonym_core.reading.style import Style
from insanonym_core.traces.build import Traces
from insanonym_core.traces.disclosure import DifferencingResult
from insanonym_core.traces.mask import Masked
from insanonym_core.traces.protection import Protected
from insanonym_core.traces.table import TraceTable


@dataclass(frozen=True, eq=False)
class TraceRelease:
    """Counted and masked traces. `counted` has the true counts and is never published.

    `second` is the same table without the prefix, as a publisher would add it, `further` the tables with
    other prefixes, by their column, and `together` what all give away; None where there is no prefix.
    `protected` says what it cost to protect them, where that was asked for: then all are published. Losses
    count from `rows_before` and `individuals_before`. `style` is how the enrolments are written.
    """

    traces: Traces
    counted: TraceTable
    masked: Masked
    second: Masked | None
    together: DifferencingResult | None
    rows_before: int
    rows: int
    individuals_before: int
    further: Mapping[str, Masked] = field(default_factory=lambda: MappingProxyType({}))
    protected: Protected | None = None
    style: Style = field(default_factory=Style)

    @property
    def published(self) -> TraceTable:
        """The masked table, which may be published."""
        return self.masked.table

    def labelled(self) -> dict[str, TraceTable]:
        """The table with the prefix (A), the one without (B), and those with other prefixes (C, D, …)."""
        second = [] if self.second is None else [self.second.table]
        tables = [self.published, *second, *(masked.table for masked in self.further.values())]
        return {label(place): table for place, table in enumerate(tables)}


def label(place: int) -> str:
    """A, B, …, Z, AA, …"""
    before = "" if place < 26 else label(place // 26 - 1)
    return before + chr(ord("A") + place % 26)
