"""Measuring what a search found once more: fresh draws, every attacker; what fails is dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from insanonym_core.recipe import Recipe
from insanonym_core.sweep.workers import Workers
from insanonym_core.tuning.measure import (
    Draw,
    Measured,
    Measures,
    joined_draws,
    measure,
    measures_of,
    seed_of,
)
from insanonym_core.tuning.trials import Tried, mean_values
from insanonym_core.tuning.wish import Wish

FRESH_DRAWS = 5
FINAL_DRAWS = 5
MAX_CANDIDATES = 20
_FIRST = 2  # draws after which a candidate that is far off is given up
_FAR = 0.05
_NO_WORSE = 0.002  # of the number to maximise; privacy varies more between draws, and is measured again
_PRIVACY_VARIES = 0.05
_SAME = 0.05  # recipes so near each other count as the same,
_STRANGE = 0.3  # and so far from all that were measured again nothing is known of them


@dataclass(frozen=True)
class Confirmed:
    """What came of measuring again.

    `believed` is what the search measured, `fresh` the first fresh draws, `final` further ones of the winner;
    without a winner they are those of the candidate that came closest. `candidates` is how many were tried.
    """

    recipe: Recipe
    believed: Tried
    fresh: Measured
    final: Measured | None
    candidates: int


def confirmed(
    base: Recipe, wish: Wish, trials: Sequence[Tried], workers: Workers, root: int
) -> Confirmed | None:
    """The best recipe that keeps the wish on fresh draws against every attacker; None without a candidate."""
    measures = measures_of(base, wish)
    left = [one for one in trials if one.counts and wish.holds(one.values)]
    drops: list[tuple[Tried, float]] = []
    closest: Confirmed | None = None
    for number in range(1, MAX_CANDIDATES + 1):
        chosen = _next_candidate(left, wish, drops)
        if chosen is None:
            break
        left.remove(chosen)
        recipe, believed = _simplified(chosen, wish, workers, measures, root)
        fresh = _fresh(recipe, wish, workers, measures, root, f"fresh {number}", FRESH_DRAWS)
        if fresh is None:
            continue
        drops.append((chosen, believed.privacy - fresh.privacy))
        final = None
        if wish.holds(fresh.values):
            final = _fresh(recipe, wish, workers, measures, root, f"final {number}", FINAL_DRAWS)
        if final is not None and wish.holds(final.values):
            return Confirmed(recipe, believed, fresh, final, number)
        if closest is None or wish.worst_margin(fresh.values) > wish.worst_margin(closest.fresh.values):
            closest = Confirmed(recipe, believed, fresh, None, number)
        closest = replace(closest, candidates=number)
    return closest


def _next_candidate(left: Sequence[Tried], wish: Wish, drops: Sequence[tuple[Tried, float]]) -> Tried | None:
    """The best of those that should keep the wish if privacy falls as it did for candidates like them."""
    margins = {
        one.number: wish.worst_margin({**one.values, "privacy": one.privacy - _drop(one, drops)})
        for one in left
    }
    fitting = [one for one in left if margins[one.number] >= 0]
    if fitting:
        return max(fitting, key=lambda one: (wish.objective(one.values), one.privacy))
    return max(left, key=lambda one: margins[one.number], default=None)


def _drop(one: Tried, drops: Sequence[tuple[Tried, float]]) -> float:
    """How much privacy should fall: as for the candidates that are most like this one, else not at all."""
    total = falls = 0.0
    for other, drop in drops:
        likeness = (_SAME + distance(one.choices, other.choices)) ** -2
        total += likeness
        falls += likeness * drop
    return max(0.0, falls / (total + (_SAME + _STRANGE) ** -2))


def distance(one: Mapping[str, object], other: Mapping[str, object]) -> float:
    """How unlike two recipes are by their choices, from 0 to 1; numbers by their ratio."""
    names = one.keys() | other.keys()
    return sum(_unlike(one.get(name), other.get(name)) for name in names) / max(1, len(names))


def _unlike(one: object, other: object) -> float:
    if one == other:
        return 0.0
    numbers = [abs(value) for value in (one, other) if isinstance(value, int | float)]
    if len(numbers) < 2 or isinstance(one, bool) or isinstance(other, bool):
        return 1.0
    return (max(numbers) - min(numbers)) / max(numbers)


def _simplified(
    chosen: Tried, wish: Wish, workers: Workers, measures: Measures, root: int
) -> tuple[Recipe, Tried]:
    """The candidate without the steps that make no difference, on the draws of the search."""
    best = chosen
    for place in reversed(range(len(chosen.recipe.steps))):
        steps = best.recipe.steps
        if len(steps) == 1:
            break
        shorter = replace(best.recipe, steps=(*steps[:place], *steps[place + 1 :]))
        runs = _runs(shorter, workers, measures.seen, (), root, "search", best.draws)
        if any(draw.failed for draw in runs):
            continue
        values = mean_values([draw.values for draw in runs])
        no_worse = (
            wish.objective(values) >= wish.objective(best.values) - _NO_WORSE
            and values["privacy"] >= best.privacy - _PRIVACY_VARIES
            and wish.holds(values)
        )
        if no_worse:
            best = replace(best, recipe=shorter, values=values, decided_by=runs[0].decided_by)
    return best.recipe, best


def _fresh(
    recipe: Recipe, wish: Wish, workers: Workers, measures: Measures, root: int, part: str, draws: int
) -> Measured | None:
    """Means over fresh draws with every attacker; fewer draws where it is clear that the wish is not kept."""
    first = _runs(recipe, workers, measures.every, measures.held_out, root, part, _FIRST)
    if any(draw.failed for draw in first):
        return None
    known = joined_draws(first)
    if wish.worst_margin(known.values) < -_FAR:
        return known
    more = _runs(recipe, workers, measures.every, measures.held_out, root, part, draws - _FIRST, _FIRST)
    return None if any(draw.failed for draw in more) else joined_draws([*first, *more])


def _runs(
    recipe: Recipe,
    workers: Workers,
    only: Sequence[str],
    held_out: Sequence[str],
    root: int,
    part: str,
    draws: int,
    begin: int = 0,
) -> list[Draw]:
    """Some draws of a recipe, in their order."""
    todo = (
        (number, (recipe, seed_of(root, part, number), only, held_out))
        for number in range(begin, begin + draws)
    )
    found = dict(workers.results(measure, todo))
    return [found[number] for number in sorted(found)]
