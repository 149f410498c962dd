"""What is going on in a tab: the error, what is computed, and how to cancel it or go back."""

from __future__ import annotations

import html
from collections.abc import Callable

import ipywidgets as widgets

from insanonym_core.texts import say
from insanonym_dashboard import pieces
from insanonym_dashboard.state import TabState


class Status:
    """`banner` is the error; `parts` are the line above the tiles."""

    def __init__(
        self, state: TabState, lang: str, on_cancel: Callable[[], None], on_back: Callable[[], None]
    ) -> None:
        self._state, self._lang = state, lang
        self.banner, self.busy = widgets.HTML(), widgets.HTML()
        hidden = {"display": "none"}
        self.cancel = widgets.Button(description=self._say("Cancel"), layout={**hidden, "width": "auto"})
        self.cancel.on_click(lambda _: on_cancel())
        self.back = widgets.Button(description=self._say("Back to them"), layout={**hidden, "width": "auto"})
        self.back.on_click(lambda _: on_back())
        self.parts = (self.busy, self.cancel, self.back)

    def _say(self, text: str, **values: object) -> str:
        return say(text, self._lang, **values)

    def tell(self) -> None:
        """Show the state as it is now."""
        state = self._state
        busy, stale = state.busy, state.is_stale
        shown = self._say("Shown below: the previous settings, which worked.") if stale and not busy else ""
        self.banner.value = pieces.banner(state.error, self._lang, state.report, shown)
        self.banner.layout.display = "" if self.banner.value else "none"
        said = self._say("Computing: {part}", part=self._say(busy))  # it may name columns
        self.busy.value = f"<p>{html.escape(said)}</p>{self._style(said)}" if busy else ""
        self.cancel.layout.display = "" if busy else "none"
        self.back.layout.display = "" if stale else "none"
        if shown and not state.error:
            self.busy.value = f"<p>{html.escape(shown)}</p>"

    def _style(self, said: str) -> str:
        """What is going on, for the style sheet: it is said on every tile that is dimmed."""
        text = "".join(f"\\{ord(sign):x} " if sign in '"\\<>&\n' else sign for sign in said)
        return f'<style>.insanonym-tab-{self._state.recipe.kind} {{ --insanonym-busy: "{text}" }}</style>'
