"""Speed of the mobility side, as ratios measured in one run. Times are CPU seconds.

    python -m benchmarks --only mobility

How much less CPU than a plain Python csv loop of the same definitions (the way the public platform works),
what the attacks cost beside the scores, and how a slider feels: all six scores while the original's side is
kept, beside np.sort.
"""

from __future__ import annotations

import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import plain_python
from benchmarks.ratios import Ratio
from benchmarks.scale import bare_read
from insanonym_core.demo.city import make_city
from insanonym_core.experiment import make_release, score_release
from insanonym_core.mobility.checks import check_files
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import write_track
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.registry import attacks
from insanonym_core.runtime.memory import keep_freed_memory

RELEASE = Recipe(
    tuple(
        map(
            step_from_text,
            (
                "planar_laplace radius=300",
                "jitter_time hours=2",
                "delete_at_random share=0.1",
                "pseudonymise",
            ),
        )
    ),
    seed=1,
)
ROWS_PER_USER = 12 * 160


def cpu(work: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """The median CPU time of some repeats, threads included, and the last result."""
    times, result = [], None
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return statistics.median(times), result


def released(recipe: Recipe, original: Track) -> Track:
    return make_release(recipe, original).release.release


def first_rows(track: Track, rows: int) -> Track:
    return track.take(np.arange(rows))


def make_pair(rows: int) -> tuple[Track, Track]:
    """A city of that many rows and a release of it."""
    city = make_city(users=max(2, math.ceil(1.3 * rows / ROWS_PER_USER)), weeks=12).track
    original = first_rows(city, rows)
    return original, released(RELEASE, original)


def read_and_score(files: tuple[Path, Path]) -> dict[str, float]:
    report = score_release(check_files(*files).pair(), only=("utility",))
    return {one.entry.name: one.score.value for one in report.family("utility")}


def write_pair(rows: int, folder: str) -> tuple[Path, Path]:
    files = Path(folder) / "original.tsv", Path(folder) / "release.tsv"
    for track, path in zip(make_pair(rows), files, strict=True):
        write_track(track, path)
    return files


def against_the_csv_loop(rows: int) -> Iterator[Ratio]:
    """How many times the CPU the loops take."""
    with tempfile.TemporaryDirectory() as folder:
        files = write_pair(rows, folder)
        read_and_score(files)  # imports and the disk's cache
        ours, scores = cpu(lambda: read_and_score(files), repeats=7)
        bare, _ = cpu(lambda: bare_read(*map(str, files)), repeats=7)
        platform, expected = cpu(lambda: plain_python.as_on_the_platform(*map(str, files)))
        read_once, _ = cpu(lambda: plain_python.six_scores(*(plain_python.read(str(file)) for file in files)))
    for name, value in scores.items():
        if not math.isclose(value, expected[name], abs_tol=1e-9):
            sys.exit(
                f"{name} is {value} here and {expected[name]} in the loop: a speed for wrong numbers is none"
            )
    title = f"read, check and six scores, {rows:,} rows ({ours:.2f} s)"
    yield Ratio(
        "csv loops of the same definitions, one program per score as on the platform",
        title,
        platform / ours,
        "≥ 80",
    )
    yield Ratio("the same loops on rows read only once", title, read_once / ours)
    yield Ratio(
        "read, check and six scores", f"pyarrow's bare read of the two files ({bare:.2f} s)", ours / bare
    )


def against_np_sort(rows: int = 100_000) -> Iterator[Ratio]:
    """A slider that moves."""
    original, _ = make_pair(rows)
    score_release(
        Pair.from_tracks(original, original), only=("utility",)
    )  # the original's side is computed once …
    moves = [
        released(Recipe((*RELEASE.steps, step_from_text(f"gaussian_noise sigma={sigma}")), seed=1), original)
        for sigma in range(0, 400, 20)
    ]
    # … and every move of the slider brings a release that has never been seen.
    times = [
        cpu(lambda release=release: score_release(Pair.from_tracks(original, release), only=("utility",)))[0]
        for release in moves
    ]
    numbers = np.random.default_rng(0).integers(0, 2**62, 1_000_000)
    floor = float(np.median([cpu(lambda: np.sort(numbers))[0] for _ in range(20)]))
    median = float(np.median(times))
    yield Ratio(
        f"six scores while a slider moves, {rows:,} rows ({median * 1e3:.0f} ms)",
        "np.sort of a million integers",
        median / floor,
        "≤ 3",
    )


def attacks_against_scores(rows: int) -> Iterator[Ratio]:
    """Both sides computed anew, and the first time with the digests of every id and week."""
    original, release = make_pair(rows)
    quick = [entry.name for entry in attacks.all(data="mobility") if not entry.costly]
    before = quick[: quick.index("row_count")]

    def fresh(track: Track) -> Track:
        return track.changed(token=track.token)

    def cost(names: Sequence[str], repeats: int = 5) -> float:
        return cpu(
            lambda: score_release(
                Pair.from_tracks(fresh(original), fresh(release)),
                only=("utility", *(f"attack.{name}" for name in names)),
            ),
            repeats=repeats,
        )[0]

    scores = cost(())
    first = cost(before, repeats=1)
    eight, most = cost(before), cost(quick, repeats=3)
    all_of_them = cost([*quick, "everything"], repeats=1)
    people = len(original.individuals)
    against = f"the six scores ({scores:.2f} s)"
    what = f"{people} people, 12 weeks, {rows:,} rows"
    yield Ratio(
        f"the eight attacks that do not look at time, {what}", against, (eight - scores) / scores, "≤ 2"
    )
    yield Ratio(
        "the same, first time in a process: every id and week is hashed", against, (first - scores) / scores
    )
    yield Ratio(f"all attacks but “everything”, {what}", against, (most - scores) / scores, "≤ 4")
    yield Ratio("“everything”, all weights equal", against, (all_of_them - most) / scores)


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """All of them."""
    keep_freed_memory()  # as the command does
    yield from against_np_sort()
    yield from attacks_against_scores(1_000_000)
    yield from against_the_csv_loop(1_000_000)
