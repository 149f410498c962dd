"""95 % intervals of shares that are measured on people, by a percentile bootstrap over people."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from insanonym_core.numeric.arrays import Floats, Ints

DRAWS = 1000
_ENDS = (0.025, 0.975)


def wilson_interval(share: float, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share seen in `trials` trials; (0, 1) when there were none."""
    if trials == 0:
        return 0.0, 1.0
    z = 1.959963984540054
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # A share of 0 or 1 is an end of its own interval, up to rounding.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def mean_interval(values: Floats, draw: np.random.Generator) -> tuple[float, float]:
    """The interval of a mean of shares, one a person.

    Where all are equal, drawing them again shows no spread: then it is Wilson's.
    """
    mean = float(values.mean())
    if values.min() == values.max():
        low, high = wilson_interval(mean, len(values))
    else:
        low, high = np.quantile(resampled_shares(values, np.ones(len(values)), draw), _ENDS)
    return min(float(low), mean), max(float(high), mean)


def difference_interval(
    right: Sequence[Floats], asked: Sequence[Floats | Ints], draw: np.random.Generator
) -> tuple[float, float]:
    """The interval of share − share of two groups, given for each person how many were right and asked.

    Newcombe's interval where a group is all wrong or all right.
    """
    taking_part = [number > 0 for number in asked]
    right = [one[some] for one, some in zip(right, taking_part, strict=True)]
    asked = [one[some] for one, some in zip(asked, taking_part, strict=True)]
    shares = [float(one.sum() / number.sum()) for one, number in zip(right, asked, strict=True)]
    value = shares[0] - shares[1]
    if any(share in (0, 1) for share in shares):
        ends = [wilson_interval(share, len(number)) for share, number in zip(shares, asked, strict=True)]
        low = value - np.hypot(shares[0] - ends[0][0], ends[1][1] - shares[1])
        high = value + np.hypot(ends[0][1] - shares[0], shares[1] - ends[1][0])
    else:
        first, second = (
            resampled_shares(one, number, draw) for one, number in zip(right, asked, strict=True)
        )
        low, high = np.quantile(first - second, _ENDS)
    return max(-1.0, min(float(low), value)), min(1.0, max(float(high), value))


def resampled_shares(right: Floats, asked: Floats | Ints, draw: np.random.Generator) -> Floats:
    """Σ right / Σ asked over people drawn with replacement, once for each of DRAWS samples."""
    people = draw.integers(0, len(right), size=(DRAWS, len(right)))
    shares: Floats = right[people].sum(axis=1) / asked[people].sum(axis=1)
    return shares
