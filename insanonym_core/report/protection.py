"""What a release does *not* protect: known weaknesses of its steps, and measured ones."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from insanonym_core.experiment import Report, entries_of
from insanonym_core.recipe import method_entry
from insanonym_core.report.ledger import Ledger, prose
from insanonym_core.results.sentences import Given, Sentence
from insanonym_core.tabular.roles import guesses_text, not_published_text
from insanonym_core.texts import say


def not_protected(report: Report, ledger: Ledger) -> list[Markup]:
    """Sentences on all weaknesses of the release, known and measured."""
    return [
        *_step_weaknesses(report, ledger),
        *measured_weakness(report, ledger),
        *_seed_warning(report, ledger),
        *about_columns(report, ledger),
    ]


def about_columns(report: Report, ledger: Ledger) -> list[Markup]:
    """Sentences on guessed roles and unpublished columns; [] for data without columns."""
    if "roles" not in report.facts:
        return []
    texts = (
        guesses_text(report.facts["roles"], ledger.lang),
        not_published_text(report.facts["not_published"], ledger.lang),
    )
    return [Markup('<span class="given">{}</span>').format(text) for text in texts if text]


def measured_weakness(report: Report, ledger: Ledger) -> list[Markup]:
    """Sentences on weaknesses measured on this release; none where not all of its privacy was measured."""
    return [_render_sentence(sentence, ledger) for sentence in _measured(report)]


def beside_the_headline(report: Report, ledger: Ledger) -> list[Markup]:
    """Those of them that the headline of privacy does not count."""
    return [_render_sentence(sentence, ledger) for sentence in _measured(report) if sentence.beside_headline]


def _measured(report: Report) -> list[Sentence]:
    needed = {entry.key for entry in entries_of(report.recipe) if entry.family == "privacy"}
    return list(report.recipe.data_kind.sentences(report)) if needed <= report.scores.keys() else []


def _render_sentence(sentence: Sentence, ledger: Ledger) -> Markup:
    """Translate a sentence and record its numbers in the ledger."""
    values: dict[str, object] = {}
    for name, value in sentence.values.items():
        if isinstance(value, str):
            values[name] = say(value, ledger.lang)
        elif isinstance(value, Given):
            values[name] = Markup('<span class="given">{}</span>').format(value.text)
        elif value.share:
            values[name] = ledger.share(value.name, value.detail, value.value)
        else:
            values[name] = ledger.show(value.name, value.detail, value.value, value.decimals)
    return ledger.sentence(sentence.text, **values)


def _step_weaknesses(report: Report, ledger: Ledger) -> Iterator[Markup]:
    """The weakness of each method: its help text after the first line."""
    if report.facts.get("made_elsewhere"):
        yield ledger.sentence("How the release was made is not known here: only what was measured is said.")
    elif not report.recipe.steps:
        yield ledger.sentence("Nothing was done: the release is the original.")
    for method in dict.fromkeys(method.method for method in report.recipe.steps):
        entry = method_entry(method, report.recipe.kind)
        details = say(entry.help, ledger.lang).split("\n", 1)[1:]
        if details:
            title = say(entry.title, ledger.lang)
            told = Markup('<span class="given">{}</span>').format(prose(details[0]))
            colon = "\u00a0:" if ledger.lang == "fr" else ":"
            yield Markup("<b>{}</b>{} {}").format(title, colon, told)


def _seed_warning(report: Report, ledger: Ledger) -> Iterator[Markup]:
    """Warn that a release made with a seed can be reproduced."""
    if report.recipe.seed is not None:
        yield ledger.sentence(
            "A seed was used: whoever has or can guess the data, and knows this recipe, can repeat its "
            "draws. Leave the seed out for a real release."
        )
