"""The colour scale of a map: lower bounds and colours of its classes."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from insanonym_core.figures.theme import SEQUENTIAL
from insanonym_core.results.scores import CellMap

MAX_CLASSES = 7
_ROUND_FACTORS = (1, 2, 3, 5, 10)


def class_breaks(cells: Iterable[CellMap], value: str) -> list[int]:
    """Lower bounds of the classes of a common scale: round numbers that grow geometrically.

    Counts of rows are skewed: with equal steps most cells would have the first colour.
    """
    largest = max((int(part.values[value].max(initial=0)) for part in cells), default=0)
    lows = (
        {_nearest_round_number(largest ** (step / MAX_CLASSES)) for step in range(MAX_CLASSES)}
        if largest > 1
        else {1}
    )
    return sorted(low for low in lows if low <= max(largest, 1))


def _nearest_round_number(value: float) -> int:
    """The nearest of 1, 2, 3, 5, 10, 20, …"""
    unit = 10 ** math.floor(math.log10(value))
    return int(unit * min(_ROUND_FACTORS, key=lambda nice: abs(math.log(value / unit / nice))))


def class_colours(classes: int) -> list[str]:
    """Colours from light to dark, distinguishable by lightness alone."""
    # Skip the lightest part of the scale: a cell must be visible on white.
    positions = np.linspace(0.12, 1, classes) if classes > 1 else np.array([0.5])
    stops = [stop for stop, _ in SEQUENTIAL]
    ends = np.array([[int(colour[start : start + 2], 16) for start in (1, 3, 5)] for _, colour in SEQUENTIAL])
    channels = [np.interp(positions, stops, ends[:, channel]).round().astype(int) for channel in range(3)]
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in zip(*channels, strict=True)]
