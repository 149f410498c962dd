"""Servers for the whole run: the dashboard, the same with less data, and a page that only tries its shell."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser_dashboard.renewed import CODE, FAILED, SMALL_CODE, Renewed, renewing
from tests.browser_dashboard.serving import Running, notebook, running


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The dashboard."""
    with running(tmp_path_factory.mktemp("dashboard")) as found:
        found.wait_until_warm()
        yield found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note that a test failed."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(scope="session")
def renewed(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    """Pages of the dashboard that stay open from test to test, and begin again for each."""
    with renewing(browser, tmp_path_factory.mktemp("renewed"), CODE) as pages:
        yield pages


@pytest.fixture(scope="session")
def small_renewed(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewed]:
    """The same with the city of small_city.py."""
    with renewing(browser, tmp_path_factory.mktemp("small_renewed"), SMALL_CODE) as pages:
        yield pages


@pytest.fixture(scope="session")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The page of shell_page.py."""
    folder = tmp_path_factory.mktemp("shell")
    page = notebook(folder, "from tests.browser_dashboard.shell_page import show; show()")
    with running(folder, notebook=page) as found:
        found.wait_until_warm()
        yield found
