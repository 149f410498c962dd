"""Speed of the table side, as ratios measured in one run. Times are CPU seconds.

    python -m benchmarks.tables [--without-peers]

Mondrian against anonypy at 10,000 rows (it is slow), k + l + t in one pass against pycanon's three calls and
its k alone at 30,000 rows, 8 quasi-identifiers each; and our own cost per row at a million rows against that
at 30,000. The peers pin old pandas, so each runs in an environment of its own that this builds once.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import peers
from benchmarks.mobility import cpu
from insanonym_core.registry import methods, metrics
from insanonym_core.tabular.evaluate import unchanged
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table

ROLES = Roles(tuple(peers.QUASI_IDENTIFIERS), (peers.SENSITIVE,))
K = 5


def mondrian(frame: pd.DataFrame) -> TableRelease:
    """From a frame to a published frame, coding of the columns included."""
    method = methods.get("mondrian", data="table").item(k=K)
    return method.apply(Table.from_frame(frame), ROLES, np.random.default_rng(0))


def k_l_t(frame: pd.DataFrame) -> list[float]:
    """From a frame to the three measures, coding of the columns included."""
    release = unchanged(Table.from_frame(frame), ROLES)
    return [metrics.get(name, data="table").item(release).value for name in ("k", "l", "t")]


def against_anonypy(folder: Path) -> None:
    frame = peers.example_table(10_000)
    path = folder / "anonypy.csv"
    frame.to_csv(path, index=False)
    ours, _ = cpu(lambda: mondrian(frame), repeats=5)
    theirs = peers.anonypy_mondrian(path, K)
    print(f"Mondrian, 10,000 rows, 8 quasi-identifiers, k = {K}: {ours:.3f} s ({10_000 / ours:,.0f} rows/s)")
    name = peers.PEERS["anonypy"].requirements[0]
    print(f"  {name}: {theirs.cpu:.1f} s; ratio: {theirs.cpu / ours:.0f}× (wanted: at least 100×)")


def against_pycanon(folder: Path, values: int | None) -> None:
    frame = peers.example_table(30_000, values=values)
    path = folder / "pycanon.csv"
    frame.to_csv(path, index=False)
    ours, measured = cpu(lambda: k_l_t(frame), repeats=5)
    theirs = peers.pycanon_measures(path)
    classes = Table.from_frame(frame).classes(ROLES.quasi).number
    expected = [theirs.result[name] for name in ("k", "l", "t")]
    if not np.allclose(measured, expected, atol=1e-9):
        raise SystemExit(f"{measured} here and {expected} there: a speed for other numbers is none")
    alone = theirs.cpu_by_measure["k"]
    print(f"k + l + t, 30,000 rows, {classes:,} classes: {ours:.3f} s")
    name = peers.PEERS["pycanon"].requirements[0]
    print(
        f"  {name}, three calls: {theirs.cpu:.2f} s; ratio: {theirs.cpu / ours:.0f}× (wanted: at least 100×)"
    )
    print(f"  its k alone: {alone:.3f} s; ratio: {alone / ours:.1f}× (wanted: at least 5×)")


def against_ourselves(name: str, work: Callable[[pd.DataFrame], object]) -> None:
    small, large = peers.example_table(30_000), peers.example_table(1_000_000)
    per_row = cpu(lambda: work(small), repeats=5)[0] / len(small)
    per_row_large = cpu(lambda: work(large), repeats=2)[0] / len(large)
    print(f"{name}: {per_row * 1e6:.2f} µs a row at 30,000 rows, {per_row_large * 1e6:.2f} µs at a million")
    print(f"  ratio: {per_row_large / per_row:.2f}× (wanted: at most 1.5×)")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--without-peers", action="store_true", help="only against ourselves")
    against_ourselves("Mondrian", mondrian)
    against_ourselves("k + l + t", k_l_t)
    if parser.parse_args().without_peers:
        return
    with tempfile.TemporaryDirectory() as folder:
        against_anonypy(Path(folder))
        for values in (None, 3):
            against_pycanon(Path(folder), values)


if __name__ == "__main__":
    main()
