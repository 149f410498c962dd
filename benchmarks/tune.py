"""A search for recipes against recipes drawn at random; and runs of a search in one process and in two.

    python -m benchmarks --only tune

Privacy and utility are those of the draws of the search itself, for both sides: up to three draws of what may
be the best, one of the rest. What counts is how much of the plane a front covers (hypervolume, reference
point 0, 0). Random search has the CPU time of the search; what it lacks then to the front of 5,000 random
recipes is its gap, and the search is to close 30 % of it. The search begins with each method alone at a few
places of its first range: no preset, and no method as it is by default. The city takes more than an hour;
processes are compared by the wall clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from benchmarks.ratios import Ratio
from insanonym_core.experiment import load
from insanonym_core.kinds import Data
from insanonym_core.recipe import Recipe
from insanonym_core.tuning import (
    AllMethods,
    Bound,
    Search,
    Tried,
    Wish,
    front_of_trials,
    recipe_for,
    tune,
)
from insanonym_core.tuning.search import MAX_TRIALS

DATA = (("the city", "demo:mobility", "mobility"), ("patients", "demo:patients", "table"))
SEEDS = (1, 2, 3, 4, 5)
TRIALS = 300
REFERENCE = 5_000  # random recipes, of all seeds together
RUNS = 150  # for one process and for two


@dataclass(frozen=True)
class Timed:
    """A trial, and the CPU time until it was done."""

    trial: Tried
    seconds: float


def timed_trials(
    base: Recipe, data: Data, seed: int, trials: int, *, random: bool = False, seconds: float = 0.0
) -> list[Timed]:
    """So many trials; more, until they took so many seconds of CPU. Nothing is measured again."""
    done: list[Timed] = []
    begun = time.process_time()
    space = AllMethods(base, data, defaults=False)
    search = Search(base, Wish((), "defence"), space, trials=MAX_TRIALS, seed=seed, random=random)
    tune(
        search,
        data=data,
        on_trial=lambda one: done.append(Timed(one, time.process_time() - begun)),
        cancelled=lambda: len(done) >= trials and done[-1].seconds >= seconds,
    )
    return done


def hypervolume(trials: Iterable[Tried]) -> float:
    """The area of the plane, from 0, 0, that the front of some trials covers."""
    area = covered = 0.0
    for one in front_of_trials(trials):  # by rising utility, falling privacy
        area += (one.utility - covered) * one.privacy
        covered = one.utility
    return area


def closed(base: Recipe, data: Data) -> tuple[float, float, float]:
    """Mean hypervolumes of the searches and of random search at equal CPU; that of all random recipes."""
    searched, drawn, every = [], [], []
    for seed in SEEDS:
        found = timed_trials(base, data, seed, TRIALS)
        seconds = found[-1].seconds
        random = timed_trials(base, data, seed, REFERENCE // len(SEEDS), random=True, seconds=seconds)
        searched.append(hypervolume(one.trial for one in found))
        drawn.append(hypervolume(one.trial for one in random if one.seconds <= seconds))
        every += [one.trial for one in random]
    return fmean(searched), fmean(drawn), hypervolume(every)


def in_processes(workers: int) -> tuple[float, dict[int, dict[str, float]]]:
    """Seconds of the same runs in so many processes, their start included; and their numbers.

    The recipes are random and no bound can be kept: each is run once, whatever came of the others before.
    """
    base = recipe_for("demo:mobility")
    data = load(base)
    begun = time.perf_counter()
    wish = Wish((Bound("privacy", 1.0), Bound("utility", 1.0)))
    tuned = tune(Search(base, wish, trials=RUNS, workers=workers, seed=1, random=True), data=data)
    seconds = time.perf_counter() - begun
    numbers = {
        one.number: {name: value for name, value in one.values.items() if not math.isnan(value)}
        for one in tuned.trials
    }
    return seconds, numbers


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """Processes first, while nothing is kept in memory; then both data."""
    one, first = in_processes(1)
    two, second = in_processes(2)
    if first != second:
        raise SystemExit("Two processes gave other numbers than one.")
    what = f"time of the runs of a search in one process: {RUNS} recipes on the city ({one:.1f} s)"
    yield Ratio(what, "in two", one / two, "≥ 1.6")
    for title, name, kind in DATA:
        base = recipe_for(name, kind)
        searched, drawn, every = closed(base, load(base))
        what = f"closed by a search of {TRIALS} on {title} (hypervolume {searched:.4f})"
        against = f"the gap of random search at equal CPU ({drawn:.4f}) to {REFERENCE:,} random ({every:.4f})"
        yield Ratio(what, against, (searched - drawn) / (every - drawn), "≥ 0.3")
