"""Groups of similar individuals: greedy at first, then swaps and moves while they raise the value."""

from __future__ import annotations

import numpy as np

from insanonym_core.mobility.common_week.tables import PairTables
from insanonym_core.numeric.arrays import Floats, Ints

MAX_SWEEPS = 6
_MIN_GAIN = 1e-9
_BAND, _MIN_BAND = 3, 6  # individuals of similar row counts that the greedy start looks at, for each place


def group_sizes(people: int, mean_size: float, min_size: int) -> list[int]:
    """Sizes of the groups at the start: as equal as possible; none if there are too few individuals."""
    if people < min_size:
        return []
    number = max(1, int(people / max(mean_size, min_size) + 1e-9))
    return [people // number + (place < people % number) for place in range(number)]


def form_groups(tables: PairTables, mean_size: float, min_size: int) -> list[Ints]:
    """Groups of at least `min_size` of the individuals 0, 1, …; none if there are fewer than that."""
    sizes = group_sizes(len(tables.counts) - 1, mean_size, min_size)
    if not sizes:
        return []
    search = _Search(tables, sizes, min_size)
    for _ in range(MAX_SWEEPS):
        if not search.sweep():
            break
    return search.groups()


class _Search:
    """The groups as rows of a table, filled up with nobody, and the value of each."""

    def __init__(self, tables: PairTables, sizes: list[int], min_size: int) -> None:
        self._tables, self._min_size = tables, min_size
        self._people = self._nobody = len(tables.counts) - 1
        self._size = np.array(sizes[::-1], dtype=np.int64)  # small ones first, for those with the most rows
        self._members = np.full((len(sizes), max(sizes) + 1), self._nobody)
        self._greedy(np.argsort(-tables.counts[: self._people], kind="stable"))
        self._group = np.zeros(self._people, dtype=np.int64)
        self._value = np.zeros(len(sizes))
        # For each group and individual: what the members gain together from that individual's week.
        self._sums = np.zeros((len(sizes), *tables.gain.shape[1:]))
        for number in range(len(sizes)):
            self._update(number)

    def groups(self) -> list[Ints]:
        """The members of each group, sorted."""
        return [np.sort(members[members != self._nobody]) for members in self._members]

    def _greedy(self, waiting: Ints) -> None:
        """Start each group with the first unassigned individual, and add the best of the next few ones."""
        for members, size in zip(self._members, self._size.tolist(), strict=True):
            members[0], waiting = waiting[0], waiting[1:]
            for place in range(1, size):
                band = waiting[: max(_MIN_BAND, _BAND * size)]
                trial = np.repeat(members[None, : place + 1], len(band), axis=0)
                trial[:, place] = band
                best = int(self._tables.values(trial).argmax())
                members[place] = band[best]
                waiting = np.delete(waiting, best)

    def _update(self, number: int) -> None:
        """Update the size, the sums and the value of a group from its members."""
        members = self._members[number]
        present = members[members != self._nobody]
        self._group[present], self._size[number] = number, len(present)
        self._sums[number] = self._tables.gain[present].sum(axis=0)
        self._value[number] = self._tables.values(members[None, :])[0]

    def _values_after(self, group: Ints, leaving: Ints, joining: Ints) -> Floats:
        """The values of groups after one member has left and another has joined; either may be nobody."""
        members = self._members[group]
        members = np.where(members == leaving[:, None], self._nobody, members)
        members = np.concatenate([members, joining[:, None]], axis=1)
        gain = self._tables.gain
        sums = self._sums[group[:, None], members]
        sums += gain[joining[:, None], members] - gain[leaving[:, None], members]
        best = sums.max(axis=1)
        best[:, 0] *= self._tables.counts[members].min(axis=1)
        values: Floats = best.sum(axis=1)
        return values

    def sweep(self) -> bool:
        """Try each individual once; whether anything changed."""
        changed = False
        for person in range(self._people):
            changed |= self._improve(person)
        return changed

    def _improve(self, person: int) -> bool:
        """The best swap with another individual, or move to another group, if the value rises."""
        own = int(self._group[person])
        others = np.flatnonzero(self._group != own)
        if self._size[own] > self._min_size:  # a move is a swap with nobody of another group
            groups = np.delete(np.arange(len(self._size)), own)
            target = np.concatenate([self._group[others], groups])
            others = np.concatenate([others, np.full(len(groups), self._nobody)])
        else:
            target = self._group[others]
        if not len(others):
            return False
        me, mine = np.full(len(others), person), np.full(len(others), own)
        gain = self._values_after(mine, me, others) + self._values_after(target, others, me)
        gain -= self._value[target] + self._value[own]
        best = int(gain.argmax())
        if gain[best] <= _MIN_GAIN:
            return False
        self._replace(own, person, int(others[best]))
        self._replace(int(target[best]), int(others[best]), person)
        return True

    def _replace(self, number: int, leaving: int, joining: int) -> None:
        """One member leaves a group and another joins; either may be nobody."""
        if self._size[number] == self._members.shape[1]:  # room for one more
            nobody = np.full((len(self._members), 1), self._nobody)
            self._members = np.concatenate([self._members, nobody], axis=1)
        members = self._members[number]
        members[int((members == leaving).argmax())] = joining
        self._update(number)
