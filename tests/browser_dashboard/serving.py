"""A dashboard server in a process of its own, and pages that wait until a figure is drawn."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil
from playwright.sync_api import Locator, Page

from insanonym_dashboard.forking.client import PARENT
from insanonym_dashboard.forking.parent import KERNEL_PREFIX, PARENT_NAME, kernel_name
from tests.browser import SECONDS

ROOT = Path(__file__).parents[2]
DRAWN = ".insanonym-plot:not([data-drawn='0'])"
_SERVE = "import json, sys; from insanonym_dashboard.server import serve; serve(**json.loads(sys.argv[1]))"


@dataclass
class Running:
    """A server: its address, its process and what it wrote."""

    address: str
    process: subprocess.Popen[bytes]
    written: Path

    @property
    def log(self) -> str:
        return self.written.read_text(encoding="utf-8", errors="replace")

    def kernels(self) -> list[psutil.Process]:
        """The processes below the server, without the one that kernels are forked from."""
        below = psutil.Process(self.process.pid).children(recursive=True)
        return [one for one in below if not is_parent(one)]

    def parent(self) -> psutil.Process:
        """The process that kernels are forked from, once it is warm."""
        below = psutil.Process(self.process.pid)
        wait_for(
            lambda: any(one.name() == PARENT_NAME for one in below.children()),
            "the parent of the kernels",
        )
        return next(one for one in below.children() if one.name() == PARENT_NAME)

    def kernel_of(self, page: Page) -> psutil.Process:
        """The process behind a page."""
        known = page.evaluate("() => window.jupyterapp.widgetManager.kernel.id")
        return self.kernel(known)

    def kernel(self, known: str) -> psutil.Process:
        """The process of a kernel, by its id."""
        return next(
            one
            for one in self.kernels()
            if one.name() == kernel_name(known) or any(known in word for word in one.cmdline())
        )

    def wait_until_warm(self, pool: int = 0) -> None:
        """Until a page gets its kernel at once: from the parent, or one of a pool that no longer computes."""
        if not pool:
            self.parent()
            return
        quiet = 0
        before = -1.0
        wait_for(lambda: len(self.kernels()) >= pool, "a kernel")
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            kernels = self.kernels()
            spent = sum(sum(kernel.cpu_times()[:2]) for kernel in kernels)
            asleep = all(kernel.status() == psutil.STATUS_SLEEPING for kernel in kernels)
            quiet = quiet + 1 if asleep and spent - before < 0.03 else 0
            before = spent
            if quiet >= 4:
                return
            time.sleep(0.1)
        raise AssertionError(f"The kernels never rest. The server says:\n{self.log}")

    def stop(self, how: int = signal.SIGINT) -> int:
        """Ctrl-C; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def is_parent(process: psutil.Process) -> bool:
    """Whether kernels are forked from it. A kernel has its command line, and another name."""
    with suppress(psutil.Error):
        return PARENT in process.cmdline() and not process.name().startswith(KERNEL_PREFIX)
    return False


def wait_for(done: Callable[[], Any], what: str, seconds: float = SECONDS) -> None:
    """Until it is done."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, f"{what} did not come within {seconds} seconds"
        time.sleep(0.05)


def notebook(folder: Path, code: str) -> Path:
    """A notebook of one cell."""
    cell = nbformat.v4.new_code_cell(code)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = folder / "page.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel}), path)
    return path


@contextmanager
def running(
    folder: Path, variables: dict[str, str] | None = None, prefix: Sequence[str] = (), **options: Any
) -> Iterator[Running]:
    """serve(**options) in a process of its own, on a free port; it ends with its kernels.

    `prefix`: a command that runs it, as another user or in another network.
    """
    written = folder / "server.log"
    asked = {"port": 0, "open_browser": False, **options}
    # This tree's own code first, also where another one is installed.
    path = os.pathsep.join([str(ROOT), str(ROOT / "dashboard")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", **(variables or {})}
    with written.open("wb") as log:
        process = subprocess.Popen(
            [*prefix, sys.executable, "-c", _SERVE, json.dumps(asked, default=str)],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )
    found = Running("", process, written)
    try:
        wait_for(lambda: "http://" in found.log or process.poll() is not None, "the server's address")
        said = re.search(r"http://\S+", found.log)
        assert said, found.log
        found.address = said[0]
        yield found
    finally:
        found.stop()


# --- pages ------------------------------------------------------------------------------------------


def opened(page: Page, plots: int = 1) -> None:
    """Until this many figures are drawn, and nothing says that the page is loading."""
    until(
        page,
        f"""n => document.querySelectorAll({DRAWN!r}).length >= n
          && !document.getElementById('insanonym-loading')""",
        plots,
    )


def until(page: Page, script: str, argument: Any = None) -> None:
    """Until a script returns true: asked ten times a second, not for every frame, which takes a core."""
    page.wait_for_function(script, arg=argument, polling=100, timeout=SECONDS * 1000)


def choose_file(page: Page, file: Any, name: str = "Upload") -> None:
    """Upload a file: its path, or what Playwright makes one of. The line of the data opens for it."""
    button = page.get_by_role("button", name=name)
    if not button.is_visible():
        page.locator(".insanonym-data-line .insanonym-fold-line").click()
    with page.expect_file_chooser() as chooser:
        button.click()
    chooser.value.set_files(file)


def drawn(plot: Locator) -> int:
    """How often a figure was drawn."""
    return int(plot.get_attribute("data-drawn") or 0)


def wait_redrawn(plot: Locator, before: int) -> None:
    """Until it was drawn again."""
    until(plot.page, "([el, n]) => Number(el.dataset.drawn) > n", [plot.element_handle(), before])


def values(plot: Locator, axis: str = "y", trace: int = 0) -> list[float]:
    """The numbers that plotly shows."""
    return plot.evaluate(
        """(el, [axis, trace]) => Array.from(el.querySelector('.js-plotly-plot')._fullData[trace][axis])""",
        [axis, trace],
    )


def wait_values(plot: Locator, wanted: list[float], axis: str = "y") -> None:
    """Until it shows exactly these: keys in a row may be drawn as one."""
    until(
        plot.page,
        """([el, axis, wanted]) =>
          JSON.stringify(Array.from(el.querySelector('.js-plotly-plot')._fullData[0][axis])) === wanted""",
        [plot.element_handle(), axis, json.dumps(wanted, separators=(",", ":"))],
    )
