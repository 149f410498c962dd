"""The three criteria of the data-protection authorities, and every attacker that was tried."""

from __future__ import annotations

import math
from collections.abc import Iterator

from markupsafe import Markup

from insanonym_core.experiment import Report
from insanonym_core.experiment.run import entries_of
from insanonym_core.registry import Measure
from insanonym_core.report.ledger import Ledger, first_paragraph
from insanonym_core.results.threats import WITHOUT_DELETED, Found, as_threat, by_group
from insanonym_core.texts import say

_NOT_TESTED = {"not measured": "not tested"}


def criteria(report: Report, ledger: Ledger) -> list[dict[str, object]]:
    """One row for each criterion: the worst threat that was measured, or that none was tested."""
    return [_row(group, threat, report, ledger) for group, threat in by_group(report.measures).items()]


def decided_by(report: Report, ledger: Ledger) -> Markup | None:
    """Sentence about the threat that decides the privacy headline; None without one."""
    decided = report.decided_by
    if decided is None or not report.unmeasured:
        return None if decided is None else threat_text(decided, ledger)
    names = ", ".join(say(measure.entry.title, ledger.lang) for measure in report.unmeasured)
    at_most = ledger.sentence("Privacy is at most this: no number for {measures}", measures=names)
    return Markup("{} · {}").format(threat_text(decided, ledger), at_most)


def threat_text(threat: Found, ledger: Ledger) -> Markup:
    """What a threat means, with its share recorded."""
    share = ledger.share(threat.measure.key, "threat", threat.share)
    said = ledger.sentence(threat.threat.text, share=share, title=threat.title(ledger.lang))
    if not threat.hidden_by_deletion:
        return said
    left = ledger.share(threat.measure.key, "threat_without_deleted", threat.share_of_published)
    return ledger.sentence(WITHOUT_DELETED, threat=said, share=left)


def _row(group: str, threat: Found | str, report: Report, ledger: Ledger) -> dict[str, object]:
    """Row of the table of criteria."""
    title = say(group.capitalize(), ledger.lang)
    if isinstance(threat, str):
        tested = say(_NOT_TESTED.get(threat, threat), ledger.lang)
        return {"group": title, "measure": "", "share": tested, "interval": "", "text": ""}
    return {
        "group": title,
        "measure": threat.title(ledger.lang),
        "share": ledger.share(threat.measure.key, "threat", threat.share),
        "interval": _interval(threat, ledger),
        "text": threat_text(threat, ledger),
        "counted": report.in_headline(threat),
    }


def _interval(threat: Found, ledger: Ledger) -> Markup | str:
    """The 95 % interval of a share, in percent."""
    if threat.interval is None:
        return ""
    low, high = (
        ledger.share(threat.measure.key, f"threat_{end}", value)
        for end, value in zip(("low", "high"), threat.interval, strict=True)
    )
    return ledger.sentence("{low} to {high}", low=low, high=high)


def attackers(report: Report, ledger: Ledger) -> list[dict[str, object]]:
    """Every threat that was measured, the worst first, then those without a number."""
    held_out = report.recipe.data_kind.held_out
    rows: list[dict[str, object]] = []
    for found in report.threats:
        chance = found.chance
        notes = [
            *([say("decides", ledger.lang)] if _decides(found, report) else []),
            *([say("held out", ledger.lang)] if found.measure.key in held_out else []),
            *([] if report.in_headline(found) else [say("not in the headline", ledger.lang)]),
        ]
        rows.append(
            {
                "title": found.title(ledger.lang),
                "told": threat_text(found, ledger)
                if found.measure.family != "attack"
                else _told(found.measure, ledger),
                "group": say(found.threat.group, ledger.lang) if found.threat.group else "",
                "share": ledger.share(found.measure.key, "threat", found.share),
                "interval": _interval(found, ledger),
                "chance": ""
                if math.isnan(chance)
                else ledger.share(found.measure.key, "threat_chance", chance),
                "notes": ", ".join(notes),
                "held_out": found.measure.key in held_out,
            }
        )
    return [*rows, *_without_number(report, ledger)]


def _told(measure: Measure, ledger: Ledger) -> Markup:
    """What a measure does, in a sentence."""
    return Markup('<span class="given">{}</span>').format(
        first_paragraph(say(measure.entry.help, ledger.lang))
    )


def _decides(found: Found, report: Report) -> bool:
    return report.decided_by is not None and found.measure.key == report.decided_by.measure.key


def _without_number(report: Report, ledger: Ledger) -> Iterator[dict[str, object]]:
    """Threats that apply and have no number, and why."""
    for measure in report.measures:
        if measure.threat is not None and as_threat(measure) is None:
            yield {
                "title": say(measure.entry.title, ledger.lang),
                "told": _told(measure, ledger),
                "group": say(measure.threat.group, ledger.lang) if measure.threat.group else "",
                "share": say("n/a", ledger.lang),
                "interval": "",
                "chance": "",
                "why": say(measure.score.undefined_because, ledger.lang),
            }


def not_tried(report: Report, ledger: Ledger) -> list[str]:
    """The titles of attackers that could have been tried on this data and were not."""
    tried = {measure.key for measure in report.measures}
    kind = report.recipe.data_kind
    return [
        say(entry.title, ledger.lang)
        for entry in entries_of(report.recipe)
        if entry.key not in tried and (entry.threat is not None or (not entry.family and kind.attack_threat))
    ]
