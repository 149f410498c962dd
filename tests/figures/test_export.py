from __future__ import annotations

import io
import struct
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import plotly.graph_objects as go
import pypdf
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.figures import PRINT, SCREEN, draw, export
from insanonym_core.figures.export import as_html, as_image, browser_path, save, save_all
from tests.browser import Watched
from tests.figures.examples import CARD, KINDS, VALUES


@pytest.fixture(scope="module")
def figure() -> go.Figure:
    return draw(KINDS["bars"](6, VALUES, "c"), card=CARD, lang="fr", size=PRINT)


@pytest.mark.slow
def test_all_formats_are_written_and_valid(figure: go.Figure, tmp_path: Path) -> None:
    paths = save_all(figure, tmp_path, "loss")
    assert [path.name for path in paths] == ["loss.html", "loss.svg", "loss.png", "loss.pdf"]
    html, svg, png, pdf = (path.read_bytes() for path in paths)
    assert html.startswith(b'<!doctype html>\n<html lang="fr">')
    root = ET.fromstring(svg)  # noqa: S314  (we made it)
    assert root.tag.endswith("svg")
    assert "graine" in "".join(root.itertext())
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (2 * PRINT.width, 2 * figure.layout.height)
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    assert len(pages) == 1
    assert float(pages[0].mediabox.width) == pytest.approx(PRINT.width * 72 / 96, abs=2)


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_same_figure_gives_the_same_bytes(figure: go.Figure, kind: str) -> None:
    again = draw(KINDS["bars"](6, VALUES, "c"), card=CARD, lang="fr", size=PRINT)
    assert as_image(figure, kind) == as_image(again, kind)
    assert as_html(figure) == as_html(again)


def test_a_page_asks_nobody(tmp_path: Path, watch: Callable[..., Watched]) -> None:
    for kind in ("bars", "table", "flow", "cells"):
        path = save(draw(KINDS[kind](6, VALUES, "c"), card=CARD, size=SCREEN), tmp_path / f"{kind}.html")
        page = watch(path)
        page.page.wait_for_selector(".main-svg")
        assert page.page.locator("text=planar_laplace").count() >= 1
        page.page.wait_for_load_state("networkidle")
        page.assert_quiet()


def test_nothing_is_overwritten_without_force(figure: go.Figure, tmp_path: Path) -> None:
    path = save(figure, tmp_path / "a.html")
    with pytest.raises(UsageError, match="exists already"):
        save(figure, path)
    assert save(figure, path, force=True) == path
    assert list(tmp_path.iterdir()) == [path]


def test_an_unknown_ending_is_refused(figure: go.Figure, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"must end in one of \.html, \.svg, \.png, \.pdf"):
        save(figure, tmp_path / "a.gif")


def test_without_a_browser_the_sentence_says_what_to_install(
    figure: go.Figure, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    monkeypatch.setattr(export.shutil, "which", lambda name: None)
    with pytest.raises(
        UsageError, match=r"none was found: install one .*chromium.* or save the figure as \.html"
    ):
        save(figure, tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []
    assert save(figure, tmp_path / "a.html").exists()
    monkeypatch.setenv("BROWSER_PATH", "/nowhere/chrome")
    with pytest.raises(UsageError, match="BROWSER_PATH is '/nowhere/chrome', which cannot be run"):
        browser_path()


def test_the_browser_of_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = tmp_path / "my-chrome"
    mine.write_text("#!/bin/sh\nexit 1\n")
    mine.chmod(0o755)
    monkeypatch.setenv("BROWSER_PATH", str(mine))
    assert browser_path() == str(mine)


def test_the_page_centres_its_figure(tmp_path: Path, watch: Callable[..., Watched]) -> None:
    path = save(draw(KINDS["bars"](6, VALUES, "c"), card=CARD, size=SCREEN), tmp_path / "a.html")
    page = watch(path).page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_selector(".main-svg")
    box = page.locator("#figure").bounding_box()
    assert box is not None
    assert box["width"] == SCREEN.width
    assert abs(box["x"] - (1280 - box["x"] - box["width"])) <= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
