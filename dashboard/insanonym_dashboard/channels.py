"""What a kernel says to its page, on either of Jupyter's two wire protocols.

voilà keeps back one kind of message, which holds the source of the page. It reads every binary message as one
of the newer protocol; but a page whose first connection fails, as in a full room, comes back with the older
one, whose first bytes then stand for endlessly many parts: the server counts them until its memory ends.
"""

from __future__ import annotations

import json
from typing import Any

from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
from tornado.web import HTTPError

_NEWER = "v1.kernel.websocket.jupyter.org"
_SOURCE = "execute_input"


class ChannelsHandler(KernelWebsocketHandler):
    """The web socket of a page."""

    def select_subprotocol(self, subprotocols: list[str]) -> Any:
        """Asked for once the kernel has answered; the page may have given up waiting by then."""
        if self.connection is None:
            raise HTTPError(410)
        return super().select_subprotocol(subprotocols)  # type: ignore[no-untyped-call]

    async def open(self, kernel_id: str) -> None:
        """The page listens. Each message leaves at once.

        A slider sends its next value when the kernel has said that it is done with the last one; by default
        those few bytes wait until the browser has confirmed the figure before them, which takes it 40 ms.
        """
        self.set_nodelay(True)
        await super().open(kernel_id)  # type: ignore[no-untyped-call]

    def write_error(self, status_code: int, **details: Any) -> None:
        """No page: nobody reads it."""
        self.finish()

    def write_message(self, message: bytes | str | dict[str, Any], binary: bool = False) -> Any:
        """Everything but the source of the page."""
        if is_source(message, newer=self.selected_subprotocol == _NEWER):
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
