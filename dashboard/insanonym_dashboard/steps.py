"""The steps of a recipe as cards with sliders: add, move, remove; one declaration feeds each slider."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import ipywidgets as widgets

from insanonym_core.recipe import Step, method_entry
from insanonym_core.registry import Entry, methods
from insanonym_core.tabular.recipe_roles import columns_of_step, roles_from_recipe
from insanonym_core.tabular.step_defaults import columns_after, largest_l
from insanonym_core.tabular.table import Table
from insanonym_core.texts import say
from insanonym_dashboard import pieces
from insanonym_dashboard.controls import control
from insanonym_dashboard.elements import Helper
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
        self._helper = Helper()
        self._offering = False
        self._boxes, self._method, self._add = widgets.VBox(), self._switch(), self._adder()
        top = [widgets.HTML(f"<label>{say('Method', lang)}</label>"), self._method]
        self.children = [
            *(top if self._has_method_menu and not fixed else ()),
            self._boxes,
            *([] if fixed else [self._add]),
            self._helper,
        ]
        self.add_class("insanonym-steps")
        self.rebuild()
        state.observe(self._follow, "recipe")

    @property
    def _has_method_menu(self) -> bool:
        """Whether one of several methods ends a recipe of this kind."""
        return sum(entry.last for entry in methods.all(data=self._state.kind.name)) > 1

    def forget(self) -> None:
        """Stop following the recipe."""
        self._state.unobserve(self._follow, "recipe")

    def _follow(self, _: Any = None) -> None:
        if tuple(step.method for step in self._state.recipe.steps) != self._shown:
            self.rebuild()

    def rebuild(self) -> None:
        """Make all sliders anew, at the values of the recipe."""
        steps = self._state.recipe.steps
        self._shown = tuple(step.method for step in steps)
        old = self._boxes.children
        self._boxes.children = [self._box(place, step) for place, step in enumerate(steps)]
        self._offer()
        for one in old:
            pieces.close_all(one)

    # --- one step -----------------------------------------------------------------------------------

    def _box(self, place: int, step: Step) -> widgets.Widget:
        entry = method_entry(step.method, self._state.recipe.kind)
        columns = self._offered_columns(step)
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
                columns=columns,
                most=self._largest(name),
            )
            for name, parameter in entry.parameters.items()
            if not getattr(parameter.constraint, "filled_in", False)
        ]
        head = widgets.HBox([title, *([] if self._fixed else self._buttons(place, entry))])
        box = widgets.VBox([head, *sliders])
        box.add_class("insanonym-step")
        box.add_class(f"insanonym-step-{step.method}")
        return box

    def _table(self) -> Table | None:
        found = self._state.original()
        return found if isinstance(found, Table) else None

    def _offered_columns(self, step: Step) -> list[str]:
        """The columns that a step may take: those that are published, and those that it takes already."""
        table, columns = self._table(), list(self._columns())
        if step.method == "pseudonymise" or table is None:
            return columns
        hidden = roles_from_recipe(self._state.recipe, table).decided(table, columns_of_step(step)).hidden
        return [name for name in columns if name not in hidden]

    def _largest(self, name: str) -> float:
        """The largest number that makes sense for this table."""
        if name == "components":
            return float(len(self._columns()) or math.inf)
        if name == "l" and (table := self._table()) is not None:
            return float(largest_l(table, roles_from_recipe(self._state.recipe, table)))
        return self._most()

    def _buttons(self, place: int, entry: Entry) -> list[widgets.Button]:
        """Earlier, later, away: those that can work."""
        first, last = self._span()
        made = []
        if place < last and last - first > 1:
            made += [
                self._button("↑", "Move {step} earlier", "up", entry, lambda: self._move(place, -1)),
                self._button("↓", "Move {step} later", "down", entry, lambda: self._move(place, 1)),
            ]
        # A kind that uses the methods of others begins with its own: that one stays.
        if not (self._state.kind.uses_methods and entry.data == self._state.kind.name):
            made.append(self._button("✕", "Remove {step}", "away", entry, lambda: self._remove(place)))
        return made

    def _button(
        self, sign: str, what: str, name: str, entry: Entry, act: Callable[[], None]
    ) -> widgets.Button:
        told = say(what, self._lang, step=say(entry.title, self._lang))
        button = widgets.Button(description=sign, tooltip=told, layout=widgets.Layout(width="30px"))
        button.add_class("insanonym-small")
        button.add_class(f"insanonym-{name}")
        button.on_click(lambda _: act())
        return button

    def _span(self) -> tuple[int, int]:
        """From where to where steps can be moved: what publishes or counts stays the last."""
        steps = self._state.recipe.steps
        return 0, len(steps) - (1 if steps and self._ends(steps[-1].method) else 0)

    def _ends(self, method: str) -> bool:
        return method_entry(method, self._state.recipe.kind).last

    def _move(self, place: int, by: int) -> None:
        first, last = self._span()
        to = min(max(first, place + by), last - 1)
        if to != place:
            self._changed(lambda steps: self._moved(steps, place, to))
            self._helper.move_to(
                f".insanonym-step:nth-child({to + 1}) .insanonym-{'up' if by < 0 else 'down'}"
            )

    def _moved(self, steps: list[Step], place: int, to: int) -> None:
        """Put a step elsewhere; steps after one that leaves columns out do without these."""
        steps.insert(to, steps.pop(place))
        columns = list(self._columns())
        for number, step in enumerate(steps):
            left = columns_after(steps[:number], columns)
            kept = {
                name: tuple(one for one in value if one in left) or value
                if isinstance(value, tuple)
                else value
                for name, value in step.parameters.items()
            }
            steps[number] = Step(step.method, kept) if columns else step

    def _remove(self, place: int) -> None:
        self._changed(lambda steps: steps.pop(place))
        self._helper.move_to(".insanonym-adder select")

    def _changed(self, change: Callable[[list[Step]], Any]) -> None:
        steps = list(self._state.recipe.steps)
        change(steps)
        self._shown = ("",)  # two steps of one method may have changed places
        self._state.set_steps(tuple(steps))

    # --- more steps ---------------------------------------------------------------------------------

    def _adder(self) -> widgets.Dropdown:
        menu = self._menu(say("+ Add a step", self._lang))
        menu.add_class("insanonym-adder")
        menu.layout.margin = "10px 2px 2px"
        menu.observe(self._added, "value")
        return menu

    def _added(self, change: dict[str, Any]) -> None:
        if not change["new"] or self._offering:
            return
        _, last = self._span()
        place = last if not self._ends(change["new"]) else len(self._state.recipe.steps)
        self._changed(lambda steps: steps.insert(place, self._new(change["new"], place)))
        self._add.value = ""

    def _menu(self, name: str) -> widgets.Dropdown:
        return pieces.labelled(widgets.Dropdown(layout=widgets.Layout(width="100%")), name)

    def _offer(self) -> None:
        """What can be added, and the method that publishes: the menus stay, only what they list changes."""
        steps = self._state.recipe.steps
        now = steps[-1].method if steps and self._ends(steps[-1].method) else ""
        titles = [
            (say(one.title, self._lang), one.name)
            for one in methods.all(data=self._state.kind.name)
            if one.last
        ]
        none = [] if now else [(say("(none)", self._lang), "")]
        added = [(say(entry.title, self._lang), entry.name) for entry in self._offered()]
        self._offering = True
        _listed(self._add, [(say("+ Add a step", self._lang), ""), *added], "")
        if self._has_method_menu:
            _listed(self._method, [*none, *titles], now)
        self._offering = False

    def _offered(self) -> list[Entry]:
        """The methods that can work where a new step would stand."""
        kind, steps = self._state.kind, self._state.recipe.steps
        used = [entry for other in kind.uses_methods for entry in methods.all(data=other) if not entry.last]
        ended = bool(steps) and self._ends(steps[-1].method)
        return [*used, *(entry for entry in methods.all(data=kind.name) if not (ended and entry.last))]

    def _new(self, method: str, place: int, after: int | None = None) -> Step:
        """A step with columns that suit the table; `after` is where the steps after it begin."""
        new_step, data = self._state.kind.code("new_step"), self._state.original()
        if new_step is None or data is None:
            return Step(method)
        step: Step = new_step(method, self._state.recipe, data, place, place if after is None else after)
        return step

    def _switch(self) -> widgets.Dropdown:
        """The method that publishes, as a menu: another one takes its place and computes at once."""
        menu = self._menu(say("Method", self._lang))
        menu.add_class("insanonym-method")
        menu.observe(lambda change: self._switched(change["new"]), "value")
        return menu

    def _switched(self, method: str) -> None:
        if not method or self._offering:
            return
        steps = self._state.recipe.steps
        _, place = self._span()
        new = self._new(method, place, len(steps))
        known = method_entry(method, self._state.kind.name).parameters
        if (
            place < len(steps) and "k" in known and "k" in steps[place].parameters
        ):  # the k one has chosen stays
            new = Step(
                method, {**new.parameters, "k": max(steps[place].parameters["k"], new.parameters.get("l", 1))}
            )
        self._changed(lambda steps: steps.__setitem__(slice(place, None), [new]))


def _listed(menu: widgets.Dropdown, options: list[tuple[str, str]], value: str) -> None:
    if tuple(options) != tuple(menu.options):
        menu.options = options
    menu.value = value
