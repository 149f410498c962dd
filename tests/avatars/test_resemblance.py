"""Resemblance of avatars, by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from insanonym_core.avatars.metrics.classifier import classifier_gap
from insanonym_core.avatars.metrics.resemblance import (
    columns_distance,
    hellinger,
    kolmogorov_smirnov,
    overlay_distance,
)
from insanonym_core.avatars.release import avatars_from_tables, get_rehearsal
from insanonym_core.demo.named import named_table
from insanonym_core.errors import UsageError
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of, published_as, table_of
from tests.helpers import scores_of


def test_distances_by_hand():
    assert kolmogorov_smirnov(np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 4.0, 5.0, 6.0])) == 0.5
    one, other = (Table.from_frame(pd.DataFrame({"c": list(text)}))["c"] for text in ("aabb", "abbb"))
    assert hellinger(one, other) == pytest.approx(np.sqrt(1 - (np.sqrt(0.5 * 0.25) + np.sqrt(0.5 * 0.75))))
    strange = Table.from_frame(pd.DataFrame({"c": list("zzzz")}))["c"]
    assert hellinger(one, strange) == 1


def test_an_unchanged_table_resembles_itself_perfectly():
    table = named_table("demo:breast_cancer")
    scores = scores_of(avatars_from_tables(table, table), "avatars")
    assert scores["resemblance"].value == 1
    assert scores["explained_variance"].value >= 0.9
    curve = scores["explained_variance"].evidence[0]
    assert curve.y[-1] == pytest.approx(1)


def test_mixing_more_neighbours_resembles_less():
    table = named_table("demo:breast_cancer")
    near, far = (columns_distance(avatars_of(table, k=k)).value for k in (3, 500))
    assert near < far


def _accuracy(learnt: pd.DataFrame, asked: pd.DataFrame, target: str) -> float:
    """By scikit-learn alone, on numbers: a tree does not mind how they are scaled."""
    tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
    tree.fit(learnt.drop(columns=target).to_numpy(float), learnt[target])
    return (tree.predict(asked.drop(columns=target).to_numpy(float)) == asked[target]).mean()


def _two_groups(rows: int = 200) -> Table:
    draw = np.random.default_rng(0)
    group = np.arange(rows) % 2
    return table_of(
        x=(draw.normal(size=rows) + 3 * group).round(2), y=draw.normal(size=rows).round(2), g=group
    )


def test_a_classifier_learns_from_avatars_and_answers_for_originals():
    made = avatars_of(_two_groups())
    score, rehearsal = classifier_gap(made), get_rehearsal(made)
    train, asked = rehearsal.train.source.frame(), rehearsal.held_out.source.frame()
    assert score.details["originals"] == pytest.approx(_accuracy(train, asked, "g"))
    avatars = rehearsal.avatars.published.frame()
    assert score.details["avatars"] == pytest.approx(_accuracy(avatars, asked, "g"))
    assert score.value == score.details["originals"] - score.details["avatars"]


def test_avatars_that_teach_nothing_cost_what_there_was_to_learn():
    made = published_as(_two_groups(), lambda rows: rows.assign(g=1))
    score = classifier_gap(made)
    held_out = get_rehearsal(made).held_out.source.frame()["g"]
    assert score.details["originals"] > 0.85
    assert score.details["avatars"] == (held_out == 1).mean()


@pytest.mark.parametrize("impute", ["mean", "knn"])
def test_a_numeric_target_with_gaps_has_the_classes_of_the_source(impute):
    frame = _two_groups(240).frame()
    frame["g"] = (frame["g"] * 0.3 + 0.1).mask(np.arange(240) % 5 == 0)
    made = avatars_of(Table.from_frame(frame), impute=impute)
    score, rehearsal = classifier_gap(made, target="g"), get_rehearsal(made)
    train, asked = (part.source.frame().dropna() for part in (rehearsal.train, rehearsal.held_out))
    assert len(train) < 120
    classes = {0.1: "a", 0.4: "b"}
    train, asked = (part.assign(g=part["g"].round(1).map(classes)) for part in (train, asked))
    assert score.details["originals"] == pytest.approx(_accuracy(train, asked, "g"))
    avatars = rehearsal.avatars.published.frame().dropna()  # avatars have gaps too, and they teach nothing
    assert len(avatars) == len(train)
    avatars = avatars.assign(g=np.where(avatars["g"] < 0.25, "a", "b"))
    assert score.details["avatars"] == pytest.approx(_accuracy(avatars, asked, "g"))


def test_a_target_of_long_decimals():
    made = avatars_of(named_table("demo:diabetes"))
    score = classifier_gap(made)
    assert "Predicting sex" in score.evidence[0].title
    rehearsal = get_rehearsal(made)
    sets = rehearsal.train.source, rehearsal.avatars.published, rehearsal.held_out.source
    train, avatars, asked = (
        part.frame().assign(sex=lambda rows: (rows["sex"] > 0).astype(int)) for part in sets
    )
    assert score.details["originals"] == pytest.approx(_accuracy(train, asked, "sex"))
    assert score.details["avatars"] == pytest.approx(_accuracy(avatars, asked, "sex"))


def test_many_classes_of_few_rows_warn_nobody():
    draw = np.random.default_rng(0)
    table = table_of(x=draw.normal(size=90), g=np.arange(90) % 45)
    assert classifier_gap(avatars_of(table), target="g").defined


def test_targets_that_cannot_be_predicted():
    made = avatars_of(named_table("demo:patients"))
    assert classifier_gap(made, target="diagnosis").details["originals"] > 0.2
    assert "Predicting diagnosis" in classifier_gap(made).evidence[0].title
    with pytest.raises(UsageError, match="2 to 50 different values and has "):
        classifier_gap(avatars_of(named_table("demo:breast_cancer")), target="mean radius")
    with pytest.raises(UsageError, match="no column"):
        classifier_gap(made, target="nothing")
    cancer = classifier_gap(avatars_of(named_table("demo:breast_cancer")))
    assert "no column with 2 to 50" in cancer.undefined_because
    rare = table_of(x=np.arange(40.0), g=[1.0, 2.0, *[None] * 38])
    seen = [classifier_gap(avatars_of(rare, seed), target="g") for seed in range(6)]
    assert {score.undefined_because for score in seen} == {"a half of the rows has no value to predict", ""}


def test_copies_lie_where_their_originals_do_to_the_last_bit():
    """Their projection may differ in the last bits, which depend on the machine, and so would every rank."""
    draw = np.random.default_rng(0)
    columns = {name: draw.normal(size=200) for name in "abc"}
    made = published_as(table_of(**columns), lambda rows: rows * (1 + 1e-13 * draw.normal(size=rows.shape)))
    real, synthetic = made.points("pca")
    assert not np.isin(synthetic[:, 0], real[:, 0]).all()
    assert overlay_distance(made).value == 0
    other = published_as(table_of(**columns), lambda rows: rows + 3)
    assert overlay_distance(other).value > 0.4
