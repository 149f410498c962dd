"""Functions that run in the browser: keys, opened tiles, the address, stored trails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets


class Shell(anywidget.AnyWidget):
    """`?tab=avatars&lang=fr&page=…#r=…` is read when the page opens and rewritten when any of it changes."""

    _esm = Path(__file__).parent / "shell.js"

    tab = traitlets.Unicode("").tag(sync=True)
    lang = traitlets.Unicode("").tag(sync=True)
    page = traitlets.Unicode("").tag(sync=True)
    preset = traitlets.Unicode("").tag(sync=True)
    """The recipe that a tab starts from (`?preset=`); only read."""
    fragment = traitlets.Unicode("").tag(sync=True)
    """The recipe of the open tab, packed (links.pack): behind the #, so that it is in no server's log."""
    stored = traitlets.Unicode("").tag(sync=True)
    """What the browser had kept of earlier pages when this one opened."""
    kept = traitlets.Unicode("").tag(sync=True)
    """What the browser keeps from now on."""
    known = traitlets.Bool(False).tag(sync=True)
    """Whether the page has told its address."""
    ready = traitlets.Bool(False).tag(sync=True)
    """Whether the first tab is open: from then on each other one is an entry of the browser's history."""

    def __init__(self, on_event: Callable[[str], None], **values: Any) -> None:
        super().__init__(**values)
        self._on_event = on_event
        self.on_msg(self._handle)

    def _handle(self, _: Any, content: Any, __: Any) -> None:
        event = content.get("event") if isinstance(content, dict) else None
        if isinstance(event, str):
            self._on_event(event)

    def copy(self, text: str) -> None:
        """Copy a text to the clipboard of the browser."""
        self.send({"copy": text})
