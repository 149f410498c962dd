"""A kind of data that another package brings is found everywhere, without any other change."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser_dashboard.serving import opened, running, wait_for

PACKAGE = Path(__file__).parent / "throwaway"
ROOT = PACKAGE.parents[2]
VARIABLES = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "dashboard", PACKAGE)))}
COMMAND = "from insanonym_core.cli import main; main()"
pytestmark = pytest.mark.slow  # each command is a process
RECIPE = "data: demo:numbers\nseed: 3\nsteps:\n  - blur_numbers: {sigma: 2}\n"


@pytest.fixture
def insanonym(tmp_path):
    """The command in a process that has the package installed."""

    def call(*arguments: object, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, *map(str, arguments)],
            env={**os.environ, **VARIABLES},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    (tmp_path / "recipe.yaml").write_text(RECIPE)
    (tmp_path / "own.csv").write_text("\n".join(f"{n},{n * n}" for n in range(20)))
    return call


def rows_of(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text().splitlines()))


def test_it_is_listed(insanonym):
    for sort, name in (("methods", "blur_numbers"), ("metrics", "closeness")):
        found = json.loads(insanonym("list", sort, "--json"))[sort]
        assert [entry["data"] for entry in found if entry["name"] == name] == ["numbers"]
        assert {entry["data"] for entry in found} > {"mobility", "table", "avatars"}


def test_a_file_is_anonymised(insanonym, tmp_path):
    insanonym("anonymise", "own.csv", "--recipe", "recipe.yaml", "-o", "release.csv")
    rows = [[float(cell) for cell in row] for row in rows_of(tmp_path / "release.csv")]
    assert len(rows) == 20
    assert rows == sorted(rows)
    (tmp_path / "bad.csv").write_text("1,2\nx,3\n")
    said = insanonym("anonymise", "bad.csv", "--recipe", "recipe.yaml", "-o", "no.csv", code=1)
    assert said.splitlines()[-1] == "bad.csv, lines 2: must hold 2 numbers, separated by commas."
    said = insanonym("anonymise", "own.csv", "--step", "blur_numbers", "-o", "no.csv", "--digits", 2, code=2)
    assert "--digits cannot be used with numbers" in said


def test_it_is_swept(insanonym, tmp_path):
    sigmas = "blur_numbers.sigma=0:10:3"
    told = json.loads(insanonym("sweep", "recipe.yaml", "--over", sigmas, "-o", "sweep.csv", "--json"))
    assert [one["blur_numbers.sigma"] for one in told["settings"]] == [0, 5, 10]
    utility = [one["utility"] for one in told["settings"]]
    assert utility[0] == 1
    assert utility == sorted(utility, reverse=True)
    assert len(rows_of(tmp_path / "sweep.csv")) == 4


def test_it_is_reported(insanonym, tmp_path):
    told = json.loads(insanonym("report", "recipe.yaml", "-o", "report", "--formats", "none", "--json"))
    assert told["utility.closeness"] == told["utility"]
    page = (tmp_path / "report" / "index.html").read_text()
    for said in ("demo:numbers", "Closeness", "Mean distance", "The mean of many numbers is not protected."):
        assert said in page


def test_its_own_mistakes_are_called_its_own(insanonym, tmp_path):
    (tmp_path / "recipe.yaml").write_text(RECIPE + "settings: {closeness.nothing: 1}\n")
    assert "No score or attack has a parameter" in insanonym("report", "recipe.yaml", "-o", "r", code=2)
    kinds = json.loads(insanonym("list", "kinds", "--json"))["kinds"]
    assert [kind["name"] for kind in kinds] == ["mobility", "table", "traces", "avatars", "numbers"]
    found = json.loads(insanonym("list", "methods", "--kind", "numbers", "--json"))["methods"]
    assert [entry["name"] for entry in found] == ["blur_numbers"]


def test_a_plug_in_that_cannot_be_loaded_is_told_and_left_out(tmp_path):
    broken = tmp_path / "broken-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (broken / "entry_points.txt").write_text("[insanonym.kinds]\nbroken = nowhere.kind:KIND\n")
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "list", "methods"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(tmp_path)))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "The kind of data broken cannot be used and is left out" in done.stderr
    assert "planar_laplace" in done.stdout


def test_it_is_a_tab(watch, tmp_path):
    with running(tmp_path, VARIABLES) as server:
        page = watch(f"{server.address}?tab=numbers", width=1366, height=768).page
        opened(page)
        assert page.get_by_role("button", name="Numbers", exact=True).count() == 1
        utility = page.locator("[data-headline=utility]")
        before = float(utility.get_attribute("data-value"))
        page.locator(".step-blur_numbers input[type=range]").focus()
        page.keyboard.press("ArrowRight")
        wait_for(lambda: float(utility.get_attribute("data-value")) < before, "less utility")
        page.get_by_role("button", name="Measures", exact=True).click()
        page.get_by_text("Mean distance").first.wait_for()
        page.goto(f"{server.address}?tab=nombres&lang=fr")
        opened(page)
        assert page.get_by_role("button", name="Nombres", exact=True).count() == 1
        assert "Bruit sur les nombres" in page.locator(".step-blur_numbers").inner_text()
        page.get_by_role("button", name="Compromis").click()
        page.wait_for_selector(".insanonym-sweep")
        tabs = page.locator(".insanonym-sweep select").first.locator("option").all_inner_texts()
        assert len(tabs) == 5
        assert tabs[-1] == "Nombres"
