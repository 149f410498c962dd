"""Sentences on what is not protected in avatars, from their measures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from insanonym_core.results.sentences import Number, Sentence, share_of

if TYPE_CHECKING:
    from insanonym_core.experiment.report import Report


def unprotected(report: Report) -> Iterator[Sentence]:
    """Yield sentences on people found, membership inference, and copies."""
    scores = report.scores
    hidden, member = scores["privacy.hidden_rate"], scores["privacy.membership_auc"]
    if hidden.defined and hidden.value < 1:
        yield Sentence(
            "For {share} of the people their own avatar is the closest of all.",
            {"share": share_of("privacy.hidden_rate", 1 - hidden.value, "found")},
        )
    if member.interval and member.interval[0] > 0.5:
        values = {"auc": ("value", member.value), "low": ("low", member.interval[0])}
        values["high"] = "high", member.interval[1]
        yield Sentence(
            "An attacker guesses who was in the data better than by chance: AUC {auc} ({low} to {high}).",
            {
                place: Number("privacy.membership_auc", detail, value, decimals=2)
                for place, (detail, value) in values.items()
            },
        )
    identical = scores["privacy.identical"]
    if identical.value > 0:
        yield Sentence(
            "{share} of the avatars equal a real row.",
            {"share": share_of("privacy.identical", identical.value)},
        )
    yield Sentence(
        "A distance (DCR, NNDR) is not a guarantee: it says how far avatars lie, not what an attacker knows."
    )
