"""Every way a user's file comes in. Each reads a file and, where it is accepted, uses what it got.

What is accepted must be sound: it can be scored, and written and read again it is the same.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from insanonym_core.errors import InsanonymError
from tests.fuzz import seeds
from tests.helpers import contents

Reader = Callable[[Path, Path], None]
"""Takes the file, and a folder that is empty and may be filled."""


class RefusedError(InsanonymError):
    """Refused with a message of ours, by something that does not raise it."""


# --- GPS traces --------------------------------------------------------------------------------------


def mobility(path: Path, folder: Path) -> None:
    from insanonym_core.mobility.files import read_track
    from insanonym_core.mobility.writer import write_track

    track = read_track(path)
    for name in ("out.tsv", "out.csv.gz", "out.parquet"):
        write_track(track, folder / name)
        if len(track):
            _same_tracks(track, read_track(folder / name))


def mobility_large(path: Path, folder: Path) -> None:
    """As a file of 40 MB and more is read, by compiled code: it must come out as it does otherwise."""
    from insanonym_core.io.sources import source_of
    from insanonym_core.mobility.files import read

    source = source_of(path)
    try:
        found = read(replace(source, large=False))
    except InsanonymError as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            read(replace(source, large=True))
        raise
    assert contents(read(replace(source, large=True))) == contents(found)


def _same_tracks(one: Any, other: Any) -> None:
    def ids(track: Any) -> list[str]:
        return [track.tokens[code] if code >= 0 else "DEL" for code in track.token.tolist()]

    assert ids(one) == ids(other)
    kept = one.is_kept
    micro = [track.time[kept] * (1_000_000 // track.resolution) for track in (one, other)]
    assert micro[0].tolist() == micro[1].tolist()
    assert one.latitude[kept].tolist() == other.latitude[kept].tolist()
    assert one.longitude[kept].tolist() == other.longitude[kept].tolist()


@cache
def _original() -> Any:
    from insanonym_core.io.sources import source_of_bytes
    from insanonym_core.mobility.files import read

    return read(source_of_bytes("original.tsv", seeds.track()), original=True)


def mobility_release(path: Path, folder: Path) -> None:
    """As `insanonym check` and `score` do, beside a sound original."""
    from insanonym_core.experiment import score_release
    from insanonym_core.mobility.checks import check
    from insanonym_core.mobility.files import read

    report = score_release(check(_original(), read(path)).pair(allow_invalid=True))
    assert all(0 <= one.score.value <= 1 for one in report.family("utility") if one.score.defined)


def mobility_upload(path: Path, folder: Path) -> None:
    from insanonym_dashboard.uploads import read_upload

    content = path.read_bytes()
    track = read_upload(path.name, len(content), content, "mobility").data
    assert len(track)
    assert (track.token >= 0).all()


def partition(path: Path, folder: Path) -> None:
    from insanonym_core.mobility.files import read_track
    from insanonym_core.scale.partition import partition as part

    rows = part(path, folder / "parts", parts=2)
    assert sum(len(read_track(one)) for one in (folder / "parts").iterdir()) == rows


def league_release(path: Path, folder: Path) -> None:
    from insanonym_core.experiment.run import pair_recipe
    from insanonym_core.league.judge import Judge, ScoredRelease

    found = Judge(_original(), None, pair_recipe("mobility"), house=False).judge_release(path, folder)
    if not isinstance(found, ScoredRelease):
        assert found
        _no_inner_failure(found)
        raise RefusedError("\n".join(problem.sentence() for problem in found))
    assert 0 <= found.utility <= 1


def _no_inner_failure(problems: Any) -> None:
    """The league survives whatever happens; here we want to hear of it."""
    for problem in problems:
        assert "cannot be read (" not in problem.message, problem.message
        assert "more memory" not in problem.message, problem.message


def guesses(path: Path, folder: Path) -> None:
    from insanonym_core.mobility.attack_files import read_guesses, write_guesses
    from insanonym_core.mobility.competition import footprint
    from insanonym_core.mobility.pair import Pair
    from insanonym_core.mobility.scoring import score_guesses

    found = read_guesses(path)
    write_guesses(found, folder / "again.json")
    assert read_guesses(folder / "again.json") == found
    track = _original().track
    assert 0 <= score_guesses(footprint(Pair.from_tracks(track, track)), found).value <= 1


def league_attack(path: Path, folder: Path) -> None:
    from insanonym_core.league.judge_attacks import read_attack

    found = read_attack(path, folder)
    if isinstance(found, tuple):
        _no_inner_failure(found)
        raise RefusedError("\n".join(problem.sentence() for problem in found))


# --- tables ------------------------------------------------------------------------------------------


def table(path: Path, folder: Path) -> None:
    from insanonym_core.tabular.files import read_table, write_frame
    from insanonym_core.tabular.roles import guess_roles

    found = read_table(path)
    guess_roles(found)
    for name in ("out.csv", "out.tsv.gz", "out.parquet"):
        write_frame(found.frame(), folder / name)
        _same_tables(found, read_table(folder / name))


def _same_tables(one: Any, other: Any) -> None:
    assert list(one.columns) == list(other.columns)
    assert one.rows == other.rows
    for place, name in enumerate(one.columns):
        before, after = one[name], other[name]
        # In CSV a column of texts such as .5 or 1e5 may become one of numbers: nothing tells them apart.
        taken_for_numbers = (before.kind, after.kind) == ("category", "number")
        assert taken_for_numbers or _cells(before) == _cells(after), f"column {place}, {before.kind}"


def _cells(column: Any) -> list[str | None]:
    texts = [*column.texts(), None]
    return [texts[code] for code in column.codes.tolist()]


def table_as_text(path: Path, folder: Path) -> None:
    """As `traces build` and `traces difference-tables` read."""
    from insanonym_core.tabular.files import read_texts
    from insanonym_core.traces import build_traces, count_traces, difference_projections

    frame = read_texts(path)
    assert len(difference_projections(frame, frame).combinations) == 0
    if len(frame.columns) > 2:
        who, year, *item = frame.columns
        traces = build_traces(frame, who, year, item[:3])
        assert count_traces(traces).individuals == traces.individuals


def table_upload(path: Path, folder: Path) -> None:
    from insanonym_dashboard.uploads import read_upload

    content = path.read_bytes()
    found = read_upload(path.name, len(content), content, "table").data
    assert found.rows
    assert found.columns


def table_release(path: Path, folder: Path) -> None:
    """As a recipe does that names the file: read, roles guessed, made k-anonymous."""
    from insanonym_core.experiment import make_release
    from insanonym_core.recipe import Recipe, step_from_text

    made = make_release(Recipe((step_from_text("mondrian k=2"),), data=str(path), kind="table", seed=1))
    assert made.kept <= made.rows


@cache
def _real() -> Any:
    from insanonym_core.tabular.table import Table

    return Table.from_frame(seeds.frame().drop(columns="name"))


def avatars(path: Path, folder: Path) -> None:
    """As `avatars score` does with somebody's synthetic table."""
    from insanonym_core.avatars.release import avatars_from_tables
    from insanonym_core.tabular.files import read_table

    synthetic = read_table(path)
    if "name" in synthetic.columns and len(synthetic.columns) > 1:
        synthetic = synthetic.select([name for name in synthetic.columns if name != "name"])
    pair = avatars_from_tables(_real(), synthetic)
    assert all(np.isfinite(points).all() for points in pair.points("pca"))


