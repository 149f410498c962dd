"""The trade-off: a parameter of any tab's recipe swept in the background; a clicked point sets sliders."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from insanonym_core.figures import SCREEN, Size
from insanonym_core.figures.trail import trail_sheet
from insanonym_core.sweep import Setting, joined
from insanonym_core.texts import label, say
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.sweep_form import SweepForm
from insanonym_dashboard.panels.sweep_list import SweepList
from insanonym_dashboard.panels.sweep_point import about_point, where_sliders_are
from insanonym_dashboard.panels.sweep_run import Run
from insanonym_dashboard.panels.sweep_table import sweep_table
from insanonym_dashboard.panels.sweeping import File, Sweeps, clicked_setting
from insanonym_dashboard.plot import Plot
from insanonym_dashboard.state import TabState
from insanonym_dashboard.tab_names import tabs
from insanonym_dashboard.tiles import Tile, grid

FIRST_POINTS, FIRST_SEEDS = 6, 2
_NOTICED = 8  # pixels


class TradeoffPanel:
    """The Trade-off tab. `states` are those of the other tabs, by kind; `kept` are its sweeps."""

    def __init__(
        self,
        states: Mapping[str, TabState],
        lang: str,
        goto: Callable[[str], None],
        kept: Sweeps | None = None,
    ) -> None:
        self.states, self.lang, self._goto = states, lang, goto
        self.sweeps = Sweeps() if kept is None else kept
        self.form = SweepForm(states, lang, self.sweeps)
        self._filling = False
        self._make()
        self.root = self._layout()
        self._bind()
        self._show_progress()
        self._show()
        self.opened()

    def say(self, text: str, **values: object) -> str:
        """A text in the language of the page."""
        return say(text, self.lang, **values)

    def named(self, setting: Setting) -> str:
        """Name of a point: its series and its values."""
        series = label(setting.series, self.lang)
        return self.say("{series}: {setting}", series=series, setting=setting.written(self.lang))

    # --- made once ----------------------------------------------------------------------------------

    def _make(self) -> None:
        self.compared = SweepList(self.sweeps, self.lang)
        self.banner, self.note, self.selected, self.moved = (widgets.HTML() for _ in range(4))
        self.moved.layout.flex, self.moved.layout.margin = "1 1 260px", "2px 8px"
        self.table = widgets.HTML()
        pages = [(self.say("Plane"), "plane"), (self.say("Table"), "rows")]
        self.menu = widgets.ToggleButtons(options=pages, value="plane")
        self.menu.add_class("insanonym-pages")
        self.pick = widgets.Dropdown(layout={"width": "270px", "max_width": "100%"})
        self.set = widgets.Button(description=self.say("Set sliders"))
        self.go = widgets.Button(description=self.say("Open the tab"))
        self.plot = Plot(label=self.say("Privacy against utility"))
        self.plot.exporter = lambda: self._figure(SCREEN)

    def _layout(self) -> widgets.Widget:
        left = widgets.VBox([self.form.root, self.compared.root])
        left.add_class("insanonym-sidebar")
        self.pick.description, self.pick.style.description_width = self.say("Selected point"), "0px"
        row = widgets.HBox([self.pick, self.set, self.go, self.moved])
        row.add_class("insanonym-picked")
        selected = widgets.VBox([self.selected, row])
        selected.add_class("insanonym-selected")
        explain = self.say("A point is a setting, the mean of its seeds; a click sets the sliders to it.")
        tile = Tile(
            self.say("Privacy against utility"), self.plot, lang=self.lang, name="front", explain=explain
        )
        table = Tile(self.say("All settings"), self.table, lang=self.lang, name="settings")
        self.grids = {"plane": grid([tile]), "rows": grid([table])}
        body = self.body = widgets.VBox([self.grids["plane"]])
        body.add_class("insanonym-body")
        working = widgets.HBox([self.note, self.menu])
        working.add_class("insanonym-working")
        right = widgets.VBox([self.banner, working, body, selected])
        right.add_class("insanonym-right")
        root = widgets.HBox([left, right])
        root.add_class("insanonym-tab")
        root.add_class("insanonym-tab-tradeoff")
        return root

    def _bind(self) -> None:
        self.set.on_click(lambda _: self._choose(self.sweeps.point))
        self.go.on_click(lambda _: self._goto(self._tab()))
        self.pick.observe(self._picked, "value")
        self.menu.observe(self._opened_page, "value")
        self.plot.observe(self._clicked, "clicked")
        self.plot.observe(self._resized, ["width", "height"])
        self._listening: list[tuple[Any, Callable[..., Any], list[str]]] = [
            (self.sweeps, self._show_progress, ["running", "done", "total"]),
            (self.sweeps, self._show, ["now", "kept"]),
            (self.sweeps, self._grown, ["growing"]),
            (self.sweeps, self._show_point, ["point", "moved"]),
            (self.sweeps, self._show_error, ["error"]),
            *((state, self._recipe_changed, ["recipe"]) for state in self.states.values()),
        ]
        for owner, handler, names in self._listening:
            owner.observe(handler, names)

    def _opened_page(self, change: Mapping[str, Any]) -> None:
        self.body.children = [self.grids[change["new"]]]
        self._draw()

    def close(self) -> None:
        """Stop listening; a sweep under way goes on in `sweeps`."""
        for owner, handler, names in self._listening:
            owner.unobserve(handler, names)
        self._listening = []
        for one in self.grids.values():
            pieces.close_all(one)
        pieces.close_all(self.root)

    def opened(self) -> None:
        """Update the menus when the tab is opened; the first time, run a small sweep."""
        self.form.fill()
        if not self.sweeps.begun:
            self.sweeps.begun = True
            if self.sweeps.now is None and not self.sweeps.running:
                self.form.run(FIRST_POINTS, FIRST_SEEDS, small=True)

    def _recipe_changed(self, change: Mapping[str, Any]) -> None:
        if self.sweeps.moving:
            return
        self.sweeps.follow(self.states)
        if change["owner"] is self.form.state:
            self.form.fill()

    # --- shown --------------------------------------------------------------------------------------

    def _show_progress(self, _: Any = None) -> None:
        self.form.show_progress()
        self._show_note()

    def _show_error(self, _: Any = None) -> None:
        self.banner.value = pieces.banner(label(self.sweeps.error, self.lang), self.lang)
        self.banner.layout.display = "" if self.banner.value else "none"

    def _show_note(self) -> None:
        sweeps, first = self.sweeps, self.say(next(iter(tabs().values())))
        if sweeps.small and sweeps.running:
            said = self.say(
                "A small first sweep of the {tab} tab is under way: its picture comes here.", tab=first
            )
        elif sweeps.small and sweeps.now is not None:
            said = self.say(
                "A small first sweep of the {tab} tab: {points} points × {seeds} seeds. Choose on the "
                "left for another one.",
                tab=first,
                points=FIRST_POINTS,
                seeds=FIRST_SEEDS,
            )
        else:
            said = ""
        self.note.value = f"<div data-note>{said}</div>" if said else ""

    def _show(self, _: Any = None) -> None:
        """Update the figure, the list of its sweeps, and the points to choose from."""
        self._show_error()
        self._show_note()
        self.compared.show()
        settings = self.sweeps.settings
        options = [
            (self.named(one) if len(self.sweeps.shown) > 1 else one.written(self.lang), place)
            for place, one in enumerate(settings)
        ]
        self._filling = True
        if tuple(self.pick.options) != tuple(options):
            self.pick.options = options
        self._filling = False
        self._show_point()

    def _show_point(self, _: Any = None) -> None:
        sweeps, point = self.sweeps, self.sweeps.point
        self.set.disabled = point is None or sweeps.moved == "set"
        self.go.disabled = self.pick.disabled = not sweeps.shown
        settings = sweeps.settings
        self._filling = True
        self.pick.value = settings.index(point) if point in settings else None
        self._filling = False
        if point is None:
            said = sweeps.now.sweep.reason(self.lang) if sweeps.now is not None else ""
            self.selected.value = f"<div data-selected=''>{html.escape(said)}</div>" if said else ""
            self.moved.value = ""
        else:
            self._tell_point(point)
        self._draw()

    def _tell_point(self, point: Setting) -> None:
        sweep = self.sweeps.now.sweep if self.sweeps.now is not None else None
        self.selected.value = about_point(point, self.named(point), sweep, self.lang)
        tab = self.say(tabs()[self._tab()])
        self.moved.value = where_sliders_are(point, self.sweeps.moved, tab, self.lang)

    def _grown(self, _: Any = None) -> None:
        if self.sweeps.growing is not None:
            self._draw()

    def _drawn(self) -> tuple[Run, ...]:
        """The sweeps on the plot: the one under way takes the place of the last."""
        now, growing = self.sweeps.now, self.sweeps.growing
        if growing is None:
            return self.sweeps.shown
        kept = (run for run in self.sweeps.kept if run is not now and run.shares_plot_with(growing))
        return (*kept, growing)

    def _draw(self) -> None:
        """Draw the front for the size of its tile; the empty plane until there is a point."""
        if self.menu.value == "rows":
            self.table.value = sweep_table(self._drawn(), self.named, self.lang)
            return
        size = Size(self.plot.width or 880, self.plot.height or 520, tile=True)
        drawn = self._drawn()
        figure = self._figure(size) if drawn else trail_sheet((), None, lang=self.lang, size=size).as_dict()
        self.plot.show(figure, of=drawn[-1].tab if drawn else "nothing")

    def _figure(self, size: Size) -> Any:
        """The front of all sweeps that are shown, with the chosen point; None without any."""
        from insanonym_core.figures.sweeps import front_of
        from insanonym_core.figures.tradeoff import highlight_point

        shown, point = self._drawn(), self.sweeps.point
        if not shown:
            return None
        figure = front_of(joined([run.drawn(self.lang) for run in shown]), lang=self.lang, size=size)
        if point is not None and self.sweeps.growing is None:
            highlight_point(figure, point.utility[0], point.privacy[0])
        return figure

    def _resized(self, change: Mapping[str, Any]) -> None:
        if change["new"] and abs(change["new"] - (change["old"] or 0)) > _NOTICED:
            self._draw()

    # --- a point ------------------------------------------------------------------------------------

    def _tab(self) -> str:
        """The tab whose recipe the point, or the last sweep, belongs to."""
        sweeps = self.sweeps
        return sweeps.run_of(sweeps.point).tab if sweeps.point is not None else sweeps.now.tab

    def _clicked(self, change: Mapping[str, Any]) -> None:
        found = clicked_setting(self.sweeps.settings, change["new"])
        if found is not None:
            self._choose(found)

    def _picked(self, change: Mapping[str, Any]) -> None:
        if not self._filling and change["new"] is not None:
            self._choose(self.sweeps.settings[change["new"]])

    def _choose(self, setting: Setting | None) -> None:
        if setting is not None:
            self.sweeps.go_to(setting, self.states)

    # --- to take along ------------------------------------------------------------------------------

    def save_figures(self, kind: str) -> list[str]:
        """Save the figure through the page; it shows no individuals."""
        self.plot.save(kind)
        return []

    def downloads(self, name: str) -> File | None:
        """The table of the sweep, the recipe of the point; the rest belongs to a tab with a release."""
        made = {"Scores (CSV)": self.sweeps.scores, "Recipe (YAML)": self.sweeps.recipe}.get(name)
        return made() if made is not None else None
