"""insanonym tune: what it writes, what it says, and how it is stopped."""

import os
import signal
import subprocess
import sys
import time

import pytest
import yaml

TUNE = ("tune", "demo:patients", "--seed", 1, "--trials", 30)


@pytest.mark.slow
def test_it_writes_a_recipe_a_table_and_a_figure(run, tmp_path):
    recipe, front, figure = (tmp_path / name for name in ("best.yaml", "front.csv", "front.html"))
    outputs = ("-o", recipe, "--front", front, "--figure", figure)
    done = run(*TUNE, "--at-least", "privacy=0.85", *outputs)
    assert done.code == 0, done.err
    for said in (
        "The front, as the search measured it",
        "Found: ",
        "while searching",
        "What binds is Privacy ≥ 0.85",
    ):
        assert said in done.out
    found = yaml.safe_load(recipe.read_text())
    assert found["data"] == "demo:patients"
    assert "seed" not in found
    assert len(front.read_text().splitlines()) == 31
    assert "plotly" in figure.read_text()
    assert sorted(tmp_path.iterdir()) == sorted([recipe, front, figure]), "no .partial is left"
    again = run("report", recipe, "-o", tmp_path / "report", "--formats", "none", "--json")
    assert again.code == 0
    assert again.json["privacy"] >= 0.8


def test_a_column_that_is_not_there_is_refused_before_the_search(run, tmp_path):
    recipe = tmp_path / "best.yaml"
    done = run(*TUNE, "--qi", "sex,aeg", "--at-least", "privacy=0.85", "-o", recipe)
    assert done.code == 2
    assert "The quasi-identifiers must name columns of the table, got 'aeg', which is no column" in done.err
    assert "None was found" not in done.out + done.err
    assert not recipe.exists()


@pytest.mark.slow
def test_json(run):
    told = run(*TUNE, "--at-least", "privacy=0.85", "--json").json
    assert told["found"] is True
    assert told["privacy"] >= 0.85
    keys = {"privacy_interval", "privacy_decided_by", "utility", "binding", "ceiling", "front", "held_out"}
    assert keys <= told.keys()
    assert told["wish"] == {"bounds": [{"name": "privacy", "at_least": 0.85}], "maximise": "utility"}


@pytest.mark.slow
def test_an_impossible_wish_is_no_error(run, tmp_path):
    bounds = ("--at-least", "privacy=0.99", "--at-least", "utility=0.99")
    done = run(*TUNE, *bounds, "-o", tmp_path / "best.yaml")
    assert done.code == 0
    assert "None was found among 30 recipes. What binds is" in done.out
    assert "privacy is at most 0.998" in done.out
    assert not list(tmp_path.iterdir()), "no recipe, no .partial"
    assert run(*TUNE, *bounds, "--json").json["found"] is False


@pytest.mark.slow
def test_guessed_roles_are_told_beside_what_was_found(run, tmp_path):
    rows = [f"{20 + number % 30},{('Lyon', 'Paris')[number % 2]},{'abc'[number % 3]}" for number in range(90)]
    (tmp_path / "some.csv").write_text("\n".join(["age,town,diagnosis", *rows]) + "\n")
    wish = ("--kind", "table", "--at-least", "privacy=0.3", "--trials", 10, "--seed", 1)
    wish += ("--methods", "mondrian")
    said = "These numbers rely on guessed roles that nobody has confirmed: quasi-identifiers age, town"
    assert said in " ".join(run("tune", tmp_path / "some.csv", *wish).out.split())
    told = run("tune", tmp_path / "some.csv", *wish, "--json").json
    assert told["privacy_roles_unconfirmed"] == ["quasi", "sensitive"]
    named = ("--qi", "age,town", "--sensitive", "diagnosis", "--id", "")
    assert "rely on guessed" not in run("tune", tmp_path / "some.csv", *wish, *named).out


def test_one_person_is_a_sentence(run, tmp_path):
    (tmp_path / "one.csv").write_text("age,diagnosis\n41,flu\n")
    done = run(
        "tune", tmp_path / "one.csv", "--kind", "table", "--qi", "age", "--sensitive", "diagnosis",
        "--at-least", "privacy=0.5", "--trials", 20,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "None was found" in done.out
    assert "With one person in the data, whoever looks finds them: privacy is 0" in done.out


@pytest.mark.slow
def test_french(run):
    done = run(*TUNE, "--at-least", "privacy=0.9999", "--at-least", "utility=0.95", "--lang", "fr")
    assert "Aucune recette trouvée parmi 30" in done.out
    assert "au plus 0,998" in done.out
    assert "None was" not in done.out


@pytest.mark.slow
def test_around_a_recipe(run, tmp_path):
    recipe = tmp_path / "r.yaml"
    recipe.write_text("data: demo:patients\nkind: table\nsteps:\n  - mondrian: {k: 10}\n")
    told = run(*TUNE, "--around", recipe, "--at-least", "privacy=0.5", "--json").json
    assert {name for one in told["front"] for step in one["steps"] for name in step} == {"mondrian"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--at-least", "privacy"), "--at-least must be NAME=NUMBER"),
        (("--at-most", "table.ncp=2"), "A bound on table.ncp must be a number from 0 to 1, got 2"),
        (("--methods", "mondrain"), "There is no method mondrain for table data"),
        (("--maximise", "speed"), "must be one of privacy, utility, defence"),
        (("--trials", 0), "number of trials must be from 1"),
        (("--resume",), "--resume needs the --front or the -o"),
        (("--kind", "graph"), "kind of a recipe must be one of"),
        (("--lang", "de"), "--lang must be en or fr"),
    ],
)
def test_wrong_calls_are_one_sentence(run, options, said):
    done = run(*TUNE, *options)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_files_that_are_there_are_not_overwritten(run, tmp_path):
    front = tmp_path / "front.csv"
    front.write_text("mine\n")
    done = run(*TUNE, "--front", front)
    assert done.code == 2
    assert front.read_text() == "mine\n"
    done = run(*TUNE, "--front", front, "--resume")
    assert (done.code, front.read_text()) == (2, "mine\n")
    assert "holds no trials of a search" in done.err


@pytest.mark.slow
def test_stopped_it_goes_on(tmp_path):
    def call(trials):
        return [sys.executable, "-m", "insanonym_core", *map(str, TUNE[:-1]), str(trials), "-o", "best.yaml"]

    command = call(2000)  # far more than are done before it is stopped, on a busy machine too
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    partial = tmp_path / "best.yaml.partial"
    end = time.monotonic() + 60
    while time.monotonic() < end and not (partial.exists() and len(partial.read_text().splitlines()) > 3):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "best.yaml.partial: the same command with --resume goes on" in said
    before = len(partial.read_text().splitlines())
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "add --resume to go on" in done.stderr
    done = subprocess.run(
        [*call(before + 20), "--resume"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert before > 3
    assert [one.name for one in tmp_path.iterdir()] == ["best.yaml"]
