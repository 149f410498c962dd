"""Convert the values of a column to numbers, and numbers back to values.

Dates are days in local time: midnight in Paris is a whole number, in winter as in summer.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import renumber
from insanonym_core.tabular.table import MISSING, AnyIndex, Column, Table

MAX_DECIMALS = 12
MAX_EXACT_INTEGER = 2**53
MAX_SCALE_VALUES = 50
DAY = 86_400_000_000  # microseconds
_UNITS = (DAY, 3_600_000_000, 60_000_000, 1_000_000, 1_000, 1)


def distinct_numbers(column: Column) -> Floats:
    """Return the distinct values as numbers, in the order of the column's values."""
    return _wall_clock(column) / DAY if column.kind == "date" else column.numbers()


def row_numbers(column: Column) -> Floats:
    """Return the rows as numbers; NaN where missing."""
    if len(column.values) == 0:
        return np.full(len(column.codes), np.nan)
    numbers = np.append(distinct_numbers(column), np.nan)  # index -1 (MISSING) selects NaN
    return numbers[column.codes]


def column_from_numbers(column: Column, numbers: Floats) -> Column:
    """Return a column with the given numbers as rows, not rounded; used for imputed values."""
    if column.kind == "date":
        return _column_from_values(column, _localise(column, np.rint(numbers * DAY).astype(np.int64)))
    return _column_from_values(column, pd.Index(numbers))


