"""The parts of the method common_week, against literal programs."""

from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.demo.city import make_city
from insanonym_core.mobility.common_week import assign, blocks, content, groups, rows, tables
from insanonym_core.mobility.common_week.stays import places_of_interest
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.stays import WINDOWS_V2, stay_totals
from insanonym_core.mobility.week_classes import week_classes
from tests.helpers import lines, track
from tests.levels import examples
from tests.mobility.test_common_week import common_week


def test_segments_are_the_instances_of_the_windows():
    """Monday 02:00 belongs to the night before the week, Saturday 02:00 to no window."""
    kind = {hour: int(rows.KIND_OF_SEGMENT[rows.SEGMENT_OF_HOUR[hour]]) for hour in range(168)}
    assert [kind[hour] for hour in (2, 10, 12, 20, 22, 24 * 5 + 2, 24 * 5 + 12)] == [0, 1, 1, 3, 0, 3, 2]
    same = [(2, 5), (22, 29), (9, 16)]
    assert all(rows.SEGMENT_OF_HOUR[a] == rows.SEGMENT_OF_HOUR[b] for a, b in same)
    different = [(2, 22), (22, 46), (9, 33), (7, 20)]
    assert all(rows.SEGMENT_OF_HOUR[a] != rows.SEGMENT_OF_HOUR[b] for a, b in different)


def test_points_of_interest_are_those_of_the_score():
    city = make_city(12, 2, seed=3).track
    official = stay_totals(city, WINDOWS_V2, 2).longest()
    cells = city.cells(2)
    for week in rows.rows_by_week(city):
        found = places_of_interest(week)
        number = int(city.week[week.number[0]])
        of_week = official.week == number
        expected = {
            (int(kind), int(who)): (int(lat), int(lon), float(seconds))
            for kind, who, lat, lon, seconds in zip(
                official.kind[of_week],
                official.owner[of_week],
                official.latitude[of_week],
                official.longitude[of_week],
                official.seconds[of_week],
                strict=True,
            )
        }
        mine = {
            (kind, int(week.people[place])): (
                int(cells.latitude[found.cell[kind, place]]),
                int(cells.longitude[found.cell[kind, place]]),
                float(found.ticks[kind, place]),
            )
            for kind in range(3)
            for place in np.flatnonzero(found.ticks[kind]).tolist()
        }
        assert mine == expected


@pytest.mark.slow
def test_pair_tables_as_in_a_literal_program():
    city = make_city(6, 1, seed=2).track
    (week,) = rows.rows_by_week(city)
    gain = tables.pair_tables(week).gain
    for one in range(6):
        for other in range(6):
            total = 0.0
            for row in range(week.ends[one], week.ends[one + 1]):
                theirs = range(week.ends[other], week.ends[other + 1])
                best = min(theirs, key=lambda at: (abs(week.time[at] - week.time[row]), week.time[at]))
                mine, their = week.number[row], week.number[best]
                km = haversine_km(
                    *(part[[at]] for at in (mine, their) for part in (city.latitude, city.longitude))
                )[0]
                days, hours = (abs(int(part[mine]) - int(part[their])) for part in (city.day, city.hour))
                total += 1 - days / 7 + 1 - hours / 24 + 1 / max(km, 1)
            assert gain[one, other, 0] == pytest.approx(total / week.counts[one], abs=1e-6)
    assert not gain[6].any()
    stays = stay_totals(city, WINDOWS_V2, 2)
    longest = stays.longest()
    for kind, who, place in _places(longest):
        own = _seconds(stays, kind, who, place)
        for other in range(6):
            shared = max(0, own - abs(own - _seconds(stays, kind, other, place)))
            assert gain[who, other, 1 + kind] == shared


def _places(longest):
    """Kind, owner and cell of points of interest."""
    cells = zip(longest.latitude.tolist(), longest.longitude.tolist(), strict=True)
    return zip(longest.kind.tolist(), longest.owner.tolist(), cells, strict=True)


def _seconds(stays, kind, who, place):
    at = (stays.kind == kind) & (stays.owner == who)
    at &= (stays.latitude == place[0]) & (stays.longitude == place[1])
    return stays.seconds[at].sum()


