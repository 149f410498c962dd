"""Membership inference and linkage on avatars."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.avatars.metrics.attacks import area_under_curve, linkage, membership_auc
from insanonym_core.demo.named import named_table
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of


@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5), min_size=1))
def test_area_under_the_curve_is_the_share_of_pairs_won(members, others):
    pairs = [(a > b) + 0.5 * (a == b) for a in members for b in others]
    found = area_under_curve(np.array(members, dtype=float), np.array(others, dtype=float))
    assert found == pytest.approx(np.mean(pairs))


def gauss(rows: int, columns: int = 4) -> Table:
    return Table.from_frame(
        pd.DataFrame(np.random.default_rng(3).normal(size=(rows, columns))).rename(columns=str)
    )


def test_copies_give_every_member_away_and_their_interval_says_so():
    score = membership_auc(avatars_of(gauss(200), include_self=True, components=4))
    assert score.value == 1
    assert score.interval[0] > 0.95
    assert score.details["gain"] == pytest.approx(1)


def test_a_mix_of_everybody_tells_little():
    score = membership_auc(avatars_of(gauss(400), k=199, weights="exponential"))
    assert score.interval[0] < 0.55
    assert abs(score.value - 0.5) < 0.1


def test_linkage_finds_copies_and_hardly_anybody_else():
    table = gauss(150)
    assert linkage(avatars_of(table, include_self=True, components=4)).value == 1
    found = linkage(avatars_of(table))
    assert found.value < 0.3
    assert found.details["worst"] >= found.value
    assert found.details["subsets"] == 4


def test_mixed_tables_are_attacked_on_whole_columns():
    made = avatars_of(named_table("demo:patients"))
    assert 0 <= linkage(made).value <= 1
    assert linkage(made).details["subsets"] == 50


def test_too_few_rows():
    assert "at least 6 rows" in membership_auc(avatars_of(gauss(5))).undefined_because
