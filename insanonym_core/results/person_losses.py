"""Who pays for privacy: what each person's data loses, told as a distribution and never by person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insanonym_core.numeric.arrays import Floats
from insanonym_core.results.scores import Bars
from insanonym_core.texts import Phrase

_EDGES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)
_ROUNDING = 1e-9
TENTH = 10


@dataclass(frozen=True, eq=False)
class PersonLosses:
    """The loss of each person, from 0 (nothing) to 1 (everything), and a sentence that says what it is.

    The order of the people means nothing. `rows` is set where nobody can be told apart, and each row counts
    as a person.
    """

    losses: Floats
    meaning: str
    rows: bool = False

    @property
    def mean(self) -> float:
        """What a person loses on average."""
        return float(self.losses.mean())

    @property
    def worst_tenth(self) -> float:
        """The share of the whole loss that the tenth who lose most bear; NaN without a loss."""
        total = float(self.losses.sum())
        tenth = max(1, round(len(self.losses) / TENTH))
        return float(np.sort(self.losses)[-tenth:].sum()) / total if total > 0 else float("nan")

    def classes(self, min_people: int) -> tuple[tuple[str, ...], Floats]:
        """How many people lose how much, as labels and numbers: no class has fewer than `min_people`."""
        bounds = np.array([*_EDGES, 1.0])
        place = np.searchsorted(bounds, np.clip(self.losses, 0, 1) - _ROUNDING, "left")
        whole = self.losses >= 1 - _ROUNDING
        place[whole] = len(bounds)
        counts = np.bincount(place, minlength=len(bounds) + 1)
        classes: list[list[int]] = []  # first, last, people
        for number, count in enumerate(counts.tolist()):
            if classes and 0 < classes[-1][2] < min_people:
                classes[-1][1:] = [number, classes[-1][2] + count]
            else:
                classes.append([number, number, count])
        if len(classes) > 1 and 0 < classes[-1][2] < min_people:
            _, last, count = classes.pop()
            while len(classes) > 1 and classes[-1][2] == 0:
                classes.pop()
            classes[-1][1:] = [last, classes[-1][2] + count]
        labels = tuple(_label(first, last, bounds.tolist()) for first, last, _ in classes)
        return labels, np.array([count for _, _, count in classes], dtype=float)

    def evidence(self, min_people: int) -> Bars:
        """The distribution, to be drawn."""
        labels, counts = self.classes(min_people)
        return Bars(
            Phrase("Who pays: rows by what they lose")
            if self.rows
            else Phrase("Who pays: people by what they lose"),
            Phrase("share of the rows") if self.rows else Phrase("share of the people"),
            labels,
            counts / len(self.losses),
            share=True,
            shows_individuals=False,
        )


def _label(first: int, last: int, bounds: list[float]) -> str:
    """Label of the classes from `first` to `last`: 0 loses nothing, the last everything."""
    if first == last == 0:
        return Phrase("nothing")
    if first == last == len(bounds):
        return Phrase("everything")
    low = bounds[first - 1] if first else 0.0
    high = bounds[min(last, len(bounds) - 1)]
    if first == 0:
        return Phrase("at most {high:.0%}", high=high)
    if last == len(bounds):
        return Phrase("more than {low:.0%}", low=low)
    return Phrase("{low:.0%} to {high:.0%}", low=low, high=high)


def mean_by_person(losses: Floats, person: object, people: int) -> Floats:
    """The mean of losses of rows for each person, numbered from 0."""
    codes = np.asarray(person)
    total = np.bincount(codes, weights=losses, minlength=people)
    rows = np.bincount(codes, minlength=people)
    found: Floats = total[rows > 0] / rows[rows > 0]
    return found
