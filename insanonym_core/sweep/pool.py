"""Run a plan in one or several processes; it can be cancelled, and resumed where it stopped."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import file_digest, load, run
from insanonym_core.experiment.run import entries_of
from insanonym_core.kinds import Data
from insanonym_core.recipe import Recipe
from insanonym_core.results.headlines import WHAT
from insanonym_core.runtime.jobs import Job
from insanonym_core.runtime.store import Store
from insanonym_core.sweep.front import Sweep
from insanonym_core.sweep.partial import NO_MEMORY, Result, partial_results
from insanonym_core.sweep.plan import Outcome, Plan
from insanonym_core.sweep.workers import Workers
from insanonym_core.texts import Phrase

Progress = Callable[[int, int], None]


def run_sweep(
    plan: Plan,
    *,
    data: Data | None = None,
    workers: int = 1,
    partial: Path | None = None,
    progress: Progress = lambda done, of: None,
    cancelled: Callable[[], bool] = lambda: False,
    everything: bool = False,
    store: Store | None = None,
    so_far: Callable[[Sweep], None] = lambda sweep: None,
) -> Sweep:
    """Run every point of a plan; a failed one is kept with its reason and does not stop the rest.

    `progress` hears how many are done, `so_far` gets the sweep as it is after each result. When `cancelled`
    says so, what is done so far comes back. With a `partial` file each result is kept at once, and the same
    plan goes on from there another time. Only the measures behind the headlines are taken unless `everything`
    is asked for. `store` is that of the session.

    Costly measures are taken on the front alone: its points are run again with them, and points that come to
    the front because others fell behind are too, until all of the front has them.
    """
    only = None if everything else needed_measures(plan.recipe)
    results: dict[int, Result] = {}
    place = plan.recipe.place
    of = "" if data is not None or partial is None or place is None else file_digest(place)
    with partial_results(plan, partial, of, everything) as (before, keep):
        results.update(before)
        costly, done = _costly_keys(plan.recipe, only), len(results)
        left = [number for number in range(len(plan.points)) if number not in results]
        unmeasured: set[int] = set()
        left = left or _front_points_without(costly, plan, results, unmeasured)
        progress(done, done + len(left))
        if left and data is None:
            data = load(plan.recipe, store)  # a missing file is one error, not a hundred
        with Workers(data, workers, store) as processes:
            while left:
                again, rest = left[0] in results, len(left)
                following: list[int] = []
                todo = [(number, (plan.points[number].recipe, only, again)) for number in left]
                for number, result in processes.results(_run_point, iter(todo)):
                    if again and result[1]:  # what was measured before stays, as the best that is known
                        unmeasured.add(number)
                    else:
                        results[number] = result
                        keep(number, result)
                    done, rest = done + 1, rest - 1
                    following = [] if rest else _front_points_without(costly, plan, results, unmeasured)
                    progress(done, done + rest + len(following))
                    so_far(_make_sweep(plan, results, costly))
                    if cancelled():
                        return _make_sweep(plan, results, costly)
                left = following
    return _make_sweep(plan, results, costly)


def _make_sweep(plan: Plan, results: Mapping[int, Result], costly: frozenset[str]) -> Sweep:
    outcomes = (Outcome(plan.points[place], *results[place]) for place in sorted(results))
    return Sweep(plan, tuple(outcomes), costly)


def _costly_keys(recipe: Recipe, only: tuple[str, ...] | None) -> frozenset[str]:
    return frozenset(entry.key for entry in entries_of(recipe, only) if entry.costly)


def _front_points_without(
    keys: frozenset[str], plan: Plan, results: Mapping[int, Result], unmeasured: Collection[int]
) -> list[int]:
    """Points of the front without a costly measure, except those in which it failed (`unmeasured`)."""
    if not keys:
        return []
    front = {one.key for one in _make_sweep(plan, results, keys).front}
    return [
        place
        for place, (values, failed, _) in sorted(results.items())
        if plan.points[place].key in front and not failed and keys - values.keys() and place not in unmeasured
    ]


def needed_measures(recipe: Recipe) -> tuple[str, ...]:
    """The measures and families that the headlines of a recipe need, and those that stand beside them."""
    headlines = (recipe.data_kind.headline(what, recipe.headline.get(what)) for what in WHAT)
    return tuple(need for headline in headlines for need in (*headline.needs, *headline.beside))


def broken(error: Exception) -> Phrase:
    """What is said of an error that is not ours."""
    name = type(error).__name__
    return Phrase("something went wrong inside insanonym ({error}); please report it", error=name)


def _run_point(
    data: Data, store: Store | None, recipe: Recipe, only: tuple[str, ...] | None, costly: bool
) -> Result:
    try:
        report = run(recipe, data=data, only=only, costly=costly, job=Job(store=store))
    except InsanonymError as error:
        return {}, error.phrase, ""
    except MemoryError:
        return {}, NO_MEMORY, ""
    except Exception as error:  # one point must not stop the rest
        return {}, broken(error), ""
    for what in ("privacy", "utility"):
        if math.isnan(getattr(report, what)):
            why = next((one.undefined_because for one in report.scores.values() if not one.defined), "")
            return {}, f"{what} has no number here: {why or 'its measure is undefined'}", ""
    decided = report.decided_by
    return report.values(), "", decided.measure.key if decided else ""
