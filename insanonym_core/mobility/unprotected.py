"""What was measured on GPS traces and is not protected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from insanonym_core.sentences import Sentence, share_of


def unprotected(report: Any) -> Iterator[Sentence]:
    """The best attack, beside chance."""
    tried = [measure for measure in report.family("attack") if measure.score.defined]
    if not tried:
        return
    best = max(tried, key=lambda measure: measure.score.value)
    yield Sentence(
        "The attack “{attack}” still finds {found} of the individuals in a week; guessing finds {chance}.",
        {
            "attack": best.entry.title,
            "found": share_of(best.key, best.score.value),
            "chance": share_of(best.key, float(best.score.details.get("chance") or 0), "chance"),
        },
    )
    yield Sentence(
        "These attacks know the original and nothing else: whoever knows more about a person may find more."
    )
