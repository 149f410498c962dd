"""GPS traces: scores, attacks, two linked maps, one person followed."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets
import pandas as pd

from insanonym_core.experiment import Report
from insanonym_core.figures.maps import MapPage, follow, side_by_side
from insanonym_core.jobs import Job
from insanonym_core.mobility.places import cells_of, pois_of
from insanonym_core.written import number
from insanonym_dashboard import pieces
from insanonym_dashboard.maps import LinkedMaps
from insanonym_dashboard.panels.tab import HALF, TabPanel, evidence, overview

NOBODY = ""
_OFFERED = 500


class MobilityPanel(TabPanel):
    """Mobility."""

    pages = {  # noqa: RUF012
        "Scores and maps": {"Utility": (overview("utility"), HALF), "Attacks": (overview("attack"), HALF)},
        "Who knows a little": {
            "Known records": (evidence("privacy.known_points"), HALF),
            "Weeks in the open": (evidence("privacy.week_in_the_open"), HALF),
        },
    }

    def below(self, page: str) -> list[widgets.Widget]:
        """The maps."""
        if page != "Scores and maps":
            return []
        self.maps = LinkedMaps()
        self.cost = widgets.HTML()
        self.costly = pieces.card("", self.cost, name="costly")
        self.costly.layout.display = "none"
        colour = widgets.Dropdown(
            options=[(self.say("colour: rows"), "rows"), (self.say("colour: individuals"), "individuals")],
            value=self.state.view.get("colour", "rows"),
            layout=widgets.Layout(width="220px"),
        )
        pieces.labelled(colour, self.say("colour: rows"))
        tiles = widgets.Checkbox(
            value=False,
            indent=False,
            description=self.say("Background tiles (a map server learns where you look)"),
        )
        tiles.layout.width = "auto"
        whole = widgets.Button(description=self.say("Show all"), layout=widgets.Layout(width="auto"))
        whole.on_click(lambda _: self.maps.fit())
        tiles.observe(lambda change: setattr(self.maps, "tiles", change["new"]), "value")
        self.colour = colour
        colour.observe(self._looked, "value")
        return [
            pieces.card(
                self.say("Cells and points of interest"),
                widgets.HBox([colour, whole, tiles]),
                self.maps,
                name="maps",
            ),
            self.costly,
        ]

    def take(self, name: str, data: Any, changes: Mapping[str, Any]) -> None:
        """Another city: the maps look there, and nobody is followed."""
        self.person.value = NOBODY
        self.maps.forget()
        super().take(name, data, changes)

    def extras(self) -> list[widgets.Widget]:
        """Follow one person."""
        self.person = widgets.Dropdown(
            options=[(self.say("(nobody)"), NOBODY)], value=NOBODY, layout=widgets.Layout(width="100%")
        )
        pieces.labelled(self.person, self.say("Follow one person"))
        self.person.observe(self._looked, "value")
        self.found = widgets.HTML()
        return [pieces.card(self.say("Follow one person"), self.person, self.found, name="person")]

    def _scoring(self) -> list[widgets.Widget]:
        rules = widgets.Dropdown(
            options=list(self.state.kind.rules),
            value=self.state.recipe.rules,
            layout=widgets.Layout(width="100%"),
        )
        rules.description = self.say("Rules")
        rules.observe(lambda change: self.state.set_rules(change["new"]), "value")
        return [rules, *super()._scoring()]

    def shown(self, report: Report) -> None:
        """The maps follow, pan and zoom stay; what they show is looked up beside the page."""
        self._people(report.release)
        who, by = self.person.value, self.colour.value

        def done(found: Any, error: Exception | None) -> None:
            if error is not None:
                self.state.fail(error)
            elif report is self.state.report:
                page, self.found.value, self.cost.value = found
                self.maps.update(page)
                self.costly.layout.display = "none" if who == NOBODY else ""

        self.state.figures.submit(lambda job: self._looked_up(report, who, by, job), done)

    def _looked_up(self, report: Report, who: str, by: Any, job: Job) -> tuple[MapPage, str, str]:
        """A map of both tracks, or of a person in both, and what is said of them. No widget is touched."""
        job.progress("Cells and points of interest")
        tracks = report.release.original, report.release.release
        if who == NOBODY:
            original, release = (cells_of(track, by=by) for track in tracks)
            places = pois_of(tracks[0]), pois_of(tracks[1])
            return side_by_side(original, release, places, value=by, lang=self.lang), "", ""
        page = follow(*tracks, who, self.lang)
        job.progress("Follow one person")
        return page, self._would_be_found(report, who), self._costly(report, who)

    def _looked(self, change: Any) -> None:
        """Somebody else is followed, or cells are coloured otherwise."""
        self.state.view |= {"person": self.person.value, "colour": self.colour.value}
        self.again(change)

    def _people(self, pair: Any) -> None:
        names = pair.original.individuals
        known = [(self.say("(nobody)"), NOBODY), *((name, name) for name in names[:_OFFERED])]
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
