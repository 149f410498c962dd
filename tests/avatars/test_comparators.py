"""What avatars are compared with: independent columns and a Gaussian copula; and who looks for values."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from insanonym_core.avatars.methods.gaussian_copula import (
    correlations_of_scores,
    normal_scores,
    smooth_quantiles,
)
from insanonym_core.avatars.metrics.attacks import area_under_curve
from insanonym_core.avatars.metrics.membership_values import membership_values, values_published
from insanonym_core.avatars.release import get_rehearsal
from insanonym_core.experiment import run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods, metrics
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import table_of


def made(name: str, table: Table, seed: int = 1, **settings: object):
    return methods.get(name, data="avatars").item(**settings).apply(table, np.random.default_rng(seed))


def correlated(rows: int = 600) -> pd.DataFrame:
    draw = np.random.default_rng(3)
    x = draw.normal(size=rows)
    y = np.exp(0.8 * x + 0.6 * draw.normal(size=rows))  # another shape, the same ranks
    text = np.where(x + draw.normal(size=rows) > 0, "yes", "no")
    return pd.DataFrame({"x": x, "y": np.where(draw.random(rows) < 0.1, np.nan, y), "t": text})


def test_shuffled_columns_keep_their_values_and_nothing_between_them():
    frame = correlated()
    release = made("independent_columns", Table.from_frame(frame))
    after = release.published.frame()
    for name in frame.columns:
        assert sorted(after[name].dropna()) == sorted(frame[name].dropna())
        assert after[name].isna().sum() == frame[name].isna().sum()
    assert abs(after["x"].corr(after["y"], "spearman")) < 0.1 < frame["x"].corr(frame["y"], "spearman")
    drawn = made("independent_columns", Table.from_frame(frame), draw="resample").published.frame()
    assert set(drawn["x"]) < set(frame["x"])


def test_normal_scores_by_hand():
    """Ranks 1, 2.5, 2.5 and 4 of 4 are at 1/8, 1/2, 1/2 and 7/8; a missing value has none."""
    found = normal_scores(np.array([0, 1, -1, 1, 2]))
    expected = stats.norm.ppf([1 / 8, 1 / 2, np.nan, 1 / 2, 7 / 8])
    assert found == pytest.approx(expected, nan_ok=True)


def test_the_correlations_are_those_of_normal_scores():
    frame = correlated().dropna()[["x", "y"]]
    scores = np.array([stats.norm.ppf((stats.rankdata(frame[name]) - 0.5) / len(frame)) for name in frame])
    assert correlations_of_scores(Table.from_frame(frame)) == pytest.approx(np.corrcoef(scores))
    constant = table_of(x=range(9), c=[7] * 9)
    assert correlations_of_scores(constant) == pytest.approx(np.array([[1, 0], [0, 0]]))


def test_the_copula_keeps_columns_and_rank_correlations():
    frame = correlated(3000)
    release = made("gaussian_copula", Table.from_frame(frame))
    after = release.published.frame()
    assert after["x"].corr(after["y"], "spearman") == pytest.approx(
        frame["x"].corr(frame["y"], "spearman"), abs=0.05
    )
    assert stats.ks_2samp(after["x"], frame["x"]).statistic < 0.05
    assert after["y"].isna().mean() == pytest.approx(frame["y"].isna().mean(), abs=0.03)
    assert (after["t"] == "yes").mean() == pytest.approx((frame["t"] == "yes").mean(), abs=0.04)
    apart = made("gaussian_copula", Table.from_frame(frame), correlations=0).published.frame()
    assert abs(apart["x"].corr(apart["y"], "spearman")) < 0.06


def test_smooth_quantiles_by_hand():
    """Groups 1 2 3 and 10 20 30: means 2 and 20, at a quarter and three quarters."""
    numbers = np.array([1.0, 2, 3, 10, 20, 30])
    found = smooth_quantiles(numbers, np.array([0, 0.25, 0.5, 0.75, 1]), 3)
    assert found.tolist() == [2, 2, 11, 20, 20]
    assert smooth_quantiles(numbers, np.array([0.0, 1.0]), 1).tolist() == [1, 30]


def test_nobody_has_a_row_of_their_own():
    report = run(Recipe((Step("gaussian_copula", {}),), data="demo:patients", kind="avatars", seed=1))
    assert {one.threat.group for one in report.threats} == {"singling out", "inference"}
    for name in ("hidden_rate", "linkage", "local_cloaking"):
        assert report.scores[f"privacy.{name}"].undefined_because == (
            "no synthetic row is made from one person's row"
        )
    assert 0 < report.privacy < 1


def test_published_values_give_away_who_was_in_the_data():
    """Literally: for each person the columns whose value is in the release; distances see nothing of it."""
    release = made("independent_columns", Table.from_frame(correlated(200)))
    rehearsal = get_rehearsal(release)
    published = rehearsal.avatars.published.frame()
    counts = []
    for half in (rehearsal.train, rehearsal.held_out):
        frame = half.source.frame()
        counts.append(
            [sum(published[name].isin([row[name]]).any() for name in frame) for _, row in frame.iterrows()]
        )
        assert values_published(half.source, rehearsal.avatars.published).tolist() == counts[-1]
    score = membership_values(release)
    assert score.value == pytest.approx(area_under_curve(*map(np.array, counts)))
    assert score.value > 0.95
    assert score.interval[0] <= score.value <= score.interval[1]
    assert metrics.get("membership_auc", data="avatars").item(release).value < 0.6
    assert membership_values(made("gaussian_copula", Table.from_frame(correlated(200)))).value < 0.65


def test_with_chance_values_it_is_chance():
    """Texts that everybody has: half and half."""
    assert membership_values(made("independent_columns", table_of(t=list("ab" * 20)))).value == 0.5
