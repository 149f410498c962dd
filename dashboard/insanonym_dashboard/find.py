"""“Find the best…”: a search for each tab, and its form above the tiles while it is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from insanonym_core.figures.trail_points import Background
from insanonym_core.runtime.store import Store
from insanonym_dashboard.searching import Searching
from insanonym_dashboard.state import TabState


class Find:
    """The searches by tab. `panel_of` gives the panel of a tab, if its widgets are there."""

    def __init__(
        self, state_of: Callable[[str], TabState], panel_of: Callable[[str], Any], store: Store
    ) -> None:
        self._state_of, self._panel_of, self._store = state_of, panel_of, store
        self.searches: dict[str, Searching] = {}
        self._forms: dict[str, Any] = {}

    def _search(self, tab: str) -> Searching:
        if tab not in self.searches:
            searching = self.searches[tab] = Searching(self._state_of(tab), self._store)
            searching.observe(lambda _: self._redraw(tab), ["tried", "tuned"])
        return self.searches[tab]

    def _redraw(self, tab: str) -> None:
        panel = self._panel_of(tab)
        if panel is not None:
            panel.plane.draw()

    def toggle(self, tab: str, lang: str) -> None:
        """Open the form of a tab, or close it."""
        searching = self._search(tab)
        searching.opened = not searching.opened
        self.attach(tab, lang)

    def attach(self, tab: str, lang: str) -> None:
        """Show what a panel should show of its search: the form if it is open, clicks on the plane."""
        panel = self._panel_of(tab)
        self.detach(tab)
        if panel is None or tab not in self.searches:
            return
        searching = self.searches[tab]
        panel.plane.on_found = searching.take
        if searching.opened:
            from insanonym_dashboard.panels.search_form import SearchForm

            form = self._forms[tab] = SearchForm(searching, lang, lambda: self.toggle(tab, lang))
            panel.overlay.children = [form.root]

    def detach(self, tab: str) -> None:
        """Take the form off the page; the search goes on."""
        form = self._forms.pop(tab, None)
        if form is not None:
            form.close()
            panel = self._panel_of(tab)
            if panel is not None:
                panel.overlay.children = []

    def background(self, tab: str) -> Background | None:
        """The points of the search of a tab; None without any."""
        return self.searches[tab].background() if tab in self.searches else None
