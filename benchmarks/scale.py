"""Large files: ratios of CPU and memory, each measured in a process of its own, in one run.

    python -m benchmarks --only scale
    python -m benchmarks.scale --rows 100000000

A pair of files is generated. The floor is pyarrow's bare read of both. Measured are the six scores alone,
read and scores together, the parts in two processes, two dask workers, and `partition` with its memory.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ratios import Ratio, show
from insanonym_core.demo.city import make_city
from insanonym_core.experiment import make_release
from insanonym_core.mobility.writer import write_track
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.runtime.memory import keep_freed_memory

COMPETITION = 34_000_000  # rows of its file
PEOPLE_ROWS = 2_000  # of one person in twelve weeks, about
STEPS = ("planar_laplace radius=300", "jitter_time hours=2", "delete_at_random share=0.1", "pseudonymise")


def make_files(place: str, wanted: str) -> None:
    """A city of about so many rows and its release, as tab-separated files, made a million rows at a time."""
    folder, rows = Path(place), int(wanted)
    original, release = folder / "original.tsv", folder / "release.tsv"
    with original.open("wb") as ours, release.open("wb") as theirs:
        left, number = rows, 0
        while left > 0:
            some = min(left, 1_000_000)
            city = make_city(max(2, math.ceil(1.3 * some / PEOPLE_ROWS)), 12, seed=number).track
            city = city.take(np.arange(min(some, len(city))))
            names = tuple(f"{number:03d}-{name}" for name in city.individuals)
            city = city.changed(individuals=names, tokens=names)
            recipe = Recipe(tuple(map(step_from_text, STEPS)), seed=number)  # pseudonyms of their own
            for track, file in ((city, ours), (make_release(recipe, city).release.release, theirs)):
                piece = folder / "piece.tsv"
                write_track(track, piece, force=True)
                file.write(piece.read_bytes())
            left -= len(city)
            number += 1


# --- what runs in a process of its own --------------------------------------------------------------------


def bare_read(original: str, release: str) -> dict[str, float]:
    """CPU of the reading alone, without the start of a process."""
    import pyarrow as pa
    import pyarrow.csv as arrow_csv

    start = time.process_time()
    names = ["id", "date", "latitude", "longitude"]
    types = {"id": pa.dictionary(pa.int32(), pa.string()), "date": pa.timestamp("s")}
    for path in (original, release):
        arrow_csv.read_csv(
            path,
            arrow_csv.ReadOptions(column_names=names),
            arrow_csv.ParseOptions(delimiter="\t"),
            arrow_csv.ConvertOptions(column_types=types | dict.fromkeys(names[2:], pa.float64())),
        )
    return {"cpu": time.process_time() - start}


def whole(original: str, release: str, attacks: str = "none", workers: str = "1") -> dict[str, float]:
    from insanonym_core.cli.score_files import score_files
    from insanonym_core.experiment.run import pair_recipe

    only = None if attacks == "all" else ("utility",)
    recipe = pair_recipe("mobility")
    report = score_files(Path(original), Path(release), recipe, only, None, False, int(workers), None)
    return {one.entry.name: one.score.value for one in report.family("utility")}


def scores_alone(original: str, release: str) -> dict[str, float]:
    """CPU of the scores, without the reading."""
    from insanonym_core.experiment.run import pair_recipe, run
    from insanonym_core.mobility.checks import check_files
    from insanonym_core.scale import OverParts, parts_of_pair

    pair = check_files(original, release).pair()
    start = time.process_time()
    with parts_of_pair(pair) as parts:
        run(pair_recipe("mobility"), strategy=OverParts(parts), only=("utility",))
    return {"cpu": time.process_time() - start}


def part(path: str, folder: str, original: str = "", memory: str = "1000") -> None:
    from insanonym_core.scale.partition import partition

    partition(
        Path(path), Path(folder), original=Path(original) if original else None, memory=int(memory) * 10**6
    )


# How often dask looks at itself. By default its processes take an eighth of a core for that, which matters
# where scheduler, client and two workers share two cores.
SELDOM = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "2s",
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
}


def on_dask(original: str, release: str, watched: str = "seldom") -> dict[str, float]:
    import dask
    from distributed import LocalCluster

    from insanonym_core.scale import cluster

    with (
        dask.config.set(SELDOM if watched == "seldom" else {}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as found,
        cluster(found.scheduler_address) as executor,
    ):
        return _later_runs(original, release, executor)


def in_pool(original: str, release: str) -> dict[str, float]:
    from insanonym_core.scale import pool

    with pool(2) as executor:
        return _later_runs(original, release, executor)


def _later_runs(original: str, release: str, executor: Any) -> dict[str, float]:
    """Workers that have imported everything, as those of a cluster have."""
    from insanonym_core.experiment.run import pair_recipe, run
    from insanonym_core.scale import OverParts, parts_of_folders

    parts = parts_of_folders(Path(original), Path(release))
    times = []
    for _ in range(6):
        start = time.monotonic()
        run(pair_recipe("mobility"), strategy=OverParts(parts, executor), only=("utility",))
        times.append(time.monotonic() - start)
    return {"wall": float(np.median(times[1:]))}


TASKS: dict[str, Callable[..., Any]] = {
    task.__name__: task for task in (make_files, bare_read, whole, scores_alone, part, in_pool, on_dask)
}


def measured(task: Callable[..., Any], *arguments: object) -> dict[str, float]:
    """Wall and CPU seconds and the largest memory (GB) of a process of its own, with those it starts."""
    start = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.scale", "--task", task.__name__, *map(str, arguments)],
        stdout=subprocess.PIPE,
    )
    out = process.stdout.read() if process.stdout else b""
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{task.__name__} failed")
    found = json.loads(out.splitlines()[-1])
    return {
        "wall": time.monotonic() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss / 1e6,
    } | {f"own_{name}": value for name, value in (found or {}).items()}


def alternating(*tasks: Callable[[], dict[str, float]], times: int) -> list[dict[str, float]]:
    """The median of each task's figures; they take turns, so that a slow minute is nobody's alone."""
    found = [[task() for task in tasks] for _ in range(times)]
    return [
        {name: float(np.median([one[name] for one in runs])) for name in runs[0]}
        for runs in zip(*found, strict=True)
    ]


def compare(rows: int) -> Iterator[Ratio]:
    """One pair of files of that many rows."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("INSANONYM_BENCH")) as name:
        folder = Path(name)
        # In a process of its own: what a process starts counts its parent's memory as its own at first.
        measured(make_files, folder, rows)
        files = folder / "original.tsv", folder / "release.tsv"
        size = sum(file.stat().st_size for file in files) / 1e9
        measured(bare_read, *files)  # the disk's cache
        floor = float(np.median([measured(bare_read, *files)["own_cpu"] for _ in range(3)]))
        bare = f"pyarrow's bare read of both files, {size:.1f} GB ({floor:.1f} s)"
        alone = measured(scores_alone, *files)["own_cpu"]
        yield Ratio(f"six scores, {rows:,} rows", bare, alone / floor, "≤ 0.6")
        both = measured(whole, *files)
        title = f"read, check and score, {rows:,} rows, {both['memory']:.1f} GB of memory"
        yield Ratio(title, bare, both["cpu"] / floor, "≤ 2.2")
        yield Ratio(f"its memory, {rows:,} rows", "6 GB", both["memory"] / 6, "≤ 1")
        yield from of_parts(rows, files, (folder / "o", folder / "r"))


