"""The pictures of the README, of each tab and a moving one. `make pictures` puts them into docs/pictures."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from tests.browser_dashboard.instrument import (
    LAPTOP,
    current_point,
    one_more_point,
    press,
    settled,
    slider,
    tab,  # noqa: F401  the fixture
    wait_open,
)
from tests.browser_dashboard.serving import opened
from tests.browser_dashboard.test_tradeoff_page import choose, run

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
MAKING = bool(os.environ.get("INSANONYM_PICTURES"))
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
MOVING = "moving.gif"
MOVES = 16 if MAKING else 2  # the moves of the slider that the picture shows
SHOWN_WIDTH, MAX_BYTES = 1024, 2_000_000


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "traces" else pytest.mark.long) for name in TABS]
)
def test_a_picture_of_each_tab(name, watch, dashboard, tmp_path):
    preset = "&preset=strong_noise" if name == "tradeoff" else ""  # its first sweep is quickly run
    page = watch(f"{dashboard.address}?tab={name}{preset}", width=LAPTOP[0], height=LAPTOP[1]).page
    page.set_default_timeout(120_000)
    wait_open(page, name)
    if name == "tradeoff":
        page.wait_for_selector("[data-selected]")  # the small first sweep is done
        choose(page, 0, label="Tables")
        run(page)
    else:
        settled(page)
    opened(page)
    page.wait_for_timeout(1500)
    assert page.evaluate(CUT_HANDLES) == []  # at its least or most, a slider's handle is seen whole
    picture = (PICTURES if MAKING else tmp_path) / f"{name}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 40_000
    with Image.open(PICTURES / f"{name}.png") as kept:  # the README shows it: run make pictures
        assert kept.size == LAPTOP


@pytest.mark.long
def test_a_moving_picture_of_a_slider_that_moves_the_plane(tab, tmp_path):  # noqa: F811
    page = tab("table").page
    settled(page)
    control, places = slider(page, "mondrian", "k"), [current_point(page)]
    with one_more_point(page, "table"):
        press(control, "Home")
    frames = [page.screenshot()]
    positions = int(control.get_attribute("max") or 0)
    for _ in range(min(MOVES, positions)):
        with one_more_point(page, "table"):
            press(control, "ArrowRight")
        page.wait_for_timeout(700)
        places.append(current_point(page))
        frames.append(page.screenshot())
    assert len(set(map(tuple, places))) > MOVES // 2, "the point moves"
    picture = (PICTURES if MAKING else tmp_path) / MOVING
    save_moving(picture, frames)
    with Image.open(picture) as made:
        assert made.n_frames == len(frames)
    kept = PICTURES / MOVING  # the README begins with it: run make pictures
    assert kept.stat().st_size < MAX_BYTES
    with Image.open(kept) as shown:
        assert shown.n_frames > 8
    first = next(line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if "](docs/" in line)
    assert f"docs/pictures/{MOVING}" in first


def save_moving(path: Path, screenshots: list[bytes]) -> None:
    """Join screenshots to one picture that starts again at its end; a palette for all keeps it small."""
    images = [Image.open(io.BytesIO(one)).convert("RGB") for one in screenshots]
    height = round(images[0].height * SHOWN_WIDTH / images[0].width)
    small = [one.resize((SHOWN_WIDTH, height), Image.Resampling.LANCZOS) for one in images]
    palette = small[-1].quantize(128, dither=Image.Dither.NONE)
    drawn = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in small]
    times = [500] * (len(drawn) - 1) + [2000]
    drawn[0].save(path, save_all=True, append_images=drawn[1:], duration=times, loop=0, optimize=True)
