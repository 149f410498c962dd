"""Lessons: their notebooks and dashboard tabs, and checks of answers."""

from insanonym_core.lessons.catalogue import LESSONS, Lesson, copy_lessons, folder, lessons_of, notebook_of
from insanonym_core.lessons.marks import Marks, check
from insanonym_core.lessons.page import lesson_page

__all__ = [
    "LESSONS",
    "Lesson",
    "Marks",
    "check",
    "copy_lessons",
    "folder",
    "lesson_page",
    "lessons_of",
    "notebook_of",
]
