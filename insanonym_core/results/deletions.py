"""A step that deletes all rows, or nearly all of them, is named in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from insanonym_core.texts import Phrase

NEARLY_ALL = 0.95  # share of the rows before the step
_ALL = (
    "Step {number} ({method}) deleted the only row that was left: change its values or remove it.",
    "Step {number} ({method}) deleted all {n:,} rows that were left: change its values or remove it.",
)
_MOST = (
    "Step {number} ({method}) deleted {deleted:,} of the {before:,} rows that were left: "
    "change its values or remove it."
)


def deletion_warning(number: int, title: str, before: int, after: int) -> Phrase | None:
    """What to say of a step (its place from 1, the title of its method), by its rows before and after."""
    deleted = before - after
    if before == 0 or deleted < NEARLY_ALL * before:
        return None
    if after == 0:
        return Phrase.plural(_ALL[0], _ALL[1], n=before, number=number, method=Phrase(title))
    return Phrase(_MOST, number=number, method=Phrase(title), before=before, deleted=deleted)


def deletion_warnings(titles: Sequence[str], rows: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """A sentence for each step that deleted nearly all; `rows` are those before and after each step."""
    return tuple(
        said
        for number, (title, (before, after)) in enumerate(zip(titles, rows, strict=False), start=1)
        if (said := deletion_warning(number, title, before, after))
    )
