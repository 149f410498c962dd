"""Two servers for the whole run: the dashboard itself, and a page that only tries its shell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser_dashboard.serving import Running, notebook, running


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The dashboard."""
    with running(tmp_path_factory.mktemp("dashboard"), pool=1) as found:
        found.wait_until_warm()
        yield found


@pytest.fixture(scope="session")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The page of shell_page.py."""
    folder = tmp_path_factory.mktemp("shell")
    page = notebook(folder, "from tests.browser_dashboard.shell_page import show; show()")
    with running(folder, notebook=page, pool=1) as found:
        found.wait_until_warm()
        yield found