def round_like_source(source: Table, name: str, numbers: Floats) -> Column:
    """Round numbers like the column of the source: within its range, with its decimals or date unit.

    `source` is the table before imputation: the decimals of an imputed mean must not count.
    """
    column = source[name]
    step = source.derive(
        ("step", name), partial(date_unit if column.kind == "date" else count_decimals, column)
    )
    if column.kind == "date":
        return _round_dates(column, int(step or 1), numbers)
    domain = column.numbers()
    numbers = np.clip(numbers, domain[0], domain[-1])
    if step is None and len(domain) <= min(MAX_SCALE_VALUES, source.rows // 2):
        # Few repeated values with many decimals: a code or a scale, so only these values are used.
        return replace(column, codes=nearest_index(domain, numbers).astype(np.int32)).drop_unused_values()
    if step is None or np.abs(domain).max() * 10.0**step > MAX_EXACT_INTEGER:
        return _snap_to_originals(column, numbers)
    # Same result as np.round, but as integer multiples of the last decimal, which are faster to factorise.
    steps, codes = _round_to_steps(
        numbers * 10.0**step, *(float(end) * 10**step for end in (domain[0], domain[-1]))
    )
    values = steps if _is_whole(column) else (steps / 10**step).astype(float_type(column))
    return Column(name, column.kind, pd.Index(values), codes)


def count_decimals(column: Column) -> int | None:
    """Count the decimals of a column of numbers; None if more than MAX_DECIMALS."""
    if _is_whole(column):
        return 0
    own: Floats = column.values.to_numpy(dtype=float_type(column))
    return next((few for few in range(MAX_DECIMALS + 1) if (np.round(own, few) == own).all()), None)


def date_unit(column: Column) -> int:
    """Return the coarsest unit (day to microsecond) that all dates fit, in microseconds."""
    clock = _wall_clock(column)
    return next(unit for unit in _UNITS if (clock % unit == 0).all())


def nearest_index(domain: Floats, numbers: Floats) -> Ints:
    """Return the index of the nearest value in a sorted domain."""
    if len(domain) < 2:
        return np.zeros(len(numbers), dtype=np.int64)
    right = np.clip(np.searchsorted(domain, numbers), 1, len(domain) - 1)
    return np.where(numbers - domain[right - 1] < domain[right] - numbers, right - 1, right)


def constant_column(column: Column, rows: int) -> Column:
    """Return a constant column with the median value, or missing if there is none."""
    known = column.codes[column.codes != MISSING]
    middle = int(np.median(known)) if len(known) else MISSING
    return replace(column, codes=np.full(rows, middle, dtype=np.int32)).drop_unused_values()


def convert_time_zone(reference: Column, column: Column) -> Column:
    """Convert dates to the time zone of `reference`; the local time is kept if only one has a zone."""
    zone, stamps = pd.DatetimeIndex(reference.values).tz, pd.DatetimeIndex(column.values)
    both = zone is not None and stamps.tz is not None
    code, distinct = pd.factorize(
        stamps.tz_convert(zone) if both else _localise(reference, _wall_clock(column)), sort=True
    )
    return Column(column.name, column.kind, pd.Index(distinct), np.append(code, MISSING)[column.codes])


def _round_dates(column: Column, unit: int, numbers: Floats) -> Column:
    """Round numbers of days to dates in the unit and range of the column."""
    clock = _wall_clock(column)  # not sorted where clocks are set back
    steps, codes = _round_to_steps(numbers * (DAY / unit), clock.min() / unit, clock.max() / unit)
    stamps = _localise(column, steps * unit)
    if stamps.tz is None:
        return Column(column.name, column.kind, stamps, codes)
    return _column_from_values(column, stamps.take(codes))


def _round_to_steps(numbers: Floats, low: float, high: float) -> tuple[Ints, Ints]:
    """Round to whole steps between `low` and `high`; return the steps that occur and the code of each row."""
    lowest, highest = round(low), round(high)
    steps = np.clip(np.rint(numbers).astype(np.int64), lowest, highest)
    occurring, codes = renumber(steps - lowest, highest - lowest + 1)
    return occurring + lowest, codes.astype(np.int32)


def _wall_clock(column: Column) -> Ints:
    """Return the distinct dates as microseconds in local time."""
    naive = pd.DatetimeIndex(column.values).tz_localize(None)
    return naive.to_numpy(dtype="datetime64[us]").astype(np.int64)


def _localise(column: Column, clock: Ints) -> pd.DatetimeIndex:
    """Return microseconds in local time as dates of the column; an ambiguous hour is the later one."""
    naive = pd.DatetimeIndex(clock.astype("datetime64[us]"))
    zone = pd.DatetimeIndex(column.values).tz
    if zone is None:
        return naive
    return naive.tz_localize(zone, ambiguous=np.zeros(len(naive), dtype=bool), nonexistent="shift_forward")


def _snap_to_originals(column: Column, numbers: Floats) -> Column:
    """Replace numbers that differ from an original one by rounding only, so that copies are recognised."""
    domain = column.numbers()
    nearest = nearest_index(domain, numbers)
    is_original = np.abs(domain[nearest] - numbers) <= 1e-9 * (domain[-1] - domain[0])
    if _is_whole(column):
        lowest, highest = int(column.values[0]), int(column.values[-1])
        # Python integers: past 2^53 a float may round beyond the column's range, and numpy would wrap around.
        exact = [min(max(int(number), lowest), highest) for number in np.rint(numbers).tolist()]
        values: Any = np.array(exact, dtype=np.uint64 if highest >= 2**63 else np.int64)
    else:
        values = numbers.astype(float_type(column))
    values[is_original] = column.values.to_numpy(dtype=values.dtype)[nearest[is_original]]
    return _column_from_values(column, pd.Index(values))


def _column_from_values(column: Column, values: AnyIndex) -> Column:
    """Factorise values into a column with the name and kind of another."""
    codes, distinct = pd.factorize(values, sort=True)
    return Column(column.name, column.kind, pd.Index(distinct), codes.astype(np.int32))


def _is_whole(column: Column) -> bool:
    return pd.api.types.is_integer_dtype(column.values.dtype)


def float_type(column: Column) -> type[np.float32] | type[np.float64]:
    """Return the float type of a column: 0.1 in float32 has one decimal only when read as float32."""
    return np.float32 if str(column.values.dtype).lower() == "float32" else np.float64
