"""The structure of a web-socket message from a page, checked before jupyter_server reads it.

jupyter_server trusts the counts and offsets inside a message: eight bytes that announce 2**63 parts keep it
busy until its memory ends, and with it every page. Both of Jupyter's protocols are checked here.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

MAX_PARTS = 1000  # a widget sends a handful of buffers
MAX_HEADER_BYTES = 64 * 1024
CHANNELS = frozenset({"shell", "control", "stdin", "iopub"})
_SECTIONS = ("header", "parent_header", "metadata", "content")


def is_well_formed(message: bytes | str, *, v1: bool) -> bool:
    """Whether a message has the structure of its protocol: `v1`, or the older one without a name."""
    try:
        if v1:
            return isinstance(message, bytes) and _is_v1(message)
        if isinstance(message, bytes):
            return _is_binary(message)
        return _is_message(json.loads(message))
    except (ValueError, RecursionError):  # no JSON, no UTF-8, or nested too deeply
        return False


def _is_v1(message: bytes) -> bool:
    """Count and offsets are little-endian integers of 8 bytes; then channel, four sections, buffers."""
    offsets = _offsets(message, 8, "little")
    # The last offset is the end of the last part: channel and four sections have six.
    if len(offsets) < 2 + len(_SECTIONS):
        return False
    parts = [message[start:end].decode("utf-8") for start, end in pairwise(offsets[:6])]
    if len(parts[1]) > MAX_HEADER_BYTES or parts[0] not in CHANNELS:
        return False
    return _are_sections(dict(zip(_SECTIONS, map(json.loads, parts[1:]), strict=True)))


def _is_binary(message: bytes) -> bool:
    """Count and offsets are big-endian integers of 4 bytes; then the JSON text, and buffers."""
    offsets = _offsets(message, 4, "big")
    if not offsets:
        return False
    end = offsets[1] if len(offsets) > 1 else len(message)
    return _is_message(json.loads(message[offsets[0] : end].decode("utf-8")))


def _offsets(message: bytes, width: int, order: Any) -> list[int]:
    """The offsets at the start of a message; empty when their count or one of them is impossible."""
    if len(message) < width:
        return []
    count = int.from_bytes(message[:width], order)
    first = width * (1 + count)
    if not 1 <= count <= MAX_PARTS or first > len(message):
        return []
    found = [int.from_bytes(message[at : at + width], order) for at in range(width, first, width)]
    in_order = all(one <= other for one, other in pairwise(found))
    return found if in_order and found[0] >= first and found[-1] <= len(message) else []


def _is_message(message: Any) -> bool:
    """Whether a text is one message as a JSON object; messages with buffers are binary."""
    return (
        isinstance(message, dict)
        and message.get("channel") in CHANNELS
        and not message.get("buffers")
        and _are_sections(message)
    )


def _are_sections(message: dict[str, Any]) -> bool:
    sections = [message.get(name) for name in _SECTIONS]
    if not all(isinstance(section, dict) for section in sections):
        return False
    header: Any = sections[0]
    return all(isinstance(header.get(name), str) for name in ("msg_type", "msg_id"))
