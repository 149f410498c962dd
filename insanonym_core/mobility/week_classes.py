"""Classes of pseudonyms that publish the same: without the order of the rows nobody can tell them apart."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from insanonym_core.mobility.cells import grid_index
from insanonym_core.mobility.competition import footprint, seen_units
from insanonym_core.mobility.geometry import PUBLISHED_DECIMALS
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import combine, ends_of_groups, positions_in


@dataclass(frozen=True, eq=False)
class WeekClasses:
    """For each individual-week of the original the size of the class of its pseudonym; 0 if it is deleted.

    A class are the pseudonyms of a week with equal multisets of (time, cell of 7 decimals). For `linked`, a
    pseudonym that is used in several weeks is compared with all that it publishes: its weeks belong together.
    """

    size: Ints
    linked: Ints

    @property
    def bound(self) -> float:
        """The largest share of individual-weeks that an attacker can expect to find without the row order.

        Classes / pairs, where each pseudonym stands for one individual.
        """
        found: Floats = 1 / self.size[self.size > 0]
        return float(found.sum() / max(len(self.size), 1))

    @property
    def smallest(self) -> int | None:
        """Size of the smallest class; None if nothing is published."""
        return int(self.size[self.size > 0].min()) if self.size.any() else None

    @property
    def smallest_linked(self) -> int | None:
        """Size of the smallest class of pseudonyms with all that they publish."""
        return int(self.linked[self.linked > 0].min()) if self.linked.any() else None


def week_classes(pair: Pair) -> WeekClasses:
    """The classes of a release (cached)."""
    return pair.derive("week classes", lambda: _week_classes(pair))


def _week_classes(pair: Pair) -> WeekClasses:
    secret, kept = footprint(pair), pair.release.kept
    seen, unit_of_row = seen_units(kept)
    size = np.zeros(secret.pairs, dtype=np.int64)
    linked = np.zeros(secret.pairs, dtype=np.int64)
    if len(kept) == 0:
        return WeekClasses(size, linked)
    rows = _rows_by_token_and_time(kept)
    unit_size = _sizes_of_classes(rows, unit_of_row, len(seen), seen.week)
    # A pseudonym that was never found in the week of its individual (an invalid release) hides nobody.
    first = int(min(seen.week.min(), secret.units.week.min()))
    weeks = int(max(seen.week.max(), secret.units.week.max())) - first + 1
    tokens = len(kept.tokens)
    keys = combine((seen.name, tokens), (seen.week - first, weeks))
    wanted = combine((np.maximum(secret.answer, 0), tokens), (secret.units.week - first, weeks))
    place = positions_in(keys, wanted)
    size[secret.kept] = np.where(place >= 0, unit_size[place], 1)[secret.kept]
    token_size = _sizes_of_classes(rows, kept.token, tokens, np.zeros(tokens, dtype=np.int64))
    linked[secret.kept] = token_size[secret.answer[secret.kept]]
    return WeekClasses(size, linked)


def _rows_by_token_and_time(kept: Track) -> Ints:
    """Time and place of the rows, sorted by token, time and place: a token's weeks follow each other."""
    time = kept.time.astype(np.int64)
    latitude = grid_index(kept.latitude, PUBLISHED_DECIMALS)
    longitude = grid_index(kept.longitude, PUBLISHED_DECIMALS)
    first, last = int(time.min()), int(time.max())
    key = combine((kept.token, len(kept.tokens)), (time - first, last - first + 1))
    order = np.argsort(key, kind="stable")
    equal = np.diff(key[order]) == 0
    tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))  # few: sorted by place as well
    rows = order[tied]
    order[tied] = rows[np.lexsort((longitude[rows], latitude[rows], key[rows]))]
    return np.column_stack([time[order], latitude[order], longitude[order]])


def _sizes_of_classes(rows: Ints, owner: Ints, owners: int, week: Ints) -> Ints:
    """For each owner of rows how many owners of the same week have the same multiset of times and places."""
    ends = ends_of_groups(owner, owners)
    names = [
        (number, hashlib.blake2b(rows[start:end].data, digest_size=32).digest())
        for number, (start, end) in zip(week.tolist(), pairwise(ends.tolist()), strict=True)
    ]
    size = Counter(names)
    return np.array([size[name] for name in names], dtype=np.int64)
