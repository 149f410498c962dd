"""The page: a tab for each kind of data and the trade-off, each built with its state when first opened."""

from __future__ import annotations

import logging
import os
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from insanonym_core.errors import InsanonymError, brief
from insanonym_core.figures.trail_points import Background, FoundPoint
from insanonym_core.kinds import all_kinds, kind_named, resolve
from insanonym_core.presets import preset_recipe, presets_of
from insanonym_core.recipe import Recipe
from insanonym_core.texts import LANGUAGES, say
from insanonym_dashboard import pieces
from insanonym_dashboard.bar import Bar
from insanonym_dashboard.download_menu import DownloadMenu
from insanonym_dashboard.find import Find
from insanonym_dashboard.keeping import Keeping, adopt
from insanonym_dashboard.look import style_sheet
from insanonym_dashboard.opening import Opening
from insanonym_dashboard.panels.generic import GenericPanel
from insanonym_dashboard.recipe_menu import RecipeMenu
from insanonym_dashboard.saver import Saver
from insanonym_dashboard.served import LANG, log_errors
from insanonym_dashboard.session import Session
from insanonym_dashboard.shell import Shell
from insanonym_dashboard.state import TabState
from insanonym_dashboard.tab_names import TRADEOFF, UNKNOWN_TAB, tab_named, tabs

log = logging.getLogger("insanonym")
UPLOAD_GONE = "Your upload {name} is gone, its settings are here: upload it again to go on with them."


