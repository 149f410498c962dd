"""Common weeks: what is promised holds on every release, and is told."""

import re
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import run
from insanonym_core.mobility.common_week import release as release_module
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.mobility.week_classes import week_classes
from insanonym_core.numeric.randomness import step_generator
from insanonym_core.recipe import Recipe, Step, step_from_text
from insanonym_core.registry import methods
from insanonym_core.runtime.jobs import CancelledError, Job, checkpoint, working_for
from insanonym_core.runtime.store import Store, using
from tests.helpers import as_text, checked, lines, track
from tests.levels import examples

MONDAY = datetime(2015, 12, 21)


def common_week(to: Track, seed: int = 1, **parameters: object) -> Track:
    method = methods.get("common_week", data="mobility").item(**parameters)
    return method.apply(to, step_generator(seed, 1, "common_week"))


@st.composite
def cities(draw: st.DrawFn) -> Track:
    """Unequal people: some have one row, some many; few times and places, so that there are ties.

    Rows may be deleted already, and people may share a pseudonym.
    """
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    people, weeks = draw(st.integers(1, 9)), draw(st.integers(1, 3))
    hours = draw(st.sampled_from([1, 24, 168]))
    rows_of_file = []
    for who in range(people):
        for week in range(weeks):
            number = int(generator.choice([0, 1, 1, 2, 3, 10, 40]))
            for _ in range(number):
                moment = timedelta(
                    hours=int(generator.integers(hours)), minutes=int(generator.choice([0, 0, 30]))
                )
                place = generator.integers(3, size=2) * generator.choice([0.0001, 0.01, 10])
                date = MONDAY + timedelta(weeks=week) + moment
                rows_of_file.append((f"{who}", date, 45 + float(place[0]), 4.8 + float(place[1])))
    rows_of_file = rows_of_file or [("0", MONDAY, 45.0, 4.8)]
    original = track(as_text(rows_of_file))
    token = original.token.copy()
    if draw(st.booleans()):
        token = token // 2
    token[generator.random(len(token)) < draw(st.sampled_from([0, 0, 0.3, 0.95]))] = DELETED
    return original.changed(token=token)


@given(city=cities(), mean_size=st.floats(1, 6), min_size=st.integers(1, 5))
@examples(150)
def test_every_published_week_is_that_of_at_least_min_size_people(city, mean_size, min_size):
    release = common_week(city, mean_size=mean_size, min_size=min_size)
    kept = release.token != DELETED
    assert not kept[city.token == DELETED].any()
    assert (release.week[kept] == city.week[kept]).all()
    owners, contents = defaultdict(set), defaultdict(Counter)
    for row in np.flatnonzero(kept).tolist():
        key = int(release.week[row]), release.tokens[release.token[row]]
        owners[key].add(int(release.individual[row]))
        contents[key][release.time[row], release.latitude[row], release.longitude[row]] += 1
    tokens = [token for _, token in contents]
    assert len(tokens) == len(set(tokens)), "a pseudonym links two weeks"
    assert all(len(people) == 1 for people in owners.values()), "two people share a pseudonym"
    classes = defaultdict(list)
    for (week, token), published in contents.items():
        classes[week, frozenset(published.items())].append(token)
    assert all(len(members) >= min_size for members in classes.values())
    people = Counter(
        week for week, _ in {*zip(city.kept.week.tolist(), city.kept.individual.tolist(), strict=True)}
    )
    shown = Counter(week for week, _ in contents)
    for week, number in people.items():  # whole weeks are deleted only where there are too few people
        assert shown[week] == (number if number >= min_size else 0)
        classes_of_week = sum(one == week for one, _ in classes)
        assert classes_of_week <= max(1, number / max(mean_size, min_size) + 1e-9)


@given(city=cities(), min_size=st.integers(1, 4))
@examples(40)
def test_every_point_is_a_record_of_the_week(city, min_size):
    release = common_week(city, min_size=min_size)

    def records(of: Track) -> set[tuple[int, float, float]]:
        return {
            *zip(of.kept.time.tolist(), of.kept.latitude.tolist(), of.kept.longitude.tolist(), strict=True)
        }

    assert records(release) <= records(city)


@given(city=cities())
@examples(40)
def test_groups_of_one_change_nothing_but_the_pseudonyms(city):
    release = common_week(city, mean_size=1, min_size=1)
    assert ((release.token == DELETED) == (city.token == DELETED)).all()
    kept = release.token != DELETED
    for mine, theirs in ((release.time, city.time), (release.latitude, city.latitude)):
        assert sorted(mine[kept].tolist()) == sorted(theirs[kept].tolist())


