"""Sentences on what is not protected in a table, from its measures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from insanonym_core.results.scores import Score
from insanonym_core.results.sentences import Given, Number, Sentence, share_of
from insanonym_core.tabular.published_besides import (
    dependent_columns,
    identifier_like_columns,
    nearly_unique_columns,
)

if TYPE_CHECKING:
    from insanonym_core.experiment.report import Report

ASSUMED_QUASI = (
    "No quasi-identifier was named: an attacker is taken to know {columns}, and nothing else of what is "
    "published."
)


def unprotected(report: Report) -> Iterator[Sentence]:
    """Yield sentences on what is known, unique rows, revealed values, classes of one person and the like."""
    scores = report.scores
    if report.release.assumed_quasi:
        yield Sentence(ASSUMED_QUASI, {"columns": Given(", ".join(report.release.assumed_quasi))})
    unique = scores["privacy.unique_share"]
    if report.release.perturbed_quasi:
        yield Sentence(
            "Values of {columns} are perturbed: k and the other numbers of classes say nothing about people, "
            "and who knows several values looks for the row that is nearest.",
            {"columns": Given(", ".join(report.release.perturbed_quasi))},
        )
    elif unique.value > 0:
        yield Sentence(
            "{share} of the published rows are unique on the quasi-identifiers: whoever knows these finds "
            "the row.",
            {"share": share_of("privacy.unique_share", unique.value)},
        )
    alike = scores["privacy.homogeneous_share"]
    if report.release.perturbed_quasi:
        pass
    elif not alike.defined:
        yield Sentence(
            "The sensitive columns are not published: what a class reveals about them is not measured."
            if report.facts["roles"].sensitive
            else "No sensitive column was named: what a class reveals about all its rows is not measured."
        )
    elif report.release.sensitive_by_group:
        yield from _bucket_sentences(report)
    elif alike.value > 0:
        yield Sentence(
            "{share} of the published rows stand in classes with one sensitive value: revealed although k "
            "holds.",
            {"share": share_of("privacy.homogeneous_share", alike.value)},
        )
    yield from _uncertainty_sentences(scores["privacy.uncertainty_removed"])
    people = scores["privacy.k"].details.get("individuals")
    if people is not None and people < scores["privacy.k"].value:
        yield Sentence(
            "Counted in individuals, not rows, the smallest class has {people}.",
            {"people": Number("privacy.k", "individuals", people)},
        )
    yield from _unchanged_column_sentences(report)
    yield Sentence("A second table published from the same data can be subtracted from this one.")


def _unchanged_column_sentences(report: Report) -> Iterator[Sentence]:
    """Yield sentences on risky columns published unchanged; they name columns, never values."""
    release = report.release
    unique, direct = nearly_unique_columns(release), identifier_like_columns(release)
    if direct:
        yield Sentence(
            "Published as they are, although they look like direct identifiers: {columns}.",
            {"columns": Given(", ".join(direct))},
            beside_headline=True,
        )
    if unique:
        yield Sentence(
            "Published as they are, and nearly unique: {columns}. Whoever knows such a value finds the row.",
            {"columns": Given(", ".join(unique))},
            beside_headline=True,
        )
    for dependent in dependent_columns(release, (*unique, *direct)):
        yield Sentence(
            "{quasi} can be derived from {column}: k = {k} on the quasi-identifiers you named, {left} if "
            "{column} is known too.",
            {
                "quasi": Given(", ".join(dependent.quasi)),
                "column": Given(dependent.column),
                "k": Number("privacy.k", "value", report.scores["privacy.k"].value),
                "left": Number(f"column.{dependent.column}", "k", dependent.k),
            },
        )


def _uncertainty_sentences(score: Score) -> Iterator[Sentence]:
    """Yield a sentence on what the classes reveal about the sensitive value."""
    if not score.value > 0:
        return
    key, details = "privacy.uncertainty_removed", score.details
    yield Sentence(
        "Whoever knows somebody's quasi-identifiers gives the true sensitive value a chance of {chance} on "
        "average, instead of {before} without them.",
        {
            "chance": share_of(key, float(details["chance_by_class"] or 0), "chance_by_class"),
            "before": share_of(key, float(details["chance_in_table"] or 0), "chance_in_table"),
        },
    )


def _bucket_sentences(report: Report) -> Iterator[Sentence]:
    """Yield sentences on what the groups of a bucketised table reveal."""
    scores, facts = report.scores, report.release.facts
    yield Sentence(
        "The quasi-identifiers are exact: whoever knows them finds the row and its group. The sensitive "
        "value is one of at least {l} different ones in that group.",
        {"l": Number("privacy.l", "value", scores["privacy.l"].value)},
    )
    alike = scores["privacy.homogeneous_share"]
    if alike.value > 0:
        yield Sentence(
            "{share} of the published rows stand in groups that leave one sensitive value: it is revealed.",
            {"share": share_of("privacy.homogeneous_share", alike.value)},
        )
    people = facts.get("smallest_group_individuals", facts["smallest_group"])
    if people < facts["smallest_group"]:
        yield Sentence(
            "Counted in individuals, not rows, the smallest group has {people}.",
            {"people": Number("groups", "individuals", people)},
        )
