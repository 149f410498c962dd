"""Tables that are published together: in a folder, or in a zip."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from insanonym_core.errors import UsageError
from insanonym_core.io.output import check_writable, writing
from insanonym_core.reading.style import Style
from insanonym_core.tabular.files import frame_as_text, write_frames

_ONE_TABLE = (".csv", ".tsv", ".txt", ".parquet", ".xlsx", ".gz")


def check_several(
    names: Iterable[str], path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()
) -> None:
    """Check before a run that tables of these names can be written: a folder or a .zip is needed."""
    if path.suffix.lower() == ".zip":
        check_writable(path, force=force, sources=sources)
        return
    if path.exists() and not path.is_dir():
        raise UsageError("{path} is a file: give a folder or a .zip for the tables.", path=path)
    if path.suffix.lower() in _ONE_TABLE and not path.exists():
        raise UsageError(
            "Several tables are published: give a folder or a .zip for them, not a {suffix}.",
            suffix=path.suffix,
        )
    if not path.exists() and not path.parent.is_dir():
        raise UsageError(
            "{path}: the folder {parent} does not exist; create it first.", path=path, parent=path.parent
        )
    if path.exists():
        for name in names:
            check_writable(path / name, force=force, sources=sources)


def write_several(
    frames: Mapping[str, pd.DataFrame],
    path: Path,
    style: Style | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    force: bool = False,
    sources: tuple[Path, ...] = (),
) -> None:
    """Write tables under their names, all of them or none; `style` and `labels` as in `write_frame`."""
    style = style or Style()
    check_several(frames, path, force=force, sources=sources)
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
