"""The result of counting traces: the table to publish, and what a second table would reveal."""

from __future__ import annotations

from dataclasses import dataclass

from insanonym_core.traces.build import Traces
from insanonym_core.traces.disclosure import DifferencingResult
from insanonym_core.traces.mask import Masked
from insanonym_core.traces.table import TraceTable


@dataclass(frozen=True, eq=False)
class TraceRelease:
    """Counted and masked traces. `counted` has the true counts and is never published.

    `second` is the same table without the prefix, as a publisher would add it, and `together` what both give
    away; None where there is no prefix. Losses count from `rows_before` and `individuals_before`.
    """

    traces: Traces
    counted: TraceTable
    masked: Masked
    second: Masked | None
    together: DifferencingResult | None
    rows_before: int
    rows: int
    individuals_before: int

    @property
    def published(self) -> TraceTable:
        """The masked table, which may be published."""
        return self.masked.table