def test_the_order_of_rows_and_what_is_kept_between_runs_do_not_matter():
    city = make_city(12, 2, seed=3).track
    order = np.random.default_rng(1).permutation(len(city))
    shuffled = city.take(order)
    store = Store()
    with using(store):
        first = common_week(city, min_size=2)
        again = common_week(city, min_size=2)
        common_week(city, min_size=2, mean_size=4)
    other = common_week(shuffled, min_size=2)
    for name in ("time", "latitude", "longitude", "token"):
        assert (getattr(first, name) == getattr(again, name)).all()
    published = [
        Counter(zip(one.kept.week.tolist(), one.kept.time.tolist(), one.kept.latitude.tolist(), strict=True))
        for one in (first, other)
    ]
    assert published[0] == published[1]


# --- the promise ------------------------------------------------------------------------------------------


def _run(*steps: str, users: int = 12) -> object:
    recipe = Recipe(tuple(step_from_text(step) for step in steps), kind="mobility", seed=1)
    return run(recipe, data=make_city(users, 2, seed=3).track, only=["privacy.week_classes"])


@pytest.mark.parametrize("steps", [("common_week min_size=3",), ("common_week min_size=3", "pseudonymise")])
def test_the_promise_is_measured_on_the_release(steps):
    report = _run(*steps)
    (promise,) = report.promises
    assert promise.asked == 3
    assert promise.measured == report.scores["privacy.week_classes"].details["smallest_class"] >= 3
    assert promise.holds
    assert not report.warnings
    assert "measured smallest class = 3" in promise.sentence()


@pytest.mark.parametrize("later", ["planar_laplace radius=100", "pseudonymise per=individual", "jitter_time"])
def test_a_later_step_that_breaks_the_promise_is_told(later):
    report = _run("common_week min_size=3", later)
    (promise,) = report.promises
    assert not promise.holds
    (warning,) = report.warnings
    assert warning.startswith("Common weeks promised classes of at least 3 pseudonyms with the same week, ")


def test_too_few_people_are_deleted_and_told():
    report = _run("common_week min_size=13")
    assert report.kept == 0
    assert not report.promises
    assert "deleted all" in report.warnings[0]


def test_no_attacker_expects_more_than_one_in_each_group():
    """Someone who can replay the method knows the groups, and is left with a guess in each."""
    city = make_city(20, 2, seed=5).track
    release = common_week(city, mean_size=4, min_size=3)
    found = week_classes(Pair.from_tracks(city, release))
    assert found.bound <= 1 / 4 + 1e-9
    assert found.smallest >= 3


# --- jobs -------------------------------------------------------------------------------------------------


def test_a_cancelled_job_stops_on_the_way():
    parts = []

    def stop(part: str) -> None:
        parts.append(part)
        if part == "Forming groups":
            job.cancel()

    job = Job(stop, store=Store())
    recipe = Recipe((Step("common_week", {}),), kind="mobility", seed=1)
    with pytest.raises(CancelledError):
        run(recipe, data=make_city(12, 2, seed=3).track, job=job, only=["utility"])
    assert parts == ["Common weeks", "Comparing individuals", "Forming groups"]


def test_a_shadow_release_is_cancelled_with_its_job():
    job = Job()
    shadow = job.with_store(Store())
    with working_for(shadow):
        checkpoint("Forming groups")
        job.cancel()
        with pytest.raises(CancelledError):
            checkpoint("Forming groups")
    assert shadow.store is not job.store


def test_what_is_not_kept_between_rounds_comes_out_the_same(monkeypatch):
    """Files that are too large for tables and offers in memory take another road to the same release."""
    city = make_city(12, 3, seed=3).track
    usual = common_week(city, min_size=2)
    monkeypatch.setattr(release_module, "MAX_KEPT_PAIRS", 0)
    monkeypatch.setattr(release_module, "MAX_KEPT_ROWS", 0)
    other = common_week(city.changed(), min_size=2)
    for name in ("time", "latitude", "longitude", "token"):
        assert (getattr(usual, name) == getattr(other, name)).all()


def test_times_with_fractions_and_text_files_keep_their_classes(tmp_path):
    rows_of_file = [
        (who, MONDAY + timedelta(hours=hour, milliseconds=125 * hour), 45.7 + 0.01 * int(who), 4.8)
        for who in "123456"
        for hour in range(3)
    ]
    text = as_text(rows_of_file)
    pair = checked(text, text).pair()
    release = common_week(pair.original, mean_size=3, min_size=3)
    assert week_classes(Pair.from_tracks(pair.original, release)).smallest >= 3


def test_the_example_of_the_documentation():
    text = (Path(__file__).parents[2] / "docs" / "common_week.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```pair\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    original, expected = (
        track(lines(*(re.sub(r"\s{2,}", ",", row.split("→")[side].strip()) for row in block.splitlines())))
        for side in (0, 1)
    )
    release = common_week(original, mean_size=2, min_size=2)
    kept = expected.token != DELETED
    assert ((release.token != DELETED) == kept).all()
    for name in ("time", "latitude", "longitude"):
        assert getattr(release, name)[kept].tolist() == getattr(expected, name)[kept].tolist()
    assert len(set(release.token[kept].tolist())) == len(set(expected.token[kept].tolist()))
