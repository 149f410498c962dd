"""Resemblance of avatars, by hand."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.avatars.metrics.classifier import classifier_gap
from insanonym_core.avatars.metrics.resemblance import columns_distance, hellinger, kolmogorov_smirnov
from insanonym_core.avatars.release import compared
from insanonym_core.demo.named import named_table
from insanonym_core.errors import UsageError
from insanonym_core.registry import measured
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of


def test_distances_by_hand():
    assert kolmogorov_smirnov(np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 4.0, 5.0, 6.0])) == 0.5
    one, other = (Table.from_frame(pd.DataFrame({"c": list(text)}))["c"] for text in ("aabb", "abbb"))
    assert hellinger(one, other) == pytest.approx(np.sqrt(1 - (np.sqrt(0.5 * 0.25) + np.sqrt(0.5 * 0.75))))
    strange = Table.from_frame(pd.DataFrame({"c": list("zzzz")}))["c"]
    assert hellinger(one, strange) == 1


def test_an_unchanged_table_resembles_itself_perfectly():
    table = named_table("demo:breast_cancer")
    scores = measured("avatars", compared(table, table), family="utility")
    assert scores["resemblance"].value == 1
    assert scores["explained_variance"].value >= 0.9
    curve = scores["explained_variance"].evidence[0]
    assert curve.y[-1] == pytest.approx(1)


def test_mixing_more_neighbours_resembles_less():
    table = named_table("demo:breast_cancer")
    near, far = (columns_distance(avatars_of(table, k=k)).value for k in (3, 500))
    assert near < far


def test_a_classifier_on_mixed_tables():
    made = avatars_of(named_table("demo:patients"))
    score = classifier_gap(made, target="diagnosis")
    assert -1 <= score.value <= 1
    assert 0 < score.details["originals"] <= 1
    with pytest.raises(UsageError, match="2 to 50 different values"):
        classifier_gap(avatars_of(named_table("demo:breast_cancer")), target="mean radius")
    with pytest.raises(UsageError, match="no column"):
        classifier_gap(made, target="nothing")
    assert (
        "no column with 2 to 50"
        in classifier_gap(avatars_of(named_table("demo:breast_cancer"))).undefined_because
    )
