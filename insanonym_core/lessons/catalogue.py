"""The lessons in the folder `notebooks`, which is part of the wheel."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from insanonym_core.errors import UsageError
from insanonym_core.io.output import writing
from insanonym_core.texts import LANGUAGES, Phrase


@dataclass(frozen=True)
class Lesson:
    """A notebook in two languages; `tab` is the related tab of the dashboard, or empty."""

    number: int
    slug: str
    title: str
    tab: str = ""

    def file(self, lang: str) -> str:
        """File name of the notebook in a language."""
        return f"{self.number}_{self.slug}.{lang}.ipynb"


LESSONS = (
    Lesson(1, "first_score", "First score", "mobility"),
    Lesson(2, "who_are_you", "Who are you?", "mobility"),
    Lesson(3, "k_anonymity", Phrase("k-anonymity"), "table"),
    Lesson(4, "enrolments", "The enrolment study", "traces"),
    Lesson(5, "avatars", "Avatars", "avatars"),
    Lesson(6, "trade_off", "The trade-off", "tradeoff"),
    Lesson(7, "competition", "A competition in class"),
)


def folder() -> Path:
    """Folder of the notebooks: in the installed package, or next to it in a git clone."""
    package = Path(__file__).parent
    installed = package / "notebooks"  # pyproject.toml puts them there in a wheel
    return installed if installed.is_dir() else package.parents[1] / "notebooks"


def lessons_of(tab: str) -> list[Lesson]:
    """The lessons related to a dashboard tab."""
    return [lesson for lesson in LESSONS if lesson.tab == tab]


def notebook_of(lesson: Lesson, lang: str) -> Path:
    """Path of the notebook of a lesson."""
    return folder() / lesson.file(lang)


def copy_lessons(target: Path, languages: tuple[str, ...] = LANGUAGES) -> tuple[list[Path], list[Path]]:
    """Copy the notebooks into a folder; return the paths copied, and those that existed and were skipped."""
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            "The folder {target} cannot be made ({reason}): choose another one.",
            target=target,
            reason=error.strerror,
        ) from None
    copied, skipped = [], []
    for lesson in LESSONS:
        for lang in languages:
            path = target / lesson.file(lang)
            if os.path.lexists(path):
                skipped.append(path)  # it may hold a student's answers, or be a link to them
                continue
            with writing(path) as temporary:  # no partial notebook if the disk is full
                shutil.copyfile(notebook_of(lesson, lang), temporary)
            copied.append(path)
    return copied, skipped
