"""The lessons of the folder `notebooks`, which a wheel carries along."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from insanonym_core.errors import UsageError
from insanonym_core.output import writing
from insanonym_core.texts import LANGUAGES


@dataclass(frozen=True)
class Lesson:
    """A notebook in two languages; `tab` is the dashboard's that shows its subject, if one does."""

    number: int
    slug: str
    title: str
    tab: str = ""

    def file(self, lang: str) -> str:
        """The name of its notebook."""
        return f"{self.number}_{self.slug}.{lang}.ipynb"


LESSONS = (
    Lesson(1, "first_score", "First score", "mobility"),
    Lesson(2, "who_are_you", "Who are you?", "mobility"),
    Lesson(3, "k_anonymity", "k-anonymity", "table"),
    Lesson(4, "enrolments", "The enrolment study", "traces"),
    Lesson(5, "avatars", "Avatars", "avatars"),
    Lesson(6, "trade_off", "The trade-off", "tradeoff"),
    Lesson(7, "competition", "A competition in class"),
)


def folder() -> Path:
    """Where the notebooks are: in the installed package, or beside it in a clone."""
    package = Path(__file__).parent
    installed = package / "notebooks"  # pyproject.toml puts them there in a wheel
    return installed if installed.is_dir() else package.parents[1] / "notebooks"


def lessons_of(tab: str) -> list[Lesson]:
    """The lessons about what a tab shows."""
    return [lesson for lesson in LESSONS if lesson.tab == tab]


def notebook_of(lesson: Lesson, lang: str) -> Path:
    """The notebook of a lesson."""
    return folder() / lesson.file(lang)


def copy_lessons(target: Path, languages: tuple[str, ...] = LANGUAGES) -> tuple[list[Path], list[Path]]:
    """Copy the notebooks into a folder: what was copied, and what was there already and stays as it is."""
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"The folder {target} cannot be made ({error.strerror}): choose another one."
        ) from None
    copied, kept = [], []
    for lesson in LESSONS:
        for lang in languages:
            place = target / lesson.file(lang)
            if os.path.lexists(place):
                kept.append(place)  # somebody's answers may be in it, or behind a link where we cannot see
                continue
            with writing(place) as beside:  # a full disk leaves no half a notebook behind
                shutil.copyfile(notebook_of(lesson, lang), beside)
            copied.append(place)
    return copied, kept
