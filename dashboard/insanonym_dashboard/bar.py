"""The bar at the top: tabs, undo and redo, pins, recipe, lessons, downloads, language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from insanonym_core.texts import say
from insanonym_dashboard import pieces
from insanonym_dashboard.tab_names import tabs
from insanonym_dashboard.tiles import small_button

FIND = "Say what you need: the machine tries methods and parameters, and measures the best again."


class Bar:
    """`root` is the bar; `on` holds what each of its parts does, by name."""

    def __init__(self, on: Mapping[str, Callable[..., None]]) -> None:
        self._on = on
        self.root = widgets.HBox()
        self.root.add_class("insanonym-bar")
        self.tabs: dict[str, widgets.Button] = {}

    def make(self, lang: str) -> None:
        """Build all parts in a language."""
        self._lang = lang
        old = self.root.children
        self.tabs = {tab: self._tab(tab, title) for tab, title in tabs().items()}
        self.undo = small_button("↶", self._say("Back (Ctrl-Z)"), self._on["undo"], "undo")
        self.redo = small_button("↷", self._say("Forward (Ctrl-Y)"), self._on["redo"], "redo")
        self.find = small_button(self._say("Find the best…"), self._say(FIND), self._on["find"], "find")
        self.pin = small_button("★", self._say("Pin this setting, to compare it"), self._on["pin"], "pin")
        self.recipe = self._menu("Recipe", "insanonym-recipe-menu")
        self.download = self._menu("Download", "insanonym-download")
        self.recipe.observe(self._chose(self.recipe, "recipe"), "value")
        self.download.observe(self._chose(self.download, "download"), "value")
        self.lesson = widgets.HTML()
        self.lesson.add_class("insanonym-lesson")
        language = small_button("EN · FR", self._say("Language"), self._on["language"], "language")
        title = widgets.HTML("<b>INSAnonym Explorer</b>")
        space = widgets.HTML(layout={"flex": "1 1 auto"})
        self.root.children = [
            title,
            *self.tabs.values(),
            space,
            self.undo,
            self.redo,
            self.pin,
            self.find,
            self.lesson,
            self.recipe,
            self.download,
            language,
        ]
        for child in old:
            child.close()

    def _say(self, text: str) -> str:
        return say(text, self._lang)

    def _tab(self, tab: str, title: str) -> widgets.Button:
        button = widgets.Button(description=self._say(title))
        button.add_class("insanonym-tabbutton")
        button.on_click(lambda _: self._on["tab"](tab))
        return button

    def _menu(self, title: str, name: str) -> widgets.Dropdown:
        menu = pieces.labelled(widgets.Dropdown(layout={"width": "108px"}), self._say(title))
        menu.options = [(self._say(title), "")]
        menu.add_class(name)
        return menu

    def _chose(self, menu: widgets.Dropdown, name: str) -> Callable[[Any], None]:
        def chose(change: Any) -> None:
            if change["new"]:
                menu.value = ""
                self._on[name](change["new"])

        return chose

    def offer(self, menu: widgets.Dropdown, entries: list[str]) -> None:
        """Set the entries of a menu."""
        options = [(menu.options[0][0], ""), *((self._say(name), name) for name in entries)]
        if options != list(menu.options):
            menu.options = options
            menu.index = None  # the page ignores an unchanged index and would show an empty menu
            menu.index = 0

    def mark(self, tab: str) -> None:
        """Show which tab is open."""
        self.lesson.value = pieces.lesson_links(tab, self._lang)
        for name, button in self.tabs.items():
            (button.add_class if name == tab else button.remove_class)("insanonym-open")

    def follow(self, trail: Any) -> None:
        """Enable undo, redo and pin where they are possible; disable all without a trail."""
        self.undo.disabled = trail is None or trail.previous() is None
        self.redo.disabled = trail is None or trail.following() is None
        self.find.layout.display = "none" if trail is None else ""
        self.pin.disabled = trail is None or trail.get(trail.current) is None
        pinned = trail is not None and trail.current in trail.pins.values()
        (self.pin.add_class if pinned else self.pin.remove_class)("insanonym-on")
