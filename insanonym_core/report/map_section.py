"""The map of GPS traces on the page of a report."""

from __future__ import annotations

from markupsafe import Markup

from insanonym_core.experiment import Report
from insanonym_core.figures.card import card_of
from insanonym_core.figures.maps import side_by_side
from insanonym_core.mobility.places import cells_of, cells_with_min_individuals, pois_of
from insanonym_core.report.ledger import Ledger


def map_section(report: Report, ledger: Ledger, individuals: bool) -> tuple[str, Markup | str]:
    """Original beside release, and what is hidden of it: a cell that few people visit points at them."""
    pair, lang = report.release, ledger.lang
    cells = cells_of(pair.original), cells_of(pair.release)
    points = (pois_of(pair.original), pois_of(pair.release)) if individuals else None
    said: Markup | str = ""
    if not individuals:
        fewest = report.recipe.min_holders
        shown = cells_with_min_individuals(cells[0], fewest), cells_with_min_individuals(cells[1], fewest)
        hidden = [len(one.latitude) - len(few.latitude) for one, few in zip(cells, shown, strict=True)]
        said = ledger.sentence(
            "Cells with fewer than {fewest} individuals are not shown: {original} of the original, "
            "{release} of the release.",
            fewest=ledger.show("map", "fewest", fewest),
            original=ledger.show("map", "hidden_original", hidden[0]),
            release=ledger.show("map", "hidden_release", hidden[1]),
        )
        cells = shown
    page = side_by_side(*cells, points, lang=lang)
    return page.render(card=card_of(report).text(lang)), said
