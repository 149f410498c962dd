"""Save figures as a self-contained HTML page, or as SVG, PNG or PDF with Chrome or Chromium."""

from __future__ import annotations

import asyncio
import atexit
import base64
import gzip
import os
import re
import shutil
import threading
from collections.abc import Coroutine, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import plotly.graph_objects as go
import plotly.offline

from insanonym_core.errors import UsageError, brief
from insanonym_core.io.output import writing
from insanonym_core.texts import Phrase

Value = TypeVar("Value")
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
_TIMEOUT_SECONDS = 120
_RANDOM_ID = re.compile(rb"\b(clip|defs-|topdefs-|legend|g)([0-9a-f]{6})(?=[xyl\W])")


def save(figure: go.Figure, path: Path | str, *, force: bool = False) -> Path:
    """Write a figure in the format given by the suffix of `path`."""
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        allowed = ", ".join(f".{known}" for known in FORMATS)
        raise UsageError("{path}: a figure's name must end in one of {allowed}.", path=path, allowed=allowed)
    content = as_html(figure).encode() if kind == "html" else as_image(figure, kind)
    with writing(path, force=force) as temporary:
        temporary.write_bytes(content)
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
    """A self-contained, reproducible HTML page: plotly.js included, no MathJax."""
    div = figure.to_html(
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
        f"<script>{plotly.offline.get_plotlyjs()}</script></head>\n<body>{div}</body></html>\n"
    )


def as_small_html(figure: go.Figure) -> str:
    """A self-contained page of less than half the size, for notebooks, which keep every output.

    The library is packed; the page unpacks it when it is shown, and asks nobody for it.
    """
    content = figure.to_json().replace("</", "<\\/")
    lang = (figure.layout.meta or {}).get("lang", "en")
    return (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><body style="margin: 0">'
        f'<div id="figure"></div><script>const packed = "{_packed_library()}", figure = {content};\n'
        f"{_UNPACK}</script>"
    )


_UNPACK = """(async () => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.append(script);
  const options = {displaylogo: false, responsive: false};
  await Plotly.newPlot("figure", figure.data, figure.layout, options);
})();"""


@cache
def _packed_library() -> str:
    return base64.b64encode(gzip.compress(plotly.offline.get_plotlyjs().encode(), mtime=0)).decode()


def as_image(figure: go.Figure, kind: str) -> bytes:
    """Render a figure as SVG, PNG or PDF bytes at its own size."""
    image: bytes = _painter(browser_path(), os.getpid()).paint(figure, kind)
    return _make_reproducible(image, kind)


def browser_path() -> str:
    """Path of Chrome or Chromium; a UsageError that says what to install if there is none."""
    from_environment = os.environ.get("BROWSER_PATH")
    for name in (from_environment,) if from_environment else BROWSERS:
        if path := shutil.which(name):
            return path
    unusable = Phrase("BROWSER_PATH is {path}, which cannot be run", path=brief(from_environment))
    problem = unusable if from_environment else Phrase("none was found")
    raise UsageError(
        "SVG, PNG and PDF are drawn by Chrome or Chromium, and {problem}: install one (for "
        "example 'apt install chromium'), set BROWSER_PATH to it, or save the figure as "
        ".html.",
        problem=problem,
    )


class _Painter:
    """A headless browser that is kept until the process ends, as starting one takes seconds.

    kaleido's own server is not used: it blocks for ever if the browser does not start.
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
                "The browser {browser} does not start ({reason}): set BROWSER_PATH to another Chrome "
                "or Chromium, or save the figure as .html.",
                browser=browser,
                reason=type(error).__name__,
            ) from error
        atexit.register(self.close)

    def paint(self, figure: go.Figure, kind: str) -> bytes:
        """Render one image."""
        size = {"width": figure.layout.width, "height": figure.layout.height}
        options = {"format": kind, "scale": _SCALE.get(kind, 1), **size}
        return self._wait(self._kaleido.calc_fig(figure.to_dict(), opts=options))

    def close(self) -> None:
        """Stop the browser."""
        atexit.unregister(self.close)
        try:
            self._wait(self._kaleido.close())
        finally:
            self._stop_loop()

    async def _open(self, browser: str) -> Any:  # Any: kaleido has no types
        import kaleido

        library = Path(plotly.offline.__file__).parents[1] / "package_data" / "plotly.min.js"
        browser_session = kaleido.Kaleido(
            n=1, mathjax=False, plotlyjs=library, path=browser, timeout=_TIMEOUT_SECONDS
        )
        await browser_session.open()
        return browser_session

    def _wait(self, work: Coroutine[object, object, Value]) -> Value:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_TIMEOUT_SECONDS)

    def _stop_loop(self) -> None:
        self._wait(_cancel_pending_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_TIMEOUT_SECONDS)
        self._loop.close()


async def _cancel_pending_tasks() -> None:
    """Cancel the tasks that kaleido left running and wait for them."""
    pending = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)


@cache
def _painter(browser: str, process: int) -> _Painter:
    """One painter per process: a forked process inherits the cache but not the painter's thread."""
    return _Painter(browser)


def _make_reproducible(content: bytes, kind: str) -> bytes:
    """Replace plotly's random ids by numbers and Chrome's dates by a fixed one."""
    if kind == "pdf":
        return re.sub(rb"\(D:\d{14}", b"(D:20000101000000", content)
    if kind == "svg":
        replacements: dict[bytes, bytes] = {}
        return _RANDOM_ID.sub(
            lambda match: match[1] + replacements.setdefault(match[2], b"%06d" % len(replacements)), content
        )
    return content
