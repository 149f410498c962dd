"""What failed when files were tried as a new user would, each as a test."""

from __future__ import annotations

import csv
import json
import zipfile

import pytest

from insanonym_core.experiment import load, make_release
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tabular.files import read_frame
from tests.reading.files import gpx, grid, workbook
from tests.reading.office import FRENCH, NAMES, TABLES, traces

XLSX = next(one for one in TABLES if one.name == "book.xlsx")


def test_a_workbook_is_read(run, tmp_path):
    (tmp_path / "book.xlsx").write_bytes(XLSX.content)
    found = run("table", "risk", tmp_path / "book.xlsx", "--qi", "ville", "--json")
    assert found.json["rows"] == 8


def test_latin_1_is_read_in_tables_and_traces(run, tmp_path):
    (tmp_path / "t.csv").write_bytes(FRENCH.encode("latin-1"))
    (tmp_path / "m.csv").write_bytes(traces().encode("latin-1"))
    assert run("table", "risk", tmp_path / "t.csv", "--qi", "ville", "--json").json["rows"] == 8
    assert run("check", tmp_path / "m.csv", tmp_path / "m.csv").code == 0


def test_days_before_months_are_dates_in_traces_and_tables(run, tmp_path):
    (tmp_path / "m.csv").write_text(traces("%d/%m/%Y %H:%M"), "utf-8")
    assert run("check", tmp_path / "m.csv", tmp_path / "m.csv").code == 0
    (tmp_path / "t.csv").write_text(FRENCH, "utf-8")
    out = tmp_path / "out.csv"
    run("table", "mondrian", tmp_path / "t.csv", "-o", out, "--k", 4, "--qi", "naissance", "--drop", "nom")
    with out.open(encoding="utf-8", newline="") as file:
        born = {row["naissance"] for row in csv.DictReader(file, delimiter=";")}
    assert all(text.startswith("[") and text.count("/") == 4 for text in born), "intervals, not sets of texts"


def test_a_table_command_and_a_recipe_make_one_release_of_decimal_commas(run, tmp_path):
    (tmp_path / "t.csv").write_text(FRENCH, "utf-8")
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "kind: table\nseed: 3\nroles: {identifier: nom, quasi: [taille, ville]}\nsteps:\n- mondrian: {k: 3}\n"
    )
    run("anonymise", tmp_path / "t.csv", "--recipe", recipe, "--publish", tmp_path / "a.csv")
    options = ["--id", "nom", "--qi", "taille,ville", "--k", 3, "--seed", 3, "-o", tmp_path / "b.csv"]
    run("table", "mondrian", tmp_path / "t.csv", *options)
    one, other = ((tmp_path / name).read_text().splitlines() for name in ("a.csv", "b.csv"))
    assert sorted(one) == sorted(other)
    assert any("[1,6; 1,75]" in line or "[1,55; " in line for line in one)


@pytest.mark.slow
@pytest.mark.parametrize("road", ["table", "recipe"])
def test_no_direct_identifier_is_published_unless_it_is_named(run, tmp_path, road):
    rows = [f"{name};{n:05d};{n % 3 + 30};0612345{n:03d};x{n % 2}" for n, name in enumerate(NAMES * 3)]
    lines = ["nom;dossier;age;contact;diagnostic", *rows]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", "utf-8")
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("kind: table\nroles: {identifier: dossier, quasi: [age]}\nsteps:\n- mondrian: {k: 5}\n")

    def published(*more: str) -> str:
        out = tmp_path / "out.csv"
        call = (
            ("table", "mondrian", tmp_path / "t.csv", "-o", out, "--k", 5, "--qi", "age", "--id", "dossier")
            if road == "table"
            else ("anonymise", tmp_path / "t.csv", "--recipe", recipe, "-o", out)
        )
        done = run(*call, "--force", *more)
        assert done.code == 0, done.err
        assert "Not published: nom (names of people, by the name of the column)" in done.err or more
        return out.read_text("utf-8")

    assert published().splitlines()[0] == "age;diagnostic"
    assert not any(name in published() for name in NAMES)
    assert "nom" in published("--publish-columns", "nom").splitlines()[0]
    assert published("--role", "contact=publish").splitlines()[0] == "age;contact;diagnostic"
    assert published("--id", "dossier,nom", "--drop", "contact,diagnostic").splitlines()[0] == "age"


def test_tracks_of_a_device_are_read(run, tmp_path):
    points = [(f"2024-03-{day:02d}T0{hour}:00:00Z", 45.7, 4.8) for day in range(4, 9) for hour in (6, 8)]
    (tmp_path / "walk.gpx").write_bytes(gpx(points))
    found = load(Recipe((), data=str(tmp_path / "walk.gpx"), kind="mobility"))
    assert found.individuals == ("walk",)
    zoned = load(
        Recipe((), data=str(tmp_path / "walk.gpx"), kind="mobility", reading={"zone": "Europe/Paris"})
    )
    assert (zoned.time - found.time).tolist() == [3600] * 10
    done = run(
        "anonymise", tmp_path / "walk.gpx", "-o", tmp_path / "o.csv", "--step", "snap_to_grid decimals=2"
    )
    assert "hours are UTC" in done.err
    done = run("look", tmp_path / "walk.gpx", "--json", "--zone", "Europe/Paris")
    assert done.json["people"] == 1


