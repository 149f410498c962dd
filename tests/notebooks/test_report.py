"""check(1) in a notebook, and the report that a student hands in."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.lessons import LESSONS, Check
from insanonym_core.lessons.checking import questions_of
from insanonym_core.texts import LANGUAGES, say
from tests.notebooks.solutions import SOLUTIONS


@pytest.fixture
def variables(tmp_path, monkeypatch):
    """What a notebook of lesson 1 holds after its first cells have run, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    found = {f"solution_{name}": right for name, right in SOLUTIONS[1].items()}
    return found | {f"answer_{name}": None for name in SOLUTIONS[1]}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_questions_come_from_the_notebook(lesson, lang):
    title, questions = questions_of(lesson.number, lang)
    assert str(lesson.number) in title
    assert list(questions) == list(SOLUTIONS[lesson.number])
    assert all(text.startswith(f"**Question {name}.**") for name, text in questions.items())


def test_an_answer_is_checked_when_it_changes(variables):
    check = Check(1, "en", variables)
    assert repr(check(1)) == "1: … no answer yet"
    variables["answer_1"] = (0, 84)
    assert re.fullmatch(r"1: ✘ not yet\n +Python reads two numbers .*", repr(check(1)))
    variables["answer_1"] = np.float64(0.84)
    assert repr(check("1")) == "1: ✔ right"


def test_hints_are_in_the_language_of_the_notebook(variables):
    variables["answer_1"] = "0,84"
    shown = Check(1, "fr", variables)(1)._repr_html_()
    assert "pas encore" in shown
    assert "Écrivez un point décimal" in shown


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("question", [0, 9, "1a", None])
def test_a_question_that_is_not_there(variables, lang, question):
    shown = repr(Check(1, lang, variables)(question))
    assert say("This lesson has the questions {first} to {last}.", lang, first="1", last="8") in shown


def test_cells_that_have_not_run_are_named(variables):
    del variables["answer_2"], variables["solution_3"]
    check = Check(1, "en", variables)
    assert "There is no answer_2 yet: run its cell." in repr(check(2))
    assert "Run the folded cell of the solution first." not in repr(check(2))
    assert "Run the folded cell of the solution first." in repr(check(3))


def test_a_lesson_that_is_not_there():
    with pytest.raises(UsageError, match=r"numbered from 1 to 7, got 8"):
        Check(8, "en", {})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_stays_in_a_file_and_in_the_notebook(variables, lang, tmp_path):
    variables |= {"answer_1": 0.843, "answer_2": "0.96", "answer_3": np.mean, "answer_4": pd.DataFrame()}
    report = Check(1, lang, variables).report()
    path = tmp_path / f"1_first_score.{lang}.report.html"
    assert list(tmp_path.iterdir()) == [path]
    page, shown = path.read_text("utf-8"), report._repr_html_()
    for text in (page, shown):
        assert say("{right} of {all} right", lang, right=1, all=8) in text
        assert (
            say(
                "Write a number without quotation marks and without a unit, as in {example}.",
                lang,
                example="3.14",
            )
            in text
        )
        assert text.count("<tr>") == 9
        assert "0.843" in text
    assert "<strong>Question 8.</strong>" in page, "the page is read without the notebook"
    assert path.name in shown
    assert path.name in repr(report)


def test_the_report_names_nobody_and_shows_no_solution(variables, tmp_path):
    variables["answer_3"] = 0.9
    page = Check(1, "en", variables).report()
    text = next(tmp_path.iterdir()).read_text("utf-8")
    assert f"{SOLUTIONS[1]['3']:.4f}"[:5] not in text + repr(page)
    assert str(tmp_path) not in text + page._repr_html_()
    assert "<script" not in text
    assert not re.findall(r'(?:src|href)="(?!data:)', text)


def test_a_name_is_written_as_text(variables, tmp_path):
    Check(1, "en", variables).report(" <b>Zoé</b> ")
    assert "&lt;b&gt;Zoé&lt;/b&gt;" in next(tmp_path.iterdir()).read_text("utf-8")


def test_a_later_report_takes_the_place_of_the_first(variables, tmp_path):
    check = Check(1, "en", variables)
    check.report()
    variables["answer_8"] = 1
    check.report()
    assert "1 of 8 right" in next(tmp_path.iterdir()).read_text("utf-8")


def test_a_folder_that_takes_no_file_still_shows_the_marks(variables, tmp_path):
    (tmp_path / "1_first_score.en.report.html").mkdir()
    shown = Check(1, "en", variables).report()._repr_html_()
    assert "0 of 8 right" in shown
    assert "is a folder" in shown
    assert "href" not in shown


def test_objects_and_long_answers_stay_short(variables, tmp_path):
    variables |= {
        "answer_1": pd.DataFrame({"id": ["Jean"]}),
        "answer_7": ["x" * 1000],
        "answer_8": "y" * 1000,
    }
    report = Check(1, "en", variables).report()
    text = next(tmp_path.iterdir()).read_text("utf-8")
    assert "Jean" not in text
    assert "DataFrame" in text
    assert "x" * 100 not in text + repr(report)
    assert "y" * 100 not in text
