"""What README and CONTRIBUTING show works."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def blocks(name: str, language: str) -> list[str]:
    found = re.findall(rf"```{language}\n(.*?)```", (ROOT / name).read_text("utf-8"), re.S)
    assert found, f"{name} has no {language} block"
    return found


def test_the_python_of_the_readme_runs(capsys):
    for code in blocks("README.md", "python"):
        exec(code, {})  # noqa: S102  our own document
    told = capsys.readouterr().out
    values = re.search(r"privacy (0\.\d+), utility (0\.\d+): \w+", told).groups()
    assert all(0.5 < float(value) < 1 for value in values)


@pytest.mark.slow
def test_the_five_minutes_of_the_readme_print_what_it_shows(run, tmp_path, monkeypatch):
    text = (ROOT / "README.md").read_text("utf-8").replace("\\\n", " ")
    monkeypatch.chdir(tmp_path)
    printed = ""
    for command in re.findall(r"^    insanonym (.*)", text, re.M):
        found = run(*shlex.split(command, comments=True))
        assert found.code == 0, found.err
        printed = found.out if command.startswith("score") else printed
    printed = re.sub(r"^Further scores.*\n", "", printed, flags=re.M)  # which no rule set counts
    (shown,) = blocks("README.md", "text")
    # Pseudonyms are never repeated, and some attacks break ties by them: everything else is as shown.
    words = [re.sub(r"[\d.█·]+", "", text).split() for text in (printed, shown)]
    assert words[0] == words[1]
    numbers = [[float(one) for one in re.findall(r"\d+\.\d+", text)] for text in (printed, shown)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.03)
    utility = [text.partition("Attacks")[0].split() for text in (printed, shown)]
    assert utility[0] == utility[1]


def test_the_recipe_of_the_readme_is_one():
    from insanonym_core.recipe_file import recipe_from_text

    (text,) = blocks("README.md", "yaml")
    assert len(recipe_from_text(text).steps) == 3


@pytest.mark.slow
def test_the_metric_of_contributing_is_all_it_takes():
    """Run apart: it registers a score, which must not stay for the other tests."""
    (code,) = blocks("CONTRIBUTING.md", "python")
    check = """
from insanonym_core.cli.score_files import score_json
from insanonym_core.demo.city import make_city
from insanonym_core.experiment import make_release, run, score_release
from insanonym_core.experiment.run import pair_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_core.scale import OverParts, parts_of_pair

city = make_city(10, 1).track
pair = make_release(Recipe((Step("delete_at_random", {"share": 0.25}),), seed=1), city).release
six = ("date", "hour", "distance", "poi", "tuile", "meet")
report = score_release(pair, attacks=())
assert abs(report.scores["utility.kept"].value - 0.75) < 0.01, report.scores
mean = sum(report.scores[f"utility.{name}"].value for name in six) / 6
assert abs(report.utility - mean) < 1e-12, "a rule set is a closed list"
told = score_json(report)
assert set(told["utility"]) == {*six, "mean"}
assert told["further_scores"]["kept"] == report.scores["utility.kept"].value
with parts_of_pair(pair, 2) as parts:
    over_parts = run(pair_recipe("mobility"), strategy=OverParts(parts), only=("utility",))
assert abs(over_parts.utility - mean) < 1e-12
assert "in one piece" in over_parts.scores["utility.kept"].undefined_because
"""
    subprocess.run([sys.executable, "-c", code + check], check=True, cwd=ROOT)
