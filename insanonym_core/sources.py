"""Opening a file whatever it is wrapped in: plain text, .gz, .zip with one member, or Parquet.

What a file is, its first bytes say, not its name. Unpacking stops at a stated limit, whatever the archive
claims about its size.
"""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from insanonym_core.errors import DataError, UsageError

UNPACK_LIMIT = 4 * 1024**3  # the competition's file unpacks to 1.7 GB
_BROKEN_ARCHIVE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True)
class Source:
    """A file that can be opened again and again; `parquet` tells that it is not text."""

    name: str
    open: Callable[[], Any]
    parquet: bool = False


def source_of(path: Path) -> Source:
    """Look at the first bytes and say how to open the file."""
    try:
        if path.is_dir():
            raise UsageError(f"{path} is a folder: give a file (TSV, CSV, zip, gz or Parquet).")
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is not a regular file: save the data to one first.")
        with path.open("rb") as file:
            start = file.read(4)
            file.seek(max(0, path.stat().st_size - 4))
            end = file.read(4)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror or error}): check the name.") from None
    opened = _unpacked(path.name, start, end, lambda: path)
    # A plain file is Arrow's own: no detour through Python.
    return opened or Source(path.name, lambda: pa.OSFile(str(path)))


def source_of_bytes(name: str, content: bytes) -> Source:
    """The same for a file that is already in memory, such as an upload."""
    opened = _unpacked(name, content[:4], content[-4:], lambda: io.BytesIO(content))
    return opened or Source(name, lambda: io.BytesIO(content))


def _unpacked(name: str, start: bytes, end: bytes, raw: Callable[[], Path | io.BytesIO]) -> Source | None:
    """How to read Parquet, gzip or zip; None for plain text. A path is opened and closed by who reads it."""
    if start == end == b"PAR1":
        return Source(name, lambda: _opened(raw()), parquet=True)
    if start[:2] == b"\x1f\x8b":
        return Source(name, lambda: _limited(gzip.open(raw()), name))
    if start in (b"PK\x03\x04", b"PK\x05\x06"):
        member = _only_member(name, raw)
        return Source(name, lambda: _limited(_open_member(name, raw, member), name))
    return None


def _is_clutter(name: str) -> bool:
    """What a Mac puts into archives besides the files."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith(".")


def _opened(raw: Path | io.BytesIO) -> IO[bytes]:
    return raw.open("rb") if isinstance(raw, Path) else raw


def _open_member(name: str, raw: Callable[[], Path | io.BytesIO], member: str) -> IO[bytes]:
    try:
        return zipfile.ZipFile(raw()).open(member)
    except _BROKEN_ARCHIVE:
        raise DataError(f"{name} is packed in a way that is not supported: pack it again as zip.") from None


def _only_member(name: str, raw: Callable[[], Path | io.BytesIO]) -> str:
    try:
        with zipfile.ZipFile(raw()) as archive:
            members = [
                member
                for member in archive.infolist()
                if not member.is_dir() and not _is_clutter(member.filename)
            ]
    except _BROKEN_ARCHIVE:
        raise DataError(f"{name} is a damaged zip file: make or download it again.") from None
    if len(members) != 1:
        raise DataError(
            f"{name} must hold exactly one file and holds {len(members)}: "
            "put the file you mean alone into a zip."
        )
    if members[0].flag_bits & 1:
        raise DataError(f"{name} is protected by a password: unpack it first.")
    check_unpacked_size(name, members[0].file_size)
    return members[0].filename


def check_unpacked_size(name: str, size: int) -> None:
    """Refuse what unpacks past the limit."""
    if size > UNPACK_LIMIT:
        raise DataError(
            f"{name} unpacks to more than {UNPACK_LIMIT / 1024**3:.3g} GB, the limit for packed files: "
            "unpack it yourself if you trust it, and give it as plain text."
        )


class _LimitedReader(io.RawIOBase):
    """Reads on until the limit is passed: an archive's own word on its size is not trusted."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        super().__init__()
        self._stream, self._name, self._read = stream, name, 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer from the stream."""
        try:
            piece = self._stream.read(len(buffer))
        except _BROKEN_ARCHIVE:
            raise DataError(
                f"{self._name} is a damaged or unsupported archive: make or download it again."
            ) from None
        self._read += len(piece)
        check_unpacked_size(self._name, self._read)
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the stream as well."""
        self._stream.close()
        super().close()


def _limited(stream: Any, name: str) -> IO[bytes]:
    return io.BufferedReader(_LimitedReader(stream, name), buffer_size=1 << 20)


def refuse_other_encodings(source: Source) -> None:
    """Read through a text file and name the first line that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    with source.open() as file:
        while piece := file.read(1 << 20):
            try:
                decoder.decode(piece)
            except UnicodeDecodeError as error:
                # The decoder may have kept back up to three bytes of the piece before.
                line += piece[: max(0, error.start)].count(b"\n")
                raise DataError(
                    f"{source.name}, line {line}: the text is not UTF-8 (Latin-1 perhaps); "
                    "save the file as UTF-8."
                ) from None
            line += piece.count(b"\n")
