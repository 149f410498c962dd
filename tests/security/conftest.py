"""A server of its own for each file that attacks one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from insanonym_dashboard import worker
from tests.browser_dashboard.serving import Running, notebook, running
from tests.browser_dashboard.test_sharing import SHELL


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The page of shell_page.py, with a kernel that waits for it."""
    folder = tmp_path_factory.mktemp("attacked")
    with running(folder, notebook=notebook(folder, SHELL)) as found:
        found.wait_until_warm()
        yield found


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels compute when they are asked, also where Playwright keeps an event loop in this thread."""

    def no_loop() -> None:
        raise RuntimeError

    monkeypatch.setattr(worker.asyncio, "get_running_loop", no_loop)
