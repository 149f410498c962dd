"""Avatars of patients: distances with baselines, resemblance, one person and their avatar."""

from __future__ import annotations

import ipywidgets as widgets
import numpy as np

from insanonym_core.avatars.walkthrough import avatar_distances
from insanonym_core.experiment import Report
from insanonym_core.written import number
from insanonym_dashboard import pieces
from insanonym_dashboard.elements import Helper
from insanonym_dashboard.panels.drawers import KindComparison
from insanonym_dashboard.panels.tab import HALF, WHOLE, TabPanel, evidence, overview


class AvatarsPanel(TabPanel):
    """Avatars."""

    fixed_steps = True
    pages = {  # noqa: RUF012
        "Distances": {
            "DCR": (evidence("privacy.dcr_median"), HALF),
            "NNDR": (evidence("privacy.nndr_median"), HALF),
            "Hidden rate": (evidence("privacy.hidden_rate"), HALF),
            "Local cloaking": (evidence("privacy.local_cloaking"), HALF),
            "Membership": (evidence("privacy.membership_auc"), HALF),
            "Values guessed": (evidence("privacy.inference"), HALF),
        },
        "Resemblance": {
            "Overlay": (evidence("utility.overlay_distance"), HALF),
            "Explained variance": (evidence("utility.explained_variance"), HALF),
            "Correlations of the originals": (evidence("utility.correlations_distance", 0), HALF),
            "Correlations of the avatars": (evidence("utility.correlations_distance", 1), HALF),
            "Difference of correlations": (evidence("utility.correlations_distance", 2), HALF),
            "Resemblance by part": (overview("utility"), HALF),
        },
        "Weights": {"Published against exponential": (KindComparison(), WHOLE)},
    }

    def below(self, page: str) -> list[widgets.Widget]:
        """One person beside their avatar."""
        if page != "Distances":
            return []
        self.row = widgets.IntSlider(
            value=self.state.view.get("row", 1), min=1, max=10**9, layout=widgets.Layout(width="100%")
        )
        self.row.description = self.say("Row of the original")
        self.row.style.description_width = "150px"
        self.row.observe(self.again, "value")
        self.person = widgets.HTML()
        return [
            pieces.card(self.say("One person and their avatar"), self.row, self.person, Helper(), name="one")
        ]

    def shown(self, report: Report) -> None:
        """The chosen person, their avatar and nearest neighbours."""
        import pandas as pd

        made = report.release
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
        frame.insert(0, "", names)
        dcr, nndr = avatar_distances(made, row)
        said = self.say("Row {row} of {rows}.", row=number(row + 1, self.lang), rows=number(rows, self.lang))
        far = self.say(
            "DCR {dcr}, NNDR {nndr}",
            dcr=number(dcr, self.lang, 3),
            nndr=number(nndr, self.lang, 3),
        )
        numbers = frame.select_dtypes("number").columns
        frame[numbers] = frame[numbers].round(3)
        self.person.value = f"<p>{said} {far}</p>" + pieces.frame_html(frame, chosen=1)
