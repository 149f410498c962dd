"""Study traces: what each individual went through year after year, counted, masked and subtracted."""

from insanonym_core.traces.build import Traces, build_traces
from insanonym_core.traces.differencing import DifferencingResult, Disclosure, differencing
from insanonym_core.traces.files import read_trace_table, write_trace_table
from insanonym_core.traces.mask import Masked, RareItem, mask_small_counts, rare_items
from insanonym_core.traces.projections import ProjectionDifference, SuppressedRows, difference_projections
from insanonym_core.traces.table import TraceTable, count_traces

__all__ = [
    "DifferencingResult",
    "Disclosure",
    "Masked",
    "ProjectionDifference",
    "RareItem",
    "SuppressedRows",
    "TraceTable",
    "Traces",
    "build_traces",
    "count_traces",
    "difference_projections",
    "differencing",
    "mask_small_counts",
    "rare_items",
    "read_trace_table",
    "write_trace_table",
]
