"""Sweeps: runs that can be stopped and taken up, their fronts, and the command."""

import csv
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.errors import DataError, UsageError
from insanonym_core.experiment import run
from insanonym_core.figures.sweeps import front_of
from insanonym_core.mobility.writer import write_track
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.sweep import (
    Outcome,
    Sweep,
    comparable,
    joined,
    plan_sweep,
    run_sweep,
    sweep_to_text,
    write_sweep,
)
from insanonym_core.sweep import partial as partial_file
from insanonym_core.sweep import pool as pooling
from insanonym_core.sweep import workers as processes
from tests.sweep.helpers import GAUSS, LAPLACE, OVER

CITY = make_city(12, 2).track


def numbers(sweep: Sweep) -> list[dict[str, float]]:
    return [dict(outcome.values) for outcome in sweep.outcomes]


@pytest.mark.slow
def test_every_point_is_what_run_says():
    plan = plan_sweep({"l": LAPLACE}, OVER, seeds=2)
    seen = []
    sweep = run_sweep(plan, data=CITY, progress=lambda done, of: seen.append((done, of)))
    assert sweep.complete
    assert seen[:8] == [(done, 8) for done in range(8)]
    again = {one.key for one in sweep.front}
    assert seen[-1] == (8 + 2 * len(again), 8 + 2 * len(again))
    assert all(done < of for done, of in seen[:-1]), "it is done when the front is"
    for outcome in sweep.outcomes:
        costly = outcome.point.key in again
        only = ("attack", "utility", "privacy.week_in_the_open")
        report = run(outcome.point.recipe, data=CITY, costly=costly, only=only)
        assert dict(outcome.values) == report.values()
        assert ("attack.everything" in outcome.values) == costly
        assert outcome.decided_by == report.decided_by.measure.key
    assert {one.decided_by for one in sweep.settings} <= {one.decided_by for one in sweep.outcomes}
    assert "" not in {one.decided_by for one in sweep.settings}
    assert {one.key for one in sweep.settings if one.fully_measured} >= again


@pytest.mark.slow
def test_a_costly_measure_beside_the_headline_bounds_no_privacy():
    recipe = recipe_from_text("data: demo:patients\nkind: table\nsteps: [{mondrian: {k: 5}}]")
    sweep = run_sweep(plan_sweep({"m": recipe}, ["mondrian.k=5,10"]), everything=True)
    assert sweep.costly == {"privacy.inference"}
    stopped = replace(
        sweep, outcomes=tuple(replace(one, values=_without_inference(one)) for one in sweep.outcomes)
    )
    assert all(one.fully_measured for one in (*sweep.settings, *stopped.settings))
    assert stopped.suggested() is not None


def _without_inference(outcome: Outcome) -> dict[str, float]:
    return {key: value for key, value in outcome.values.items() if key != "privacy.inference"}


def test_a_stopped_sweep_suggests_nothing_that_was_not_attacked_by_all():
    plan = plan_sweep({"l": LAPLACE}, OVER)
    done: list[int] = []
    stopped = run_sweep(
        plan, data=CITY, progress=lambda n, _: done.append(n), cancelled=lambda: done[-1] >= len(plan.points)
    )
    assert stopped.complete
    assert not any(one.fully_measured for one in stopped.settings)
    assert stopped.suggested() is None
    assert "let the sweep finish" in stopped.reason()
    assert run_sweep(plan, data=CITY).costly == {"attack.everything"}


def test_a_point_is_hollow_where_weeks_are_in_the_open():
    recipe = recipe_from_text("data: demo:mobility\nseed: 1\nsteps: [{planar_laplace: {}}, pseudonymise]")
    sweep = run_sweep(plan_sweep({"l": recipe}, ["planar_laplace.radius=1,5000"]), data=CITY)
    shown = [one.values["privacy.week_in_the_open"] for one in sweep.outcomes]
    assert [one.hollow for one in sweep.settings] == [share >= 0.5 for share in shown] == [True, False]
    figure = front_of(sweep)
    (line,) = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [symbol.endswith("-open") for symbol in line.marker.symbol] == [True, False]
    assert "Hollow" in " ".join(one.text for one in figure.layout.annotations)


