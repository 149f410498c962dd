"""Files that people bring: read in this kernel's memory, never written to disk."""

from __future__ import annotations

from typing import Any

from insanonym_core.errors import DataError, UsageError
from insanonym_core.sources import source_of_bytes

LIMIT = 100_000_000


def read_upload(name: str, content: bytes, kind: str) -> Any:
    """The track or table in an uploaded file, or one sentence on what is wrong with it."""
    if len(content) > LIMIT:
        raise UsageError(
            f"{name} has {len(content) / 1e6:.0f} MB and the limit here is {LIMIT / 1e6:.0f} MB: use the "
            "command line for larger files."
        )
    if not content:
        raise DataError(f"{name} is empty: give a file with at least one row.")
    source = source_of_bytes(name, content)
    if kind != "mobility":
        from insanonym_core.tabular.files import read_table

        return read_table(source)
    from insanonym_core.mobility.files import read, refuse

    reading = read(source, original=True)
    refuse(reading.problems)
    if len(reading.track) == 0:
        raise DataError(f"{name} has no rows: give a file with at least one.")
    return reading.track