def of_parts(rows: int, files: tuple[Path, Path], parts: tuple[Path, Path]) -> Iterator[Ratio]:
    """The same pair, cut into parts that hold whole individuals."""
    for title, made in (
        ("original", measured(part, files[0], parts[0])),
        ("release", measured(part, files[1], parts[1], files[0])),
    ):
        rate, memory = rows / made["wall"] / 1e6, made["memory"]
        what = f"memory of partition, {rows:,} rows of the {title} ({rate:.1f} million rows/s)"
        yield Ratio(what, "its limit of 1 GB", memory, "≤ 1")
    one, two = alternating(
        lambda: measured(whole, *parts), lambda: measured(whole, *parts, "none", 2), times=3
    )
    what = f"time of one process, {rows:,} rows in parts ({one['wall']:.1f} s, {one['memory']:.1f} GB)"
    # Half a second is the start of either, which two do not share: the limit is for the competition's size.
    yield Ratio(what, "of two", one["wall"] / two["wall"], "≥ 1.5" if rows >= COMPETITION else "")
    yield Ratio("CPU of two processes", f"one, {rows:,} rows in parts", two["cpu"] / one["cpu"], "≤ 1.1")
    here, seldom, often = (
        one["own_wall"]
        for one in alternating(
            lambda: measured(in_pool, *parts),
            lambda: measured(on_dask, *parts),
            lambda: measured(on_dask, *parts, "often"),
            times=2,
        )
    )
    against = f"two processes ({here:.1f} s)"
    yield Ratio(
        f"two dask workers that seldom look at themselves, {rows:,} rows", against, seldom / here, "≤ 1.1"
    )
    yield Ratio("two as dask sets them up", against, often / here)


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """At both sizes."""
    for rows in (10_000_000, COMPETITION):
        yield from compare(rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000_000])
    parser.add_argument("--task", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.task:
        keep_freed_memory()  # as the command does
        name, *arguments = given.task
        print(json.dumps(TASKS[name](*arguments)))
        return
    for rows in given.rows:
        show(compare(rows))


if __name__ == "__main__":
    main()
