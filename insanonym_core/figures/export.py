"""Save figures as a self-contained HTML page, or as SVG, PNG or PDF with Chrome or Chromium."""

from __future__ import annotations

import asyncio
import atexit
import base64
import gzip
import html
import os
import re
import shutil
import struct
import threading
import zlib
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
_SCREEN_SCALE = 2  # of a PNG without a width
_MILLIMETRES_PER_INCH = 25.4
DPI = 300
"""Of a PNG with a width on paper."""
_TIMEOUT_SECONDS = 120
_RANDOM_ID = re.compile(rb"\b(clip|defs-|topdefs-|legend|g|p)([0-9a-f]{6})(?=[xyl\W])")


def save(
    figure: go.Figure, path: Path | str, *, millimetres: float | None = None, force: bool = False
) -> Path:
    """Write a figure in the format given by the suffix of `path`, `millimetres` wide where that is given."""
    path = Path(path)
    kind = path.suffix.lower().lstrip(".")
    if kind not in FORMATS:
        allowed = ", ".join(f".{known}" for known in FORMATS)
        raise UsageError("{path}: a figure's name must end in one of {allowed}.", path=path, allowed=allowed)
    content = as_html(figure).encode() if kind == "html" else as_image(figure, kind, millimetres)
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


def as_image(figure: go.Figure, kind: str, millimetres: float | None = None) -> bytes:
    """Render a figure as SVG, PNG or PDF bytes, at its own size or `millimetres` wide."""
    painter = _painter(browser_path(), os.getpid())
    if millimetres is None:
        return _make_reproducible(painter.paint(figure, kind), kind)
    if kind == "png":
        pixels = millimetres / _MILLIMETRES_PER_INCH * DPI
        return _with_dpi(painter.paint(figure, kind, pixels / figure.layout.width))
    svg = _of_true_size(_make_reproducible(painter.paint(figure, "svg"), "svg"), figure, millimetres)
    if kind == "svg":
        return svg
    title = re.sub(r"<[^>]*>", " ", str((figure.layout.meta or {}).get("title", "")))
    page = _PAGE.format(
        title=html.escape(title),
        width=millimetres,
        height=_height(figure, millimetres),
        svg=svg.decode().partition("?>")[2] if svg.startswith(b"<?xml") else svg.decode(),
    )
    return _make_reproducible(painter.print(page), kind)


_PAGE = (
    "<!doctype html><title>{title}</title><style>@page {{ size: {width}mm {height:.4f}mm; margin: 0 }} "
    "html, body {{ margin: 0 }} svg {{ display: block }}</style>{svg}"
)


def _height(figure: go.Figure, millimetres: float) -> float:
    """Height of a figure in millimetres."""
    return float(figure.layout.height) * millimetres / float(figure.layout.width)


def _of_true_size(svg: bytes, figure: go.Figure, millimetres: float) -> bytes:
    """The SVG with a width and a height on paper: what it draws stays in its own pixels, by the viewBox."""
    start, end = re.search(rb"<svg\b[^>]*>", svg).span()  # type: ignore[union-attr]
    tag = re.sub(rb'\s(?:width|height|viewBox)="[^"]*"', b"", svg[start : end - 1])
    size = (
        f' width="{millimetres:g}mm" height="{_height(figure, millimetres):.4f}mm"'
        f' viewBox="0 0 {figure.layout.width:g} {figure.layout.height:g}">'
    )
    return svg[:start] + tag + size.encode() + svg[end:]


def _with_dpi(png: bytes) -> bytes:
    """The PNG with its resolution, by which a word processor knows how wide it is."""
    dots = round(DPI / _MILLIMETRES_PER_INCH * 1000)  # per metre
    content = b"pHYs" + struct.pack(">IIB", dots, dots, 1)
    chunk = struct.pack(">I", 9) + content + struct.pack(">I", zlib.crc32(content))
    after_header = 8 + 25  # the signature and the chunk IHDR
    return png[:after_header] + chunk + png[after_header:]


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

    def paint(self, figure: go.Figure, kind: str, scale: float | None = None) -> bytes:
        """Render one image; `scale` is that of a PNG."""
        size = {"width": figure.layout.width, "height": figure.layout.height}
        scale = scale or _SCREEN_SCALE if kind == "png" else 1
        options = {"format": kind, "scale": scale, **size}
        return self._wait(self._kaleido.calc_fig(figure.to_dict(), opts=options))

    def print(self, page: str) -> bytes:
        """Print a page of HTML as PDF, on the size of paper that its style names."""
        return self._wait(self._print(page))

    async def _print(self, page: str) -> bytes:
        tab = await self._kaleido.create_tab("about:blank")
        try:
            tree = _result_of(await tab.send_command("Page.getFrameTree"))
            content = {"frameId": tree["frameTree"]["frame"]["id"], "html": page}
            _result_of(await tab.send_command("Page.setDocumentContent", params=content))
            printed = _result_of(await tab.send_command("Page.printToPDF", params=_PRINTING))
            return base64.b64decode(printed["data"])
        finally:
            await self._kaleido.close_tab(tab)

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


_PRINTING = {
    "printBackground": True,
    "preferCSSPageSize": True,
    "pageRanges": "1",
    **{f"margin{side}": 0 for side in ("Top", "Bottom", "Left", "Right")},
}


def _result_of(answer: Any) -> Any:  # Any: choreographer has no types
    """What the browser answers; an error that it tells is raised."""
    if "error" in answer:
        raise RuntimeError(str(answer["error"].get("message", "the browser does not print")))
    return answer["result"]


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
