"""The headline of avatars is the worst threat, and the threats are what their measures say."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.avatars.metrics.attacks import auc_advantage, linkage
from insanonym_core.avatars.metrics.closeness import hidden_rate, hidden_rate_strict
from insanonym_core.avatars.release import avatars_from_tables
from insanonym_core.experiment import run, score_release
from insanonym_core.kinds import kind_named
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import Measure, metrics
from insanonym_core.results.scores import Score
from insanonym_core.results.threats import by_group, found_threats
from tests.avatars.helpers import avatars_of, published_as, table_of

NEEDS = kind_named("avatars").headline("privacy").needs


def patients(**parameters: object):
    recipe = Recipe((Step("mix_neighbours", parameters),), data="demo:breast_cancer", kind="avatars", seed=1)
    return run(recipe, only=[*NEEDS, "utility.resemblance"])


def test_one_neighbour_is_no_privacy():
    """The page that misled: hidden rate 0.88 in green, while membership inference stood at 0.78."""
    report = patients(k=1)
    assert report.scores["privacy.hidden_rate"].value > 0.85
    assert report.scores["privacy.membership_auc"].value == pytest.approx(0.78, abs=0.02)
    assert report.privacy < 0.5
    assert report.decided_by.measure.key == "privacy.membership_auc"
    assert report.privacy == pytest.approx(1 - 2 * (report.scores["privacy.membership_auc"].value - 0.5))
    assert report.privacy < patients(k=20).privacy - 0.2
    assert "of the way from guessing to certainty" in report.decided_by.sentence()
    assert "du hasard à la certitude" in report.decided_by.sentence("fr")


def test_weights_that_hide_few_are_decided_by_those_found():
    report = patients(weights="exponential")
    assert report.decided_by.measure.key == "privacy.hidden_rate"
    assert report.privacy == report.scores["privacy.hidden_rate"].value < 0.5


def test_the_default_is_the_worst_and_the_old_names_stay():
    known = kind_named("avatars").headlines["privacy"]
    assert [one.name for one in known] == ["worst", "hidden_rate", "membership", "linkage"]
    assert known[0].needs == NEEDS


def measured(name: str, value: float, interval: tuple[float, float] | None = None) -> Measure:
    return Measure(metrics.get(name, data="avatars"), Score(value, interval=interval))


@pytest.mark.parametrize(
    ("name", "value", "interval", "group", "share", "reach"),
    [
        ("hidden_rate", 0.8, (0.7, 0.85), "linkability", 0.2, (0.15, 0.3)),
        ("membership_auc", 0.78, (0.7, 0.9), "inference", 0.56, (0.4, 0.8)),
        ("membership_auc", 0.45, (0.4, 0.52), "inference", 0.0, (0.0, 0.04)),
        ("linkage", 0.1, (0.05, 0.2), "linkability", 0.1, (0.05, 0.2)),
        ("identical", 0.3, None, "singling out", 0.3, None),
        ("inference", -0.1, (-0.2, 0.1), "inference", 0.0, (0.0, 0.1)),
        ("inference", 0.2, (0.1, 0.3), "inference", 0.2, (0.1, 0.3)),
    ],
)
def test_each_measure_as_a_threat(name, value, interval, group, share, reach):
    (found,) = found_threats([measured(name, value, interval)])
    assert found.threat.group == group
    assert found.share == pytest.approx(share)
    assert found.interval == (reach if reach is None else pytest.approx(reach))
    assert all("{" not in found.sentence(lang) for lang in ("en", "fr"))
    assert found.sentence("fr") != found.sentence("en")


def test_an_interval_holds_its_share_and_there_may_be_none():
    for name in ("hidden_rate", "membership_auc", "inference"):
        assert found_threats([measured(name, 0.6)])[0].interval is None


@given(st.floats(0, 1), st.floats(0, 1))
def test_beyond_a_coin_rises_with_the_area(one, other):
    low, high = sorted((one, other))
    assert 0 <= auc_advantage(low) <= auc_advantage(high) <= 1


def test_somebodys_file_of_copies_has_no_privacy_and_one_without_copies_has_no_number():
    table = table_of(x=range(20), y=np.arange(20) % 7)
    report = score_release(avatars_from_tables(table, table), "avatars")
    assert report.privacy == 0
    (found,) = report.threats
    assert (found.measure.key, found.share) == ("privacy.identical", 1)
    assert report.decided_by == found
    assert by_group(report.measures)["linkability"] == "not measured"
    other = score_release(
        avatars_from_tables(table, table_of(x=np.arange(20) + 0.5, y=np.arange(20) % 7)), "avatars"
    )
    assert math.isnan(other.privacy)
    assert other.decided_by is None
    half = score_release(
        avatars_from_tables(
            table, table_of(x=np.arange(20) + 0.01 * (np.arange(20) < 10), y=np.arange(20) % 7)
        ),
        "avatars",
    )
    assert half.scores["privacy.identical"].value == 0.5
    assert math.isnan(half.privacy), "the other half is nearly copied: 0.5 would praise it"


def test_ties_hide_and_the_strict_rate_says_that_they_do_not():
    """0 and 1 have the same avatar; 10's own is alone the closest; 20 and 30 got each other's."""
    table = table_of(x=[0.0, 1.0, 10.0, 20.0, 30.0])
    made = published_as(table, lambda rows: rows.assign(x=[0.5, 0.5, 10.0, 30.0, 20.0]))
    assert hidden_rate(made).value == 4 / 5
    assert hidden_rate_strict(made).value == 2 / 5
    same = published_as(table, lambda rows: rows.assign(x=7.0))
    assert hidden_rate(same).value == 1
    assert hidden_rate_strict(same).value == 0


@given(st.integers(0, 2**32), st.sampled_from(["pca", "columns"]))
def test_both_hidden_rates_are_what_loops_find(seed, space):
    draw = np.random.default_rng(seed)
    table = table_of(x=draw.integers(0, 4, 12), y=draw.integers(0, 3, 12), z=draw.normal(size=12).round(1))
    made = avatars_of(table, seed, k=2)
    real, avatars = made.points(space)
    alone = other_is_closer = 0
    for row in range(12):
        far = [float(np.linalg.norm(avatars[place] - real[row])) for place in range(12)]
        own = far.pop(made.owner.tolist().index(row))
        alone += all(other > own + 1e-12 for other in far)
        other_is_closer += any(other < own - 1e-12 for other in far)
    assert hidden_rate(made, space=space).value == pytest.approx(1 - alone / 12)
    assert hidden_rate_strict(made, space=space).value == pytest.approx(other_is_closer / 12)


def test_intervals_of_the_hidden_rate_and_of_linkage():
    draw = np.random.default_rng(0)
    made = avatars_of(table_of(**{name: draw.normal(size=150) for name in "abcd"}))
    for score in (hidden_rate(made), hidden_rate_strict(made), linkage(made)):
        low, high = score.interval
        assert 0 <= low < score.value < high <= 1
    assert linkage(made).interval == linkage(made).interval
    # Chance for each of 4 subsets to find a person, 150 people: about as wide as the binomial's, or narrower.
    low, high = linkage(made).interval
    rate = linkage(made).value
    assert high - low < 2.5 * 1.96 * np.sqrt(rate * (1 - rate) / 150)


def people_report(frame, **roles):
    recipe = Recipe((Step("mix_neighbours", {"k": 8}),), kind="avatars", seed=1, roles=roles)
    return run(
        recipe, data=table_of(**frame), only=[*NEEDS, "privacy.inference", "privacy.hidden_rate_strict"]
    )


def test_rows_of_one_person_do_not_hide_each_other():
    """30 people with 4 equal rows: all avatars of a person are their own, and nobody is in both halves."""
    draw = np.random.default_rng(3)
    values = {name: np.repeat(draw.normal(size=30), 4) for name in "xyz"}
    frame = {"who": [f"w{one}" for one in np.repeat(np.arange(30), 4)], **values}
    told = people_report(frame, identifier="who", quasi=(), sensitive=())
    untold = people_report(values)
    assert told.release.person is not None
    assert untold.release.person is None
    hidden = [one.scores["privacy.hidden_rate"].value for one in (told, untold)]
    assert hidden[0] < 0.6 < 0.8 < hidden[1], "three avatars much like the own hid them"
    assert told.scores["privacy.linkage"].value > untold.scores["privacy.linkage"].value
    areas = [one.scores["privacy.membership_auc"].value for one in (told, untold)]
    assert areas[0] > 0.9 > areas[1]
    assert told.privacy < untold.privacy


def test_one_row_a_person_is_as_without_an_identifier():
    draw = np.random.default_rng(4)
    values = {name: draw.normal(size=60) for name in "xyz"}
    release = people_report(values).release
    told = replace(release, people=(draw.permutation(60),))
    assert told.person is None
    for entry in metrics.all(data="avatars"):
        if entry.family == "privacy":
            assert entry.item(told).value == pytest.approx(entry.item(release).value), entry.name


def test_what_could_not_be_measured_makes_privacy_at_most():
    few = people_report({"x": [1.0, 2, 4, 8], "y": [3.0, 1, 2, 5]})
    assert "privacy.membership_auc" in {one.key for one in few.unmeasured}
    assert not patients(k=5).unmeasured
