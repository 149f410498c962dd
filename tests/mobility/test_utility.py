"""Each score on a few rows, worked out by hand."""

import math

import pytest

from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, CellMap, PoiMap, Table
from tests.helpers import lines, pair

HOME = "45.764, 4.835"
ELSEWHERE = "45.784, 4.835"  # two cells further north, 2.22 km


def score(name, rules, original, release, **parameters):
    return metrics.get(name, data="mobility", rules=rules).item(pair(original, release), **parameters)


TWO_DAYS = lines(
    f"a, 2015-03-02 10:00:00, {HOME}", f"a, 2015-03-02 23:30:00, {HOME}", f"b, 2015-03-04 08:00:00, {HOME}"
)


def test_date_counts_calendar_days_not_hours():
    # Half an hour over midnight is a day; the third row is deleted and earns nothing.
    release = lines(f"x, 2015-03-02 20:00:00, {HOME}", f"x, 2015-03-03 00:00:00, {HOME}", "DEL, , ,")
    assert score("date", "v2", TWO_DAYS, release).value == pytest.approx((1 + 6 / 7 + 0) / 3)
    assert score("date", "v1", TWO_DAYS, release).value == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert score("date", "v2", TWO_DAYS, release, days=2).value == pytest.approx((1 + 1 / 2 + 0) / 3)
    bars = score("date", "v2", TWO_DAYS, release).evidence[0]
    assert isinstance(bars, Bars)
    assert bars.values.tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 1]


def test_hour_ignores_the_day_and_v1_goes_round_the_clock():
    release = lines(
        f"x, 2015-03-03 12:00:00, {HOME}",
        f"x, 2015-03-02 00:10:00, {HOME}",
        f"y, 2015-03-04 02:00:00, {HOME}",
    )
    # Hours 10→12, 23→0, 8→2: |Δ| = 2, 23, 6; shifts modulo 24 = 2, 1, 18.
    assert score("hour", "v2", TWO_DAYS, release).value == pytest.approx((22 + 1 + 18) / 24 / 3)
    assert score("hour", "v1", TWO_DAYS, release).value == pytest.approx((0.8 + 0.9 + 0) / 3)


def test_distance():
    release = lines(
        f"x, 2015-03-02 10:00:00, {ELSEWHERE}", "x, 2015-03-02 23:30:00, 45.772, 4.835", "DEL, , ,"
    )
    far = 6371.0088 * math.radians(0.02)
    assert score("distance", "v2", TWO_DAYS, release).value == pytest.approx((1 / far + 1 + 0) / 3)
    assert score("distance", "v1", TWO_DAYS, release).value == pytest.approx((0.8 + 0.92 + 0) / 3)
    assert score("distance", "v1", TWO_DAYS, release, dx=0.01).value == pytest.approx((0 + 0.2 + 0) / 3)
    rows = score("distance", "v2", TWO_DAYS, release).evidence[1]
    assert isinstance(rows, Table)
    assert rows.columns["row"].tolist() == [1]


def test_distance_bound_never_replaces_the_distance():
    # 0.9990 km and 1.0010 km north: the first is worth 1, the second 1/1.001.
    north = [45.764 + math.degrees(km / 6371.0088) for km in (0.999, 1.001)]
    release = lines(*(f"x, 2015-03-0{2 + i} 10:00:00, {lat!r}, 4.835" for i, lat in enumerate(north)))
    original = lines(f"a, 2015-03-02 10:00:00, {HOME}", f"a, 2015-03-03 10:00:00, {HOME}")
    assert score("distance", "v2", original, release).value == pytest.approx((1 + 1 / 1.001) / 2)


NIGHT = lines(
    f"a, 2015-03-02 22:00:00, {HOME}",  # Monday evening …
    f"a, 2015-03-03 02:00:00, {HOME}",  # … and night: one stay of 4 h
    f"a, 2015-03-03 06:00:00, {HOME}",  # 06:00 is outside, the window is half-open
    f"a, 2015-03-03 10:00:00, {HOME}",
    f"a, 2015-03-03 11:00:00, {ELSEWHERE}",  # leaves and comes back: no stay bridges that
    f"a, 2015-03-03 12:00:00, {HOME}",
    f"a, 2015-03-03 13:00:00, {HOME}",  # one hour at work
)


def test_poi_stays_do_not_bridge_windows_or_absences():
    evidence = score("poi", "v2", NIGHT, NIGHT).evidence[0]
    assert isinstance(evidence, PoiMap)
    assert dict(zip(evidence.kind.tolist(), evidence.stay_original.tolist(), strict=True)) == {
        "home": 4 * 3600,
        "work": 3600,
    }


def test_poi_scores():
    # The night loses its second record (stay 0), work is one hour longer: |4 − 0| + |1 − 2| of 5 hours.
    release = NIGHT.replace("a\t2015-03-03 02:00:00\t45.764\t4.835", "DEL\t\t\t").replace(
        "13:00:00", "14:00:00"
    )
    assert score("poi", "v2", NIGHT, release).value == pytest.approx(1 - (4 + 1) / 5)
    assert score("poi", "v1", NIGHT, release).value == pytest.approx((0 + 1 / 2) / 2)


def test_poi_v1_takes_the_three_longest_places():
    places = ["45.70", "45.72", "45.74", "45.76"]
    day = [
        f"a, 2015-03-03 {10 + i}:{minute:02d}:00, {place}, 4.8"
        for i, place in enumerate(places)
        for minute in (0, 10 * (i + 1))
    ]
    assert score("poi", "v1", lines(*day), lines(*day)).details["places"] == 3
    assert score("poi", "v2", lines(*day), lines(*day)).details["places"] == 1
    assert score("poi", "v1", lines(*day), lines(*day), number=4).details["places"] == 4


