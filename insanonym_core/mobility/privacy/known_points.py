"""Share of individual-weeks that p known records single out (unicity)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import TrackCrowd
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import joint_codes, positions_in, renumber, starts_of_runs
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Curve, Score
from insanonym_core.results.threats import SINGLING_OUT, Threat

DECIMALS = 2
MAX_POINTS = 5
MAX_SCORED_POINTS = 4  # the score is the maximum up to here: with deleted rows the curve may fall
DRAWS = 20
_MAX_BYTES = 50_000_000


@metrics.add(
    "known_points",
    data="mobility",
    family="privacy",
    title="Known points",
    better="lower",
    bounds=(0, 1),
    order=1,
    formula="share of person-weeks that p known records single out, maximum over p ≤ 4",
    threat=Threat(SINGLING_OUT, "up to four known records single out {share} of the person-weeks"),
)
def known_points(pair: Pair) -> Score:
    """An attacker knows p records of a person's week: the cell (two decimals), the date and the hour.

    The share of person-weeks where exactly one pseudonym fits them all, and it is theirs; mean of 20 draws.
    """
    shares = _shares_singled_out(pair)
    curve = Curve(
        "Singled out by known points",
        "known records",
        "share of the person-weeks",
        np.arange(1, MAX_POINTS + 1),
        shares,
        share=True,
        shows_individuals=False,
    )
    details = {f"points_{number}": float(share) for number, share in enumerate(shares, start=1)}
    return Score(float(shares[:MAX_SCORED_POINTS].max()), (curve,), details)


def _shares_singled_out(pair: Pair) -> Floats:
    known, seen = TrackCrowd(pair.original, "individual"), TrackCrowd(pair.release.kept, "token")
    secret = footprint(pair)
    drawn = pair.original.derive("known points", lambda: _draw_known_rows(pair.original, known))
    kept = pair.release.kept
    item, seen_item, items = joint_codes(_records(pair.original), _records(kept))
    item = np.append(item, -1)  # the last entry stands for missing rows (-1)
    singled_out = np.zeros(MAX_POINTS)
    seen_unit = seen.unit_of_row
    for week in np.unique(known.week).tolist():
        people, candidates = known.units_in_week(week), seen.units_in_week(week)
        if not len(candidates):
            continue
        item_bits = _ItemBits.from_rows(seen_unit, seen_item, items, candidates)
        own = positions_in(seen.name[candidates], secret.answer[people])
        step = max(1, _MAX_BYTES // (DRAWS * MAX_POINTS * item_bits.width))
        for start in range(0, len(people), step):
            group = slice(start, start + step)
            singled_out += item_bits.singled_out(item[drawn[people[group]]], own[group])
    return singled_out / (DRAWS * max(len(known), 1))


def _records(track: Track) -> tuple[Ints, Ints, Ints]:
    """Hour and cell of each row."""
    cells = track.cells(DECIMALS)
    return track.hours, cells.latitude[cells.code], cells.longitude[cells.code]


def _draw_known_rows(original: Track, known: TrackCrowd) -> Ints:
    """Known rows of each unit in each draw; -1 where a unit has fewer rows."""
    unit = known.unit_of_row
    order = np.lexsort((original.cells(DECIMALS).code, original.time, unit))
    rows = np.split(order, starts_of_runs(unit[order])[1:])
    draw = np.random.default_rng(0)
    drawn = np.full((len(known), DRAWS, MAX_POINTS), -1, dtype=np.int64)
    for place, own in enumerate(rows):
        number = min(MAX_POINTS, len(own))
        for known_rows in drawn[place]:
            known_rows[:number] = own[draw.permutation(len(own))[:number]]
    return drawn


class _ItemBits(NamedTuple):
    """Bit table of a week: whether each token has each item. Row 0 is all False, the last row all True.

    `row` is that of each item; its last entry (-1, a missing record) is the last row.
    """

    row: Ints
    bits: Ints
    width: int

    @classmethod
    def from_rows(cls, unit: Ints, item: Ints, items: int, candidates: Ints) -> _ItemBits:
        """Build the table from the unit and item of each row of a release."""
        place = np.searchsorted(candidates, unit).clip(max=len(candidates) - 1)
        rows = np.flatnonzero(candidates[place] == unit)
        found, code = renumber(item[rows], items)
        table = np.zeros((len(found) + 2, len(candidates)), dtype=bool)
        table[code + 1, place[rows]] = True
        table[-1] = True
        bits = np.packbits(table, axis=1)
        row = np.zeros(items + 1, dtype=np.int64)
        row[found] = np.arange(1, len(found) + 1)
        row[-1] = len(found) + 1
        return cls(row, bits, bits.shape[1])

    def singled_out(self, known: Ints, own: Ints) -> Floats:
        """Number of (person, draw) that only their own token fits, by number of known points.

        `known` holds items by (person, draw, point), `own` the index of each person's token, -1 if none."""
        fitting = self.bits[self.row[known]]
        for point in range(1, fitting.shape[2]):
            fitting[:, :, point] &= fitting[:, :, point - 1]
        is_unique: Bools = np.bitwise_count(fitting).sum(axis=-1) == 1
        person = np.arange(len(own))
        bit = (fitting[person, :, :, own // 8] >> (7 - own % 8)[:, None, None]) & 1
        right = is_unique & (bit == 1) & (own >= 0)[:, None, None]
        return right.sum(axis=(0, 1)).astype(np.float64)
