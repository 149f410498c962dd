"""pyproject.toml promises no version that fails; `make test-lowest` tries the lowest ones."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from insanonym_core.cli import app
from tests.smoke import COMMANDS, ROOT, SERVERS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
_BOUND = re.compile(r"(?P<name>[\w.-]+)>=(?P<version>\d+(\.\d+){2,})(,<[\w.]+)?(\s*;.*)?")
BOUNDS = {requirement: _BOUND.fullmatch(requirement) for requirement in PROJECT["dependencies"]}
LOWEST = {found["name"]: found["version"] for found in BOUNDS.values() if found}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@pytest.mark.parametrize(
    ("name", "works"),
    [
        ("pyarrow", "22.0.0"),  # 17 to 21: exit 70
        ("typer", "0.15.4"),  # 0.15.0 and 0.15.1: exit 70
        ("kaleido", "1.1.0"),  # 1.0 draws nothing
        ("pandas", "2.2.2"),  # earlier ones do not run with numpy 2
        ("scipy", "1.13.0"),  # the same
        ("scikit-learn", "1.5.0"),  # the same
        ("threadpoolctl", "3.1.0"),  # what scikit-learn 1.5 needs
        ("math-core", "0.7.0"),  # before, the function had another name
        ("xstatic-leaflet", "1.9.3.0"),  # the first of 1.9
    ],
)
def test_versions_that_fail_are_not_allowed(name, works):
    assert _numbers(LOWEST[name]) >= _numbers(works)


def test_every_dependency_has_a_lower_bound():
    """Without one the lowest version is one of years ago."""
    assert [requirement for requirement, found in BOUNDS.items() if found is None] == []


def _name(command) -> str:
    return command.name or command.callback.__name__.replace("_", "-")


def test_every_command_is_tried():
    """A new command must be smoked with the lowest versions, too."""
    known = {(_name(command),) for command in app().registered_commands}
    for group in app().registered_groups:
        outer = group.name or group.typer_instance.info.name
        known |= {(outer, _name(command)) for command in group.typer_instance.registered_commands}
    tried = {command[:2] for command in COMMANDS} | {command[:1] for command in COMMANDS}
    assert known - tried - {server[:2] for server in SERVERS} == set()


def test_the_scripts_explain_themselves():
    for script, word in (("release", "lowest versions"), ("smoke", "every command")):
        call = [sys.executable, "-m", f"tests.{script}", "--help"]
        done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert word in done.stdout
