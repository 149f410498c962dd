"""Running a plan: in one process or several, with progress, cancelling, and going on where it stopped."""

from __future__ import annotations

import itertools
import math
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from insanonym_core.errors import DataError, InsanonymError, UsageError
from insanonym_core.experiment import file_digest, load, run
from insanonym_core.experiment.run import entries_of
from insanonym_core.headlines import WHAT
from insanonym_core.jobs import Job
from insanonym_core.recipe import Recipe
from insanonym_core.store import Store
from insanonym_core.sweep.front import Sweep
from insanonym_core.sweep.partial import NO_MEMORY, Result, partial_results
from insanonym_core.sweep.plan import Outcome, Plan

Progress = Callable[[int, int], None]
MAX_WORKERS = 64
_MAX_QUEUED = 4
_data: Any = None


def run_sweep(
    plan: Plan,
    *,
    data: Any = None,
    workers: int = 1,
    partial: Path | None = None,
    progress: Progress = lambda done, of: None,
    cancelled: Callable[[], bool] = lambda: False,
    everything: bool = False,
    store: Store | None = None,
) -> Sweep:
    """Run every point of a plan; a failed one is kept with its reason and does not stop the rest.

    `progress` hears how many are done. When `cancelled` says so, what is done so far comes back. With a
    `partial` file each result is kept at once, and the same plan goes on from there another time. Only the
    measures behind the headlines are taken unless `everything` is asked for. `store` is that of the session.

    Costly measures are taken on the front alone: its points are run again with them, and points that come to
    the front because others fell behind are too, until all of the front has them.
    """
    if not 1 <= workers <= MAX_WORKERS:
        raise UsageError(f"The number of workers must be from 1 to {MAX_WORKERS}, got {workers}.")
    only = None if everything else _needed_measures(plan.recipe)
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
        while left:
            again, rest = left[0] in results, len(left)
            following: list[int] = []
            for number, result in _run_points(plan, left, data, workers, only, store, again):
                if again and result[1]:  # what was measured before stays, as the best that is known
                    unmeasured.add(number)
                else:
                    results[number] = result
                    keep(number, result)
                done, rest = done + 1, rest - 1
                following = [] if rest else _front_points_without(costly, plan, results, unmeasured)
                progress(done, done + rest + len(following))
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


def _needed_measures(recipe: Recipe) -> tuple[str, ...]:
    headlines = (recipe.data_kind.headline(what, recipe.headline.get(what)) for what in WHAT)
    return tuple(need for headline in headlines for need in (*headline.needs, *headline.beside))


def _run_points(
    plan: Plan,
    left: list[int],
    data: Any,
    workers: int,
    only: tuple[str, ...] | None,
    store: Store | None,
    costly: bool,
) -> Iterator[tuple[int, Result]]:
    if not left:
        return
    data = load(plan.recipe, store) if data is None else data  # a missing file is one error, not a hundred
    if workers == 1:
        for number in left:
            yield number, _run_point(plan.points[number].recipe, only, costly, data, store)
        return
    pool = _pool(min(workers, len(left)), data)
    waiting: dict[Future[Result], int] = {}
    todo: Iterator[int] = iter(left)
    try:
        while True:
            # A few ahead of the workers: enough to keep them busy, few enough to stop soon.
            for number in itertools.islice(todo, workers + _MAX_QUEUED - len(waiting)):
                waiting[pool.submit(_run_point_in_worker, plan.points[number].recipe, only, costly)] = number
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()
    except BrokenProcessPool:
        raise DataError(
            "A worker process died (out of memory?): what was done is kept; run the sweep again with "
            "fewer workers to go on."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _pool(workers: int, data: Any) -> ProcessPoolExecutor:
    """A process pool; forked on Linux while only the main thread runs, which is safe and fast."""
    forking = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forking else "spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_initialise_worker, initargs=(data,))


def _initialise_worker(data: Any) -> None:
    global _data
    _data = data
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()


def _exit_with_parent(parent: int) -> None:
    """Exit when the parent process is gone: otherwise the worker would wait for work forever."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _run_point_in_worker(recipe: Recipe, only: tuple[str, ...] | None, costly: bool) -> Result:
    return _run_point(recipe, only, costly, _data)


def _run_point(
    recipe: Recipe, only: tuple[str, ...] | None, costly: bool, data: Any, store: Store | None = None
) -> Result:
    try:
        report = run(recipe, data=data, only=only, costly=costly, job=Job(store=store))
    except InsanonymError as error:
        return {}, str(error), ""
    except MemoryError:
        return {}, NO_MEMORY, ""
    except Exception as error:  # one point must not stop the rest
        return {}, f"something went wrong inside insanonym ({type(error).__name__}); please report it", ""
    for what in ("privacy", "utility"):
        if math.isnan(getattr(report, what)):
            why = next((one.undefined_because for one in report.scores.values() if not one.defined), "")
            return {}, f"{what} has no number here: {why or 'its measure is undefined'}", ""
    decided = report.decided_by
    return report.values(), "", decided.measure.key if decided else ""
