"""Pages of renewed_page.py: opened once for many tests, each of which finds the dashboard as it opens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import Watched, open_page
from tests.browser_dashboard.renewed_page import BUTTON, COUNT
from tests.browser_dashboard.serving import Running, notebook, running, until
from tests.browser_dashboard.small_city import SMALL

CODE = "from tests.browser_dashboard.renewed_page import show; show()"
SMALL_CODE = f"{SMALL}; {CODE}"
FAILED = pytest.StashKey[bool]()  # of a test that failed: its page is not for another one


class Renewed:
    """Opens pages, and keeps one of them with its kernel: to begin again takes a fifth of the time."""

    def __init__(self, browser: Browser, server: Running) -> None:
        self._browser, self._server = browser, server
        self._contexts: dict[Page, ExitStack] = {}
        self._kept: Watched | None = None

    def take(self, width: int, height: int, **asked: str) -> Watched:
        """A page at this address, of its own until it is given back."""
        found, self._kept = self._kept, None
        query = f"?{urlencode(asked)}"
        if found is None:
            context = ExitStack()
            found = context.enter_context(
                open_page(self._browser, f"{self._server.address}{query}", width, height)
            )
            self._contexts[found.page] = context
        else:
            _begin_again(found.page, query, width, height)
            found.asked.clear()
            found.errors.clear()
        return found

    def give_back(self, found: Watched, sound: bool) -> None:
        """For the next test, where the page is sound and no other one is kept."""
        if sound and self._kept is None:
            self._kept = found
        else:
            self._contexts.pop(found.page).close()

    def close(self) -> None:
        """Close the page that is kept."""
        if self._kept is not None:
            self.give_back(self._kept, sound=False)
            self._kept = None


@contextmanager
def renewing(browser: Browser, folder: Path, code: str) -> Iterator[Renewed]:
    """Pages of a server of their own."""
    with running(folder, notebook=notebook(folder, code), pool=1) as server:
        server.wait_until_warm()
        pages = Renewed(browser, server)
        yield pages
        pages.close()


def _begin_again(page: Page, query: str, width: int, height: int) -> None:
    """As in a browser that was never here: the old page has ended before the new one reads what is kept."""
    page.context.clear_permissions()
    page.unroute_all()
    page.mouse.move(0, 0)
    _click(page)
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        """query => {
          localStorage.clear();
          sessionStorage.clear();
          document.body.classList.remove("insanonym-present");
          history.replaceState(null, "", query);
          scrollTo(0, 0);
        }""",
        query,
    )
    _click(page)


def _click(page: Page) -> None:
    """The hidden button, and wait for the kernel's answer."""
    until(page, f"() => document.querySelector('.{BUTTON}')")
    times = page.evaluate(
        f"""() => {{ document.querySelector('.{BUTTON}').click();
          return Number(document.querySelector('.{COUNT}').textContent); }}"""
    )
    until(page, f"n => Number(document.querySelector('.{COUNT}')?.textContent) > n", times)
