"""The steps of a recipe as cards with sliders: add, move, remove; one declaration feeds each slider."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import ipywidgets as widgets

from insanonym_core.recipe import Step, method_entry
from insanonym_core.registry import methods
from insanonym_core.texts import say
from insanonym_dashboard.controls import control
from insanonym_dashboard.state import TabState


class StepsEditor(widgets.VBox):  # type: ignore[misc]
    """Rebuilt only when the list of steps changes; a moved slider leaves it as it is."""

    def __init__(
        self,
        state: TabState,
        lang: str,
        *,
        columns: Callable[[], Sequence[str]] = tuple,
        most: Callable[[], float] = lambda: math.inf,
        fixed: bool = False,
    ) -> None:
        super().__init__()
        self._state, self._lang, self._columns, self._most, self._fixed = state, lang, columns, most, fixed
        self._shown: tuple[str, ...] = ()
        self.add_class("insanonym-steps")
        self.rebuild()
        state.observe(lambda _: self._follow(), "recipe")

    def _follow(self) -> None:
        if tuple(step.method for step in self._state.recipe.steps) != self._shown:
            self.rebuild()

    def rebuild(self) -> None:
        """Make all sliders anew, at the values of the recipe."""
        steps = self._state.recipe.steps
        self._shown = tuple(step.method for step in steps)
        boxes = [self._box(place, step) for place, step in enumerate(steps)]
        self.children = boxes if self._fixed else [*boxes, self._adder()]

    def _box(self, place: int, step: Step) -> widgets.Widget:
        entry = method_entry(step.method, self._state.recipe.kind)
        told = html.escape(say(entry.help, self._lang), quote=True)
        title = widgets.HTML(
            f"<b title='{told}'>{html.escape(say(entry.title, self._lang))}</b>",
            layout=widgets.Layout(flex="1 1 auto"),
        )
        sliders = [
            control(
                parameter,
                step.parameters.get(name, parameter.default),
                partial(self._state.set_parameter, place, name),
                lang=self._lang,
                columns=self._columns(),
                most=self._most(),
            )
            for name, parameter in entry.parameters.items()
        ]
        head = widgets.HBox([title, *([] if self._fixed else self._buttons(place))])
        box = widgets.VBox([head, *sliders])
        box.add_class("insanonym-step")
        box.add_class(f"insanonym-step-{step.method}")
        return box

    def _buttons(self, place: int) -> list[widgets.Button]:
        actions: Iterable[tuple[str, str, Callable[[list[Step]], Any]]] = (
            ("↑", "earlier", lambda steps: steps.insert(max(0, place - 1), steps.pop(place))),
            ("↓", "later", lambda steps: steps.insert(place + 1, steps.pop(place))),
            ("✕", "remove this step", lambda steps: steps.pop(place)),
        )
        made = []
        for sign, what, change in actions:
            button = widgets.Button(
                description=sign, tooltip=say(what, self._lang), layout=widgets.Layout(width="30px")
            )
            button.add_class("insanonym-small")
            button.on_click(lambda _, change=change: self._changed(change))
            made.append(button)
        return made

    def _changed(self, change: Callable[[list[Step]], Any]) -> None:
        steps = list(self._state.recipe.steps)
        change(steps)
        self._state.set_steps(tuple(steps))
        self.rebuild()

    def _adder(self) -> widgets.Widget:
        kind = self._state.recipe.kind
        known = [*methods.all(data=kind), *(methods.all(data="table") if kind == "traces" else ())]
        options = [(say("+ Add a step", self._lang), "")] + [
            (say(entry.title, self._lang), entry.name) for entry in known
        ]
        menu = widgets.Dropdown(options=options, value="", layout=widgets.Layout(width="100%"))

        def add(change: dict[str, Any]) -> None:
            if change["new"]:
                last = kind == "traces"  # counting comes last: cleaning goes before it
                self._changed(lambda steps: steps.insert(len(steps) - int(last), Step(change["new"])))

        menu.observe(add, "value")
        return menu
