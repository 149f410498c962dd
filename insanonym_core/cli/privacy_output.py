"""The headline of privacy in `--json`: what decides it, and the three groups of threats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from insanonym_core import threats

if TYPE_CHECKING:
    from insanonym_core.experiment import Report


def privacy_json(report: Report) -> dict[str, Any]:
    """What decides the headline of privacy, and the worst threat of each group (null: not measured)."""
    decided_by = report.decided_by
    return {
        "privacy_definition": threats.DEFINITION,
        "privacy_decided_by": decided_by.measure.entry.name if decided_by else None,
        "threats": {
            group: None
            if isinstance(found, str)
            else {**found.as_json(), "in_headline": report.in_headline(found)}
            for group, found in threats.by_group(report.measures).items()
        },
    }
