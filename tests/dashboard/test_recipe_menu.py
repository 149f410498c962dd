"""The menu of the recipe: what is copied gives the same report, what is opened reads no server's file."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from insanonym_core.experiment import run
from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import recipe_from_text, text_to_share
from insanonym_dashboard import state as state_module
from insanonym_dashboard.app import App
from insanonym_dashboard.keeping import session_text
from insanonym_dashboard.recipe_menu import (
    COPY_COMMAND,
    COPY_PYTHON,
    COPY_YAML,
    FORGET,
    MAX_FILE,
    OPEN,
    RESET,
    SAVE_SESSION,
    as_command,
    as_python,
)
from tests.dashboard.test_trail import Rested

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def recipes() -> dict[str, Recipe]:
    """A recipe of each kind with roles, numbers of many digits and values beside the defaults."""
    made = {kind: preset_recipe(all_kinds()[kind]) for kind in all_kinds()}
    noise = preset_recipe(all_kinds()["mobility"], "strong_noise")
    made["mobility"] = noise.with_parameter(2, "radius", 123.456789).with_parameter(0, "share", 0.1)
    made["table"] = made["table"].with_parameter(0, "k", 7)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(all_kinds()))
def test_the_lines_of_python_give_the_same_report(kind, tmp_path):
    recipe = recipes()[kind]
    ended = "import json\nprint(json.dumps({k: repr(v) for k, v in report.values().items()}))\n"
    code = as_python(recipe, recipe.data or "")
    done = subprocess.run(
        [sys.executable, "-c", code + ended],
        env=ENVIRONMENT,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {k: repr(v) for k, v in run(recipe).values().items()}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["table", "avatars"])
def test_the_command_gives_the_same_report(kind, tmp_path):
    recipe = recipes()[kind]
    lines = as_command(recipe, recipe.data or "")
    insanonym = f'{sys.executable} -c "from insanonym_core.cli import main; main()"'
    call = lines.replace("insanonym report", f"{insanonym} report").rstrip() + " --formats none --json"
    done = subprocess.run(
        ["/bin/sh", "-c", call], env=ENVIRONMENT, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    wanted = {key: None if math.isnan(value) else value for key, value in run(recipe).values().items()}
    assert {"utility", "privacy"} < set(told) & set(wanted)
    assert {key: told[key] for key in wanted if key in told} == {
        key: value for key, value in wanted.items() if key in told
    }


def test_hostile_names_of_columns_stay_text_in_a_shell(tmp_path):
    names = ("END", "$(touch hit)", "`touch hit`", "'; touch hit; '", "\nEND\ntouch hit\n", "\x85END")
    step = recipes()["table"].steps[0]
    recipe = Recipe((step,), kind="table", roles={"quasi": names})
    lines = as_command(recipe, "'; touch hit #.csv").replace("insanonym report", "echo")
    subprocess.run(["/bin/sh", "-c", lines], cwd=tmp_path, check=True, capture_output=True)
    assert [path.name for path in tmp_path.iterdir()] == ["recipe.yaml"]
    assert recipe_from_text((tmp_path / "recipe.yaml").read_text()).roles["quasi"] == names
    scope: dict[str, Any] = {}
    exec(as_python(recipe, "x.csv").replace("report = run(recipe)\n", ""), scope)  # noqa: S102
    assert scope["recipe"].roles["quasi"] == names


# --- opened -----------------------------------------------------------------------------------------


@pytest.fixture
def app(at_once, monkeypatch) -> App:
    """The Tables tab; nobody waits for fresh draws."""
    monkeypatch.setattr(state_module.TabState, "_measure_spread", lambda *_: None)
    made = App("en")
    made.open("table")
    return made


def opened(app: App, name: str, content: bytes | str) -> str:
    """Open a file, as the page sends it; the notice that follows."""
    raw = content.encode() if isinstance(content, str) else content
    app.recipe_menu.opener._handle_custom_msg({"name": name, "size": len(raw)}, [raw])
    return app.notice.value


SECRET = "name;age\nSecret Person;41\n"


@pytest.mark.slow
@pytest.mark.parametrize("named", ["/etc/passwd", "secret.csv", "{folder}/secret.csv", "../secret.csv"])
def test_a_recipe_from_a_file_opens_no_file_of_the_server(app, named, tmp_path, monkeypatch):
    (tmp_path / "secret.csv").write_text(SECRET * 50)
    monkeypatch.chdir(tmp_path)
    data = named.format(folder=tmp_path)
    opened(app, "recipe.yaml", f"data: {data}\nkind: table\nsteps:\n- mondrian: {{k: 9}}\n")
    state = app.states["table"]
    assert state.recipe.data == "demo:patients"
    assert state.recipe.steps[0].parameters["k"] == 9
    assert state.report.recipe.data == "demo:patients"
    assert state.report.rows == 600
    assert state.error == ""


def test_a_session_from_a_file_opens_no_file_of_the_server(app, tmp_path, monkeypatch):
    (tmp_path / "secret.csv").write_text(SECRET * 50)
    state = app.states["table"]
    state.trail.arrive(state.report, state.data_name)
    for data in ("/etc/passwd", str(tmp_path / "secret.csv")):
        text = session_text(state).replace('"data": "demo:patients"', f'"data": {json.dumps(data)}')
        text = text.replace('"data": ' + json.dumps(data), '"data": "demo:patients"', 1) + " "
        for content in (text, session_text(state).replace("demo:patients", data)):
            opened(app, "session.json", content)
            app._on_event("undo")
            app._on_event("redo")
            assert state.report.rows == 600
            assert state.recipe.data == "demo:patients"
            assert "Secret" not in str(state.report.release.frame)


@pytest.mark.slow
def test_a_recipe_of_another_kind_opens_its_tab(app):
    recipe = preset_recipe(kind_named("avatars")).with_parameter(0, "k", 7)
    assert opened(app, "recipe.yaml", text_to_share(recipe)) == ""
    assert app.tab == "avatars"
    assert app.states["avatars"].report.recipe.hash == recipe.hash
    assert app.shell.tab == "avatars"


@pytest.mark.slow
def test_a_recipe_of_demonstration_data_is_computed_of_it_also_after_an_upload(app):
    """Else the numbers of somebody's file would stand under the name of the demonstration."""
    state = app.states["table"]
    rows = "age;town;ill\n" + "".join(f"{n % 50};t{n % 7};i{n % 3}\n" for n in range(210))
    app.panels["table"].data._uploaded("mine.csv", len(rows), rows.encode())
    assert (state.data_name, state.report.rows) == ("mine.csv", 210)
    opened(app, "recipe.yaml", text_to_share(recipes()["table"]))
    assert state.recipe.data == state.data_name == "demo:patients"
    assert state.report.rows == 600
    assert state.error == ""


