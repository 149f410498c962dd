"""What an attacker has, put together from parts.

Attacks ask a crowd for descriptions of its units: rows, sums of places and times, cells visited, hours,
times, longest stays. All but the stays can be added; so each part describes its own units, and the joined
crowd answers as one. (Times are as many as rows: eight bytes for each travel.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.derived import Derived
from insanonym_core.errors import UsageError
from insanonym_core.grouping import PairCounts, combine, count_pairs, starts_of_runs
from insanonym_core.mobility.cells import Cells
from insanonym_core.mobility.competition import Units, units_of
from insanonym_core.mobility.crowd import Crowd, TrackCrowd
from insanonym_core.mobility.moments import Hourly, Times, joined_hourly, joined_times
from insanonym_core.mobility.stays import StayTotals, Window
from insanonym_core.mobility.track import Track

Question = tuple[str, tuple[Any, ...]]
"""A description that attacks ask for, by the name of its method, and with which arguments."""


@dataclass(frozen=True, eq=False)
class Described:
    """The units of one part and the answers about them; cells are given by their grid indices."""

    units: Units
    rows: Ints
    answers: dict[Question, Any]


def describe(crowd: Crowd, questions: Sequence[Question]) -> Described:
    """Answer the questions for one part."""
    answers: dict[Question, Any] = {}
    for name, arguments in questions:
        found = getattr(crowd, name)(*arguments)
        if isinstance(found, PairCounts):
            cells = crowd.cells(*arguments)
            found = found.group, cells.latitude[found.item], cells.longitude[found.item], found.count
        answers[name, arguments] = found
    return Described(crowd.units, crowd.rows, answers)


def asked_by(attack: Callable[..., Any], values: dict[str, Any]) -> list[Question]:
    """What an attack asks its crowds, found out on two people in a village: no attack has to declare it."""
    asked: dict[Question, None] = {}
    track = Track(
        np.array([0, 0, 1], dtype=np.int32),
        ("a", "b"),
        np.array([0, 0, 1], dtype=np.int32),
        ("p", "q"),
        np.array([0, 7200, 10], dtype=np.int64),
        np.array([45.0, 45.0, 46.0]),
        np.array([4.0, 4.0, 5.0]),
    )
    known, seen = (_Asked(track, side, asked) for side in ("individual", "token"))
    attack(known, seen, **values)
    return list(asked)


@dataclass(frozen=True, eq=False)
class _Asked(TrackCrowd):
    asked: dict[Question, None] = field(default_factory=dict)

    def place_sums(self) -> tuple[Floats, Floats]:
        self.asked["place_sums", ()] = None
        return super().place_sums()

    def clock_sums(self) -> tuple[Floats, Floats]:
        self.asked["clock_sums", ()] = None
        return super().clock_sums()

    def visits(self, decimals: int) -> PairCounts:
        self.asked["visits", (decimals,)] = None
        return super().visits(decimals)

    def hourly(self) -> Hourly:
        self.asked["hourly", ()] = None
        return super().hourly()

    def times(self) -> Times:
        self.asked["times", ()] = None
        return super().times()

    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        self.asked["longest_stays", (windows, decimals)] = None
        return super().longest_stays(windows, decimals)


class JoinedCrowd(Crowd):
    """The units of all parts. A unit that several parts know (a pseudonym two people share) is one unit.

    `together` answers for such units what cannot be added: the stays.
    """

    def __init__(self, parts: Sequence[Described], together: Described | None = None) -> None:
        self._parts, self._together = parts, together
        names = tuple(sorted({name for part in parts for name in part.units.individuals}))
        code = {name: place for place, name in enumerate(names)}
        self._codes = [_coded(part, code) for part in parts]
        self._shared_codes = _coded(together, code) if together else np.zeros(0, dtype=np.int64)
        name = np.concatenate(
            [codes[part.units.name] for codes, part in zip(self._codes, parts, strict=True)]
        )
        week = np.concatenate([part.units.week for part in parts])
        self._units, unit = units_of(names, name, week)
        self.unit_of = np.split(unit, np.cumsum([len(part.units) for part in parts])[:-1])
        """The place here of each part's units."""
        self._kept: dict[Any, Any] = {}

    @property
    def units(self) -> Units:
        """Every (name, week)."""
        return self._units

    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Something computed from this crowd, once."""
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    def _added(self, values: Sequence[Any]) -> Floats:
        """Numbers of the parts' units, added up over units that are one."""
        total = np.zeros(len(self))
        for unit, part in zip(self.unit_of, values, strict=True):
            total[unit] += part
        return total

    @cached_property
    def rows(self) -> Ints:
        """How many rows each unit has."""
        return self._added([part.rows for part in self._parts]).astype(np.int64)

    def _answers(self, name: str, *arguments: Any) -> list[Any]:
        try:
            return [part.answers[name, arguments] for part in self._parts]
        except KeyError:
            raise UsageError(
                f"An attack asks for {name} of the whole file, which its parts were not asked for: score the "
                "file in one piece, or leave that attack out with --attacks."
            ) from None

    def place_sums(self) -> tuple[Floats, Floats]:
        """Added up over the parts."""
        north, east = zip(*self._answers("place_sums"), strict=True)
        return self._added(north), self._added(east)

    def clock_sums(self) -> tuple[Floats, Floats]:
        """Added up over the parts."""
        north, east = zip(*self._answers("clock_sums"), strict=True)
        return self._added(north), self._added(east)

    def _joined_visits(self, decimals: int) -> tuple[Cells, PairCounts]:
        def join() -> tuple[Cells, PairCounts]:
            found = self._answers("visits", decimals)
            unit = np.concatenate([own[part[0]] for own, part in zip(self.unit_of, found, strict=True)])
            latitude, longitude, count = (np.concatenate([part[n] for part in found]) for n in (1, 2, 3))
            if len(unit) == 0:
                return Cells(decimals, unit, latitude, longitude), PairCounts(unit, unit, count)
            order = np.lexsort((longitude, latitude))
            starts = starts_of_runs(latitude[order], longitude[order])
            item = np.empty(len(order), dtype=np.int64)
            item[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(order))))
            first = order[starts]
            cells = Cells(decimals, item, latitude[first], longitude[first])
            pairs = count_pairs(unit, len(self), item, cells.number)
            key = combine((pairs.group, len(self)), (pairs.item, cells.number))
            own = np.searchsorted(key, combine((unit, len(self)), (item, cells.number)))
            total = np.zeros(len(key), dtype=np.int64)
            np.add.at(total, own, count)
            return cells, PairCounts(pairs.group, pairs.item, total)

        return self.derive(("visits", decimals), join)

    def cells(self, decimals: int) -> Cells:
        """The cells that occur; their codes are of no rows."""
        return self._joined_visits(decimals)[0]

    def visits(self, decimals: int) -> PairCounts:
        """Added up over the parts."""
        return self._joined_visits(decimals)[1]

    def _own_units(self, parts: Sequence[Any]) -> list[Any]:
        """The same descriptions with the units of this crowd."""
        return [part._replace(unit=own[part.unit]) for own, part in zip(self.unit_of, parts, strict=True)]

    def hourly(self) -> Hourly:
        """Added up over the parts."""
        parts = self._answers("hourly")
        return self.derive("hourly", lambda: joined_hourly(self._own_units(parts), len(self)))

    def times(self) -> Times:
        """Those of all parts."""
        parts = self._answers("times")
        return self.derive("times", lambda: joined_times(self._own_units(parts)))

    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        """Those of the parts, and those that several parts have together."""
        found = self._answers("longest_stays", windows, decimals)
        coded = list(zip(self._codes, found, strict=True))
        if self._together is not None:
            alone = np.ones(len(self.names), dtype=bool)
            alone[self._shared_codes] = False
            coded = [
                (codes, stays.select(np.flatnonzero(alone[codes[stays.owner]]))) for codes, stays in coded
            ]
            coded.append((self._shared_codes, self._together.answers["longest_stays", (windows, decimals)]))
        owner = np.concatenate([codes[stays.owner] for codes, stays in coded])
        names = ("week", "kind", "latitude", "longitude", "seconds")
        columns = [np.concatenate([getattr(stays, name) for _, stays in coded]) for name in names]
        order = np.lexsort((columns[1], columns[0], owner))
        return StayTotals(owner[order], *(column[order] for column in columns))

    def with_together(self, together: Described) -> JoinedCrowd:
        """The same crowd, with what its parts could not say of units they share."""
        return JoinedCrowd(self._parts, together)

    def shared(self) -> tuple[str, ...]:
        """Names that more than one part knows."""
        times = np.bincount(np.concatenate(self._codes), minlength=len(self.names))
        return tuple(self.names[place] for place in np.flatnonzero(times > 1).tolist())


def _coded(part: Described, code: Mapping[str, int]) -> Ints:
    """The joined code of each name of a part."""
    return np.array([code[name] for name in part.units.individuals], dtype=np.int64)
