"""Membership inference and linkage on avatars."""

from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.avatars.metrics import attacks
from insanonym_core.avatars.metrics.attacks import area_under_curve, bootstrap, linkage, membership_auc
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
    shares = found.evidence[0].values
    assert found.value == pytest.approx(shares.mean())
    assert found.details["worst"] == shares.max() > shares.min()
    assert found.details["subsets"] == 4


@pytest.mark.parametrize("known", [1, 2, 3])
def test_mixed_tables_are_attacked_on_whole_columns(known):
    """Every original against every avatar, on numbers in standard deviations and texts that match or not."""
    made = avatars_of(named_table("demo:patients").take(np.arange(80)), k=5)
    squares = {}
    for column in (*made.space.numbers, *made.space.categories):
        one, other = (part[column.name].series() for part in (made.original, made.imputed))
        if column.kind == "category":
            one, other = (part.fillna("(missing)").to_numpy() for part in (one, other))
            squares[column.name] = one[:, None] != other
        else:
            kind = "datetime64[us]" if column.kind == "date" else float
            one, other = (part.to_numpy(kind).astype(float) for part in (one, other))
            squares[column.name] = ((one[:, None] - other) / one.std()) ** 2
    found = linkage(made, known=known)
    bars = found.evidence[0]
    assert len(bars.labels) == min(50, comb(len(squares), known)) == found.details["subsets"]
    for label, share in zip(bars.labels, bars.values, strict=True):
        some = label.split(" + ")
        assert len(set(some)) == known
        far = sum(squares[name] for name in some)[made.owner]  # the rows in the order of their avatars
        own = np.diag(far)
        closer = (far < own[:, None] - 1e-9).sum(axis=1)
        as_close = (far < own[:, None] + 1e-9).sum(axis=1)
        # Among equally close avatars the attacker takes any one of them.
        assert (as_close == 1).mean() <= share <= (closer == 0).mean()


def test_of_many_people_some_are_sought_among_all_avatars():
    few, many = avatars_of(gauss(300), components=4), avatars_of(gauss(2500), components=4)
    assert linkage(few).details["rows_tried"] == 300
    found = linkage(many)
    assert found.details["rows_tried"] == 2000
    assert found.details["chance"] == 1 / 2500
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attacks, "MAX_PEOPLE_TRIED", 10**6)
        exact = linkage(many)
    assert exact.details["rows_tried"] == 2500
    assert found.value == pytest.approx(exact.value, abs=3 * np.sqrt(exact.value / 2500))
    assert linkage(many).value == found.value
    copies = avatars_of(gauss(2500), include_self=True, components=4)
    assert linkage(copies).value == 1


@pytest.mark.slow
def test_the_interval_is_as_wide_as_that_many_people_make_it():
    """Two equal groups: the area scatters by √((1/n + 1/m)/12)."""
    draw = np.random.default_rng(1)
    one, other = draw.normal(size=(2, 20_000))
    expected = np.sqrt(2 / 20_000 / 12)
    assert bootstrap(one, other, draw).std() == pytest.approx(expected, rel=0.2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attacks, "MAX_RESAMPLED", 500)
        drawn = bootstrap(one, other, draw)
    assert drawn.std() == pytest.approx(expected, rel=0.2)
    assert drawn.mean() == pytest.approx(area_under_curve(one, other), abs=expected)


def test_too_few_rows():
    assert "at least 6 rows" in membership_auc(avatars_of(gauss(5))).undefined_because