class App:
    """Bar, tabs and what they share."""

    def __init__(self, lang: str = "en") -> None:
        self.session = Session(lang=lang if lang in LANGUAGES else "en")
        self.states: dict[str, TabState] = {}
        self.panels: dict[str, Any] = {}
        self.sweeps: Any = None
        self.tab, self._first = "", next(iter(tabs()))
        self._lost = ""  # an upload of an earlier page, until it is told
        self.shell, self.saver = Shell(self._on_event), Saver()
        self.keeping = Keeping(self.shell, self.states)
        self.notice, self.body = widgets.HTML(layout={"display": "none"}), widgets.VBox()
        self.body.add_class("insanonym-main")
        self.recipe_menu, self.download_menu = RecipeMenu(self), DownloadMenu(self)
        self.find = Find(self.state, lambda tab: self.panels.get(tab), self.session.store)
        self.bar = Bar(
            {
                "tab": self.open,
                "undo": lambda: self._on_event("undo"),
                "redo": lambda: self._on_event("redo"),
                "pin": lambda: self._on_event("pin"),
                "find": lambda: self.find.toggle(self.tab, self.session.lang),
                "recipe": self.recipe_menu.chose,
                "download": self.download_menu.chose,
                "language": lambda: self.switch("fr" if self.session.lang == "en" else "en"),
            }
        )
        shown = (self.bar.root, self.notice, self.body, self.saver, self.shell, self.recipe_menu.opener)
        self.root = widgets.VBox([*style_sheet(), *shown])
        self.root.add_class("insanonym")
        self.bar.make(self.session.lang)
        self.shell.observe(self._asked, ["tab", "lang", "known"])

    @property
    def state_now(self) -> TabState | None:
        """State of the open tab; None on the trade-off."""
        return self.states.get(self.tab)

    def _asked(self, _: Any) -> None:
        """Apply the tab, language, page and recipe that the address asks for."""
        if not self.shell.known:
            return
        lang = self.shell.lang if self.shell.lang in LANGUAGES else self.session.lang
        asked, page, first = self.shell.tab, self.shell.page, not self.tab
        tab = tab_named(asked) or self.tab or self._first
        if (lang, tab) != (self.session.lang, self.tab):
            if lang != self.session.lang:
                self.session.lang = lang
                self.bar.make(lang)
            opening = None if self.tab else Opening.from_environment()
            tab = opening.kind if opening is not None and not asked else tab
            wrong = self._take_address() if first else ""
            self.open(tab)
            if opening is not None:
                self._open_files(opening)
            if first and page and tab in self.panels and tab != TRADEOFF:
                self.panels[tab].open_page(page)
            if wrong:
                self.notify(wrong)
        self.shell.tab, self.shell.ready = tab, True
        if asked and tab_named(asked) is None:
            known = ", ".join(self.say(title) for title in tabs().values())
            said = say(UNKNOWN_TAB, lang, name=brief(asked), known=known, open=self.say(tabs()[tab]))
            self.notify(said)

    def _open_files(self, opening: Opening) -> None:
        """Open the files that the dashboard was started with, on their tab."""
        if opening.kind not in self.panels:
            self.open(opening.kind)
        self.panels[opening.kind].data.open_files(opening)

    def _take_address(self) -> str:
        """Start from the recipe in the address, if there is one; return the error message, or nothing."""
        try:
            recipe = self.keeping.recipe_of_address()
        except InsanonymError as error:
            return error.say(self.session.lang)
        if recipe is not None:
            adopt(recipe, self.state(recipe.kind))
        return ""

    def notify(self, text: str) -> None:
        """Show a message above the tab until another tab is opened."""
        self.notice.value = pieces.notice(text) if text else ""
        self.notice.layout.display = "" if text else "none"

    def say(self, text: str, **values: object) -> str:
        """Translate a text into the language of the page."""
        return say(text, self.session.lang, **values)

    def _on_event(self, event: str) -> None:
        """Handle the keys and buttons that change the setting of the open tab."""
        state = self.state_now
        if event == "link":
            self._follow_link()
        elif state is not None and event in ("undo", "redo"):
            getattr(state, event)()
        elif state is not None and event == "pin":
            state.trail.pin()

    def _follow_link(self) -> None:
        """Handle a change of the address while the page is open, such as a pasted link."""
        try:
            recipe = self.keeping.recipe_of_address()
        except InsanonymError as error:
            self.notify(error.say(self.session.lang))
            return
        if recipe is not None:
            self.use_recipe(recipe)

    def _follow(self, _: Any = None) -> None:
        """Update the menus and buttons of the bar for the open tab."""
        state = self.state_now
        self.bar.offer(self.bar.download, self.download_menu.entries(state))
        self.bar.offer(self.bar.recipe, self.recipe_menu.entries(state))
        self.bar.follow(state.trail if state is not None else None)

    def _rested(self, _: Any = None) -> None:
        """Store the settled or pinned setting in the address and in the browser."""
        self._follow()
        self.keeping.write(self.tab)

    def switch(self, lang: str) -> None:
        """Switch the language: widgets are rebuilt, states are kept."""
        self.session.lang = lang
        for tab in list(self.panels):
            self._drop(tab)
        self.bar.make(lang)
        self.open(self.tab or self._first)

    def open(self, tab: str) -> None:
        """Open a tab; its widgets and figures are built the first time."""
        self.tab = tab
        self.notify("")
        self.shell.tab, self.shell.lang = tab, self.session.lang
        if tab not in self.panels:
            self.panels[tab] = self._tradeoff() if tab == TRADEOFF else self._panel(tab)
            self.find.attach(tab, self.session.lang)
        self.body.children = [self.panels[tab].root]
        if tab == TRADEOFF:
            self.panels[tab].opened()  # recipes may have other steps by now
        self.shell.page = self.states[tab].view.get("page", "") if tab in self.states else ""
        self.bar.mark(tab)
        self._rested()
        if self._lost:
            self.notify(self.say(UPLOAD_GONE, name=self._lost))
            self._lost = ""

    def _panel(self, kind: str) -> Any:
        """The panel that a kind declares, imported when its tab is opened; without it, the general one."""
        try:
            panel = resolve(kind_named(kind).panel)
        except (ImportError, AttributeError):
            log.exception("The panel of %s cannot be loaded: the general one is shown.", kind)
            panel = GenericPanel
        return panel(self.state(kind), self.session.lang, lambda: self._background(kind), self._paged)

    def _paged(self, page: str) -> None:
        self.shell.page = page

    def _background(self, kind: str) -> Background | None:
        """Points of the last sweep of a tab, drawn behind its trail."""
        found = self.find.background(kind)
        if found is not None:
            return found
        run = None if self.sweeps is None else self.sweeps.growing or self.sweeps.now
        if run is None or run.tab != kind:
            return None
        lang = self.session.lang
        points = [FoundPoint(one.utility[0], one.privacy[0], one.written(lang)) for one in run.sweep.settings]
        return Background(points, [(one.utility[0], one.privacy[0]) for one in run.sweep.front])

    def _swept(self, _: Any) -> None:
        """A sweep has more points: the plane of the open tab shows them."""
        panel = self.panels.get(self.tab)
        if panel is not None and self.tab != TRADEOFF:
            panel.plane.draw()

    def state(self, kind: str) -> TabState:
        """The state of a tab, made when first asked for, with the trail that the browser kept."""
        if kind not in self.states:
            asked = self.shell.preset
            known = {one.name for one in presets_of(kind_named(kind))}
            recipe = preset_recipe(kind_named(kind), asked if asked in known else "")
            state = self.states[kind] = TabState(recipe, self.session)
            self.keeping.restore(state)
            lost = next(
                (one.data_name for one in state.trail.visits if one.data_name not in state.kind.demos), ""
            )
            self._lost = lost or self._lost
            state.observe(self._follow, "report")
            state.trail.observe(self._rested, ["visits", "current", "pins"])
        return self.states[kind]

    def _tradeoff(self) -> Any:
        from insanonym_dashboard.panels.sweeping import Sweeps
        from insanonym_dashboard.panels.tradeoff import TradeoffPanel

        if self.sweeps is None:
            self.sweeps = Sweeps(self.session.store)
            self.sweeps.observe(self._swept, ["growing", "now"])
        states = {kind: self.state(kind) for kind in all_kinds()}
        return TradeoffPanel(states, self.session.lang, self._go, self.sweeps)

    def _go(self, kind: str) -> None:
        """Sliders were set from the plot: open their tab."""
        self.open(kind)

    def close(self) -> None:
        """Cancel all work and close the widgets."""
        for running in (*self.find.searches.values(), *filter(None, [self.sweeps])):
            running.cancel()
        for state in self.states.values():
            state.stop()
        for tab in list(self.panels):
            self._drop(tab)
        pieces.close_all(self.root)

    def _drop(self, tab: str) -> None:
        """Close a panel that is to be rebuilt: its observers are removed, its widgets closed."""
        self.find.detach(tab)
        panel = self.panels.pop(tab, None)
        if panel is not None:
            self.body.children = []
            panel.close()

    def use_recipe(self, recipe: Recipe) -> None:
        """Apply a recipe from a file to the tab of its kind, on the data that is open there."""
        state = self.state(recipe.kind)
        adopt(recipe, state)
        self.open(recipe.kind)
        state.refresh()


def show() -> None:
    """Display the dashboard in the current notebook cell."""
    log_errors()
    display(App(os.environ.get(LANG, "en")).root)  # type: ignore[no-untyped-call]
