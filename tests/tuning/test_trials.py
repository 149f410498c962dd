"""Trials: means, the front, and the file that a search goes on from."""

import math

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.experiment import load
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tuning import Bound, Tried, Wish, better, front_of_trials
from insanonym_core.tuning.table import kept_trials, read_trials, search_id, write_trials
from insanonym_core.tuning.trials import distance_to_front, mean_values

BASE = Recipe((), data="demo:patients", kind="table")


def tried(number, utility, privacy, **more):
    values = {
        "utility": utility,
        "privacy": privacy,
        "defence": utility * privacy,
        "utility.ncp": 1 - utility,
    }
    recipe = Recipe((Step("mondrian", {"k": number + 1}),), data="demo:patients", kind="table")
    return Tried(number, recipe, values, 1, "privacy.linkage", choices={"final": "mondrian"}, **more)


def test_means_by_hand():
    means = mean_values([{"utility": 0.4, "privacy": 0.2, "x": 1.0}, {"utility": 0.6, "privacy": 0.4}])
    assert means["utility"] == pytest.approx(0.5)
    assert means["defence"] == pytest.approx(0.5 * 0.3), "of the means, not the mean of defences"
    assert math.isnan(means["x"]), "a number that one run lacks is no mean"


def test_the_front_by_hand():
    points = [
        tried(1, 0.2, 0.9),
        tried(2, 0.5, 0.5),
        tried(3, 0.4, 0.4),
        tried(4, 0.9, 0.1),
        tried(5, 0.5, 0.4),
    ]
    assert [one.number for one in front_of_trials(points)] == [1, 2, 4]
    assert [one.number for one in front_of_trials([*points, tried(6, 0.95, 0.95, sampled=True)])] == [1, 2, 4]
    front = front_of_trials(points)
    assert distance_to_front({"utility": 0.4, "privacy": 0.4}, front) == pytest.approx(0.1)
    assert distance_to_front({"utility": 0.6, "privacy": 0.6}, front) == 0
    assert distance_to_front({}, front) == math.inf


def test_the_better_one_keeps_the_wish():
    wish = Wish((Bound("privacy", 0.5),))
    safe, useful = tried(1, 0.3, 0.6), tried(2, 0.9, 0.4)
    assert better(wish, None, useful) is None
    assert better(wish, safe, useful) is safe
    assert better(wish, safe, tried(3, 0.4, 0.5)).number == 3


def test_the_table_is_read_back(tmp_path):
    data = load(BASE)
    of, path = search_id(BASE, data), tmp_path / "trials.csv"
    failed = Tried(3, tried(3, 0, 0).recipe, {}, 1, "", '=it\'s 1,\n"no"', choices={"final": "mondrian"})
    trials = [tried(1, 0.2, 0.9), tried(2, 0.5, 0.5, sampled=True), failed]
    write_trials(trials, of, path)
    back = read_trials(path, BASE, of)
    assert [(one.recipe, one.values, one.sampled, one.failed, one.choices) for one in back] == [
        (one.recipe, one.values, one.sampled, one.failed, one.choices) for one in trials
    ]


def test_trials_are_added_as_they_come_and_a_cut_line_is_left_out(tmp_path):
    path = tmp_path / "trials.csv"
    of = search_id(BASE, load(BASE))
    with kept_trials(path, of) as keep:
        keep(tried(1, 0.2, 0.9))
        keep(tried(2, 0.5, 0.5))
        assert len(read_trials(path, BASE, of)) == 2, "it can be read while the search goes on"
    assert path.stat().st_mode & 0o077 == 0
    text = path.read_text()
    path.write_text(text[: text.rindex("mondrian")])
    assert [one.number for one in read_trials(path, BASE, of)] == [1]


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "trials.csv"
    of = search_id(BASE, load(BASE))
    for content in ("", "a,b\n1,2\n"):
        path.write_text(content)
        with pytest.raises(UsageError, match="holds no trials of a search"):
            read_trials(path, BASE, of)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="no UTF-8"):
        read_trials(path, BASE, of)
    write_trials([tried(1, 0.2, 0.9)], of, path, force=True)
    with pytest.raises(UsageError, match="belongs to a search of other data"):
        read_trials(path, BASE, "another")
    spoilt = path.read_text().replace('""k"": 2', '""k"": -2')
    path.write_text(spoilt)
    with pytest.raises(UsageError, match="holds no trials of a search"):
        read_trials(path, BASE, of)


def test_other_data_roles_or_headlines_are_another_search():
    patients, diabetes = load(BASE), load(Recipe((), data="demo:diabetes", kind="table"))
    other = Recipe((), data="demo:patients", kind="table", roles={"quasi": ("age",)})
    assert search_id(BASE, patients) == search_id(
        Recipe((), data="demo:patients", kind="table", seed=3), patients
    )
    assert len({search_id(BASE, patients), search_id(BASE, diabetes), search_id(other, patients)}) == 3
