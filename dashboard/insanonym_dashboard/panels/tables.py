"""Tables: k and l, class sizes, risk, loss, distributions, a preview with the class of a chosen row."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np

from insanonym_core.experiment import Report
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tabular.exposure import classes_of_release
from insanonym_core.tabular.roles import guess_roles
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.tab import HALF, WHOLE, TabPanel, evidence, overview, step_evidence

ROLES = {"quasi": ("sex", "age", "weight_kg", "town"), "sensitive": ("diagnosis",)}
RECIPE = Recipe((Step("mondrian", {"k": 5}),), data="demo:patients", kind="table", seed=1, roles=ROLES)
_DEMO_ROLES: dict[str, dict[str, Any]] = {
    "demo:patients": ROLES,
    "demo:enrolments": {
        "identifier": "CODE_INDIVIDU",
        "quasi": ("REGROUPEMENT_BAC", "CONTINENT", "ANNEE_INSCRIPTION", "NIVEAU_APRES_BAC"),
        "sensitive": ("LIBELLE_REGIME",),
    },
}
_SHOWN = 60


class TablesPanel(TabPanel):
    """Tables."""

    demos = {  # noqa: RUF012
        "demo:patients": "Made-up hospital (600 patients)",
        "demo:enrolments": "Enrolments of a university",
    }
    pages = {  # noqa: RUF012
        "Risk and loss": {
            "Class sizes": (evidence("privacy.k"), HALF),
            "Information lost": (evidence("utility.ncp"), HALF),
            "Linkage": (evidence("privacy.linkage"), HALF),
            "Risk": (overview("privacy"), HALF),
        },
        "Cuts": {"The first cuts": (step_evidence("The first cuts"), WHOLE)},
        "What is left": {
            "Distributions": (evidence("utility.distribution"), HALF),
            "Difference of correlations": (evidence("utility.correlation", 2), HALF),
            "Queries": (evidence("utility.query_error"), HALF),
            "Utility": (overview("utility"), HALF),
        },
    }

    def extras(self) -> list[widgets.Widget]:
        """Roles of the columns, from the file's own columns."""
        self.quasi, self.sensitive = (
            widgets.SelectMultiple(rows=6, layout=widgets.Layout(width="100%")) for _ in range(2)
        )
        self.identifier = widgets.Dropdown(layout=widgets.Layout(width="100%"))
        self._offer()
        for box in (self.quasi, self.sensitive, self.identifier):
            box.observe(self._roles_changed, "value")
        labelled = [
            widgets.HTML(f"<label>{self.say('Quasi-identifiers')}</label>"),
            self.quasi,
            widgets.HTML(f"<label>{self.say('Sensitive columns')}</label>"),
            self.sensitive,
            widgets.HTML(f"<label>{self.say('Identifier')}</label>"),
            self.identifier,
        ]
        return [pieces.card(self.say("Roles"), *labelled, name="roles")]

    def _offer(self) -> None:
        names, roles = list(self.columns()), self.state.recipe.roles
        self.quasi.options, self.sensitive.options = names, names
        self.identifier.options = [(self.say("(none)"), ""), *((name, name) for name in names)]
        self.quasi.value = [name for name in roles.get("quasi", ()) if name in names]
        self.sensitive.value = [name for name in roles.get("sensitive", ()) if name in names]
        self.identifier.value = roles.get("identifier") or ""

    def _roles_changed(self, _: Any) -> None:
        roles: dict[str, Any] = {"quasi": tuple(self.quasi.value), "sensitive": tuple(self.sensitive.value)}
        if self.identifier.value:
            roles["identifier"] = self.identifier.value
        self.state.set_roles(roles)

    def take(self, name: str, data: Any) -> None:
        """Other data with other roles: those of the demonstration, or a guess."""
        if data is None:
            roles = _DEMO_ROLES[name]
        else:
            guess = guess_roles(data)
            roles = {"quasi": guess.quasi[:6], "sensitive": guess.sensitive}
            roles |= {"identifier": guess.identifier} if guess.identifier else {}
        self.state.set_data(name, data, roles=roles)
        for box in (self.quasi, self.sensitive, self.identifier):
            box.unobserve(self._roles_changed, "value")
        self._offer()
        for box in (self.quasi, self.sensitive, self.identifier):
            box.observe(self._roles_changed, "value")
        self.editor.rebuild()

    def below(self, page: str) -> list[widgets.Widget]:
        """A preview of what is published."""
        if page != "Risk and loss":
            return []
        self.row = widgets.BoundedIntText(value=1, min=1, max=_SHOWN, layout=widgets.Layout(width="200px"))
        self.row.description = self.say("Row")
        self.row.observe(self.again, "value")
        self.preview = widgets.HTML()
        return [
            pieces.card(self.say("The release, a row and its class"), self.row, self.preview, name="preview")
        ]

    def shown(self, report: Report) -> None:
        """The first rows of the release, with the class of the chosen one."""
        release = report.release
        frame = release.frame.head(_SHOWN)
        classes = classes_of_release(release)
        row = min(self.row.value, len(frame)) - 1
        mine = np.flatnonzero(classes.code == classes.code[row])
        said = self.say(
            "Row {row} stands in a class of {size} rows that look alike.", row=row + 1, size=len(mine)
        )
        marked = mine[mine < _SHOWN].tolist()
        self.preview.value = f"<p>{said}</p>" + pieces.frame_html(frame, marked=marked, chosen=row)
