"""Moving points by random steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.grouping import starts_of_runs
from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.geometry import moved
from insanonym_core.mobility.track import Track
from insanonym_core.parameters import Range
from insanonym_core.registry import methods

Metres = Annotated[float, Range(0, 5000, step=10, unit="m", scale="log")]
WITHIN_RADIUS_95 = 4.743864518  # the 95 % quantile of Gamma(2, 1): ε = this / radius


def _shifted(track: Track, north: Floats, east: Floats) -> Track:
    """The kept rows moved by metres."""
    rows = track.kept_rows
    latitude, longitude = track.latitude.copy(), track.longitude.copy()
    latitude[rows], longitude[rows] = moved(latitude[rows], longitude[rows], north, east)
    return track.changed(latitude=latitude, longitude=longitude)


def _in_direction(length: Floats, generator: np.random.Generator) -> tuple[Floats, Floats]:
    """Steps of given lengths in uniform directions."""
    angle = generator.uniform(0, 2 * np.pi, len(length))
    return length * np.sin(angle), length * np.cos(angle)


def _laplace_lengths(radius: float, number: int, generator: np.random.Generator) -> Floats:
    return generator.gamma(2.0, radius / WITHIN_RADIUS_95, number)


@methods.add("gaussian_noise", data="mobility", title="Gaussian noise", order=2)
@dataclass(frozen=True, kw_only=True)
class GaussianNoise:
    """Moves every point by independent normal steps of `sigma` metres north and east.

    Averages out where somebody stays: weak against mean_position and poi.
    """

    sigma: Metres = 100.0

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Add the noise."""
        number = len(track.kept)
        return _shifted(
            track, generator.normal(0, self.sigma, number), generator.normal(0, self.sigma, number)
        )


@methods.add("uniform_noise", data="mobility", title="Uniform noise", order=3)
@dataclass(frozen=True, kw_only=True)
class UniformNoise:
    """Moves every point to a uniform place in the disc of `radius` metres around it.

    The original is never further than the radius (a little more near the poles): a promise to users and to
    attackers alike.
    """

    radius: Metres = 200.0

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Add the noise."""
        length = self.radius * np.sqrt(generator.uniform(0, 1, len(track.kept)))
        return _shifted(track, *_in_direction(length, generator))


@methods.add("planar_laplace", data="mobility", title="Planar Laplace", order=4)
@dataclass(frozen=True, kw_only=True)
class PlanarLaplace:
    """Geo-indistinguishability: 95 % of the points stay within `radius` metres (ε = 4.743864518/radius).

    The promise holds for one point; a hundred points of one stay average it away: see stop_noise.
    """

    radius: Metres = 200.0

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Add the noise."""
        length = _laplace_lengths(self.radius, len(track.kept), generator)
        return _shifted(track, *_in_direction(length, generator))


@methods.add("stop_noise", data="mobility", title="Noise per stop", order=5)
@dataclass(frozen=True, kw_only=True)
class StopNoise:
    """Planar Laplace with one draw per stay (consecutive records in one cell), so that averaging fails.

    Whoever comes back every day gets a new draw every day: over many visits the place still shows.
    """

    radius: Metres = 200.0
    decimals: Decimals = 3

    def apply(self, track: Track, generator: np.random.Generator) -> Track:
        """Add the noise."""
        stay = _stay_of_rows(track.kept, self.decimals)
        length = _laplace_lengths(self.radius, int(stay.max(initial=-1)) + 1, generator)
        north, east = _in_direction(length, generator)
        return _shifted(track, north[stay], east[stay])


def _stay_of_rows(track: Track, decimals: int) -> Ints:
    """A number for each row's stay: a run of one individual's records of a week in one cell."""
    order = np.lexsort((track.time, track.individual))
    cell = track.cells(decimals).code
    starts = starts_of_runs(track.individual[order], track.week[order], cell[order])
    stay = np.zeros(len(track), dtype=np.int64)
    stay[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(track))))
    return stay
