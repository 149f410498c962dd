"""Random noise on positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.geometry import METRE_DIGITS, cosine_and_sine, shift_points
from insanonym_core.mobility.track import Track
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.grouping import starts_of_runs
from insanonym_core.numeric.randomness import SystemGenerator
from insanonym_core.parameters import Range
from insanonym_core.registry import methods
from insanonym_core.runtime.store import kept

Metres = Annotated[float, Range(0, 5000, step=10, unit="m", scale="log")]
_MAX_CACHED_STEPS = 1_000_000  # steps
WITHIN_RADIUS_95 = 4.743864518  # the 95 % quantile of Gamma(2, 1): ε = this / radius


def _shift_track(track: Track, north: Floats, east: Floats) -> Track:
    """The track with its kept rows shifted by metres."""
    rows = track.kept_rows
    latitude, longitude = track.latitude.copy(), track.longitude.copy()
    latitude[rows], longitude[rows] = shift_points(latitude[rows], longitude[rows], north, east)
    return track.changed(latitude=latitude, longitude=longitude)


@dataclass(frozen=True, eq=False)
class _Steps:
    """Random steps before scaling: lengths, and directions as unit vectors."""

    length: Floats
    north: Floats
    east: Floats

    def scaled(self, scale: float) -> tuple[Floats, Floats]:
        """North and east components of the steps, multiplied by `scale`."""
        length = scale * self.length
        return length * self.north, length * self.east


Lengths = Callable[[np.random.Generator, int], Floats]


def _draw_steps(generator: np.random.Generator, lengths: Lengths, number: int) -> _Steps:
    """Draw `number` steps in uniform directions.

    They are cached by the state of the generator: while the slider of their length moves, they stay the same.
    """

    def draw() -> tuple[_Steps, Mapping[str, object]]:
        length, angle = lengths(generator, number), generator.uniform(0, 2 * np.pi, number)
        east, north = cosine_and_sine(angle)
        return _Steps(length, north, east), generator.bit_generator.state

    if isinstance(generator, SystemGenerator) or number > _MAX_CACHED_STEPS:
        return draw()[0]
    key = lengths, number, repr(generator.bit_generator.state)
    steps, state_after = kept("noise", key, draw)
    generator.bit_generator.state = state_after  # as after drawing them
    return steps


def _disc_lengths(generator: np.random.Generator, number: int) -> Floats:
    return np.sqrt(generator.uniform(0, 1, number))


def _laplace_lengths(generator: np.random.Generator, number: int) -> Floats:
    return generator.standard_gamma(2.0, number)


@methods.add("gaussian_noise", data="mobility", title="Gaussian noise", order=2)
@dataclass(frozen=True, kw_only=True)
class GaussianNoise:
    """Moves every point by independent normal steps of `sigma` metres north and east.

    Averages out where somebody stays: weak against mean_position and poi.
    """

    sigma: Metres = 100.0
    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Add the noise."""
        number = len(track.kept)
        return _shift_track(
            track, generator.normal(0, self.sigma, number), generator.normal(0, self.sigma, number)
        )


@methods.add("uniform_noise", data="mobility", title="Uniform noise", order=3)
@dataclass(frozen=True, kw_only=True)
class UniformNoise:
    """Moves every point to a uniform place in the disc of `radius` metres around it.

    The original is never further away than the radius (a little more near the poles), which attackers know
    as well as users.
    """

    radius: Metres = 200.0
    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Add the noise."""
        steps = _draw_steps(generator, _disc_lengths, len(track.kept))
        return _shift_track(track, *steps.scaled(self.radius))


@methods.add("planar_laplace", data="mobility", title="Planar Laplace", order=4)
@dataclass(frozen=True, kw_only=True)
class PlanarLaplace:
    """Geo-indistinguishability: 95 % of the points stay within `radius` metres (ε = 4.743864518/radius).

    The promise holds for one point; a hundred points of one stay average it away. Noise per stop avoids that.
    """

    radius: Metres = 200.0
    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Add the noise."""
        steps = _draw_steps(generator, _laplace_lengths, len(track.kept))
        return _shift_track(track, *steps.scaled(self.radius / WITHIN_RADIUS_95))


@methods.add("stop_noise", data="mobility", title="Noise per stop", order=5)
@dataclass(frozen=True, kw_only=True)
class StopNoise:
    """Planar Laplace with one draw per stay (consecutive records in one cell), so that averaging fails.

    Whoever comes back every day gets a new draw every day: over many visits the place still shows.
    """

    radius: Metres = 200.0
    decimals: Decimals = 3
    published_digits = METRE_DIGITS

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Add the noise."""
        stay = _stay_of_rows(track.kept, self.decimals)
        steps = _draw_steps(generator, _laplace_lengths, int(stay.max(initial=-1)) + 1)
        north, east = steps.scaled(self.radius / WITHIN_RADIUS_95)
        return _shift_track(track, north[stay], east[stay])


def _stay_of_rows(track: Track, decimals: int) -> Ints:
    """Number of the stay of each row: a run of one individual's records in one cell and week."""
    order = np.lexsort((track.time, track.individual))
    cell = track.cells(decimals).code
    starts = starts_of_runs(track.individual[order], track.week[order], cell[order])
    stay = np.zeros(len(track), dtype=np.int64)
    stay[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(track))))
    return stay
