"""docs/tutorial.md: every command runs, in order, in one folder, and prints what stands below it."""

import csv
import re
from pathlib import Path

import pytest

from insanonym_core.recipe_file import read_recipe
from tests.docs.reading import blocks, commands, text_of

PAGE = "docs/tutorial.md"


@pytest.mark.slow
def test_the_hour(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed: dict[str, str] = {}
    for command in commands(PAGE):
        serves = command[0] == "dashboard"  # until it is stopped: here only its options are read
        found = run(*command, *(["--help"] if serves else []))
        assert found.code == 0, (command, found.err)
        printed[command[0]] = found.out
    scored, tuned = blocks(PAGE, "text")
    _scores_are_as_shown(printed["score"], scored)
    assert " ".join(tuned.split()) in " ".join(printed["tune"].split())
    risk = dict(re.findall(r"^(\w+) +([\d.]+)", printed["table"], re.M))
    said = re.search(r"`unique_share` ([\d.]+)\).*privacy ([\d.]+)\. Now", text_of(PAGE), re.S).groups()
    assert [f"{float(risk[name]):.2f}" for name in ("unique_share", "privacy")] == list(said)
    _the_release_is_what_was_asked_for()
    assert "mondrian" in Path("dossier/index.html").read_text("utf-8").lower()


def _the_release_is_what_was_asked_for() -> None:
    """Three columns beside the illness, each row shared by at least as many as were promised."""
    with Path("release.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["sex", "age", "town", "diagnosis"]
    (step,) = read_recipe("recipe.yaml").steps
    assert step.method == "mondrian"
    known = [tuple(row[:3]) for row in rows]
    assert min(map(known.count, set(known))) >= step.parameters["k"]


def _scores_are_as_shown(printed: str, shown: str) -> None:
    printed = re.sub(r"^Further scores.*\n", "", printed, flags=re.M)  # which no rule set counts
    # Pseudonyms are never repeated, and some attacks break ties by them: everything else is as shown.
    words = [re.sub(r"[\d.█·]+", "", text).split() for text in (printed, shown)]
    assert words[0] == words[1]
    numbers = [[float(one) for one in re.findall(r"\d+\.\d+", text)] for text in (printed, shown)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.03)
    utility = [text.partition("Attacks")[0].split() for text in (printed, shown)]
    assert utility[0] == utility[1]
