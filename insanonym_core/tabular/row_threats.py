"""Threats that count published rows, as a share of all rows of the data: deleted rows are not at risk."""

from __future__ import annotations

from dataclasses import replace

from insanonym_core.results.scores import Score
from insanonym_core.results.threats import Threat
from insanonym_core.tabular.release import TableRelease

_SHARE_OF_ALL_ROWS = "of_all_rows"
PUBLISHED = "published"


def row_threat(group: str, text: str) -> Threat:
    """Return the threat of a measure that counts published rows and scores with `over_all_rows`."""
    return Threat(
        group,
        text,
        share=lambda score: float(score.details[_SHARE_OF_ALL_ROWS] or 0),
        published=published_share,
    )


def published_share(score: Score) -> float:
    """Return the share of the rows that is published, from the details of a score."""
    return float(score.details[PUBLISHED] or 0)


def over_all_rows(release: TableRelease, score: Score, of_people: float | None = None) -> Score:
    """Add the share of all rows of the data to a score, as linkage counts; deleting all rows gives 0.

    `of_people` is the share of published rows counted by person, if it differs.
    """
    if not score.defined:
        return score
    share = score.value if of_people is None else of_people
    published = len(release.rows) / release.original.rows
    return replace(
        score, details={**score.details, _SHARE_OF_ALL_ROWS: share * published, PUBLISHED: published}
    )
