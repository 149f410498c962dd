"""Issue 17, number 6: what is published holds nothing of the order of the original's rows."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import run as run_recipe
from insanonym_core.mobility.files import read_track
from insanonym_core.mobility.publication import Resolution, published_track, write_published_track
from insanonym_core.mobility.track import Track, week_label
from insanonym_core.mobility.writer import write_track
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods
from insanonym_core.tabular.table import Table
from insanonym_dashboard.downloads import MENU, TO_PUBLISH, TO_SCORE, entries

USERS, WEEKS = 20, 4
STEPS = [
    "--step",
    "planar_laplace radius=300",
    "--step",
    "delete_at_random share=0.1",
    "--step",
    "pseudonymise",
]


@pytest.fixture(scope="module")
def city() -> Track:
    return make_city(USERS, WEEKS).track


@pytest.fixture
def original(city, tmp_path) -> Path:
    write_track(city, tmp_path / "original.tsv")
    return tmp_path / "original.tsv"


def joined_by_position(path: Path, lookup: Path) -> tuple[int, int]:
    """An attacker reads from top to bottom and joins a pseudonym with the next one if its week is later."""
    with lookup.open(newline="") as file:
        person = {row["pseudonym"]: row["id"] for row in csv.DictReader(file)}
    kept = read_track(path).kept
    week = dict(zip(kept.token.tolist(), kept.week.tolist(), strict=True))
    order = [kept.tokens[token] for token in dict.fromkeys(kept.token.tolist())]
    weeks = {kept.tokens[token]: number for token, number in week.items()}
    joined = [(one, other) for one, other in itertools.pairwise(order) if weeks[one] < weeks[other]]
    return sum(person[one] == person[other] for one, other in joined), len(joined)


def test_weekly_pseudonyms_are_not_joined_by_position(run, original, tmp_path):
    aligned, public, lookup = (tmp_path / name for name in ("score.tsv", "public.tsv", "lookup.csv"))
    found = run("anonymise", original, *STEPS, "-o", aligned, "--publish", public, "--lookup", lookup)
    assert found.code == 0, found.err
    right, tried = joined_by_position(aligned, lookup)
    assert right == tried > USERS  # what the order gave away
    right, tried = joined_by_position(public, lookup)
    assert tried > USERS / 2
    assert right <= tried * 5 / USERS  # chance finds one in twenty; five times that is out of its reach


def test_a_published_file_is_sorted_and_holds_no_deleted_row(run, original, tmp_path):
    aligned, public = tmp_path / "score.tsv", tmp_path / "public.tsv"
    assert run("anonymise", original, *STEPS, "-o", aligned, "--publish", public).code == 0
    rows = [line.split("\t") for line in public.read_text().splitlines()]
    keys = [(row[0], row[1], float(row[2]), float(row[3])) for row in rows]
    assert keys == sorted(keys)
    kept = [line for line in aligned.read_text().splitlines() if not line.startswith("DEL")]
    assert len(rows) == len(kept) < len(aligned.read_text().splitlines())
    assert sorted(row[0] for row in rows) == sorted(line.split("\t")[0] for line in kept)
    assert max(decimals(row) for row in rows) == 5
    assert run("check", original, aligned).code == 0  # the other one is still what is scored


def decimals(row: list[str]) -> int:
    return max(len(text.partition(".")[2]) for text in row[2:])


@pytest.mark.parametrize("form", ["tsv", "csv", "parquet"])
def test_the_file_is_the_same_for_every_order_of_the_rows(city, tmp_path, form):
    """Ties and zeros included: the file is a function of the set of rows."""
    draw = np.random.default_rng(5)
    rows = draw.integers(0, 3, len(city))
    track = city.changed(  # many equal rows, zeros of both signs, differences below the resolution
        latitude=np.where(rows == 0, -0.0, np.where(rows == 1, 0.0, 1e-9)),
        longitude=np.round(city.longitude, 2) + draw.choice([0.0, 1e-8], len(city)),
        time=city.time // 3600 * 3600 * 1_000_000 + draw.integers(0, 2, len(city)),
        resolution=1_000_000,
        token=np.where(draw.random(len(city)) < 0.1, -1, city.token).astype(np.int32),
    )
    files = set()
    for number in range(4):
        order = np.arange(len(track)) if number == 0 else draw.permutation(len(track))
        path = tmp_path / f"{number}.{form}"
        write_published_track(track.take(order), path, Resolution())
        files.add(path.read_bytes())
    assert len(files) == 1


def test_people_in_another_order_give_the_same_file(city, tmp_path):
    """The blocks of the people permuted, as they would stand in another original."""
    blocks = [np.flatnonzero(city.individual == one) for one in range(len(city.individuals))]
    draw = np.random.default_rng(1)
    mixed = city.take(np.concatenate([blocks[place] for place in draw.permutation(len(blocks))]))
    grid = methods.get("snap_to_grid", data="mobility").item(decimals=2)
    for name, track in (("a", city), ("b", mixed)):
        write_published_track(grid.apply(track, draw), tmp_path / name, Resolution(2))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_nothing_of_the_people_is_in_what_is_published(city):
    public = published_track(city, Resolution())
    assert public.individual is not city.individual
    assert (public.individual == public.token).all()


@pytest.mark.parametrize(
    ("steps", "flags", "digits", "ending"),
    [
        (["snap_to_grid decimals=2"], [], 2, ""),
        (["planar_laplace radius=300", "snap_to_grid decimals=3"], [], 3, ""),
        (["snap_to_grid decimals=2", "gaussian_noise"], [], 5, ""),
        (["snap_to_grid decimals=2", "jitter_time", "pseudonymise"], [], 2, ""),
        (["planar_laplace radius=300"], ["--digits", 4, "--time-resolution", "minute"], 4, ":00"),
        (["planar_laplace radius=300"], ["--digits", 0, "--time-resolution", "day"], 0, "00:00:00"),
    ],
)
def test_digits_and_times_are_as_declared(run, original, tmp_path, steps, flags, digits, ending):
    public = tmp_path / "public.csv"
    given = [part for step in steps for part in ("--step", step)]
    found = run("anonymise", original, *given, "--publish", public, *flags)
    assert found.code == 0, found.err
    assert f"coordinates with {digits} decimals" in " ".join(found.err.split())
    frame = pd.read_csv(public, dtype=str)
    rows = frame.to_numpy().tolist()
    assert max(decimals([*row[:2], *(text.removesuffix(".0") for text in row[2:])]) for row in rows) == digits
    assert frame["date"].str.endswith(ending).all()
    assert frame["date"].str.len().max() == len("2020-01-01 00:00:00")
    weeks = {week_label(int(week)) for week in read_track(public).week}
    assert weeks <= {week_label(int(week)) for week in read_track(original).week}


def test_every_method_that_changes_places_declares_its_digits(city):
    for entry in methods.all(data="mobility"):
        method = entry.item()
        made = method.apply(city, np.random.default_rng(1))
        moved = not np.array_equal(made.kept.latitude, city.take(made.kept_row_numbers).latitude)
        assert moved == hasattr(method, "published_digits"), entry.name


def test_original_ids_are_told(run, original, tmp_path):
    found = run("anonymise", original, "--step", "gaussian_noise", "--publish", tmp_path / "a.tsv")
    assert "published ids are the original ones" in found.err
    found = run("anonymise", original, "--step", "pseudonymise", "--publish", tmp_path / "b.tsv")
    assert "original ones" not in found.err


def test_a_release_without_rows_is_an_empty_file(run, original, tmp_path):
    public = tmp_path / "public.tsv"
    found = run("anonymise", original, "--step", "delete_at_random share=1", "--publish", public)
    assert found.code == 0
    assert public.read_text() == ""


def test_the_aligned_file_is_called_to_score_not_to_publish(run, original, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    found = run("anonymise", original, *STEPS, "-o", tmp_path / "score.tsv")
    assert "to score, not to publish" in " ".join(found.err.split())
    told = " ".join(run("anonymise", "--help").out.replace("│", " ").split())
    assert "to score, not to publish" in told
    assert "--publish" in told
    league = Path(__file__).parents[2] / "docs" / "league.md"
    assert "to score, not to publish" in " ".join(league.read_text("utf-8").replace("*", "").split())


def test_wrong_calls(run, original, tmp_path):
    for arguments, said in (
        ([], "Name a file to write"),
        (["--publish", original, "--force"], "also read"),
        (["-o", tmp_path / "a", "--publish", tmp_path / "a"], "named twice"),
        (["--publish", tmp_path / "a", "--digits", 8], "must be at most 7"),
        (["--publish", tmp_path / "a", "--digits", -1], "must be 0 or more"),
        (["--publish", tmp_path / "a", "--time-resolution", "week"], "second, minute, hour, day"),
    ):
        found = run("anonymise", original, *STEPS, *arguments)
        assert found.code == 2
        assert said in found.err
        assert not (tmp_path / "a").exists()


@pytest.mark.slow
def test_the_dashboard_has_both_and_tells_them_apart():
    recipe = Recipe((Step("gaussian_noise"), Step("delete_at_random"), Step("pseudonymise")), "demo:mobility")
    report = run_recipe(recipe, only=["utility.date"])
    assert {TO_PUBLISH, TO_SCORE} <= set(entries(recipe))
    name, content, _ = MENU[TO_PUBLISH](report, "en")
    rows = content.decode().splitlines()
    assert name == "release_to_publish.tsv"
    assert rows == sorted(rows, key=lambda row: row.split("\t")[:2])
    assert len(rows) == report.kept
    name, content, _ = MENU[TO_SCORE](report, "en")
    assert name == "release_to_score_not_to_publish.tsv"
    assert len(content.decode().splitlines()) == report.rows


def test_tables_have_one_release_in_no_order_of_the_original(run, tmp_path):
    frame = pd.DataFrame({"age": [30, 20, 50, 40] * 5, "illness": list("badc") * 5})
    for steps in ((), (Step("suppress_rare_values", {"k": 2}),)):
        recipe = Recipe(steps, kind="table", roles={"quasi": ("age",), "sensitive": ("illness",)})
        assert TO_SCORE not in entries(recipe)
        report = run_recipe(recipe, data=Table.from_frame(frame), only=["utility.rows_kept"])
        rows = MENU[TO_PUBLISH](report, "en")[1].decode().splitlines()[1:]
        assert rows == sorted(rows)
    frame.to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "r.yaml").write_text(
        "kind: table\nroles: {quasi: [age]}\nsteps: [suppress_rare_values: {k: 2}]\n"
    )
    both = ["-o", tmp_path / "a.csv", "--publish", tmp_path / "b.csv"]
    call = ["anonymise", tmp_path / "table.csv", "--recipe", tmp_path / "r.yaml"]
    assert run(*call, *both).code == 0
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert run(*call, "--publish", tmp_path / "c.csv", "--digits", 2).code == 2
