"""A share of the published rows as a threat: over all rows of the data, as a deleted row is not found."""

from __future__ import annotations

from dataclasses import replace

from insanonym_core.scores import Score
from insanonym_core.tabular.release import TableRelease
from insanonym_core.threats import Threat

_SHARE_OF_ALL_ROWS = "of_all_rows"


def row_threat(group: str, text: str) -> Threat:
    """How a measure is read that counts published rows; its score comes from `over_all_rows`."""
    return Threat(group, text, share=lambda score: float(score.details[_SHARE_OF_ALL_ROWS] or 0))


def over_all_rows(release: TableRelease, score: Score, of_people: float | None = None) -> Score:
    """The score, with its share of all rows of the data: as linkage counts, and deleting all is privacy 1.

    `of_people` is the share of the published rows where several rows may be one person's, if it is another.
    """
    if not score.defined:
        return score
    share = score.value if of_people is None else of_people
    share *= len(release.rows) / release.original.rows
    return replace(score, details={**score.details, _SHARE_OF_ALL_ROWS: share})
