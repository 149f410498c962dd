"""Speed of the table side, as ratios measured in one run. Times are CPU seconds.

    python -m benchmarks --only tables

Mondrian with random attributes against anonypy at 10,000 rows (it is slow); with the cuts that lose least
against the widest attribute and, for what is lost, against anonypy on a generated table like Adult; k + l + t
in one pass against pycanon's three calls and its k alone at 30,000 rows, 8 quasi-identifiers each; and our
own cost per row at a million rows against that at 30,000. The peers pin old pandas, so each runs in an
environment of its own that this builds once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import adult_like, peers
from benchmarks.mobility import cpu
from benchmarks.ratios import Ratio
from insanonym_core.registry import methods, metrics
from insanonym_core.tabular.release import TableRelease, unchanged
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table

ROLES = Roles(tuple(peers.QUASI_IDENTIFIERS), (peers.SENSITIVE,))
ADULT_ROLES = Roles(adult_like.QUASI_IDENTIFIERS, (adult_like.SENSITIVE,))
K = 5


def mondrian(frame: pd.DataFrame, choice: str = "random", roles: Roles = ROLES, k: int = K) -> TableRelease:
    """From a frame to a published frame, coding of the columns included."""
    method = methods.get("mondrian", data="table").item(k=k, choice=choice)
    return method.apply(Table.from_frame(frame), roles, np.random.default_rng(0))


def best(frame: pd.DataFrame) -> TableRelease:
    """The cuts that lose least, on the table like Adult."""
    return mondrian(frame, "best", ADULT_ROLES)


def k_l_t(frame: pd.DataFrame) -> list[float]:
    """From a frame to the three measures, coding of the columns included."""
    release = unchanged(Table.from_frame(frame), ROLES)
    return [metrics.get(name, data="table").item(release).value for name in ("k", "l", "t")]


def suppression(frame: pd.DataFrame) -> TableRelease:
    """From a frame to a published frame without the rows whose values are rare."""
    method = methods.get("suppress_rare_values", data="table").item(k=K)
    return method.apply(Table.from_frame(frame), ROLES, np.random.default_rng(0))


def against_anonypy(folder: Path) -> Iterator[Ratio]:
    """Mondrian, which anonypy has too."""
    frame = peers.example_table(10_000)
    path = folder / "anonypy.csv"
    frame.to_csv(path, index=False)
    ours, _ = cpu(lambda: mondrian(frame), repeats=5)
    theirs = peers.anonypy_mondrian(path, K)
    what = f"{peers.PEERS['anonypy'].requirements[0]}: Mondrian, 10,000 rows, 8 quasi-identifiers, k = {K}"
    yield Ratio(what, f"ours ({10_000 / ours:,.0f} rows/s)", theirs.cpu / ours, "≥ 100")


def best_against_widest(rows: int = 30_000, repeats: int = 5) -> Iterator[Ratio]:
    """What the search for the cut that loses least costs in time, and saves in loss."""
    frame = adult_like.adult_like(rows)
    times, losses = {}, {}
    for choice in ("widest", "best"):
        times[choice], release = cpu(lambda: mondrian(frame, choice, ADULT_ROLES), repeats=repeats)  # noqa: B023
        losses[choice] = metrics.get("ncp", data="table").item(release).value
    what = f"Mondrian, best: rows/s, {rows:,} rows like Adult, k = {K} ({rows / times['best']:,.0f})"
    yield Ratio(what, "widest", times["widest"] / times["best"], "≥ 0.5")
    yield Ratio(f"its loss (NCP {losses['best']:.3f})", "widest", losses["best"] / losses["widest"], "≤ 1")


def best_against_anonypy(folder: Path) -> Iterator[Ratio]:
    """What anonypy's Mondrian loses on the same table."""
    frame = adult_like.adult_like()
    path = folder / "adult_like.csv"
    frame.to_csv(path, index=False)
    columns = adult_like.NUMBERS, adult_like.CATEGORIES, adult_like.SENSITIVE
    for k in (5, 10, 50):
        ours = metrics.get("ncp", data="table").item(mondrian(frame, "best", ADULT_ROLES, k)).value
        theirs = peers.anonypy_mondrian(path, k, *columns).result["ncp"]
        what = f"Mondrian, best: loss at k = {k}, 30,000 rows like Adult (NCP {ours:.3f})"
        yield Ratio(what, peers.PEERS["anonypy"].requirements[0], ours / theirs, "≤ 0.95")


def against_pycanon(folder: Path, values: int | None) -> Iterator[Ratio]:
    """k, l and t at equal definitions."""
    frame = peers.example_table(30_000, values=values)
    path = folder / "pycanon.csv"
    frame.to_csv(path, index=False)
    ours, measured = cpu(lambda: k_l_t(frame), repeats=5)
    theirs = peers.pycanon_measures(path)
    classes = Table.from_frame(frame).classes(ROLES.quasi).number
    expected = [theirs.result[name] for name in ("k", "l", "t")]
    if not np.allclose(measured, expected, atol=1e-9):
        raise SystemExit(f"{measured} here and {expected} there: a speed for other numbers is none")
    name = peers.PEERS["pycanon"].requirements[0]
    against = f"our k + l + t in one pass, 30,000 rows, {classes:,} classes ({ours * 1e3:.0f} ms)"
    yield Ratio(f"{name}: k, l and t, three calls", against, theirs.cpu / ours, "≥ 100")
    yield Ratio(f"{name}: its k alone", against, theirs.cpu_by_measure["k"] / ours, "≥ 5")


def against_ourselves(
    name: str,
    work: Callable[[pd.DataFrame], object],
    table: Callable[[int], pd.DataFrame] = peers.example_table,
) -> Iterator[Ratio]:
    """What a row costs at a million rows."""
    small, large = table(30_000), table(1_000_000)
    per_row = cpu(lambda: work(small), repeats=5)[0] / len(small)
    per_row_large = cpu(lambda: work(large), repeats=2)[0] / len(large)
    what = f"{name}: a row of a million ({per_row_large * 1e6:.2f} µs)"
    yield Ratio(what, f"a row of 30,000 ({per_row * 1e6:.2f} µs)", per_row_large / per_row, "≤ 1.5")


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """Against ourselves, then against the others."""
    yield from best_against_widest()
    yield from best_against_widest(1_000_000, repeats=2)
    yield from against_ourselves("Mondrian, random", mondrian)
    yield from against_ourselves("Mondrian, best, a table like Adult", best, adult_like.adult_like)
    yield from against_ourselves("k + l + t", k_l_t)
    yield from against_ourselves("Suppression of rare values", suppression)
    if not peers:
        return
    with tempfile.TemporaryDirectory() as folder:
        yield from against_anonypy(Path(folder))
        yield from best_against_anonypy(Path(folder))
        for values in (None, 3):
            yield from against_pycanon(Path(folder), values)
