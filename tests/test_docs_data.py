"""docs/data.md: every command and every block of Python is run, and prints what the page says."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path

import pytest

from insanonym_core.reading.options import READING
from insanonym_core.recipe_file import recipe_from_text

TEXT = (Path(__file__).parents[1] / "docs" / "data.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.S)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


@pytest.fixture
def here(tmp_path):
    (patients,) = blocks("csv")
    (recipe,) = blocks("yaml")
    (tmp_path / "patients.csv").write_bytes(patients.replace("\n", "\r\n").encode("cp1252"))
    (tmp_path / "visits.csv").write_text("visit,n\n03/04/2024,1\n05/06/2024,2\n", "utf-8")
    (tmp_path / "recipe.yaml").write_text(recipe, "utf-8")
    with contextlib.chdir(tmp_path):
        yield tmp_path


def words(text: str) -> list[str]:
    """The words of what is printed: a terminal breaks lines where it ends."""
    return text.split()


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.split()[2])
def test_commands(block, here, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    for command in re.split(r"^\$ ", block, flags=re.M)[1:]:
        line, _, said = command.partition("\n")
        done = run(*shlex.split(line)[1:])
        assert done.code == (1 if "nobody can tell" in said else 0), done.err
        if said:
            assert words(done.out + done.err) == words(said)


@pytest.mark.parametrize("block", blocks("python"))
def test_python(block, here):
    exec(compile(block, "docs/data.md", "exec"), {})  # noqa: S102


def test_the_files_that_it_names_are_written(here, run):
    block = next(one for one in blocks("console") if "--mapping" in one)
    run(*shlex.split(block.removeprefix("$ "))[1:])
    published = (here / "published.csv").read_bytes().decode("cp1252").splitlines()
    assert published[0] == "naissance;taille;diagnostic"
    assert re.fullmatch(r'\[\d\d/\d\d/\d{4}, \d\d/\d\d/\d{4}\];"\[1,\d+; 1,\d+\]";\w+', published[1])
    mapping = (here / "mapping.csv").read_bytes().decode("cp1252").splitlines()
    assert mapping[0] == "column;value;published;rows"
    assert (here / "mapping.csv").stat().st_mode & 0o077 == 0


def test_every_field_of_reading_is_named():
    table = TEXT.partition("under `reading`")[2]
    assert all(f"`{name}: " in table for name in READING)
    recipe_from_text(blocks("yaml")[0])
