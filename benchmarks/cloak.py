"""The table of docs/methods.md on `cloak`: its rule beside the one it had before, on the demo city.

    python -m benchmarks.cloak

Before, a square was split only if every part that holds rows held k individuals: a single visitor in a
corner kept everybody in one square. Displacements are medians over rows. How a city lies in the squares
decides much, so they are also taken with the city moved to other places on the earth.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import score_release
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.methods.cloak import Cloak, people_per_group
from insanonym_core.mobility.methods.pseudonymise import Pseudonymise
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Bools, Floats, Ints

KS = (1, 2, 3, 5, 10, 20, 40)
PLACES = 16
MAX_DEGREES = 5.0  # how far the city is moved


class OldCloak(Cloak):
    """The rule of before: all children that hold rows are split off, or none."""

    def _split_off(self, parent: Ints, child: Ints, individual: Ints, individuals: int) -> Bools:
        lacking = parent[people_per_group(child, individual, individuals) < self.k]
        return ~np.isin(parent, lacking)


RULES = {"old": OldCloak, "new": Cloak}


@cache
def city() -> Track:
    """The demo city."""
    return make_city().track


def cloaked(rule: str, k: int, track: Track) -> Track:
    """The release of one rule."""
    return RULES[rule](k=k).apply(track, np.random.default_rng(0))


def median_km(before: Track, after: Track) -> float:
    """Median over rows of how far they moved."""
    moved: Floats = haversine_km(before.latitude, before.longitude, after.latitude, after.longitude)
    return float(np.median(moved))


@cache
def displacements(rule: str, k: int) -> list[float]:
    """Median displacement in km with the city at each of PLACES places."""
    found = []
    for north, east in np.random.default_rng(1).uniform(-MAX_DEGREES, MAX_DEGREES, (PLACES, 2)).tolist():
        moved = city().changed(latitude=city().latitude + north, longitude=city().longitude + east)
        found.append(median_km(moved, cloaked(rule, k, moved)))
    return found


def utility(rule: str, k: int) -> float:
    """Mean of the six scores on the demo city."""
    release = Pseudonymise().apply(cloaked(rule, k, city()), np.random.default_rng(1))
    return score_release(Pair.from_tracks(city(), release), only=("utility",)).utility


def written_table() -> str:
    """The table as Markdown."""
    lines = [
        f"| k | utility, old | new | median km, old | new | median km over {PLACES} places, old | new |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for k in KS:
        here = (median_km(city(), cloaked(rule, k, city())) for rule in RULES)
        figures = [
            *(f"{utility(rule, k):.2f}" for rule in RULES),
            *(f"{one:.1f}" for one in here),
            *(f"{np.median(displacements(rule, k)):.1f}" for rule in RULES),
        ]
        lines.append(f"| {k} | {' | '.join(figures)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(written_table())
