"""Two people at two pages: neither sees what the other brought, and no disk does."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from insanonym_dashboard.server import APP
from tests.browser_dashboard.serving import choose_file, notebook, opened, running, wait_for, wait_values
from tests.browser_dashboard.shell_page import START, heights
from tests.browser_dashboard.test_shell import slide

CANARY = "Zyzzyva4711"
ROWS = "age;town;illness\n" + "".join(f"{n % 50};{CANARY}{n % 7};i{n % 3}\n" for n in range(210))


class Scan(threading.Thread):
    """Looks for the canary in every file below some folders, again and again, until it is told to stop."""

    def __init__(self, *folders: Path) -> None:
        super().__init__(daemon=True)
        self.folders, self.found, self.looks = folders, set(), 0
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.is_set():
            for path in (path for folder in self.folders for path in folder.rglob("*")):
                if path.is_file() and CANARY.encode() in read(path):
                    self.found.add(str(path))
            self.looks += 1
            time.sleep(0.01)

    def stop(self) -> None:
        self._stopped.set()
        self.join()


def read(path: Path) -> bytes:
    """Nothing where the file is gone again."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def visit(browser: Browser, address: str) -> Page:
    page = browser.new_context().new_page()
    page.goto(f"{address}?tab=table")
    opened(page)
    page.wait_for_selector(".insanonym-tab-table .insanonym-data")
    return page


def taken(page: Page, name: str, folder: Path) -> bytes:
    """A download."""
    with page.expect_download() as saved:
        page.get_by_label("Download").select_option(label=name)
    path = folder / f"{time.monotonic_ns()}"
    saved.value.save_as(path)
    return path.read_bytes()


def test_nobody_sees_what_another_brought_and_it_is_never_on_disk(browser, tmp_path):
    temporary, saved = tmp_path / "temporary", tmp_path / "saved"
    temporary.mkdir()
    saved.mkdir()
    home = tmp_path / "home"
    home.mkdir()
    with running(home, variables={"TMPDIR": str(temporary)}) as found:
        found.wait_until_warm()
        mine, theirs = visit(browser, found.address), visit(browser, found.address)
        scan = Scan(temporary, home)  # the server's own folders; the server was started in `home`
        scan.start()
        choose_file(mine, [{"name": f"{CANARY}.csv", "mimeType": "text/csv", "buffer": ROWS.encode()}])
        wait_for(lambda: "210 rows" in mine.locator(".insanonym-data").inner_text(), "the upload")
        wait_for(lambda: CANARY in mine.content(), "what was brought, on its own page")
        looks = scan.looks
        wait_for(lambda: scan.looks > looks + 10, "more looks at the disk")
        scan.stop()
        assert scan.found == set()
        assert any(temporary.iterdir())  # it is the one that the server uses

        theirs.reload()  # a kernel that was made after the upload
        opened(theirs)
        theirs.wait_for_selector("[data-headline=utility]")
        assert CANARY not in theirs.content()
        for name in ("Release to publish", "Scores (CSV)", "Recipe (YAML)", "Report (HTML)", "Notebook"):
            assert CANARY.encode() not in taken(theirs, name, saved), name
        assert CANARY.encode() in taken(mine, "Release to publish", saved)
        assert CANARY not in found.log
        for page in (mine, theirs):
            page.context.close()


def test_a_page_cannot_send_code_to_its_kernel(watch, shell):
    page = watch(shell.address).page
    opened(page)
    kernel = shell.kernel_of(page)
    page.evaluate(
        "() => { window.jupyterapp.widgetManager.kernel.requestExecute({code: 'import os; os._exit(3)'}); }"
    )
    slide(page)  # what is sent later is answered: the code was not run before
    wait_values(page.locator(".insanonym-plot").first, heights(START + 1))
    assert kernel.is_running()
    assert not page.locator("#insanonym-banner:not([hidden])").count()


def test_the_page_holds_no_source(browser, dashboard):
    page = browser.new_page()
    source = page.request.get(dashboard.address).text()
    page.close()
    code = re.findall(r'"source": \[\s*"(.*?)\\n"', APP.read_text(encoding="utf-8"))
    assert code
    for line in (*code, "show()", str(APP.parent)):
        assert line not in source


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Something went wrong while"),
        pytest.param("fr", "Une erreur est survenue", marks=pytest.mark.long),
    ],
)
def test_a_notebook_that_fails_is_a_sentence(watch, tmp_path, lang, said):
    shown = notebook(tmp_path, f"quetzal = {CANARY!r}; raise ValueError(quetzal)")
    with running(tmp_path, notebook=shown, pool=0, lang=lang) as found:
        page = watch(found.address).page
        page.wait_for_selector(f"text={said}")
        assert not re.search(f"{CANARY}|Traceback|ValueError|quetzal", page.content())
