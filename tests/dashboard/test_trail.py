"""The trail: settings that came to rest, the way back as a tree, pins; and hostile files of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.recipe import Recipe, Step
from insanonym_dashboard.trail import LETTERS, MAX_VISITS, Trail

DATA = "demo:patients"


def recipe(k: int, **more: Any) -> Recipe:
    return Recipe((Step("mondrian", {"k": k}),), **{"data": DATA, "kind": "table", "seed": 1} | more)


@dataclass(frozen=True)
class Rested:
    """What the trail asks of a report."""

    recipe: Recipe
    numbers: Mapping[str, float] = field(default_factory=lambda: {"utility": 0.5, "privacy": 0.25})
    hollow: bool = False
    threats: tuple[Any, ...] = ()

    def values(self) -> dict[str, float]:
        return dict(self.numbers)


def visited(*ks: int) -> Trail:
    trail = Trail()
    for k in ks:
        trail.arrive(Rested(recipe(k)), DATA)
    return trail


def ks(trail: Trail) -> list[int]:
    return [visit.recipe.steps[0].parameters["k"] for visit in trail.visits]


# --- visits -----------------------------------------------------------------------------------------


def test_a_setting_that_rests_is_a_point_and_the_same_one_again_is_none():
    trail = visited(2, 3, 3, 4)
    assert ks(trail) == [2, 3, 4]
    assert [visit.parent for visit in trail.visits] == [-1, 0, 1]
    assert trail.current == 2
    assert (trail[2].utility, trail[2].privacy) == (0.5, 0.25)


def test_the_numbers_of_the_current_setting_are_renewed():
    trail = visited(2)
    trail.arrive(Rested(recipe(2), {"utility": 0.75}, hollow=True), DATA)
    assert (len(trail.visits), trail[0].utility, trail[0].hollow) == (1, 0.75, True)
    assert math.isnan(trail[0].privacy)


def test_defaults_that_are_written_out_make_no_other_setting():
    """The address holds the recipe with all its values: a reload must not add a point."""
    trail = visited(2)
    trail.arrive(Rested(recipe(2).complete()), DATA)
    assert len(trail.visits) == 1


def test_the_same_steps_on_other_data_are_another_setting():
    trail = visited(2)
    trail.arrive(Rested(recipe(2, data=None, seed=None)), "mine.csv")
    assert [visit.data_name for visit in trail.visits] == [DATA, "mine.csv"]


def test_back_and_forward_are_a_tree():
    trail = visited(2, 3, 4)
    assert trail.following() is None
    trail.current = trail.previous().number
    trail.current = trail.previous().number
    assert trail.current == 0
    assert trail.previous() is None
    assert trail.following() is trail[1]
    trail.arrive(Rested(recipe(9)), DATA)  # from the first one, elsewhere
    assert trail.current == 3
    assert trail[3].parent == 0
    assert trail.previous() is trail[0]
    trail.current = 0
    assert trail.following() is trail[3], "forward leads to the newest"
    assert ks(trail) == [2, 3, 4, 9], "nothing is lost by going back"


def test_no_more_than_so_many_are_kept_and_pinned_ones_stay():
    trail = visited(2)
    assert trail.pin() == "A"
    for k in range(3, MAX_VISITS + 10):
        trail.arrive(Rested(recipe(k)), DATA)
    assert len(trail.visits) == MAX_VISITS
    assert trail.pinned["A"].recipe == recipe(2)
    assert trail.get(1) is None
    assert ks(trail)[-1] == MAX_VISITS + 9
    assert trail.get(trail.current) is trail.visits[-1]


# --- pins -------------------------------------------------------------------------------------------


def test_pins_have_the_first_free_letter_and_are_taken_away_again():
    trail = visited(2, 3)
    assert trail.pin() == "A"
    trail.current = 0
    assert trail.pin() == "B"
    assert trail.pin() == ""  # the same again: no pin any more
    assert list(trail.pinned) == ["A"]
    trail.unpin("A")
    assert trail.pin() == "A"
    assert trail.pinned == {"A": trail[0]}


def test_there_is_a_last_letter_and_nothing_to_pin_before_the_first_visit():
    assert Trail().pin() == ""
    trail = visited(*range(2, 2 + len(LETTERS) + 1))
    for number in range(len(LETTERS)):
        trail.current = number
        assert trail.pin() == LETTERS[number]
    trail.current = len(LETTERS)
    assert trail.pin() == ""
    assert len(trail.pins) == len(LETTERS)


def test_forgetting_leaves_the_current_one_and_the_pins():
    trail = visited(2, 3, 4, 5)
    trail.current = 1
    trail.pin()
    trail.current = 3
    trail.clear()
    assert ks(trail) == [3, 5]
    assert trail.previous() is None
    assert trail.pinned["A"].recipe == recipe(3)


# --- kept and read back -----------------------------------------------------------------------------


def kept(trail: Trail) -> Any:
    """As a browser holds it."""
    return json.loads(json.dumps(trail.plain(), allow_nan=False))


def restored(content: Any, kind: str = "table") -> Trail:
    trail = Trail()
    trail.restore(content, kind)
    return trail


def test_what_a_browser_kept_comes_back():
    trail = visited(2, 3, 4)
    trail.arrive(Rested(recipe(6), {"utility": math.nan, "privacy": 0.125}, hollow=True), DATA)
    trail.current = 1
    trail.pin()
    found = restored(kept(trail))
    assert kept(found) == kept(trail)
    assert found[3].hollow
    assert math.isnan(found[3].utility)
    assert found.pinned["A"].recipe == recipe(3)
    found.arrive(Rested(recipe(7)), DATA)
    assert found.visits[-1].number == 4


def test_the_visits_of_another_kind_are_left_out():
    assert restored(kept(visited(2)), "avatars").visits == ()


SERVER = ("/etc/passwd", "../secret.csv", "secret.csv", "demo:nothing", "~/x")


@pytest.mark.parametrize("path", SERVER)
def test_no_visit_names_a_file_of_the_server(path):
    """Going there would open it: `run` reads the data that a recipe names."""
    content = kept(visited(2))
    content["visits"][0]["recipe"]["data"] = path
    for trail in (restored(content), restored(json.loads(json.dumps(content).replace(DATA, path)))):
        assert all(visit.recipe.data in (None, DATA) for visit in trail.visits)


def test_a_visit_of_own_data_takes_no_demonstration_data_for_it():
    """Else the numbers of the demonstration would stand under the name of somebody's file."""
    content = kept(visited(2))
    content["visits"][0]["data"] = "mine.csv"
    assert [visit.recipe.data for visit in restored(content).visits] in ([], [None])


