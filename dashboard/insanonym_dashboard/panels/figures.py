"""The figures of a tab: only those of the open page are drawn, each for the width that it has there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from insanonym_core.experiment import Report
from insanonym_core.figures import Size
from insanonym_core.texts import say
from insanonym_dashboard.panels.drawers import ComputedDrawer, Drawer
from insanonym_dashboard.plot import Plot
from insanonym_dashboard.state import TabState

_NOTICED = 8  # pixels


class Figures:
    """`pages` are the figures by page, each with its size.

    A drawer that needs more than the report holds has `compute(report, job)`, which is run on the worker's
    thread, and draws only from what that gave: `draw(report, computed, lang, size)`.
    """

    pages: Mapping[str, Mapping[str, tuple[Drawer | ComputedDrawer, Size]]] = {}

    def __init__(self, state: TabState, lang: str) -> None:
        self.state, self.lang = state, lang
        self.page = state.view.get("page", next(iter(self.pages)))
        self.plots = {name: Plot(label=self.say(name)) for figures in self.pages.values() for name in figures}
        self._computing: tuple[str, Report] | None = None  # the figure whose numbers are under way
        self._computed: dict[str, tuple[Report, Any]] = {}  # by figure: of which report, and what was found
        self._drawn_of: dict[str, str] = {}  # the data that each figure shows
        for plot in self.plots.values():
            plot.observe(self._resized, "width")

    def say(self, text: str, **values: object) -> str:
        """A text in the language of the page."""
        return say(text, self.lang, **values)

    def _draw(self, but: Collection[str] = ()) -> None:
        report = self.state.report
        if report is None:
            return
        for name in self.pages[self.page]:
            if name not in but:
                self._draw_one(name, report)

    def _draw_one(self, name: str, report: Report, *, whole: bool = True) -> bool:
        """One figure, drawn for the width that it has on the page: nothing is squeezed or cut.

        What a part of a report does not hold is left as it is (False); what a whole one does not hold is not
        measured for this data and these steps, and the figure of other data must not stay.
        """
        drawer, size = self.pages[self.page][name]
        plot = self.plots[name]
        wide = Size(plot.width, size.height) if plot.width else size
        if isinstance(drawer, ComputedDrawer):
            known, computed = self._computed.get(name, (None, None))
            if known is not report:
                if whole:
                    self._compute(name, report, drawer, wide)
                return False
            figure = drawer.draw(report, computed, self.lang, wide)
        else:
            more = {"previous": self.state.previous} if getattr(drawer, "compares", False) else {}
            figure = drawer(report, self.lang, wide, **more)
        if figure is None and whole:
            figure = self._empty(name, self.say("Not measured for this data and these steps."), wide)
        if figure is not None:
            plot.show(figure, of=self.state.data_name)
            self._drawn_of[name] = self.state.data_name
        return figure is not None

    def _empty(self, name: str, why: str, size: Size) -> Any:
        from insanonym_core.figures.sheet import Sheet

        return Sheet(self.say(name), lang=self.lang, size=Size(size.width, 200)).message_figure(why)

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
        """Have the page save the figures that are to be seen; the names of those that are kept back.

        In these single people may be seen: each has a button of its own, for who means just that one.
        """
        kept_back = [name for name in self.pages[self.page] if self.plots[name].shows_individuals]
        for name in self.pages[self.page]:
            if name not in kept_back:
                self.plots[name].save(kind)
        return kept_back

    def _resized(self, change: Mapping[str, Any]) -> None:
        names = [name for name, plot in self.plots.items() if plot is change["owner"]]
        report = self.state.report
        moved = abs(change["new"] - (change["old"] or 0)) > _NOTICED
        if report is not None and moved and change["new"] and names[0] in self.pages[self.page]:
            self._draw_one(names[0], report)
