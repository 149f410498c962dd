"""Every lesson runs on a clean install, teaches what it says, and its twin is the same but for the language."""

from __future__ import annotations

import io
import json
import re
import tokenize
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from insanonym_core.lessons import LESSONS, copy_lessons, folder, lesson_page, mark_of, notebook_of
from insanonym_core.texts import LANGUAGES, say
from tests.notebooks.solutions import SOLUTIONS

MOST_LINES = 15
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w])")
# English words that no French comment holds; names of the code ("house", "two") may stand in quotation marks.
ENGLISH = re.compile(
    r"\b(?:the|of|an?d|number|list|text|such|as|same|row|rows|between|yours|is|are|by|to)\b", re.I
)
SECONDS = 600  # until a cell fails: ten times what the longest takes on a quiet machine
ALL = [(lesson, lang) for lesson in LESSONS for lang in LANGUAGES]
NAMED = pytest.mark.parametrize(
    ("lesson", "lang"), ALL, ids=[lesson.file(lang).removesuffix(".ipynb") for lesson, lang in ALL]
)
# What must be true at the end of a lesson, and how it is known: by hand, by a definition, or elsewhere.
VALUES = {
    1: [
        "all(abs(by_package[k] - v) < 1e-9 for k, v in"
        " {'date': 6/7, 'hour': (7 + 23/24)/10, 'poi': 0.6, 'tuile': 5/6, 'meet': 0.75}.items())",
        "{m.entry.name: round(m.score.value, 9) for m in report_v1.family('utility')} == {'date': .8, 'hour': .87,"
        " 'distance': .876, 'poi': round((5/6 + 1 + 3/5 + 0)/4, 9), 'tuile': round(2/3, 9), 'meet': 1}",
        "solution_8 == 1.0 and solution_7 == {'distance', 'tuile', 'meet'}",
    ],
    2: [
        "abs(solution_1 - 11/6) < 1e-9",  # 1 + 1/2 + 1/3
        "solution_5 == {'naive', 'mean_hour', 'dictionary'}",  # they never look at places
        "dict(outcome['dictionary']) == {'pseudonymise': 0, 'sha256(id)': 1, 'sha256(id-week)': 1,"
        " 'sha256(salt + id)': 0}",
        # The bug museum: what the eight said of it, and what a join in pandas finds.
        "round(museum.privacy, 2) == 0.66 and len(right) == secret.pairs == 469 and all(right)",
        "everybody['cloak']['= privacy'] <= 0.02 and solution_9 <= 0.02",
        # What the text says in words of the attacks after the first eight, and of a repaired release.
        "len(eight) == 8 and [one.name for one in attacks.all(data='mobility')][8:] =="
        " ['row_count', 'hours', 'join', 'gaps', 'path', 'everything', 'deleted']",
        "everybody['stop_noise + time + DEL']['everything'] > 0.9",
        "0.05 < repaired.scores['attack.join'].value < 0.15",
        "len(__import__('insanonym_core.mobility.attacks.everything', fromlist=['CLUES']).CLUES) == 7",
    ],
    3: [
        "(solution_1, solution_3, solution_4) == (2, 6, 20)",  # by hand
        "solution_6 == 5",  # 600 patients, 102 with the most frequent diagnosis
        "solution_7 == 9",  # parsed from the published labels alone
    ],
    4: [
        "(solution_1, solution_5, solution_6, solution_7) == (6, 'S L1 L2-info L3', 3, 9)",  # by hand
        "(cleaned.kept, solution_3, found.rows) == (24347, 1143, 110)",  # plain pandas says the same
        "attack.pinned == 31 and all(right) and again.rows == 0",  # every deduction is the truth
    ],
    5: [
        "avatars.values.tolist() == [[41, 65], [44, 67], [56, 74], [59, 75], [60, 76]]",  # by hand
        "solution_4 == 0.4 and nndr.round(4).tolist() == [.3333, .8462, .6, .6, .3333]",
        "float(np.median(closest_distances(real, real)[1])) == 0",
        "by_k.loc[1, 'hidden_rate'] > 0.85",
        "by_k.loc[1, 'dcr_median'] < 0.1 * by_k['dcr_median'].drop(1).min()",
    ],
    6: [
        "[o.values['planar_laplace.radius'] for o in by_hand.front] == [600, 400, 200, 100]",
        "by_hand.suggested().values['planar_laplace.radius'] == 400",  # 0.6 × 0.5 is the largest
        "len(sweep.outcomes) == 27 and again.values() == report.values()",
        "solution_4 == 'jitter_time'",  # the attacks that find everybody look at times
        "chosen.privacy[1] >= 0.72 > tempting.privacy[1] and tempting.utility[0] > chosen.utility[0]",
        "chosen.series == 'common_week' and min(one.utility[0] for one in better.settings) > 0.6",
        # What the text says in words of three tables.
        "by_steps['best attack'].tolist() == ['hours', 'everything', 'everything', 'hours', 'everything']",
        "by_steps['privacy'][[0, 3]].tolist() == [0, 0] and 0.35 < by_steps['privacy'][4] < 0.45",
        "by_steps['privacy'][2] < by_steps['privacy'][1] < 0.1",
        "any(abs(one.privacy[0] - other.privacy[0]) < 0.03 and other.utility[0] > 2 * one.utility[0]"
        " for one in sweep.front if one.series == 'cloak' for other in better.settings)",
        "abs(in_the_open['week in the open'][2] - 0.5) < 0.05 and in_the_open['week in the open'][3] < 0.05",
        "tempting.values != chosen.values and tempting.series == 'common_week'",
    ],
    7: [
        "[round(s, 9) for s in (solution_1, solution_2, solution_3)] == [.45, .15, .45]",  # by hand
        "second.publisher.written == [] and len(second.publisher.kept) == 3",
        "sorted(solution_6) == ['Ben', 'Cleo']",
        "{line.team: line.defence for line in second.table}['Ana'] == 0",
        "machine.recipe.steps[0].method == 'common_week'",
        # The search: measured again with what it had not met; and the house finds no more than it said.
        "machine.found and set(machine.final.held_out) == {'attack.path', 'attack.everything'}",
        "max(house.table, key=lambda line: line.defence).team == 'Machine'",
        "0.4 < solution_9 < utility and abs(max(line.defence for line in house.table) - machine.final.privacy * utility)"
        " < 0.1",
    ],
}


