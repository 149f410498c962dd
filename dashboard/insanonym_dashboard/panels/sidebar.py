"""The sidebar of a tab: data in one line, presets, the steps, roles and scoring folded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from insanonym_core.kinds import Kind
from insanonym_core.parameters import Choice, Parameter
from insanonym_core.presets import preset_recipe, presets_of
from insanonym_core.recipe import Recipe
from insanonym_core.registry import metrics
from insanonym_core.texts import choice_label, parameter_label, say
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.data_card import DataCard
from insanonym_dashboard.state import TabState
from insanonym_dashboard.steps import StepsEditor
from insanonym_dashboard.tiles import Fold

START_FROM = "Start from…"
NO_SEED = "Your own data has no seed: nobody can repeat its draws."


def section(title: str, *children: widgets.Widget, name: str = "") -> widgets.VBox:
    """A part of the sidebar with a small heading."""
    made = widgets.VBox([widgets.HTML(f"<h2>{title}</h2>"), *children])
    made.add_class("insanonym-section")
    if name:
        made.add_class(f"insanonym-{name}")
    return made


class PresetMenu:
    """`menu` lists recipes worth starting from; choosing one sets the steps."""

    def __init__(self, state: TabState, lang: str, take: Callable[[str, Any, dict[str, Any]], None]) -> None:
        self._state, self._lang, self._take = state, lang, take
        self.menu = widgets.Dropdown(layout={"width": "100%"})
        pieces.labelled(self.menu, say(START_FROM, lang)).add_class("insanonym-presets")
        self.follow()
        self.menu.observe(lambda change: self._chose(change["new"]), "value")

    def follow(self) -> None:
        """List all presets; for uploaded data, only those whose steps name no columns."""
        offered = [
            (say(one.title, self._lang), one.name)
            for one in presets_of(self._state.kind)
            if self._state.data is None or not _names_columns(one.recipe)
        ]
        options = [(say(START_FROM, self._lang), ""), *offered]
        if options != list(self.menu.options):
            self.menu.options = options
            self.menu.index = None  # the page ignores an unchanged index and would show an empty menu
            self.menu.index = 0

    def _chose(self, name: str) -> None:
        """Take the steps of a preset, and its data where another demonstration set is shown."""
        if not name:
            return
        self.menu.value = ""
        recipe = preset_recipe(self._state.kind, name)
        if self._state.data is None and recipe.data and recipe.data != self._state.recipe.data:
            self._take(recipe.data, None, {"roles": recipe.roles, "steps": recipe.steps})
        else:
            self._state.set_steps(recipe.steps)


def _names_columns(recipe: Recipe) -> bool:
    """Whether a step names columns of its data."""
    return any(isinstance(value, tuple) for step in recipe.steps for value in step.parameters.values())


class Scoring(Fold):
    """Rules, seed, repeatable draws and what else its measures let one choose, folded to one line."""

    def __init__(self, state: TabState, lang: str) -> None:
        self._state, self._lang = state, lang
        recipe = state.recipe
        self.seed = widgets.BoundedIntText(
            value=recipe.seed or 0, min=0, max=10**9, disabled=recipe.seed is None, layout={"width": "100%"}
        )
        self.seed.description = say("Seed", lang)
        self.repeatable = widgets.Checkbox(
            value=recipe.seed is not None, indent=False, description=say("Repeatable draws", lang)
        )
        self.repeatable.add_class("insanonym-repeatable")
        self.note = widgets.HTML(f"<small>{say(NO_SEED, lang)}</small>")
        rules = list(state.kind.rules)
        self.rules = widgets.Dropdown(options=rules, value=recipe.rules if rules else None)
        self.rules.layout.width, self.rules.description = "100%", say("Rules", lang)
        self.settings = {name: self._menu(name) for name in state.kind.chosen_settings}
        self._showing = False
        super().__init__(
            *([self.rules] if rules else []),
            *self.settings.values(),
            self.repeatable,
            self.seed,
            self.note,
            name="scoring",
        )
        self.rules.observe(self._set_rules, "value")
        self.seed.observe(self._set_seed, "value")
        self.repeatable.observe(self._set_seed, "value")
        for name, menu in self.settings.items():
            menu.observe(lambda change, name=name: self._set_setting(name, change["new"]), "value")
        self.follow()

    def _menu(self, name: str) -> widgets.Dropdown:
        """The choices that the measures have for a parameter."""
        choices = _declared(self._state.kind, name).constraint
        if not isinstance(choices, Choice):
            raise TypeError(f"Only a choice can stand in this menu, got {name}: {choices.allowed()}.")
        menu = widgets.Dropdown(options=[(choice_label(one, self._lang), one) for one in choices.values])
        menu.layout.width, menu.description = "100%", parameter_label(name, self._lang)
        menu.add_class(f"insanonym-setting-{name}")
        return menu

    def follow(self) -> None:
        """Show the recipe's rules and seed; only demonstration data has a seed."""
        recipe, own = self._state.recipe, self._state.data is not None
        self._showing = True
        self.repeatable.value = recipe.seed is not None
        self.seed.disabled = recipe.seed is None
        if recipe.seed is not None:
            self.seed.value = recipe.seed
        if self.rules.options:
            self.rules.value = recipe.rules
        for name, menu in self.settings.items():
            menu.value = recipe.settings.get(name, _declared(self._state.kind, name).default)
        self._showing = False
        for control in (self.seed, self.repeatable):
            control.layout.display = "none" if own else ""
        self.note.layout.display = "" if own else "none"
        parts = [f"{say('Rules', self._lang)} {recipe.rules}"] if self._state.kind.rules else []
        if recipe.seed is not None:
            parts.append(say("seed {seed}", self._lang, seed=recipe.seed))
        else:
            parts.append(say("no seed", self._lang))
        parts += [f"{menu.description} {menu.label}" for menu in self.settings.values()]
        self.tell(say("Scoring: {how}", self._lang, how=" · ".join(parts)))

    def _set_rules(self, change: Any) -> None:
        if not self._showing:
            self._state.set_rules(change["new"])

    def _set_setting(self, name: str, value: str) -> None:
        if not self._showing:
            self._state.set_setting(name, value)

    def _set_seed(self, _: Any) -> None:
        if not self._showing:
            self._state.set_seed(self.seed.value if self.repeatable.value else None)


def _declared(kind: Kind, name: str) -> Parameter:
    """The declaration of a parameter that measures of a kind have."""
    return next(entry.parameters[name] for entry in metrics.all(data=kind.name) if name in entry.parameters)


class Sidebar:
    """`root` is the column on the left; a tab adds folded parts of its own."""

    def __init__(
        self,
        state: TabState,
        lang: str,
        data: DataCard,
        editor: StepsEditor,
        extras: Sequence[widgets.Widget],
        take: Callable[[str, Any, dict[str, Any]], None],
    ) -> None:
        self.scoring = Scoring(state, lang)
        self.presets = PresetMenu(state, lang, take)
        self.root = widgets.VBox(
            [
                section(say("Data", lang), data.root, *extras, name="data"),
                section(say("Recipe", lang), self.presets.menu, editor.rows, name="recipe"),
                self.scoring,
            ]
        )
        self.root.add_class("insanonym-sidebar")

    def follow(self) -> None:
        """Show the recipe's rules and seed, and the presets for the data that is open."""
        self.scoring.follow()
        self.presets.follow()
