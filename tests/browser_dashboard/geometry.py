"""What does not fit on a page: texts that are cut, small or over another; parts out of the window."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

_CHECKS = (Path(__file__).parent / "geometry.js").read_text(encoding="utf-8").partition("*/")[2].strip()


def problems(
    page: Page,
    least: float = 11,
    together: bool = True,
    seconds: float = 20,
    titles: Sequence[str] | None = None,
) -> list[str]:
    """What does not fit once the page rests: figures are drawn again when their place is known.

    `titles` are those of the tiles that must be there first: a page that was asked for comes a little later.
    """
    page.wait_for_function(f"titles => {_CHECKS}.ready(titles)", arg=titles and list(titles))
    asked = (
        f"([least, together]) => [...{_CHECKS}.problems(least), ...(together ? {_CHECKS}.together() : [])]"
    )
    end = time.monotonic() + seconds
    while True:
        found: list[str] = page.evaluate(asked, [least, together])
        if not found or time.monotonic() > end:
            return found
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
