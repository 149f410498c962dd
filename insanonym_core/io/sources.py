"""Open a file in any supported form: plain text, .gz, .zip with one member, Parquet, a workbook, many tracks.

What a file is, its first bytes say, not its name. Unpacking stops at a stated limit, whatever the archive
claims about its size.
"""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from insanonym_core.errors import DataError, UsageError

UNPACK_LIMIT = 4 * 1024**3  # the competition's file unpacks to 1.7 GB
_UNSUSPICIOUS = 256 * 1024**2  # an archive of DEL alone: 34 million deleted rows
_USUAL_TIMES, MAX_RATIO = 5, 100  # data shrinks by five to twenty; a bomb by a thousand
LARGE = 40_000_000  # bytes of text: a million lines, whose reading costs as much as the import of a compiler
_PIECE = 1 << 20  # bytes that are unpacked at once
TRACK_FILES = (".gpx", ".plt", ".geojson")
TEXT_FILES = (".csv", ".tsv", ".txt")
MAX_TRACKS = 20_000
_OLE = b"\xd0\xcf\x11\xe0"  # workbooks of Excel before 2007
_BROKEN_ARCHIVE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
)


@dataclass(frozen=True)
class Source:
    """A file that can be opened again and again; `parquet` and `workbook` tell that it is not text.

    `large` says that reading it takes so long that compiled code is worth loading. `tracks` are the members
    of a zip of GPX or Geolife files, or of texts, each a source of its own; `open` gives the zip then.
    """

    name: str
    open: Callable[[], Any]  # Any: a Python stream or one of pyarrow, which has no types
    parquet: bool = False
    large: bool = False
    workbook: bool = False
    tracks: tuple[Source, ...] = ()

    @property
    def several_texts(self) -> bool:
        """Whether it is a zip of several CSV files or their like: GPS traces of one person each."""
        return bool(self.tracks) and self.tracks[0].name.lower().endswith(TEXT_FILES)

    def open_native(self) -> pa.NativeFile:
        """The file for Arrow's own readers: a stream that has no Python object behind it.

        Arrow reads ahead in threads of its own, with `use_threads=False` too, and they may outlive the call.
        A thread that needs a Python object while Python ends aborts the process. So a file that Arrow
        cannot open by itself is first unpacked into Arrow's memory, within the limits of `open`.
        """
        stream = self.open()
        if isinstance(stream, (pa.OSFile, pa.BufferReader)):
            return stream
        with stream:
            return pa.BufferReader(_arrow_buffer(stream))

    def unpacked(self) -> Source:
        """The same for several passes: a packed file is unpacked once and held in Arrow's memory."""
        with self.open_native() as stream:
            if isinstance(stream, pa.OSFile):
                return self
            buffer = stream.read_buffer()
        return replace(self, open=lambda: pa.BufferReader(buffer))


def _arrow_buffer(stream: IO[bytes]) -> pa.Buffer:
    """All of a Python stream in Arrow's own memory: a buffer over `bytes` needs Python to free it."""
    with pa.BufferOutputStream() as made:
        while piece := stream.read(_PIECE):
            made.write(piece)
        return made.getvalue()


def source_of(path: Path) -> Source:
    """Look at the first bytes and say how to open the file."""
    try:
        if path.is_dir():
            raise UsageError(
                "{path} is a folder: give a file (CSV, TSV, zip, gz, Parquet, Excel, GPX).", path=path
            )
        if path.exists() and not path.is_file():
            raise UsageError("{path} is not a regular file: save the data to one first.", path=path)
        with path.open("rb") as file:
            start = file.read(4)
            file.seek(max(0, path.stat().st_size - 4))
            end = file.read(4)
            size = file.tell()
    except OSError as error:
        raise UsageError(
            "{path} cannot be read ({reason}): check the name.", path=path, reason=error.strerror or error
        ) from None
    opened = _unpacked(path.name, start, end, size, lambda: path)
    # A plain file is Arrow's own: no detour through Python.
    return opened or Source(path.name, lambda: _opened(path), large=size >= LARGE)


def source_of_bytes(name: str, content: bytes) -> Source:
    """The same for a file that is already in memory, such as an upload."""
    opened = _unpacked(name, content[:4], content[-4:], len(content), lambda: io.BytesIO(content))
    return opened or Source(name, lambda: io.BytesIO(content), large=len(content) >= LARGE)


def _unpacked(
    name: str, start: bytes, end: bytes, size: int, raw: Callable[[], Path | io.BytesIO]
) -> Source | None:
    """How to read Parquet, gzip or zip; None for plain text. A path is opened and closed by who reads it."""
    most = unpack_limit(size)
    large = _USUAL_TIMES * size >= LARGE
    if start == end == b"PAR1":
        return Source(name, lambda: _opened(raw()), parquet=True)
    if start[:2] == b"\x1f\x8b":
        return Source(name, lambda: _limited(cast(IO[bytes], gzip.open(raw())), name, most), large=large)
    if start == _OLE:
        return Source(name, lambda: _opened(raw()), workbook=True)
    if start in (b"PK\x03\x04", b"PK\x05\x06"):
        members = _members(name, raw)
        if _is_workbook(members):
            check_unpacked_size(name, sum(one.file_size for one in members), most)
            return Source(name, lambda: _opened(raw()), workbook=True)
        names = [one.filename.lower() for one in members]
        for suffixes in (TRACK_FILES, TEXT_FILES):
            if len(names) > 1 and all(one.endswith(suffixes) for one in names):
                return _tracks(name, raw, members, most)
        member = _only_member(name, members, most)
        return Source(name, lambda: _limited(_open_member(name, raw, member), name, most), large=large)
    return None