def _read(lesson: Any, lang: str) -> Any:
    return nbformat.read(notebook_of(lesson, lang), as_version=4)


def _code_and_comments(source: str) -> tuple[str, list[str]]:
    """The code without its comments, and these."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    notes = [token for token in tokens if token.type == tokenize.COMMENT]
    lines = source.split("\n")
    for note in notes:
        row, column = note.start
        lines[row - 1] = lines[row - 1][:column]
    return "\n".join(lines), [note.string for note in notes]


def _tags(cell: Any) -> list[str]:
    return cell.metadata.get("tags", [])


def _run_in(lesson: Any, lang: str) -> Any:
    """One of the twins in each run, in English and French by turns: they have the same code."""
    marks = [pytest.mark.slow, *([] if lang == LANGUAGES[lesson.number % 2] else [pytest.mark.long])]
    return pytest.param(lesson, lang, marks=marks, id=lesson.file(lang).removesuffix(".ipynb"))


@pytest.mark.parametrize(("lesson", "lang"), [_run_in(lesson, lang) for lesson, lang in ALL])
def test_it_runs_and_its_values_are_right(lesson, lang, tmp_path):
    """The English twin as somebody who solves everything leaves it, the French one as it comes."""
    notebook = _read(lesson, lang)
    names = [
        name for cell in notebook.cells for name in re.findall(r"^(answer_\w+) = None", cell.source, re.M)
    ]
    assert 5 <= len(names) == len(set(names))
    if lang == "en":
        solved = "\n".join(f"{name} = {name.replace('answer', 'solution')}" for name in names)
        notebook.cells.insert(len(notebook.cells) - 1, nbformat.v4.new_code_cell(solved))
    asked = f"print(__import__('json').dumps([bool(one) for one in [{', '.join(VALUES[lesson.number])}]]))"
    pairs = f"[(globals()[f'solution_{{n}}'], right) for n, right in {SOLUTIONS[lesson.number]}.items()]"
    notebook.cells += [
        nbformat.v4.new_code_cell(asked),
        nbformat.v4.new_code_cell(
            f"from insanonym_core.lessons import mark_of\nprint([mark_of(*both).right for both in {pairs}])"
        ),
    ]
    NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    _numbers_in_the_text_are_computed(notebook, "." if lang == "en" else ",")
    *_, report, values, solutions = notebook.cells
    assert json.loads(values.outputs[0].text) == [True] * len(VALUES[lesson.number])
    assert names == [f"answer_{name}" for name in SOLUTIONS[lesson.number]]
    assert solutions.outputs[0].text == f"{[True] * len(names)}\n", "tests/notebooks/solutions.py has others"
    right = len(names) if lang == "en" else 0
    total = say("{right} of {all} right", lang, right=right, all=len(names))
    assert total in report.outputs[0].data["text/plain"]
    assert total in report.outputs[0].data["text/html"]
    written = tmp_path / lesson.file(lang).replace(".ipynb", ".report.html")
    assert list(tmp_path.iterdir()) == [written], "nothing else is left behind"
    assert total in written.read_text("utf-8")


def _numbers_in_the_text_are_computed(notebook: Any, point: str) -> None:
    """A number with decimals in the text stands, at least as exactly, in what the cells compute."""
    computed = {0.0}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            shown = [str(output.get("text", "")) + str(output.get("data", "")) for output in cell.outputs]
            computed |= {float(one) for one in NUMBER.findall(" ".join([cell.source, *shown]))}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = re.sub(r"`[^`]*`|https?://\S+", "", cell.source).replace("{,}", ",")
            for quoted in re.findall(rf"(?<![\d.,/])\d+[{point}]\d{{2,}}(?![\d.,]*\d)", text):
                decimals = len(quoted.split(point)[1])
                wanted = float(quoted.replace(point, "."))
                near = any(abs(value - wanted) <= 0.50001 * 10**-decimals for value in computed)
                assert near, f"{quoted} is quoted and nowhere computed"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_twins_have_the_same_code(lesson):
    english, french = (_read(lesson, lang).cells for lang in LANGUAGES)
    assert [cell.cell_type for cell in english] == [cell.cell_type for cell in french]
    for ours, theirs in zip(english, french, strict=True):
        if ours.cell_type == "code":
            (code, notes), (their_code, their_notes) = map(_code_and_comments, (ours.source, theirs.source))
            assert code.replace('lang = "en"', 'lang = "fr"') == their_code
            assert len(notes) == len(their_notes)
            for note, theirs_ in zip(notes, their_notes, strict=True):
                assert (note == theirs_) == (note == "# Solution"), "a comment that is not in French"
                assert not ENGLISH.search(theirs_), theirs_
            assert _tags(ours) == _tags(theirs)
        else:
            assert ours.source != theirs.source


@NAMED
def test_it_is_thin_and_without_outputs(lesson, lang):
    notebook = _read(lesson, lang)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        assert not re.search(r"^\s*(async\s+def|def|class)\b", cell.source, re.M)
        assert len(cell.source.splitlines()) <= MOST_LINES
        assert (cell.outputs, cell.execution_count) == ([], None)
        if "solution" in _tags(cell):
            assert cell.metadata["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
            assert cell.source.startswith("# Solution\n"), "JupyterLab shows the first line of a folded cell"
    assert notebook.cells[-1].source.endswith("check.report(name)")


@NAMED
def test_each_question_has_its_solution_and_its_check_in_this_order(lesson, lang):
    sources = "\n".join(cell.source for cell in _read(lesson, lang).cells if cell.cell_type == "code")
    steps = re.finditer(r"^(?:(answer|solution)_(\w+) = |(check)\((\w+)\)$)", sources, re.M)
    found = [tuple(part for part in step.groups() if part) for step in steps]
    expected = [(kind, name) for name in SOLUTIONS[lesson.number] for kind in ("answer", "solution", "check")]
    assert found == expected


def test_there_are_no_other_notebooks():
    assert {path.name for path in folder().glob("*.ipynb")} == {lesson.file(lang) for lesson, lang in ALL}


def test_answers_are_compared_as_a_teacher_would():
    given = {
        "a": (None, 1),
        "b": (0.333, 1 / 3),
        "c": (2013, 2015),
        "d": ("Home ", "home"),
        "e": ([2, 1], {1, 2}),
    }
    given |= {"f": (True, 1), "g": (1, True), "h": ([1], [1, 2]), "i": (12.04, 12.0)}
    marks = {question: mark_of(*answer).right for question, answer in given.items()}
    assert [name for name, right in marks.items() if right] == ["b", "d", "e", "g", "i"]
    assert marks["a"] is None


def test_copies_leave_what_is_there(tmp_path):
    mine = tmp_path / LESSONS[0].file("en")
    mine.write_text("my answers")
    copied, kept = copy_lessons(tmp_path)
    assert (len(copied), kept) == (2 * len(LESSONS) - 1, [mine])
    assert mine.read_text() == "my answers"


@NAMED
def test_the_page_to_read_asks_nobody_and_folds_solutions(lesson, lang):
    page = lesson_page(notebook_of(lesson, lang), lang)
    assert "<script" not in page
    assert not re.findall(r'(?:src|link[^>]*href)="(?:https?:)?//', page)
    assert page.count("<details>") >= 5
    assert Path(lesson.file(lang)).name in page
