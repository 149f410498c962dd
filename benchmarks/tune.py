"""A search for recipes against recipes drawn at random; and runs of a search in one process and in two.

    python -m benchmarks --only tune
    python -m benchmarks.tune --kept FOLDER [--data city patients] [--seeds 1 2 3 4 5]

Privacy and utility are those of the draws of the search itself, for both sides: up to three draws of what may
be the best, one of the rest. What counts is how much of the plane a front covers (hypervolume, reference
point 0, 0). Random search has the CPU time of the search; what it lacks then to the front of 5,000 random
recipes is its gap, and the search is to close 30 % of it. The search begins with each method alone at a few
places of its first range: no preset, and no method as it is by default.

The city takes more than an hour. The second command keeps what each data and seed came to as a file of
FOLDER: stopped, it goes on from there, or it runs some seeds now and some later. Files that other code has
made are made again. Each seed has a process of its own, in which a few recipes are run before the clocks
begin. Runs in one process and in two are compared by the clock on the wall.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

import insanonym_core
from benchmarks.ratios import Ratio, show
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

DATA = {"city": ("demo:mobility", "mobility"), "patients": ("demo:patients", "table")}
SEEDS = (1, 2, 3, 4, 5)
TRIALS = 300
REFERENCE = 5_000  # random recipes, of all seeds together
RUNS = 150  # for one process and for two
WARM_UP = 10  # random recipes that are run before the clocks begin
Points = Sequence[tuple[float, float]]


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


def front_points(trials: Iterable[Tried]) -> list[tuple[float, float]]:
    """Utility and privacy of the front of some trials."""
    return [(one.utility, one.privacy) for one in front_of_trials(trials)]


def hypervolume(points: Points) -> float:
    """The area of the plane, from 0, 0, that some points cover."""
    area = top = 0.0
    for utility, privacy in sorted(points, reverse=True):
        if privacy > top:
            area += utility * (privacy - top)
            top = privacy
    return area


@dataclass(frozen=True)
class Compared:
    """The fronts of a search, of random search at equal CPU, and of all random recipes, for one seed."""

    searched: Points
    drawn: Points
    every: Points
    seconds: float
    recipes: int
    """How many random recipes were run."""


def compare(name: str, seed: int) -> Compared:
    """A search, and random search with the same seed."""
    base = recipe_for(*DATA[name])
    data = load(base)
    timed_trials(base, data, 0, WARM_UP, random=True)
    found = timed_trials(base, data, seed, TRIALS)
    seconds = found[-1].seconds
    random = timed_trials(base, data, seed, REFERENCE // len(SEEDS), random=True, seconds=seconds)
    return Compared(
        front_points(one.trial for one in found),
        front_points(one.trial for one in random if one.seconds <= seconds),
        front_points(one.trial for one in random),
        seconds,
        len(random),
    )


def kept(folder: Path, name: str, seed: int) -> Compared:
    """What a seed came to, from the folder; a process of its own finds it out if it is not there."""
    path = folder / f"{name}-{seed}.json"
    if not path.exists() or json.loads(path.read_text())["code"] != code():
        command = [sys.executable, "-m", "benchmarks.tune", "--kept", str(folder), "--one", name, str(seed)]
        subprocess.run(command, check=True)
    return Compared(**json.loads(path.read_text())["compared"])


def code() -> str:
    """Tells the sources apart that a file was made by."""
    package = Path(insanonym_core.__file__).parent
    sources = sorted([*package.rglob("*.py"), Path(__file__)])
    return hashlib.sha256(b"".join(one.read_bytes() for one in sources)).hexdigest()[:16]


def closed(folder: Path, name: str) -> Ratio:
    """Mean hypervolumes of the searches and of random search at equal CPU; that of all random recipes."""
    seeds = [kept(folder, name, seed) for seed in SEEDS]
    searched = fmean(hypervolume(one.searched) for one in seeds)
    drawn = fmean(hypervolume(one.drawn) for one in seeds)
    every = hypervolume([point for one in seeds for point in one.every])
    what = f"closed by a search of {TRIALS} on {name} (hypervolume {searched:.4f})"
    recipes = sum(one.recipes for one in seeds)
    against = f"the gap of random search at equal CPU ({drawn:.4f}) to {recipes:,} random ({every:.4f})"
    return Ratio(what, against, (searched - drawn) / (every - drawn), "≥ 0.3")


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
    with tempfile.TemporaryDirectory() as folder:
        for name in DATA:
            yield closed(Path(folder), name)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kept", type=Path, required=True, metavar="FOLDER", help="where each seed is kept")
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA))
    parser.add_argument("--seeds", nargs="+", type=int, choices=SEEDS, default=SEEDS)
    parser.add_argument("--one", nargs=2, metavar=("NAME", "SEED"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.kept.mkdir(parents=True, exist_ok=True)
    if given.one:
        name, seed = given.one
        content = {"code": code(), "compared": asdict(compare(name, int(seed)))}
        path = given.kept / f"{name}-{seed}.json"
        path.with_suffix(".part").write_text(json.dumps(content))
        path.with_suffix(".part").replace(path)
        return
    for name in given.data:
        for seed in given.seeds:
            one = kept(given.kept, name, seed)
            volumes = (f"{hypervolume(points):.4f}" for points in (one.searched, one.drawn, one.every))
            print(name, seed, f"{one.seconds:.0f} s:", *volumes, flush=True)
    if tuple(given.seeds) == SEEDS:
        show(closed(given.kept, name) for name in given.data)


if __name__ == "__main__":
    main()
