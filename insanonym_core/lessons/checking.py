"""What a notebook calls: `check(1)` marks an answer; `check.report()` all of them, and writes a page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from insanonym_core.errors import UsageError, brief
from insanonym_core.lessons.catalogue import LESSONS, notebook_of
from insanonym_core.lessons.handout import Handout
from insanonym_core.lessons.marks import Mark, Marks, mark_of
from insanonym_core.texts import Phrase

_NOT_THERE = object()


def questions_of(number: int, lang: str) -> tuple[str, dict[str, str]]:
    """The title of a lesson, and its questions in Markdown by name, as its notebook asks them."""
    cells = json.loads(notebook_of(LESSONS[number - 1], lang).read_text(encoding="utf-8"))["cells"]
    title, asked, found = "", "", {}
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            title = title or source.splitlines()[0].lstrip("# ")
            asked = "".join(re.findall(r"\*\*Question \w+\.\*\* .*?(?=\n\n|\Z)", source, re.S)[-1:]) or asked
        elif "answer" in cell["metadata"].get("tags", ()):
            found[re.findall(r"^answer_(\w+) = None", source, re.M)[0]] = asked
    return title, found


class Check:
    """The answers and solutions of a notebook, looked up among its variables each time they are asked for."""

    def __init__(self, lesson: int, lang: str, variables: Mapping[str, object]) -> None:
        if lesson not in range(1, len(LESSONS) + 1):
            raise UsageError(
                "The lessons are numbered from 1 to {all}, got {lesson}.",
                all=len(LESSONS),
                lesson=brief(lesson),
            )
        self._file, self._lang, self._variables = LESSONS[lesson - 1].file(lang), lang, variables
        self._title, self._questions = questions_of(lesson, lang)

    def __call__(self, question: int | str) -> Marks:
        """The mark of one answer."""
        return Marks({str(question): self._mark(str(question))}, self._lang)

    def report(self, name: str = "") -> Handout:
        """All marks, also written as a page beside the notebook. It names nobody but who gives a name."""
        marks = Marks({question: self._mark(question) for question in self._questions}, self._lang)
        given = {question: self._variables.get(f"answer_{question}") for question in self._questions}
        path = Path(self._file).with_suffix(".report.html")
        handout = Handout(self._title, self._questions, given, marks, path, name.strip(), datetime.now())
        try:
            handout.write()
        except UsageError as error:
            return handout.unwritten(error)
        return handout

    def _mark(self, question: str) -> Mark:
        if question not in self._questions:
            names = list(self._questions)
            return Mark(
                None,
                Phrase("This lesson has the questions {first} to {last}.", first=names[0], last=names[-1]),
            )
        given = self._variables.get(f"answer_{question}", _NOT_THERE)
        if given is _NOT_THERE:
            return Mark(
                None,
                Phrase(
                    "There is no {name} yet: run its cell. If it shows an error, check that numbers have a "
                    "decimal point ({example}) and names are between quotation marks.",
                    name=f"answer_{question}",
                    example="0.07",
                ),
            )
        if f"solution_{question}" not in self._variables:
            return Mark(None, Phrase("Run the folded cell of the solution first. It can stay folded."))
        return mark_of(given, self._variables[f"solution_{question}"])
