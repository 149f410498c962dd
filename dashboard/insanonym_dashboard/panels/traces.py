"""Study traces: cleaning, losses per year, growth of columns, traces as a flow, what two tables reveal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from insanonym_core.recipe import identifiers_of
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.tab import PLANE, TabPanel, evidence, step_evidence
from insanonym_dashboard.tiles import Fold


class TracesPanel(TabPanel):
    """The Traces tab."""

    pages = {  # noqa: RUF012
        "Cleaning": {
            "Where you are": PLANE,
            "Suppression cascade": step_evidence("passes"),
            "Losses per year": step_evidence("losses"),
            "Flow": evidence("utility.counted", 1),
        },
        "Growth and sizes": {
            "Growth of columns": step_evidence("growth"),
            "Individuals": evidence("utility.counted", 0),
            "Small traces": evidence("privacy.small_traces"),
            "Sizes": evidence("privacy.alone"),
        },
        "Two tables together": {
            "What becomes known": evidence("privacy.pinned", 1),
            "Masked counts": evidence("privacy.pinned", 0),
            "Values left": evidence("privacy.values_left"),
            "Rare steps": evidence("privacy.rare_items"),
        },
    }
    explanations = {  # noqa: RUF012
        "Suppression cascade": (
            "Deleting a row may make another value rare: passes go on until nothing is rare, and a row that "
            "two passes would delete counts once, so that passes do not add up."
        ),
        "Losses per year": "Rows that the steps deleted, by year.",
        "Flow": "Who goes from which step of the studies to which.",
        "Growth of columns": "Columns are added while the rows lost stay within the budget.",
        "Individuals": "Counted exactly, hidden behind the mask, or deleted.",
        "Small traces": "A trace of few people tells who they are: is its count known?",
        "Sizes": "How many people share a trace; 1 is somebody alone.",
        "Masked counts": (
            "A second table, with fewer columns, is subtracted from the first: which masked counts it "
            "narrows or tells."
        ),
        "What becomes known": "Counts that were masked, and what two tables together say they are.",
        "Values left": (
            "How many values each masked count can still have for who subtracts all tables; protect sets the "
            "fewest."
        ),
        "Rare steps": "Steps of studies that few people took.",
    }
    hints = {  # noqa: RUF012
        "Suppression cascade": "Passes go on until nothing is rare.",
        "Growth of columns": "Columns added within the budget of losses.",
        "Small traces": "Are the counts of small traces known?",
        "What becomes known": "What two tables together tell.",
    }

    def extras(self) -> list[widgets.Widget]:
        """Control for the identifier column."""
        self.identifier = pieces.labelled(
            widgets.Dropdown(layout=widgets.Layout(width="100%")), self.say("Identifier")
        )
        label = widgets.HTML(f"<label>{self.say('Identifier')}</label>")
        self.roles = Fold(label, self.identifier, name="roles")
        self._offer()
        self.identifier.observe(self._identified, "value")
        return [self.roles]

    def _offer(self) -> None:
        """Set the options to the columns of the data, and the value to the identifier of the recipe."""
        self._offering, self._offered_roles = True, self.state.recipe.roles
        known, names = next(iter(identifiers_of(self.state.recipe.roles)), None), self.state.columns()
        self.identifier.options = names
        self.identifier.value = known if known in names else None
        self._offering = False
        self.roles.tell(self.say("Identifier: {name}", name=self.identifier.value or "–"))

    def _identified(self, change: Any) -> None:
        if change["new"] and not self._offering:
            before = self.state.recipe.roles
            kept = {name: before[name] for name in ("drop", "publish") if name in before}
            self.state.set_roles({**kept, "identifier": change["new"]})
            self.editor.rebuild()  # the identifier is no column of a step

    def take(self, name: str, data: Any, changes: Mapping[str, Any]) -> None:
        """Use other data: the controls list its columns."""
        super().take(name, data, changes)
        self._offer()
        self.editor.rebuild()

    def _follow_recipe(self) -> None:
        """Update the controls after the recipe was changed elsewhere (undo, link, file)."""
        super()._follow_recipe()
        if self.state.recipe.roles != self._offered_roles:
            self._offer()
            self.editor.rebuild()

    def _follow_data(self) -> None:
        super()._follow_data()
        self._offer()
