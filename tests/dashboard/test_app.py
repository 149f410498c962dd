"""The page without a browser: links, undo and reload bring back recipe, sliders, roles and numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.presets import preset_recipe
from insanonym_dashboard.app import App
from insanonym_dashboard.links import pack
from insanonym_dashboard.state import TabState


@pytest.fixture(autouse=True)
def quick(at_once, small_city, monkeypatch) -> None:
    """Nobody waits for fresh draws, nor for a large city."""
    monkeypatch.setattr(TabState, "_measure_spread", lambda *_: None)


def visit(fragment: str = "", stored: str = "", tab: str = "table", page: str = "", lang: str = "en") -> App:
    """A page that opens at an address, in a browser that kept something."""
    app = App("en")
    with app.shell.hold_trait_notifications():
        app.shell.tab, app.shell.page, app.shell.lang = tab, page, lang
        app.shell.fragment, app.shell.stored, app.shell.known = fragment, stored, True
    return app


def rest(state: TabState) -> None:
    state._rested(state.report)


def set_k(app: App, k: int) -> TabState:
    state = app.states["table"]
    state.set_parameter(len(state.recipe.steps) - 1, "k", k)
    rest(state)
    return state


def slider_of(app: App, name: str) -> Any:
    rows = app.panels[app.tab].editor.rows
    return next(value for key, value in rows.values.items() if key.endswith(f".{name}"))


def numbers(app: App) -> dict[str, str]:
    return {key: repr(value) for key, value in app.states[app.tab].report.values().items()}


# --- links ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(all_kinds()))
def test_a_link_opens_the_same_numbers(kind):
    app = visit(tab=kind)
    first = next(iter(app.panels[kind].editor.rows.steps))
    control = next(one for one in first["parameters"] if one["type"] == "slider")
    rows = app.panels[kind].editor.rows
    rows.set_state({"values": {**rows.values, f"{first['id']}.{control['name']}": control["values"][3]}})
    other = visit(app.shell.fragment, tab=kind)
    assert other.states[kind].recipe.hash == app.states[kind].recipe.hash
    assert numbers(other) == numbers(app)
    assert other.notice.value == ""


def test_a_link_alone_opens_the_tab_of_its_recipe():
    recipe = preset_recipe(kind_named("avatars")).with_parameter(0, "k", 7)
    app = visit(pack(recipe), tab="avatars")
    assert app.tab == "avatars"
    assert app.states["avatars"].recipe.steps[0].parameters["k"] == 7


@pytest.mark.slow
def test_another_link_in_the_open_page_is_followed():
    app = visit()
    app.shell.fragment = pack(app.states["table"].recipe.with_parameter(0, "k", 33))
    app._on_event("link")
    assert app.states["table"].report.recipe.steps[0].parameters["k"] == 33
    assert slider_of(app, "k") == 33


@pytest.mark.slow
def test_a_link_to_another_kind_in_the_open_page_opens_its_tab():
    app = visit()
    app.shell.fragment = pack(preset_recipe(kind_named("avatars")).with_parameter(0, "k", 7))
    app._on_event("link")
    assert app.tab == "avatars"
    assert app.states["avatars"].report.recipe.steps[0].parameters["k"] == 7


@pytest.mark.parametrize("fragment", ["x", "%%%", "eJyrVkpJLElUslJQMjQwUKoFACkMBE0", "A" * 5000])
def test_a_broken_link_is_a_notice_and_the_page_opens(fragment):
    app = visit(fragment)
    assert "insanonym-notice" in app.notice.value
    assert app.states["table"].report is not None
    assert app.states["table"].error == ""


@pytest.mark.slow
def test_an_unknown_page_of_a_tab_is_left():
    for page in ("x", "<img src=x>", "The rows"):
        assert visit(page=page).panels["table"].menu.value == (
            "The rows" if page == "The rows" else "Risk and loss"
        )


# --- undo -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_undo_and_redo_bring_back_sliders_and_numbers():
    app = visit()
    rest(app.states["table"])
    first = numbers(app)
    state = set_k(app, 30)
    second = numbers(app)
    assert first != second
    assert len(state.trail.visits) == 2
    app._on_event("undo")
    assert (numbers(app), slider_of(app, "k")) == (first, 5)
    rest(state)
    assert len(state.trail.visits) == 2, "going back adds no point"
    app._on_event("redo")
    assert (numbers(app), slider_of(app, "k")) == (second, 30)
    app._on_event("redo")
    assert numbers(app) == second


@pytest.mark.slow
def test_a_removed_step_comes_back():
    app = visit()
    state = app.states["table"]
    app.panels["table"].editor._editing.add("suppress_rare_rows")
    rest(state)
    both = [step.method for step in state.recipe.steps]
    app.panels["table"].editor._editing.remove(0)
    rest(state)
    app._on_event("undo")
    assert [step.method for step in state.recipe.steps] == both
    assert [one["method"] for one in app.panels["table"].editor.rows.steps] == both


@pytest.mark.slow
def test_undo_brings_back_the_roles_that_the_sidebar_shows():
    app = visit()
    panel, state = app.panels["table"], app.states["table"]
    rest(state)
    before = panel.quasi.value
    panel.quasi.value = ("sex", "age")
    rest(state)
    app._on_event("undo")
    assert panel.quasi.value == before == state.recipe.roles["quasi"]
    assert "4 quasi-identifiers" in panel.roles._line.description


@pytest.mark.slow
def test_undo_brings_back_the_data_that_it_was_of():
    app = visit()
    panel, state = app.panels["table"], app.states["table"]
    rest(state)
    first = numbers(app)
    panel.data._chose({"new": "demo:enrolments"})
    rest(state)
    assert state.report.rows == 24_425
    app._on_event("undo")
    assert (state.data_name, state.report.rows) == ("demo:patients", 600)
    assert numbers(app) == first
    assert panel.data._menu.value == "demo:patients"
    assert "town" in [value for _, value in panel.quasi.options]


@pytest.mark.slow
def test_a_setting_of_data_that_is_gone_is_a_sentence():
    app = visit()
    panel, state = app.panels["table"], app.states["table"]
    rows = "age;town;ill\n" + "".join(f"{n % 50};t{n % 7};i{n % 3}\n" for n in range(210))
    panel.data._uploaded("mine.csv", len(rows), rows.encode())
    rest(state)
    panel.data._chose({"new": "demo:patients"})
    rest(state)
    app._on_event("undo")
    assert "mine.csv" in state.error
    assert state.data_name == "demo:patients"
    assert state.report.rows == 600


# --- reload -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_reload_keeps_history_and_pins_and_adds_nothing():
    app = visit()
    rest(app.states["table"])
    state = set_k(app, 12)
    app._on_event("pin")
    kept = state.trail.plain()
    again = visit(app.shell.fragment, app.shell.kept)
    there = again.states["table"]
    rest(there)
    assert there.trail.plain() == json.loads(json.dumps(kept))
    assert numbers(again) == numbers(app)
    assert "Comparison" in [name for _, name in again.panels["table"].menu.options]
    again._on_event("undo")
    assert slider_of(again, "k") == 5


@pytest.mark.slow
def test_after_an_upload_a_reload_says_that_it_is_gone():
    app = visit()
    rows = "age;town;ill\n" + "".join(f"{n % 50};t{n % 7};i{n % 3}\n" for n in range(210))
    app.panels["table"].data._uploaded("mine.csv", len(rows), rows.encode())
    rest(app.states["table"])
    again = visit(app.shell.fragment, app.shell.kept)
    assert "mine.csv" in again.notice.value
    state = again.states["table"]
    assert (state.data_name, state.report.rows, state.error) == ("demo:patients", 600, "")
    assert "t1" not in app.shell.kept.replace('"t1', ""), "no value of the file is kept"


@pytest.mark.slow
def test_a_switch_of_the_language_keeps_trail_pins_and_page():
    app = visit(page="Cuts")
    rest(app.states["table"])
    app._on_event("pin")
    before = app.states["table"].trail.plain()
    app.switch("fr")
    assert app.states["table"].trail.plain() == before
    assert app.panels["table"].menu.value == "Cuts"
    assert app.shell.lang == "fr"


@pytest.mark.slow
@pytest.mark.parametrize("event", ["", "x", "open", "__init__", "_drop", "undo", "redo", "pin", "link"])
def test_any_event_of_the_page_is_harmless(event):
    app = visit()
    app.shell._handle_custom_msg({"event": event}, [])
    for content in (None, [], 7, {"event": None}, {"event": []}, {}):
        app.shell._handle_custom_msg(content, [])
    assert app.states["table"].error == ""


# --- pins -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_pin_opens_the_page_of_comparison_and_the_last_one_closes_it():
    app = visit()
    panel = app.panels["table"]
    assert "Comparison" not in [name for _, name in panel.menu.options]
    rest(app.states["table"])
    app._on_event("pin")
    panel.open_page("Comparison")
    set_k(app, 20)
    assert "★ A" in panel.compared.value
    assert ">20<" in panel.compared.value
    app._on_event("undo")
    app._on_event("pin")
    assert "Comparison" not in [name for _, name in panel.menu.options]
    assert panel.menu.value == "Risk and loss"
