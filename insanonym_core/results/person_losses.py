"""Who pays for privacy: what each person's data loses, told as a distribution and never by person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints
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
        labels, counts = _common_classes([self], min_people)
        return labels, counts[0]

    def evidence(self, min_people: int) -> Bars:
        """The distribution, to be drawn."""
        labels, counts = self.classes(min_people)
        return self._bars(labels, counts / len(self.losses))

    def beside(self, other: PersonLosses, names: Sequence[str], min_people: int) -> Bars:
        """Two distributions in the same classes, of which none shows fewer than `min_people` in either."""
        labels, counts = _common_classes([self, other], min_people)
        shares = [count / max(1, count.sum()) for count in counts]
        return self._bars(labels, dict(zip(names, shares, strict=True)))

    def _bars(self, labels: tuple[str, ...], shares: Floats | dict[str, Floats]) -> Bars:
        title = (
            Phrase("Who pays: rows by what they lose")
            if self.rows
            else Phrase("Who pays: people by what they lose")
        )
        unit = Phrase("share of the rows") if self.rows else Phrase("share of the people")
        return Bars(title, unit, labels, shares, share=True, shows_individuals=False)


def _common_classes(
    several: Sequence[PersonLosses], min_people: int
) -> tuple[tuple[str, ...], tuple[Floats, ...]]:
    """Classes of losses, joined until each has at least `min_people` people or none, in each of them."""
    bounds = [*_EDGES, 1.0]
    counts = np.array([_counted(one.losses, np.array(bounds)) for one in several])
    classes: list[tuple[int, int]] = []
    for number in range(counts.shape[1]):
        if classes and _is_small(counts, classes[-1], min_people):
            classes[-1] = classes[-1][0], number
        else:
            classes.append((number, number))
    while len(classes) > 1 and _is_small(counts, classes[-1], min_people):
        _, last = classes.pop()
        classes[-1] = classes[-1][0], last
    labels = tuple(_label(first, last, bounds) for first, last in classes)
    joined = np.array([counts[:, first : last + 1].sum(axis=1) for first, last in classes], dtype=float)
    return labels, tuple(joined.T)


def _counted(losses: Floats, bounds: Floats) -> Ints:
    """How many lose nothing, then at most each bound, then everything."""
    place = np.searchsorted(bounds, np.clip(losses, 0, 1) - _ROUNDING, "left")
    place[losses >= 1 - _ROUNDING] = len(bounds)
    return np.bincount(place, minlength=len(bounds) + 1)


def _is_small(counts: Ints, classes: tuple[int, int], min_people: int) -> bool:
    """Whether some distribution has a few people in these classes, and not none."""
    joined = counts[:, classes[0] : classes[1] + 1].sum(axis=1)
    return bool(((joined > 0) & (joined < min_people)).any())


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
