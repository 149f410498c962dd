"""Resemblance of avatars, by hand."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.avatars.make import AvatarSettings, make_avatars
from insanonym_core.avatars.resemblance import (
    classifier_gap,
    column_distances,
    hellinger,
    kolmogorov_smirnov,
    resemblance_scores,
)
from insanonym_core.avatars.space import fit_space
from insanonym_core.demo.named import named_table
from insanonym_core.errors import UsageError
from insanonym_core.tabular.table import Table


def test_distances_by_hand():
    assert kolmogorov_smirnov(np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 4.0, 5.0, 6.0])) == 0.5
    one, other = (Table.from_frame(pd.DataFrame({"c": list(text)}))["c"] for text in ("aabb", "abbb"))
    assert hellinger(one, other) == pytest.approx(np.sqrt(1 - (np.sqrt(0.5 * 0.25) + np.sqrt(0.5 * 0.75))))
    strange = Table.from_frame(pd.DataFrame({"c": list("zzzz")}))["c"]
    assert hellinger(one, strange) == 1


def test_an_unchanged_table_resembles_itself_perfectly():
    table = named_table("demo:breast_cancer")
    scores = resemblance_scores(table, table, fit_space(table))
    assert scores["columns"].value == 0
    assert scores["correlations"].value == 0
    assert scores["overlay"].value == 0
    assert scores["explained_variance"].value >= 0.9
    curve = scores["explained_variance"].evidence[0]
    assert curve.y[-1] == pytest.approx(1)


def test_mixing_more_neighbours_resembles_less():
    table = named_table("demo:breast_cancer")
    near, far = (
        column_distances(
            table, make_avatars(table, AvatarSettings(k=k), np.random.default_rng(0)).published
        ).value
        for k in (3, 500)
    )
    assert near < far


def test_a_classifier_on_mixed_tables():
    score = classifier_gap(
        named_table("demo:patients"),
        "diagnosis",
        AvatarSettings(),
        np.random.default_rng(0),
    )
    assert -1 <= score.value <= 1
    assert 0 < score.details["originals"] <= 1
    with pytest.raises(UsageError, match="2 to 50 different values"):
        classifier_gap(
            named_table("demo:breast_cancer"), "mean radius", AvatarSettings(), np.random.default_rng(0)
        )