HOSTILE: list[Any] = [
    None,
    [],
    "x",
    7,
    {},
    {"visits": None},
    {"visits": {}},
    {"visits": [None, 1, "x", [], {}, {"recipe": None}]},
    {"visits": [], "current": [], "pins": []},
    {"visits": [], "current": {}, "pins": "AB"},
    {"visits": [], "current": "x", "pins": {"A": []}},
    {"visits": [], "current": math.inf, "pins": {"A": {}, "": 0, "AB": 0, "Z": 0}},
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_not_understood_is_left_out(content):
    trail = restored(content)
    assert (trail.visits, trail.current, trail.pins) == ((), -1, {})
    assert trail.previous() is None
    assert trail.following() is None


NASTY = [None, [], {}, "x", math.inf, -math.inf, math.nan, 10**400, True, [1], {"a": 1}, "\ud800"]


@pytest.mark.parametrize("name", ["number", "parent", "recipe", "values", "data", "hollow"])
@pytest.mark.parametrize("value", NASTY, ids=range(len(NASTY)))
def test_a_spoilt_field_of_a_visit_harms_only_that_one(name, value):
    content = kept(visited(2, 3))
    content["visits"][0][name] = value
    trail = restored(content)
    assert trail[1].recipe == recipe(3)
    assert trail.current == 1
    json.dumps(trail.plain(), allow_nan=False)  # it can be kept again


@pytest.mark.parametrize("pins", [{"AB": 0}, {"": 0}, {"a": 0}, {"A": "0"}, {"A": [0]}, {"A": 0.5}, {"Z": 1}])
def test_only_single_letters_pin_visits(pins):
    content = kept(visited(2, 3)) | {"pins": pins}
    assert restored(content).pins == {}


def test_two_visits_have_two_numbers():
    content = kept(visited(2, 3))
    content["visits"][1]["number"] = 0
    assert len({visit.number for visit in restored(content).visits}) == len(restored(content).visits)


def test_a_file_of_very_many_visits_is_cut():
    content = kept(visited(2))
    content["visits"] = [content["visits"][0] | {"number": n} for n in range(MAX_VISITS * 3)]
    assert len(restored(content).visits) == MAX_VISITS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, JSON, JSON)
def test_any_json_is_read_without_an_error(visits, current, pins):
    trail = restored({"visits": visits, "current": current, "pins": pins})
    assert trail.current == -1 or trail.get(trail.current) is not None
    assert set(trail.pins) <= set(LETTERS)
