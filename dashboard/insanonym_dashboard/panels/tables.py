"""Tables: k and l, class sizes, risk, loss, distributions, a preview with the class of a chosen row."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import partial
from typing import Any

import ipywidgets as widgets
import numpy as np

from insanonym_core.experiment import Report
from insanonym_core.jobs import Job
from insanonym_core.recipe import identifiers_of
from insanonym_core.tabular.direct import direct_identifiers
from insanonym_core.tabular.exposure import classes_of_release
from insanonym_core.written import number
from insanonym_dashboard import pieces
from insanonym_dashboard.elements import Helper, Rows, Ticked
from insanonym_dashboard.panels.tab import HALF, WHOLE, TabPanel, evidence, overview, step_evidence

CLASS = "Row {row} of the {rows} rows of the release: {size} rows look alike."
ALONE = "Row {row} of the {rows} rows of the release: no other row looks like it."
BUCKET = "Row {row} of the {rows} rows of the release: {size} rows share these sensitive values: {values}."
_SHOWN = 60


class TablesPanel(TabPanel):
    """Tables."""

    pages = {  # noqa: RUF012
        "Risk and loss": {
            "Class sizes": (evidence("privacy.k"), HALF),
            "Information lost": (evidence("utility.ncp"), HALF),
            "Linkage": (evidence("privacy.linkage"), HALF),
            "Sensitive values": (evidence("privacy.uncertainty_removed"), HALF),
            "Values guessed": (evidence("privacy.inference"), HALF),
            "Risk": (overview("privacy"), HALF),
        },
        "Cuts": {
            "The first cuts": (step_evidence("first_cuts"), WHOLE),
            "One branch of the cuts": (step_evidence("branch"), WHOLE),
        },
        "Before and after": {
            "Most changed column": (evidence("utility.distribution", 1), HALF),
            "Second most changed column": (evidence("utility.distribution", 2), HALF),
            "Third most changed column": (evidence("utility.distribution", 3), HALF),
            "Fourth most changed column": (evidence("utility.distribution", 4), HALF),
        },
        "What is left": {
            "Distributions": (evidence("utility.distribution"), HALF),
            "Difference of correlations": (evidence("utility.correlation", 2), HALF),
            "Queries": (evidence("utility.query_error"), HALF),
            "Utility": (overview("utility"), HALF),
        },
    }

    def extras(self) -> list[widgets.Widget]:
        """Roles of the columns, from the file's own columns."""
        wide = widgets.Layout(width="100%")
        self.quasi = Ticked(description=self.say("Quasi-identifiers"), layout=wide)
        self.sensitive = Ticked(description=self.say("Sensitive columns"), layout=wide)
        self.identifier = pieces.labelled(widgets.Dropdown(layout=wide), self.say("Identifier"))
        self._offer()
        pickers = (self.quasi, self.sensitive, self.identifier)
        for role, picker in zip(("quasi", "sensitive", "identifier"), pickers, strict=True):
            picker.observe(partial(self._roles_changed, role), "value")
        named = [(widgets.HTML(f"<label>{one.description}</label>"), one) for one in pickers]
        return [pieces.card(self.say("Roles"), *(part for pair in named for part in pair), name="roles")]

    def _offer(self) -> None:
        """The columns of the data, and the roles of the recipe."""
        names, roles = list(self.columns()), self.state.recipe.roles
        self._offering = True
        self.quasi.offer(names, roles.get("quasi", ()))
        self.sensitive.offer(names, roles.get("sensitive", ()))
        self.identifier.options = [(self.say("(none)"), ""), *((name, name) for name in names)]
        known = next(iter(identifiers_of(roles)), "")
        self.identifier.value = known if known in names else ""
        self._offering = False

    def _roles_changed(self, role: str, _: Any) -> None:
        if self._offering:
            return
        before = self.state.recipe.roles
        roles: dict[str, Any] = {name: before[name] for name in ("drop", "publish", "by") if name in before}
        roles |= {"quasi": self.quasi.value, "sensitive": self.sensitive.value}
        # Further identifiers stay; none at all is a choice too, and no reason to guess one.
        further = tuple(one for one in identifiers_of(before)[1:] if one != self.identifier.value)
        roles["identifier"] = (*((self.identifier.value,) if self.identifier.value else ()), *further)
        # What somebody has set is no guess any more.
        roles["guessed"] = tuple(one for one in before.get("guessed", ()) if one != role)
        if role == "identifier":
            # Whose values they are was not known when they were guessed.
            known = roles["identifier"]
            direct = {*known, *direct_identifiers(self.original(), known)}
            for one in ("quasi", "sensitive"):
                if one in roles["guessed"]:
                    roles[one] = tuple(name for name in roles[one] if name not in direct)
        self.state.set_roles(roles)
        self._offer()
        self.editor.rebuild()  # which columns a step may take and how large l can be depends on them

    def take(self, name: str, data: Any, changes: Mapping[str, Any]) -> None:
        """Other data: its columns are offered."""
        super().take(name, data, changes)
        self._offer()
        self.editor.rebuild()

    def _went_back(self) -> None:
        super()._went_back()
        self._offer()

    def below(self, page: str) -> list[widgets.Widget]:
        """A preview of what is published: a row is chosen by the slider or by a click."""
        if page != "Risk and loss":
            return []
        self.row = widgets.IntSlider(
            value=self.state.view.get("row", 1), min=1, max=10**9, layout=widgets.Layout(width="100%")
        )
        self.row.description = self.say("Row of the release")
        self.row.style.description_width = "150px"
        self.row.observe(self.again, "value")
        self.first = 0
        self.said, self.preview = widgets.HTML(), Rows()
        self.preview.observe(self._clicked, "clicked")
        parts = self.row, self.said, self.preview, Helper()
        return [pieces.card(self.say("The release, a row and its class"), *parts, name="preview")]

    def _clicked(self, change: Any) -> None:
        self.row.value = self.first + change["new"][0] + 1

    def shown(self, report: Report) -> None:
        """The rows of the release around the chosen one, with its class; looked up beside the page."""

        def work(_: Job) -> Any:
            return len(report.release.frame), self._alike(report.release)

        def done(found: Any, error: Exception | None) -> None:
            if error is not None:
                self.state.fail(error)
            elif report is self.state.report:
                self._preview(report.release, *found)

        self.state.figures.submit(work, done)

    def _preview(self, release: Any, rows: int, alike: tuple[Any, str]) -> None:
        row = min(self.row.value, rows) - 1
        self.state.view["row"] = row + 1
        if self.row.max != rows:
            self.row.max = rows
        if not self.first <= row < min(self.first + _SHOWN, rows):
            self.first = max(0, min(row - _SHOWN // 2, rows - _SHOWN))
        of, said = alike
        mine = np.flatnonzero(of == of[row])
        count = {"row": number(row + 1, self.lang), "rows": number(rows, self.lang), "size": len(mine)}
        count |= {"values": _values(release, int(of[row]))} if said is BUCKET else {}
        told = self.say(said if len(mine) > 1 else ALONE, **count)
        self.said.value = f"<p>{html.escape(told)}</p>"
        frame = release.frame.iloc[self.first : self.first + _SHOWN].copy()
        frame.insert(0, self.say("row"), range(self.first + 1, self.first + 1 + len(frame)), True)
        marked = [one - self.first for one in mine.tolist()]
        self.preview.content = pieces.frame_html(frame, marked=marked, chosen=row - self.first)

    def _alike(self, release: Any) -> tuple[Any, str]:
        """For each row what it cannot be told apart by: its class, or its bucket of sensitive values."""
        if "smallest_group" in release.facts:
            return release.group, BUCKET
        return classes_of_release(release).code, CLASS


def _values(release: Any, group: int) -> str:
    """The sensitive values of a bucket, as the second table tells them."""
    second = release.extra["sensitive"]
    mine = second[second.iloc[:, 0] == group + 1]
    return ", ".join(
        f"{value} ({count})" for value, count in zip(mine.iloc[:, 1], mine.iloc[:, 2], strict=True)
    )
