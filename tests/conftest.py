"""Fixtures for all tests."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from insanonym_core.cli import main
from insanonym_core.demo import city
from insanonym_core.runtime.store import PROCESS_STORE
from tests.browser import browser, watch
from tests.browser_dashboard.small_city import small_track
from tests.fuzz.summary import pytest_terminal_summary
from tests.levels import LEVEL  # which sets the profile of hypothesis

# One browser for a whole worker: a second one could not start beside it.
__all__ = ["browser", "pytest_terminal_summary", "watch"]

SERVED = {"browser", "watch", "dashboard", "shell", "server", "shared"}


def pytest_report_header() -> str:
    """Which level this run is."""
    return f"INSANONYM_TESTS: {LEVEL}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser or a server with kernels, and begin with the modules that take longest.

    Two workers that take whole modules end together only if the last modules are short.
    """
    weights: dict[Path, int] = {}
    for item in items:
        if SERVED & {*getattr(item, "fixturenames", ())}:
            item.add_marker(pytest.mark.browser)
        weight = sum(item.get_closest_marker(name) is not None for name in ("browser", "slow", "long"))
        weights[item.path] = weights.get(item.path, 0) + weight
    items.sort(key=lambda item: -weights[item.path])  # stable: the tests of a module stay together


@pytest.fixture
def small_city() -> Iterator[None]:
    """The demonstration city with fewer people, for tests in which its size does not matter."""
    PROCESS_STORE.clear("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(city, "demo_track", small_track)
        yield
    PROCESS_STORE.clear("data")


GOLDEN = Path(__file__).parent / "golden" / "mobility"


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Call `insanonym` as the console script does."""

    def call(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["insanonym", *map(str, arguments)])
        out, err = io.StringIO(), io.StringIO()
        code = 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main()
            except SystemExit as end:
                code = int(end.code or 0)
        assert "Traceback" not in err.getvalue()
        return Ran(code, out.getvalue(), err.getvalue())

    return call


@pytest.fixture
def golden() -> tuple[Path, Path]:
    """Original and release of the golden case."""
    return GOLDEN / "original.tsv", GOLDEN / "release.tsv"
