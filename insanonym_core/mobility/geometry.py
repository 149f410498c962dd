"""Distances and shifts on a spherical earth of radius 6371.0088 km."""

from __future__ import annotations

import numpy as np

from insanonym_core.numeric.arrays import Floats

EARTH_RADIUS_KM = 6371.0088
METRES_PER_DEGREE = EARTH_RADIUS_KM * 1000 * np.pi / 180
METRE_DIGITS = 5  # decimals of a degree (about a metre) in published files, unless a grid is coarser
PUBLISHED_DECIMALS = 7  # decimals of a degree (about a centimetre) that methods keep when they move points


def haversine_km(latitude_a: Floats, longitude_a: Floats, latitude_b: Floats, longitude_b: Floats) -> Floats:
    """Great-circle distances in kilometres, element by element (degrees in)."""
    phi_a, phi_b = np.radians(latitude_a), np.radians(latitude_b)
    half_lat = np.sin((phi_b - phi_a) / 2)
    half_lon = np.sin(np.radians(longitude_b - longitude_a) / 2)
    h = half_lat**2 + np.cos(phi_a) * np.cos(phi_b) * half_lon**2
    distance: Floats = 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.clip(h, 0, 1)))
    return distance


def unit_vectors(latitude: Floats, longitude: Floats) -> Floats:
    """Points on the unit sphere of places in degrees: rows x, y and z."""
    (across, up), (east, north) = (cosine_and_sine(np.radians(side)) for side in (latitude, longitude))
    return np.stack([across * east, across * north, up])


def cosine_and_sine(angle: Floats) -> tuple[Floats, Floats]:
    """Cosine and sine of angles, from the tangent of half the angle: six times faster in numpy."""
    tangent = np.tan(angle / 2)
    squared = tangent * tangent
    whole = 1 + squared
    return (1 - squared) / whole, 2 * tangent / whole


def great_circle_km(straight_km: Floats) -> Floats:
    """Great-circle distances from chord lengths (straight lines through the earth), in kilometres."""
    diameter = 2 * EARTH_RADIUS_KM
    distance: Floats = diameter * np.arcsin(np.minimum(straight_km / diameter, 1))
    return distance


def shift_points(latitude: Floats, longitude: Floats, north: Floats, east: Floats) -> tuple[Floats, Floats]:
    """Shift points by metres north and east; latitude is clamped at the poles, longitude wraps."""
    shrink = np.maximum(np.cos(np.radians(latitude)), 1e-6)
    new_latitude = latitude + north / METRES_PER_DEGREE
    new_longitude = longitude + east / (METRES_PER_DEGREE * shrink)
    return round_coordinates(new_latitude, new_longitude)


def round_coordinates(latitude: Floats, longitude: Floats) -> tuple[Floats, Floats]:
    """Clamp, wrap and round coordinates to PUBLISHED_DECIMALS: memory and file then hold the same numbers."""
    wrapped = np.where(np.abs(longitude) > 180, (longitude + 180) % 360 - 180, longitude)
    return (
        np.round(np.clip(latitude, -90, 90), PUBLISHED_DECIMALS),
        np.round(wrapped, PUBLISHED_DECIMALS),
    )
