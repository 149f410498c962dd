"""The steps of a recipe as compact rows with sliders; one declaration feeds each control."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from insanonym_core.recipe import Step
from insanonym_core.texts import say
from insanonym_dashboard.controls import as_json, control
from insanonym_dashboard.state import TabState
from insanonym_dashboard.step_editing import StepEditing

log = logging.getLogger("insanonym")


class StepRows(anywidget.AnyWidget):
    """Steps with their controls, drawn by steps.js.

    `steps` declares them, `values` holds the value of each control by "step id.parameter", on the page and
    here. Steps are drawn anew when `version` grows.
    """

    _esm = Path(__file__).parent / "steps.js"

    steps: Any = traitlets.List().tag(sync=True)
    values: Any = traitlets.Dict().tag(sync=True)
    offered: Any = traitlets.List().tag(sync=True)
    """Methods that can be added: pairs of a title and a name."""
    span: Any = traitlets.Dict().tag(sync=True)
    """Places between which steps can be moved: `first` and `last` (excluded)."""
    texts: Any = traitlets.Dict().tag(sync=True)
    version = traitlets.Int(0).tag(sync=True)

    def declare(self, steps: list[dict[str, Any]], values: Mapping[str, Any], **traits: Any) -> None:
        """Replace the steps."""
        with self.hold_sync():
            self.steps, self.values = steps, dict(values)
            for name, value in traits.items():
                setattr(self, name, value)
            self.version += 1


class StepsEditor:
    """Shows the steps of a tab's recipe in `rows` and changes them.

    Rows are declared anew only when the list of steps changes; otherwise only values move.
    """

    def __init__(
        self, state: TabState, lang: str, *, fixed: bool = False, only: Collection[str] | None = None
    ) -> None:
        """With `fixed` the list of steps stays; `only` shows these parameters ("method.name") alone."""
        self.rows = StepRows()
        self._state, self._lang, self._fixed, self._only = state, lang, fixed, only
        self._editing = StepEditing(state)
        self._declared: tuple[str, ...] | None = None
        self._place_of: dict[str, int] = {}  # step id → place
        self._following = False
        self.rebuild()
        self.rows.observe(self._moved, "values")
        self.rows.on_msg(self._asked)
        state.observe(self._follow, "recipe")

    def close(self) -> None:
        """Stop following the recipe."""
        self._state.unobserve(self._follow, "recipe")

    def _follow(self, _: Any = None) -> None:
        steps = self._state.recipe.steps
        if tuple(step.method for step in steps) != self._declared or self._lacks_position():
            self.rebuild()
        elif not self._following:
            self._set_values()

    def _lacks_position(self) -> bool:
        """Whether a slider has no position for the value of the recipe."""
        return any(
            one["type"] == "slider"
            and self._value(self._place_of[step["id"]], one["name"]) not in one["values"]
            for step in self.rows.steps
            for one in step["parameters"]
        )

    def rebuild(self) -> None:
        """Declare all controls anew, at the values of the recipe."""
        steps = self._state.recipe.steps
        self._declared = tuple(step.method for step in steps)
        ids = [f"{self.rows.version + 1}-{place}" for place in range(len(steps))]
        self._place_of = {name: place for place, name in enumerate(ids)}
        first, last = self._editing.span()
        offered = [] if self._fixed else [(self._say(one.title), one.name) for one in self._editing.offered()]
        self._following = True
        declared = [self._declare(place, step, ids[place]) for place, step in enumerate(steps)]
        self.rows.declare(
            [one for one in declared if self._only is None or one["parameters"]],
            self._values(),
            offered=offered,
            span={"first": first, "last": last},
            texts={"add": self._say("+ Add a step")},
        )
        self._following = False

    def _declare(self, place: int, step: Step, step_id: str) -> dict[str, Any]:
        entry = self._editing.entry(step)
        title = self._say(entry.title)
        first, last = self._editing.span()
        columns = self._editing.columns_for(step)
        return {
            "id": step_id,
            "method": step.method,
            "title": title,
            "help": self._say(entry.help),
            "help_title": self._say("What {step} does", step=title),
            "movable": not self._fixed and first <= place < last and last - first > 1,
            "move": self._say("Move {step}: drag it, or use the arrow keys", step=title),
            "removable": not self._fixed and self._editing.is_removable(step),
            "remove": self._say("Remove {step}", step=title),
            "parameters": [
                control(
                    parameter,
                    self._value(place, name),
                    lang=self._lang,
                    columns=columns,
                    max_value=self._editing.max_value(name),
                )
                for name, parameter in entry.parameters.items()
                if not getattr(parameter.constraint, "filled_in", False)
                and (self._only is None or f"{step.method}.{name}" in self._only)
            ],
        }

    def _say(self, text: str, **values: object) -> str:
        return say(text, self._lang, **values)

    def _value(self, place: int, name: str) -> Any:
        step = self._state.recipe.steps[place]
        return step.parameters.get(name, self._editing.entry(step).parameters[name].default)

    def _values(self) -> dict[str, Any]:
        """The value of each control, by step id and parameter."""
        return {
            f"{step_id}.{name}": as_json(self._value(place, name))
            for step_id, place in self._place_of.items()
            for name in self._editing.entry(self._state.recipe.steps[place]).parameters
        }

    def _set_values(self) -> None:
        self._following = True
        self.rows.values = self._values()
        self._following = False

    def _moved(self, change: Mapping[str, Any]) -> None:
        """A control was moved on the page."""
        if self._following:
            return
        now = self._values()
        changed = {key: value for key, value in change["new"].items() if key in now and value != now[key]}
        place_of = dict(self._place_of)  # a typed value may declare all rows anew, with other ids
        for key, value in changed.items():
            step_id, _, name = key.partition(".")
            self._following = True
            try:
                self._state.set_parameter(place_of[step_id], name, value)
            finally:
                self._following = False
        if self._values() != {key: change["new"].get(key) for key in now}:
            self._set_values()  # a value that was refused, or replaced by a clean one

    def _asked(self, _: Any, content: Any, __: Any) -> None:
        """Handle a button or menu of the page; messages about replaced steps are ignored."""
        if not isinstance(content, dict) or content.get("version") != self.rows.version:
            return
        actions: dict[str, Callable[[], None]] = {
            "move": lambda: self._editing.move(int(content["from"]), int(content["to"])),
            "remove": lambda: self._editing.remove(int(content["place"])),
            "add": lambda: self._editing.add(str(content["method"])),
        }
        version = self.rows.version
        try:
            actions[content["event"]]()
        except (KeyError, TypeError, ValueError, OverflowError):
            log.warning("a message of the steps was not understood")
            return
        if self.rows.version == version:  # else the recipe changed and they were declared anew already
            self.rebuild()
