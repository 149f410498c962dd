"""Intervals over people: coverage, and shares of 0 and 1."""

import numpy as np
import pytest

from insanonym_core.numeric.intervals import difference_interval, mean_interval


def test_the_interval_covers_the_difference_of_two_known_rates():
    """200 × 2 groups of 80 people who are right with 0.6 and 0.4."""
    draw, covered = np.random.default_rng(5), 0
    for _ in range(200):
        right = [(draw.random(80) < rate).astype(float) for rate in (0.6, 0.4)]
        low, high = difference_interval(right, [np.ones(80)] * 2, draw)
        covered += low <= 0.2 <= high
    assert 0.9 <= covered / 200 <= 0.98


def test_an_interval_where_everybody_or_nobody_is_right_is_not_a_point():
    asked = [np.full(30, 2), np.full(30, 2)]
    low, high = difference_interval([np.full(30, 2.0), np.zeros(30)], asked, np.random.default_rng(0))
    assert 0.75 < low < high == 1
    low, high = difference_interval([np.zeros(30), np.zeros(30)], asked, np.random.default_rng(0))
    assert -0.2 < low < 0 < high < 0.2
    for value in (0.0, 1.0):
        low, high = mean_interval(np.full(30, value), np.random.default_rng(0))
        assert low <= value <= high
        assert 0.05 < high - low < 0.2


def test_who_was_not_asked_does_not_count():
    right, asked = np.array([1.0, 0.0, 1.0, 0.0]), np.array([1, 1, 2, 0])
    with_one_more = difference_interval([right, right], [asked, asked], np.random.default_rng(3))
    without = difference_interval([right[:3]] * 2, [asked[:3]] * 2, np.random.default_rng(3))
    assert with_one_more == pytest.approx(without)
