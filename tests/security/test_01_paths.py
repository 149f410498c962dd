"""A folder of this machine (often a user's name) does not stand in what is handed over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from insanonym_core.experiment import Report
from insanonym_core.experiment import run as run_recipe
from insanonym_core.figures.sweeps import sweep_card
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import read_recipe, recipe_from_text, write_recipe
from insanonym_core.report import write_report
from insanonym_core.sweep import plan_sweep, run_sweep
from insanonym_dashboard import downloads

SECRET = "folderofsomebody"


@pytest.fixture
def named(tmp_path: Path) -> Recipe:
    """A recipe with an absolute path."""
    folder = tmp_path / SECRET
    folder.mkdir()
    rows = [f"p{n},{20 + n % 5},{'xy'[n % 2]}" for n in range(60)]
    (folder / "clinic.csv").write_text("\n".join(["who,age,town", *rows]) + "\n")
    roles = {"identifier": "who", "quasi": ("age", "town")}
    return Recipe(
        (Step("mondrian", {"k": 5}),), data=str(folder / "clinic.csv"), kind="table", roles=roles, seed=1
    )


@pytest.fixture
def report(named: Recipe) -> Report:
    return run_recipe(named)


@pytest.mark.slow
def test_no_file_of_a_report_has_the_folder(report: Report, tmp_path: Path) -> None:
    made = write_report(report, tmp_path / "report", formats=("svg",))
    for path in made.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path.name
    assert "data: clinic.csv\n" in (made / "recipe.yaml").read_text()


def test_the_recipe_of_a_report_works_beside_its_data(report: Report, tmp_path: Path) -> None:
    made = write_report(report, tmp_path / "report", formats=())
    beside = tmp_path / SECRET / "recipe.yaml"
    beside.write_bytes((made / "recipe.yaml").read_bytes())
    again = read_recipe(beside)
    assert run_recipe(again).values() == report.values()
    page = (made / "index.html").read_text(encoding="utf-8")
    assert again.hash == report.recipe.hash
    assert again.hash in page


@pytest.mark.parametrize("make", [downloads.recipe, downloads.notebook, downloads.page])
def test_no_download_has_the_folder(report: Report, make: Any) -> None:
    content = make(report, "en")[1].decode()
    assert SECRET not in content
    assert "clinic.csv" in content


def test_the_card_of_a_sweep_has_the_base_name(named: Recipe) -> None:
    swept = run_sweep(plan_sweep({"m": named}, ["mondrian.k=5,10"]))
    assert sweep_card(swept).setting.startswith("clinic.csv · ")


def test_a_file_that_is_called_like_demonstration_data_stays_a_file(named: Recipe) -> None:
    shared = replace(named, data="/some/where/demo:patients").without_folders()
    assert shared.data == "./demo:patients"
    assert shared.place == Path("demo:patients")
    assert replace(named, data="demo:patients").without_folders().data == "demo:patients"


def test_a_recipe_that_is_saved_keeps_its_path(named: Recipe, tmp_path: Path) -> None:
    """Only what is handed over loses it."""
    write_recipe(named, tmp_path / "mine.yaml")
    assert read_recipe(tmp_path / "mine.yaml").data == named.data


def test_a_recipe_without_data_has_none() -> None:
    recipe = recipe_from_text("kind: table\nsteps: []\n")
    assert recipe.without_folders() == recipe
