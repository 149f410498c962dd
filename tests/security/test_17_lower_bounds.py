"""pyproject.toml promises no version that fails; `make test-lowest` tries the lowest ones."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from insanonym_core.cli import app
from tests.lowest_versions import COMMANDS, ROOT, SERVERS, constraints

PINNED = constraints((ROOT / "pyproject.toml").read_text())
LOWEST = dict(re.findall(r"^([\w-]+)==([\d.]+)", "\n".join(PINNED), re.MULTILINE))


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


def test_every_dependency_has_a_whole_lower_bound():
    """`==` of it must name a version that exists: 6.0.0, not 6."""
    assert len(LOWEST) == len(PINNED)
    assert all(version.count(".") >= 2 for version in LOWEST.values()), LOWEST


def test_a_dependency_without_a_bound_is_named():
    with pytest.raises(SystemExit, match="plotly has no lower bound"):
        constraints('[project]\ndependencies = ["numpy>=2.0.0", "plotly"]')


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


def test_the_script_explains_itself():
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "lowest_versions.py", "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "lowest versions" in done.stdout
