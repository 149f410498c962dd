"""Issue 17, number 5: direct identifiers are not published unless somebody names them; guesses are told."""

from pathlib import Path

import pandas as pd
import pytest
import yaml

from insanonym_core.errors import UsageError
from insanonym_core.experiment import make_release
from insanonym_core.experiment import run as run_recipe
from insanonym_core.recipe import Recipe, identifiers_of
from insanonym_core.recipe_file import recipe_from_text, recipe_to_text
from insanonym_core.registry import methods
from insanonym_core.report import write_report
from insanonym_core.tabular.table import Table
from tests.security.hospital import DIRECT, PEOPLE, everything_in, hospital, refuse_markers

QUASI, SENSITIVE = "age,town", "diagnosis"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "hospital.csv"
    hospital().to_csv(path, index=False)
    return path


COMMANDS = {
    "mondrian": ("table", "mondrian", "--qi", QUASI, "--sensitive", SENSITIVE),
    "generalise": ("table", "generalise", "--column", "age"),
    "suppress-rare": ("table", "suppress-rare", "--k", "2", "--columns", "town,diagnosis"),
    "suppress-rare-all": ("table", "suppress-rare", "--k", "1"),
    "grow": ("table", "grow", "--start", "town", "--max-loss", "1", "--k", "1"),
    "bucketise": ("table", "bucketise", "--qi", QUASI, "--sensitive", SENSITIVE),
    "pseudonymise": ("table", "pseudonymise", "--column", "name"),
    "avatars": ("avatars", "make"),
    "traces": ("traces", "build", "--id", "name", "--order", "year", "--item", "diagnosis"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_writes_direct_identifiers(run, data, tmp_path, command):
    group, name, *options = COMMANDS[command]
    out = tmp_path / "out" / ("two_tables" if command == "bucketise" else "release.csv")
    out.parent.mkdir()
    ran = run(group, name, data, *options, "-o", out, "--json")
    assert ran.code == 0, ran.err
    refuse_markers(everything_in(out.parent), "file")
    refuse_markers(ran.out, "--json")
    refuse_markers(ran.err, "standard error")
    told = {one["column"]: one["why"] for one in ran.json["not_published"]}
    assert set(told) == set(DIRECT) - ({"name"} if command == "pseudonymise" else set())
    assert all(told.values())
    assert "weight" not in told
    assert "roles_guessed" in ran.json
    assert "Not published: " in ran.err
    assert "telephone (telephone numbers" in ran.err


def test_risk_says_what_is_not_published(run, data):
    ran = run("table", "risk", data, "--qi", QUASI, "--json")
    assert [one["column"] for one in ran.json["not_published"]] == list(DIRECT)
    assert ran.json["roles_guessed"] == []


STEPS = {
    "mondrian": "{mondrian: {k: 3}}",
    "generalise_column": "{generalise_column: {column: age, k: 3}}",
    "bucketise": "{bucketise: {k: 4, l: 2}}",
    "pseudonymise": "{pseudonymise: {column: name}}",
    "suppress_rare_values": "{suppress_rare_values: {k: 1}}",
    "suppress_rare_rows": "{suppress_rare_rows: {k: 1}}",
    "grow_projection": "{grow_projection: {start: [town], k: 1, max_loss: 1.0}}",
    "suppress_cells": "{suppress_cells: {k: 3}}",
    "microaggregate": "{microaggregate: {columns: [age], k: 3}}",
    "swap_ranks": "swap_ranks",
    "pram": "pram",
    "add_noise": "add_noise",
    "drop_columns": "{drop_columns: {columns: [town]}}",
    "recode": "recode",
    "top_bottom_code": "top_bottom_code",
    "round_numbers": "{round_numbers: {step: 10}}",
}
ROLES = "roles: {quasi: [age, town], sensitive: [diagnosis]}"


def test_every_table_method_is_tried():
    assert set(STEPS) == {entry.name for entry in methods.all(data="table")}


def plan(data: Path, steps: str, roles: str = ROLES, kind: str = "table") -> Recipe:
    return recipe_from_text(f"data: {data}\nkind: {kind}\n{roles}\nsteps: [{steps}]")


@pytest.mark.slow
@pytest.mark.parametrize("guessed", [False, True])
@pytest.mark.parametrize("method", STEPS)
def test_no_method_publishes_or_reports_direct_identifiers(data, tmp_path, method, guessed):
    report = run_recipe(plan(data, STEPS[method], "" if guessed else ROLES))
    assert not set(DIRECT) - {"name"} & set(report.release.published.columns)
    refuse_markers(report.release.frame.to_csv(), "release")
    for lang in ("en", "fr"):
        folder = write_report(report, tmp_path / lang, lang=lang, formats=())
        refuse_markers(everything_in(folder), "report")
    page = (tmp_path / "en" / "index.html").read_text()
    assert "Not published: " in page
    assert "telephone (telephone numbers" in page
    assert "numéros de téléphone" in (tmp_path / "fr" / "index.html").read_text()
    assert ("Roles guessed from names and values" in page) == (
        guessed or "identifier" in report.facts["roles_guessed"]
    )


@pytest.mark.slow
def test_avatars_and_traces_of_recipes(data, tmp_path):
    count = "{count_traces: {item: [diagnosis], order: [year]}}"
    for kind, steps in (("avatars", "mix_neighbours"), ("traces", count)):
        report = run_recipe(plan(data, steps, "", kind))
        assert {name for name, _ in report.facts["not_published"]} == set(DIRECT)
        assert report.facts["roles_guessed"] == ("identifier",)
        folder = write_report(report, tmp_path / kind, formats=())
        refuse_markers(everything_in(folder), kind)
        assert "Not published: " in (folder / "index.html").read_text()
    assert not set(DIRECT) & set(
        run_recipe(plan(data, "mix_neighbours", "", "avatars")).release.original.columns
    )


@pytest.mark.slow
def test_anonymise_report_and_sweep(run, data, tmp_path):
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(f"data: {data}\nkind: table\nseed: 1\nsteps: [{{mondrian: {{k: 3}}}}]\n")
    out = tmp_path / "out"
    out.mkdir()
    made = run("anonymise", data, "--recipe", recipe, "-o", out / "release.csv")
    assert made.code == 0, made.err
    report = run("report", recipe, "-o", out / "report", "--formats", "none", "--json")
    swept = run("sweep", recipe, "--over", "mondrian.k=2,3", "-o", out / "sweep.csv", "--json")
    for ran in (made, report, swept):
        refuse_markers(ran.out + ran.err, "output")
        assert "Not published: " in ran.err
        assert "Roles guessed from names and values" in ran.err
    refuse_markers(everything_in(out), "files")
    for told in (report.json, swept.json["columns"]["recipe"]):
        assert {one["column"] for one in told["not_published"]} == set(DIRECT)
        assert told["roles_guessed"] == ["quasi", "sensitive", "identifier"]


def test_anonymise_takes_roles_from_the_command_line(run, data, tmp_path):
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("kind: table\nroles: {quasi: [age, town]}\nsteps: [{mondrian: {k: 3}}]\n")
    out = tmp_path / "release.csv"
    options = ("--id", "name,ssn", "--drop", "weight", "--publish-columns", "email")
    ran = run("anonymise", data, "--recipe", recipe, "-o", out, *options)
    assert ran.code == 0, ran.err
    assert list(pd.read_csv(out).columns) == ["email", "town", "age", "year", "diagnosis"]
    gps = run("anonymise", data, "--step", "pseudonymise", "-o", tmp_path / "x.csv", "--drop", "a")
    assert gps.code == 1 or gps.code == 2
    assert "--drop cannot be used with GPS traces" in gps.err


def test_named_columns_are_published_dropped_ones_are_not(run, data, tmp_path):
    out = tmp_path / "release.csv"
    options = ("--qi", QUASI, "--publish-columns", "name", "--drop", "weight,year", "--id", "ssn,email")
    ran = run("table", "mondrian", data, *options, "-o", out, "--json")
    assert ran.code == 0, ran.err
    assert list(pd.read_csv(out).columns) == ["name", "town", "age", "diagnosis"]
    assert ran.json["k_individuals"] == ran.json["k"]  # the first identifier tells individuals apart
    told = {one["column"]: one["why"] for one in ran.json["not_published"]}
    assert told["ssn"] == told["email"] == "identifier"
    assert told["weight"] == told["year"] == "dropped on request"
    assert told["telephone"].startswith("telephone numbers")


def test_roles_that_a_user_names_are_kept(run, data, tmp_path):
    out = tmp_path / "release.csv"
    ran = run("table", "mondrian", data, "--qi", "age,name", "--k", "2", "-o", out, "--json")
    assert ran.code == 0, ran.err
    assert "name" in pd.read_csv(out).columns
    step = plan(data, "{suppress_rare_values: {columns: [name], k: 1}}", ROLES[:-1] + ", identifier: ssn}")
    assert "name" in make_release(step).release.published.columns


def test_pseudonyms_replace_one_identifier_and_leave_the_others_out(run, data, tmp_path):
    out = tmp_path / "release.csv"
    ran = run("table", "pseudonymise", data, "--id", "ssn,name", "--column", "ssn", "-o", out, "--json")
    frame = pd.read_csv(out)
    assert list(frame.columns) == ["ssn", "town", "age", "weight", "year", "diagnosis"]
    assert frame["ssn"].nunique() == PEOPLE
    refuse_markers(out.read_text(), "release")
    assert [one["column"] for one in ran.json["not_published"]] == ["name", "email", "telephone"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--drop", "nobody"),
            "list of columns to drop must name columns of the table, got 'nobody', which is no column",
        ),
        (
            ("--publish-columns", "nobody"),
            "list of columns to publish must name columns of the table, got 'nobody', which is no column",
        ),
        (
            ("--id", "name,nobody"),
            "identifier must name columns of the table, got 'nobody', which is no column",
        ),
        (("--id", "name,name"), "identifier must name each column once, got 'name' twice"),
        (("--drop", "age"), "'age' cannot be quasi-identifier and dropped at once"),
        (("--id", "name", "--publish-columns", "name"), "'name' cannot be identifier and published at once"),
        (("--drop", "year", "--publish-columns", "year"), "'year' cannot be dropped and published at once"),
        (("--drop", "name", "--id", "name"), "'name' cannot be identifier and dropped at once"),
    ],
)
def test_wrong_names_are_one_sentence(run, data, tmp_path, options, message):
    ran = run("table", "mondrian", data, "--qi", QUASI, *options, "-o", tmp_path / "release.csv")
    assert ran.code != 0
    assert message in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert not (tmp_path / "release.csv").exists()


