"""The steps in the sidebar: what the page says is checked, refused values go back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState
from insanonym_dashboard.step_editing import StepEditing
from insanonym_dashboard.steps import StepsEditor


@pytest.fixture
def state_of(monkeypatch):
    """The state of a tab that computes nothing: the recipe is what is looked at."""
    monkeypatch.setattr(TabState, "refresh", lambda self: None)

    def made(kind: str = "mobility", recipe: Recipe | None = None) -> TabState:
        preset = "strong_noise" if kind == "mobility" else ""  # one with many steps
        return TabState(recipe or preset_recipe(kind_named(kind), preset), Session())

    return made


def key_of(editor: StepsEditor, method: str, name: str) -> str:
    step = next(one for one in editor.rows.steps if one["method"] == method)
    return f"{step['id']}.{name}"


def declared(editor: StepsEditor, method: str, name: str) -> dict[str, Any]:
    step = next(one for one in editor.rows.steps if one["method"] == method)
    return next(one for one in step["parameters"] if one["name"] == name)


def set_on_page(editor: StepsEditor, **values: Any) -> None:
    """As the page does it: all values, some of them changed."""
    editor.rows.set_state({"values": {**editor.rows.values, **values}})


def send(editor: StepsEditor, **content: Any) -> None:
    editor.rows._handle_custom_msg({"version": editor.rows.version, **content}, [])


def methods_of(state: TabState) -> list[str]:
    return [step.method for step in state.recipe.steps]


# --- values -----------------------------------------------------------------------------------------


def test_a_value_of_the_page_is_a_value_of_the_recipe_and_back(state_of):
    state = state_of()
    editor = StepsEditor(state, "en")
    key = key_of(editor, "planar_laplace", "radius")
    version = editor.rows.version
    set_on_page(editor, **{key: 3000})
    place = methods_of(state).index("planar_laplace")
    assert state.recipe.steps[place].parameters["radius"] == 3000
    state.set_parameter(place, "radius", 200)
    assert editor.rows.values[key] == 200
    assert editor.rows.version == version, "nothing was drawn anew"


@pytest.mark.parametrize("kind", list(all_kinds()))
def test_every_control_of_a_tab_declares_the_value_that_it_stands_at(state_of, kind):
    state = state_of(kind)
    editor = StepsEditor(state, "en")
    seen = 0
    for step in editor.rows.steps:
        for one in step["parameters"]:
            value = editor.rows.values[f"{step['id']}.{one['name']}"]
            if one["type"] == "slider":
                assert value in one["values"]
                assert len(one["values"]) == len(one["texts"]) <= 402
                assert one["values"] == sorted(set(one["values"]))
            elif one["type"] == "choice":
                assert value in [option for _, option in one["options"]]
            elif one["type"] == "several":
                assert set(value) <= {option for _, option in one["options"]}
            seen += 1
    assert seen


@pytest.mark.parametrize("bad", [-1, 10**9, math.nan, math.inf, "x", None, {}, [], [1, 2], True, "1e999"])
def test_a_refused_value_goes_back_and_is_said(state_of, bad):
    state = state_of()
    editor = StepsEditor(state, "en")
    key = key_of(editor, "planar_laplace", "radius")
    before = state.recipe
    set_on_page(editor, **{key: bad})
    assert state.recipe == before
    assert (
        editor.rows.values[key]
        == before.steps[methods_of(state).index("planar_laplace")].parameters["radius"]
    )
    assert "radius" in state.error
    assert state.error != "internal"


def test_a_typed_value_between_two_positions_gets_one(state_of):
    state = state_of()
    editor = StepsEditor(state, "en")
    set_on_page(editor, **{key_of(editor, "planar_laplace", "radius"): 1234.5})
    assert 1234.5 in declared(editor, "planar_laplace", "radius")["values"]
    assert editor.rows.values[key_of(editor, "planar_laplace", "radius")] == 1234.5


def test_two_typed_values_at_once_are_both_taken(state_of):
    """The page sends what changed since its last message was answered: that may be two controls."""
    state = state_of()
    editor = StepsEditor(state, "en")
    radius, hours = key_of(editor, "planar_laplace", "radius"), key_of(editor, "jitter_time", "hours")
    set_on_page(editor, **{radius: 1234.5, hours: 3.21})
    now = {step.method: step.parameters for step in state.recipe.steps}
    assert (now["planar_laplace"]["radius"], now["jitter_time"]["hours"]) == (1234.5, 3.21)


@pytest.mark.parametrize("name", ["", "x", ".", "9-9.radius", "1-0.nothing", "1-0.", "__class__.x"])
def test_unknown_controls_are_left(state_of, name):
    state = state_of()
    editor = StepsEditor(state, "en")
    before = state.recipe
    set_on_page(editor, **{name: 5})
    assert state.recipe == before
    assert state.error == ""


def test_values_that_are_missing_change_nothing(state_of):
    state = state_of()
    editor = StepsEditor(state, "en")
    before = state.recipe
    editor.rows.set_state({"values": {}})
    assert state.recipe == before
    assert editor.rows.values == editor._values()


def test_a_slider_of_an_earlier_list_of_steps_is_left(state_of):
    state = state_of()
    editor = StepsEditor(state, "en")
    old = key_of(editor, "planar_laplace", "radius")
    send(editor, event="remove", place=0)
    before = state.recipe
    set_on_page(editor, **{old: 4000})
    assert state.recipe == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("kind", list(all_kinds()))
def test_no_value_of_a_page_fails(state_of, kind):
    state = state_of(kind)
    editor = StepsEditor(state, "en")

    @given(st.data())
    def tried(data):
        key = data.draw(st.sampled_from(sorted(editor.rows.values)))
        set_on_page(editor, **{key: data.draw(JSON)})
        assert state.error != "internal"
        assert editor.rows.values == editor._values(), "the page shows what the recipe holds"

    tried()


# --- buttons and menus ------------------------------------------------------------------------------


HOSTILE = [
    {},
    {"event": None},
    {"event": []},
    {"event": {}},
    {"event": "__class__"},
    {"event": "rebuild"},
    {"event": "move"},
    {"event": "move", "from": "x", "to": 1},
    {"event": "move", "from": None, "to": None},
    {"event": "move", "from": math.inf, "to": math.nan},
    {"event": "move", "from": -1, "to": 0},
    {"event": "move", "from": 99, "to": 0},
    {"event": "remove", "place": -1},
    {"event": "remove", "place": 99},
    {"event": "remove", "place": math.inf},
    {"event": "remove", "place": []},
    {"event": "add"},
    {"event": "add", "method": "nothing"},
    {"event": "add", "method": ["mondrian"]},
    {"event": "add", "method": "mix_neighbours"},
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_message_changes_nothing(state_of, content):
    state = state_of()
    editor = StepsEditor(state, "en")
    before = state.recipe
    send(editor, **content)
    for raw in (content, None, [], "x", 7):
        editor.rows._handle_custom_msg(raw, [])
    assert state.recipe == before
    assert state.error == ""


def test_a_message_that_was_meant_for_other_steps_is_left(state_of):
    state = state_of()
    editor = StepsEditor(state, "en")
    send(editor, event="remove", place=0)
    after = state.recipe
    editor.rows._handle_custom_msg({"event": "remove", "place": 0, "version": editor.rows.version - 1}, [])
    assert state.recipe == after


def test_steps_are_moved_removed_and_added(state_of):
    state = state_of()
    editor = StepsEditor(state, "en")
    first, second, *rest = methods_of(state)
    send(editor, event="move", **{"from": 0, "to": 1})
    assert methods_of(state) == [second, first, *rest]
    assert [one["method"] for one in editor.rows.steps] == methods_of(state)
    send(editor, event="remove", place=0)
    assert methods_of(state) == [first, *rest]
    send(editor, event="add", method="gaussian_noise")
    assert methods_of(state) == [first, *rest, "gaussian_noise"]
    send(editor, event="move", **{"from": 0, "to": 10**6})
    assert methods_of(state) == [*rest, "gaussian_noise", first]


def test_avatars_keep_their_steps(state_of):
    state = state_of("avatars")
    editor = StepsEditor(state, "en", fixed=True)
    assert editor.rows.offered == []
    for step in editor.rows.steps:
        assert not step["movable"]
        assert not step["removable"]


def test_only_the_parameters_of_a_lesson_are_shown(state_of):
    editor = StepsEditor(state_of(), "en", fixed=True, only={"planar_laplace.radius"})
    assert [(s["method"], [p["name"] for p in s["parameters"]]) for s in editor.rows.steps] == [
        ("planar_laplace", ["radius"])
    ]


def test_after_close_nothing_is_followed(state_of):
    state = state_of()
    editor = StepsEditor(state, "en")
    values = dict(editor.rows.values)
    editor.close()
    state.set_parameter(methods_of(state).index("planar_laplace"), "radius", 77)
    assert editor.rows.values == values


# --- the list of steps, without widgets -------------------------------------------------------------


def test_a_last_method_stays_the_last_and_is_replaced(state_of):
    state = state_of("table")
    editing = StepEditing(state)
    assert methods_of(state) == ["mondrian"]
    assert editing.span() == (0, 0)
    editing.add("suppress_rare_values")
    assert methods_of(state) == ["suppress_rare_values", "mondrian"]
    editing.move(0, 1)
    assert methods_of(state) == ["suppress_rare_values", "mondrian"], "nothing comes after it"
    k = state.recipe.steps[-1].parameters["k"]
    editing.add("bucketise")
    assert methods_of(state) == ["suppress_rare_values", "bucketise"]
    assert "mondrian" in {entry.name for entry in editing.offered()}
    editing.add("mondrian")
    assert methods_of(state) == ["suppress_rare_values", "mondrian"]
    assert k


def test_the_k_that_was_chosen_stays_with_another_method(state_of):
    state = state_of("table")
    editing = StepEditing(state)
    state.set_parameter(0, "k", 17)
    others = [entry.name for entry in editing.offered() if entry.last and "k" in entry.parameters]
    assert others
    for name in others:
        editing.add(name)
        assert (methods_of(state), state.recipe.steps[0].parameters["k"]) == ([name], 17)


def test_the_count_of_traces_cannot_be_removed_but_what_is_before_it(state_of):
    state = state_of("traces")
    editing = StepEditing(state)
    before = methods_of(state)
    assert before[-1] == "count_traces"
    editing.remove(len(before) - 1)
    assert methods_of(state) == before
    editing.remove(0)
    assert methods_of(state) == before[1:]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mobility", "table", "traces"])
def test_each_method_that_is_offered_can_be_added(state_of, kind):
    for entry in StepEditing(state_of(kind)).offered():
        state = state_of(kind)
        StepEditing(state).add(entry.name)
        assert entry.name in methods_of(state)
        assert state.error == ""
    assert {entry.data for entry in StepEditing(state_of(kind)).offered()} <= {
        kind,
        *kind_named(kind).uses_methods,
    }


def test_a_moved_step_does_without_columns_that_are_gone(state_of):
    """Growing a projection leaves columns out: what comes after it cannot look at these."""
    roles = kind_named("traces").demos["demo:enrolments"].roles
    grow, count = preset_recipe(kind_named("traces")).steps[1:]
    rare = Step("suppress_rare_values", {"k": 3, "columns": ("LIB_DIPLOME", "CODE_ETAPE")})
    recipe = Recipe((rare, grow, count), data="demo:enrolments", kind="traces", seed=1, roles=roles)
    state = state_of("traces", recipe)
    assert "CODE_ETAPE" in StepEditing(state).columns()
    StepEditing(state).move(0, 1)
    assert methods_of(state) == ["grow_projection", "suppress_rare_values", "count_traces"]
    assert state.recipe.steps[1].parameters["columns"] == ("LIB_DIPLOME",)
    assert state.error == ""


def test_a_step_is_offered_if_a_column_that_it_works_on_is_left(state_of):
    state = state_of("table")
    editing = StepEditing(state)
    on_numbers = {"microaggregate", "swap_ranks", "add_noise", "round_numbers", "top_bottom_code"}
    assert {entry.name for entry in editing.offered()} >= {*on_numbers, "pram"}
    table = state.original()
    numbers = [name for name in editing.columns() if table[name].kind == "number"]
    state.set_steps((Step("drop_columns", {"columns": tuple(numbers)}), *state.recipe.steps))
    assert {entry.name for entry in editing.offered()} & {*on_numbers, "pram"} == {"pram"}
