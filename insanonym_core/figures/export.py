"""Figures as files: one HTML page that asks nobody, and SVG, PNG or PDF through any Chrome or Chromium."""

from __future__ import annotations

import asyncio
import atexit
import os
import re
import shutil
import threading
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import plotly.offline

from insanonym_core.errors import UsageError
from insanonym_core.output import writing

FORMATS = ("html", "svg", "png", "pdf")
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_SCALE = {"png": 2}
_SECONDS = 120
_DRAWN_ID = re.compile(rb"\b(clip|defs-|topdefs-|legend|g)([0-9a-f]{6})(?=[xyl\W])")


def save(figure: go.Figure, path: Path | str, *, force: bool = False) -> Path:
    """Write a figure; the ending of the name says in which format."""
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        allowed = ", ".join(f".{known}" for known in FORMATS)
        raise UsageError(f"{path}: a figure's name must end in one of {allowed}.")
    content = as_html(figure).encode() if kind == "html" else as_image(figure, kind)
    with writing(path, force=force) as beside:
        beside.write_bytes(content)
    return path


def save_all(
    figure: go.Figure,
    folder: Path | str,
    name: str,
    formats: Iterable[str] = FORMATS,
    *,
    force: bool = False,
) -> list[Path]:
    """Write a figure in several formats under one name."""
    folder = Path(folder)
    return [save(figure, folder / f"{name}.{kind}", force=force) for kind in formats]


def as_html(figure: go.Figure) -> str:
    """A page of its own: plotly.js inside, no MathJax, the same bytes for the same figure."""
    shown = figure.to_html(
        full_html=False,
        include_plotlyjs=False,
        include_mathjax=False,
        div_id="figure",
        config={"displaylogo": False, "responsive": False},
    )
    meta = figure.layout.meta or {}
    title = re.sub(r"<[^>]*>", " ", figure.layout.title.text or "")
    return (
        f'<!doctype html>\n<html lang="{meta.get("lang", "en")}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        f"<title>{title}</title><style>body {{ margin: 16px; overflow-x: auto }} "
        f"body > div, #figure {{ max-width: {figure.layout.width or 1000}px; margin: 0 auto }}</style>\n"
        f"<script>{plotly.offline.get_plotlyjs()}</script></head>\n<body>{shown}</body></html>\n"
    )


def as_image(figure: go.Figure, kind: str) -> bytes:
    """The bytes of an SVG, PNG or PDF at the figure's own size."""
    made: bytes = _painter(browser_path(), os.getpid()).paint(figure, kind)
    return _without_chance(made, kind)


def browser_path() -> str:
    """A Chrome or Chromium on this machine, or a sentence that says what to install."""
    chosen = os.environ.get("BROWSER_PATH")
    for name in (chosen,) if chosen else BROWSERS:
        if found := shutil.which(name):
            return found
    looked = f"BROWSER_PATH is {chosen!r}, which cannot be run" if chosen else "none was found"
    raise UsageError(
        f"SVG, PNG and PDF are drawn by Chrome or Chromium, and {looked}: install one (for example "
        "'apt install chromium'), set BROWSER_PATH to it, or save the figure as .html."
    )


class _Painter:
    """A browser without a window that lives as long as the process: only the first image costs seconds.

    kaleido's own server is not used: its caller waits for ever when the browser does not start.
    """

    def __init__(self, browser: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="figures", daemon=True)
        self._thread.start()
        try:
            self._kaleido: Any = self._wait(self._open(browser))
        except Exception as error:
            self._stop_loop()
            raise UsageError(
                f"The browser {browser} does not start ({type(error).__name__}): set BROWSER_PATH to another "
                "Chrome or Chromium, or save the figure as .html."
            ) from error
        atexit.register(self.close)

    def paint(self, figure: go.Figure, kind: str) -> bytes:
        """One image."""
        size = {"width": figure.layout.width, "height": figure.layout.height}
        options = {"format": kind, "scale": _SCALE.get(kind, 1), **size}
        return self._wait(self._kaleido.calc_fig(figure.to_dict(), opts=options))

    def close(self) -> None:
        """End the browser."""
        atexit.unregister(self.close)
        try:
            self._wait(self._kaleido.close())
        finally:
            self._stop_loop()

    async def _open(self, browser: str) -> Any:
        import kaleido

        library = Path(plotly.offline.__file__).parents[1] / "package_data" / "plotly.min.js"
        made = kaleido.Kaleido(n=1, mathjax=False, plotlyjs=library, path=browser, timeout=_SECONDS)
        await made.open()
        return made

    def _wait(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_SECONDS)

    def _stop_loop(self) -> None:
        self._wait(_end_the_rest())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_SECONDS)
        self._loop.close()


async def _end_the_rest() -> None:
    """What the browser's library left running, so that nothing is dropped halfway."""
    left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


@cache
def _painter(browser: str, process: int) -> _Painter:
    """One for each process: a forked one inherits the cache, but not the thread behind it."""
    return _Painter(browser)


def _without_chance(content: bytes, kind: str) -> bytes:
    """The same figure gives the same bytes: plotly's drawn ids become numbers, Chrome's dates one day."""
    if kind == "pdf":
        return re.sub(rb"\(D:\d{14}", b"(D:20000101000000", content)
    if kind == "svg":
        drawn: dict[bytes, bytes] = {}
        return _DRAWN_ID.sub(
            lambda found: found[1] + drawn.setdefault(found[2], b"%06d" % len(drawn)), content
        )
    return content
