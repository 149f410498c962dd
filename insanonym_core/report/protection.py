"""The card of what these settings do *not* protect: the weakness of each step, and what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markupsafe import Markup

from insanonym_core.experiment import Report
from insanonym_core.recipe import method_entry
from insanonym_core.report.ledger import Ledger
from insanonym_core.tabular.roles import guesses_text, not_published_text
from insanonym_core.texts import say


def not_protected(report: Report, ledger: Ledger) -> list[Markup]:
    """Sentences for a reader who is about to trust the release."""
    return [
        *_of_steps(report, ledger),
        *_BY_KIND[report.recipe.kind](report, ledger),
        *_of_the_seed(report, ledger),
        *about_columns(report, ledger),
    ]


def about_columns(report: Report, ledger: Ledger) -> list[Markup]:
    """Which roles are guesses, and which columns are not published and why; nothing for GPS traces."""
    if report.recipe.kind == "mobility":
        return []
    said = (
        guesses_text(report.facts["roles"], ledger.lang),
        not_published_text(report.facts["not_published"], ledger.lang),
    )
    return [Markup('<span class="given">{}</span>').format(text) for text in said if text]


def measured_weakness(report: Report, ledger: Ledger) -> list[Markup]:
    """Only what was measured on this release."""
    return list(_BY_KIND[report.recipe.kind](report, ledger))


def _of_steps(report: Report, ledger: Ledger) -> Iterator[Markup]:
    """What a method's help says after its first line is where it is weak."""
    if not report.recipe.steps:
        yield ledger.sentence("Nothing was done: the release is the original.")
    for step in dict.fromkeys(step.method for step in report.recipe.steps):
        entry = method_entry(step, report.recipe.kind)
        weakness = say(entry.help, ledger.lang).split("\n", 1)[1:]
        if weakness:
            text = " ".join(weakness[0].split())
            title = say(entry.title, ledger.lang)
            yield Markup('<b>{}</b>: <span class="given">{}</span>').format(title, text)


def _mobility(report: Report, ledger: Ledger) -> Iterator[Markup]:
    tried = [measure for measure in report.family("attack") if measure.score.defined]
    if not tried:
        return
    best = max(tried, key=lambda measure: measure.score.value)
    chance = float(best.score.details.get("chance") or 0)
    yield ledger.sentence(
        "The attack “{attack}” still finds {found} of the individuals in a week; guessing finds {chance}.",
        attack=say(best.entry.title, ledger.lang),
        found=ledger.share(best.key, "value", best.score.value),
        chance=ledger.share(best.key, "chance", chance),
    )
    yield ledger.sentence(
        "These attacks know the original and nothing else: whoever knows more about a person may find more."
    )


def _table(report: Report, ledger: Ledger) -> Iterator[Markup]:
    scores = report.scores
    unique = scores["privacy.unique_share"]
    if unique.value > 0:
        yield ledger.sentence(
            "{share} of the rows are unique on the quasi-identifiers: whoever knows these finds the row.",
            share=ledger.share("privacy.unique_share", "value", unique.value),
        )
    alike = scores["privacy.homogeneous_share"]
    if not alike.defined:
        yield ledger.sentence(
            "The sensitive columns are not published: what a class reveals about them is not measured."
            if report.facts["roles"].sensitive
            else "No sensitive column was named: what a class reveals about all its rows is not measured."
        )
    elif report.release.sensitive_by_group:
        yield from _buckets(report, ledger)
    elif alike.value > 0:
        yield ledger.sentence(
            "{share} of the rows stand in classes that share one sensitive value: revealed although k holds.",
            share=ledger.share("privacy.homogeneous_share", "value", alike.value),
        )
    people = scores["privacy.k"].details.get("individuals")
    if people is not None and people < scores["privacy.k"].value:
        yield ledger.sentence(
            "Counted in individuals, not rows, the smallest class has {people}: one person may fill a class.",
            people=ledger.show("privacy.k", "individuals", people),
        )
    yield ledger.sentence("A second table published from the same data can be subtracted from this one.")


def _buckets(report: Report, ledger: Ledger) -> Iterator[Markup]:
    """A bucketised table: what a group reveals of its rows."""
    scores, facts = report.scores, report.release.facts
    yield ledger.sentence(
        "The quasi-identifiers are exact: whoever knows them finds the row and its group. The sensitive "
        "value is one of at least {l} different ones in that group.",
        l=ledger.show("privacy.l", "value", scores["privacy.l"].value),
    )
    alike = scores["privacy.homogeneous_share"]
    if alike.value > 0:
        yield ledger.sentence(
            "{share} of the rows stand in groups that share one sensitive value: it is revealed.",
            share=ledger.share("privacy.homogeneous_share", "value", alike.value),
        )
    people = facts.get("smallest_group_individuals", facts["smallest_group"])
    if people < facts["smallest_group"]:
        yield ledger.sentence(
            "Counted in individuals, not rows, the smallest group has {people}: one person may fill a group.",
            people=ledger.show("groups", "individuals", people),
        )


def _traces(report: Report, ledger: Ledger) -> Iterator[Markup]:
    alone, pinned = report.scores["privacy.alone"], report.scores["privacy.pinned"]
    yield ledger.sentence(
        "{share} of the individuals are alone in their trace: whoever knows their path finds it here.",
        share=ledger.share("privacy.alone", "value", alone.value),
    )
    if pinned.defined:
        yield ledger.sentence(
            "If the traces are published without their prefix too, {share} of masked counts become known.",
            share=ledger.share("privacy.pinned", "value", pinned.value),
        )


def _avatars(report: Report, ledger: Ledger) -> Iterator[Markup]:
    scores = report.scores
    hidden, member = scores["privacy.hidden_rate"], scores["privacy.membership_auc"]
    if hidden.defined and hidden.value < 1:
        yield ledger.sentence(
            "For {share} of the people their own avatar is the closest of all.",
            share=ledger.share("privacy.hidden_rate", "found", 1 - hidden.value),
        )
    if member.interval and member.interval[0] > 0.5:
        yield ledger.sentence(
            "An attacker tells who was in the data better than by a coin: AUC {auc} ({low} to {high}).",
            auc=ledger.show("privacy.membership_auc", "value", member.value, 2),
            low=ledger.show("privacy.membership_auc", "low", member.interval[0], 2),
            high=ledger.show("privacy.membership_auc", "high", member.interval[1], 2),
        )
    same = scores["privacy.identical"]
    if same.value > 0:
        yield ledger.sentence(
            "{share} of the avatars equal a real row.",
            share=ledger.share("privacy.identical", "value", same.value),
        )
    yield ledger.sentence(
        "A distance (DCR, NNDR) is not a guarantee: it says how far avatars lie, not what an attacker knows."
    )


def _of_the_seed(report: Report, ledger: Ledger) -> Iterator[Markup]:
    if report.recipe.seed is not None:
        yield ledger.sentence(
            "A seed was used: whoever has or can guess the data, and knows this recipe, can repeat its "
            "draws. Leave the seed out for a real release."
        )


_BY_KIND: dict[str, Callable[[Report, Ledger], Iterator[Markup]]] = {
    "mobility": _mobility,
    "table": _table,
    "traces": _traces,
    "avatars": _avatars,
}
