"""Write a study: what may be published together in one folder; other tables and recipes in others."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from insanonym_core.errors import UsageError
from insanonym_core.io.spreadsheets import defused_row
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import text_to_share
from insanonym_core.report.build import replaced_folder
from insanonym_core.study.plan import Study
from insanonym_core.study.tables import StudyTables
from insanonym_core.study.text import render_text
from insanonym_core.tabular.files import write_frame
from insanonym_core.tabular.release import sorted_rows
from insanonym_core.texts import LANGUAGES
from insanonym_core.traces.files import write_trace_table

PUBLISH, INSTEAD, WORKING, RECIPES = "publish", "instead", "working", "recipes"
_FOLDERS = {PUBLISH, INSTEAD, WORKING, RECIPES}
_DIFFERENCES = "differences.csv"


def check_study(folder: Path, *, force: bool) -> None:
    """Refuse early a folder that must stay as it is."""
    if not folder.parent.is_dir():
        raise UsageError(
            "{folder}: the folder {parent} does not exist; create it first.",
            folder=folder,
            parent=folder.parent,
        )
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError("{folder} is a file: give the name of a folder for the study.", folder=folder)
    if Path.cwd().is_relative_to(folder.resolve()):
        raise UsageError("{folder} is the folder you are in: give the name of a new one.", folder=folder)
    existing = {path.name for path in folder.iterdir()}
    if existing and not force:
        raise UsageError(
            "{folder} exists already: choose another name, or overwrite the study with --force.",
            folder=folder,
        )
    inside = {path.suffix for part in _FOLDERS for path in (folder / part).glob("*")}
    if existing - _FOLDERS or inside - {".csv", ".html", ".yaml"}:
        raise UsageError("{folder} holds other files than a study: choose another folder.", folder=folder)


def write_study(tables: StudyTables, folder: Path | str, *, force: bool = False) -> Path:
    """Write every table, the text in both languages, and the recipe of each table.

    Tables that give something away together with those in the first folder are in the second: they may be
    published instead. The cleaned table is a working table: its rows are not safe to publish.
    """
    folder = Path(folder).resolve()
    check_study(folder, force=force)
    study = tables.study
    files = file_names(tables)
    with replaced_folder(folder) as draft:
        for part in _FOLDERS:
            (draft / part).mkdir(parents=True)
        write_frame(tables.loss_by_year(), draft / files["loss_by_year"])
        for name, frame in tables.frames():
            write_frame(frame, draft / files[name])
        for name, table in tables.traces():
            write_trace_table(table, draft / files[name])
        cleaned = sorted_rows(tables.cleaned.release.published).frame()
        write_frame(cleaned, draft / WORKING / f"{study.name}_cleaned.csv", private=True)
        (draft / WORKING / f"{study.name}_{_DIFFERENCES}").write_text(_differences(tables), encoding="utf-8")
        for lang in LANGUAGES:
            page, _ = render_text(tables, files, lang)
            (draft / PUBLISH / f"{study.name}_text.{lang}.html").write_text(page, encoding="utf-8")
        for name, recipe in recipes(study):
            path = draft / RECIPES / f"{study.name}_{name}.yaml"
            path.write_text(text_to_share(recipe), encoding="utf-8")
    return folder


def file_names(tables: StudyTables) -> dict[str, str]:
    """The file of each table, in the folder of those that may be published together or in the other one."""
    names = ["loss_by_year", *tables.projections, *(name for name, _ in tables.traces())]
    together = tables.together()
    return {
        name: f"{PUBLISH if name in together else INSTEAD}/{tables.study.name}_{name}.csv" for name in names
    }


def recipes(study: Study) -> Iterator[tuple[str, Recipe]]:
    """The recipe of each table, by which it can be made and measured alone (insanonym report)."""
    yield "cleaned", study.cleaning()
    for name in study.projections:
        yield name, study.projection(name)
    yield "traces", study.counted()
    if study.protects:
        yield "traces_protected", study.counted(protect=True)


def _differences(tables: StudyTables) -> str:
    """What each two tables give away together, as numbers: nobody's values are listed."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("first", "second", "groups", "rows", "exact"))
    for pair in tables.differences:
        if pair.found is not None:
            numbers = (len(pair.found.combinations), pair.found.rows, pair.found.exact)
            writer.writerow([*defused_row((pair.first, pair.second)), *numbers])
    for beside in tables.beside:
        if beside.groups is not None:
            writer.writerow(
                [*defused_row((beside.traces, beside.projection)), beside.groups, beside.rows, False]
            )
    for name, report in (("masked", tables.masked), ("protected", tables.protected)):
        together = None if report is None else report.release.together
        if together is not None:
            labels = (f"traces with prefix, {name}", f"traces, {name}")
            writer.writerow([*labels, together.pinned, together.people_pinned, True])
    return buffer.getvalue()
