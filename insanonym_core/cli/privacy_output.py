"""The privacy headline as a sentence, and for `--json` with the worst threat of each group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from insanonym_core.cli import show
from insanonym_core.results import threats

if TYPE_CHECKING:
    from insanonym_core.experiment import Report
    from insanonym_core.results.scores import JsonObject


def privacy_sentence(report: Report) -> str:
    """A sentence such as "Privacy 0.67: 33 % of all rows give their sensitive value away."."""
    decided = report.decided_by
    if decided is None:
        return "Privacy n/a: no threat could be measured."
    names = ", ".join(one.entry.name for one in report.unmeasured)
    at_most, why = ("at most ", f" There is no number for {names}.") if names else ("", "")
    larger = report.larger_uncounted_threat
    beside = f" A larger threat is not counted: {larger.sentence()}." if larger else ""
    from insanonym_core.tabular.roles import unconfirmed_text

    guessed = unconfirmed_text(report.facts)
    said = f"Privacy {at_most}{show.number(report.privacy)}: {decided.sentence()}.{beside}{why}"
    return f"{said} {guessed}".rstrip()


def privacy_json(report: Report) -> JsonObject:
    """What decides the headline of privacy, and the worst threat of each group.

    A group without one is null, `threats_missing` says why. `privacy_at_most`: a threat of the headline could
    not be measured, so that privacy may be lower. `privacy_roles_unconfirmed`: roles that were guessed.
    """
    decided_by, by_group = report.decided_by, threats.by_group(report.measures)
    guessed = list(report.facts.get("roles_guessed", ()))
    return {
        **({"privacy_roles_unconfirmed": guessed} if guessed else {}),
        "privacy_definition": threats.DEFINITION,
        "privacy_decided_by": decided_by.measure.entry.name if decided_by else None,
        "privacy_at_most": bool(report.unmeasured),
        "threats": {
            group: None
            if isinstance(found, str)
            else {**found.as_json(), "in_headline": report.in_headline(found)}
            for group, found in by_group.items()
        },
        "threats_missing": {group: found for group, found in by_group.items() if isinstance(found, str)},
    }
