"""The plane of a tab: a point for each earlier setting; the point of the current one moves live."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from insanonym_core.experiment import Report
from insanonym_core.figures import Size
from insanonym_core.figures.card import card_of
from insanonym_core.figures.trail import trail_sheet
from insanonym_core.figures.trail_points import FOUND, Background, TrailPoint
from insanonym_core.texts import say
from insanonym_dashboard.plot import Plot
from insanonym_dashboard.state import TabState
from insanonym_dashboard.trail import Visit

FIRST = Size(560, 300, tile=True)
EXPORTED = Size(1000, 640)
EXPLAINED = {
    "Where you are": (
        "Every move leaves a point; click one to go back. Thin curves join points of equal defence "
        "(utility × privacy)."
    )
}
HINTS = {"Where you are": "Every move leaves a point; click one to go back."}
"""What the tile means, by its title, and in fewer words."""


class PlaneTile:
    """`plot` shows the trail of a tab; a click on a point goes back there."""

    def __init__(
        self, state: TabState, lang: str, background: Callable[[], Background | None] = lambda: None
    ) -> None:
        self.state, self.lang, self._background = state, lang, background
        self.on_found: Callable[[int], None] = lambda number: None  # a point of a search was clicked
        self.plot = Plot(label=say("Where you are", lang))
        self.plot.exporter = lambda: self._sheet(EXPORTED).as_dict()
        self._watched = (
            (state.trail, ["visits", "current", "pins"]),
            (state, ["live", "spread"]),
            (self.plot, ["width", "height"]),
        )
        for owner, names in self._watched:
            owner.observe(self._changed, names)
        self.plot.observe(self._clicked, "clicked")
        self.draw()

    def close(self) -> None:
        """Stop following the state."""
        for owner, names in self._watched:
            owner.unobserve(self._changed, names)

    def _changed(self, _: Mapping[str, Any]) -> None:
        self.draw()

    def _clicked(self, change: Mapping[str, Any]) -> None:
        told = change["new"].get("customdata")
        if isinstance(told, list) and len(told) == 3 and told[1] == FOUND and isinstance(told[2], int):
            self.on_found(told[2])
            return
        number = told[1] if isinstance(told, list) and len(told) == 2 else None
        if isinstance(number, int):
            self.state.go_to(self.state.trail.get(number))

    def draw(self) -> None:
        """Draw the plane for the size that it has on the page."""
        size = (
            Size(self.plot.width, self.plot.height or FIRST.height, tile=True) if self.plot.width else FIRST
        )
        self.plot.show(self._sheet(size).as_dict(), of="plane")

    def _sheet(self, size: Size) -> Any:
        state = self.state
        letter_of = {number: letter for letter, number in state.trail.pins.items()}
        points = [self._point(visit, letter_of.get(visit.number, "")) for visit in state.trail.visits]
        return trail_sheet(
            points,
            self._current(state.live),
            at_most=state.live is not None and state.live is not state.report,
            spread=state.spread,
            background=self._background(),
            card=None if state.report is None else card_of(state.report),
            lang=self.lang,
            size=size,
        )

    def _point(self, visit: Visit, letter: str) -> TrailPoint:
        return TrailPoint(
            visit.number,
            visit.parent,
            visit.utility,
            visit.privacy,
            visit.recipe.written(),
            letter,
            visit.hollow,
        )

    def _current(self, live: Report | None) -> TrailPoint | None:
        """Point of the current setting; while attacks are computed, at the privacy of the previous report."""
        if live is None:
            return None
        before = self.state.report
        utility, privacy = live.utility, live.privacy
        if before is not None:
            utility = before.utility if math.isnan(utility) else utility
            privacy = before.privacy if math.isnan(privacy) else privacy
        number, hollow = self.state.trail.current, live.hollow
        if before is not None and not live.headline_of("privacy").beside.keys() <= live.scores.keys():
            hollow = before.hollow
        return TrailPoint(number, -1, utility, privacy, live.recipe.written(), "", hollow)
