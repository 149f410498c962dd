"""Write mobility files; deleted rows keep nothing but their id."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

from insanonym_core.errors import UsageError
from insanonym_core.io.output import writing
from insanonym_core.io.spreadsheets import defused_row
from insanonym_core.mobility.layout import COLUMNS
from insanonym_core.mobility.track import DELETED_ID, Track
from insanonym_core.reading.style import Style


def write_track(
    track: Track,
    path: Path | str,
    *,
    order: Sequence[str] = (),
    style: Style | None = None,
    force: bool = False,
    sources: tuple[Path, ...] = (),
) -> None:
    """Write a track in the format of the suffix: .parquet, .csv (with a header), else tab-separated without.

    A further suffix `.zip` or `.gz` compresses the text. A deleted row keeps nothing but its id: otherwise
    its date and position would be published. Columns are in `order`, by default that of the file the
    release was made from, so that one --columns fits both. Ids that a spreadsheet would run as formulas are
    defused (see spreadsheets.py) and restored when they are read; -1 and +33612345678 stay as they are.
    With a `style`, a .csv is written with its separator, decimal mark, form of dates and encoding.
    """
    path = Path(path)
    compression = path.suffix.lower() if path.suffix.lower() in (".zip", ".gz") else ""
    inner = path.with_suffix("") if compression else path
    refuse_workbook(path)
    as_parquet = inner.suffix.lower() == ".parquet" and not compression
    if not as_parquet:
        track = track.changed(tokens=tuple(defused_row(track.tokens)))
    table = to_table(track).select(list(order or track.order or COLUMNS))
    with writing(path, force=force, sources=sources) as temporary:
        if as_parquet:
            parquet.write_table(table, temporary)
        elif compression == ".gz":
            with temporary.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
                _write_text(table, file, inner, style)
        elif compression == ".zip":
            with (
                zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive,
                archive.open(inner.name, "w", force_zip64=True) as file,
            ):
                _write_text(table, file, inner, style)
        else:
            with temporary.open("wb") as file:
                _write_text(table, file, inner, style)


def refuse_workbook(path: Path) -> None:
    """Refuse a name by which a workbook is meant: GPS traces are text or Parquet."""
    if path.suffix.lower() in (".xlsx", ".xls", ".ods"):
        raise UsageError(
            "{path}: GPS traces are written as text or Parquet: choose a name that ends in .csv, .tsv or "
            ".parquet.",
            path=path,
        )


def _write_text(table: pa.Table, file: IO[bytes] | gzip.GzipFile, inner: Path, style: Style | None) -> None:
    comma = inner.suffix.lower() == ".csv"
    style = (style or Style()).for_file(".csv" if comma else ".tsv")
    style = style if comma else replace(style, decimal=".", dates={}, encoding="")

    def options(quoting: str) -> arrow_csv.WriteOptions:
        return arrow_csv.WriteOptions(
            include_header=comma, delimiter=style.separator, quoting_style=quoting, quoting_header="none"
        )

    special = pc.any(pc.match_substring_regex(table.column("id").unique(), '[\t,;|"\r\n]')).as_py()
    table = _styled(table, style)
    if style.encoding in ("", "utf-8"):
        arrow_csv.write_csv(table, file, options("needed" if special else "none"))
        return
    raw = io.BytesIO()
    arrow_csv.write_csv(table, raw, options("needed" if special else "none"))
    file.write(style.encoded(raw.getvalue().decode()))


def _styled(table: pa.Table, style: Style) -> pa.Table:
    """The columns with the decimal mark and the form of dates of a style."""
    columns = {name: table.column(name) for name in table.column_names}
    if style.decimal == ",":
        for name in ("latitude", "longitude"):
            columns[name] = pc.replace_substring(columns[name].cast(pa.string()), ".", ",")
    if form := style.dates.get("date"):
        seconds = pc.any(pc.not_equal(pc.second(columns["date"]), 0)).as_py()
        form += ":%S" if seconds and form.endswith("%M") else ""  # a step may have moved times
        columns["date"] = pc.strftime(columns["date"].cast(pa.timestamp("s"), safe=False), form)
    return pa.table(columns)


def to_table(track: Track) -> pa.Table:
    """Arrow table of the published columns; deleted rows have an id only."""
    deleted = ~track.is_kept
    unit = "s" if track.resolution == 1 else "us"
    codes = np.where(deleted, len(track.tokens), track.token)
    ids = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array([*track.tokens, DELETED_ID]))
    return pa.table(
        {
            "id": ids.cast(pa.string()),
            "date": pa.array(track.time, pa.int64(), mask=deleted).cast(pa.timestamp(unit)),
            "latitude": pa.array(track.latitude, pa.float64(), mask=deleted),
            "longitude": pa.array(track.longitude, pa.float64(), mask=deleted),
        }
    )
