"""The two tables of a bucketised release: in a folder, or in a zip."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pandas as pd

from insanonym_core.errors import UsageError
from insanonym_core.io.output import check_writable, writing
from insanonym_core.reading.style import labels_of
from insanonym_core.tabular.files import frame_as_text, write_frames
from insanonym_core.tabular.release import TableRelease

FIRST, SECOND = "quasi_identifiers.csv", "sensitive.csv"
_ONE_TABLE = (".csv", ".tsv", ".txt", ".parquet", ".xlsx", ".gz")


def published_tables(release: TableRelease) -> dict[str, pd.DataFrame]:
    """Return the two published tables by file name."""
    return {FIRST: release.published.frame(), SECOND: release.extra["sensitive"]}


def release_labels(release: TableRelease) -> dict[str, str]:
    """The generalised columns of numbers and dates, whose intervals are texts."""
    kinds = {name: column.kind for name, column in release.original.columns.items()}
    return labels_of(kinds, [*getattr(release, "generalised", ()), *getattr(release, "coarser", ())])


def check_two_tables(path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()) -> None:
    """Check before a run that the two tables can be written: a folder or a .zip is needed."""
    if path.suffix.lower() == ".zip":
        check_writable(path, force=force, sources=sources)
        return
    if path.exists() and not path.is_dir():
        raise UsageError("{path} is a file: give a folder or a .zip for the two tables.", path=path)
    if path.suffix.lower() in _ONE_TABLE and not path.exists():
        raise UsageError(
            "bucketise publishes two tables: give a folder or a .zip for them, not a {suffix}.",
            suffix=path.suffix,
        )
    if not path.exists() and not path.parent.is_dir():
        raise UsageError(
            "{path}: the folder {parent} does not exist; create it first.", path=path, parent=path.parent
        )
    if path.exists():
        for name in (FIRST, SECOND):
            check_writable(path / name, force=force, sources=sources)


def write_two_tables(
    release: TableRelease, path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()
) -> None:
    """Write both tables, or none of them."""
    check_two_tables(path, force=force, sources=sources)
    frames, style, labels = published_tables(release), release.original.style, release_labels(release)
    if path.suffix.lower() == ".zip":
        with (
            writing(path, force=force, sources=sources) as temporary,
            zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for name, frame in frames.items():
                archive.writestr(name, frame_as_text(frame, style.for_file(".csv"), labels))
        return
    is_new_folder = not path.exists()
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(
            "{path} cannot be created ({reason}): choose another place.", path=path, reason=error.strerror
        ) from None
    try:
        targets = {path / name: frame for name, frame in frames.items()}
        write_frames(targets, style, labels=labels, force=force, sources=sources)
    except BaseException:
        if is_new_folder:
            path.rmdir()
        raise
