"""docs/teaching.md and its French page: every command works, and both pages have the same ones."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"en": "teaching.md", "fr": "teaching.fr.md"}
FOLDER = {"en": "league", "fr": "tournoi"}


def commands(lang: str) -> list[list[str]]:
    """The commands of a page, but those of the shell that install."""
    text = (DOCS / PAGES[lang]).read_text("utf-8")
    found = [shlex.split(line) for line in re.findall(r"^    (\S.*)$", text, re.M)]
    return [one for one in found if one[0] in ("insanonym", "mkdir")]


def test_both_pages_have_the_same_commands():
    first, second = (
        [[word.partition("/")[0] for word in one[:2]] for one in commands(lang)] for lang in PAGES
    )
    names = [
        [one if one != FOLDER[lang] else "folder" for one in words]
        for lang, all_words in (("en", first), ("fr", second))
        for words in all_words
    ]
    half = len(names) // 2
    assert half >= 7
    assert [one[0] for one in names[:half]] == [one[0] for one in names[half:]]


@pytest.mark.slow
@pytest.mark.parametrize("lang", PAGES)
def test_every_command_works(run, lang, tmp_path, monkeypatch, small_city):
    monkeypatch.chdir(tmp_path)
    for name, *words in commands(lang):
        if name == "mkdir":
            for folder in words[1:]:
                Path(folder).mkdir(parents=True)
            continue
        serves = words[0] == "dashboard"  # until it is stopped: here only its options are read
        done = run(*words, *(["--help"] if serves else []))
        assert done.code == 0, (words, done.err)
    table = list(csv.DictReader((Path(FOLDER[lang]) / "league.csv").read_text("utf-8").splitlines()))
    assert len({tuple(row.values()) for row in table}) >= 2
    assert len(list((tmp_path / ("lessons" if lang == "en" else "lecons")).glob(f"*.{lang}.ipynb"))) == 7


@pytest.mark.parametrize("lang", PAGES)
def test_every_page_that_is_named_is_there(lang):
    text = (DOCS / PAGES[lang]).read_text("utf-8")
    named = re.findall(r"\]\(([\w.]+)\)", text)
    assert len(named) >= 4
    assert [one for one in named if not (DOCS / one).exists()] == []
