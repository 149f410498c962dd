"""What all tabs share: a sidebar with data and steps, a strip of numbers, and a grid of tiles."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

import ipywidgets as widgets

from insanonym_core.experiment import Report
from insanonym_core.figures.trail_points import Background
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.compare import comparison
from insanonym_dashboard.panels.data_card import DataCard
from insanonym_dashboard.panels.drawers import evidence, overview, step_evidence
from insanonym_dashboard.panels.figures import Figures
from insanonym_dashboard.panels.plane import EXPLAINED, HINTS, PlaneTile
from insanonym_dashboard.panels.sidebar import Sidebar
from insanonym_dashboard.panels.status import Status
from insanonym_dashboard.state import TabState
from insanonym_dashboard.steps import StepsEditor
from insanonym_dashboard.tiles import Tile, grid

__all__ = ["PLANE", "TabPanel", "evidence", "overview", "step_evidence"]
PLANE = "plane_tile"
"""The plane as a tile of a page."""
ALL_MEASURES, COMPARISON = "All measures", "Comparison"
_REST, _NOW_AND_THEN = 0.05, 3.0  # seconds


class TabPanel(Figures):
    """A tab: `pages` are its tiles by page and title, up to four a page.

    A tile is a drawer of a figure, or the name of a method that returns a widget and the controls of its
    tile. Only the page that is open is drawn; the others when they are opened.
    """

    fixed_steps = False
    explanations: Mapping[str, str] = {}
    """One sentence that explains a tile, by its title."""
    hints: Mapping[str, str] = {}
    """The same in few words, where the sentence is too long to stand beside the title."""

    def __init__(
        self,
        state: TabState,
        lang: str,
        background: Callable[[], Background | None] = lambda: None,
        on_page: Callable[[str], None] = lambda page: None,
    ) -> None:
        super().__init__(state, lang)
        self._on_page = on_page
        self.strip, self.promised, self.table, self.compared = (widgets.HTML() for _ in range(4))
        self.strip.add_class("insanonym-strip-box")
        self.status = Status(state, lang, self._cancelled, self._went_back)
        self.editor = StepsEditor(state, lang, fixed=self.fixed_steps)
        self.data = DataCard(state, lang, take=self.take, show=self._lay)
        self.plane = PlaneTile(state, lang, background)
        self._grids: dict[str, widgets.Widget] = {}
        self.menu = widgets.ToggleButtons(options=self._pages(), value=self.page)
        self.menu.add_class("insanonym-pages")
        self.menu.observe(lambda change: self._open(change["new"]), "value")
        self.sidebar = Sidebar(state, lang, self.data, self.editor, self.extras(), self.take)
        self.body = widgets.VBox([self._grid(self.page)])
        self.body.add_class("insanonym-body")
        self.root = self._layout()
        self._last_shown = 0.0
        self._drawn_partly: set[str] = set()  # figures that a partial report has drawn already
        self._watching: dict[str, Callable[[], None]] = {
            "report": self._show,
            "partial_report": self._show_partial,
            "live": self._show_strip,
            "error": self._tell,
            "busy": self._tell,
            "data_name": self._follow_data,
            "release_name": self.data.follow,
            "recipe": self._follow_recipe,
        }
        for name in self._watching:
            state.observe(self._changed, name)
        state.trail.observe(self._pinned, "pins")
        if state.report is None:
            state.start()
        else:
            self._show()
        self._tell()

    def _changed(self, change: Mapping[str, Any]) -> None:
        self._watching[change["name"]]()

    def close(self) -> None:
        """Stop observing the state and remove the widgets from the page."""
        for name in self._watching:
            self.state.unobserve(self._changed, name)
        self.state.trail.unobserve(self._pinned, "pins")
        self.editor.close()
        self.plane.close()
        pieces.close_all(self.root)

    # --- what a tab may add -------------------------------------------------------------------------

    def extras(self) -> list[widgets.Widget]:
        """Additional parts of the sidebar, below the data."""
        return []

    def shown(self, report: Report) -> None:
        """Called when a report is there and rests, after the figures."""

    # --- pages and tiles ----------------------------------------------------------------------------

    def _pages(self) -> list[tuple[str, str]]:
        further = [ALL_MEASURES, *([COMPARISON] if self.state.trail.pins else [])]
        return [(self.say(page), page) for page in (*self.pages, *further)]

    def _grid(self, page: str) -> widgets.Widget:
        """The tiles of a page, made when it is first opened."""
        if page not in self._grids:
            if page == ALL_MEASURES:
                measures = widgets.VBox([self.promised, self.table])
                tiles = [Tile(self.say(ALL_MEASURES), measures, lang=self.lang, name="measures")]
            elif page == COMPARISON:
                tiles = [Tile(self.say("Pinned settings"), self.compared, lang=self.lang, name="comparison")]
            else:
                tiles = [self._tile(title, made) for title, made in self.pages[page].items()]
            self._grids[page] = grid(tiles)
        return self._grids[page]

    def _tile(self, title: str, made: Any) -> Tile:
        content, controls = getattr(self, made)() if isinstance(made, str) else (self.plots[title], [])
        name = made.removesuffix("_tile") if isinstance(made, str) else "figure"
        explain = (EXPLAINED | dict(self.explanations)).get(title, "")
        hint = (HINTS | dict(self.hints)).get(title, "")
        return Tile(
            self.say(title),
            content,
            lang=self.lang,
            controls=controls,
            name=name,
            explain=explain and self.say(explain),
            hint=hint and self.say(hint),
        )

    def plane_tile(self) -> tuple[widgets.Widget, list[widgets.Widget]]:
        """The plane."""
        return self.plane.plot, []

    def save_figures(self, kind: str) -> list[str]:
        """The plane is a figure like the others."""
        if PLANE in self.pages[self.page].values():
            self.plane.plot.save(kind)
        return super().save_figures(kind)

    def open_page(self, page: str) -> None:
        """Open a page by its name, if there is one."""
        if page in [name for _, name in self.menu.options]:
            self.menu.value = page

    def _open(self, page: str) -> None:
        self.state.view["page"] = page
        if page in self.pages:
            self.page = page
        self.body.children = [self._grid(page)]
        self._on_page(page)
        if self.state.report is not None:
            self._draw()
            self.shown(self.state.report)

    def _pinned(self, _: Any = None) -> None:
        open_page = self.menu.value
        self.menu.options = self._pages()
        names = [name for _, name in self.menu.options]
        self.menu.value = open_page if open_page in names else self.page
        self.compared.value = comparison(self.state.trail, self.state.report, self.lang)
        self.reference.follow()
        self._draw()

    # --- shared -------------------------------------------------------------------------------------

    def original(self) -> Any:
        """The data of the recipe, where it is known."""
        return self.state.original()

    def _layout(self) -> widgets.Widget:
        working = widgets.HBox([*self.status.parts, self.reference.menu, self.menu])
        working.add_class("insanonym-working")
        self.overlay = widgets.VBox()  # above the tiles
        self.overlay.add_class("insanonym-overlay")
        right = widgets.VBox([self.status.banner, self.strip, working, self.body, self.overlay])
        right.add_class("insanonym-right")
        root = widgets.HBox([self.sidebar.root, right])
        root.add_class("insanonym-tab")
        root.add_class(f"insanonym-tab-{self.state.recipe.kind}")
        return root

    def _lay(self, dialog: widgets.Widget | None) -> None:
        """Lay a dialog over the tiles, or take it away."""
        self.overlay.children = [] if dialog is None else [dialog]

    def again(self, _: Any = None) -> None:
        """Redraw the last report after a change of a control that is not part of the recipe."""
        if self.state.report is not None:
            self.shown(self.state.report)

    def take(self, name: str, data: Any, changes: Mapping[str, Any]) -> None:
        """Use other data in this tab, with the changes of the recipe that it needs."""
        self.state.set_data(name, data, **changes)
        self.editor.rebuild()

    def _follow_data(self) -> None:
        self.data.follow()
        self.sidebar.follow()
        self.editor.rebuild()

    def _follow_recipe(self) -> None:
        self.sidebar.scoring.follow()
        self._mark_fresh(())
        self.strip.remove_class("insanonym-fresh")
        self._dim()

    def _cancelled(self) -> None:
        self.state.cancel()
        self.data.follow()
        self._back()
        self._tell()

    def _went_back(self) -> None:
        self.state.go_back()
        self.data.follow()
        self.editor.rebuild()
        self._tell()

    def _back(self) -> None:
        """Redraw the last complete report if only a part of the next one came."""
        if self._drawn_partly:
            self._drawn_partly = set()
            self._draw()

    def _mark_fresh(self, names: Collection[str]) -> None:
        """Figures that already show the settings chosen now are not dimmed while others are computed."""
        for name in names or self._figures():
            plot = self.plots[name]
            (plot.add_class if names else plot.remove_class)("insanonym-fresh")

    def _dim(self) -> None:
        """Dim numbers and figures that do not belong to the current settings."""
        stale = self.state.report is not None and self.state.report.recipe != self.state.recipe
        (self.root.add_class if stale else self.root.remove_class)("insanonym-stale")

    def _tell(self) -> None:
        if self.state.error:
            self._back()
        self.status.tell()

    def _show_partial(self) -> None:
        """Draw the figures that one family of measures is enough for; the others wait for the full report."""
        known = self.state.partial_report
        if known is not None and self.state.report is not None:
            drawn = {name for name in self._figures() if self._draw_one(name, known, whole=False)}
            self._drawn_partly |= drawn
            self._mark_fresh(drawn)

    def _show_strip(self) -> None:
        live = self.state.live
        if live is not None and (live is self.state.report or self.state.report is not None):
            self.strip.value = pieces.strip(live, self.state.report, dict(self.state.previous), self.lang)
            if live.recipe == self.state.recipe:
                self.strip.add_class("insanonym-fresh")  # numbers of it that are not known yet are marked

    def _show(self) -> None:
        report = self.state.report
        if report is None:
            return
        self.reference.follow()
        self._draw(but=self._drawn_partly)  # first: the page draws while the rest is made
        self._drawn_partly = set()
        self._show_strip()
        self._dim()
        self.promised.value = pieces.promises(report, self.lang)
        self.table.value = pieces.measures_table(report, self.lang)
        self.compared.value = comparison(self.state.trail, report, self.lang)
        self.data.tell_rows(report.rows)
        self._tell()  # the end of the work was told before its report came
        self.state.worker.soon(_REST, lambda: self._rested(report))

    def _rested(self, report: Report) -> None:
        """Update maps and previews when a slider rests, and at intervals while it moves."""
        now = time.monotonic()
        if report is self.state.report and (self.state.worker.idle or now - self._last_shown > _NOW_AND_THEN):
            self._last_shown = now
            self.shown(report)
