"""All marks of a lesson: a table in the notebook, and a page that a student can hand in."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from insanonym_core.errors import UsageError, brief
from insanonym_core.io.output import writing
from insanonym_core.lessons.compare import is_answered, is_number
from insanonym_core.lessons.marks import Marks, plain
from insanonym_core.lessons.page import STYLE, markdown_to_html
from insanonym_core.texts import say

_LEFT = ' style="text-align: left"'  # JupyterLab aligns the cells of tables to the right
_TABLE = """
body { max-width: 60rem; } table { width: 100%; } td { vertical-align: top; } td p { margin: 0; }
td:first-child { width: 48%; } td:nth-child(2) { overflow-wrap: anywhere; } td:last-child { width: 34%; }
"""


@dataclass(frozen=True)
class Handout:
    """The marks with what was answered; the page holds the questions as well."""

    title: str
    questions: Mapping[str, str]
    given: Mapping[str, object]
    marks: Marks
    path: Path
    name: str
    made: datetime
    unwritable: UsageError | None = None

    def write(self) -> None:
        """Write the page, over an older one."""
        with writing(self.path, force=True) as temporary:
            temporary.write_text(self.page(), encoding="utf-8")

    def unwritten(self, error: UsageError) -> Handout:
        """The same, and why there is no page."""
        return replace(self, unwritable=error)

    def page(self) -> str:
        """The page as HTML: no script, nothing asked of a network."""
        lang = self.marks.lang
        who = f"<p><b>{html.escape(self.name)}</b></p>" if self.name else ""
        note = say(
            "Written by the notebook on {when}, from the answers in it at that time.", lang, when=self._when
        )
        title = html.escape(self.title)
        return (
            f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>'
            f'<link rel="icon" href="data:,"><style>{STYLE}{_TABLE}</style></head><body><h1>{title}</h1>{who}'
            f"{self._table(questions=True)}<p>{html.escape(note)}</p></body></html>"
        )

    @property
    def _when(self) -> str:
        return f"{self.made:%Y-%m-%d %H:%M}"

    def _told(self) -> str:
        """Where the page is, or why there is none."""
        lang = self.marks.lang
        if self.unwritable:
            return self.unwritable.say(lang)
        return say("To hand in: {file}, written on {when}.", lang, file=str(self.path), when=self._when)

    def _table(self, *, questions: bool) -> str:
        lang = self.marks.lang
        heads = say("Question", lang), say("Answer", lang), say("Mark", lang)
        rows = ["".join(f"<th{_LEFT}>{head}</th>" for head in heads)]
        for question, mark in self.marks.marks.items():
            asked = markdown_to_html(self.questions[question]) if questions else html.escape(question)
            given = f"<code>{html.escape(_shown(self.given[question]))}</code>"
            rows.append("".join(f"<td{_LEFT}>{one}</td>" for one in (asked, given, mark.as_html(lang))))
        total = html.escape(self.marks.total)
        return f"<p><b>{total}</b></p><table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def __repr__(self) -> str:
        return f"{self.title}\n{self.marks}\n{self.marks.total}\n{self._told()}"

    def _repr_html_(self) -> str:
        told = html.escape(self._told())
        if not self.unwritable:
            file = html.escape(str(self.path))
            told = told.replace(file, f'<a href="{file}" target="_blank">{file}</a>')
        who = f"<p>{html.escape(self.name)}</p>" if self.name else ""
        return f"<h4>{html.escape(self.title)}</h4>{who}{self._table(questions=False)}<p>{told}</p>"


def _shown(given: object) -> str:
    """An answer as it was typed; of what is no value only its name, or that of its type."""
    if not is_answered(given):
        return "…"
    value = plain(given)
    values = is_number(value) or isinstance(value, str | bool | list | tuple | set | frozenset | dict)
    return brief(value) if values else getattr(value, "__name__", type(value).__name__)
