"""Archives: damaged, in layers, odd, or sound ones of spoilt texts."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from random import Random

from tests.fuzz.mutations import (
    TEXT,
    Mutation,
    bit_flipped,
    bytes_inserted,
    piece_lost,
    piece_repeated,
    truncated,
)


def zipped(raw: bytes, how: int = zipfile.ZIP_DEFLATED, level: int | None = None) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how, compresslevel=level) as archive:
        archive.writestr("data.csv", raw)
    return made.getvalue()


def packed_and_spoilt(random: Random, raw: bytes) -> bytes:
    """An archive of any sort, damaged by any means."""
    how = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    made = gzip.compress(raw, mtime=0) if random.random() < 0.4 else zipped(raw, how=how)
    return random.choice((truncated, bit_flipped, bytes_inserted, piece_lost, piece_repeated))(random, made)


def packed_in_layers(random: Random, raw: bytes) -> bytes:
    """Archives in archives, of which only the outermost may be opened."""
    for _ in range(random.choice((1, 2, 2, 3, 20))):
        raw = gzip.compress(raw, mtime=0) if random.random() < 0.3 else zipped(raw)
    return raw


def packed_oddly(random: Random, raw: bytes) -> bytes:
    """Members with strange names, several of them, or one that lies about its size or its method."""
    made = io.BytesIO()
    names = random.choice(
        (["../../evil.csv"], ["/etc/x"], ["a", "b"], ["a", "a"], ["dir/"], [".x"], ["x" * 60_000], ["é"])
    )
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, name in enumerate(names):
            if not number or name not in archive.namelist():
                archive.writestr(name, raw)
    spoilt = bytearray(made.getvalue())
    central = spoilt.find(b"PK\x01\x02")
    if random.random() < 0.6 and central >= 0:
        place, width = random.choice(((8, "H"), (10, "H"), (20, "I"), (24, "I"), (42, "I"), (16, "I")))
        most = 2 ** (8 * struct.calcsize(width)) - 1
        struct.pack_into(
            "<" + width, spoilt, central + place, random.choice((0, 1, 99, most, random.randint(0, most)))
        )
    return bytes(spoilt)


def spoilt_and_packed(random: Random, raw: bytes) -> bytes:
    """Any hostile text, in an archive that is fine."""
    mutation = random.choice([one for name, one in TEXT.items() if name != "huge field"])
    spoilt = mutation(random, raw)
    return gzip.compress(spoilt, mtime=0) if random.random() < 0.5 else zipped(spoilt)


PACKED: dict[str, Mutation] = {
    "packed and spoilt": packed_and_spoilt,
    "packed in layers": packed_in_layers,
    "packed oddly": packed_oddly,
    "spoilt and packed": spoilt_and_packed,
}
