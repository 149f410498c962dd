"""The browser, and a small city with two releases."""

from __future__ import annotations

import numpy as np
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.mobility.methods.noise import PlanarLaplace
from insanonym_core.mobility.pair import Pair


@pytest.fixture(scope="session")
def city() -> Pair:
    """Twelve people, moved by a kilometre or so."""
    original = make_city(users=12, weeks=2).track
    return Pair.from_tracks(original, PlanarLaplace(radius=1000).apply(original, np.random.default_rng(3)))


@pytest.fixture(scope="session")
def emptied(city: Pair) -> Pair:
    """The same city with every row deleted."""
    nobody = np.full(len(city.original), -1, dtype=np.int32)
    return Pair.from_tracks(city.original, city.original.changed(token=nobody))