def test_a_hollow_setting_is_not_suggested_without_a_word():
    sweep = made_up((0.8, 0.2), (0.5, 0.7))
    shown = {"privacy.week_in_the_open": 0.6}
    hollow = tuple(replace(one, values=dict(one.values) | shown) for one in sweep.outcomes)
    sweep = Sweep(sweep.plan, hollow)
    assert sweep.suggested().hollow
    assert sweep.reason().endswith("; who is who may be hidden, where somebody was is not")
    assert "on voit où quelqu’un se trouvait" in sweep.reason("fr")
    assert "where somebody was" not in made_up((0.5, 0.7)).reason()


def test_whoever_comes_to_the_front_is_attacked_by_everything(monkeypatch):
    """A point that looked better only because it was measured less may not stay on the front."""
    plan = plan_sweep({"l": LAPLACE}, OVER)
    sweep = run_sweep(plan, data=CITY)
    keys = {one.key for one in sweep.front}
    assert all("attack.everything" in one.values for one in sweep.outcomes if one.point.key in keys)
    measured = [one for one in sweep.outcomes if "attack.everything" in one.values]
    assert len(measured) >= len(keys)
    chosen = sweep.suggested()
    assert chosen is None or chosen.key in keys


@pytest.mark.slow
def test_processes_give_the_same_numbers():
    plan = plan_sweep({"l": LAPLACE}, OVER, seeds=2)
    assert numbers(run_sweep(plan, data=CITY, workers=2)) == numbers(run_sweep(plan, data=CITY))


@pytest.mark.slow
def test_spawned_processes_give_the_same_numbers(monkeypatch):
    monkeypatch.setattr(processes.threading, "active_count", lambda: 2)
    plan = plan_sweep({"l": LAPLACE}, ["planar_laplace.radius=0,500"])
    assert numbers(run_sweep(plan, data=CITY, workers=2)) == numbers(run_sweep(plan, data=CITY))


def test_a_failed_point_is_kept_with_its_reason():
    table = recipe_from_text(
        "data: demo:diabetes\nkind: table\nroles: {quasi: [age, sex]}\nsteps: [mondrian]"
    )
    sweep = run_sweep(plan_sweep({"t": table}, ["mondrian.k=2,400,443,500"]))
    assert [bool(outcome.failed) for outcome in sweep.outcomes] == [False, False, True, True]
    assert "needs at least 443 rows" in sweep.failures[0].failed
    assert len(sweep.settings) == 2
    failed = run_sweep(plan_sweep({"t": table}, ["mondrian.k=450,500"]))
    with pytest.raises(DataError, match="No run of the sweep has a result; the first one says: k = 450"):
        failed.suggested()


def made_up(*pairs: tuple[float, float]) -> Sweep:
    """Utility and privacy of settings, by hand."""
    plan = plan_sweep({"l": LAPLACE}, [f"planar_laplace.radius=0:1000:{len(pairs)}"])
    outcomes = [
        Outcome(point, {"utility": utility, "privacy": privacy, "defence": utility * privacy})
        for point, (utility, privacy) in zip(plan.points, pairs, strict=True)
    ]
    return Sweep(plan, tuple(outcomes))


def test_the_front_is_what_nothing_beats():
    sweep = made_up((1.0, 0.0), (0.9, 0.3), (0.8, 0.2), (0.5, 0.7), (0.5, 0.6), (0.1, 0.9))
    assert [(one.utility[0], one.privacy[0]) for one in sweep.front] == [
        (0.1, 0.9),
        (0.5, 0.7),
        (0.9, 0.3),
        (1.0, 0.0),
    ]
    for one in sweep.settings:
        beaten = any(o.utility[0] > one.utility[0] and o.privacy[0] > one.privacy[0] for o in sweep.settings)
        assert (one in sweep.front) <= (not beaten)
    assert sweep.suggested().utility[0] == 0.5
    assert sweep.reason() == "largest defence score (0.350): radius = 600 m"


def test_seeds_make_a_band():
    plan = plan_sweep({"l": LAPLACE}, ["planar_laplace.radius=0,10"], seeds=3)
    values = [0.2, 0.4, 0.6, 0.1, 0.1, 0.1]
    outcomes = tuple(
        Outcome(point, {"utility": value, "privacy": 1.0, "defence": value})
        for point, value in zip(plan.points, values, strict=True)
    )
    first = Sweep(plan, outcomes).settings[0]
    assert first.utility == pytest.approx((0.4, 0.2, 0.6))
    assert first.seeds == 3


