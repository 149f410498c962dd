"""A headless Chromium without a network, and pages that write down what they ask for and complain about.

tests/conftest.py makes the fixtures `browser` and `watch` known to all tests. Playwright keeps an event loop
in the thread of the tests while the browser lives: code under test that calls asyncio.run belongs into a
process of its own.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",  # nothing moves by itself: frames that nobody sees take a core
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
SECONDS = 120  # until a wait fails: far more than anything takes, on a busy machine too
HERE = ("127.0.0.1", "localhost", None)


def find_chromium() -> str | None:
    """The system's Chromium, whatever it is called."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker; it reaches this machine and nothing else."""
    chromium = find_chromium()
    if chromium is None:
        pytest.fail(f"The browser tests need a Chromium: none of {', '.join(NAMES)} was found.")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield launched
        launched.close()


@dataclass
class Watched:
    """A page, the requests that wanted to leave this machine, and every error it had."""

    page: Page
    asked: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def assert_quiet(self) -> None:
        """Nothing was asked of anybody, nothing went wrong."""
        assert self.asked == []
        assert self.errors == []


def watched(page: Page) -> Watched:
    """Listen to a page from now on."""
    watch = Watched(page)

    def requested(url: str) -> None:
        if urlparse(url).hostname not in HERE:
            watch.asked.append(url)

    page.on("request", lambda request: requested(request.url))
    page.on("websocket", lambda socket: requested(socket.url))
    page.on("pageerror", lambda error: watch.errors.append(str(error)))
    page.on("console", lambda said: watch.errors.append(said.text) if said.type == "error" else None)
    return watch


@contextmanager
def open_page(
    browser: Browser, target: Path | str, width: int = 1280, height: int = 800
) -> Iterator[Watched]:
    """A file or an address in a fresh context, which ends with the block."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(SECONDS * 1000)
    found = watched(context.new_page())
    found.page.goto(target.as_uri() if isinstance(target, Path) else target)
    yield found
    context.close()


@pytest.fixture
def watch(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """Open a file or an address until the end of the test: watch(path_or_url, width=1280, height=800)."""
    with ExitStack() as pages:
        yield lambda *target, **size: pages.enter_context(open_page(browser, *target, **size))
