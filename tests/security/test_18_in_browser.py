"""Issue 17, number 18, in a browser: the address of a tab, and a download without a temporary folder."""

from __future__ import annotations

import re
import shutil

import pytest

from tests.browser import SECONDS
from tests.browser_dashboard.serving import notebook, opened, running
from tests.browser_dashboard.small_city import SMALL


@pytest.fixture(scope="module")
def temporary(tmp_path_factory: pytest.TempPathFactory):
    return tmp_path_factory.mktemp("the_servers_own")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, temporary):
    folder = tmp_path_factory.mktemp("tabs")
    page = notebook(folder, f"{SMALL}; from insanonym_dashboard.app import show; show()")
    with running(folder, variables={"TMPDIR": str(temporary)}, notebook=page) as found:
        found.wait_until_warm()
        yield found


def test_tables_opens_tables_and_an_unknown_tab_is_said(watch, server):
    page = watch(f"{server.address}?tab=tables").page
    page.wait_for_selector(".insanonym-tab-table", timeout=60_000)
    page.wait_for_url(re.compile(r"/\?tab=table&lang=en(&page=[^#&]*)?(#r=[\w-]+)?$"))
    page.goto(f"{server.address}?tab=<img src=x onerror=window.hit=1>")
    said = page.wait_for_selector("[role=status].insanonym-notice").inner_text()
    assert said.startswith("The address asks for the tab '<img")
    assert said.endswith("Mobility is open instead, choose another one above.")
    assert page.evaluate("() => window.hit") is None


def test_a_download_without_a_temporary_folder_is_a_sentence(watch, server, temporary):
    page = watch(f"{server.address}?tab=table").page
    page.set_default_timeout(SECONDS * 1000)
    opened(page)
    page.wait_for_selector("[data-headline=utility]")
    shutil.rmtree(temporary)
    for name in ("Release to publish", "Report (HTML)"):
        page.get_by_label("Download").select_option(label=name)
        page.wait_for_selector("text=temporary folder is full or cannot be written")
        assert str(temporary) not in page.content()
        assert temporary.name not in page.content()