def test_values_of_hidden_columns_do_not_come_back_as_losses_or_items(run, data, tmp_path):
    out = tmp_path / "release.csv"
    lost = run("table", "suppress-rare", data, "--by", "name", "--columns", "town", "-o", out)
    traced = ("traces", "build", data, "--id", "name,ssn", "--order", "year", "--item", "ssn", "-o", out)
    for ran in (lost, run(*traced)):
        assert ran.code != 0
        assert "is not published" in ran.err
    with pytest.raises(UsageError, match="'email' is not published"):
        make_release(plan(data, STEPS["mondrian"], ROLES[:-1] + ", by: email}"))


def test_nothing_left_to_publish_is_an_error(run, tmp_path):
    data = tmp_path / "names.csv"
    hospital()[["name", "email"]].to_csv(data, index=False)
    for group, name, *more in (("table", "suppress-rare", "--k", "1"), ("avatars", "make")):
        ran = run(group, name, data, "-o", tmp_path / "out.csv", *more)
        assert ran.code != 0
        assert "No column is left" in ran.err


def test_a_recipe_round_trip_keeps_every_role(data):
    text = (
        "kind: table\nroles: {identifier: [name, ssn], quasi: [age], sensitive: [diagnosis], drop: [weight], "
        "publish: [email], guessed: [quasi]}\nsteps: [{mondrian: {k: 3}}]\n"
    )
    recipe = recipe_from_text(text)
    assert recipe_from_text(recipe_to_text(recipe)) == recipe
    assert yaml.safe_load(recipe_to_text(recipe))["roles"]["identifier"] == ["name", "ssn"]
    assert identifiers_of(recipe.roles) == ("name", "ssn")
    assert identifiers_of(recipe_from_text(text.replace("[name, ssn]", "name")).roles) == ("name",)
    made = make_release(recipe, Table.from_frame(hospital()))
    assert list(made.release.published.columns) == ["email", "town", "age", "year", "diagnosis"]
    assert made.facts["roles_guessed"] == ("quasi",)


def test_without_stays_an_alias_of_drop(run, data, tmp_path):
    recipe = plan(data, STEPS["mondrian"], ROLES + "\nreading: {without: [weight]}")
    made = make_release(recipe)
    assert "weight" not in made.release.published.columns
    assert dict(made.facts["not_published"])["weight"] == "dropped on request"
    for option in ("--without", "--drop"):
        out = tmp_path / f"{option}.csv"
        assert run("avatars", "make", data, option, "weight,year", "-o", out).code == 0
        assert list(pd.read_csv(out).columns) == ["town", "age", "diagnosis"]
    scored = run("avatars", "score", data, out, "--drop", "weight,year", "--json")
    assert scored.code == 0, scored.err  # what `make` left out need not be named
