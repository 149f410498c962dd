"""The encoding of a text file: UTF-8 or UTF-16 if it is, else the likeliest older one, which is told."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import replace

from insanonym_core.errors import DataError
from insanonym_core.io.sources import Source

_SAMPLE = 1 << 16
_PIECE = 1 << 20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
UTF8 = ("utf-8", "utf-8-sig")
_WESTERN = frozenset(
    "àâäáãåæçèéêëìíîïñòóôöõøœùúûüýÿßÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒÙÚÛÜÝŸ«»’‘“”°€£§–—…·•ºª²³µ×½¿¡\u00a0"
)
# £ukasz, Stanis³aw, ŁódŸ: letters of another alphabet, read with the encoding of Windows for Western Europe.
_ODD = re.compile("[^\\W\\d_][²³×½][^\\W\\d_]|[£€§½×][^\\W\\d_]|[a-zß-ÿ][À-ÞŒŸ](?![A-ZÀ-Þ])")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_NON_ASCII = re.compile(rb"[\x80-\xff]+")


class OtherEncodingError(DataError):
    """A file whose beginning is UTF-8 and the rest is not: with `whole`, `as_utf8` finds out more."""


def refuse_other_encodings(source: Source) -> None:
    """Read through a text file and name the first line that is not UTF-8."""
    line, cut = first_other_line(source)
    if not line:
        return
    if cut:
        raise OtherEncodingError(
            "{file}, line {line}: the text ends in the middle of a character; save it as UTF-8.",
            file=source.name,
            line=line,
        )
    raise OtherEncodingError(
        "{file}, line {line}: the text is not UTF-8 (Latin-1 perhaps); save the file as UTF-8.",
        file=source.name,
        line=line,
    )


def as_utf8(source: Source, encoding: str | None = None, *, whole: bool = False) -> tuple[Source, str]:
    """The text of a file in UTF-8, and the name of the encoding that it has.

    Of a large file only the beginning is looked at, unless the `whole` is asked for: a reader that meets a
    byte
    that is no UTF-8 comes back and asks.
    """
    with source.open() as file:
        start: bytes = file.read(_SAMPLE)
    found = _normal(encoding) if encoding else _by_marks(start)
    if found is None and b"\x00" in start:
        raise DataError(
            "{file} is not text: give CSV, TSV, a zip or gz of them, Parquet, Excel or GPX.", file=source.name
        )
    if found is None and not (whole or not source.large):
        found = "utf-8" if _is_utf8_so_far(start) else None
    if found is None:
        found = _decided(source)
    if found in UTF8 and encoding is None:
        return source, found
    return _transcoded(source, found), found


def _normal(name: str) -> str:
    return codecs.lookup(name).name


def _by_marks(start: bytes) -> str | None:
    """The encoding that the first bytes declare, or that zero bytes in every other place betray."""
    for mark, name in _BOMS:
        if start.startswith(mark):
            return name
    even, odd = start[0:2000:2], start[1:2000:2]
    if len(even) > 1 and len(odd) > 1:
        if odd.count(0) > 0.7 * len(odd) and even.count(0) == 0:
            return "utf-16-le"
        if even.count(0) > 0.7 * len(even) and odd.count(0) == 0:
            return "utf-16-be"
    return None


def _is_utf8_so_far(start: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True


def _decided(source: Source) -> str:
    """Read through a file: UTF-8 if all of it is, else what its other bytes look like."""
    line, cut = first_other_line(source)
    if cut:
        raise DataError(
            "{file}, line {line}: the text ends in the middle of a character; save it as UTF-8.",
            file=source.name,
            line=line,
        )
    if not line:
        return "utf-8"
    sample = _other_lines(source)
    regular = sum(map(len, _MULTIBYTE.findall(sample)))
    others = sum(map(len, _NON_ASCII.findall(_MULTIBYTE.sub(b"", sample))))
    found = _legacy(sample) if not _CONTROL.search(sample) and 2 * others > regular else None
    if found is None:
        raise DataError(
            "{file}, line {line}: the text is neither UTF-8 nor in an encoding that can be told; save the "
            "file as UTF-8, or name its encoding (--encoding).",
            file=source.name,
            line=line,
        )
    return found


def first_other_line(source: Source) -> tuple[int, bool]:
    """The first line that is no UTF-8, and whether only its end is missing; 0 if all is UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    with source.open() as file:
        while piece := bytes(file.read(_PIECE)):
            try:
                decoder.decode(piece)
            except UnicodeDecodeError as error:
                # The decoder may have kept back up to three bytes of the piece before.
                return line + piece[: max(0, error.start)].count(b"\n"), False
            line += piece.count(b"\n")
    return (line, True) if decoder.getstate()[0] else (0, False)


def _other_lines(source: Source) -> bytes:
    """The first lines that are not plain ASCII."""
    sample = bytearray()
    with source.open() as file:
        while len(sample) < _SAMPLE and (piece := bytes(file.read(_PIECE))):
            if not piece.isascii():
                sample += b"\n".join(one for one in piece.split(b"\n") if not one.isascii())
    return bytes(sample[:_SAMPLE])


def _legacy(sample: bytes) -> str | None:
    """The likeliest older encoding: that of Windows where only letters and signs of Western Europe come out.

    Guesses from a few letters alone are wrong too often; the encoding of Windows is what offices use.
    """
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        text = "\x81"
    if all(sign.isascii() or sign in _WESTERN for sign in text) and not _ODD.search(text):
        return "cp1252"
    from charset_normalizer import from_bytes  # 30 ms, and hardly ever needed

    best = from_bytes(sample, cp_exclusion=["cp1252", "latin_1", "iso8859_15"]).best()
    return None if best is None else _normal(best.encoding)


def _transcoded(source: Source, encoding: str) -> Source:
    with source.open() as file:
        content = bytes(file.read())
    try:
        text = content.decode(encoding)
    except (UnicodeDecodeError, UnicodeError):
        raise DataError(
            "{file} is not in the encoding {encoding}: name another (--encoding), or save it as UTF-8.",
            file=source.name,
            encoding=encoding,
        ) from None
    raw = text.removeprefix("\ufeff").encode(errors="surrogatepass")
    return replace(source, open=lambda: io.BytesIO(raw))
