"""Aggregates, intervals and JSON."""

import math

import numpy as np
import pytest

from insanonym_core.numeric.intervals import wilson_interval
from insanonym_core.results.headlines import AGGREGATES
from insanonym_core.results.scores import Score, as_json, mean_of


def test_undefined_scores_are_left_out():
    scores = [Score(0.5), Score.undefined("because"), Score(1.0)]
    assert mean_of(scores) == 0.75
    assert math.isnan(mean_of([Score.undefined("because")]))


def test_aggregates():
    values = {"a": 0.1, "b": 0.2, "c": 0.9}
    found = {name: aggregate(values) for name, aggregate in AGGREGATES.items()}
    assert found == {"mean": pytest.approx(0.4), "median": 0.2, "min": 0.1, "max": 0.9}


def test_wilson_interval_against_the_textbook():
    # Wilson (1927) for 8 of 10: 0.490 to 0.943.
    low, high = wilson_interval(0.8, 10)
    assert (low, high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    assert wilson_interval(0, 20)[0] == 0
    assert wilson_interval(1, 20)[1] == 1
    assert wilson_interval(0, 0) == (0, 1)


def test_json_has_no_nan_and_no_numpy():
    value = {"a": np.float64("nan"), "b": np.int64(3), "c": (1.5, math.inf), "d": np.array([1, 2])}
    assert as_json(value) == {"a": None, "b": 3, "c": [1.5, None], "d": [1, 2]}
