"""Study traces: what each individual went through year after year, counted, masked and subtracted."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from insanonym_core.traces.build import Traces, build_traces
    from insanonym_core.traces.disclosure import DifferencingResult, Disclosure, differencing
    from insanonym_core.traces.files import read_trace_table, write_trace_table
    from insanonym_core.traces.mask import Masked, RareItem, mask_small_counts, rare_items
    from insanonym_core.traces.projections import (
        ProjectionDifference,
        SuppressedRows,
        difference_projections,
    )
    from insanonym_core.traces.protection import Protected, protect
    from insanonym_core.traces.table import TraceTable, count_traces

_NAMES = {
    "build": ("Traces", "build_traces"),
    "disclosure": ("DifferencingResult", "Disclosure", "differencing"),
    "files": ("read_trace_table", "write_trace_table"),
    "mask": ("Masked", "RareItem", "mask_small_counts", "rare_items"),
    "projections": ("ProjectionDifference", "SuppressedRows", "difference_projections"),
    "protection": ("Protected", "protect"),
    "table": ("TraceTable", "count_traces"),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "DifferencingResult",
    "Disclosure",
    "Masked",
    "ProjectionDifference",
    "Protected",
    "RareItem",
    "SuppressedRows",
    "TraceTable",
    "Traces",
    "build_traces",
    "count_traces",
    "difference_projections",
    "differencing",
    "mask_small_counts",
    "protect",
    "rare_items",
    "read_trace_table",
    "write_trace_table",
]


def __getattr__(name: str) -> object:
    """Import on first use: whoever only asks which kinds of data there are needs no pandas."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
