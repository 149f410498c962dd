"""Where the points of a file are, as a small picture: it shows whether its columns are the right ones."""

from __future__ import annotations

import html
import math

import numpy as np

from insanonym_core.mobility.track import Track

WIDTH, HEIGHT = 250, 170
_MARGIN, _CELLS = 8, 60


def small_map(track: Track, title: str) -> str:
    """An SVG of the cells in which rows are, the fuller the darker; `title` says what it is."""
    latitude, longitude = track.latitude, track.longitude
    south, north, west, east = latitude.min(), latitude.max(), longitude.min(), longitude.max()
    narrow = max(math.cos(math.radians(float(south + north) / 2)), 0.01)  # a degree of longitude is shorter
    size = max(float(north - south), float(east - west) * narrow, 1e-4)
    scale = min(WIDTH, HEIGHT) - 2 * _MARGIN
    right = (longitude - (west + east) / 2) * narrow / size * scale + WIDTH / 2
    down = HEIGHT / 2 - (latitude - (south + north) / 2) / size * scale
    step = scale / _CELLS
    cells, counts = np.unique(
        np.stack([right // step, down // step]).astype(np.int64), axis=1, return_counts=True
    )
    strength = 0.25 + 0.75 * np.log1p(counts) / np.log1p(counts.max())
    drawn = "".join(
        f'<rect x="{x * step:.1f}" y="{y * step:.1f}" width="{step:.1f}" height="{step:.1f}" '
        f'fill-opacity="{shade:.2f}"/>'
        for x, y, shade in zip(*cells.tolist(), strength.tolist(), strict=True)
    )
    told = html.escape(title, quote=True)
    return (
        f'<svg class="insanonym-small-map" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{told}">'
        f"<title>{told}</title>{drawn}</svg>"
    )
