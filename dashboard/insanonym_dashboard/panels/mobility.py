"""Panel of GPS traces: scores, attacks, two linked maps, and the rows of one selected person."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets
import pandas as pd

from insanonym_core.experiment import Report
from insanonym_core.figures.maps import MapPage, follow, side_by_side
from insanonym_core.mobility.places import cells_of, pois_of
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number
from insanonym_dashboard import pieces
from insanonym_dashboard.maps import LinkedMaps
from insanonym_dashboard.panels.tab import PLANE, TabPanel, evidence, overview
from insanonym_dashboard.state import TabState

NOBODY = ""
FOLLOW = "Follow…"
_OFFERED = 500
CHOOSE = (
    "Choose somebody above: here stands whether the best attack finds them, and which of their rows cost "
    "most utility. The maps of the first page follow them."
)


class MobilityPanel(TabPanel):
    """The Mobility tab."""

    pages = {  # noqa: RUF012
        "Scores and maps": {
            "Where you are": PLANE,
            "Map": "maps_tile",
            "Utility": overview("utility"),
            "Attacks": overview("attack"),
        },
        "Who knows a little": {
            "Known records": evidence("privacy.known_points"),
            "Weeks in the open": evidence("privacy.week_in_the_open"),
            "Weeks that are the same": evidence("privacy.week_classes"),
            "One person": "person_tile",
        },
    }

    explanations = {  # noqa: RUF012
        "Map": "Cells of both, coloured by the rows or individuals in them; the two maps move together.",
        "Utility": "What an analyst can still do: 1 is as good as the original.",
        "Attacks": (
            "The share of people in a week whom each attacker finds, the strongest first; the line is the "
            "95 % interval, the dashed line what guessing finds."
        ),
        "Known records": (
            "How often one to five records that somebody knows of a person are enough to single them out."
        ),
        "Weeks in the open": (
            "Weeks of a person that some pseudonym still shows to 80 %: who it is may be hidden, where "
            "somebody was is not."
        ),
        "Weeks that are the same": "How many weeks of others look exactly like a person's week.",
        "One person": "Follow somebody: would the best attack find them, and by what?",
    }
    hints = {"Attacks": "The share of people whom each attacker finds."}  # noqa: RUF012

    def __init__(self, state: TabState, lang: str, *more: Any) -> None:
        self.maps, self.cost, self.found = LinkedMaps(), widgets.HTML(), widgets.HTML()
        self.maps.add_class("insanonym-map-body")
        self.person = widgets.Dropdown(options=[(say(FOLLOW, lang), NOBODY)], value=NOBODY)
        self.person.layout.width = "104px"
        pieces.labelled(self.person, say("Follow one person", lang))
        self.person.observe(self._looked, "value")
        super().__init__(state, lang, *more)

    def maps_tile(self) -> tuple[widgets.Widget, list[widgets.Widget]]:
        """Tile of the maps, with controls for cell colour, selected person and background."""
        colour = self.colour = widgets.Dropdown(
            options=[(self.say("rows"), "rows"), (self.say("individuals"), "individuals")],
            value=self.state.view.get("colour", "rows"),
            layout={"width": "88px"},
        )
        pieces.labelled(colour, self.say("Colour of the cells"))
        colour.observe(self._looked, "value")
        kinds = [("cells only", ""), *((name, name) for name in ("home", "work", "activity"))]
        self.places = widgets.Dropdown(
            options=[(self.say(text), kind) for text, kind in kinds],
            value=self.state.view.get("places", ""),
            layout={"width": "124px"},
        )
        pieces.labelled(self.places, self.say("Places to show"))
        self.places.observe(self._looked, "value")
        tiles = widgets.ToggleButton(
            value=False,
            description=self.say("Streets"),
            tooltip=self.say("Background tiles (a map server learns where you look)"),
            layout={"width": "auto"},
        )
        tiles.observe(lambda change: setattr(self.maps, "tiles", change["new"]), "value")
        whole = widgets.Button(description="⌂", tooltip=self.say("Show all"), layout={"width": "auto"})
        whole.on_click(lambda _: self.maps.fit())
        return widgets.VBox([self.maps, self.found]), [colour, self.places, self.person, whole, tiles]

    def person_tile(self) -> tuple[widgets.Widget, list[widgets.Widget]]:
        """Tile of the selected person: whether attacks find them, and their rows that cost most utility."""
        return widgets.VBox([self.found, self.cost]), [self.person]

    def take(self, name: str, data: Any, changes: Mapping[str, Any]) -> None:
        """Use other data: the view of the maps is reset and no person is selected."""
        self.person.value = NOBODY
        self.maps.forget()
        super().take(name, data, changes)

    def shown(self, report: Report) -> None:
        """Update the maps without moving the view; their data is computed in the worker's thread."""
        self._people(report.release)
        who, by = self.person.value, self.state.view.get("colour", "rows")
        kind = self.state.view.get("places", "")

        def done(found: Any, error: Exception | None) -> None:
            if error is not None:
                self.state.fail(error)
            elif report is self.state.report:
                page, self.found.value, self.cost.value = found
                self.maps.update(page)

        self.state.figures.submit(lambda job: self._looked_up(report, who, by, kind, job), done)

    def _looked_up(self, report: Report, who: str, by: Any, kind: str, job: Job) -> tuple[MapPage, str, str]:
        """Map of both tracks, or of one person in both, and texts about them; runs in the worker's thread."""
        job.progress("Cells and points of interest")
        tracks = report.release.original, report.release.release
        if who == NOBODY:
            original, release = (cells_of(track, by=by) for track in tracks)
            places = (pois_of(tracks[0]), pois_of(tracks[1])) if kind else None
            hint = f"<p>{self.say(CHOOSE)}</p>"
            return side_by_side(original, release, places, kinds=[kind], value=by, lang=self.lang), "", hint
        page = follow(*tracks, who, self.lang)
        job.progress("Follow one person")
        return page, self._would_be_found(report, who), self._costly(report, who)

    def _looked(self, change: Any) -> None:
        """Update the maps after another person or cell colour was selected."""
        self.state.view |= {"person": self.person.value}
        if hasattr(self, "colour"):
            self.state.view |= {"colour": self.colour.value, "places": self.places.value}
        self.again(change)

    def _people(self, pair: Any) -> None:
        names = pair.original.individuals
        known = [(self.say(FOLLOW), NOBODY), *((name, name) for name in names[:_OFFERED])]
        if len(names) > _OFFERED:
            said = self.say("(the first {shown} of {all})", shown=_OFFERED, all=number(len(names), self.lang))
            known[0] = (f"{known[0][0]} {said}", NOBODY)
        if known != list(self.person.options):
            wanted = self.state.view.get("person", NOBODY)
            self.person.options = known
            self.person.value = wanted if wanted in names[:_OFFERED] else NOBODY

    def _would_be_found(self, report: Report, who: str) -> str:
        from insanonym_core.mobility.person import best_attack, weeks_found

        attack = best_attack(report.measures)
        if who == NOBODY or attack is None:
            return ""
        found = weeks_found(report.release, who, attack, report.recipe.settings)
        said = self.say(
            "Found in {found} of {weeks} weeks by the best attack, {attack}.",
            found=found.found,
            weeks=found.weeks,
            attack=self.say(attack.title),
        )
        places = ", ".join(self.say(place) for place in found.places)
        given = self.say("Places that give them away: {places}.", places=places) if places else ""
        return f"<p>{html.escape(said)} {html.escape(given)}</p>"

    def _costly(self, report: Report, who: str) -> str:
        """The rows of a person that cost most utility."""
        from insanonym_core.mobility.person import costly_rows

        rows, deleted = costly_rows(report.release, who, report.recipe.rules)
        gone = f"<p>{self.say('Deleted rows: {count}.', count=number(deleted, self.lang))}</p>"
        if not rows:
            return gone
        frame = pd.DataFrame(
            {
                self.say("row"): [row.row for row in rows],
                self.say("before"): [str(row.before).replace("T", " ")[:16] for row in rows],
                self.say("after"): [str(row.after).replace("T", " ")[:16] for row in rows],
                "km": [number(row.km, self.lang, 1) for row in rows],
                self.say("points lost"): [number(row.lost, self.lang, 2) for row in rows],
            }
        )
        title = self.say("Rows that cost most utility (date, hour, distance; of 3 points)")
        return f"{gone}<p>{title}</p>{pieces.frame_html(frame)}"
