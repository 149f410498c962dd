"""One road to every number: Python gives what the command line gives, for each kind of data."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pandas as pd
import pytest

import insanonym_core as insanonym
from insanonym_core.demo.city import make_city
from insanonym_core.recipe_file import write_recipe

CITY = make_city(12, 2).track.to_frame()
PATIENTS = insanonym.read("demo:patients")
ENROLMENTS = insanonym.read("demo:enrolments").iloc[:4000]
STEPS = ["planar_laplace radius=300", "jitter_time hours=2", "delete_at_random share=0.1", "pseudonymise"]
QUASI, SENSITIVE = ["sex", "age", "town"], "diagnosis"
# What `table …` says of roles; draws depend on them.
ROLES = {"identifier": (), "quasi": QUASI, "sensitive": SENSITIVE, "drop": (), "publish": ()}


def renamed(frame: pd.DataFrame) -> pd.DataFrame:
    """A release with its tokens numbered by their first row: pseudonyms are never drawn from a seed."""
    return frame.assign(id=pd.factorize(frame["id"])[0])


def as_read(frame: pd.DataFrame, folder: Path) -> pd.DataFrame:
    """A frame as a CSV file of it is read: what no cell shows makes no difference."""
    frame.to_csv(folder / "frame.csv", index=False)
    return pd.read_csv(folder / "frame.csv")


def numbers(found: insanonym.Result) -> dict[str, float | None]:
    """Each score by its plain name, undefined ones as JSON writes them."""
    scores = found.scores["value"].items()
    return {key.partition(".")[2]: None if math.isnan(value) else value for key, value in scores}


def assert_told(told: dict[str, float | None], found: insanonym.Result, least: int) -> None:
    """What the command line printed are the scores, as far as it prints them."""
    scores = numbers(found)
    both = scores.keys() & told.keys()
    assert len(both) >= least
    assert {name: told[name] for name in both} == {name: scores[name] for name in both}


def test_gps_traces(run, tmp_path):
    original, aligned, public = (tmp_path / name for name in ("city.csv", "aligned.csv", "public.csv"))
    CITY.to_csv(original, index=False)
    steps = [word for step in STEPS for word in ("--step", step)]
    done = run("anonymise", original, "-o", aligned, "--publish", public, "--seed", 3, *steps)
    assert done.code == 0, done.err
    found = insanonym.anonymise(CITY, STEPS, seed=3)
    pd.testing.assert_frame_equal(renamed(as_read(found.aligned, tmp_path)), renamed(pd.read_csv(aligned)))
    published, sort = pd.read_csv(public), ["date", "latitude", "longitude"]
    pd.testing.assert_frame_equal(
        as_read(found.release, tmp_path).sort_values(sort, ignore_index=True)[sort],
        published.sort_values(sort, ignore_index=True)[sort],
    )
    assert found.release["id"].nunique() == published["id"].nunique()


def test_scores_of_gps_traces(run, tmp_path):
    original, aligned = tmp_path / "city.csv", tmp_path / "aligned.csv"
    release = insanonym.anonymise(CITY, STEPS).aligned
    CITY.to_csv(original, index=False)
    release.to_csv(aligned, index=False)
    told = run("score", original, aligned, "--json").json
    found = insanonym.score(CITY, release)
    assert found.privacy == told["privacy"]
    assert found.utility == told["utility"]["mean"]
    by_key = {f"attack.{name}": value for name, value in told["attacks"].items()}
    by_key |= {f"utility.{name}": value for name, value in told["utility"].items() if name != "mean"}
    by_key |= {f"privacy.{name}": value for name, value in told["privacy_measures"].items()}
    assert found.scores["value"][list(by_key)].to_dict() == by_key
    shares = found.scores["share"]
    assert {name: shares[f"attack.{name}"] for name in told["reidentified"]} == told["reidentified"]
    by_file = insanonym.score(original, aligned, attacks=["poi"])
    assert by_file.scores["value"].equals(found.scores["value"][by_file.scores.index])


def test_guesses_of_an_attack(run, tmp_path):
    original, aligned, guesses = (tmp_path / name for name in ("city.csv", "aligned.csv", "guesses.json"))
    release = insanonym.anonymise(CITY, STEPS).aligned
    CITY.to_csv(original, index=False)
    release.to_csv(aligned, index=False)
    assert run("attack", original, aligned, "--method", "poi", "-o", guesses).code == 0
    found = insanonym.attack(CITY, release, "poi")
    theirs = json.loads(guesses.read_text("utf-8"))
    rows = {(who, week, one) for who, weeks in theirs.items() for week, some in weeks.items() for one in some}
    assert set(found.guesses().itertuples(index=False, name=None)) == rows
    assert (
        found.scores["value"].iloc[0]
        == run("score-attack", original, aligned, guesses, "--json").json["score"]
    )


def test_a_table(run, tmp_path):
    file, out = tmp_path / "patients.csv", tmp_path / "out.csv"
    PATIENTS.to_csv(file, index=False)
    options = ("--qi", ",".join(QUASI), "--sensitive", SENSITIVE, "--seed", 5, "--all", "--json")
    told = run("table", "mondrian", file, "-o", out, "--choice", "random", "--k", 7, *options).json
    step = {"mondrian": {"k": 7, "choice": "random"}}
    found = insanonym.anonymise(PATIENTS, step, **ROLES, seed=5)
    pd.testing.assert_frame_equal(as_read(found.release, tmp_path), pd.read_csv(out))
    assert told["privacy"] == found.privacy
    assert_told(told, found, 15)


def test_risk_of_a_table(run, tmp_path):
    file = tmp_path / "patients.csv"
    PATIENTS.to_csv(file, index=False)
    told = run("table", "risk", file, "--qi", ",".join(QUASI), "--sensitive", SENSITIVE, "--json").json
    found = insanonym.risk(PATIENTS, QUASI, SENSITIVE)
    assert_told(told, found, 10)
    assert told["privacy"] == found.privacy


def test_two_tables(run, tmp_path):
    file, out = tmp_path / "patients.csv", tmp_path / "out"
    PATIENTS.to_csv(file, index=False)
    options = ("--qi", ",".join(QUASI), "--sensitive", SENSITIVE, "--seed", 5)
    assert run("table", "bucketise", file, "-o", out, *options).code == 0
    found = insanonym.anonymise(PATIENTS, "bucketise", **ROLES, seed=5)
    assert {f"{name}.csv" for name in found.tables} == {path.name for path in out.iterdir()}
    for name, frame in found.tables.items():
        pd.testing.assert_frame_equal(as_read(frame, tmp_path), pd.read_csv(out / f"{name}.csv"))


@pytest.mark.slow
def test_study_traces(run, tmp_path):
    file, out, plan = (tmp_path / name for name in ("studies.csv", "out.csv", "recipe.yaml"))
    ENROLMENTS.to_csv(file, index=False)
    columns = ["REGROUPEMENT_BAC", "NIVEAU_APRES_BAC"]
    steps = [
        insanonym.Step("suppress_rare_values", {"columns": columns, "k": 5}),
        insanonym.Step("count_traces", {"item": columns[1:], "order": ["ANNEE_INSCRIPTION"], "mask": 5}),
    ]
    found = insanonym.anonymise(ENROLMENTS, steps, identifier="CODE_INDIVIDU")
    write_recipe(found.recipe, plan)
    done = run("anonymise", file, "--recipe", plan, "-o", out)
    assert done.code == 0, done.err
    pd.testing.assert_frame_equal(as_read(found.release, tmp_path), pd.read_csv(out))
    report = run("report", _with_data(plan, file), "-o", tmp_path / "report", "--formats", "none", "--json")
    assert_told({key.partition(".")[2]: value for key, value in report.json.items()}, found, 7)


def _with_data(plan: Path, file: Path) -> Path:
    plan.write_text(f"data: {file}\n" + plan.read_text("utf-8"), "utf-8")
    return plan


@pytest.mark.slow
def test_avatars(run, tmp_path):
    file, out = tmp_path / "patients.csv", tmp_path / "out.csv"
    PATIENTS.to_csv(file, index=False)
    options = ("--k", 8, "--components", 4, "--seed", 5, "--drop", "admission_date", "--json")
    told = run("avatars", "make", file, "-o", out, *options).json
    found = insanonym.make_avatars(PATIENTS, 8, components=4, drop="admission_date", seed=5)
    pd.testing.assert_frame_equal(as_read(found.release, tmp_path), pd.read_csv(out))
    assert_told(told, found, 8)
    assert told["privacy"] == found.privacy
    kept = PATIENTS.drop(columns="admission_date")
    told = run("avatars", "score", file, out, "--drop", "admission_date", "--json").json
    scored = insanonym.score(kept, found.release)
    assert_told(told, scored, 8)


@pytest.mark.slow
def test_a_recipe(run, tmp_path):
    """The same file, recipe and seed, handed to `run` by name and as a DataFrame."""
    file, plan = tmp_path / "patients.csv", tmp_path / "recipe.yaml"
    PATIENTS.to_csv(file, index=False)
    roles = {"quasi": tuple(QUASI), "sensitive": (SENSITIVE,), "drop": ("admission_date",)}
    steps = (insanonym.Step("round_numbers", {}), insanonym.Step("mondrian", {"k": 4, "choice": "random"}))
    recipe = insanonym.Recipe(steps, data=str(file), kind="table", roles=roles, seed=2)
    write_recipe(recipe, plan)
    by_frame, by_file = insanonym.run(recipe, insanonym.read(file)), insanonym.run(plan)
    pd.testing.assert_frame_equal(by_frame.release, by_file.release)
    pd.testing.assert_frame_equal(by_frame.scores, by_file.scores)
    told = run("report", plan, "-o", tmp_path / "report", "--formats", "none", "--json").json
    assert_told({key.partition(".")[2]: value for key, value in told.items()}, by_file, 15)
