"""Speed of avatars, as ratios measured in one run. Times are CPU seconds of all threads.

    python -m benchmarks.avatars [--without-peers]

Generation + DCR + NNDR against the bare neighbour queries that they need (scipy's cKDTree, and scikit-learn's
own neighbour search beside it); a move of k against the full run; a table of 100,000 rows through the command
line with its peak memory; and the DCR share beside SDMetrics' at its own definition of distance.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

from benchmarks import peers
from benchmarks.mobility import cpu
from insanonym_core.avatars.closeness import closest_distances
from insanonym_core.avatars.generate import nearest
from insanonym_core.avatars.release import Avatars
from insanonym_core.registry import methods
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


def with_closeness(table: Table) -> Avatars:
    """Generation, DCR and NNDR; the baselines are another question and are left out of it."""
    made = make(table)
    real, synthetic = made.points("pca")
    closest_distances(synthetic, real)
    return made


def against_the_bare_query(rows: int = 10_000) -> None:
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
    make(table, k=50)
    move, _ = cpu(lambda: make(table, k=10, seed=1), repeats=5)
    print(f"Avatars + DCR + NNDR, {rows:,} × {COLUMNS}, 5 components, k = {K}: {full:.3f} s")
    print(f"  bare neighbour queries: {query:.3f} s; ratio: {full / query:.2f}× (wanted: at most 2×)")
    print(f"  the same queries by scikit-learn: {theirs:.3f} s; ratio: {full / theirs:.2f}×")
    print(f"A move of k or of the seed: {move:.3f} s; ratio: {move / full:.3f}× (wanted: at most 0.1×)")


def large_table(folder: Path, rows: int = 100_000) -> None:
    """The whole command in a process of its own: reading, making, all measures, writing."""
    source = folder / "large.csv"
    measurements(rows).to_csv(source, index=False)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [Path(sys.executable).with_name("insanonym"), "avatars", "make", source, "--components", "5"]
    done = subprocess.run(
        [*command, "-o", folder / "made.csv", "--json"], capture_output=True, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads(done.stdout)
    print(f"avatars make, {rows:,} × {COLUMNS}, 5 components, all measures: {spent:.1f} s")
    print(
        f"  peak memory {after.ru_maxrss / 1e6:.2f} GB (wanted: under 2 GB); hidden rate "
        f"{report['hidden_rate']:.3f}, DCR {report['dcr_median']:.3f} "
        f"(held-out rows {report['dcr_median_of_held_out_rows']:.3f})"
    )


def against_sdmetrics(folder: Path, rows: int = 2_000) -> None:
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
    name = peers.PEERS["sdmetrics"].requirements[0]
    print(f"DCR share at SDMetrics' distance, {rows:,} rows against two halves: {ours:.3f} s")
    print(f"  {name}: {theirs.cpu:.1f} s; ratio: {theirs.cpu / ours:.0f}×")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--without-peers", action="store_true", help="only against ourselves")
    options = parser.parse_args()
    against_the_bare_query()
    with tempfile.TemporaryDirectory() as folder:
        large_table(Path(folder))
        if not options.without_peers:
            against_sdmetrics(Path(folder))


if __name__ == "__main__":
    main()
