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
MAX_KEPT = 1_000_000  # numbers in a table of costs that is kept for an attacker who combines them
_EXACT, _LARGEST = 2**50, 2**57  # eight times that are exact as floats, and fit an integer
LeavesOut = Callable[[Floats], Bools]


def guess_one_to_one(
    known: Crowd,
    seen: Crowd,
    costs: Costs,
    left_out: LeavesOut | None = None,
    sampled: Bools | None = None,
) -> CodedGuesses:
    """Everybody gets a pseudonym of their own, such that the costs are lowest in all; the rest get DEL.

    Costs count in whole billionths, so that equal ones tie in the same way everywhere. Of equally good
    matchings the order of the pseudonyms decides: it is that of a hash, because in their own order people who
    kept their ids would be matched with themselves. `left_out` says, from the table of costs, who is not
    matched and guesses nothing. Of `sampled` people only these take part, and only they count.
    """
    order = hashed_order(seen)

    def choose(people: Ints, candidates: Ints) -> list[GuessLists]:
        taking_part = np.arange(len(people)) if sampled is None else np.flatnonzero(sampled[people])
        shuffled = np.argsort(order[candidates])
        table = round_to_billionths(costs(people[taking_part], candidates)).take(shuffled, axis=1)
        if left_out is not None:
            without = left_out(table)
            taking_part, table = taking_part[~without], table[~without]
        rows, columns = min_cost_matching(table)
        unit = np.full(len(taking_part), DELETED, dtype=np.int64)
        unit[rows] = candidates[shuffled[columns]]
        size = np.zeros(len(people), dtype=np.int64)
        size[taking_part] = 1
        return [GuessLists(np.arange(len(people)), size, unit)]

    with one_thread():
        guesses = guess_by_week(known, seen, choose)
    guesses.sampled = sampled
    return guesses


def min_cost_matching(costs: Floats) -> tuple[Ints, Ints]:
    """Rows and columns matched such that the costs, whole numbers, are lowest in all: scipy's matching."""
    from scipy.optimize import linear_sum_assignment

    def compiled(kernels: Any) -> tuple[Ints, Ints] | None:
        turned = costs.shape[0] > costs.shape[1]
        table = np.ascontiguousarray(costs.T) if turned else costs
        rows, columns = table.shape
        unit = 1 << columns.bit_length()
        sums = np.abs(table).max(initial=0) * rows
        if not (sums < _EXACT and sums * unit < _LARGEST):  # NaN is left to scipy, too
            return None
        found = kernels.min_cost_columns(kernels.integer_blocks(table, unit), columns, unit)
        if not turned:
            return np.arange(len(found)), found
        order = np.argsort(found)
        return found[order], order

    return run_compiled_or(lambda: linear_sum_assignment(costs), compiled, costs.size)


def round_to_billionths(costs: Floats) -> Floats:
    """Whole billionths, half to even."""
    return np.rint(costs * BILLIONTHS)


def hashed_order(seen: Crowd) -> Ints:
    """The place of each unit in the order of the SHA-256 of its week and name."""

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
    """The same costs; small tables are kept for whoever asks again. Candidates are all those of the week."""

    def ask(people: Ints, candidates: Ints) -> Floats:
        if len(people) * len(candidates) > MAX_KEPT:
            return costs(people, candidates)
        key = name, known.units, people.tobytes()
        return seen.derive(key, lambda: costs(people, candidates))

    return ask
