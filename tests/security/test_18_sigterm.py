"""SIGTERM leaves nothing behind and exits with 143; after kill -9 the next run works; parts are private."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.security.processes import environment, finish

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals and rights are Unix's"),
    pytest.mark.slow,
]
PAUSING = r"""
import importlib, os, signal, sys
from insanonym_core.cli import main

module, name, calls = importlib.import_module(sys.argv[1]), sys.argv[2], int(sys.argv[3])
original = getattr(module, name)

def paused(*given, **named):
    global calls
    calls -= 1
    if calls > 0:
        return original(*given, **named)
    os.write(1, b"paused\n")  # in one piece: two workers may come here at once
    signal.pause()
    sys.exit("the signal was ignored")

setattr(module, name, paused)
sys.argv[1:] = sys.argv[4:]
main()
"""
RECIPE = "data: demo:patients\nkind: table\nseed: 1\nsteps:\n- mondrian: {k: 5}\n"


@pytest.fixture
def paused():
    """Start a command that stands still at a certain call of a function; it is gone after the test."""
    started: list[subprocess.Popen[str]] = []

    def start(module: str, function: str, calls: int, *arguments: object) -> subprocess.Popen[str]:
        given = [f"insanonym_core.{module}", function, str(calls), *map(str, arguments)]
        process = subprocess.Popen(
            [sys.executable, "-c", PAUSING, *given],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            umask=0o022,
        )
        started.append(process)
        assert process.stdout is not None
        if process.stdout.readline() != "paused\n":
            pytest.fail(f"it did not come so far: {process.communicate()[1]}")
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def _end(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str]:
    process.send_signal(number)
    return process.wait(timeout=120), process.communicate()[1]


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def traces(tmp_path) -> Path:
    """So many rows that partition reads them in several blocks."""
    path = tmp_path / "traces.tsv"
    path.write_text("".join(f"u{n % 20}\t2015-03-04 10:00:00\t45.5\t4.5\n" for n in range(110_000)))
    return path


@pytest.fixture
def recipe(tmp_path) -> Path:
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE)
    return path


def _partition(path: Path) -> tuple[object, ...]:
    return "partition", path, "-o", path.parent / "parts", "--parts", 2, "--memory-limit", 200


def test_partition_leaves_nothing(paused, traces):
    process = paused("scale.partition", "_individual_hashes", 2, *_partition(traces))
    beside = traces.parent / ".parts.partial"
    assert list(beside.glob("*.parquet")), "some rows are written"
    assert {_mode(part) for part in beside.iterdir()} == {0o600}
    assert _mode(beside) == 0o700
    code, errors = _end(process, signal.SIGTERM)
    assert code == 143
    assert "Traceback" not in errors
    assert list(traces.parent.iterdir()) == [traces]


def test_partition_after_kill_9(paused, traces):
    code, _ = _end(paused("scale.partition", "_individual_hashes", 2, *_partition(traces)), signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert finish(*_partition(traces))[0] == 0
    parts = traces.parent / "parts"
    assert sorted(traces.parent.iterdir()) == [parts, traces]
    assert _mode(parts) == 0o700
    assert {_mode(part) for part in parts.iterdir()} == {0o600}


@pytest.mark.parametrize("name", ["out.tsv", "out.csv.gz", "out.zip"])
def test_a_half_written_release_is_removed(paused, golden, tmp_path, name):
    step = ("--step", "delete_at_random", "-o", tmp_path / name)
    process = paused("mobility.writer", "_write_text", 1, "anonymise", golden[0], *step)
    assert list(tmp_path.glob(".insanonym-*"))
    code, errors = _end(process, signal.SIGTERM)
    assert (code, "Traceback" in errors) == (143, False)
    assert list(tmp_path.iterdir()) == []


def test_a_half_written_report_is_removed(paused, recipe):
    report = ("report", recipe, "-o", recipe.parent / "report", "--formats", "")
    process = paused("report.build", "text_to_share", 1, *report)
    assert list(recipe.parent.glob(".insanonym-*"))
    code, errors = _end(process, signal.SIGTERM)
    assert (code, "Traceback" in errors) == (143, False)
    assert list(recipe.parent.iterdir()) == [recipe]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_stopped_sweep_goes_on(paused, recipe, number):
    """Its .partial file is meant to stay: the same command goes on from there. Only its owner reads it."""
    output = recipe.parent / "sweep.csv"
    sweep = ("sweep", recipe, "--over", "mondrian.k=2,5,10", "-o", output)
    process = paused("sweep.pool", "_run_point", 3, *sweep)
    partial = recipe.parent / "sweep.csv.partial"
    assert _mode(partial) == 0o600
    code, errors = _end(process, number)
    assert code == (143 if number == signal.SIGTERM else -9)
    assert "Traceback" not in errors
    assert len(partial.read_text().splitlines()) == 3, "the plan and two results"
    assert finish(*sweep)[0] == 0
    assert sorted(recipe.parent.iterdir()) == sorted([recipe, output])


def test_workers_end_with_their_sweep(paused, recipe):
    """The pool does not wait for what its processes have begun."""
    output = recipe.parent / "sweep.csv"
    sweep = ("sweep", recipe, "--over", "mondrian.k=2,3,4,5,6,7,8,9", "-o", output, "--workers", 2)
    process = paused("sweep.pool", "_run_point", 1, *sweep)
    code, errors = _end(process, signal.SIGTERM)
    assert (code, "Traceback" in errors) == (143, False)


def test_the_old_report_stays_when_the_new_one_is_stopped(tmp_path, monkeypatch):
    """Between the two moves of a report that is written again."""
    from insanonym_core.report import build

    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "index.html").write_text("old")
    (tmp_path / "draft").mkdir()
    move = build.shutil.move

    def stopped(source, target):
        if Path(source).name == "draft":
            raise SystemExit(143)
        return move(source, target)

    monkeypatch.setattr(build.shutil, "move", stopped)
    with pytest.raises(SystemExit):
        build._replace_folder(tmp_path / "draft", tmp_path / "report", tmp_path / "old")
    assert (tmp_path / "report" / "index.html").read_text() == "old"