@pytest.mark.slow
def test_a_stopped_sweep_goes_on_and_runs_nothing_twice(tmp_path, monkeypatch):
    plan = plan_sweep({"l": LAPLACE}, OVER, seeds=2)
    whole = run_sweep(plan, data=CITY)
    partial = tmp_path / "s.csv.partial"
    done = []
    stopped = run_sweep(
        plan,
        data=CITY,
        partial=partial,
        progress=lambda n, _: done.append(n),
        cancelled=lambda: done[-1] >= 3,
    )
    assert not stopped.complete
    assert len(stopped.outcomes) == 3
    with partial.open("a") as file:
        file.write('{"point": 3, "val')  # killed in the middle of a line
    runs = []
    monkeypatch.setattr(pooling, "run", lambda recipe, **more: runs.append(recipe) or run(recipe, **more))
    resumed = run_sweep(plan, data=CITY, partial=partial)
    on_the_front = sum("attack.everything" in one.values for one in whole.outcomes)
    assert len(runs) == 5 + on_the_front, "points of the front are run again, with costly measures"
    again = len(runs)
    run_sweep(plan, data=CITY, partial=partial)
    assert len(runs) == again
    assert numbers(resumed) == numbers(whole)
    for sweep, name in ((whole, "a.csv"), (resumed, "b.csv")):
        write_sweep(sweep, tmp_path / name)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    with pytest.raises(UsageError, match="belongs to another sweep or other data"):
        run_sweep(plan_sweep({"l": LAPLACE}, OVER, seeds=3), data=CITY, partial=partial)
    partial.write_text("hello")
    with pytest.raises(UsageError, match="not an unfinished sweep"):
        run_sweep(plan, data=CITY, partial=partial)


