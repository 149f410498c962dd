"""Searches: what is believed and what holds, seeds, workers, going on."""

import math
from dataclasses import replace

import pytest

import insanonym_core
from insanonym_core.errors import UsageError
from insanonym_core.experiment import load
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tuning import (
    AllMethods,
    Around,
    Bound,
    Search,
    Tried,
    Tuned,
    Wish,
    recipe_for,
    tune,
    wish_of,
)
from insanonym_core.tuning.confirm import _drop, distance
from insanonym_core.tuning.measure import measures_of, seed_of
from insanonym_core.tuning.table import read_trials, search_id, write_trials
from tests.tuning.helpers import SMALL_CITY, register_overfitting

PATIENTS = recipe_for("demo:patients", "table")
CITY = Recipe((), kind="mobility")


def search(privacy, **more):
    return Search(PATIENTS, wish_of(PATIENTS, {"privacy": privacy}), trials=40, seed=1, **more)


@pytest.mark.slow
def test_what_is_found_keeps_the_wish_on_fresh_draws():
    tuned = tune(search(0.85))
    assert tuned.found
    assert tuned.privacy >= 0.85
    assert tuned.confirmed.fresh.privacy >= 0.85
    assert tuned.recipe.seed is None, "the seeds are the search's"
    assert len(tuned.trials) == 40
    told = tuned.as_json()
    assert (told["found"], told["binding"], told["trials"]) == (True, "privacy", 40)
    low, high = told["privacy_interval"]
    assert low - 1e-12 <= told["privacy"] <= high + 1e-12
    assert told["held_out"]["attack"] == "inference"
    assert f"{tuned.privacy:.2f} against every attacker" in tuned.reason()


@pytest.mark.slow
def test_a_seed_repeats_the_search_and_workers_do_not_change_the_numbers():
    first, second = tune(search(0.85)), tune(search(0.85))
    assert [one.recipe for one in first.trials] == [one.recipe for one in second.trials]
    assert first.as_json() == second.as_json()
    values = {one.recipe: one.values for one in first.trials if one.draws == 1}
    again = tune(search(0.85, workers=2))
    both = [one for one in again.trials if one.draws == 1 and one.recipe in values]
    assert both
    for one in both:  # what is undefined is NaN in both
        assert one.values == pytest.approx(values[one.recipe], rel=0, abs=0, nan_ok=True)
    other = tune(replace(search(0.85), seed=2))
    assert [one.recipe for one in other.trials] != [one.recipe for one in first.trials]


def test_the_draws_of_search_and_confirmation_are_not_the_same():
    seeds = [seed_of(7, part, number) for part in ("search", "fresh 1", "final 1") for number in range(5)]
    assert len(set(seeds)) == len(seeds)


def test_attackers_that_the_search_does_not_meet_are_set_apart():
    measures = measures_of(CITY, Wish())
    assert {"attack.path", "attack.everything"} <= {*measures.every} - {*measures.seen}
    assert measures.held_out == ("attack.path", "attack.everything")
    avatars = Recipe((), kind="avatars")
    assert "privacy.membership_auc" not in measures_of(avatars, Wish()).seen
    only = replace(avatars, headline={"privacy": "membership"})
    assert measures_of(only, Wish()).held_out == (), "a headline that is about nothing else keeps its measure"
    bounded = Wish((Bound("attack.path", 0.2, upper=True),))
    assert "attack.path" in measures_of(CITY, bounded).seen, "what a bound is about is measured"


@pytest.mark.slow
def test_a_method_that_only_pleases_known_attackers_is_caught(monkeypatch):
    """Believed: privacy 0.7. Path and all clues together, not met before, find more than half."""
    register_overfitting(monkeypatch)
    base = replace(CITY, steps=(Step("please"),))
    wanted = Search(base, wish_of(base, {"privacy": 0.6}), Around(base, SMALL_CITY), trials=3, seed=1)
    tuned = tune(wanted, data=SMALL_CITY)
    assert all(one.privacy >= 0.6 for one in tuned.trials)
    assert not tuned.found
    fresh = tuned.confirmed.fresh
    assert fresh.privacy_seen >= 0.6, "fresh draws alone do not show it"
    assert fresh.privacy < 0.5
    assert fresh.worst_held_out[1] > 0.5
    assert tuned.binding == Bound("privacy", 0.6)
    assert "none kept them; the closest came to privacy 0." in tuned.reason()
    assert tuned.as_json()["believed"]["privacy"] >= 0.6


