"""Ways to spoil workbooks and tracks: inside their zip, in their XML, in the names of the members."""

from __future__ import annotations

import io
import re
import zipfile
from random import Random

from tests.fuzz.mutations import (
    Mutation,
    bit_flipped,
    bytes_inserted,
    nul_bytes,
    other_encodings,
    piece_lost,
    piece_repeated,
    truncated,
)

_BYTES = (truncated, bit_flipped, bytes_inserted, piece_lost, piece_repeated, nul_bytes, other_encodings)
_NAMES = (
    "../../evil.gpx",
    "/etc/x.gpx",
    "C:\\x.gpx",
    "a\x00b.gpx",
    "\u202e.gpx",
    "x" * 60_000 + ".gpx",
    "=1+1.gpx",
)
_ENTITIES = (
    b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
    b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    b'<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
)


def file_spoilt(random: Random, raw: bytes) -> bytes:
    """The whole file, damaged by any means."""
    return random.choice(_BYTES[:-1] if raw.startswith(b"PK") else _BYTES)(random, raw)


def _members(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {one.filename: archive.read(one) for one in archive.infolist()}


def _zipped(members: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def member_spoilt(random: Random, raw: bytes) -> bytes:
    """One member of the zip, damaged by any means, in a zip that is sound."""
    members = _members(raw)
    name = random.choice(sorted(members))
    return _zipped({**members, name: random.choice(_BYTES)(random, members[name] or b"x")})


def member_lost(random: Random, raw: bytes) -> bytes:
    """A member less, or one with a strange name more."""
    members = _members(raw)
    name = random.choice(sorted(members))
    if random.random() < 0.5:
        return _zipped({other: content for other, content in members.items() if other != name})
    return _zipped({**members, random.choice(_NAMES): members[name]})


def member_xml(random: Random, raw: bytes) -> bytes:
    """The XML of one member, changed as XML."""
    members = _members(raw)
    name = random.choice(sorted(members))
    return _zipped({**members, name: xml_spoilt(random, members[name])})


def xml_spoilt(random: Random, raw: bytes) -> bytes:
    """Entities, deep nesting, other values of attributes, elements lost or repeated."""
    kind = random.randrange(5)
    if kind == 0:
        head = raw.find(b"?>") + 2 if raw.startswith(b"<?") else 0
        return (
            raw[:head]
            + random.choice(_ENTITIES)
            + raw[head:].replace(b"</", b"&a;</", random.choice((0, 1, 50)))
        )
    if kind == 1:
        depth = random.choice((10, 1000, 100_000))
        return raw + b"<a>" * depth + b"</a>" * random.choice((0, depth))
    if kind == 2:
        values = (b"XFD1048576", b"1e999", b"-1", b"", b"9" * 400, b"A0", b"\xff", "é".encode())
        found = list(re.finditer(rb'="[^"]*"', raw))
        for match in random.sample(found, min(len(found), 3)):
            raw = raw.replace(match[0], b'="' + random.choice(values) + b'"', 1)
        return raw
    elements = list(re.finditer(rb"<(\w+)[^>]*>[^<]*</\1>", raw))
    if not elements:
        return raw[: len(raw) // 2]
    match = random.choice(elements)
    if kind == 3:
        return raw.replace(match[0], b"")
    return raw.replace(match[0], match[0] * random.choice((2, 1000)), 1)


def json_spoilt(random: Random, raw: bytes) -> bytes:
    """Other values where values stand, of other sorts, too large or nested too deeply."""
    values = (
        b"null",
        b"[]",
        b"{}",
        b"1e999",
        b"NaN",
        b"-91",
        b'"x"',
        b"[" * 100_000,
        b"true",
        b"9" * 400,
        b"",
    )
    found = list(re.finditer(rb'(?<=[:\[ ])("[^"]*"|-?\d[\d.]*)(?=[,\]} ])', raw))
    for match in sorted(random.sample(found, min(len(found), 3)), key=lambda one: -one.start()):
        raw = raw[: match.start()] + random.choice(values) + raw[match.end() :]
    return raw


IN_ZIP: dict[str, Mutation] = {
    "file spoilt": file_spoilt,
    "member spoilt": member_spoilt,
    "member lost or named oddly": member_lost,
    "member's XML": member_xml,
}
GEOJSON: dict[str, Mutation] = {"file spoilt": file_spoilt, "JSON": json_spoilt}
XML: dict[str, Mutation] = {"file spoilt": file_spoilt, "XML": xml_spoilt}
