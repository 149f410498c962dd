"""Study traces: cleaning, losses per year, growth of columns, traces as a flow, what two tables reveal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from insanonym_core.recipe import identifiers_of
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.tab import HALF, WHOLE, TabPanel, evidence, step_evidence


class TracesPanel(TabPanel):
    """Study traces."""

    pages = {  # noqa: RUF012
        "Cleaning": {
            "Suppression cascade": (step_evidence("passes"), HALF),
            "Losses per year": (step_evidence("losses"), HALF),
            "Growth of columns": (step_evidence("growth"), HALF),
            "Individuals": (evidence("utility.counted", 0), HALF),
        },
        "Traces": {
            "Flow": (evidence("utility.counted", 1), WHOLE),
            "Small traces": (evidence("privacy.small_traces"), HALF),
            "Sizes": (evidence("privacy.alone"), HALF),
            "Rare steps": (evidence("privacy.rare_items"), HALF),
        },
        "Two tables together": {
            "Masked counts": (evidence("privacy.pinned", 0), HALF),
            "What becomes known": (evidence("privacy.pinned", 1), WHOLE),
        },
    }

    def extras(self) -> list[widgets.Widget]:
        """Who is who."""
        self.identifier = pieces.labelled(
            widgets.Dropdown(layout=widgets.Layout(width="100%")), self.say("Identifier")
        )
        self._offer()
        self.identifier.observe(self._identified, "value")
        label = widgets.HTML(f"<label>{self.say('Identifier')}</label>")
        return [pieces.card(self.say("Roles"), label, self.identifier, name="roles")]

    def _offer(self) -> None:
        """The columns of the data, and who is who in the recipe."""
        self._offering = True
        known, names = next(iter(identifiers_of(self.state.recipe.roles)), None), list(self.columns())
        self.identifier.options = names
        self.identifier.value = known if known in names else None
        self._offering = False

    def _identified(self, change: Any) -> None:
        if change["new"] and not self._offering:
            before = self.state.recipe.roles
            kept = {name: before[name] for name in ("drop", "publish") if name in before}
            self.state.set_roles({**kept, "identifier": change["new"]})
            self.editor.rebuild()  # the identifier is no column of a step

    def take(self, name: str, data: Any, changes: Mapping[str, Any]) -> None:
        """Other data: its columns are offered."""
        super().take(name, data, changes)
        self._offer()
        self.editor.rebuild()

    def _went_back(self) -> None:
        super()._went_back()
        self._offer()
