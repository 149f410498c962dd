"""What an attacker has: people week by week, on either side, described without the order of the rows.

`Crowd.known` are the people of the original, `Crowd.seen` the pseudonyms of the release; both are units of
(name, week). Everything here is a count or a sum of integers, so that no order of rows can leak into it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import PairCounts, combine, count_pairs, renumber
from insanonym_core.mobility.cells import Cells
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.stays import StayTotals, Window, stay_totals
from insanonym_core.mobility.track import DELETED_ID, Side, Track, week_label

SAME_COST = 1e-9
_DEGREE = 10**9  # a billionth of a degree is a tenth of a millimetre
_TURN = 2**36
DAY = 86_400
_LARGEST_TABLE = 4_000_000


@dataclass(frozen=True, eq=False)
class Crowd:
    """The units of a track without deleted rows, sorted by (name, week)."""

    track: Track
    side: Side

    @classmethod
    def known(cls, original: Track) -> Crowd:
        """The people of the original."""
        return cls(original, "individual")

    @classmethod
    def seen(cls, release: Track) -> Crowd:
        """The pseudonyms of a release; who is behind them is not asked."""
        return cls(release.kept, "token")

    @property
    def names(self) -> tuple[str, ...]:
        """Texts of the names."""
        return self.track.individuals if self.side == "individual" else self.track.tokens

    @cached_property
    def _units(self) -> tuple[Ints, Ints, Ints]:
        name = self.track.individual if self.side == "individual" else self.track.token
        if len(name) == 0:
            return name, name, name
        first = int(self.track.week.min())
        weeks = int(self.track.week.max()) - first + 1
        key = combine((name, len(self.names)), (self.track.week - first, weeks))
        found, unit = renumber(key, len(self.names) * weeks)
        return found // weeks, found % weeks + first, unit

    @property
    def name(self) -> Ints:
        """Code of the name of each unit."""
        return self._units[0]

    @property
    def week(self) -> Ints:
        """Week of each unit."""
        return self._units[1]

    @property
    def unit_of_row(self) -> Ints:
        """The unit each row belongs to."""
        return self._units[2]

    def __len__(self) -> int:
        return len(self.name)

    def of_week(self, week: int) -> Ints:
        """The units of a week, in the order of their names."""
        return np.flatnonzero(self.week == week)

    # --- what can be told about a unit --------------------------------------------------------------

    @cached_property
    def rows(self) -> Ints:
        """How many rows each unit has."""
        return np.bincount(self.unit_of_row, minlength=len(self))

    @cached_property
    def mean_position(self) -> tuple[Floats, Floats]:
        """Mean latitude and longitude of each unit."""
        return (
            self._sum(np.rint(self.track.latitude * _DEGREE)) / self.rows / _DEGREE,
            self._sum(np.rint(self.track.longitude * _DEGREE)) / self.rows / _DEGREE,
        )

    @cached_property
    def mean_hour(self) -> Floats:
        """Circular mean time of day in hours; NaN when the times cancel out."""
        ticks = DAY * self.track.resolution
        angle = (self.track.time % ticks) * (2 * np.pi / ticks)
        east = self._sum(np.rint(np.cos(angle) * _TURN)) / self.rows / _TURN
        north = self._sum(np.rint(np.sin(angle) * _TURN)) / self.rows / _TURN
        hour = np.arctan2(north, east) * (24 / (2 * np.pi)) % 24
        return np.where(np.hypot(east, north) < SAME_COST, np.nan, hour)

    def _sum(self, whole: Floats) -> Floats:
        total = np.zeros(len(self), dtype=np.int64)
        np.add.at(total, self.unit_of_row, whole.astype(np.int64))
        return total.astype(np.float64)

    def cells(self, decimals: int) -> Cells:
        """The cells of the track."""
        return self.track.cells(decimals)

    def visits(self, decimals: int) -> PairCounts:
        """Rows of each (unit, cell)."""

        def count() -> PairCounts:
            cells = self.cells(decimals)
            return count_pairs(self.unit_of_row, len(self), cells.code, cells.number)

        return self.track.derive(("crowd visits", self.side, decimals), count)

    def longest_stays(self, windows: tuple[Window, ...], decimals: int) -> StayTotals:
        """Where each unit stayed longest within each window."""
        return stay_totals(self.track, windows, decimals, owner=self.side, file_order=False).longest()


Costs = Callable[[Ints, Ints], Floats]
"""Known units and seen units of one week → a cost for each pair; inf where nothing can be said."""


def guess_nearest(known: Crowd, seen: Crowd, costs: Costs) -> Guesses:
    """For each known unit every pseudonym of its week whose cost is the smallest; none if all are inf."""

    def choose(people: Ints, candidates: Ints) -> list[Ints]:
        chosen: list[Ints] = []
        for some in _pieces(people, len(candidates)):
            table = costs(some, candidates)
            lowest = table.min(axis=1, keepdims=True)
            near = (table <= lowest + SAME_COST) & np.isfinite(table)
            # Many people can share one long list of candidates: it is made once.
            lists: dict[bytes, Ints] = {}
            for packed, row in zip(np.packbits(near, axis=1), near, strict=True):
                key = packed.tobytes()
                if key not in lists:
                    lists[key] = candidates[row]
                chosen.append(lists[key])
        return chosen

    return guess_by_week(known, seen, choose)


def _pieces(people: Ints, candidates: int) -> list[Ints]:
    """The people in groups whose table of costs stays small, however large the week is."""
    return np.array_split(people, len(people) * candidates // _LARGEST_TABLE + 1)


def guess_by_week(
    known: Crowd,
    seen: Crowd,
    choose: Callable[[Ints, Ints], list[Ints | None]] | Callable[[Ints, Ints], list[Ints]],
) -> Guesses:
    """Ask `choose` week by week which seen units each known unit may be; None means deleted."""
    guesses: dict[str, dict[str, tuple[str, ...]]] = {name: {} for name in known.names}
    for week in np.unique(known.week).tolist():
        people, candidates = known.of_week(week), seen.of_week(week)
        chosen: list[Any] = choose(people, candidates) if len(candidates) else [None] * len(people)
        label = week_label(week)
        texts: dict[int, tuple[str, ...]] = {}
        for person, units in zip(known.name[people].tolist(), chosen, strict=True):
            if id(units) not in texts:
                texts[id(units)] = (
                    (DELETED_ID,)
                    if units is None
                    else tuple(seen.names[name] for name in seen.name[units].tolist())
                )
            guesses[known.names[person]][label] = texts[id(units)]
    return guesses
