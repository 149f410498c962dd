"""The map of GPS traces in a report."""

from __future__ import annotations

from markupsafe import Markup

from insanonym_core.experiment import Report
from insanonym_core.figures.card import card_of
from insanonym_core.figures.maps import side_by_side
from insanonym_core.mobility.places import cells_of, cells_with_min_individuals, pois_of
from insanonym_core.report.ledger import Ledger


def map_section(report: Report, ledger: Ledger, individuals: bool) -> tuple[str, Markup | str]:
    """Map of original and release, and a note on the cells hidden because few individuals visit them.

    With `individuals`, all cells and the points of interest are shown.
    """
    pair, lang = report.release, ledger.lang
    cells = cells_of(pair.original), cells_of(pair.release)
    pois = (pois_of(pair.original), pois_of(pair.release)) if individuals else None
    hidden_note: Markup | str = ""
    if not individuals:
        min_individuals = report.recipe.min_holders
        shown_cells = (
            cells_with_min_individuals(cells[0], min_individuals),
            cells_with_min_individuals(cells[1], min_individuals),
        )
        hidden = [
            len(all_cells.latitude) - len(visible.latitude)
            for all_cells, visible in zip(cells, shown_cells, strict=True)
        ]
        hidden_note = ledger.sentence(
            "Cells with fewer than {fewest} individuals are not shown: {original} of the original, "
            "{release} of the release.",
            fewest=ledger.show("map", "fewest", min_individuals),
            original=ledger.show("map", "hidden_original", hidden[0]),
            release=ledger.show("map", "hidden_release", hidden[1]),
        )
        cells = shown_cells
    page = side_by_side(*cells, pois, lang=lang)
    return page.render(card=card_of(report).text(lang)), hidden_note