@pytest.mark.slow
def test_a_recipe_without_data_is_for_the_upload_that_is_open(app):
    state = app.states["table"]
    rows = "age;town;ill\n" + "".join(f"{n % 50};t{n % 7};i{n % 3}\n" for n in range(210))
    app.panels["table"].data._uploaded("mine.csv", len(rows), rows.encode())
    roles = "roles: {quasi: [age, town], sensitive: [ill]}"
    opened(app, "recipe.yaml", f"data: mine.csv\nkind: table\n{roles}\nsteps:\n- mondrian: {{k: 9}}\n")
    assert (state.data_name, state.report.rows) == ("mine.csv", 210)
    assert state.recipe.steps[0].parameters["k"] == 9
    assert state.recipe.seed is None


BAD = {
    "no text": b"\xff\xfe\x00\x01",
    "empty": b"",
    "no YAML": b"steps: [",
    "no recipe": b"hello",
    "an alias": b"steps: &a [*a]",
    "an unknown method": b"kind: table\nsteps:\n- eval: {x: 1}\n",
    "code": b"!!python/object/apply:os.system ['touch hit']",
    "a list": b"[1, 2]",
    "a session that is none": b'{"format": 2, "trail": {}}',
    "html": b"kind: <img src=x onerror=alert(1)>",
}


@pytest.mark.slow
@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_a_bad_file_is_one_sentence_and_changes_nothing(app, content):
    state = app.states["table"]
    before = state.recipe
    said = opened(app, "<img src=x>.yaml", content)
    assert "insanonym-notice" in said
    assert "<img" not in said
    assert len(said) < 600
    assert state.recipe == before
    assert app.tab == "table"


def test_a_file_over_the_limit_is_refused():
    assert App("en").recipe_menu.opener.limit == MAX_FILE


def test_a_hostile_session_changes_nothing_that_is_shown(app):
    state = app.states["table"]
    report = state.report
    for trail in ({}, {"visits": [1]}, {"visits": [], "current": [], "pins": []}, [1], "x"):
        opened(app, "session.json", json.dumps({"format": 1, "kind": "table", "trail": trail}))
    assert state.report is report
    assert state.error == ""


# --- the rest of the menu ---------------------------------------------------------------------------


def test_what_is_copied_is_sent_to_the_page(app, monkeypatch):
    sent: list[Any] = []
    monkeypatch.setattr(app.shell, "send", lambda content, buffers=None: sent.append(content))
    for name in (COPY_YAML, COPY_COMMAND, COPY_PYTHON):
        app.recipe_menu.chose(name)
    yaml, command, python = (one["copy"] for one in sent)
    assert recipe_from_text(yaml) == app.states["table"].recipe.complete()
    assert yaml in command
    assert "run(recipe)" in python
    assert "Copied" in app.notice.value


@pytest.mark.slow
def test_a_saved_session_is_opened_again_with_its_pins(app, monkeypatch):
    saved: list[tuple[str, bytes, str]] = []
    monkeypatch.setattr(app.saver, "save", lambda *file: saved.append(file))
    state = app.states["table"]
    for k in (3, 8):
        state.set_parameter(0, "k", k)
        state.trail.arrive(state.report, state.data_name)
    state.trail.pin()
    app.recipe_menu.chose(SAVE_SESSION)
    ((name, content, _),) = saved
    assert name.endswith(".json")
    other = App("en")
    other.open("table")
    assert opened(other, name, content) == ""
    there = other.states["table"]
    assert there.trail.plain() == state.trail.plain()
    assert there.recipe == state.recipe
    assert there.report.values() == state.report.values()


@pytest.mark.slow
def test_back_to_the_first_steps_and_forget(app):
    state = app.states["table"]
    first = state.recipe
    state.set_parameter(0, "k", 40)
    state.trail.arrive(state.report, state.data_name)
    app.recipe_menu.chose(RESET)
    assert state.recipe == first
    state.trail.arrive(Rested(first), state.data_name)
    app.recipe_menu.chose(FORGET)
    assert len(state.trail.visits) == 1


def test_on_the_trade_off_only_a_file_can_be_opened(app):
    assert app.recipe_menu.entries(None) == [OPEN]
    assert OPEN in app.recipe_menu.entries(app.states["table"])
