"""cloak: k individuals in every published square, and the quadtree of its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.cloak import KS, displacements, written_table
from insanonym_core.demo.city import make_city
from insanonym_core.experiment import score_release
from insanonym_core.mobility.methods.cloak import Cloak
from insanonym_core.mobility.methods.pseudonymise import Pseudonymise
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import DELETED, Track
from tests.helpers import lines, random_release, track
from tests.levels import examples
from tests.test_docs_methods import DOCUMENT

GENERATOR = np.random.default_rng(0)


def cloaked(before: Track, k: int) -> Track:
    return Cloak(k=k).apply(before, GENERATOR)


def _unequal_city(seed: int) -> Track:
    """People with few and many rows, near and far: some alone in their corner, some everywhere."""
    draw = np.random.default_rng(seed)
    people, rows = int(draw.integers(1, 12)), int(draw.integers(1, 300))
    who = draw.choice(people, rows, p=draw.dirichlet(np.full(people, 0.5))).astype(np.int32)
    ids = tuple(f"{number:02d}" for number in range(people))
    spread = 10.0 ** draw.uniform(-4, 1, people)[who]
    token = np.where(draw.random(rows) < draw.choice([0, 0.3]), DELETED, who).astype(np.int32)
    return Track(
        who,
        ids,
        token,
        ids,
        1_425_250_800 + draw.integers(0, 3 * 604_800, rows),
        np.clip(45.7 + spread * draw.normal(size=rows), -90, 90),
        np.clip(4.8 + spread * draw.normal(size=rows), -180, 180),
    )


@given(seed=st.integers(0, 2**32), k=st.integers(1, 7), unequal=st.booleans())
@examples(120)
def test_every_published_square_of_a_week_holds_k_individuals(seed, k, unequal):
    """A centre belongs to one square of one level, so the published place tells the group."""
    before = _unequal_city(seed) if unequal else random_release(seed)
    after = cloaked(before, k)
    people: dict[tuple, set[int]] = {}
    for row in np.flatnonzero(after.token != DELETED).tolist():
        key = (int(after.week[row]), float(after.latitude[row]), float(after.longitude[row]))
        people.setdefault(key, set()).add(int(before.individual[row]))
    assert all(len(crowd) >= k for crowd in people.values())
    for week in set(before.kept.week.tolist()):
        mine = before.is_kept & (before.week == week)
        crowd = len(set(before.individual[mine].tolist()))
        assert (after.token[mine] == DELETED).all() == (crowd < k)


def _literal_cloak(rows: list[tuple[int, float, float]], k: int) -> list[tuple[float, float]]:
    """The definition, square by square, for the rows of one week."""
    centre: dict[int, tuple[float, float]] = {}

    def crowd(members: list[int]) -> int:
        return len({rows[row][0] for row in members})

    def descend(members: list[int], south: float, west: float, side: float, level: int) -> None:
        half = side / 2
        parts: dict[tuple[bool, bool], list[int]] = {}
        for row in members:
            parts.setdefault((rows[row][1] >= south + half, rows[row][2] >= west + half), []).append(row)
        ready = sorted(place for place, part in parts.items() if crowd(part) >= k and level < 30)
        stays = [row for place, part in parts.items() if place not in ready for row in part]
        if ready and 0 < crowd(stays) < k:
            smallest = min(ready, key=lambda place: (crowd(parts[place]), place))
            ready.remove(smallest)
            stays += parts[smallest]
        centre.update(dict.fromkeys(stays, (south + half, west + half)))
        for north, east in ready:
            descend(parts[north, east], south + half * north, west + half * east, half, level + 1)

    descend(list(range(len(rows))), -180, -180, 360, 0)
    return [centre[row] for row in range(len(rows))]


@given(seed=st.integers(0, 2**32), k=st.integers(1, 5), unequal=st.booleans())
@examples(100)
def test_it_is_the_quadtree_of_the_definition(seed, k, unequal):
    before = _unequal_city(seed) if unequal else random_release(seed)
    after = cloaked(before, k)
    for week in set(before.kept.week.tolist()):
        mine = np.flatnonzero(before.is_kept & (before.week == week))
        rows = [
            (int(before.individual[r]), float(before.latitude[r]), float(before.longitude[r]))
            for r in mine.tolist()
        ]
        if len({who for who, *_ in rows}) < k:
            continue
        for row, (lat, lon) in zip(mine.tolist(), _literal_cloak(rows, k), strict=True):
            assert after.latitude[row] == pytest.approx(lat, abs=1e-7)
            assert after.longitude[row] == pytest.approx(lon, abs=1e-7)


def test_one_lonely_visitor_no_longer_keeps_the_others_in_one_square():
    """Four at each of two corners of a square of 90°, one visitor at a third corner."""
    corners = [(10.0, 10.0)] * 4 + [(10.0, 80.0)] * 3 + [(80.0, 10.0)]
    rows = [f"{n}, 2015-03-02 10:00:00, {lat}, {lon}" for n, (lat, lon) in enumerate(corners)]
    after = cloaked(track(lines(*rows)), 3)
    places = list(zip(after.latitude.tolist(), after.longitude.tolist(), strict=True))
    assert np.allclose(places[:4], (10, 10), atol=1e-6), "the larger corner is split off, down to its place"
    assert set(places[4:]) == {(45.0, 45.0)}, "the smaller one stays with the visitor"


def test_hours_and_join_still_find_everybody():
    city = make_city().track
    release = Pseudonymise().apply(cloaked(city, 5), np.random.default_rng(1))
    report = score_release(Pair.from_tracks(city, release), only=("attack.hours", "attack.join"))
    assert report.scores["attack.hours"].value == report.scores["attack.join"].value == 1


@pytest.mark.slow
def test_the_median_displacement_falls_as_k_falls():
    """Over places on the earth: at a single one, how a city lies in the squares decides."""
    new = [np.median(displacements("new", k)) for k in KS]
    old = [np.median(displacements("old", k)) for k in KS]
    assert new == sorted(new)
    assert all(ours <= before for ours, before in zip(new, old, strict=True))
    assert new[KS.index(2)] < 0.2 * old[KS.index(2)]


@pytest.mark.slow
def test_the_table_of_the_documentation_is_what_the_script_writes():
    assert written_table() in DOCUMENT
