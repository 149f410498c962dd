"""Evidence of every kind: ordinary, empty, one, many, without numbers, with very long labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from insanonym_core.figures import Card
from insanonym_core.registry import Entry, Measure
from insanonym_core.results.scores import (
    Bars,
    CellMap,
    Cloud,
    Curve,
    Distribution,
    Evidence,
    Flow,
    Matrix,
    PoiMap,
    Score,
    Table,
    Tree,
)

LONG = "a label that nobody can read in full, <b>with</b> signs & more, " * 4
CARD = Card("planar_laplace radius=200 m", 7, 74_648, "rows", "max(0, 1 − Σ|s − s′| / Σ s)")
LONG_CARD = Card(
    "cloak k=5, jitter_time hours=2, " * 12 + "x" * 300, 7, 74_648, formula="mean over rows " * 9
)
AMOUNTS = {"empty": 0, "one": 1, "few": 6, "many": 80}


def _names(count: int, start: str) -> tuple[str, ...]:
    return tuple(f"{start}{place}" for place in range(count))


def distribution(count: int, values: np.ndarray, start: str) -> Distribution:
    groups = {f"{start} originals": values[:count], f"{start} avatars": values[:count] / 2}
    edges = np.arange(count + 1) if count else np.array([])
    return Distribution(
        "Distances",
        "share",
        "distance",
        edges,
        groups if count else {},
        {start: count / 2},
        shows_individuals=False,
    )


def bars(count: int, values: np.ndarray, start: str) -> Bars:
    return Bars(
        "Loss",
        "NCP",
        _names(count, start),
        values[:count],
        {start + "mean": 0.5, "asked": 0.51},
        shows_individuals=False,
    )


def grouped(count: int, values: np.ndarray, start: str) -> Bars:
    groups = {"originals": values[:count], start: -values[:count]}
    return Bars("Shares", "share", _names(count, start), groups, shows_individuals=False)


def matrix(count: int, values: np.ndarray, start: str) -> Matrix:
    names = _names(count, start)
    return Matrix("Correlations", names, names, np.resize(values, (count, count)), shows_individuals=False)


def table(count: int, values: np.ndarray, start: str) -> Table:
    texts = np.array(_names(count, start), dtype=object)
    return Table(
        "Rows", {start: texts, "number": values[:count], "whole": np.arange(count)}, shows_individuals=False
    )


def cells(count: int, values: np.ndarray, start: str) -> CellMap:
    place = np.arange(count)
    return CellMap(
        "Cells",
        0.01,
        45 + 0.01 * (place % 9),
        4 + 0.01 * (place // 9),
        {start: values[:count]},
        shows_individuals=True,
    )


def pois(count: int, values: np.ndarray, start: str) -> PoiMap:
    place = np.arange(count)
    kind = np.array(["home", "work", start], dtype=object)[place % 3]
    stays = np.where(np.isfinite(values), values, 0.0)[:count] * 3600
    return PoiMap(
        "Stays",
        place.astype(str),
        place,
        kind,
        45 + place / 100,
        4 + place / 100,
        stays,
        stays / 3,
        shows_individuals=True,
    )


def curve(count: int, values: np.ndarray, start: str) -> Curve:
    return Curve(
        "Growth",
        start,
        "rows",
        np.arange(count),
        values[:count],
        {start: 0.5},
        {"kept": 2.0},
        shows_individuals=False,
    )


def cloud(count: int, values: np.ndarray, start: str) -> Cloud:
    points = (values[:count], values[:count][::-1])
    return Cloud(
        "Overlay", "component 1", start, {"originals": points, start: points}, shows_individuals=True
    )


def flow(count: int, values: np.ndarray, start: str) -> Flow:
    return Flow(
        "Traces", "people", _names(count, start), ("kept",) * count, values[:count], shows_individuals=False
    )


def tree(count: int, values: np.ndarray, start: str) -> Tree:
    size = np.array([count, *np.ones(max(0, count - 1))]) if count else np.zeros(0)
    names = _names(count, start)
    return Tree(
        "Cuts",
        "rows",
        names,
        np.array([-1, *[0] * (count - 1)])[:count],
        size,
        ((start,),) * count,
        shows_individuals=True,
    )


KINDS: Mapping[str, Callable[[int, np.ndarray, str], Evidence]] = {
    made.__name__: made
    for made in (distribution, bars, grouped, matrix, table, cells, pois, curve, cloud, flow, tree)
}
VALUES = np.random.default_rng(7).random(100)
NONE = np.full(100, np.nan)


def measure(name: str, value: float, better: str = "higher", **facts: object) -> Measure:
    bounds = facts.pop("bounds", (0, 1))
    entry = Entry(name, print, "table", name.title(), "", {}, better=better, bounds=bounds, formula="a / b")  # type: ignore[arg-type]
    return Measure(entry, Score(value, **facts))  # type: ignore[arg-type]
