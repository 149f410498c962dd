"""The pictures of the README: one of each tab, taken here. `make pictures` puts them into docs/pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser_dashboard.serving import opened
from tests.browser_dashboard.test_tradeoff_page import run

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
CUT_HANDLES = """() => [...document.querySelectorAll(".noUi-handle")].filter(handle => {
  const own = handle.getBoundingClientRect();
  for (let box = handle.parentElement; box; box = box.parentElement) {
    const around = box.getBoundingClientRect();
    const cuts = own.width > 0 && getComputedStyle(box).overflowX !== "visible";
    if (cuts && (own.left < around.left || own.right > around.right)) return true;
  }
  return false;
}).map(handle => handle.getAttribute("aria-valuetext") + " " + handle.getBoundingClientRect().left)"""
TABS = ("mobility", "table", "traces", "avatars", "tradeoff")


@pytest.mark.parametrize("tab", TABS)
def test_a_picture_of_each_tab(tab, watch, dashboard, tmp_path):
    page = watch(f"{dashboard.address}?tab={tab}", width=1440, height=1000).page
    page.set_default_timeout(60_000)
    if tab == "tradeoff":
        page.wait_for_selector("[data-selected]")  # the small first sweep is done
        run(page)
    opened(page)
    page.wait_for_timeout(1500)
    assert page.evaluate(CUT_HANDLES) == []  # at its least or most, a slider's handle is seen whole
    folder = PICTURES if os.environ.get("INSANONYM_PICTURES") else tmp_path
    picture = folder / f"{tab}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 40_000
    assert (PICTURES / f"{tab}.png").exists(), "the README shows it: run make pictures"
