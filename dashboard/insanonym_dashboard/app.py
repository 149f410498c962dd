"""The page: a tab for each kind of data and the trade-off, over one state each, built when first opened."""

from __future__ import annotations

import logging
import os
import secrets
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from insanonym_core.errors import brief
from insanonym_core.kinds import all_kinds, kind_named, resolve
from insanonym_core.recipe import preset_recipe
from insanonym_core.texts import LANGUAGES, say
from insanonym_dashboard import pieces
from insanonym_dashboard.downloads import FIGURES, REPORT, File, entries, make
from insanonym_dashboard.look import style_sheet
from insanonym_dashboard.panels.generic import GenericPanel
from insanonym_dashboard.saver import Address, Saver
from insanonym_dashboard.served import LANG, log_errors
from insanonym_dashboard.state import Session, TabState
from insanonym_dashboard.tab_names import TRADEOFF, UNKNOWN_TAB, tab_named, tabs

log = logging.getLogger("insanonym")
KEPT_BACK = (
    "Not saved, because single people may be seen in it: {names}. The button on the figure itself saves it."
)
SALT = (
    "The report names your file by a salted digest. The salt is {salt}: keep it to show later which file "
    "this was; it is written nowhere else."
)
NOT_HERE = "A sweep has no release of its own: open the tab at the point you chose, and download it there."