@pytest.mark.slow
def test_an_impossible_wish_names_what_binds_and_the_ceiling():
    wish = wish_of(PATIENTS, {"privacy": 0.9999, "utility": 0.95})
    tuned = tune(Search(PATIENTS, wish, trials=40, seed=1))
    assert not tuned.found
    assert tuned.recipe is None
    assert math.isnan(tuned.privacy)
    best = tuned.best_of(tuned.binding)
    assert best.values[tuned.binding.key] < tuned.binding.level
    assert f"What binds is {tuned.binding.phrase}: with the other bounds kept" in tuned.reason()
    assert "privacy is at most 0.998: even among 600 people" in tuned.reason()
    assert tuned.as_json()["found"] is False


@pytest.mark.slow
def test_without_bounds_the_defence_is_maximised():
    tuned = tune(Search(PATIENTS, wish_of(PATIENTS, maximise="defence"), trials=40, seed=1))
    assert tuned.found
    assert tuned.binding is None
    assert "What binds" not in tuned.reason()
    believed = max(one.values["defence"] for one in tuned.front)
    assert tuned.confirmed.believed.values["defence"] == pytest.approx(believed, abs=0.01)


@pytest.mark.slow
def test_it_goes_on_from_earlier_trials(tmp_path):
    whole = tune(replace(search(0.85), trials=20))
    data, path = load(PATIENTS), tmp_path / "trials.csv"
    of = search_id(PATIENTS, data)
    write_trials(whole.trials, of, path)
    known = read_trials(path, PATIENTS, of)
    more = tune(replace(search(0.85), known=tuple(known), trials=30))
    assert [one.recipe for one in more.trials[:20]] == [one.recipe for one in whole.trials]
    assert len({one.recipe.hash for one in more.trials}) == 30, "nothing is tried twice"


@pytest.mark.slow
def test_what_leaves_nothing_to_chance_is_run_twice():
    base = replace(PATIENTS, steps=(Step("bucketise"),))
    alone = Search(base, wish_of(base, {"privacy": 0.5}), Around(base, load(base)), trials=6, seed=1)
    assert max(one.draws for one in tune(alone).trials) == 2
    noisy = replace(CITY, steps=(Step("jitter_time", {"hours": 12.0}), Step("pseudonymise")))
    alone = Search(noisy, Wish(), Around(noisy, SMALL_CITY), trials=4, seed=1)
    assert 3 in {one.draws for one in tune(alone, data=SMALL_CITY).trials}


@pytest.mark.slow
def test_steps_that_make_no_difference_are_left_out():
    tuned = tune(search(0.85))
    assert len(tuned.recipe.steps) == 1


def test_cancelled_it_gives_back_what_was_tried():
    heard = []
    tuned = tune(search(0.85), on_trial=heard.append, cancelled=lambda: len(heard) >= 5)
    assert (tuned.stopped, tuned.found, len(tuned.trials)) == (True, False, 5)


def test_a_small_space_ends_before_its_trials():
    data = load(PATIENTS)
    space = AllMethods(PATIENTS, data, ("pseudonymise",))
    tuned = tune(Search(PATIENTS, Wish(), space, trials=50, seed=1))
    assert 1 <= len(tuned.trials) <= 4, "one step, one column out of four"


