"""What a report says in numbers and sentences, for a page: headlines, threats, promises, measures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from insanonym_core.experiment import Report
from insanonym_core.registry import Measure
from insanonym_core.report.criteria import decided_by
from insanonym_core.report.ledger import Ledger, prose
from insanonym_core.report.protection import not_protected
from insanonym_core.results.promises import Promise
from insanonym_core.tabular.roles import unconfirmed_text
from insanonym_core.texts import Phrase, say

_FAMILY_TITLES = {"utility": "Utility", "privacy": "Privacy", "attack": "Attacks"}
_COMPETITION_TITLE = "Attacks, by the competition's score"
_SHOWN_DETAILS = (
    "chance",
    "reidentified",
    "held_out_rows",
    "real_rows",
    "avatars_of_half",
    "worst",
    "individuals",
    "undefined",
    "rows_tried",
    "for_l",
)
_DETAIL_TEXTS = {"reidentified": Phrase("re-identified")}


def summary_of(report: Report, ledger: Ledger) -> dict[str, Any]:  # Any: what a template shows
    """The parts of a page that every report has; every number is recorded in the ledger."""
    return {
        "warnings": [say(warning, ledger.lang) for warning in report.warnings],
        "headlines": list(_headlines(report, ledger)),
        "unconfirmed": Markup('<span class="given">{}</span>').format(
            unconfirmed_text(report.facts, ledger.lang)
        ),
        "rows": ledger.show("rows", "original", report.rows),
        "kept": ledger.show("rows", "published", report.kept),
        "decided_by": decided_by(report, ledger),
        "promises": [
            _promise_row(number, item, ledger) for number, item in enumerate(report.promises, start=1)
        ],
        "families": list(_families(report, ledger)),
        "unprotected": not_protected(report, ledger),
    }


def _headlines(report: Report, ledger: Ledger) -> Iterator[dict[str, object]]:
    """Yield title, value and formula of privacy, utility and defence."""
    for what, title in (("privacy", "Privacy"), ("utility", "Utility")):
        formula = say(report.headline_of(what).formula, ledger.lang)
        value_text = ledger.show("headline", what, getattr(report, what), 3)
        yield {"title": say(title, ledger.lang), "shown": value_text, "formula": formula}
    value_text = ledger.show("headline", "defence", report.defence, 3)
    yield {
        "title": say("Defence", ledger.lang),
        "shown": value_text,
        "formula": say("utility × privacy", ledger.lang),
    }


def _promise_row(number: int, promise: Promise, ledger: Ledger) -> dict[str, object]:
    """Row of the table of guarantees: parameter asked for, value measured, whether it holds."""
    asked = ledger.show(f"promise.{number}", "asked", promise.asked)
    measured = ledger.show(f"promise.{number}", "measured", promise.rounded)
    columns = Markup('<span class="given">{}</span>').format(", ".join(promise.columns))
    sentence = ledger.sentence(promise.text, n=measured, columns=columns)
    return {
        "method": say(promise.title, ledger.lang),
        "symbol": say(promise.symbol, ledger.lang),
        "asked": asked,
        "measured": measured,
        "holds": promise.holds,
        "sentence": Markup(" ").join(filter(None, [sentence, say(promise.note, ledger.lang)])),
    }


def _families(report: Report, ledger: Ledger) -> Iterator[dict[str, object]]:
    """Yield the tables of utility, privacy and attack measures."""
    for family, title in _FAMILY_TITLES.items():
        measures = list(report.family(family))
        if measures:
            counted = any("reidentified" in measure.score.details for measure in measures)
            rows = [_measure_row(measure, ledger) for measure in measures]
            yield {"title": say(_COMPETITION_TITLE if counted else title, ledger.lang), "rows": rows}


def _measure_row(measure: Measure, ledger: Ledger) -> dict[str, object]:
    """Row of a measure: title, value, interval and details, direction and formula."""
    entry, score, lang = measure.entry, measure.score, ledger.lang
    notes: list[Markup] = []
    if score.interval:
        low, high = (
            ledger.show(measure.key, end, value, 3)
            for end, value in zip(("low", "high"), score.interval, strict=True)
        )
        notes.append(ledger.sentence("interval {low} to {high}", low=low, high=high))
    for name in _SHOWN_DETAILS:
        value = score.details.get(name)
        if value is not None and not math.isnan(value):
            text = ledger.show(measure.key, name, value, 3 if isinstance(value, float) else None)
            notes.append(
                ledger.sentence(
                    "{what}: {value}",
                    what=say(_DETAIL_TEXTS.get(name, name.replace("_", " ")), lang),
                    value=text,
                )
            )
    if not score.defined:
        ledger.record(measure.key, "value", math.nan)
        notes.append(Markup('<span class="given">{}</span>').format(say(score.undefined_because, lang)))
    return {
        "title": say(entry.title, lang),
        "help": say(entry.help, lang),
        "value": _value_text(measure, ledger) if score.defined else say("n/a", lang),
        "beside": ledger.joined(notes),
        "better": say({"higher": "higher", "lower": "lower", "": "lower"}[entry.better], lang),
        "formula": prose(say(entry.formula, lang)),
    }


def _value_text(measure: Measure, ledger: Ledger) -> Markup:
    """The value of a measure: four decimals, or none for counts such as k and l."""
    counts = (
        measure.entry.bounds is not None and measure.entry.bounds[1] > 1 and measure.score.value.is_integer()
    )
    return ledger.show(measure.key, "value", measure.score.value, None if counts else 4)