@pytest.mark.slow
def test_the_command_killed_halfway_and_resumed_gives_the_same_file(tmp_path, run):
    recipe = tmp_path / "laplace.yaml"
    write_track(CITY, tmp_path / "city.tsv")
    recipe.write_text(f"data: {tmp_path}/city.tsv\nseed: 1\nsteps: [{{planar_laplace: {{}}}}, pseudonymise]")
    arguments = ["sweep", recipe, "--over", "planar_laplace.radius=0:2000:6", "--seeds", 3, "--workers", 2]
    whole, killed = tmp_path / "whole.csv", tmp_path / "killed.csv"
    found = run(*arguments, "-o", whole, "--json")
    assert found.code == 0, found.err
    assert found.json["runs"] == 18
    assert (found.json["suggested"] is None) == ("no setting defends" in found.json["reason"])
    command = [sys.executable, "-c", "from insanonym_core.cli import main; main()", *map(str, arguments)]
    process = subprocess.Popen(
        [*command, "-o", str(killed)], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    partial = tmp_path / "killed.csv.partial"
    while not (partial.exists() and len(partial.read_text().splitlines()) > 3):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(10)
    assert not killed.exists()
    assert 3 < len(partial.read_text().splitlines()) < 19
    assert run(*arguments, "-o", killed).code == 0
    assert killed.read_bytes() == whole.read_bytes()
    assert not partial.exists()
    with killed.open() as file:
        assert len(list(csv.DictReader(file))) == 18
    assert run(*arguments, "-o", killed).code == 2  # never overwrites


def test_a_changed_file_is_not_mixed_into_a_half_done_sweep(tmp_path):
    path, partial = tmp_path / "t.csv", tmp_path / "s.partial"
    path.write_text("a,b\n" + "".join(f"{n},{n % 7}\n" for n in range(100)))
    recipe = recipe_from_text(f"data: {path}\nkind: table\nroles: {{quasi: [a, b]}}\nsteps: [mondrian]")
    plan = plan_sweep({"t": recipe}, ["mondrian.k=2,5,10"])
    run_sweep(plan, partial=partial, cancelled=lambda: True)
    path.write_text("a,b\n" + "".join(f"{n},{n % 5}\n" for n in range(50)))
    with pytest.raises(UsageError, match="other data"):
        run_sweep(plan, partial=partial)
    partial.write_text("")  # killed before the first line
    assert run_sweep(plan, partial=partial).complete


@pytest.mark.slow
def test_two_sweeps_do_not_share_one_file(tmp_path, monkeypatch):
    monkeypatch.setattr(partial_file, "_MAX_LOCK_TRIES", 1)
    plan = plan_sweep({"l": LAPLACE}, ["planar_laplace.radius=0,10"])
    partial = tmp_path / "s.partial"

    def meanwhile() -> bool:
        with pytest.raises(UsageError, match="another sweep"):
            run_sweep(plan, data=CITY, partial=partial)
        return False

    assert run_sweep(plan, data=CITY, partial=partial, cancelled=meanwhile).complete


def test_nothing_is_suggested_where_nothing_defends():
    sweep = made_up((1.0, 0.0), (0.5, 0.0))
    assert sweep.suggested() is None
    assert "no setting defends" in sweep.reason()
    assert "aucun réglage" in sweep.reason("fr")


def test_an_undefined_headline_says_why():
    text = (
        "data: demo:enrolments\nroles: {identifier: CODE_INDIVIDU}\nheadline: {privacy: pinned}\n"
        "steps: [{count_traces: {item: [LIB_DIPLOME], order: ANNEE_INSCRIPTION}}]"
    )
    sweep = run_sweep(plan_sweep({"t": recipe_from_text(text)}, ["count_traces.mask=5,10"]))
    with pytest.raises(DataError, match="without a prefix there is no second table"):
        sweep.suggested()


def test_settings_in_words():
    recipe = recipe_from_text(
        "data: demo:diabetes\nkind: table\nroles: {quasi: [age, sex]}\nsteps: [suppress_rare_rows, mondrian]"
    )
    plan = plan_sweep({"a": recipe}, ["suppress_rare_rows.k=1", "mondrian.k=2"])
    values = {"utility": 1.0, "privacy": 0.5, "defence": 0.5}
    (setting,) = Sweep(plan, (Outcome(plan.points[0], values),)).settings
    assert setting.written() == (
        "Delete rare combinations · k = 1 row, Mondrian (multidimensional) · k = 2 rows"
    )
    radius = made_up((1.0, 0.1), (0.9, 0.2), (0.5, 0.3), (0.4, 0.4)).settings[1]
    assert radius.written() == "radius = 333.3 m"
    assert radius.written("fr") == "rayon = 333,3 m"


@pytest.mark.slow
def test_wrong_calls(tmp_path, run):
    recipe = tmp_path / "a.yaml"
    recipe.write_text("data: demo:mobility\nsteps: [{planar_laplace: {}}]")
    out = tmp_path / "o.csv"
    for arguments, code, message in [
        ([tmp_path / "none.yaml", "--over", OVER[0]], 2, "cannot be read"),
        ([recipe], 2, "--over"),
        ([recipe, "--over", "cloak.k=1:3:3"], 2, "No recipe has a step for cloak.k"),
        ([recipe, "--over", OVER[0], "--workers", 0], 2, "number of workers"),
        ([recipe, "--over", OVER[0], "--lang", "de"], 2, "en or fr"),
        ([recipe, recipe, "--over", OVER[0]], 2, "same name"),
        ([recipe, "--over", OVER[0], "--figure", tmp_path / "x.xyz"], 2, "must end in"),
    ]:
        found = run("sweep", *arguments, "-o", out)
        assert (found.code, message in found.err) == (code, True), found.err
        assert not out.exists()


def test_sweeps_are_joined_and_written_as_text(tmp_path):
    first = run_sweep(plan_sweep({"l": LAPLACE}, OVER), data=CITY)
    second = run_sweep(plan_sweep({"g": GAUSS}, ["gaussian_noise.sigma=0,50"]), data=CITY)
    both = joined([first, second])
    assert [one.defence for one in both.settings] == [
        one.defence for one in (*first.settings, *second.settings)
    ]
    assert {one.series for one in both.settings} == {"l", "g"}
    write_sweep(both, tmp_path / "both.csv")
    assert (tmp_path / "both.csv").read_bytes().decode() == sweep_to_text(both)
    assert comparable([LAPLACE, GAUSS])
    assert not comparable([LAPLACE, recipe_from_text("data: demo:mobility\nrules: v1\nsteps: []")])
