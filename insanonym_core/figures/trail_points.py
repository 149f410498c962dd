"""What the plane of one recipe shows: settings that were tried, points of a sweep or search, a spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

FOUND = "found"
"""Marks a clicked point of a sweep or search: its number is not one of the trail."""


@dataclass(frozen=True)
class TrailPoint:
    """A setting on the plane. `number` comes back with a click; `letter` marks a pinned one.

    `parent` is the number of the setting before it, −1 for none. `hollow`: who is who may be hidden, where
    somebody was is not.
    """

    number: int
    parent: int
    utility: float
    privacy: float
    label: str
    letter: str = ""
    hollow: bool = False

    @property
    def defined(self) -> bool:
        """Whether it has a place on the plane."""
        return math.isfinite(self.utility) and math.isfinite(self.privacy)


@dataclass(frozen=True)
class Spread:
    """Lowest and highest utility and privacy of a setting over fresh draws."""

    utility: tuple[float, float]
    privacy: tuple[float, float]


@dataclass(frozen=True)
class FoundPoint:
    """A point of a sweep or a search; the `number` of one that can be taken over comes back with a click."""

    utility: float
    privacy: float
    label: str
    number: int = -1


@dataclass(frozen=True)
class Background:
    """Points of a sweep or a search behind the trail; `front` are those that no other beats.

    `best` is what a search has found.
    """

    points: Sequence[FoundPoint] = ()
    front: Sequence[tuple[float, float]] = ()
    best: FoundPoint | None = None
