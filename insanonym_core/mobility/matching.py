"""One-to-one matching of people and pseudonyms, week by week."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

from insanonym_core.mobility.competition import CodedGuesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs, GuessLists, guess_by_week
from insanonym_core.mobility.track import DELETED, week_label
from insanonym_core.numeric.arrays import Bools, Floats, Ints, one_thread
from insanonym_core.runtime.compiled import run_compiled_or

BILLIONTHS = 1e9
MAX_CACHED_COSTS = 1_000_000  # entries of a table of costs that is cached for the attack `everything`
_MAX_EXACT_SUM = 2**50  # eight times as much is exact as a float
Exclusion = Callable[[Floats], Bools]


def guess_one_to_one(
    known: Crowd,
    seen: Crowd,
    costs: Costs,
    exclude: Exclusion | None = None,
    sampled: Bools | None = None,
) -> CodedGuesses:
    """Match known and seen units of each week one-to-one at the lowest total cost; the unmatched guess DEL.

    Costs are rounded to billionths, so that ties are the same on every machine. Ties between matchings are
    broken by a hash of the tokens: in their own order, individuals who kept their ids would be matched with
    themselves. `exclude` returns, from the table of costs, the people who are not matched and guess nothing.
    With `sampled`, only the people marked there are matched and counted.
    """
    order = hashed_order(seen)

    def choose(people: Ints, candidates: Ints) -> list[GuessLists]:
        matched = np.arange(len(people)) if sampled is None else np.flatnonzero(sampled[people])
        table = costs(people[matched], candidates)
        if exclude is not None:
            excluded = exclude(table)
            matched, table = matched[~excluded], table[~excluded]
        rows, columns = min_cost_matching(table, np.argsort(order[candidates]))
        unit = np.full(len(matched), DELETED, dtype=np.int64)
        unit[rows] = candidates[columns]
        size = np.zeros(len(people), dtype=np.int64)
        size[matched] = 1
        return [GuessLists(np.arange(len(people)), size, unit)]

    with one_thread():
        guesses = guess_by_week(known, seen, choose)
    guesses.sampled = sampled
    return guesses


def min_cost_matching(costs: Floats, order: Ints) -> tuple[Ints, Ints]:
    """Rows and columns of the matching of lowest total cost in billionths; unmatched rows are left out.

    The matching is that of scipy's linear_sum_assignment, ties included, if columns stand in `order`.
    """

    def plain() -> tuple[Ints, Ints]:
        from scipy.optimize import linear_sum_assignment

        rows, places = linear_sum_assignment(round_to_billionths(costs)[:, order])
        return rows, order[places]

    def compiled() -> tuple[Ints, Ints] | None:
        if costs.shape[0] <= costs.shape[1]:
            column_of_row = _min_cost_columns(costs, order)
            return None if column_of_row is None else (np.arange(len(column_of_row)), column_of_row)
        row_of_place = _min_cost_columns(np.ascontiguousarray(costs.T[order]), np.arange(len(costs)))
        if row_of_place is None:
            return None
        places = np.argsort(row_of_place)
        return row_of_place[places], order[places]

    return run_compiled_or(plain, compiled, costs.size)


def _min_cost_columns(costs: Floats, order: Ints) -> Ints | None:
    """Column of each row, of which there are not more than columns; None if costs are too large or NaN."""
    from insanonym_core.mobility.kernels import matching as kernel

    max_cost = _MAX_EXACT_SUM / max(len(costs), 1)
    for width, max_range in ((kernel.NARROW, kernel.MAX_NARROW_RANGE), (kernel.WIDE, _MAX_EXACT_SUM)):
        kind = np.empty(0, dtype=width.dtype)
        whole, cost_range = kernel.whole_costs(costs, BILLIONTHS, width.limit, max_cost, kind)
        if cost_range < 0:
            return None
        if cost_range < max_range:
            columns = kernel.min_cost_columns(whole, order, width.limit, width.unreached)
            if len(columns) == len(costs):
                return columns
    return None


def round_to_billionths(costs: Floats) -> Floats:
    """Costs in integer billionths, half to even."""
    return np.rint(costs * BILLIONTHS)


def hashed_order(seen: Crowd) -> Ints:
    """Rank of each unit by the SHA-256 of its week and name."""

    def compute() -> Ints:
        weeks = {week: f"{week_label(week)}\t" for week in np.unique(seen.week).tolist()}
        names = seen.names
        digests = [
            hashlib.sha256((weeks[week] + names[name]).encode(errors="surrogatepass")).digest()
            for week, name in zip(seen.week.tolist(), seen.name.tolist(), strict=True)
        ]
        place = np.empty(len(digests), dtype=np.int64)
        # Four numbers of eight bytes each are in the order of the digests.
        parts = np.frombuffer(b"".join(digests), dtype=">u8").reshape(-1, 4)
        place[np.lexsort(parts.T[::-1].astype(np.uint64))] = np.arange(len(digests))
        return place

    return seen.derive("hashed order", compute)


def cached_costs(name: str, known: Crowd, seen: Crowd, costs: Costs) -> Costs:
    """Cache small tables of costs by name and people. Candidates must be all those of the week."""

    def cached(people: Ints, candidates: Ints) -> Floats:
        if len(people) * len(candidates) > MAX_CACHED_COSTS:
            return costs(people, candidates)
        key = name, known.units, people.tobytes()
        return seen.derive(key, lambda: costs(people, candidates))

    return cached
