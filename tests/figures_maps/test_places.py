"""What a map shows, against counting by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timedelta

import numpy as np
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.places import cells_of, path_of, pois_of
from insanonym_core.mobility.track import Track
from tests.helpers import as_text, checked, lines, random_pair, track

SEEDS = range(25)


def drawn(seed: int) -> Pair:
    original, release = random_pair(seed)
    return checked(as_text(original), as_text(release)).pair()


def kept_rows(part: Track) -> list[tuple[str, datetime, float, float]]:
    return [
        (
            part.individuals[part.individual[row]],
            datetime(1970, 1, 1) + timedelta(seconds=int(part.time[row]) / part.resolution),
            float(part.latitude[row]),
            float(part.longitude[row]),
        )
        for row in range(len(part))
        if part.token[row] >= 0
    ]


def cell(latitude: float, longitude: float, decimals: int) -> tuple[int, int]:
    # Half to even, like the core: round() of a product, not of the decimal digits.
    return round(latitude * 10.0**decimals), round(longitude * 10.0**decimals)


@pytest.mark.parametrize("seed", SEEDS)
def test_cells_count_rows_and_people(seed):
    pair = drawn(seed)
    for part in (pair.original, pair.release):
        for decimals in (1, 2, 3):
            rows, people = Counter(), defaultdict(set)
            for who, _, latitude, longitude in kept_rows(part):
                at = cell(latitude, longitude, decimals)
                rows[at] += 1
                people[at].add(who)
            found = cells_of(part, decimals)
            places = [cell(*at, decimals) for at in zip(found.latitude, found.longitude, strict=True)]
            assert found.size == pytest.approx(10**-decimals)
            assert dict(zip(places, found.values["rows"].tolist(), strict=True)) == dict(rows)
            assert dict(zip(places, found.values["individuals"].tolist(), strict=True)) == {
                at: len(who) for at, who in people.items()
            }


def test_the_chosen_value_comes_first():
    part = drawn(1).original
    assert list(cells_of(part, by="individuals").values) == ["individuals", "rows"]
    assert cells_of(part, by="individuals").title == "Individuals in each cell"
    with pytest.raises(UsageError, match="rows or individuals"):
        cells_of(part, by="pseudonyms")


def test_a_person_with_two_pseudonyms_is_one_individual():
    original = lines("a, 2015-12-21 10:00:00, 45.7, 4.8", "a, 2015-12-28 10:00:00, 45.7, 4.8")
    release = lines("p, 2015-12-21 10:00:00, 45.7, 4.8", "q, 2015-12-28 10:00:00, 45.7, 4.8")
    found = cells_of(checked(original, release).pair().release)
    assert found.values["rows"].tolist() == [2]
    assert found.values["individuals"].tolist() == [1]


HOURS = {
    "home": lambda h: h >= 22 or h < 6,
    "work": lambda h: 9 <= h < 17,
    "activity": lambda h: 10 <= h < 18,
}


def longest_stays(part: Track) -> dict[tuple[str, str, str], tuple[tuple[int, int], float]]:
    """The longest stay of each (individual, week, kind) by walking through the rows one by one."""
    totals: dict[tuple[str, str, str], Counter[tuple[int, int]]] = defaultdict(Counter)
    by_person = defaultdict(list)
    for who, when, latitude, longitude in kept_rows(part):
        by_person[who].append((when, cell(latitude, longitude, 2)))
    for who, rows in by_person.items():
        rows.sort(key=lambda row: row[0])
        for kind, inside in HOURS.items():
            last: tuple[object, ...] = ()
            began = moment = None
            for when, at in [*rows, (None, None)]:
                here: tuple[object, ...] = ()
                if when is not None and inside(when.hour) and (when.weekday() >= 5) == (kind == "activity"):
                    evening = when - timedelta(days=1) if kind == "home" and when.hour < 6 else when
                    here = (when.isocalendar()[:2], evening.date(), at)
                if here != last:
                    if last and moment > began:
                        year, week = last[0]
                        totals[who, f"{year}-{week}", kind][last[2]] += (moment - began).total_seconds()
                    began = when
                last, moment = here, when
    return {
        key: min(found.items(), key=lambda item: (-item[1], item[0]))
        for key, found in totals.items()
        if found
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_pois_are_the_longest_stays(seed):
    pair = drawn(seed)
    for part in (pair.original, pair.release):
        found = pois_of(part)
        columns = (found.individual, found.week, found.kind, found.latitude, found.longitude, found.stay)
        assert {
            (who, week, kind): (cell(latitude, longitude, 2), stay)
            for who, week, kind, latitude, longitude, stay in zip(*columns, strict=True)
        } == longest_stays(part)


def test_the_pois_of_one():
    found = pois_of(drawn(3).original)
    one = str(found.individual[0])
    assert set(found.of_individual(one).individual) == {one}
    assert len(found.of_individual(one).stay) == int((found.individual == one).sum())
    assert len(found.of_individual("nobody").kind) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_path_is_the_rows_of_one_by_time(seed):
    pair = drawn(seed)
    for part in (pair.original, pair.release):
        for who in part.individuals:
            mine = sorted((row for row in kept_rows(part) if row[0] == who), key=lambda row: row[1])
            found = path_of(part, who)
            assert found.time.astype(object).tolist() == [when for _, when, *_ in mine]
            assert found.latitude.tolist() == [latitude for *_, latitude, _ in mine]
            assert found.longitude.tolist() == [longitude for *_, longitude in mine]


def test_a_long_path_is_thinned_and_keeps_its_ends():
    text = lines(
        *(f"a, 2015-12-21 {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}, 45.7, {n / 1e4}" for n in range(5000))
    )
    found = path_of(track(text), "a")
    assert len(found.time) == 2000
    assert (found.longitude[0], found.longitude[-1]) == (0, 0.4999)
    assert (np.diff(found.longitude) > 0).all()
    assert len(path_of(track(text), "a", max_points=10).time) == 10


def test_an_unknown_individual_is_refused_without_being_named():
    with pytest.raises(UsageError, match="no such individual") as refused:
        path_of(drawn(1).original, "Mallory")
    assert "Mallory" not in str(refused.value)


def test_nothing_is_left(emptied):
    assert len(cells_of(emptied.release).latitude) == 0
    assert len(pois_of(emptied.release).kind) == 0
    assert len(path_of(emptied.release, emptied.release.individuals[0]).time) == 0