def make_avatars(path: Path, folder: Path) -> None:
    from insanonym_core.experiment import make_release
    from insanonym_core.recipe import Recipe, step_from_text

    made = make_release(
        Recipe((step_from_text("mix_neighbours k=2"),), data=str(path), kind="avatars", seed=1)
    )
    assert made.release.published.rows


def trace_table(path: Path, folder: Path) -> None:
    from insanonym_core.traces import differencing, read_trace_table, write_trace_table

    found = read_trace_table(path)
    write_trace_table(found, folder / "again.csv")
    again = read_trace_table(folder / "again.csv")
    assert (again.traces, again.published()) == (found.traces, found.published())
    with contextlib.suppress(InsanonymError):
        differencing(found, found)


# --- recipes and half-done sweeps --------------------------------------------------------------------


def recipe(path: Path, folder: Path) -> None:
    from insanonym_core.recipe_file import read_recipe, recipe_to_text, write_recipe

    found = read_recipe(path)
    write_recipe(found, folder / "again.yaml")
    again = read_recipe(folder / "again.yaml")
    assert again == found
    assert again.hash == found.hash
    assert recipe_to_text(again) == recipe_to_text(found)


@cache
def _half_done() -> Any:
    from insanonym_core.recipe import Recipe, step_from_text
    from insanonym_core.sweep import plan_sweep

    base = Recipe((step_from_text("mondrian k=2"),), data="demo:patients", kind="table", seed=1)
    return plan_sweep({"one": base}, ["mondrian.k=2,3"], 1)


def half_done_sweep(path: Path, folder: Path) -> None:
    from insanonym_core.sweep import pool, run_sweep, sweep_to_text

    plan = _half_done()
    shutil.copyfile(path, folder / "sweep.partial")
    pool_one = pool._run_point
    pool._run_point = lambda *_: ({"privacy": 0.5, "utility": 0.5, "defence": 0.5}, "", "")
    try:
        sweep = run_sweep(plan, partial=folder / "sweep.partial")
    finally:
        pool._run_point = pool_one
    assert len(sweep_to_text(sweep).splitlines()) == 1 + len(plan.points)


def half_done() -> bytes:
    """A sweep that was stopped after its first run."""
    from insanonym_core import __version__
    from insanonym_core.results.threats import DEFINITION

    plan = _half_done()
    mark = f"{plan.hash}  {__version__} {DEFINITION} headlines"
    values = '{"privacy": 0.5, "utility": 0.25, "defence": 0.125}'
    row = f'{{"point": 0, "values": {values}, "failed": "", "decided_by": ""}}'
    return f'{{"plan": "{mark}"}}\n{row}\n'.encode()
