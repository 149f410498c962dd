"""One-to-one matching of people and pseudonyms, week by week."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints, one_thread
from insanonym_core.mobility.competition import CodedGuesses
from insanonym_core.mobility.compiled import run_compiled_or
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import Costs, GuessLists, guess_by_week
from insanonym_core.mobility.track import DELETED, week_label

BILLIONTHS = 1e9
MAX_CACHED_COSTS = 1_000_000  # entries of a table of costs that is cached for the attack `everything`
_MAX_EXACT_SUM, _MAX_SCALED_SUM = 2**50, 2**57  # eight times these are exact as floats, and fit int64
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
        shuffled = np.argsort(order[candidates])
        table = round_to_billionths(costs(people[matched], candidates)).take(shuffled, axis=1)
        if exclude is not None:
            excluded = exclude(table)
            matched, table = matched[~excluded], table[~excluded]
        rows, columns = min_cost_matching(table)
        unit = np.full(len(matched), DELETED, dtype=np.int64)
        unit[rows] = candidates[shuffled[columns]]
        size = np.zeros(len(people), dtype=np.int64)
        size[matched] = 1
        return [GuessLists(np.arange(len(people)), size, unit)]

    with one_thread():
        guesses = guess_by_week(known, seen, choose)
    guesses.sampled = sampled
    return guesses


def min_cost_matching(costs: Floats) -> tuple[Ints, Ints]:
    """Rows and columns of the matching of lowest total cost: scipy's linear_sum_assignment, integer costs."""
    from scipy.optimize import linear_sum_assignment

    def compiled(kernels: Any) -> tuple[Ints, Ints] | None:
        transposed = costs.shape[0] > costs.shape[1]
        table = np.ascontiguousarray(costs.T) if transposed else costs
        rows, columns = table.shape
        unit = 1 << columns.bit_length()
        sums = np.abs(table).max(initial=0) * rows
        if not (
            sums < _MAX_EXACT_SUM and sums * unit < _MAX_SCALED_SUM
        ):  # also True for NaN, which scipy handles
            return None
        column_of_row = kernels.min_cost_columns(kernels.integer_blocks(table, unit), columns, unit)
        if not transposed:
            return np.arange(len(column_of_row)), column_of_row
        order = np.argsort(column_of_row)
        return column_of_row[order], order

    return run_compiled_or(lambda: linear_sum_assignment(costs), compiled, costs.size)


def round_to_billionths(costs: Floats) -> Floats:
    """Costs in integer billionths, half to even."""
    return np.rint(costs * BILLIONTHS)


def hashed_order(seen: Crowd) -> Ints:
    """Rank of each unit by the SHA-256 of its week and name."""

    def compute() -> Ints:
        weeks = {week: week_label(week) for week in np.unique(seen.week).tolist()}
        digests = [
            hashlib.sha256(f"{weeks[week]}\t{seen.names[name]}".encode(errors="surrogatepass")).digest()
            for week, name in zip(seen.week.tolist(), seen.name.tolist(), strict=True)
        ]
        place = np.empty(len(digests), dtype=np.int64)
        place[sorted(range(len(digests)), key=digests.__getitem__)] = np.arange(len(digests))
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
