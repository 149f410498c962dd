"""The first page of a report: what was done, for whom it is safe, and who pays."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from insanonym_core.experiment import Report
from insanonym_core.recipe import method_entry
from insanonym_core.recipe_texts import step_text
from insanonym_core.report.criteria import threat_text
from insanonym_core.report.ledger import Ledger, first_paragraph
from insanonym_core.report.protection import beside_the_headline
from insanonym_core.results.threats import by_group
from insanonym_core.texts import say

_MIN_PEOPLE_FOR_SHARES = 50


def what_was_done(report: Report, ledger: Ledger) -> list[Markup]:
    """One sentence for each step: its name, its parameters, what it does."""
    kind, lang = report.recipe.kind, ledger.lang
    steps = [
        Markup('<span class="given"><b>{}</b>. {}</span>').format(
            say(step_text(step, kind), lang),
            first_paragraph(say(method_entry(step.method, kind).help, lang)),
        )
        for step in report.recipe.steps
    ]
    return steps or [ledger.sentence("Nothing was done: the release is the original.")]


def for_whom_it_is_safe(report: Report, ledger: Ledger) -> Iterator[Markup]:
    """What the deciding threat leaves, what was not tested, and what no number can say."""
    decided = report.decided_by
    if decided is not None:
        yield ledger.sentence(
            "{share} are not exposed to this threat, the worst of those that were tried.",
            share=ledger.share(decided.measure.key, "not_exposed", 1 - decided.share),
        )
    else:
        yield ledger.sentence("No threat was measured: nothing is known about whom it is safe for.")
    larger = report.larger_uncounted_threat
    if larger is not None:
        yield ledger.sentence("A larger threat is not counted: {threat}.", threat=threat_text(larger, ledger))
    untested = [
        say(group, ledger.lang)
        for group, found in by_group(report.measures).items()
        if found == "not measured"
    ]
    if untested:
        yield ledger.sentence(
            "Not tested, and so not known to be safe: {criteria}.", criteria=", ".join(untested)
        )
    if report.hollow:
        yield ledger.sentence("Who is who may be hidden, and where somebody was is still published.")
    yield from beside_the_headline(report, ledger)
    yield ledger.sentence(
        "An attacker whom nobody tried may find more: read this as the least that is exposed."
    )


def who_pays(report: Report, ledger: Ledger) -> dict[str, object] | None:
    """What people lose, as a distribution; None where it is not known. Nobody is named."""
    losses = report.person_losses
    if losses is None:
        return None
    number = len(losses.losses)
    labels, counts = losses.classes(report.recipe.min_holders)
    what = "rows" if losses.rows else "people"
    sentences = [
        ledger.sentence(
            "{people} rows lose {mean} on average. Nobody can be told apart, so each row counts as a person."
            if losses.rows
            else "{people} people lose {mean} on average.",
            people=ledger.show("who pays", what, number),
            mean=ledger.share("who pays", "mean", losses.mean),
        )
    ]
    if number >= _MIN_PEOPLE_FOR_SHARES and losses.mean > 0:
        sentences.append(
            ledger.sentence(
                "One in ten, those who lose most, bears {share} of the whole loss.",
                share=ledger.share("who pays", "worst_tenth", losses.worst_tenth),
            )
        )
    return {
        "unit": say(what, ledger.lang),
        "meaning": ledger.sentence(losses.meaning),
        "sentences": sentences,
        "rows": [
            (
                Markup('<span class="given">{}</span>').format(say(label, ledger.lang)),
                ledger.show("who pays", f"{what} losing {label}", count),
                ledger.share("who pays", f"share losing {label}", count / number),
            )
            for label, count in zip(labels, counts.tolist(), strict=True)
        ],
    }
