"""Tables: k and l, class sizes, risk, loss, distributions, a preview with the class of a chosen row."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import partial
from typing import Any

import ipywidgets as widgets
import numpy as np

from insanonym_core.experiment import Report
from insanonym_core.recipe import identifiers_of
from insanonym_core.runtime.jobs import Job
from insanonym_core.tabular.direct import direct_identifiers
from insanonym_core.tabular.exposure import classes_of_release
from insanonym_core.texts import Phrase
from insanonym_core.texts.numbers import number
from insanonym_dashboard import pieces
from insanonym_dashboard.elements import Rows, Ticked
from insanonym_dashboard.panels.tab import PLANE, TabPanel, evidence, overview, step_evidence
from insanonym_dashboard.tiles import Fold

CLASS = "Row {row} of the {rows} rows of the release: {size} rows look alike."
ALONE = "Row {row} of the {rows} rows of the release: no other row looks like it."
BUCKET = "Row {row} of the {rows} rows of the release: {size} rows share these sensitive values: {values}."
_SHOWN = 60
LEARNED = {
    "privacy.k": "rows in the smallest class: nobody hides among fewer",
    "privacy.l": "different sensitive values in the poorest class",
    "privacy.t": "largest distance between the sensitive values of a class and of the table (0 to 1)",
    "privacy.linkage": "chance to find the row of somebody of whom a few columns are known",
    "privacy.prosecutor": "mean chance to find somebody who is known to be in the table",
    "privacy.homogeneous": "rows whose class gives the sensitive value away",
}


class TablesPanel(TabPanel):
    """The Tables tab."""

    pages = {  # noqa: RUF012
        "Risk and loss": {
            "Where you are": PLANE,
            "Class sizes": evidence("privacy.k"),
            "Information lost": evidence("utility.ncp"),
            "What an attacker learns": "learned_tile",
        },
        "What can be guessed": {
            "Linkage": evidence("privacy.linkage"),
            "Sensitive values": evidence("privacy.uncertainty_removed"),
            "Values guessed": evidence("privacy.inference"),
            "Risk": overview("privacy"),
        },
        "Cuts": {
            "The first cuts": step_evidence("first_cuts"),
            "One branch of the cuts": step_evidence("branch"),
        },
        "Before and after": {
            "Most changed column": evidence("utility.distribution", 1, titled=True),
            "Second most changed column": evidence("utility.distribution", 2, titled=True),
            "Third most changed column": evidence("utility.distribution", 3, titled=True),
            "Fourth most changed column": evidence("utility.distribution", 4, titled=True),
        },
        "What is left": {
            "Distributions": evidence("utility.distribution"),
            "Difference of correlations": evidence("utility.correlation", 2),
            "Queries": evidence("utility.query_error"),
            "Utility": overview("utility"),
        },
        "The rows": {"The release, a row and its class": "rows_tile"},
    }
    explanations = {  # noqa: RUF012
        "Class sizes": "A class is a set of rows with the same quasi-identifiers; the smallest one is k.",
        "Information lost": (
            "NCP: how wide the published intervals are, compared with the whole column; 0 % is exact, 100 % "
            "says nothing."
        ),
        "What an attacker learns": "k, l and t of the poorest class, and the chance to be found.",
        "Linkage": "How often somebody who knows some columns of a person finds that person's row.",
        "Sensitive values": (
            "How often the sensitive value of a row is guessed when its class is known, and when only the "
            "whole table is."
        ),
        "Values guessed": (
            "How often the release tells the sensitive value of people in it, and of people who are not: "
            "the difference is what it tells about them alone."
        ),
        "Risk": (
            "Prosecutor risk: the chance to find somebody who is known to be in the table. t-closeness: how "
            "far a class is from the table. The page “All measures” explains each."
        ),
        "The first cuts": "Mondrian halves the table until a class would have fewer than k rows.",
        "One branch of the cuts": "From all rows down to one class, cut by cut.",
        "Distributions": (
            "Distance of each column from the original: total variation compares shares, KS the largest gap "
            "of the cumulated shares, Wasserstein how far values move."
        ),
        "Difference of correlations": "Release minus original: white is kept.",
        "Queries": "By how much counts over the release miss those over the original.",
        "Utility": "What an analyst can still do with the release.",
    }
    hints = {  # noqa: RUF012
        "Class sizes": "Rows with the same quasi-identifiers.",
        "Information lost": "How wide the published intervals are (NCP).",
        "What an attacker learns": "k, l and t of the poorest class",
        "Linkage": "A person's row found by a few columns.",
        "Sensitive values": "Guessed by class, and by the whole table.",
        "Values guessed": "For people in the data, and for others.",
        "Difference of correlations": "Release minus original.",
        "Queries": "Errors of counts over the release.",
    }

    def extras(self) -> list[widgets.Widget]:
        """Roles of the columns, from the file's own columns, folded to one line."""
        wide = widgets.Layout(width="100%")
        self.quasi = Ticked(description=self.say("Quasi-identifiers"), layout=wide)
        self.sensitive = Ticked(description=self.say("Sensitive columns"), layout=wide)
        self.identifier = pieces.labelled(widgets.Dropdown(layout=wide), self.say("Identifier"))
        pickers = (self.quasi, self.sensitive, self.identifier)
        named = [(widgets.HTML(f"<label>{one.description}</label>"), one) for one in pickers]
        self.roles = Fold(*(part for pair in named for part in pair), name="roles")
        self._offer()
        for role, picker in zip(("quasi", "sensitive", "identifier"), pickers, strict=True):
            picker.observe(partial(self._roles_changed, role), "value")
        return [self.roles]

    def learned_tile(self) -> tuple[widgets.Widget, list[widgets.Widget]]:
        """k, l, t and the risks, each with one sentence."""
        self.learned = widgets.HTML()
        return self.learned, []

    def _show(self) -> None:
        super()._show()
        report = self.state.report
        if report is not None and hasattr(self, "learned"):
            self.learned.value = pieces.measure_cards(report, LEARNED, self.lang)

    def _offer(self) -> None:
        """Set the options to the columns of the data, and the values to the roles of the recipe."""
        names, roles = list(self.state.columns()), self.state.recipe.roles
        self._offering, self._offered_roles = True, self.state.recipe.roles
        self.quasi.offer(names, roles.get("quasi", ()))
        self.sensitive.offer(names, roles.get("sensitive", ()))
        self.identifier.options = [(self.say("(none)"), ""), *((name, name) for name in names)]
        known = next(iter(identifiers_of(roles)), "")
        self.identifier.value = known if known in names else ""
        self._offering = False
        quasi, sensitive = len(self.quasi.value), len(self.sensitive.value)
        told = (
            Phrase.plural("{n} quasi-identifier", "{n} quasi-identifiers", n=quasi),
            Phrase.plural("{n} sensitive", "{n} sensitive", n=sensitive),
        )
        self.roles.tell(" · ".join(map(self.say, told)))

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

    def rows_tile(self) -> tuple[widgets.Widget, list[widgets.Widget]]:
        """A preview of what is published: a row is chosen by the slider or by a click."""
        self.row = widgets.IntSlider(value=self.state.view.get("row", 1), min=1, max=10**9)
        self.row.layout.width = "360px"
        self.row.description = self.say("Row of the release")
        self.row.style.description_width = "150px"
        self.row.observe(self.again, "value")
        self.first = 0
        self.said, self.preview = widgets.HTML(), Rows()
        self.preview.observe(self._clicked, "clicked")
        return widgets.VBox([self.said, self.preview]), [self.row]

    def _clicked(self, change: Any) -> None:
        self.row.value = self.first + change["new"][0] + 1

    def shown(self, report: Report) -> None:
        """Show the rows of the release around the chosen one, with its class."""
        if not hasattr(self, "row"):
            return

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
        frame = frame.astype(object).where(frame.notna(), "")  # a gap is a gap, however pandas writes it
        frame.insert(0, self.say("row"), range(self.first + 1, self.first + 1 + len(frame)), True)
        marked = [one - self.first for one in mine.tolist()]
        self.preview.content = pieces.frame_html(frame, marked=marked, chosen=row - self.first)

    def _alike(self, release: Any) -> tuple[Any, str]:
        """Number of the class of each row, or of its bucket of sensitive values."""
        if "smallest_group" in release.facts:
            return release.group, BUCKET
        return classes_of_release(release).code, CLASS


def _values(release: Any, group: int) -> str:
    """The sensitive values of a bucket, from the second table."""
    second = release.extra["sensitive"]
    mine = second[second.iloc[:, 0] == group + 1]
    return ", ".join(
        f"{value} ({count})" for value, count in zip(mine.iloc[:, 1], mine.iloc[:, 2], strict=True)
    )
