"""Lessons: their notebooks and dashboard tabs, checks of answers, and a page to hand in."""

from insanonym_core.lessons.catalogue import LESSONS, Lesson, copy_lessons, folder, lessons_of, notebook_of
from insanonym_core.lessons.checking import Check
from insanonym_core.lessons.handout import Handout
from insanonym_core.lessons.marks import Marks, mark_of
from insanonym_core.lessons.page import lesson_page

__all__ = [
    "LESSONS",
    "Check",
    "Handout",
    "Lesson",
    "Marks",
    "copy_lessons",
    "folder",
    "lesson_page",
    "lessons_of",
    "mark_of",
    "notebook_of",
]
