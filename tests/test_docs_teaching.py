"""docs/teaching.md and its French page: every command works, and both pages have the same ones."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import pytest

from insanonym_core.lessons import LESSONS, notebook_of

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


ROUTE = re.compile(r"^\| (?:(\d:\d\d) )?\|.*\b(?:lesson|leçon) (\d),[^|]*\| ([\d, ]+) \| ([\d, ]+) \|$", re.M)


def route(lang: str) -> list[tuple[str, int, list[int], list[int]]]:
    """Begin, lesson, sections and marked questions of each line of the route."""
    found = ROUTE.findall((DOCS / PAGES[lang]).read_text("utf-8"))
    return [
        (begin, int(lesson), *([int(one) for one in part.split(", ")] for part in parts))
        for begin, lesson, *parts in found
    ]


def sections_of(lesson: int, lang: str) -> dict[int, tuple[int, set[str]]]:
    """Minutes and questions of each section of a lesson."""
    sections: dict[int, tuple[int, set[str]]] = {}
    for cell in json.loads(notebook_of(LESSONS[lesson - 1], lang).read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        for part in re.split(r"^(?=## \d)", source, flags=re.M):
            if heading := re.match(r"## (\d+)\..*?\((\d+) minutes\)", part):
                sections[int(heading[1])] = (int(heading[2]), set())
            if sections:
                sections[max(sections)][1].update(re.findall(r"\*\*Question (\w+)\.\*\*", part))
    return sections


def test_both_routes_are_the_same():
    assert [one[1] for one in route("en")] == [2, 3, 5, 6, 7]
    assert route("en") == route("fr")


@pytest.mark.parametrize("lang", PAGES)
def test_the_route_fits_the_time_and_marks_what_is_done(lang):
    """The first lesson of a line has its minutes in the heading of its paragraph."""
    text = (DOCS / PAGES[lang]).read_text("utf-8")
    slots = re.findall(r"^\*\*(?:Lesson|Leçon) (\d)(?: (?:or|ou) (\d))?\*\* \((\d+) minutes\)", text, re.M)
    minutes = {int(lesson): int(time) for *lessons, time in slots for lesson in lessons if lesson}
    for _, lesson, sections, marked in route(lang):
        there = sections_of(lesson, lang)
        assert sum(there[one][0] for one in sections) <= minutes[lesson]
        assert {str(one) for one in marked} <= set().union(*(there[one][1] for one in sections))


@pytest.mark.parametrize("lang", PAGES)
def test_the_pages_to_collect_are_named_as_they_are_written(lang):
    text = (DOCS / PAGES[lang]).read_text("utf-8")
    named = re.findall(r"`(\S+)\.report\.html`", text)
    assert named == [LESSONS[1].file(lang).removesuffix(".ipynb")]
