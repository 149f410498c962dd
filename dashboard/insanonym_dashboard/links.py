"""A recipe as part of an address: packed, and read back with limits. It never names a file of the server."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import replace

from insanonym_core.errors import UsageError
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import recipe_from_content

MAX_UNPACKED = 100_000  # bytes
BROKEN = "The link holds no recipe that can be read: copy it again from where it came, as a whole."
TOO_LONG = "The link holds more than {limit} bytes and is not read: hand the recipe over as a file."


def pack(recipe: Recipe) -> str:
    """The recipe for an address: compressed JSON in base64url."""
    text = json.dumps(without_file(recipe).complete().plain(), separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(text: str) -> Recipe:
    """The recipe of an address; its data is demonstration data or none: the data that is open."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        reader = zlib.decompressobj()
        content = reader.decompress(packed, MAX_UNPACKED + 1)
        if len(content) > MAX_UNPACKED:
            raise UsageError(TOO_LONG, limit=MAX_UNPACKED)
        if not reader.eof:
            raise UsageError(BROKEN)
        fields = json.loads(content)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise UsageError(BROKEN) from None
    return without_file(recipe_from_content(fields))


def without_file(recipe: Recipe) -> Recipe:
    """The recipe without the name of a file: only demonstration data may be named."""
    demo = recipe.data is not None and recipe.data in recipe.data_kind.demos
    return recipe if demo else replace(recipe, data=None, seed=None, kind=recipe.kind)