def unpack_limit(size: int) -> int:
    """How many bytes a packed file of `size` bytes may unpack to, when it is read as a whole."""
    return min(UNPACK_LIMIT, max(_UNSUSPICIOUS, MAX_RATIO * size))


def _is_clutter(name: str) -> bool:
    """Whether a member of an archive is metadata that macOS adds."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith(".")


def _opened(raw: Path | io.BytesIO) -> Any:  # Any: pyarrow has no types
    return pa.OSFile(str(raw)) if isinstance(raw, Path) else raw


def _open_member(name: str, raw: Callable[[], Path | io.BytesIO], member: str) -> IO[bytes]:
    try:
        with zipfile.ZipFile(raw()) as archive:
            return archive.open(member)  # the archive's file is closed together with its last member
    except _BROKEN_ARCHIVE:
        raise DataError(
            "{file} is packed in a way that is not supported: pack it again as zip.", file=name
        ) from None


def _members(name: str, raw: Callable[[], Path | io.BytesIO]) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(raw()) as archive:
            return [one for one in archive.infolist() if not one.is_dir() and not _is_clutter(one.filename)]
    except _BROKEN_ARCHIVE:
        raise DataError("{file} is a damaged zip file: make or download it again.", file=name) from None


def _is_workbook(members: list[zipfile.ZipInfo]) -> bool:
    """Whether a zip is a workbook of Excel or LibreOffice."""
    names = {one.filename for one in members}
    return "[Content_Types].xml" in names or {"mimetype", "content.xml"} <= names


def _only_member(name: str, members: list[zipfile.ZipInfo], most: int) -> str:
    if len(members) != 1:
        raise several_error(name, len(members))
    _refuse_password(name, members)
    check_unpacked_size(name, members[0].file_size, most)
    return members[0].filename


def several_error(name: str, members: int) -> DataError:
    """What is said of a zip of several files where one is read."""
    return DataError(
        "{file} must hold exactly one file and holds {members:,}: put the file you mean alone into a zip.",
        file=name,
        members=members,
    )


def _refuse_password(name: str, members: list[zipfile.ZipInfo]) -> None:
    if any(member.flag_bits & 1 for member in members):
        raise DataError("{file} is protected by a password: unpack it first.", file=name)


def _tracks(
    name: str, raw: Callable[[], Path | io.BytesIO], members: list[zipfile.ZipInfo], most: int
) -> Source:
    """A zip of many tracks: each member is opened by itself, and nothing is written to the disk."""
    if len(members) > MAX_TRACKS:
        raise DataError(
            "{file} holds {members:,} files, more than {most:,}: put fewer into one zip.",
            file=name,
            members=len(members),
            most=MAX_TRACKS,
        )
    _refuse_password(name, members)
    check_unpacked_size(name, sum(one.file_size for one in members), most)
    tracks = tuple(
        # What a member claims to hold is not trusted: it may unpack to no more than that.
        Source(
            one.filename,
            lambda one=one: _limited(_open_member(name, raw, one.filename), name, one.file_size),  # type: ignore[misc]
        )
        for one in members
    )
    return Source(name, lambda: _opened(raw()), tracks=tracks)


class TooLargeError(DataError):
    """A packed file, or a Parquet file, unpacks to more than it may."""


def check_unpacked_size(name: str, size: int, most: int) -> None:
    """Refuse what unpacks past the limit."""
    if size > most:
        raise TooLargeError(
            "{file} unpacks to more than {most:.3g} GB, the limit for a packed file of its size: "
            "unpack it yourself if you trust it, and give it as plain text.",
            file=name,
            most=most / 1024**3,
        )


class _LimitedReader(io.RawIOBase):
    """Raises an error once more than the limit was read; the size declared in an archive is not trusted."""

    def __init__(self, stream: IO[bytes], name: str, most: int) -> None:
        super().__init__()
        self._stream, self._name, self._most, self._read = stream, name, most, 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:  # Any: what is writable; collections.abc.Buffer is of Python 3.12
        """Fill the buffer from the stream."""
        try:
            piece = self._stream.read(len(buffer))
        except _BROKEN_ARCHIVE:
            raise DataError(
                "{file} is a damaged or unsupported archive: make or download it again.", file=self._name
            ) from None
        self._read += len(piece)
        check_unpacked_size(self._name, self._read, self._most)
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the stream as well."""
        self._stream.close()
        super().close()


def _limited(stream: IO[bytes], name: str, most: int) -> IO[bytes]:
    return io.BufferedReader(_LimitedReader(stream, name, most), buffer_size=_PIECE)
