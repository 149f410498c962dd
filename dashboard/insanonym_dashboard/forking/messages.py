"""Messages between the server and the parent of its kernels: a length, JSON, and perhaps a socket."""

from __future__ import annotations

import json
import os
import socket
from typing import Any

_LENGTH = 4  # bytes
_MAX_BYTES = 16 * 1024**2  # a message holds the environment of a kernel and little else

READY = b"r"
"""Sent by a kernel on its own socket once it listens; the parent adds its exit code when it has ended."""


def send(channel: socket.socket, message: dict[str, Any], *handed_over: socket.socket) -> None:
    """Send a message; the receiver gets copies of the sockets in `handed_over`."""
    text = json.dumps(message).encode()
    whole = len(text).to_bytes(_LENGTH) + text
    sent = socket.send_fds(channel, [whole], [one.fileno() for one in handed_over])
    channel.sendall(whole[sent:])


def receive(channel: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    """The next message and the file descriptors that came with it; None once the other side is gone."""
    found: list[int] = []
    try:
        head = _read(channel, _LENGTH, found)
        length = int.from_bytes(head)
        text = _read(channel, length, found) if head and length <= _MAX_BYTES else b""
        return (json.loads(text) if text else None), found
    except OSError:
        for one in found:
            os.close(one)
        raise


def _read(channel: socket.socket, size: int, found: list[int]) -> bytes:
    """Exactly so many bytes; nothing once the other side is gone."""
    read = b""
    while len(read) < size:
        part, descriptors, _, _ = socket.recv_fds(channel, size - len(read), 1)
        found += descriptors
        if not part:
            return b""
        read += part
    return read