class App:
    """Header, tabs and what they share."""

    def __init__(self, lang: str = "en") -> None:
        self.session = Session(lang=lang if lang in LANGUAGES else "en")
        self.states: dict[str, TabState] = {}
        self.panels: dict[str, Any] = {}
        self.sweeps: Any = None
        self.tab, self._first = "", next(iter(tabs()))
        self.address, self.saver = Address(), Saver()
        self.notice, self.body = widgets.HTML(layout={"display": "none"}), widgets.VBox()
        self.header = widgets.HBox()
        self.header.add_class("insanonym-bar")
        shown = (self.header, self.notice, self.body, self.saver, self.address)
        self.root = widgets.VBox([*style_sheet(), *shown])
        self.root.add_class("insanonym")
        self._head()
        self.address.observe(self._asked, ["tab", "lang", "known"])

    def _asked(self, _: Any) -> None:
        """The address may name a tab and a language."""
        if not self.address.known:
            return
        lang = self.address.lang if self.address.lang in LANGUAGES else self.session.lang
        asked = self.address.tab
        tab = tab_named(asked) or self.tab or self._first
        if (lang, tab) != (self.session.lang, self.tab):
            self.session.lang = lang
            self._head()
            self.open(tab)
        self.address.tab = tab
        if asked and tab_named(asked) is None:
            known = ", ".join(self.say(title) for title in tabs().values())
            said = say(UNKNOWN_TAB, lang, name=brief(asked), known=known, open=self.say(tabs()[tab]))
            self._notify(said)

    def _notify(self, text: str) -> None:
        """A line above the tab, until another one is opened."""
        self.notice.value = pieces.notice(text) if text else ""
        self.notice.layout.display = "" if text else "none"

    def say(self, text: str) -> str:
        """A text in the language of the page."""
        return say(text, self.session.lang)

    def _head(self) -> None:
        self.buttons = {}
        for tab, title in tabs().items():
            button = widgets.Button(description=self.say(title))
            button.add_class("insanonym-tabbutton")
            button.on_click(lambda _, tab=tab: self.open(tab))
            self.buttons[tab] = button
        take = self.take = widgets.Dropdown(layout={"width": "150px"})
        self._fill_menu()
        pieces.labelled(take, self.say("Download"))
        take.observe(lambda change: self._download(take, change["new"]), "value")
        other = "fr" if self.session.lang == "en" else "en"
        language = widgets.Button(
            description="EN · FR", tooltip=self.say("Language"), layout={"width": "90px"}
        )
        language.on_click(lambda _: self.switch(other))
        self.lesson = widgets.HTML()
        self.lesson.add_class("insanonym-lesson")
        title = widgets.HTML("<b>INSAnonym Explorer</b>")
        space = widgets.HTML(layout={"flex": "1 1 auto"})
        self.header.children = [title, *self.buttons.values(), space, self.lesson, take, language]
        self._mark()

    def _fill_menu(self, _: Any = None) -> None:
        """The downloads of the open tab: the lookup is there only where pseudonyms are."""
        state = self.states.get(self.tab)
        recipe = state.report.recipe if state is not None and state.report is not None else None
        options = [(self.say("Download"), ""), *((self.say(name), name) for name in entries(recipe))]
        if options != list(self.take.options):
            self.take.options = options
            self.take.index = None  # else the page shows an empty menu: it takes the same index for no change
            self.take.index = 0

    def _mark(self) -> None:
        self._fill_menu()
        self.lesson.value = pieces.lesson_links(self.tab, self.session.lang)
        for tab, button in self.buttons.items():
            (button.add_class if tab == self.tab else button.remove_class)("insanonym-open")

    def switch(self, lang: str) -> None:
        """The same page in another language: states stay, widgets are made anew."""
        self.session.lang = lang
        for tab in list(self.panels):
            self._drop(tab)
        self._head()
        self.open(self.tab or self._first)

    def open(self, tab: str) -> None:
        """Show a tab; its widgets and figures are made the first time."""
        self.tab = tab
        self._notify("")
        self.address.tab, self.address.lang = tab, self.session.lang
        if tab not in self.panels:
            self.panels[tab] = self._tradeoff() if tab == TRADEOFF else self._panel(tab)
        self.body.children = [self.panels[tab].root]
        if tab == TRADEOFF:
            self.panels[tab].opened()  # recipes may have other steps by now
        self._mark()

    def _panel(self, kind: str) -> Any:
        """The panel that a kind declares, imported when its tab is opened; without it, the general one."""
        try:
            panel = resolve(kind_named(kind).panel)
        except (ImportError, AttributeError):
            log.exception("The panel of %s cannot be loaded: the general one is shown.", kind)
            panel = GenericPanel
        return panel(self.state(kind), self.session.lang)

    def state(self, kind: str) -> TabState:
        """The state of a tab, made when first asked for."""
        if kind not in self.states:
            self.states[kind] = TabState(preset_recipe(kind_named(kind)), self.session)
            self.states[kind].observe(self._fill_menu, "report")
        return self.states[kind]

    def _tradeoff(self) -> Any:
        from insanonym_dashboard.panels.sweeping import Sweeps
        from insanonym_dashboard.panels.tradeoff import TradeoffPanel

        self.sweeps = self.sweeps or Sweeps(self.session.store)
        states = {kind: self.state(kind) for kind in all_kinds()}
        return TradeoffPanel(states, self.session.lang, self._go, self.sweeps)

    def _go(self, kind: str) -> None:
        """Sliders were set from the plot: the tab's own widgets are made anew at these values."""
        self._drop(kind)
        self.open(kind)

    def _drop(self, tab: str) -> None:
        """A panel that is made anew: the old one stops listening, its widgets are closed."""
        panel = self.panels.pop(tab, None)
        if panel is not None:
            self.body.children = []
            panel.close()

    def _download(self, menu: widgets.Dropdown, name: str) -> None:
        if not name:
            return
        menu.value = ""
        if name in FIGURES:
            kept_back = self.panels[self.tab].save_figures(FIGURES[name])
            if kept_back:
                names = ", ".join(map(self.say, kept_back))
                self._notify(say(KEPT_BACK, self.session.lang, names=names))
            return
        if self.tab == TRADEOFF:
            file = self.panels[self.tab].downloads(name)
            if file is None:
                self.sweeps.error = NOT_HERE
            else:
                self.saver.save(*file)
            return
        state = self.states.get(self.tab)
        report = state.named_report() if state is not None else None
        if state is None or report is None:
            return
        lang = self.session.lang

        def done(file: File | None, error: Exception | None) -> None:
            if file is None:
                state.fail(error or RuntimeError("a download was made without a result"))
            else:
                self.saver.save(*file)
                if salt:
                    self._notify(say(SALT, lang, salt=salt))

        salt = secrets.token_hex(16) if name == REPORT and report.file_digest else ""
        # Of the report as it is now, whatever becomes of the sliders meanwhile.
        state.downloads.submit(lambda job: make(name, report, lang, job, salt), done, name)


def show() -> None:
    """Put the page here."""
    log_errors()
    display(App(os.environ.get(LANG, "en")).root)  # type: ignore[no-untyped-call]