@given(seed=st.integers(0, 2**32), people=st.integers(1, 12), mean=st.floats(1, 5), low=st.integers(1, 4))
@examples(60)
def test_groups_hold_everybody_once_and_no_swap_or_move_is_better(seed, people, mean, low):
    draw = np.random.default_rng(seed)
    gain = np.zeros((people + 1, people + 1, tables.COLUMNS))
    gain[:people, :people] = draw.random((people, people, tables.COLUMNS))
    counts = np.append(draw.integers(1, 50, people), np.iinfo(np.int64).max)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "MAX_SWEEPS", 1000)
        formed = groups.form_groups(tables.PairTables(gain, counts), mean, low)
    found = [set(one.tolist()) for one in formed]
    assert sorted(member for one in found for member in one) == (list(range(people)) if people >= low else [])
    assert all(len(one) >= low for one in found)
    assert len(found) == (max(1, int(people / max(mean, low) + 1e-9)) if people >= low else 0)

    def value(*some: set[int]) -> float:
        """As many rows as the smallest member has; the best member decides, and for stays in each kind."""
        total = 0.0
        for one in some:
            members = sorted(one)
            best = [max(sum(gain[i, j, kind] for i in members) for j in members) for kind in range(4)]
            total += best[0] * min(counts[members]) + sum(best[1:])
        return total

    for here in found:
        for there in found:
            if here is there:
                continue
            now = value(here, there) + 1e-8
            for one in here:
                assert len(here) <= low or value(here - {one}, there | {one}) <= now
                assert all(value(here - {one} | {two}, there - {two} | {one}) <= now for two in there)


def test_similar_people_come_together():
    """Four people, two and two in the same places: whoever shares a place shares a group."""
    days = [f"2015-03-0{day} 12:00:00" for day in range(2, 7)]
    places = {"a": "45.7, 4.8", "b": "45.9, 4.8", "c": "45.7, 4.8", "d": "45.9, 4.8"}
    city = track(lines(*(f"{who}, {day}, {place}" for who, place in places.items() for day in days)))
    release = common_week(city, mean_size=2, min_size=2)
    assert (release.latitude == city.latitude).all()
    assert len(release.kept) == len(city)


def test_as_many_rows_as_the_smallest_member_has_and_stays_keep_their_length():
    """Night at home, four rows against two: the ends of the stay are published, what lies inside goes."""
    long = [f"a, 2015-03-02 {time}, 45.7, 4.8" for time in ("22:00:00", "22:30:00", "23:00:00", "23:30:00")]
    short = ["b, 2015-03-02 22:10:00, 45.7, 4.8", "b, 2015-03-02 22:20:00, 45.7, 4.8"]
    city = track(lines(*long, *short))
    (week,) = rows.rows_by_week(city)
    offer = content.make_offer(week, tables.Weights(1 / 6, 1 / 6000, 1 / 2))
    assert offer.size == 2
    taken = week.time[offer.taken & (week.person == 0)]
    assert taken.max() - taken.min() == 5400
    release = common_week(city, mean_size=2, min_size=2)
    assert len(release.kept) == 4


