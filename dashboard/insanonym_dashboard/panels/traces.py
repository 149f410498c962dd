"""Study traces: cleaning, losses per year, growth of columns, traces as a flow, what two tables reveal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import ipywidgets as widgets
import numpy as np

from insanonym_core.experiment import load
from insanonym_core.recipe import Recipe, Step, identifiers_of
from insanonym_core.tabular.direct import direct_identifiers
from insanonym_core.tabular.roles import guess_roles
from insanonym_core.tabular.table import Column, Table
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
_ORDER = re.compile(r"year|ann[eé]e|(^|_)an($|_)|date|semest|period|session|order|ordre|time", re.I)
_ITEM = re.compile(r"diplom|degree|course|formation|etape|étape|step|item|program|fili[eè]re|event", re.I)
_MOST_ITEMS = 200


class TracesPanel(TabPanel):
    """Study traces."""

    demos = {"demo:enrolments": "Enrolments of a university"}  # noqa: RUF012
    pages = {  # noqa: RUF012
        "Cleaning": {
            "Suppression cascade": (step_evidence("Rows deleted in each pass"), HALF),
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

    def adapt(self, name: str, data: Any) -> dict[str, Any]:
        """Columns that look like people, years and steps until somebody chooses."""
        if data is None:
            load(replace(self.state.recipe, data=name))
            return {"roles": RECIPE.roles, "steps": RECIPE.steps}
        who, order, item = likely_columns(data)
        count = Step("count_traces", {"item": (item,), "order": (order,)})
        used = tuple(dict.fromkeys((item, order)))
        steps = (Step("suppress_rare_values", {"columns": used, "k": 5}), count)
        return {"roles": {"identifier": who, "guessed": ("identifier",)}, "steps": steps}

    def take(self, name: str, data: Any, changes: Mapping[str, Any] | None = None) -> None:
        """Other data: its columns are offered."""
        super().take(name, data, changes)
        self._offer()
        self.editor.rebuild()

    def _went_back(self) -> None:
        super()._went_back()
        self._offer()


def likely_columns(table: Table) -> tuple[str, str, str]:
    """Who is who, what orders a trace and what it is made of, by names and values: a first proposal."""
    names = list(table.columns)
    again = [name for name in names if table[name].domain < table.rows]  # somebody comes more than once
    guess = guess_roles(table).identifier
    who = guess if guess in again else max(again or names, key=lambda name: table[name].domain)
    direct = direct_identifiers(table)  # never proposed: what a step names is published
    others = [name for name in names if name != who and name not in direct] or [who]
    year = [name for name in others if _ORDER.search(name)] + [name for name in others if _years(table[name])]
    dates = [name for name in others if table[name].kind != "category"]
    order = (year or dates or others)[0]
    rest = [name for name in others if name != order] or others
    groups = [
        name for name in rest if table[name].kind == "category" and 1 < table[name].domain <= _MOST_ITEMS
    ]
    item = ([name for name in groups if _ITEM.search(name)] or groups or rest)[0]
    return who, order, item


def _years(column: Column) -> bool:
    values = column.numbers() if column.kind == "number" else np.empty(0)
    return bool(len(values) and ((values >= 1900) & (values <= 2100) & (values % 1 == 0)).all())
