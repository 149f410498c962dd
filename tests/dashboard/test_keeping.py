"""What outlives a page: address, browser's memory and session files, and whatever may stand in them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_dashboard.keeping import FORMAT, MAX_KEPT, Keeping, fitted, session_text, trail_of_session
from insanonym_dashboard.links import pack
from insanonym_dashboard.session import Session
from insanonym_dashboard.shell import Shell
from insanonym_dashboard.state import TabState
from tests.dashboard.test_trail import Rested


def state_of(kind: str = "table") -> TabState:
    return TabState(preset_recipe(kind_named(kind)), Session())


def rested(state: TabState, *ks: int) -> TabState:
    for k in ks:
        recipe = state.recipe.with_parameter(0, "k", k)
        state.trail.arrive(Rested(recipe), state.data_name)
    return state


def kept_by(shell: Shell) -> dict:
    return json.loads(shell.kept)["trails"]


def test_address_and_memory_follow_the_state_and_are_read_back():
    shell, states = Shell(print), {"table": rested(state_of(), 2, 3)}
    states["table"].trail.pin()
    Keeping(shell, states).write("table")
    next_shell = Shell(print, stored=shell.kept, fragment=shell.fragment)
    reader = Keeping(next_shell, {})
    assert reader.recipe_of_address() == states["table"].recipe.complete()
    fresh = state_of()
    reader.restore(fresh)
    assert fresh.trail.plain() == states["table"].trail.plain()
    assert fresh.trail.pins == {"A": 1}


def test_the_tabs_that_were_not_opened_are_kept_as_they_were():
    shell, states = Shell(print), {"table": rested(state_of(), 2)}
    Keeping(shell, states).write("table")
    other = {"avatars": state_of("avatars")}
    later = Shell(print, stored=shell.kept)
    keeping = Keeping(later, other)
    keeping.restore(other["avatars"])
    other["avatars"].trail.arrive(Rested(other["avatars"].recipe), other["avatars"].data_name)
    keeping.write("avatars")
    assert set(kept_by(later)) == {"table", "avatars"}
    assert kept_by(later)["table"] == kept_by(shell)["table"]


def test_nothing_of_an_upload_is_kept_but_its_name():
    state = state_of()
    state.data, state.data_name = object(), "mine.csv"
    state.recipe = Recipe((Step("mondrian", {"k": 3}),), kind="table")
    rested(state, 3)
    shell = Shell(print)
    Keeping(shell, {"table": state}).write("table")
    (visit,) = kept_by(shell)["table"]["visits"]
    assert visit["data"] == "mine.csv"
    assert "data" not in visit["recipe"]
    assert "seed" not in visit["recipe"]


def test_the_trade_off_has_no_recipe_of_its_own():
    shell = Shell(print, fragment="x")
    Keeping(shell, {}).write("tradeoff")
    assert shell.fragment == ""


def test_what_is_too_long_is_not_kept():
    shell, state = Shell(print), rested(state_of(), 2)
    state.trail.visits = tuple(
        type(one)(one.number, one.parent, one.recipe, {"x" * MAX_KEPT: 1.0}, one.data_name)
        for one in state.trail.visits
    )
    Keeping(shell, {"table": state}).write("table")
    assert shell.kept == ""


STORED = [
    "",
    "x",
    "[]",
    "null",
    "{}",
    '{"format": 1}',
    '{"format": 1, "trails": []}',
    '{"format": 1, "trails": null}',
    '{"format": 99, "trails": {"table": {}}}',
    '{"format": 1, "trails": {"table": 7}}',
    '{"format": 1, "trails": {"table": {"visits": "x", "current": [], "pins": [1]}}}',
    "[" * 100_000,
    '{"format": 1, "trails": {"table": {"visits": []}, "x": "' + "y" * MAX_KEPT + '"}}',
]


@pytest.mark.parametrize("text", STORED, ids=range(len(STORED)))
def test_a_spoilt_memory_is_no_memory(text):
    state = state_of()
    keeping = Keeping(Shell(print, stored=text), {"table": state})
    keeping.restore(state)
    assert state.trail.visits == ()
    keeping.write("table")  # and the page goes on


@given(st.text(max_size=80))
def test_any_memory_is_read_without_an_error(text):
    keeping = Keeping(Shell(print, stored=text), {})
    for kind in all_kinds():
        keeping.stored(kind)


def test_a_recipe_from_elsewhere_is_for_the_data_that_is_open():
    state = state_of()
    steps = (Step("mondrian", {"k": 7}),)
    named = Recipe(steps, data="demo:enrolments", kind="table", seed=3)
    assert fitted(named, state) == named
    unnamed = Recipe(steps, kind="table")
    assert (fitted(unnamed, state).data, fitted(unnamed, state).seed) == ("demo:patients", state.recipe.seed)
    state.data = object()
    assert (fitted(unnamed, state).data, fitted(unnamed, state).seed) == (None, None)


def test_a_session_is_a_file_that_is_read_back():
    state = rested(state_of(), 2, 3)
    text = session_text(state)
    assert trail_of_session(text) == json.loads(json.dumps(state.trail.plain()))
    assert json.loads(text)["format"] == FORMAT


@pytest.mark.parametrize(
    "text", ["", "x", "[1]", "{}", '{"format": 2, "trail": {}}', "steps:\n- mondrian: {}"]
)
def test_what_is_no_session_is_none(text):
    assert trail_of_session(text) is None


def test_the_address_of_a_tab_is_that_of_its_recipe():
    state, shell = state_of(), Shell(print)
    Keeping(shell, {"table": state}).write("table")
    assert shell.fragment == pack(state.recipe)
