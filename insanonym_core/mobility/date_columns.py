"""Dates of a mobility file in any usual form, decided over the whole column."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import DataError
from insanonym_core.mobility.dates import PATTERN, mask_rows
from insanonym_core.mobility.raw_columns import RawColumns
from insanonym_core.numeric.arrays import Bools
from insanonym_core.reading.dates import dates_of, in_zone
from insanonym_core.reading.options import ReadingOptions

_SAMPLE = 1000


@dataclass(frozen=True, eq=False)
class DateColumn:
    """Dates as texts in the standard form, or as times; `clock` is their zone, where they had an offset.

    `form` is how a release writes them, where that is not the standard form.
    """

    column: pa.ChunkedArray
    clock: str = ""
    form: str = ""


def read_dates(raw: RawColumns, ignored: Bools, options: ReadingOptions) -> DateColumn:
    """The dates of a file; as they are if they have the standard form, or none at all."""
    column = raw.date
    if pa.types.is_timestamp(column.type):
        return _without_zone(column, options)
    said = {options.types.get(name, "") for name in ("date", raw.names.get("date", ""))} - {""}
    order = next((kind.partition(":")[2] for kind in said), "") or None
    if order != "ymd" and _is_standard(column):  # as our releases are, whatever is said of their original
        return DateColumn(column)
    masked = mask_rows(column, ignored)
    chunks = masked.dictionary_encode().chunks
    texts = chunks[-1].dictionary if chunks else pa.array([], pa.string())
    dates = dates_of(pc.utf8_trim_whitespace(texts), order)
    if dates is None or not dates.form.time:
        return DateColumn(column)
    if dates.form.ambiguous:
        raise DataError(
            "{file}: nobody can tell day from month in the dates, because no day is above 12; say "
            "--type date=date:dmy or --type date=date:mdy (types under reading in a recipe).",
            file=raw.name,
        )
    values = in_zone(dates.values, options.zone) if dates.form.zone else dates.values
    read = pa.chunked_array([pc.take(values, chunk.indices) for chunk in chunks], values.type)
    clock = (options.zone or "UTC") if dates.form.zone else ""
    return DateColumn(read, clock, "" if dates.form.order == "ymd" else dates.form.strftime())


def _is_standard(column: pa.ChunkedArray) -> bool:
    """Whether most of the first dates have the standard form, or there are none."""
    some = column.slice(0, 20 * _SAMPLE).drop_null().slice(0, _SAMPLE)
    standard = pc.sum(pc.match_substring_regex(some, PATTERN)).as_py() or 0
    return 2 * standard >= len(some)


def _without_zone(column: pa.ChunkedArray, options: ReadingOptions) -> DateColumn:
    zone = column.type.tz
    if zone is None:
        return DateColumn(column)
    if options.zone:
        zone = options.zone
        column = column.cast(pa.timestamp(column.type.unit, zone))
    return DateColumn(pc.local_timestamp(column), zone)