def test_work_ends_an_hour_earlier_in_v1():
    late = lines(f"a, 2015-03-03 16:00:00, {HOME}", f"a, 2015-03-03 16:30:00, {HOME}")
    assert score("poi", "v2", late, late).value == 1
    assert not score("poi", "v1", late, late).defined
    assert score("poi", "v1", late, late, work_hours="9-17").value == 1


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("2015-03-06 22:00:00", "2015-03-06 23:59:59", "home"),  # Friday evening
        ("2015-03-07 01:00:00", "2015-03-07 02:00:00", None),  # Saturday 01:00 is in no window
        ("2015-03-08 22:00:00", "2015-03-08 23:00:00", None),  # Sunday evening neither …
        ("2015-03-09 01:00:00", "2015-03-09 02:00:00", "home"),  # … but Monday 01:00 is
        ("2015-03-07 10:00:00", "2015-03-07 17:59:59", "activity"),
        ("2015-03-07 09:59:59", "2015-03-07 18:00:00", None),
    ],
)
def test_days_of_a_window_are_those_of_the_record(first, second, kind):
    both = lines(f"a, {first}, {HOME}", f"a, {second}, {HOME}")
    found = score("poi", "v2", both, both)
    assert [found.evidence[0].kind.tolist() if found.defined else None] == [[kind] if kind else None]


def test_overlapping_windows_are_counted_each():
    both = lines(f"a, 2015-03-03 09:00:00, {HOME}", f"a, 2015-03-03 10:00:00, {HOME}")
    found = score("poi", "v2", both, both, home_hours="22-12")
    assert found.evidence[0].kind.tolist() == ["home", "work"]


def test_no_poi_is_undefined_with_a_reason():
    once = lines(f"a, 2015-03-03 09:00:00, {HOME}")
    found = score("poi", "v2", once, once)
    assert math.isnan(found.value)
    assert "no individual stays" in found.undefined_because


def test_tuile():
    original = lines(
        f"a, 2015-03-02 10:00:00, {HOME}",
        f"a, 2015-03-02 11:00:00, {HOME}",
        f"a, 2015-03-02 12:00:00, {ELSEWHERE}",
        f"b, 2015-03-02 10:00:00, {HOME}",
    )
    release = lines(
        f"x, 2015-03-02 10:00:00, {HOME}", "x, 2015-03-02 11:00:00, 45.9, 4.9", "DEL, , ,", "DEL, , ,"
    )
    # v2: a covers 2 cells before and after, b 1 and none. v1: (a, home) 2 and 1; three pairs in one file.
    assert score("tuile", "v2", original, release).value == pytest.approx((1 + 0) / 2)
    assert score("tuile", "v1", original, release).value == pytest.approx((1 / 2 + 0 + 0 + 0) / 4)


def test_tuile_at_the_finest_cells_does_not_mix_them_up():
    original = lines(
        "a, 2015-03-02 10:00:00, 89.9999991, 179.9999991", "a, 2015-03-02 10:00:00, -89.9999991, 0"
    )
    assert score("tuile", "v1", original, original, decimals=6).value == 1


def test_meet():
    rows = [f"a, 2015-03-02 10:00:0{i}, {HOME}" for i in range(3)] + [f"a, 2015-03-02 11:00:00, {ELSEWHERE}"]
    release = [row.replace("a,", "x,") for row in rows[:2]] + [
        "DEL, , ,",
        f"x, 2015-03-02 11:00:00, {ELSEWHERE}",
    ]
    # Two cells, m = max(1, floor(0.2)) = 1: home leads in both files, with 3 records and 2.
    found = score("meet", "v2", lines(*rows), lines(*release))
    assert found.value == pytest.approx(2 / 3)
    assert found.details == {
        "literal_ratio": pytest.approx(2 / (0.1 * 4)),
        "cells_compared": 1,
        "cells_common": 1,
    }
    assert score("meet", "v1", lines(*rows), lines(*release)).value == 1
    assert score("meet", "v2", lines(*rows), lines(*release), share=1).value == pytest.approx(3 / 4)
    cells = found.evidence[0]
    assert isinstance(cells, CellMap)
    assert cells.values["original"].tolist() == [3, 1]
    assert cells.values["release"].tolist() == [2, 1]


def test_meet_breaks_ties_by_the_smaller_cell():
    original = lines(f"a, 2015-03-02 10:00:00, {ELSEWHERE}", f"a, 2015-03-02 11:00:00, {HOME}")
    release = lines(f"x, 2015-03-02 10:00:00, {ELSEWHERE}", "DEL, , ,")
    # Both cells hold one record: the southern one is the top cell, and the release lost it.
    assert score("meet", "v1", original, release).value == 0


def test_a_release_that_adds_records_is_capped():
    original = lines(f"a, 2015-03-02 10:00:00, {HOME}", f"a, 2015-03-02 11:00:00, {ELSEWHERE}")
    release = lines(f"x, 2015-03-02 10:00:00, {HOME}", f"x, 2015-03-02 11:00:00, {HOME}")
    assert score("meet", "v2", original, release).value == 1


@pytest.mark.parametrize("rules", ["v1", "v2"])
def test_all_rows_deleted_scores_nothing(rules):
    release = "DEL\n" * NIGHT.count("\n")
    for metric in metrics.all(data="mobility", rules=rules):
        expected = 1 if metric.name == "week_classes" else 0  # nobody is alone where nobody is published
        assert metric.item(pair(NIGHT, release)).value == expected, metric.name
