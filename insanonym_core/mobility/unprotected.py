"""Sentences of the report about what a mobility release does not protect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.mobility.pair import Pair
from insanonym_core.results.sentences import Number, Sentence, share_of

if TYPE_CHECKING:
    from insanonym_core.experiment.report import Report

_MIN_REPORTED_SHARE = 0.01


def unprotected(report: Report) -> Iterator[Sentence]:
    """Sentences on the strongest attack and chance, exact times, and weeks that some token shows."""
    threats = [threat for threat in report.threats if threat.measure.family == "attack"]
    if threats:
        worst = threats[0]
        key = worst.measure.key
        yield Sentence(
            "The attack “{attack}” still re-identifies {found} of the individuals in a week; guessing finds "
            "{chance}.",
            {
                "attack": worst.measure.entry.title,
                "found": share_of(key, worst.share, "reidentified"),
                "chance": share_of(key, worst.chance, "chance_reidentified"),
            },
        )
        yield from _competition(report, worst.share)
    pair = report.release
    if isinstance(pair, Pair):
        exact = share_of_exact_times(pair)
        if exact >= _MIN_REPORTED_SHARE:
            yield Sentence(
                "{share} of the published times are exact: whoever knows when somebody was recorded can join "
                "on them.",
                {"share": share_of("release", exact, "exact_times")},
            )
    open_weeks = report.scores.get("privacy.week_in_the_open")
    if open_weeks is not None and open_weeks.defined and open_weeks.value >= _MIN_REPORTED_SHARE:
        yield Sentence(
            "{share} of the weeks are in the open: some pseudonym shows where the person was, whoever it is.",
            {"share": share_of("privacy.week_in_the_open", open_weeks.value)},
        )
    classes = report.scores.get("privacy.week_classes")
    published = classes is not None and classes.details["smallest_class"] is not None
    if classes is not None and published and classes.value >= _MIN_REPORTED_SHARE:
        yield Sentence(
            "The smallest class of pseudonyms with the same week has {smallest}; {share} of the person-weeks "
            "are alone in theirs.",
            {
                "smallest": Number(
                    "privacy.week_classes", "smallest_class", float(classes.details["smallest_class"] or 0)
                ),
                "share": share_of("privacy.week_classes", float(classes.details["alone"] or 0), "alone"),
            },
        )
    if threats and not report.facts.get("recipe_known"):
        yield Sentence("The recipe is not known: an attacker who knows it may find more.")
    if threats:
        yield Sentence(
            "These attacks know the original and at most the recipe: whoever knows more about a person may "
            "find more."
        )


def _competition(report: Report, reidentified: float) -> Iterator[Sentence]:
    """Yield the competition score if it is higher, because it counts deleted weeks as found."""
    best = max(
        (measure.score.value for measure in report.family("attack") if measure.score.defined), default=0.0
    )
    if best > reidentified:
        yield Sentence(
            "In the competition, where a week that was deleted whole counts as found, the best attack scores "
            "{best}.",
            {"best": Number("competition", "best_attack", best, decimals=3)},
        )


def share_of_exact_times(pair: Pair) -> float:
    """The share of the kept rows whose published time is that of the original."""
    rows = pair.kept_rows
    before, after = pair.original, pair.release
    if not len(after.kept):
        return 0.0
    resolution = max(before.resolution, after.resolution)
    ours = before.time[rows] * (resolution // before.resolution)
    theirs = after.time[rows] * (resolution // after.resolution)
    return float(np.mean(ours == theirs))
