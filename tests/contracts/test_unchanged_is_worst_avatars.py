"""Publishing a table unchanged is the worst that one can do: no setting of avatars has less privacy."""

from dataclasses import replace

import numpy as np
import pytest

from insanonym_core.demo.named import named_table
from insanonym_core.experiment import Report, run, score_release
from insanonym_core.kinds import kind_named
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods
from tests.avatars.helpers import published_as

NEEDS = kind_named("avatars").headline("privacy").needs
TRIED = {
    "mix_neighbours": (
        *({"k": k} for k in (1, 2, 5, 20, 100)),
        {"weights": "exponential"},
        {"include_self": True},
        {"include_self": True, "weights": "exponential"},
        {"include_self": True, "variance": 1.0},
        {"components": 1},
        {"variance": 1.0, "impute": "knn"},
        {"impute": "drop"},
    ),
    "independent_columns": ({}, {"draw": "resample"}),
    "gaussian_copula": ({}, {"k": 1}, {"k": 50, "correlations": 0.5}),
}
DATA = ("demo:breast_cancer", "demo:diabetes", "demo:patients")


def unchanged(data: str, split_seed: int = 0) -> Report:
    """The originals handed in as their own avatars; halves and subsets of columns are drawn by the seed."""
    made = published_as(named_table(data), lambda rows: rows)
    return score_release(replace(made, split_seed=split_seed), "avatars", only=NEEDS)


def test_every_method_is_tried():
    assert set(TRIED) == {entry.name for entry in methods.all(data="avatars")}


@pytest.mark.parametrize("data", DATA)
def test_unchanged_data_has_no_privacy(data):
    report = unchanged(data)
    assert report.privacy == pytest.approx(0, abs=1e-12)
    assert {one.measure.key: round(one.share, 2) for one in report.threats}["privacy.identical"] == 1
    assert {one.measure.key for one in report.threats} == set(NEEDS)


@pytest.mark.slow
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize(
    ("method", "parameters"),
    [pytest.param(name, values, id=f"{name}-{values}") for name, some in TRIED.items() for values in some],
)
def test_no_setting_has_less_privacy_or_a_worse_threat(data, method, parameters):
    made = run(Recipe((Step(method, parameters),), data=data, kind="avatars", seed=1), only=NEEDS)
    report = unchanged(data, made.release.split_seed)
    assert made.privacy >= report.privacy - 1e-12
    before = {one.measure.key: one for one in report.threats}
    of_own_row = {"privacy.hidden_rate", "privacy.linkage"} if made.release.owner is None else set()
    assert set(before) - of_own_row == {one.measure.key for one in made.threats}
    for one in made.threats:
        low = one.interval[0] if one.interval else one.share
        assert low <= before[one.measure.key].share + 1e-9, one.sentence()


@pytest.mark.slow
def test_more_neighbours_give_more_privacy():
    """On the demonstration data, over seeds: one neighbour is the worst of the honest settings."""
    means = [
        np.mean(
            [
                run(
                    Recipe(
                        (Step("mix_neighbours", {"k": k}),),
                        data="demo:breast_cancer",
                        kind="avatars",
                        seed=seed,
                    ),
                    only=NEEDS,
                ).privacy
                for seed in range(3)
            ]
        )
        for k in (1, 5, 20, 100)
    ]
    assert means == sorted(means)
