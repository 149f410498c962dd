"""The card of what these settings do *not* protect: the weakness of each step, and what was measured."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from insanonym_core.experiment import Report
from insanonym_core.recipe import method_entry
from insanonym_core.report.ledger import Ledger
from insanonym_core.sentences import Given, Sentence
from insanonym_core.tabular.roles import guesses_text, not_published_text
from insanonym_core.texts import say


def not_protected(report: Report, ledger: Ledger) -> list[Markup]:
    """Sentences for a reader who is about to trust the release."""
    return [
        *_of_steps(report, ledger),
        *measured_weakness(report, ledger),
        *_of_the_seed(report, ledger),
        *about_columns(report, ledger),
    ]


def about_columns(report: Report, ledger: Ledger) -> list[Markup]:
    """Which roles are guesses, and which columns are not published and why, where data has columns."""
    if "roles" not in report.facts:
        return []
    said = (
        guesses_text(report.facts["roles"], ledger.lang),
        not_published_text(report.facts["not_published"], ledger.lang),
    )
    return [Markup('<span class="given">{}</span>').format(text) for text in said if text]


def measured_weakness(report: Report, ledger: Ledger) -> list[Markup]:
    """Only what was measured on this release."""
    return [_shown(sentence, ledger) for sentence in report.recipe.data_kind.sentences(report)]


def _shown(sentence: Sentence, ledger: Ledger) -> Markup:
    """A sentence with its numbers written down in the ledger."""
    values: dict[str, object] = {}
    for place, value in sentence.values.items():
        if isinstance(value, str):
            values[place] = say(value, ledger.lang)
        elif isinstance(value, Given):
            values[place] = Markup('<span class="given">{}</span>').format(value.text)
        elif value.share:
            values[place] = ledger.share(value.name, value.detail, value.value)
        else:
            values[place] = ledger.show(value.name, value.detail, value.value, value.decimals)
    return ledger.sentence(sentence.text, **values)


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


def _of_the_seed(report: Report, ledger: Ledger) -> Iterator[Markup]:
    if report.recipe.seed is not None:
        yield ledger.sentence(
            "A seed was used: whoever has or can guess the data, and knows this recipe, can repeat its "
            "draws. Leave the seed out for a real release."
        )
