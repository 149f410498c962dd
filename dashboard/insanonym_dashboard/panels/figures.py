"""The figures of a tab: only those of the open page are drawn, each for the size of its tile."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from insanonym_core.experiment import Report
from insanonym_core.figures import SCREEN, Size
from insanonym_core.texts import say
from insanonym_dashboard.panels.drawers import ComputedDrawer, Drawer
from insanonym_dashboard.panels.reference import Reference
from insanonym_dashboard.plot import Plot
from insanonym_dashboard.state import TabState

FIRST = Size(560, 280, tile=True)
"""Size of a tile until the page has reported the real one."""
_MIN_CHANGE = 8  # pixels


class Figures:
    """`pages` are the tiles by page and title: drawers of figures, or names of methods that make other tiles.

    A drawer that needs more than the report holds has `compute(report, job)`, which is run on the worker's
    thread, and draws only from what that gave: `draw(report, computed, lang, size)`.
    """

    pages: Mapping[str, Mapping[str, Drawer | ComputedDrawer | str]] = {}

    def __init__(self, state: TabState, lang: str) -> None:
        self.state, self.lang = state, lang
        first = next(iter(self.pages))
        self.page = state.view.get("page", first)
        self.page = self.page if self.page in self.pages else first
        self.plots = {
            name: Plot(label=self.say(name))
            for figures in self.pages.values()
            for name, drawer in figures.items()
            if not isinstance(drawer, str)
        }
        self.reference = Reference(state, lang, self._draw)
        self._computing: tuple[str, Report] | None = None  # the figure whose numbers are under way
        self._computed: dict[str, tuple[Report, Any]] = {}  # by figure: of which report, and what was found
        self._drawn_of: dict[str, str] = {}  # the data that each figure shows
        for name, plot in self.plots.items():
            plot.observe(self._resized, ["width", "height"])
            plot.exporter = lambda name=name: self._exported(name)

    def say(self, text: str, **values: object) -> str:
        """A text in the language of the page."""
        return say(text, self.lang, **values)

    def _figures(self) -> list[str]:
        """The figures of the open page."""
        return [name for name, drawer in self.pages[self.page].items() if not isinstance(drawer, str)]

    def _drawer(self, name: str) -> Drawer | ComputedDrawer:
        found = next(figures[name] for figures in self.pages.values() if name in figures)
        if isinstance(found, str):
            raise KeyError(name)
        return found

    def _draw(self, but: Collection[str] = ()) -> None:
        report = self.state.report
        if report is None:
            return
        for name in self._figures():
            if name not in but:
                self._draw_one(name, report)

    def _draw_one(self, name: str, report: Report, *, whole: bool = True) -> bool:
        """Draw one figure for the size of its tile.

        What a part of a report does not hold is left as it is (False); what a whole one does not hold is not
        measured for this data and these steps, and the figure of other data must not stay.
        """
        drawer, plot = self._drawer(name), self.plots[name]
        size = Size(plot.width, plot.height or FIRST.height, tile=True) if plot.width else FIRST
        if isinstance(drawer, ComputedDrawer):
            known, computed = self._computed.get(name, (None, None))
            if known is not report:
                if whole:
                    self._compute(name, report, drawer, size)
                return False
            figure = drawer.draw(report, computed, self.lang, size)
        else:
            more = self._compared() if getattr(drawer, "compares", False) else {}
            figure = drawer(report, self.lang, size, **more)
        if figure is None and whole:
            figure = self._empty(name, self.say("Not measured for this data and these steps."), size)
        if figure is not None:
            plot.show(figure, of=self.state.data_name)
            self._drawn_of[name] = self.state.data_name
        return figure is not None

    def _compared(self) -> dict[str, Any]:
        """Values that figures are compared with: previous setting, pinned settings, and chosen reference."""
        pinned = {letter: visit.values for letter, visit in self.state.trail.pinned.items()}
        return {"previous": self.state.previous, "pinned": pinned, "reference": self.reference.found}

    def _exported(self, name: str) -> Any:
        """The figure with its title and recipe, to be saved; None where it is not drawn from the report."""
        drawer, report = self._drawer(name), self.state.report
        if report is None:
            return None
        if isinstance(drawer, ComputedDrawer):
            known, computed = self._computed.get(name, (None, None))
            return drawer.draw(report, computed, self.lang, SCREEN) if known is report else None
        more = {"reference": self.reference.found} if getattr(drawer, "compares", False) else {}
        return drawer(report, self.lang, SCREEN, **more)

    def _empty(self, name: str, why: str, size: Size) -> Any:
        from insanonym_core.figures.sheet import Sheet

        return Sheet(self.say(name), lang=self.lang, size=size).message_figure(why)

    def _compute(self, name: str, report: Report, drawer: ComputedDrawer, size: Size) -> None:
        """Compute the numbers of a figure on the worker's thread, then draw it.

        Until then the last figure stays if it is of the same data; it says which settings it shows.
        """
        if self._computing == (name, report) and not self.state.figures.idle:
            return
        self._computing = name, report
        if self._drawn_of.get(name) != self.state.data_name:
            waiting = self.say("Computing: {part}", part=self.say(name))
            self.plots[name].show(self._empty(name, waiting, size), of=self.state.data_name)

        def done(found: Any, error: Exception | None) -> None:
            if error is not None:
                self.state.fail(error)
                return
            self._computed = {name: (report, found)}  # older reports are not held
            self._computing = None
            if report is self.state.report and name in self.pages[self.page]:
                self._draw_one(name, report)

        self.state.figures.submit(lambda job: drawer.compute(report, job), done, name)

    def save_figures(self, kind: str) -> list[str]:
        """Save the visible figures through the page; return the names of those that are not saved.

        In these single people may be seen: each has a button of its own, for who means just that one.
        """
        kept_back = [name for name in self._figures() if self.plots[name].shows_individuals]
        for name in self._figures():
            if name not in kept_back:
                self.plots[name].save(kind)
        return kept_back

    def _resized(self, change: Mapping[str, Any]) -> None:
        name = next(name for name, plot in self.plots.items() if plot is change["owner"])
        report = self.state.report
        moved = abs(change["new"] - (change["old"] or 0)) > _MIN_CHANGE
        if report is not None and moved and change["new"] and name in self.pages[self.page]:
            self._draw_one(name, report)
