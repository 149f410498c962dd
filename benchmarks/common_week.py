"""Speed and quality of common weeks. Times are CPU seconds, in one run.

    python -m benchmarks --only common_week          (ratios)
    python -m benchmarks.common_week                 (the table of quality, a few minutes)

A first release and a move of `mean_size` beside one run of scores and attackers on the demo city (all but the
learning one); how the cost of an individual-week grows with people and rows, and the memory with rows.
"""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.mobility import cpu
from benchmarks.ratios import Ratio
from insanonym_core.demo.city import make_city
from insanonym_core.experiment import run, score_release
from insanonym_core.mobility.competition import known_units
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import ROW_COLUMNS, Track
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import attacks, methods
from insanonym_core.runtime.jobs import Job
from insanonym_core.runtime.store import Store

SIZES = ((2.5, 2), (3.5, 3), (5.0, 3))  # mean and minimum
SEEDS = (7, 1, 2, 3)  # of cities; 7 is the demo's
PEOPLE = (80, 400, 2_000, 10_000)
CHEAP = [entry.name for entry in attacks.all(data="mobility") if not entry.costly]


def recipe(mean_size: float, min_size: int) -> Recipe:
    """The recipe of a release; pseudonyms are new again."""
    sizes = {"mean_size": mean_size, "min_size": min_size}
    return Recipe((Step("common_week", sizes), Step("pseudonymise")), kind="mobility", seed=1)


def release(track: Track, mean_size: float, min_size: int) -> Track:
    """The release of the method alone."""
    method = methods.get("common_week", data="mobility").item(mean_size=mean_size, min_size=min_size)
    return method.apply(track, np.random.default_rng(1))


def fresh(track: Track) -> Track:
    """The same rows, without anything that was computed from them."""
    return track.changed()


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """Every ratio of this file."""
    city = make_city().track
    release(make_city(8, 2).track, 2.5, 2)  # imports
    first, made = cpu(lambda: release(fresh(city), 3.5, 3))
    kept = fresh(city)
    release(kept, 3.5, 3)
    moves = [cpu(lambda size=size: release(kept, size, 3))[0] for size in (3.0, 4.0, 5.0)]
    score_release(Pair.from_tracks(city, made), attacks=CHEAP)  # what follows from the original is kept
    scored = cpu(lambda: score_release(Pair.from_tracks(city, fresh(made)), attacks=CHEAP), 5)[0]
    against = "one run of scores and attackers"
    yield Ratio("common weeks of the demo city, the first", against, first / scored, "≤ 200")
    yield Ratio("the same after a move of mean_size", against, max(moves) / scored, "≤ 40")
    of_a_pair = first / _pairs(city)
    for people in PEOPLE[1:]:
        track = make_city(people, 1).track
        seconds, _ = cpu(lambda track=track: release(track, 3.5, 3))
        what = f"common weeks of {people:,} people, an individual-week"
        yield Ratio(what, "the same in the demo city (80 people)", seconds / _pairs(track) / of_a_pair)
    yield from _more_rows(city, of_a_pair)
    yield _memory()


def _pairs(track: Track) -> int:
    return len(known_units(track)[0])


def _more_rows(city: Track, of_a_pair: float) -> Iterator[Ratio]:
    """The same people with four times as many rows: three more beside each, up to a minute later."""
    draw = np.random.default_rng(0)
    rows = np.repeat(np.arange(len(city)), 4)
    week = city.week[rows]
    time = city.time[rows] + draw.integers(0, 60, len(rows))
    dense = city.take(rows)
    dense = dense.changed(time=np.where(dense.changed(time=time).week == week, time, city.time[rows]))
    seconds, _ = cpu(lambda: release(dense, 3.5, 3))
    yield Ratio("common weeks, four times as many rows", "the demo city", seconds / _pairs(dense) / of_a_pair)


def _memory() -> Ratio:
    """Peak memory of the method over 2,000 people, beside the track itself."""
    track = make_city(2_000, 1).track
    size = sum(getattr(track, name).nbytes for name in ROW_COLUMNS)
    tracemalloc.start()
    release(track, 3.5, 3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Ratio("memory of common weeks of 2,000 people", "the track", peak / size)


# --- quality ------------------------------------------------------------------------------------------------


def measured(seed: int, mean_size: float, min_size: int, draws: int = 1) -> dict[str, Any]:
    """A line of the table of quality: a release, and the attackers on one or more draws of its pseudonyms.

    Which of the pseudonyms of a group an attacker takes is luck. `above` is what the strongest one found on
    average above classes / pairs and its interval, which more draws make narrower: the number of people found
    in a group by a random matching has mean 1 and variance 1.
    """
    data, store = make_city(seed=seed).track, Store()
    plan = recipe(mean_size, min_size)
    reports = [run(replace(plan, seed=draw), data=data, job=Job(store=store)) for draw in range(1, draws + 1)]
    shares: dict[str, list[float]] = {}
    for report in reports:
        for threat in report.threats:
            if threat.measure.family == "attack":
                shares.setdefault(threat.measure.entry.name, []).append(threat.share)
    found = {name: fmean(one) for name, one in shares.items()}
    worst = max(found, key=lambda name: found[name])
    scores = reports[0].scores
    classes = scores["privacy.week_classes"]
    bound, pairs = 1 - classes.value, classes.details["pairs"] or 1
    return {
        "seed": seed,
        "mean_size": mean_size,
        "min_size": min_size,
        "utility": reports[0].utility,
        **{one.entry.name: one.score.value for one in reports[0].family("utility")},
        "exact": classes.value,
        "worst": worst,
        "found": found[worst],
        "everything": found["everything"],
        "above": found[worst] - bound - 1.96 * math.sqrt(bound / pairs / draws),
        "known_points": scores["privacy.known_points"].value,
        "in_the_open": scores["privacy.week_in_the_open"].value,
        "smallest": classes.details["smallest_class"],
    }


def table(lines: list[dict[str, Any]]) -> str:
    """The table of quality as Markdown."""

    def written(value: Any) -> str:
        return f"{value:.3f}" if isinstance(value, float) else str(value)

    rows = [list(lines[0]), ["---"] * len(lines[0]), *([*map(written, line.values())] for line in lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    print(table([measured(seed, *sizes) for seed in SEEDS for sizes in SIZES]))
