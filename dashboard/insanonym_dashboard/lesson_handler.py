"""Lessons at addresses of their own: as pages to read, and as the notebooks themselves."""

from __future__ import annotations

from tornado.web import HTTPError, RequestHandler

from insanonym_core.lessons import LESSONS, lesson_page, notebook_of
from insanonym_core.texts import LANGUAGES

_KNOWN = {lesson.file(lang): (lesson, lang) for lesson in LESSONS for lang in LANGUAGES}


class LessonHandler(RequestHandler):
    """insanonym/lessons/NAME.html and NAME.ipynb; no other name is looked for anywhere."""

    def get(self, name: str) -> None:
        """The page, or the notebook."""
        found = _KNOWN.get(name.removesuffix(".html") + ".ipynb" if name.endswith(".html") else name)
        if found is None:
            raise HTTPError(404)
        path = notebook_of(*found)
        if name.endswith(".html"):
            self.finish(lesson_page(path, found[1]))
        else:
            self.set_header("Content-Type", "application/x-ipynb+json")
            self.finish(path.read_bytes())
