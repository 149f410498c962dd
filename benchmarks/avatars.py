"""Speed of avatars, as ratios measured in one run. Times are CPU seconds of all threads.

    python -m benchmarks --only avatars

Generation + DCR + NNDR against the bare neighbour queries that they need (scipy's cKDTree, and scikit-learn's
own neighbour search beside it); a move of k against the full run; a table of 100,000 rows through the command
line with its peak memory; and the DCR share beside SDMetrics' at its own definition of distance.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

from benchmarks import peers
from benchmarks.mobility import cpu
from benchmarks.ratios import Ratio
from insanonym_core.avatars.closeness import closest_distances
from insanonym_core.avatars.generate import nearest
from insanonym_core.avatars.release import Avatars
from insanonym_core.registry import methods
from insanonym_core.runtime.store import Store, using
from insanonym_core.tabular.table import Table

COLUMNS = 20
K = 20


def measurements(rows: int, seed: int = 1) -> pd.DataFrame:
    """Correlated measurements with two decimals, as of patients: a few causes behind all columns."""
    draw = np.random.default_rng(seed)
    causes = draw.normal(size=(rows, 6))
    values = causes @ draw.normal(size=(6, COLUMNS)) + 0.5 * draw.normal(size=(rows, COLUMNS))
    return pd.DataFrame(
        np.round(values * 10 + 100, 2), columns=[f"m{number:02}" for number in range(COLUMNS)]
    )


def make(table: Table, k: int = K, seed: int = 0) -> Avatars:
    method = methods.get("mix_neighbours", data="avatars").item(k=k, components=5)
    return method.apply(table, np.random.default_rng(seed))


def with_closeness(table: Table, k: int = K, seed: int = 0) -> Avatars:
    """Generation, DCR and NNDR; the baselines are another question and are left out of it."""
    made = make(table, k, seed)
    real, synthetic = made.points("pca")
    closest_distances(synthetic, real)
    return made


def against_the_bare_query(rows: int = 10_000) -> Iterator[Ratio]:
    """What has to be asked in any case."""
    from sklearn.neighbors import NearestNeighbors

    frame = measurements(rows)
    full, made = cpu(lambda: with_closeness(Table.from_frame(frame)), repeats=5)
    real, synthetic = made.points("pca")

    def bare() -> None:
        cKDTree(real).query(real, k=K + 1, workers=-1)
        cKDTree(real).query(synthetic, k=2, workers=-1)

    def scikit_learn() -> None:
        NearestNeighbors(n_neighbors=K + 1).fit(real).kneighbors(real)
        NearestNeighbors(n_neighbors=2).fit(real).kneighbors(synthetic)

    query, theirs = cpu(bare, repeats=5)[0], cpu(scikit_learn, repeats=3)[0]
    table = Table.from_frame(frame)
    with using(Store()):  # as a session has it
        make(table, k=50)
        moved, again = (
            cpu(lambda work=work: work(table, k=10, seed=1), repeats=5)[0] for work in (make, with_closeness)
        )
    what = f"avatars + DCR + NNDR, {rows:,} × {COLUMNS}, 5 components, k = {K} ({full:.2f} s)"
    yield Ratio(what, "the bare neighbour queries that they need (scipy)", full / query, "≤ 2")
    yield Ratio(what, f"the same queries by scikit-learn {version('scikit-learn')}", full / theirs)
    yield Ratio(
        "avatars mixed anew after a move to a smaller k or another seed",
        "the full run",
        moved / full,
        "≤ 0.1",
    )
    yield Ratio("the same with DCR and NNDR measured anew", "the full run", again / full)


def per_row(rows: int = 1_000_000) -> Iterator[Ratio]:
    """What a row costs at a million rows: a neighbour is found by halving, so it grows by a logarithm."""
    small, large = 100_000, rows

    def cost(size: int) -> float:
        frame = measurements(size)
        return cpu(lambda: with_closeness(Table.from_frame(frame)))[0] / size

    costs = [cost(small), cost(large)]
    what = f"avatars + DCR + NNDR: a row of {large:,} ({costs[1] * 1e6:.0f} µs)"
    yield Ratio(what, f"a row of {small:,} ({costs[0] * 1e6:.0f} µs)", costs[1] / costs[0], "≤ 1.5")


def large_table(folder: Path, rows: int) -> Iterator[Ratio]:
    """The whole command in a process of its own: reading, making, all measures, writing."""
    source = folder / "large.csv"
    measurements(rows).to_csv(source, index=False)
    command = [Path(sys.executable).with_name("insanonym"), "avatars", "make", source, "--components", "5"]
    # Started by a small process: what a process starts counts its parent's memory as its own at first.
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *map(str, command), "-o", str(folder / f"{rows}.csv"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    spent, memory = map(float, done.stdout.split())
    what = f"memory of avatars make, {rows:,} × {COLUMNS}, every measure ({spent:.0f} s)"
    yield Ratio(what, "2 GB", memory / 2, "≤ 1" if rows <= 100_000 else "")


_MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6)
"""


def against_sdmetrics(folder: Path, rows: int = 2_000) -> Iterator[Ratio]:
    """SDMetrics' distance: mean over columns of |difference| / range of the reference, at most 1."""
    draw = np.random.default_rng(3)
    parts = [draw.normal(size=(rows, COLUMNS)).clip(-2, 2) for _ in range(3)]
    paths = [folder / f"{name}.csv" for name in ("train", "held_out", "synthetic")]
    for part, path in zip(parts, paths, strict=True):
        pd.DataFrame(part, columns=[f"m{number:02}" for number in range(COLUMNS)]).to_csv(path, index=False)
    train, held_out, synthetic = parts

    def distance(reference: np.ndarray) -> np.ndarray:
        width = np.ptp(reference, axis=0)
        return nearest(synthetic / width, reference / width, 1, norm=1).distance[:, 0] / COLUMNS

    def share() -> float:
        return float((distance(train) < distance(held_out)).mean())

    ours, value = cpu(share, repeats=3)
    theirs = peers.sdmetrics_dcr(*paths)
    expected = theirs.result["overfitting"]["synthetic_data_percentages"]["closer_to_training"]
    if abs(value - expected) > 1e-9:
        raise SystemExit(f"{value} here and {expected} there: a speed for other numbers is none")
    what = f"{peers.PEERS['sdmetrics'].requirements[0]}: DCR share at its own distance, {rows:,} rows"
    yield Ratio(what, f"ours ({ours:.2f} s)", theirs.cpu / ours)


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """Against the floor, then against the others."""
    yield from against_the_bare_query()
    yield from per_row()
    with tempfile.TemporaryDirectory() as folder:
        for rows in (100_000, 1_000_000):
            yield from large_table(Path(folder), rows)
        if peers:
            yield from against_sdmetrics(Path(folder))
