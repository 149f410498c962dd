"""Writing mobility files without giving anything away."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet

from insanonym_core.mobility.layout import COLUMNS
from insanonym_core.mobility.track import DELETED_ID, Track
from insanonym_core.output import writing
from insanonym_core.spreadsheets import defused_row


def write_track(
    track: Track,
    path: Path | str,
    *,
    order: Sequence[str] = (),
    force: bool = False,
    sources: tuple[Path, ...] = (),
) -> None:
    """Write a track as its name says: .parquet, .csv (with a header), else tab-separated without one.

    `.zip` and `.gz` behind it pack the text. A deleted row keeps nothing but its id: real submissions leave
    the date and place there, and so publish what they deleted. Columns stand in `order`; without it in
    that of the file the release was made from, so that one --columns fits both. Ids that a spreadsheet would
    run are defused (see spreadsheets.py); -1 and +33612345678 stay as they are, and all are read back as they
    were.
    """
    path = Path(path)
    packed = path.suffix.lower() if path.suffix.lower() in (".zip", ".gz") else ""
    inner = path.with_suffix("") if packed else path
    as_parquet = inner.suffix.lower() == ".parquet" and not packed
    if not as_parquet:
        track = track.changed(tokens=tuple(defused_row(track.tokens)))
    table = to_table(track).select(list(order or track.order or COLUMNS))
    with writing(path, force=force, sources=sources) as beside:
        if as_parquet:
            parquet.write_table(table, beside)
        elif packed == ".gz":
            with beside.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
                _write_text(table, file, inner)
        elif packed == ".zip":
            with (
                zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as archive,
                archive.open(inner.name, "w", force_zip64=True) as file,
            ):
                _write_text(table, file, inner)
        else:
            with beside.open("wb") as file:
                _write_text(table, file, inner)


def _write_text(table: pa.Table, file: IO[bytes] | gzip.GzipFile, inner: Path) -> None:
    comma = inner.suffix.lower() == ".csv"

    def options(quoting: str) -> arrow_csv.WriteOptions:
        return arrow_csv.WriteOptions(
            include_header=comma,
            delimiter="," if comma else "\t",
            quoting_style=quoting,
            quoting_header="none",
        )

    special = pc.any(pc.match_substring_regex(table.column("id").unique(), '[\t,"\r\n]')).as_py()
    arrow_csv.write_csv(table, file, options("needed" if special else "none"))


def to_table(track: Track) -> pa.Table:
    """The published columns as an Arrow table; the other fields of deleted rows are empty."""
    gone = ~track.is_kept
    unit = "s" if track.resolution == 1 else "us"
    codes = np.where(gone, len(track.tokens), track.token)
    ids = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array([*track.tokens, DELETED_ID]))
    return pa.table(
        {
            "id": ids.cast(pa.string()),
            "date": pa.array(track.time, pa.int64(), mask=gone).cast(pa.timestamp(unit)),
            "latitude": pa.array(track.latitude, pa.float64(), mask=gone),
            "longitude": pa.array(track.longitude, pa.float64(), mask=gone),
        }
    )