def test_pseudonyms_of_own_data_do_not_follow_from_the_seed(tmp_path):
    (tmp_path / "m.csv").write_text(traces(), "utf-8")
    steps = Step("planar_laplace", {"radius": 100}), Step("pseudonymise")
    recipe = Recipe(steps, data=str(tmp_path / "m.csv"), seed=5)
    one, other = (make_release(recipe).release.release for _ in range(2))
    assert not {*one.tokens} & {*other.tokens}
    assert one.latitude.tolist() == other.latitude.tolist()

    def by_first_row(track):
        """Tokens renamed by the row in which they first stand."""
        first: dict[int, int] = {}
        return [first.setdefault(code, len(first)) for code in track.token.tolist()]

    assert by_first_row(one) == by_first_row(other)


def test_a_workbook_with_cells_far_apart_is_refused_and_ends_nothing(run, tmp_path):
    (tmp_path / "bomb.xlsx").write_bytes(workbook({"A1": 1.0, "XFD1048576": 2.0}))
    done = run("look", tmp_path / "bomb.xlsx")
    assert done.code == 1
    assert "too much memory" in done.err


@pytest.mark.slow
def test_what_look_prints_shows_nobody(run, tmp_path):
    secret = [f"Zq{n}-Zörbächer-{n * 7919:08d}" for n in range(40)]
    rows = [
        f"{who};{n + 20};{12.5 + n};{n % 28 + 1:02d}/03/1980;{who.lower()}@ex.org"
        for n, who in enumerate(secret)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["qui;age;poids;né;courriel", *rows]) + "\n", "utf-8")
    for more in ([], ["--json"], ["--lang", "fr"], ["--id", "qui"], ["--type", "né=text"]):
        done = run("look", tmp_path / "t.csv", *more)
        assert done.code == 0, done.err
        assert not any(who[:6] in done.out + done.err for who in secret)
        assert "03/1980" not in done.out
    found = json.loads(run("look", tmp_path / "t.csv", "--json").out)
    types = {column["name"]: column["type"] for column in found["columns"]}
    assert types == {"qui": "text", "age": "number", "poids": "number", "né": "date", "courriel": "text"}
    assert [column["name"] for column in found["columns"] if not column["published"]] == ["qui", "courriel"]
    assert found["columns"][3]["outlines"] == ["99/99/9999"]


def test_a_sheet_with_a_title_and_dates_as_numbers(run, tmp_path):
    rows: list[list[str | float]] = [["code", "day"], *([f"{n:05d}", f"date:{45000 + n}"] for n in range(12))]
    (tmp_path / "b.xlsx").write_bytes(workbook(grid(rows, first=4)))
    found = json.loads(run("look", tmp_path / "b.xlsx", "--json").out)
    assert [column["type"] for column in found["columns"]] == ["text", "date"]
    assert found["rows"] == 12


def test_what_is_said_of_an_original_does_not_spoil_its_release(run, tmp_path):
    head = ("who", "when", "one", "other")
    (tmp_path / "m.csv").write_text(traces("%d/%m/%Y %H:%M:%S", header=head).replace("/12/", "/03/"), "utf-8")
    ambiguous = (
        (tmp_path / "m.csv").read_text().replace("14/", "01/").replace("15/", "02/").replace("28/", "08/")
    )
    (tmp_path / "m.csv").write_text(ambiguous, "utf-8")
    said = ["--columns", "id=who,date=when,latitude=one,longitude=other", "--type", "date=date:dmy"]
    done = run(
        "anonymise", tmp_path / "m.csv", "-o", tmp_path / "r.tsv", "--step", "snap_to_grid decimals=2", *said
    )
    assert done.code == 0, done.err
    assert run("check", tmp_path / "m.csv", tmp_path / "r.tsv", *said).code == 0
    assert run("check", tmp_path / "m.csv", tmp_path / "r.tsv", *said[:2]).code == 1


def test_a_release_as_a_workbook_reads_back_and_runs_nothing(run, tmp_path):
    cells = ["=1+1", "@SUM(A1)", "http://x.example", "01000", "-3"] * 6
    lines = [f"{text};{n % 3};{n + 0.5};{n % 27 + 1:02d}/01/1899" for n, text in enumerate(cells)]
    (tmp_path / "t.csv").write_text("\n".join(["what;age;size;day", *lines]) + "\n", "utf-8")
    out = tmp_path / "o.xlsx"
    done = run("table", "suppress-rare", tmp_path / "t.csv", "-o", out, "--columns", "age", "--k", 2)
    assert done.code == 0, done.err
    with zipfile.ZipFile(out) as book:
        sheet = book.read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert b"hyperlink" not in sheet
    again = read_frame(out)
    assert sorted(again["what"]) == sorted(cells)
    assert sorted(again["size"]) == [n + 0.5 for n in range(30)]
    assert (again["day"].dt.year == 1899).all()
    (tmp_path / "m.csv").write_text(traces(), "utf-8")
    step = ["--step", "snap_to_grid decimals=2"]
    done = run("anonymise", tmp_path / "m.csv", "--publish", tmp_path / "m.xlsx", *step)
    assert (done.code, (tmp_path / "m.xlsx").exists()) == (2, False)
