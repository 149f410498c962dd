"""Every `--json` output of the command line is what it was when it was recorded.

The calls are in cases.py, the files they read in inputs.py, what they said in outputs/. Floats compare to
1e-9 of their size (below 1e-12 they are zero), all else exactly; cases with `numbers="draws"` compare by
shape (see cases.py). The order of keys is not compared.

`INSANONYM_RECORD=1 pytest -n0 tests/recorded` writes the outputs anew. That is only for a deliberate change
of an output: read the difference that git shows, and say in the commit why it is right.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from insanonym_core.cli import main
from tests.recorded.cases import CASES, Case
from tests.recorded.compare import differences, normalised
from tests.recorded.inputs import write_inputs

OUTPUTS = Path(__file__).parent / "outputs"
RECORDING = os.environ.get("INSANONYM_RECORD") == "1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the inputs, in which commands run."""
    made = tmp_path_factory.mktemp("recorded")
    with contextlib.chdir(made):
        write_inputs(made, _prepared)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_output_is_the_recorded_one(case: Case, folder: Path) -> None:
    with contextlib.chdir(folder):
        code, out, err = _call(*case.argv)
    assert "Traceback" not in err
    now = normalised({"exit": code, "output": json.loads(out) if out else None})
    file = OUTPUTS / f"{case.name}.json"
    if RECORDING:
        OUTPUTS.mkdir(exist_ok=True)
        file.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", "utf-8")
    recorded = json.loads(file.read_text("utf-8"))
    assert now["exit"] == recorded["exit"], err
    found = differences(case, recorded["output"], now["output"])
    assert not found, "\n".join([f"insanonym {' '.join(case.argv)}", *found[:10], f"{len(found)} in all"])


def test_every_case_has_its_own_file_and_every_file_its_case() -> None:
    names = [case.name for case in CASES]
    assert sorted(names) == sorted(path.stem for path in OUTPUTS.glob("*"))


def test_every_command_with_json_is_recorded() -> None:
    called = {word for case in CASES for word in (case.call.split()[0], " ".join(case.call.split()[:2]))}
    assert [name for name in _commands_with_json() if name not in called] == []


def test_differences_are_told_with_their_path() -> None:
    recorded = {"a": [{"b": 1.0, "c": 2}], "k": 5, "text": "k = 5 holds", "front": [1.0]}
    close = recorded | {"a": [{"b": 1.0 + 1e-12, "c": 2}]}
    other = {"a": [{"b": 1.1, "c": 2.0}], "k": 6, "text": "k = 6 holds", "front": [1.5, 2.5]}
    exact, drawn = Case("", ""), Case("", "", numbers="draws", same=("k",), free=("front",))

    def paths(case: Case, now: Any) -> list[str]:
        return [line.partition(":")[0] for line in differences(case, recorded, now)]

    assert paths(exact, close) == []
    assert paths(exact, other) == ["a/0/b", "a/0/c", "k", "text", "front", "front/0"]
    assert paths(drawn, other) == ["a/0/c", "k"]
    assert paths(drawn, {"a": [], "k": 5, "text": "fails", "new": 1}) == ["a", "text", "front", "new"]


def _commands_with_json() -> list[str]:
    from typer.main import get_command

    from insanonym_core.cli import app

    def below(command: Any, name: str) -> list[str]:
        inner = getattr(command, "commands", {})
        if inner:
            return [found for key, one in inner.items() for found in below(one, f"{name} {key}".strip())]
        return [name] if any("--json" in one.opts for one in command.params) else []

    return below(get_command(app()), "")


def _call(*arguments: object) -> tuple[int, str, str]:
    """Call `insanonym` as the console script does; its exit code, output and errors."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr(sys, "argv", ["insanonym", *map(str, arguments)])
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


def _prepared(*arguments: object) -> None:
    code, _, err = _call(*arguments)
    assert code == 0, f"insanonym {' '.join(map(str, arguments))}: {err}"
