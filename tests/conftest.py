"""Fixtures for all tests."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from insanonym_core.cli import main
from tests.browser import browser, watch
from tests.fuzz.summary import pytest_terminal_summary

# One browser for a whole worker: a second one could not start beside it.
__all__ = ["browser", "pytest_terminal_summary", "watch"]

# On CI the same examples every time: a landing must not hang on a draw. At home hypothesis keeps looking.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser or a server with kernels: `make check` goes without."""
    for item in items:
        if {"browser", "watch", "dashboard", "shell"} & {*getattr(item, "fixturenames", ())}:
            item.add_marker(pytest.mark.browser)


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
