"""A disk that is full halfway: a sentence, nothing under the final name, nothing left beside.

The system itself refuses to let a file grow past a few bytes (RLIMIT_FSIZE), so Python's, pandas' and Arrow's
writers all fail as they would on a full disk, halfway.
"""

import contextlib
import sys

import numpy as np
import pandas as pd
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.experiment import run as run_recipe
from insanonym_core.figures.export import save
from insanonym_core.figures.maps import cell_map, save_map
from insanonym_core.league import results
from insanonym_core.lessons.catalogue import copy_lessons
from insanonym_core.mobility.attack_files import write_guesses
from insanonym_core.mobility.places import cells_of
from insanonym_core.mobility.writer import write_track
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.recipe_file import write_recipe
from insanonym_core.report import write_report
from insanonym_core.scale.partition import partition
from insanonym_core.sweep import plan_sweep, run_sweep, write_sweep
from insanonym_core.tabular.files import write_frame
from insanonym_core.traces import write_trace_table
from insanonym_core.traces.table import TraceTable
from tests.fuzz.seeds import frame as made_frame
from tests.fuzz.seeds import track as made_track
from tests.helpers import track
from tests.league.conftest import played, room, small_city

__all__ = ["played", "room", "small_city"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the limit is Unix's")
RECIPE = Recipe((step_from_text("mondrian k=5"),), data="demo:patients", kind="table", seed=1)


@contextlib.contextmanager
def full_disk(room_left: int = 20):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room_left, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


TRACK = track(made_track().decode())
TRACES = TraceTable.from_counts([("a" * 30, "b"), ("c",)], np.array([30, 20]))


def _figure():
    import plotly.graph_objects as go

    return go.Figure()


WRITERS = {
    **{
        f"track.{end}": lambda path: write_track(TRACK, path, force=True)
        for end in ("tsv", "csv", "csv.gz", "zip", "parquet")
    },
    **{
        f"table.{end}": lambda path: write_frame(made_frame(), path, force=True)
        for end in ("csv", "tsv", "csv.gz", "csv.zip", "parquet")
    },
    "traces.csv": lambda path: write_trace_table(TRACES, path, force=True),
    "guesses.json": lambda path: write_guesses({"a" * 30: {"2015-10": ("b",)}}, path, force=True),
    "recipe.yaml": lambda path: write_recipe(RECIPE, path, force=True),
    "figure.html": lambda path: save(_figure(), path, force=True),
    "map.html": lambda path: save_map(cell_map(cells_of(TRACK, 2)), path, force=True),
}


@pytest.mark.parametrize("name", WRITERS)
def test_files(tmp_path, name):
    path = tmp_path / name
    with full_disk(), pytest.raises(UsageError, match="cannot be written"):
        WRITERS[name](path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("somebody's work")
    with full_disk(), pytest.raises(UsageError, match="cannot be written"):
        WRITERS[name](path)
    assert path.read_text() == "somebody's work"
    assert list(tmp_path.iterdir()) == [path]
    WRITERS[name](path)
    assert path.stat().st_size > 20


@pytest.mark.slow
def test_a_report(tmp_path):
    report = run_recipe(RECIPE)
    with full_disk(), pytest.raises(UsageError, match="cannot be written"):
        write_report(report, tmp_path / "r", formats=())
    assert list(tmp_path.iterdir()) == []
    write_report(report, tmp_path / "r", formats=())
    before = (tmp_path / "r" / "index.html").read_bytes()
    with full_disk(), pytest.raises(UsageError, match="cannot be written"):
        write_report(report, tmp_path / "r", formats=(), force=True)
    assert (tmp_path / "r" / "index.html").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_parts(tmp_path):
    (tmp_path / "a.tsv").write_bytes(made_track())
    with full_disk(), pytest.raises(UsageError, match="cannot be written"):
        partition(tmp_path / "a.tsv", tmp_path / "parts")
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]


def test_lessons(tmp_path):
    with full_disk(), pytest.raises(UsageError, match="cannot be written"):
        copy_lessons(tmp_path / "lessons")
    assert list((tmp_path / "lessons").iterdir()) == []


@pytest.mark.slow
def test_a_sweep_keeps_what_was_done(tmp_path):
    plan = plan_sweep({"one": RECIPE}, ["mondrian.k=2,3"], 1)
    partial = tmp_path / "sweep.csv.partial"
    sweep = run_sweep(plan, partial=partial)
    with full_disk(), pytest.raises(UsageError, match=r"sweep.csv cannot be written"):
        write_sweep(sweep, tmp_path / "sweep.csv")
    assert list(tmp_path.iterdir()) == [partial]
    whole = partial.read_text()
    partial.write_text("".join(whole.splitlines(keepends=True)[:2]))
    with full_disk(), pytest.raises(UsageError, match="partial cannot be written"):
        run_sweep(plan, partial=partial)
    assert partial.read_text().startswith("".join(whole.splitlines(keepends=True)[:2]))
    again = run_sweep(plan, partial=partial)
    assert [one.values for one in again.outcomes] == [one.values for one in sweep.outcomes]


def test_a_league(played):
    room, league = played
    before = {path: path.read_bytes() for path in room.folder.rglob("*") if path.is_file()}
    with full_disk(), pytest.raises(UsageError, match="cannot be written"):
        results.save(league)
    with full_disk(), pytest.raises(UsageError, match="cannot be written"):
        room.play()
    assert {path: path.read_bytes() for path in room.folder.rglob("*") if path.is_file()} == before


def test_two_tables_that_belong_together(run, tmp_path, monkeypatch):
    """bucketise: with one table new and one old, groups would name other people's values."""
    frame = pd.DataFrame({"age": range(40), "illness": list("abcd") * 10})
    frame.to_csv(tmp_path / "a.csv", index=False)
    command = (
        "table",
        "bucketise",
        tmp_path / "a.csv",
        "-o",
        tmp_path / "out",
        "--qi",
        "age",
        "--sensitive",
        "illness",
    )
    with full_disk():
        found = run(*command)
    assert (found.code, "cannot be written" in found.err) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]
    assert run(*command).code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    sizes = sorted(map(len, before.values()))
    assert sizes[0] < sizes[1]
    with full_disk(sizes[0] + 10):  # room for the first of them
        assert run(*command, "--force").code == 2
    assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


@pytest.mark.parametrize("what", ["mobility", "enrolments", "patients"])
def test_demonstrations(run, tmp_path, what):
    with full_disk():
        found = run("demo", what, "-o", tmp_path / "a.csv")
    assert (found.code, "cannot be written" in found.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_a_lookup(run, tmp_path):
    (tmp_path / "a.tsv").write_bytes(made_track())
    step = ("--step", "pseudonymise", "--lookup", tmp_path / "l.csv")
    with full_disk():
        found = run("anonymise", tmp_path / "a.tsv", "-o", tmp_path / "b.tsv", *step)
    assert (found.code, "cannot be written" in found.err) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]