@pytest.mark.slow
def test_large_data_is_looked_at_in_a_sample_first(monkeypatch):
    from insanonym_core.tuning import search as module

    monkeypatch.setattr(module, "SAMPLE_ABOVE", 500)
    monkeypatch.setattr(module, "SAMPLE_ROWS", 200)
    tuned = tune(search(0.85))
    sampled = [one for one in tuned.trials if one.sampled]
    assert sampled
    assert len(sampled) < len(tuned.trials), "promising ones are measured whole"
    assert not {one.number for one in sampled} & {one.number for one in tuned.front}
    assert tuned.found


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"trials": 0}, "number of trials must be from 1 to 100,000, got 0"),
        ({"minutes": 0}, "minutes must be above 0"),
        ({"seed": -1}, "seed must be a whole number of 0 or more, got -1"),
    ],
)
def test_wrong_searches_are_refused(changes, said):
    with pytest.raises(UsageError, match=said):
        replace(search(0.5), **changes)


def test_too_many_workers_are_refused():
    with pytest.raises(UsageError, match="number of workers must be from 1 to 64, got 65"):
        tune(search(0.5, workers=65))


def made_up(bounds, *points):
    """A search without a result, whose trials have these values."""
    trials = tuple(
        Tried(number, PATIENTS, {"utility": u, "privacy": p, "utility.ncp": n}, 1)
        for number, (u, p, n) in enumerate(points, start=1)
    )
    return Tuned(PATIENTS, Wish(bounds), trials, None, None)


def test_which_bound_binds_by_hand():
    privacy, utility = Bound("privacy", 0.99), Bound("utility", 0.9)
    one = made_up((privacy, utility), (0.95, 0.2, 0.1), (0.92, 0.5, 0.1), (0.3, 0.9, 0.6))
    assert one.binding is privacy, "no recipe keeps it; with the other one kept 0.5 is the most"
    assert one.best_of(privacy).privacy == 0.5
    assert one.best_of(utility) is None
    both = made_up((privacy, utility), (0.95, 0.97, 0.1), (0.3, 0.99, 0.6))
    assert both.binding is utility, "0.6 are missing there, 0.02 here"
    loss = Bound("utility.ncp", 0.05, upper=True)
    none = made_up((privacy, utility, loss), (0.5, 0.5, 0.5), (0.6, 0.6, 0.4))
    assert none.binding is privacy, "of no two kept the one that is furthest from any recipe: 0.39, 0.3, 0.35"
    assert "none keeps all the other bounds. What binds is Privacy" in none.reason()


@pytest.mark.slow
def test_from_python_in_one_line():
    heard = []
    wanted = {"at_least": {"privacy": 0.85}, "trials": 30, "seed": 1, "on_trial": heard.append}
    tuned = insanonym_core.tune("demo:patients", **wanted)
    assert tuned.found
    assert len(heard) == 30
    assert tuned.privacy >= 0.85
    only = insanonym_core.tune("demo:patients", around=tuned.recipe, trials=5, seed=1).tuned
    assert {step.method for one in only.trials for step in one.recipe.steps} <= {
        step.method for step in tuned.recipe.steps
    }
    assert only.wish.maximise == "defence"
    with pytest.raises(UsageError, match="not both"):
        insanonym_core.tune("demo:patients", around=tuned.recipe, methods=("mondrian",))


def test_how_far_privacy_should_fall():
    """As it fell for recipes like this one; of those that are unlike all measured ones little is known."""
    measured = Tried(1, PATIENTS, {"privacy": 0.9}, choices={"final": "a", "k": 1, "log": True})
    like, other = (
        replace(measured, choices={**measured.choices, "k": 2}),
        {"final": "b", "k": 40, "log": False},
    )
    assert distance(measured.choices, like.choices) == pytest.approx(1 / 6)
    assert distance(measured.choices, other) == pytest.approx((1 + 39 / 40 + 1) / 3)
    assert _drop(measured, [(measured, 0.4)]) == pytest.approx(0.4, abs=0.01)
    assert _drop(measured, [(measured, 0.4)]) > _drop(like, [(measured, 0.4)]) > 0.2
    assert _drop(replace(measured, choices=other), [(measured, 0.4)]) < 0.05
    assert _drop(measured, []) == _drop(measured, [(measured, -0.1)]) == 0
