"""Messages from a kernel to its page, in either of Jupyter's two wire protocols.

voilà keeps back one kind of message, which holds the source of the page. It reads every binary message as one
of the newer protocol; but a page whose first connection fails, as in a full room, comes back with the older
one, whose first bytes then stand for endlessly many parts: the server counts them until its memory ends.
What a page says to its kernel is checked by `messages` first.
"""

from __future__ import annotations

import json
from typing import Any

from tornado.web import HTTPError

from insanonym_dashboard.jupyter_adapter import KernelChannels
from insanonym_dashboard.messages import is_well_formed

_NEWER = "v1.kernel.websocket.jupyter.org"
_SOURCE = "execute_input"
_BAD_PAYLOAD = 1007  # the web socket's code for data that do not fit their type


class ChannelsHandler(KernelChannels):
    """The web socket of a page."""

    def select_subprotocol(self, subprotocols: list[str]) -> Any:
        """Choose the protocol; called once the kernel has answered, when the page may be closed already."""
        if not self.has_kernel:
            raise HTTPError(410)
        return super().select_subprotocol(subprotocols)  # type: ignore[no-untyped-call]

    async def open(self, kernel_id: str) -> None:
        """The page listens. Each message leaves at once.

        A slider sends its next value when the kernel has said that it is done with the last one; by default
        those few bytes wait until the browser has confirmed the figure before them, which takes it 40 ms.
        """
        self.set_nodelay(True)
        await super().open(kernel_id)  # type: ignore[no-untyped-call]

    def on_message(self, message: bytes | str) -> None:
        """Hand a well-formed message to the kernel; any other ends the connection, without a log entry."""
        if not (self.has_kernel and self.has_page):
            return  # closed meanwhile
        if not is_well_formed(message, v1=self.selected_subprotocol == _NEWER):
            self.close(_BAD_PAYLOAD, "not a Jupyter message")
            return
        try:
            super().on_message(message)  # type: ignore[no-untyped-call]
        except (ValueError, TypeError, RecursionError):  # e.g. a date or a character that cannot be packed
            self.close(_BAD_PAYLOAD, "not a Jupyter message")

    def write_error(self, status_code: int, **details: Any) -> None:
        """Send no page: an error of a web socket is not displayed."""
        self.finish()

    def write_message(self, message: bytes | str | dict[str, Any], binary: bool = False) -> Any:
        """Send any message except the source of the page; ignored once the connection is closed."""
        if not self.has_page or is_source(message, newer=self.selected_subprotocol == _NEWER):
            return None
        return super().write_message(message, binary)


def is_source(message: bytes | str | dict[str, Any], *, newer: bool) -> bool:
    """Whether a message tells what a cell holds."""
    if isinstance(message, bytes):
        # In the older protocol only messages with attachments are binary, and a cell has none.
        header = _header_of(message) if newer else {}
    elif isinstance(message, dict):
        header = message.get("header") or {}
    else:
        header = json.loads(message)["header"] if _SOURCE in message else {}
    return bool(header.get("msg_type") == _SOURCE)


def _header_of(message: bytes) -> dict[str, Any]:
    """A message begins with the places of its parts, eight bytes each: number, channel, header, its end …"""
    start, end = (int.from_bytes(message[place : place + 8], "little") for place in (16, 24))
    found: dict[str, Any] = json.loads(message[start:end])
    return found
