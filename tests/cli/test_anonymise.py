"""anonymise, demo and list on the command line."""

import csv

import pytest


def test_steps_make_a_legal_release(run, golden, tmp_path):
    out, lookup = tmp_path / "release.tsv", tmp_path / "lookup.csv"
    steps = [
        "--step",
        "planar_laplace radius=200",
        "--step",
        "delete_at_random share=0.1",
        "--step",
        "pseudonymise",
    ]
    found = run("anonymise", golden[0], "-o", out, *steps, "--seed", 3, "--lookup", lookup)
    assert found.code == 0
    assert "Seed 3: whoever" in found.err
    assert run("check", golden[0], out).code == 0
    report = run("score", golden[0], out, "--json").json
    assert report["deleted"] == round(0.1 * 1288)
    assert report["utility"]["date"] == pytest.approx(1 - report["deleted"] / 1288)
    with lookup.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert set(rows[0]) == {"id", "week", "pseudonym"}
    published = {line.split("\t")[0] for line in out.read_text().splitlines()}
    assert published - {"DEL"} == {row["pseudonym"] for row in rows}


def test_a_recipe_gives_the_same_as_its_steps(run, golden, tmp_path):
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text("seed: 5\nsteps:\n  - delete_at_random: {}\n  - gaussian_noise: {sigma: 50}\n")
    assert run("anonymise", golden[0], "-o", tmp_path / "a.tsv", "--recipe", recipe).code == 0
    steps = ["--step", "delete_at_random", "--step", "gaussian_noise sigma=50", "--seed", 5]
    assert run("anonymise", golden[0], "-o", tmp_path / "b.tsv", *steps).code == 0
    assert (tmp_path / "a.tsv").read_bytes() == (tmp_path / "b.tsv").read_bytes()


def test_without_a_seed_no_two_releases_are_alike(run, golden, tmp_path):
    for name in ("a.tsv", "b.tsv"):
        found = run("anonymise", golden[0], "-o", tmp_path / name, "--step", "pseudonymise")
        assert "Seed" not in found.err
    assert (tmp_path / "a.tsv").read_bytes() != (tmp_path / "b.tsv").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "either by --recipe FILE or by one or more --step"),
        (["--step", "blur"], "Step 1: There is no method 'blur'"),
        (["--step", "pseudonymise", "--step", "cloak k=zero"], "Step 2: The 'k' of cloak must be"),
        (["--step", "cloak", "--seed", "-1"], "seed of a recipe must be"),
        (["--recipe", "none.yaml"], "none.yaml cannot be read"),
        (["--recipe", "none.yaml", "--step", "cloak"], "either by --recipe"),
    ],
)
def test_wrong_calls(run, golden, tmp_path, arguments, message):
    found = run("anonymise", golden[0], "-o", tmp_path / "out.tsv", *arguments)
    assert found.code == 2
    assert message in found.err
    assert not (tmp_path / "out.tsv").exists()


def test_the_input_is_never_overwritten(run, golden, tmp_path):
    path = tmp_path / "data.tsv"
    path.write_bytes(golden[0].read_bytes())
    found = run("anonymise", path, "-o", path, "--step", "cloak", "--force")
    assert found.code == 2
    assert "also read" in found.err
    assert path.read_bytes() == golden[0].read_bytes()


def test_demo_mobility(run, tmp_path):
    out = tmp_path / "city.csv"
    assert run("demo", "mobility", "--users", 12, "--weeks", 2, "--seed", 1, "-o", out).code == 0
    found = run("score", out, out, "--attacks", "none", "--json").json
    assert set(found["utility"].values()) == {1.0}
    assert out.read_text().startswith("id,date,latitude,longitude\n")
    again = run("demo", "mobility", "--users", 12, "--weeks", 2, "--seed", 1, "-o", out)
    assert again.code == 2
    wrong = run("demo", "mobility", "--users", 0, "-o", tmp_path / "other.csv")
    assert wrong.code == 2
    assert "users" in wrong.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sort", "name", "number"), [("metrics", "meet", 12), ("methods", "cloak", 11), ("attacks", "heatmap", 8)]
)
def test_list(run, sort, name, number):
    assert name in run("list", sort).out
    entries = [entry for entry in run("list", sort, "--json").json[sort] if entry["data"] == "mobility"]
    assert len(entries) >= number
    assert any(entry["name"] == name for entry in entries)
    assert run("list", "colours").code == 2


def test_the_lookup_never_takes_the_name_of_the_release(run, golden, tmp_path):
    same = tmp_path / "same.csv"
    found = run("anonymise", golden[0], "-o", same, "--lookup", same, "--step", "pseudonymise", "--force")
    assert found.code == 2
    assert "named twice" in found.err
    assert not same.exists()


def test_a_recipe_without_steps_would_publish_the_original(run, golden, tmp_path):
    (tmp_path / "r.yaml").write_text("seed: 1\nsteps:\n")
    found = run("anonymise", golden[0], "-o", tmp_path / "o.tsv", "--recipe", tmp_path / "r.yaml")
    assert found.code == 1
    assert "has no steps" in found.err
    assert not (tmp_path / "o.tsv").exists()


def test_a_release_keeps_the_order_of_its_columns(run, golden, tmp_path):
    swapped, out = tmp_path / "swapped.tsv", tmp_path / "out.tsv"
    rows = [line.split("\t") for line in golden[0].read_text().splitlines()]
    swapped.write_text("".join("\t".join((*row[:2], *row[:1:-1])) + "\n" for row in rows))
    order = ["--columns", "id,date,longitude,latitude"]
    assert run("anonymise", swapped, "-o", out, "--step", "pseudonymise", *order).code == 0
    report = run("score", swapped, out, *order, "--attacks", "none", "--json").json
    assert set(report["utility"].values()) == {1.0}


def test_a_wrong_resolution_is_refused_before_anything_is_written(run, golden, tmp_path):
    for more in (("--publish", tmp_path / "p.tsv"), ()):
        targets = ("-o", tmp_path / "o.tsv", "--lookup", tmp_path / "l.csv", *more)
        found = run("anonymise", golden[0], "--step", "pseudonymise", *targets, "--digits", 99)
        assert found.code == 2
        assert "digits" in found.err
        assert list(tmp_path.iterdir()) == []


def test_a_header_in_another_order_does_not_swap_coordinates(run, tmp_path):
    rows = [f"a,2015-03-04 1{n}:00:00,4.{n},45.{n}" for n in range(5)]
    (tmp_path / "o.csv").write_text("id,date,longitude,latitude\n" + "\n".join(rows) + "\n")
    step = ("--step", "delete_at_random share=0")
    assert run("anonymise", tmp_path / "o.csv", *step, "-o", tmp_path / "r.tsv").code == 0
    scored = run("score", tmp_path / "o.csv", tmp_path / "r.tsv", "--attacks", "none", "--json").json
    assert scored["utility"]["distance"] == 1
