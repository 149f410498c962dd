"""What can be taken along: the release, its scores, the recipe, a report page, a notebook that redoes it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from insanonym_core.experiment import Report
from insanonym_core.recipe_file import recipe_to_text
from insanonym_core.report import write_report
from insanonym_dashboard.worker import Tell

File = tuple[str, bytes, str]


def release(report: Report, lang: str) -> File:
    """What may be published, as CSV (GPS traces as TSV)."""
    with tempfile.TemporaryDirectory() as folder:
        if report.recipe.kind == "mobility":
            from insanonym_core.mobility.writer import write_track

            path = Path(folder) / "release.tsv"
            write_track(report.release.release, path)
        elif report.recipe.kind == "traces":
            from insanonym_core.traces import write_trace_table

            path = Path(folder) / "traces.csv"
            write_trace_table(report.release.published, path)
        else:
            from insanonym_core.tabular.files import write_frame

            path = Path(folder) / "release.csv"
            write_frame(report.release.published.frame(), path)
        return path.name, path.read_bytes(), "text/csv"


def recipe(report: Report, lang: str) -> File:
    """The recipe."""
    return "recipe.yaml", recipe_to_text(report.recipe.complete()).encode(), "text/yaml"


def scores(report: Report, lang: str) -> File:
    """Every number."""
    lines = ["measure,value", *(f"{key},{value!r}" for key, value in report.values().items())]
    return "scores.csv", "\n".join(lines).encode(), "text/csv"


def page(report: Report, lang: str, tell: Tell = lambda _: None) -> File:
    """The report as one page."""
    with tempfile.TemporaryDirectory() as folder:
        made = write_report(report, Path(folder) / "report", lang=lang, formats=(), tell=tell)
        return "report.html", (made / "index.html").read_bytes(), "text/html"


def notebook(report: Report, lang: str) -> File:
    """A notebook that makes the same numbers and figures again."""
    cells = [
        "from insanonym_core.experiment import run\n"
        "from insanonym_core.figures.gallery import pictures\n"
        "from insanonym_core.recipe_file import recipe_from_text",
        f'recipe = recipe_from_text("""\n{recipe_to_text(report.recipe.complete())}""")',
        "report = run(recipe)  # for an upload: run(recipe, data=read_table('file.csv'))\nreport.values()",
        f"for picture in pictures(report, lang={lang!r}):\n    picture.figure.show()",
    ]
    content = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"c{n}",
                "metadata": {},
                "outputs": [],
                "source": cell,
            }
            for n, cell in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return "redo.ipynb", json.dumps(content, indent=1).encode(), "application/x-ipynb+json"


FIGURES = {"Figures (SVG)": "svg", "Figures (PNG)": "png"}
"""Drawn by the page itself: those of the open page."""
MENU: dict[str, Callable[[Report, str], File]] = {
    "Release": release,
    "Scores (CSV)": scores,
    "Recipe (YAML)": recipe,
    "Report (HTML)": page,
    "Notebook": notebook,
}


def make(name: str, report: Report, lang: str, tell: Tell) -> File:
    """One of the menu, on the worker's thread; `tell` may raise to stop."""
    tell(name)
    return page(report, lang, tell) if name == "Report (HTML)" else MENU[name](report, lang)