@given(seed=st.integers(0, 2**32), limit=st.sampled_from([1, 6, 10**6]))
@examples(40)
def test_carriers_are_one_to_one_and_the_best_matching(seed, limit):

    draw = np.random.default_rng(seed)
    city = make_city(4, 1, seed=int(draw.integers(1000))).track
    (week,) = rows.rows_by_week(city)
    few = week.select(np.arange(2))
    mine = np.arange(*few.of(0).indices(len(few)))[: int(draw.integers(1, 6))]
    small = rows.Rows(
        few.people[:1],
        np.array([0, len(mine)]),
        *(
            getattr(few, name)[np.append(mine, np.arange(few.ends[1], few.ends[1] + 5))]
            for name in ("number", "person", "time", "day", "hour", "place", "cell", "segment")
        ),
    )
    common = len(mine) + np.arange(min(len(mine), 5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assign, "MAX_TABLE", limit)
        carrier = assign.carriers(small, 0, common)
    assert len(set(carrier.tolist())) == len(common)
    assert (carrier < len(mine)).all()

    def score(chosen: tuple[int, ...]) -> float:
        at = np.array(chosen)
        return float(
            rows.points(
                small.day[at],
                small.hour[at],
                small.place[at],
                small.day[common],
                small.hour[common],
                small.place[common],
            ).sum()
        )

    if limit == 10**6:
        best = max(score(one) for one in permutations(range(len(mine)), len(common)))
        assert score(tuple(carrier.tolist())) == pytest.approx(best)


def test_large_weeks_are_cut_into_blocks_of_similar_people(monkeypatch):
    city = make_city(60, 1, seed=4).track
    monkeypatch.setattr(blocks, "MAX_PEOPLE", 16)
    (week,) = rows.rows_by_week(city)
    found = list(blocks.blocks(week))
    assert sorted(np.concatenate([one.people for one in found]).tolist()) == week.people.tolist()
    assert max(len(one.people) for one in found) <= 16
    spread = np.mean([np.log(one.counts).std() for one in found])
    assert spread < 0.8 * np.log(week.counts).std()
    release = common_week(city, min_size=3)
    assert week_classes(Pair.from_tracks(city, release)).smallest >= 3


@given(seed=st.integers(0, 500), members=st.integers(2, 4), elsewhere=st.integers(0, 3))
@examples(15)
def test_no_other_member_in_a_single_segment_is_better(seed, members, elsewhere):
    """Against a literal objective: row scores, stays at points of interest, and cells covered."""
    city = make_city(members, 1, seed=seed).track
    (week,) = rows.rows_by_week(city)
    weights = tables.Weights(1 / len(week), 1e-6, 1 / members)
    offer = content.make_offer(week, weights)
    cells = len(offer.cells_of_group)
    wanted = np.array([len(set(week.cell[week.of(one)].tolist())) for one in range(len(week.people))])
    coverage = content.Coverage(
        wanted, np.full(len(wanted), elsewhere), np.zeros((len(wanted), cells), dtype=bool), 0.5
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(content, "MAX_PASSES", 1000)
        chosen = content.choose(offer, coverage)
    price = np.quantile(offer.row_value, 0.4)

    def objective(choice: list[int]) -> float:
        taken = [row for row in np.flatnonzero(offer.taken) if choice[week.segment[row]] == week.person[row]]
        value = sum(offer.row_value[row] for row in taken) - price * max(0, len(taken) - offer.size)
        covered = len({int(week.cell[row]) for row in taken}) + elsewhere
        value += 0.5 * sum(min(covered, one) / max(covered, one) for one in wanted.tolist())
        stay = Counter()
        for before, after in pairwise(sorted(taken, key=lambda row: (week.segment[row], week.time[row]))):
            same = week.segment[before] == week.segment[after] and week.cell[before] == week.cell[after]
            if same and week.kind[before] != rows.OUTSIDE:
                stay[int(week.kind[before]), int(week.cell[before])] += int(
                    week.time[after] - week.time[before]
                )
        places = offer.places
        for kind in range(rows.OUTSIDE):
            for cell, ticks in zip(places.cell[kind].tolist(), places.ticks[kind].tolist(), strict=True):
                value -= 1e-6 * abs(ticks - stay[kind, cell])
        return value

    now = objective(chosen.tolist())
    for segment in range(rows.SEGMENTS):
        for other in range(len(wanted)):
            trial = chosen.tolist()
            trial[segment] = other
            assert objective(trial) <= now + 1e-9


@given(seed=st.integers(0, 500), members=st.integers(2, 5))
@examples(15)
def test_a_common_week_has_the_rows_of_its_smallest_member(seed, members):
    city = make_city(members, 1, seed=seed).track
    (week,) = rows.rows_by_week(city)
    offer = content.make_offer(week, tables.Weights(1 / len(week), 1e-6, 1 / members))
    nothing = np.zeros((len(week.people), len(offer.cells_of_group)), dtype=bool)
    coverage = content.Coverage(
        np.ones(len(week.people), dtype=np.int64), np.zeros(len(week.people), dtype=np.int64), nothing, 1.0
    )
    draw = np.random.default_rng(seed)
    for chosen in (content.choose(offer, coverage), draw.integers(0, len(week.people), rows.SEGMENTS)):
        common = content.common_rows(offer, chosen, coverage)
        assert len(common) == len(set(common.tolist())) == week.counts.min()
        assert (np.diff(week.time[common]) >= 0).all()
