"""The scale of colours of a map: where its classes begin, and the colour of each."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from insanonym_core.figures.theme import SEQUENTIAL
from insanonym_core.scores import CellMap

CLASSES = 7
_ROUND = (1, 2, 3, 5, 10)


def breaks_of(cells: Iterable[CellMap], value: str) -> list[int]:
    """Where the classes of a scale begin that all these cells share: round numbers, growing by a factor.

    Counts of rows are lopsided: on equal steps all but a few cells would have the first colour.
    """
    most = max((int(part.values[value].max(initial=0)) for part in cells), default=0)
    lows = {_rounded(most ** (step / CLASSES)) for step in range(CLASSES)} if most > 1 else {1}
    return sorted(low for low in lows if low <= max(most, 1))


def _rounded(value: float) -> int:
    """The nearest of 1, 2, 3, 5, 10, 20, …"""
    unit = 10 ** math.floor(math.log10(value))
    return int(unit * min(_ROUND, key=lambda nice: abs(math.log(value / unit / nice))))


def colours_of(classes: int) -> list[str]:
    """Colours from light to dark: their lightness alone tells them apart, whatever colours one sees."""
    # The lightest of the scale is kept for empty places: on white paper a cell has to show.
    places = np.linspace(0.12, 1, classes) if classes > 1 else np.array([0.5])
    stops = [place for place, _ in SEQUENTIAL]
    ends = np.array([[int(colour[start : start + 2], 16) for start in (1, 3, 5)] for _, colour in SEQUENTIAL])
    channels = [np.interp(places, stops, ends[:, channel]).round().astype(int) for channel in range(3)]
    return [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in zip(*channels, strict=True)]
