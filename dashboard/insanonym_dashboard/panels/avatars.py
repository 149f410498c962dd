"""Avatars of patients: distances with baselines, resemblance, one person and their avatar."""

from __future__ import annotations

import ipywidgets as widgets
import numpy as np

from insanonym_core.avatars.walkthrough import avatar_distances
from insanonym_core.experiment import Report
from insanonym_core.texts.numbers import number
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.drawers import KindComparison
from insanonym_dashboard.panels.tab import PLANE, TabPanel, evidence, overview


class AvatarsPanel(TabPanel):
    """The Avatars tab."""

    fixed_steps = True
    pages = {  # noqa: RUF012
        "Distances": {
            "Where you are": PLANE,
            "DCR": evidence("privacy.dcr_median"),
            "NNDR": evidence("privacy.nndr_median"),
            "Hidden rate": evidence("privacy.hidden_rate"),
        },
        "Weights": {"Published against exponential": KindComparison()},
        "Attacks": {
            "Local cloaking": evidence("privacy.local_cloaking"),
            "Membership": evidence("privacy.membership_auc"),
            "Values guessed": evidence("privacy.inference"),
            "Risk": overview("privacy"),
        },
        "Resemblance": {
            "Overlay": evidence("utility.overlay_distance"),
            "Explained variance": evidence("utility.explained_variance"),
            "Difference of correlations": evidence("utility.correlations_distance", 2),
            "Resemblance by part": overview("utility"),
        },
        "Correlations": {
            "Correlations of the originals": evidence("utility.correlations_distance", 0),
            "Correlations of the avatars": evidence("utility.correlations_distance", 1),
        },
        "One person": {"One person and their avatar": "person_tile"},
    }
    explanations = {  # noqa: RUF012
        "DCR": "Distance to the closest record: how far each avatar is from the nearest original.",
        "NNDR": (
            "Nearest-neighbour distance ratio: distance to the nearest original over distance to the second "
            "nearest; near 0 means close to one person only."
        ),
        "Hidden rate": "Share of people whose own avatar is not alone the closest one to them: a tie hides.",
        "Published against exponential": (
            "The measures disagree: weights that look further from the originals by distance may hide fewer "
            "people."
        ),
        "Local cloaking": "How many avatars are closer to a person than their own.",
        "Membership": (
            "How far people are from the nearest avatar, in the data and not in it: where the two differ, an "
            "attacker tells who was in it."
        ),
        "Values guessed": "How often the nearest avatar tells a value, for people in the data and others.",
        "Risk": (
            "DCR share: how often avatars are closer to people in the data than to others; 0.5 is best. The "
            "page “All measures” explains each."
        ),
        "Overlay": "People and avatars on the two directions in which people differ most (PCA).",
        "Explained variance": "How much of the differences between people the components keep.",
        "Difference of correlations": "Avatars minus originals: white is kept.",
        "Resemblance by part": "1 − distance, of columns, of correlations, and on the first component.",
    }
    hints = {  # noqa: RUF012
        "DCR": "Distance to the closest record.",
        "NNDR": "Nearest-neighbour distance ratio.",
        "Hidden rate": "Who is not found by their own avatar.",
        "Published against exponential": "The measures disagree about which weights protect better.",
        "Local cloaking": "Avatars closer to a person than their own.",
        "Membership": "Distance to the nearest avatar.",
        "Values guessed": "For people in the data, and for others.",
        "Overlay": "On the first two components (PCA).",
        "Difference of correlations": "Avatars minus originals.",
    }

    def person_tile(self) -> tuple[widgets.Widget, list[widgets.Widget]]:
        """One person beside their avatar."""
        self.row = widgets.IntSlider(value=self.state.view.get("row", 1), min=1, max=10**9)
        self.row.layout.width = "360px"
        self.row.description = self.say("Row of the original")
        self.row.style.description_width = "150px"
        self.row.observe(self.again, "value")
        self.person = widgets.HTML()
        return widgets.VBox([self.person]), [self.row]

    def shown(self, report: Report) -> None:
        """The chosen person, their avatar and nearest neighbours."""
        if not hasattr(self, "row"):
            return
        import pandas as pd

        made = report.release
        if made.owner is None:
            self.person.value = (
                f"<p>{self.say('No row is made from one person: there is nothing to show.')}</p>"
            )
            return
        rows = made.original.rows
        row = min(self.row.value, rows) - 1
        self.state.view["row"] = row + 1
        if self.row.max != rows:
            self.row.max = rows
        near = made.facts["neighbours"].index[row][:3]
        own = int((made.owner == row).argmax())
        # A few rows only: the whole table would be made anew at every move of a slider.
        frame = pd.concat(
            [made.source.take(np.array([row, *near])).frame(), made.published.take(np.array([own])).frame()]
        ).iloc[[0, -1, *range(1, len(near) + 1)]]
        names = [
            self.say("person"),
            self.say("avatar"),
            *(self.say("neighbour {n}", n=n + 1) for n in range(len(near))),
        ]
        dcr, nndr = avatar_distances(made, row)
        said = self.say("Row {row} of {rows}.", row=number(row + 1, self.lang), rows=number(rows, self.lang))
        far = self.say(
            "DCR {dcr}, NNDR {nndr}",
            dcr=number(dcr, self.lang, 3),
            nndr=number(nndr, self.lang, 3),
        )
        numbers = frame.select_dtypes("number").columns
        frame[numbers] = frame[numbers].round(3)
        beside = frame.astype(object).T.set_axis(names, axis=1)
        beside.insert(0, self.say("column"), beside.index)
        table = pieces.frame_html(beside)
        self.person.value = f"<div class='insanonym-beside'><p>{said} {far}</p>{table}</div>"
