"""Reading and writing tables: CSV, TSV, zip and gz of them, Parquet; French files (; and 1,5) too."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

from insanonym_core.errors import LINES_SHOWN, DataError, Problem, UsageError
from insanonym_core.output import writing
from insanonym_core.sources import Source, check_unpacked_size, refuse_other_encodings, source_of
from insanonym_core.tabular.table import Table

_SEPARATORS = (",", ";", "\t", "|")
_NO_NUMBER = ["", "NA", "N/A", "NaN", "nan", "NULL", "null"]
_SAMPLE = 1 << 16
_MOST_BROKEN_LINES = 100_000


def read_table(path: Path | str, *, separator: str | None = None, decimal: str = ".") -> Table:
    """A table with typed columns; an empty cell is a missing value."""
    return Table.from_frame(read_frame(path, separator=separator, decimal=decimal))


def read_frame(path: Path | str, *, separator: str | None = None, decimal: str = ".") -> pd.DataFrame:
    """The same as a pandas frame."""
    if decimal not in (".", ","):
        raise UsageError(f"The decimal mark must be . or , got {decimal!r}.")
    source = source_of(Path(path))
    table = _parquet(source) if source.parquet else _text(source, separator, decimal)
    if table.num_rows == 0:
        raise DataError(f"{source.name} has no rows: give a table with a header and at least one row.")
    return _frame(table)


def _parquet(source: Source) -> pa.Table:
    try:
        with source.open() as file:
            opened = parquet.ParquetFile(file)
            groups = range(opened.metadata.num_row_groups)
            check_unpacked_size(
                source.name, sum(opened.metadata.row_group(g).total_byte_size for g in groups)
            )
            _check_header(source.name, opened.schema_arrow.names)
            return opened.read()
    except (pa.ArrowException, OSError):
        raise DataError(f"{source.name} is a damaged Parquet file: write it again.") from None


def _text(source: Source, separator: str | None, decimal: str) -> pa.Table:
    with source.open() as file:
        start = file.read(_SAMPLE)
    if not start.strip():
        raise DataError(f"{source.name} is empty: give a table with a header and at least one row.")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(f"{source.name} is UTF-16 text: save it as UTF-8.")
    if b"\x00" in start:
        raise DataError(f"{source.name} is not text: give CSV, TSV, a zip or gz of them, or Parquet.")
    header_line = start.decode("utf-8-sig", errors="replace").splitlines()[0]
    mark = separator or max(_SEPARATORS, key=header_line.count)
    if len(mark) != 1:
        raise UsageError(f"The separator must be a single character, got {mark!r}.")
    names = next(csv.reader([header_line], delimiter=mark))
    _check_header(source.name, names)
    try:
        table = _parse(source, names, mark, decimal)
    except pa.ArrowInvalid:
        refuse_other_encodings(source)
        raise DataError(_why_unreadable(source, names, mark, decimal)) from None
    if any(pa.types.is_binary(kind) for kind in table.schema.types):  # Arrow's way to say: not UTF-8
        refuse_other_encodings(source)
    return table


def _parse(
    source: Source,
    names: Sequence[str],
    mark: str,
    decimal: str,
    broken_line: Callable[[Any], str] | None = None,
) -> pa.Table:
    with source.open() as file:
        return arrow_csv.read_csv(
            file,
            # Line numbers are only known to a reader with a single thread.
            arrow_csv.ReadOptions(column_names=names, skip_rows=1, use_threads=broken_line is None),
            arrow_csv.ParseOptions(delimiter=mark, newlines_in_values=True, invalid_row_handler=broken_line),
            arrow_csv.ConvertOptions(
                null_values=_NO_NUMBER, strings_can_be_null=False, decimal_point=decimal
            ),
        )


def _why_unreadable(source: Source, names: Sequence[str], mark: str, decimal: str) -> str:
    broken: list[int] = []

    def remember(row: Any) -> str:
        broken.append(row.number)
        return "skip" if len(broken) < _MOST_BROKEN_LINES else "error"

    why = ""
    try:
        _parse(source, names, mark, decimal, remember)
    except pa.ArrowInvalid as error:
        why = str(error)
    if broken:
        message = f"a line must have the {len(names)} fields of the header; mend it."
        return Problem("columns", message, len(broken), tuple(broken[:LINES_SHOWN]), source.name).sentence()
    if "straddling" in why:
        return f"{source.name} has a line of over a million characters: mend it."
    return f"{source.name} cannot be split into lines and fields: check separator and quotation marks."


def _check_header(name: str, columns: Sequence[str]) -> None:
    blank = [place for place, column in enumerate(columns, start=1) if not column.strip()]
    if blank:
        raise DataError(f"{name}: column {blank[0]} has no name; write one into the first line.")
    twins = (
        sorted({column for column in columns if list(columns).count(column) > 1})
        if len(set(columns)) < len(columns)
        else []
    )
    if twins:
        raise DataError(f"{name} has two columns called {twins[0]!r}: rename one of them.")


def _frame(table: pa.Table) -> pd.DataFrame:
    """pandas columns; whole numbers stay whole beside missing values, an empty text is missing."""
    columns = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_null(column.type):
            columns[name] = pd.Series([None] * len(column), dtype=object)
        elif pa.types.is_integer(column.type) and column.null_count:
            columns[name] = pd.Series(column.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get))
        elif pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
            columns[name] = pd.Series(pd.to_datetime(column.to_pandas()))
        else:
            series = column.to_pandas()
            text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
            columns[name] = series.mask(series == "") if text else series
    return pd.DataFrame(columns)


def write_frame(
    frame: pd.DataFrame,
    path: Path | str,
    *,
    force: bool = False,
    sources: tuple[Path, ...] = (),
    private: bool = False,
) -> None:
    """Write a table as its name says: .parquet, .tsv or .csv; .zip and .gz behind it pack the text."""
    path = Path(path)
    packed = path.suffix.lower() if path.suffix.lower() in (".zip", ".gz") else ""
    inner = path.with_suffix("") if packed else path
    with writing(path, force=force, sources=sources, private=private) as beside:
        if inner.suffix.lower() == ".parquet" and not packed:
            frame.to_parquet(beside, index=False)
            return
        text = io.StringIO()
        frame.to_csv(
            text, index=False, sep="\t" if inner.suffix.lower() == ".tsv" else ",", lineterminator="\n"
        )
        raw = text.getvalue().encode()
        if packed == ".gz":
            beside.write_bytes(gzip.compress(raw, mtime=0))
        elif packed == ".zip":
            with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(inner.name, raw)
        else:
            beside.write_bytes(raw)
