"""Values as numbers and back: decimals, units of time, zones, large numbers, and figures of any of them."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.avatars.metrics._shared import histogram
from insanonym_core.avatars.release import avatars_from_tables
from insanonym_core.avatars.space import fit_space
from insanonym_core.avatars.values import (
    convert_time_zone,
    count_decimals,
    date_unit,
    round_like_source,
    row_numbers,
)
from insanonym_core.demo.named import named_table
from tests.avatars.helpers import avatars_of, table_of
from tests.helpers import scores_of

_DRAW = np.random.default_rng(5)
ROWS = 40


def _stamps(unit: str) -> pd.DatetimeIndex:
    return pd.Timestamp("2020-03-01") + pd.to_timedelta(_DRAW.integers(0, 5000, ROWS), unit=unit)


@pytest.mark.parametrize("unit", ["D", "h", "min", "s", "ms", "us"])
def test_timestamps_keep_the_coarsest_unit_that_fits_them(unit):
    table = table_of(d=_stamps(unit), x=_DRAW.normal(size=ROWS))
    step = pd.Timedelta(1, unit=unit)
    assert date_unit(table["d"]) == step // pd.Timedelta(1, unit="us")
    made = round_like_source(table, "d", row_numbers(table["d"]) + 1e-13)
    assert made.series().tolist() == table["d"].series().tolist()
    spread = pd.DatetimeIndex(round_like_source(table, "d", _DRAW.uniform(18322, 18330, 100)).values)
    assert (spread == spread.floor(unit)).all()


def test_avatars_of_minutes_are_minutes():
    made = avatars_of(table_of(d=_stamps("min"), x=_DRAW.normal(size=ROWS)), k=5).published.frame()["d"]
    assert (made == made.dt.floor("min")).all()
    assert (made != made.dt.floor("h")).any()


@pytest.mark.parametrize("gap", [False, True])
def test_zoned_dates_keep_their_zone_and_whole_local_days(gap):
    days = pd.date_range("2021-01-01", periods=ROWS, freq="9D", tz="Europe/Paris")  # summer and winter
    dates = days.to_series(index=range(ROWS)).mask(np.arange(ROWS) == (3 if gap else -1))
    table = table_of(d=dates, x=_DRAW.normal(size=ROWS))
    made = avatars_of(table, k=4).published.frame()["d"]
    assert str(made.dt.tz) == "Europe/Paris"
    assert made.isna().sum() == gap
    made = made.dropna()
    assert (made == made.dt.normalize()).all()
    copies = avatars_of(table, k=4, include_self=True, variance=1.0)
    assert scores_of(copies, "avatars", "identical")["identical"].value == 1
    elsewhere = table.frame().assign(d=dates.dt.tz_convert("Asia/Tokyo"))
    pair = avatars_from_tables(table, type(table).from_frame(elsewhere))
    scores = scores_of(pair, "avatars", "identical", "dcr_median")
    assert scores["identical"].value == 1
    assert scores["dcr_median"].value == 0


def test_the_clock_of_a_column_is_taken_over_where_only_one_has_a_zone():
    naive = table_of(d=pd.to_datetime(["2021-07-01", None, "2021-01-01"]))["d"]
    zoned = table_of(d=pd.to_datetime(["2021-05-05 12:00"]).tz_localize("Europe/Paris"))["d"]
    taken = convert_time_zone(zoned, naive)
    assert str(taken.values.tz) == "Europe/Paris"
    assert row_numbers(taken) == pytest.approx(row_numbers(naive), nan_ok=True)
    assert convert_time_zone(naive, zoned).values.tolist() == [pd.Timestamp("2021-05-05 12:00")]


def test_hours_that_a_clock_skips_or_repeats_are_written():
    hours = pd.date_range("2021-03-27", periods=48, freq="h", tz="Europe/Paris")
    table = table_of(d=hours, x=np.arange(48))
    skipped = pd.Timestamp("2021-03-28 02:30")  # no such time in Paris
    made = round_like_source(table, "d", np.array([(skipped - pd.Timestamp(0)) / pd.Timedelta(1, unit="D")]))
    assert made.series()[0] == pd.Timestamp("2021-03-28 03:00", tz="Europe/Paris")


def test_large_unsigned_numbers_do_not_wrap():
    large = np.array([2**64 - 1 - number * 2**58 for number in range(20)], dtype=np.uint64)
    table = table_of(x=large, y=_DRAW.normal(size=20))
    made = avatars_of(table, k=5).published.frame()["x"]
    assert made.dtype == np.uint64
    assert made.between(large.min(), large.max()).all()
    copies = avatars_of(table, k=5, include_self=True, variance=1.0)
    assert sorted(copies.published.frame()["x"].tolist()) == sorted(large.tolist())
    assert scores_of(copies, "avatars", "identical")["identical"].value == 1
    ends = round_like_source(table_of(x=[2**63 - 1, -(2**63)]), "x", np.array([1e19, -1e19]))
    assert ends.series().tolist() == [2**63 - 1, -(2**63)]


@pytest.mark.parametrize("kind", ["float32", "Float32"])
def test_four_byte_numbers_have_the_decimals_they_show(kind):
    table = table_of(x=pd.Series(np.round(_DRAW.normal(size=ROWS), 2)).astype(kind), y=np.arange(ROWS))
    assert count_decimals(table["x"]) == 2
    made = avatars_of(table, k=5).published.frame()["x"]
    assert made.dtype == np.float32
    assert (made.round(2) == made).all()
    assert not set(made) <= set(table.frame()["x"])


def test_few_long_values_that_come_back_are_a_scale_and_many_are_not():
    scale = np.array([-0.044641636506989, 0.05068011873981862, 0.1 + 1e-14])[np.arange(ROWS) % 3]
    table = table_of(s=scale, x=_DRAW.normal(size=ROWS))
    made = avatars_of(table, k=5).published.frame()
    assert set(made["s"]) <= set(scale)
    # Forty measurements of forty people are no scale: avatars must not be pieced together from them.
    assert not set(made["x"]) & set(table.frame()["x"])
    diabetes = avatars_of(named_table("demo:diabetes")).published.frame()
    assert diabetes["sex"].nunique() == 2


CLOSE = {
    "whole": 10**17 + np.arange(24) % 3,
    "floats": 1e17 + 16 * (np.arange(24) % 3),
    "large": 2**63 - 1 - np.arange(24),
    "microseconds": pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(24) % 2, unit="us"),
    "mean of equal": [0.1, 0.1, None] * 8,
}


@pytest.mark.parametrize("kind", CLOSE)
def test_numbers_that_cannot_be_told_apart_are_set_aside(kind):
    table = table_of(x=CLOSE[kind], y=_DRAW.normal(size=24))
    made = avatars_of(table, k=5)
    assert [column.name for column in made.space.constant] == ["x"]
    assert len(made.published["x"].values) == 1
    assert made.published["x"].values[0] in table["x"].values
    assert made.published["x"].has_missing == table["x"].has_missing
    for pair in (made, avatars_from_tables(table, table)):
        for score in scores_of(pair, "avatars").values():
            assert score.defined or score.undefined_because
    with pytest.raises(Exception, match="All rows of the table are equal"):
        avatars_of(table.select(["x"]))


def test_rows_taken_from_a_table_do_not_remember_the_others():
    table = table_of(x=[1, 2, 3, 900, 4, 2], t=list("abazab"), c=list("qqqrqq"), y=[5, 1, 4, 1, 5, 9])
    made = avatars_of(table.take(np.array([0, 1, 2, 4, 5])), k=2)
    assert [column.name for column in made.space.constant] == ["c"]
    assert made.source["x"].values.tolist() == [1, 2, 3, 4]
    assert made.published["x"].numbers().max() <= 4
    assert set(made.published["t"].texts()) <= {"a", "b"}
    with pytest.raises(Exception, match="All rows of the table are equal"):
        fit_space(table.take(np.array([1, 1])))


@pytest.mark.parametrize(
    "values", [[1e17, 1e17 + 16], [1e17] * 3, [0.0, 5e-324], [1.0, np.nextafter(1, 2)], [7.0]]
)
def test_histograms_of_any_numbers(values):
    shown = histogram("t", "u", {"a": np.array(values), "b": np.array(values[:1])})
    assert (np.diff(shown.edges) > 0).all()
    assert [shares.sum() for shares in shown.counts.values()] == pytest.approx([1, 1])
