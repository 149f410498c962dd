"""The trade-off: a parameter of any tab's recipe swept in the background; a clicked point sets sliders."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from insanonym_core.figures import Size
from insanonym_core.sweep import Setting, joined
from insanonym_core.texts import label, say
from insanonym_core.written import number
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.sweep_form import SweepForm
from insanonym_dashboard.panels.sweeping import File, Run, Sweeps, clicked_setting
from insanonym_dashboard.plot import Plot
from insanonym_dashboard.state import TabState
from insanonym_dashboard.tab_names import tabs

FIRST_POINTS, FIRST_SEEDS = 6, 2
_NOTICED = 8  # pixels


class TradeoffPanel:
    """Trade-off. `states` are those of the other tabs, by kind; `kept` is what outlives these widgets."""

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
        """A point by its series and its values."""
        series = label(setting.series, self.lang)
        return self.say("{series}: {setting}", series=series, setting=setting.written(self.lang))

    # --- made once ----------------------------------------------------------------------------------

    def _make(self) -> None:
        self.keep = widgets.Button(description=self.say("Keep for comparison"), layout={"width": "100%"})
        self.banner, self.note, self.selected, self.moved = (widgets.HTML() for _ in range(4))
        self.moved.layout.flex, self.moved.layout.margin = "1 1 260px", "2px 8px"
        self.list = widgets.VBox()
        self.pick = widgets.Dropdown(layout={"width": "270px", "max_width": "100%"})
        self.set = widgets.Button(description=self.say("Set sliders"))
        self.go = widgets.Button(description=self.say("Open the tab"))
        self.plot = Plot(label=self.say("Privacy against utility"), layout={"min_height": "420px"})

    def _layout(self) -> widgets.Widget:
        hint = widgets.HTML(f"<small>{self.say('Click a point: the sliders go there.')}</small>")
        comparing = pieces.card(self.say("On the plot"), self.list, self.keep, hint, name="comparing")
        left = widgets.VBox([self.form.root, comparing])
        left.add_class("insanonym-left")
        self.pick.description, self.pick.style.description_width = self.say("Selected point"), "0px"
        row = widgets.HBox([self.pick, self.set, self.go, self.moved], layout={"flex_flow": "row wrap"})
        selected = pieces.card(self.say("Selected point"), self.selected, row, name="selected")
        right = widgets.VBox([self.banner, pieces.card("", self.note, self.plot, name="figure"), selected])
        right.add_class("insanonym-right")
        root = widgets.HBox([left, right])
        root.add_class("insanonym-tab")
        root.add_class("insanonym-tab-tradeoff")
        return root

    def _bind(self) -> None:
        self.keep.on_click(lambda _: self.sweeps.keep())
        self.set.on_click(lambda _: self._choose(self.sweeps.point))
        self.go.on_click(lambda _: self._goto(self._tab()))
        self.pick.observe(self._picked, "value")
        self.plot.observe(self._clicked, "clicked")
        self.plot.observe(self._resized, "width")
        self._listening: list[tuple[Any, Callable[..., Any], list[str]]] = [
            (self.sweeps, self._show_progress, ["running", "done", "total"]),
            (self.sweeps, self._show, ["now", "kept"]),
            (self.sweeps, self._show_point, ["point", "moved"]),
            (self.sweeps, self._show_error, ["error"]),
            *((state, self._recipe_changed, ["recipe"]) for state in self.states.values()),
        ]
        for owner, handler, names in self._listening:
            owner.observe(handler, names)

    def close(self) -> None:
        """Stop listening; a sweep under way goes on in `sweeps`."""
        for owner, handler, names in self._listening:
            owner.unobserve(handler, names)
        self._listening = []
        pieces.close_all(self.root)

    def opened(self) -> None:
        """The tab is to be seen: menus follow the recipes; the first time a small sweep draws a picture."""
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
        self.note.value = f"<div data-note>{said}</div>"
        self.note.layout.display = "" if said else "none"

    def _show(self, _: Any = None) -> None:
        """The figure, what is on it, and the points to choose from."""
        self._show_error()
        self._show_note()
        self._show_list()
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

    def _show_list(self) -> None:
        from insanonym_core.figures.theme import looks

        shown = self.sweeps.shown
        names = [label(run.series, self.lang) for run in shown]
        colours = [look.colour for look in looks(names).values()]
        away = [run for run in self.sweeps.kept if run not in shown]
        lines = [
            self._line(
                run, f"<i style='color:{colour}'>●</i> {html.escape(name)}", len(shown) + len(away) > 1
            )
            for run, name, colour in zip(shown, names, colours, strict=True)
        ]
        for run in away:
            series = label(run.series, self.lang)
            title = self.say("{series}: {setting}", series=self.say(tabs()[run.tab]), setting=series)
            back = widgets.Button(description=title, tooltip=self.say("show this sweep again"))
            back.layout.flex, back.layout.width = "1 1 auto", "auto"
            back.on_click(lambda _, run=run: self.sweeps.show(run))
            lines.append(self._line(run, back, True))
        old, self.list.children = self.list.children, lines
        for line in old:
            pieces.close_all(line)
        self.keep.disabled = self.sweeps.now is None or self.sweeps.now in self.sweeps.kept

    def _line(self, run: Run, shown: Any, removable: bool) -> widgets.Widget:
        if isinstance(shown, str):
            shown = widgets.HTML(f"<span data-series='{html.escape(run.series, quote=True)}'>{shown}</span>")
            shown.layout.flex = "1 1 auto"
        away = widgets.Button(description="✕", tooltip=self.say("remove from the plot"))
        away.add_class("insanonym-small")
        away.on_click(lambda _: self.sweeps.remove(run))
        return widgets.HBox([shown, *([away] if removable else [])])

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
        numbers = " · ".join(
            f"{self.say(title)} <b>{number(mean, self.lang, 2)}</b> "
            f"({number(low, self.lang, 2)}–{number(high, self.lang, 2)})"
            for title, (mean, low, high) in (
                ("utility", point.utility),
                ("privacy", point.privacy),
                ("defence", point.defence),
            )
        )
        where = html.escape(self.named(point))
        told = html.escape(self._decided(point))
        self.selected.value = (
            f"<div data-selected='{html.escape(point.written(), quote=True)}'>{where} · {numbers}{told}</div>"
        )
        tab = self.say(tabs()[self._tab()])
        said = {
            "set": self.say(
                "The sliders of the {tab} tab now stand at {setting}.",
                tab=tab,
                setting=point.written(self.lang),
            ),
            "other": self.say(
                "The {tab} tab has other data, roles or rules since this sweep: its sliders stay where they "
                "are. Run the sweep again.",
                tab=tab,
            ),
            "": self.say("The sliders of the {tab} tab are not at this point yet.", tab=tab),
        }[self.sweeps.moved]
        self.moved.value = f"<div data-moved='{self.sweeps.moved}'>{html.escape(said)}</div>"

    def _decided(self, point: Setting) -> str:
        """Which threat decides the privacy of a point, and whether a stronger one was not tried there."""
        said = ""
        if point.decided_by and self.sweeps.now is not None:
            title = self.say(self.sweeps.now.sweep.title_of(point.decided_by))
            said = " · " + self.say("privacy decided by “{threat}”", threat=title)
        if not point.fully_measured:
            said += " · " + self.say("privacy is at most this: the strongest attackers were not tried here")
        return said

    def _draw(self) -> None:
        """For the width that the figure has on the page."""
        from insanonym_core.figures.sweeps import front_of
        from insanonym_core.figures.tradeoff import highlight_point

        shown, point = self.sweeps.shown, self.sweeps.point
        if not shown:
            return
        width = self.plot.width or 880
        lines = 40 * (len(shown) - 1)  # each recipe has its lines below the figure
        size = Size(width, min(660, max(540, round(0.64 * width))) + lines)
        figure = front_of(joined([run.drawn(self.lang) for run in shown]), lang=self.lang, size=size)
        if point is not None:
            highlight_point(figure, point.utility[0], point.privacy[0])
        self.plot.show(figure, of=shown[-1].tab)

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
        """Have the page save the front, in which nobody can be seen."""
        self.plot.save(kind)
        return []

    def downloads(self, name: str) -> File | None:
        """The table of the sweep, the recipe of the point; the rest belongs to a tab with a release."""
        made = {"Scores (CSV)": self.sweeps.scores, "Recipe (YAML)": self.sweeps.recipe}.get(name)
        return made() if made is not None else None
