"""Crowds assembled from the parts of a file.

Attacks query a crowd for descriptions of its units: number of rows, sums of coordinates and times, cells
visited, hours, times, longest stays. All but the longest stays are additive: each part describes its own
units, and `JoinedCrowd` adds the descriptions up. (Times take eight bytes per row.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np

from insanonym_core.errors import UsageError
from insanonym_core.mobility.cells import Cells
from insanonym_core.mobility.competition import Units, factorise_units
from insanonym_core.mobility.crowd import Crowd, TrackCrowd
from insanonym_core.mobility.moments import Hourly, Times, concat_hourly, concat_times
from insanonym_core.mobility.stays import StayTotals, Window
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import PairCounts, combine, count_pairs, starts_of_runs
from insanonym_core.runtime.derived import Derived

Query: TypeAlias = tuple[str, tuple[Any, ...]]  # Any: each method has its own arguments
"""Name of a method of `Crowd`, and its arguments."""

HasUnit = TypeVar("HasUnit", Hourly, Times)


@dataclass(frozen=True, eq=False)
class PartDescription:
    """The units of one part and the results of the queries; cells are given by their grid indices."""

    units: Units
    rows: Ints
    answers: dict[Query, object]


def describe(crowd: Crowd, queries: Sequence[Query]) -> PartDescription:
    """Run the queries on the crowd of one part."""
    answers: dict[Query, Any] = {}
    for name, arguments in queries:
        answer = getattr(crowd, name)(*arguments)
        if isinstance(answer, PairCounts):
            cells = crowd.cells(*arguments)
            answer = answer.group, cells.latitude[answer.item], cells.longitude[answer.item], answer.count
        answers[name, arguments] = answer
    return PartDescription(crowd.units, crowd.rows, answers)


def queries_of(attack: Callable[..., object], values: dict[str, object]) -> list[Query]:
    """Find out which queries an attack (or a score of crowds) makes, by running it on dummy data."""
    queries: dict[Query, None] = {}
    track = Track(
        np.array([0, 0, 1], dtype=np.int32),
        ("a", "b"),
        np.array([0, 0, 1], dtype=np.int32),
        ("p", "q"),
        np.array([0, 7200, 10], dtype=np.int64),
        np.array([45.0, 45.0, 46.0]),
        np.array([4.0, 4.0, 5.0]),
    )
    known, seen = (_RecordingCrowd(track, side, queries) for side in ("individual", "token"))
    attack(known, seen, **values)
    return list(queries)


@dataclass(frozen=True, eq=False)
class _RecordingCrowd(TrackCrowd):
    """A crowd that records the queries made to it."""

    queries: dict[Query, None] = field(default_factory=dict)

    def place_sums(self) -> tuple[Floats, Floats]:
        self.queries["place_sums", ()] = None
        return super().place_sums()

    def clock_sums(self) -> tuple[Floats, Floats]:
        self.queries["clock_sums", ()] = None
        return super().clock_sums()

    def visits(self, decimals: int) -> PairCounts:
        self.queries["visits", (decimals,)] = None
        return super().visits(decimals)

    def hourly(self) -> Hourly:
        self.queries["hourly", ()] = None
        return super().hourly()

    def times(self) -> Times:
        self.queries["times", ()] = None
        return super().times()

    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        self.queries["longest_stays", (windows, decimals)] = None
        return super().longest_stays(windows, decimals)


class JoinedCrowd(Crowd):
    """The units of all parts. A unit that occurs in several parts (a pseudonym two people share) is one unit.

    `shared_units` describes the units that occur in several parts: their longest stays are not additive.
    """

    def __init__(self, parts: Sequence[PartDescription], shared_units: PartDescription | None = None) -> None:
        self._parts, self._shared = parts, shared_units
        names = tuple(sorted({name for part in parts for name in part.units.individuals}))
        code = {name: place for place, name in enumerate(names)}
        self._codes = [_joint_codes(part, code) for part in parts]
        self._shared_name_codes = (
            _joint_codes(shared_units, code) if shared_units else np.zeros(0, dtype=np.int64)
        )
        name = np.concatenate(
            [codes[part.units.name] for codes, part in zip(self._codes, parts, strict=True)]
        )
        week = np.concatenate([part.units.week for part in parts])
        self._units, unit = factorise_units(names, name, week)
        self.unit_of = np.split(unit, np.cumsum([len(part.units) for part in parts])[:-1])
        """For each part, the index of each of its units in this crowd."""
        self._kept: dict[Any, Any] = {}

    @property
    def units(self) -> Units:
        """Every (name, week)."""
        return self._units

    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Cached result of `compute`."""
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]

    def _add_up(self, values: Sequence[Floats | Ints]) -> Floats:
        """Sum one number per unit of each part into one number per unit of this crowd."""
        total = np.zeros(len(self))
        for unit, part in zip(self.unit_of, values, strict=True):
            total[unit] += part
        return total

    @cached_property
    def rows(self) -> Ints:
        """How many rows each unit has."""
        return self._add_up([part.rows for part in self._parts]).astype(np.int64)

    def _answers(self, name: str, *arguments: object) -> list[Any]:  # Any: what that method of Crowd returns
        try:
            return [part.answers[name, arguments] for part in self._parts]
        except KeyError:
            raise UsageError(
                "An attack needs {name} of the whole file, which was not computed for its parts: "
                "score the file in one piece, or leave that attack out with --attacks.",
                name=name,
            ) from None

    def place_sums(self) -> tuple[Floats, Floats]:
        """Sums of coordinates of each unit, added over the parts."""
        north, east = zip(*self._answers("place_sums"), strict=True)
        return self._add_up(north), self._add_up(east)

    def clock_sums(self) -> tuple[Floats, Floats]:
        """Sums of clock vectors of each unit, added over the parts."""
        north, east = zip(*self._answers("clock_sums"), strict=True)
        return self._add_up(north), self._add_up(east)

    def _joined_visits(self, decimals: int) -> tuple[Cells, PairCounts]:
        def join() -> tuple[Cells, PairCounts]:
            visits = self._answers("visits", decimals)
            unit = np.concatenate([own[part[0]] for own, part in zip(self.unit_of, visits, strict=True)])
            latitude, longitude, count = (np.concatenate([part[n] for part in visits]) for n in (1, 2, 3))
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
        """The cells that occur; `code` belongs to the visits, since there are no rows here."""
        return self._joined_visits(decimals)[0]

    def visits(self, decimals: int) -> PairCounts:
        """Number of rows of each (unit, cell), added over the parts."""
        return self._joined_visits(decimals)[1]

    def _with_joint_units(self, parts: Sequence[HasUnit]) -> list[HasUnit]:
        """Replace the unit numbers of each part by those of this crowd."""
        return [part._replace(unit=own[part.unit]) for own, part in zip(self.unit_of, parts, strict=True)]

    def hourly(self) -> Hourly:
        """Hours of the units of all parts, added where parts share a unit."""
        parts = self._answers("hourly")
        return self.derive("hourly", lambda: concat_hourly(self._with_joint_units(parts), len(self)))

    def times(self) -> Times:
        """Published times of the units of all parts."""
        parts = self._answers("times")
        return self.derive("times", lambda: concat_times(self._with_joint_units(parts)))

    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        """Longest stays of the parts; for units in several parts, those of `shared_units`."""
        stays_of_parts = self._answers("longest_stays", windows, decimals)
        coded = list(zip(self._codes, stays_of_parts, strict=True))
        if self._shared is not None:
            in_one_part = np.ones(len(self.names), dtype=bool)
            in_one_part[self._shared_name_codes] = False
            coded = [
                (codes, stays.select(np.flatnonzero(in_one_part[codes[stays.owner]])))
                for codes, stays in coded
            ]
            coded.append(
                (self._shared_name_codes, self._shared.answers["longest_stays", (windows, decimals)])
            )
        owner = np.concatenate([codes[stays.owner] for codes, stays in coded])
        names = ("week", "kind", "latitude", "longitude", "seconds")
        columns = [np.concatenate([getattr(stays, name) for _, stays in coded]) for name in names]
        order = np.lexsort((columns[1], columns[0], owner))
        return StayTotals(owner[order], *(column[order] for column in columns))

    def with_shared_units(self, shared_units: PartDescription) -> JoinedCrowd:
        """The same crowd with a description of the units that occur in several parts."""
        return JoinedCrowd(self._parts, shared_units)

    def shared_names(self) -> tuple[str, ...]:
        """Names that occur in more than one part."""
        times = np.bincount(np.concatenate(self._codes), minlength=len(self.names))
        return tuple(self.names[place] for place in np.flatnonzero(times > 1).tolist())


def _joint_codes(part: PartDescription, code: Mapping[str, int]) -> Ints:
    """The code in the joined crowd of each name of a part."""
    return np.array([code[name] for name in part.units.individuals], dtype=np.int64)
