"""Study traces: cleaning, losses per year, growth of columns, traces as a flow, what two tables reveal."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from insanonym_core.recipe import Recipe, Step
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.tab import HALF, WHOLE, TabPanel, evidence, step_evidence

YEAR, BAC, DIPLOMA, WHO = "ANNEE_INSCRIPTION", "REGROUPEMENT_BAC", "LIB_DIPLOME", "CODE_INDIVIDU"
RECIPE = Recipe(
    (
        Step("suppress_rare_values", {"k": 10}),
        Step(
            "grow_projection",
            {
                "start": (DIPLOMA, BAC, YEAR),
                "candidates": ("CONTINENT", "NIVEAU_APRES_BAC", "LIBELLE_REGIME"),
                "k": 5,
                "max_loss": 0.1,
            },
        ),
        Step("count_traces", {"item": (DIPLOMA,), "order": (YEAR,), "prefix": (BAC,), "mask": 10}),
    ),
    data="demo:enrolments",
    kind="traces",
    seed=1,
    roles={"identifier": WHO},
)


class TracesPanel(TabPanel):
    """Study traces."""

    demos = {"demo:enrolments": "Enrolments of a university"}  # noqa: RUF012
    pages = {  # noqa: RUF012
        "Cleaning": {
            "Suppression cascade": (step_evidence("Rows left after each pass"), HALF),
            "Losses per year": (step_evidence("Rows lost by"), HALF),
            "Growth of columns": (step_evidence("Rows lost as columns are added"), HALF),
            "Individuals": (evidence("utility.counted", 0), HALF),
        },
        "Traces": {
            "Flow": (evidence("utility.counted", 1), WHOLE),
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
        names = list(self.columns())
        self.identifier = widgets.Dropdown(
            options=names,
            value=self.state.recipe.roles.get("identifier"),
            layout=widgets.Layout(width="100%"),
        )
        self.identifier.observe(lambda change: self.state.set_roles({"identifier": change["new"]}), "value")
        label = widgets.HTML(f"<label>{self.say('Identifier')}</label>")
        return [pieces.card(self.say("Roles"), label, self.identifier, name="roles")]

    def take(self, name: str, data: Any) -> None:
        """Other data: its first columns until somebody chooses."""
        if data is None:
            self.state.set_data(name, None, roles=RECIPE.roles, steps=RECIPE.steps)
        else:
            names = list(data.columns)
            steps = (
                Step("suppress_rare_values", {"k": 5}),
                Step(
                    "count_traces",
                    {"item": tuple(names[2:3]) or (names[0],), "order": tuple(names[1:2]) or (names[0],)},
                ),
            )
            self.state.set_data(name, data, roles={"identifier": names[0]}, steps=steps)
            self.identifier.options = names
        self.editor.rebuild()
