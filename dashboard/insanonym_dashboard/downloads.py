"""Files to download: the release, its scores, the recipe, a report page, a notebook that repeats the run."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from insanonym_core.errors import UsageError, WriteError
from insanonym_core.experiment import Report
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import text_to_share
from insanonym_core.report import write_report
from insanonym_core.runtime.jobs import Job
from insanonym_dashboard.notebook import redo_notebook

log = logging.getLogger("insanonym")
File = tuple[str, bytes, str]
NO_ROOM = (
    "The server's temporary folder is full or cannot be written, so there is nothing to download: free some "
    "room on the machine where the dashboard was started, and download again."
)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A temporary folder; its path on the server never appears in a message of the page."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    except (OSError, WriteError) as error:
        log.warning("A download could not be written: %s", error)
        raise UsageError(NO_ROOM) from None


TO_PUBLISH = "Release to publish"
TO_SCORE = "Release to score, not to publish"
REPORT = "Report (HTML)"
LOOKUP = "Lookup of pseudonyms (keep secret)"
MAPPING = "Mapping of values (keep secret)"


def to_publish(report: Report, lang: str) -> File:
    """The file to publish, as the kind of data declares it."""
    plan = report.recipe
    publication = plan.data_kind.publishing
    name, media_type = publication.file(plan)
    return _file(name, media_type, lambda path: publication.write(plan, report.release, path))


def to_score(report: Report, lang: str) -> File:
    """The release row by row beside its original: to score, not to publish."""
    write_aligned = report.recipe.data_kind.code("aligned")
    if write_aligned is None:
        raise UsageError("This kind of data has no release to score: take the release to publish.")
    name, media_type = report.recipe.data_kind.publishing.file(report.recipe)
    name = name.replace("to_publish", "to_score_not_to_publish")
    return _file(name, media_type, lambda path: write_aligned(report.release, path))


def lookup(report: Report, lang: str) -> File:
    """Who is behind which pseudonym: in this file and in no other; made in memory, never on disk."""
    from insanonym_core.tabular.files import frame_as_text

    publication = report.recipe.data_kind.publishing
    frame, style = publication.lookup(report.release), publication.style(report.release)
    return "lookup_keep_secret.csv", frame_as_text(frame, style and style.for_file(".csv")), "text/csv"


def mapping(report: Report, lang: str) -> File:
    """Which values became which: in this file and in no other; made in memory, never on disk."""
    from insanonym_core.tabular.files import frame_as_text

    publication = report.recipe.data_kind.publishing
    frame, style = publication.mapping(report.release), publication.style(report.release)
    return "mapping_keep_secret.csv", frame_as_text(frame, style and style.for_file(".csv")), "text/csv"


def _file(name: str, kind: str, write: Callable[[Path], object]) -> File:
    """Write a file to a temporary folder, read it, and delete it."""
    with temporary_folder() as folder:
        path = folder / name
        write(path)
        return name, path.read_bytes(), kind


def recipe(report: Report, lang: str) -> File:
    """The recipe."""
    return "recipe.yaml", text_to_share(report.recipe).encode(), "text/yaml"


def scores(report: Report, lang: str) -> File:
    """Every number."""
    lines = ["measure,value", *(f"{key},{value!r}" for key, value in report.values().items())]
    return "scores.csv", "\n".join(lines).encode(), "text/csv"


def page(report: Report, lang: str, job: Job | None = None, salt: str = "") -> File:
    """The report as one page."""
    with temporary_folder() as folder:
        made = write_report(report, folder / "report", lang=lang, formats=(), job=job, salt=salt)
        return "report.html", (made / "index.html").read_bytes(), "text/html"


def notebook(report: Report, lang: str) -> File:
    """A notebook that runs the recipe again: the same numbers with a seed, else those of another draw."""
    return "redo.ipynb", redo_notebook(report.recipe.complete(), lang), "application/x-ipynb+json"


FIGURES = {"Figures (SVG)": "svg", "Figures (PNG)": "png"}
"""Drawn by the page itself: those of the open page."""
MENU: dict[str, Callable[[Report, str], File]] = {
    TO_PUBLISH: to_publish,
    TO_SCORE: to_score,
    "Scores (CSV)": scores,
    "Recipe (YAML)": recipe,
    REPORT: page,
    "Notebook": notebook,
    LOOKUP: lookup,
    MAPPING: mapping,
}


def make(name: str, report: Report, lang: str, job: Job, salt: str = "") -> File:
    """Make one file of the download menu, in the worker's thread; `salt` as in `write_report`."""
    job.progress(name)
    return page(report, lang, job, salt) if name == REPORT else MENU[name](report, lang)


def entries(recipe: Recipe | None) -> list[str]:
    """Entries of the download menu for a recipe; without one, those that every recipe has."""
    absent = {TO_SCORE, LOOKUP, MAPPING}
    if recipe is not None and recipe.data_kind.aligned is not None:
        absent.discard(TO_SCORE)
    if recipe is not None and recipe.data_kind.publishing.has_lookup(recipe):
        absent.discard(LOOKUP)
    if recipe is not None and recipe.data_kind.publishing.has_mapping(recipe):
        absent.discard(MAPPING)
    return [name for name in (*MENU, *FIGURES) if name not in absent]
