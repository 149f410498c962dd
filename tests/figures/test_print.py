"""Figures for print: true widths, no text below 7 points, groups that differ in grey, captions beside."""

from __future__ import annotations

import itertools
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pypdf
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.figures import draw
from insanonym_core.figures.export import as_image
from insanonym_core.figures.gallery import pictures
from insanonym_core.figures.print_width import COLUMN, MIN_POINTS, PAGE, SLIDE, WIDTHS, PrintWidth
from insanonym_core.figures.printed import caption_path, latex_text, save_printed, write_snippets
from insanonym_core.figures.theme import SEQUENTIAL, Size
from insanonym_core.results.scores import Bars, Cloud, Curve, Distribution, Evidence, Matrix
from tests.experiment.test_run import report_of
from tests.figures.examples import AMOUNTS, CARD, KINDS, VALUES

A4_POINTS = (595.28, 841.89)


def text_sizes(page: pypdf.PageObject) -> list[tuple[float, str]]:
    """The height in points, on the page, of every text."""
    found: list[tuple[float, str]] = []

    def visit(text: str, matrix: list[float], text_matrix: list[float], font: object, size: float) -> None:
        if text.strip():
            scales = (np.hypot(*one[2:4]) for one in (matrix, text_matrix))
            found.append((round(float(np.prod(list(scales))) * size, 2), text.strip()))

    page.extract_text(visitor_text=visit)
    return found


def on_a4(path: Path) -> pypdf.PageObject:
    """The figure of a file at its true size on a page of A4."""
    figure = pypdf.PdfReader(path).pages[0]
    paper = pypdf.PdfWriter().add_blank_page(*A4_POINTS)
    paper.merge_translated_page(figure, 40, 300)
    return paper


@pytest.mark.browser
@pytest.mark.parametrize("kind", KINDS)
def test_no_text_of_a_column_is_below_seven_points(kind: str, tmp_path: Path) -> None:
    figure = draw(KINDS[kind](AMOUNTS["few"], VALUES, "c"), card=CARD, lang="fr", size=COLUMN.size)
    path = tmp_path / "fig.pdf"
    save_printed(figure, [path], COLUMN)
    box = pypdf.PdfReader(path).pages[0].mediabox
    assert float(box.width) / 72 * 25.4 == pytest.approx(85, abs=0.1)
    assert len(pypdf.PdfReader(path).pages) == 1
    sizes = text_sizes(on_a4(path))
    assert len(sizes) >= 3
    assert min(sizes)[0] >= MIN_POINTS, min(sizes)
    assert max(sizes)[0] < 14, "and none is a poster"


@pytest.mark.browser
@pytest.mark.parametrize("width", [PAGE, SLIDE], ids=lambda width: width.name)
def test_wider_ones(width: PrintWidth, tmp_path: Path) -> None:
    report_of("traces").figure("utility").save(tmp_path / "fig.pdf", width=width.name)
    page = pypdf.PdfReader(tmp_path / "fig.pdf").pages[0]
    assert float(page.mediabox.width) / 72 * 25.4 == pytest.approx(width.millimetres, abs=0.3)
    sizes = text_sizes(page)
    assert min(sizes)[0] == pytest.approx(width.smallest_text, abs=0.05)
    assert min(sizes)[0] >= (14 if width is SLIDE else MIN_POINTS)


def test_the_smallest_text_of_every_width() -> None:
    assert all(width.smallest_text >= MIN_POINTS for width in WIDTHS.values())


@pytest.mark.browser
def test_every_format_is_of_the_same_true_size(tmp_path: Path) -> None:
    figure = draw(KINDS["bars"](6, VALUES, "c"), card=CARD, size=COLUMN.size)
    svg, png, pdf = (tmp_path / f"fig.{kind}" for kind in ("svg", "png", "pdf"))
    save_printed(figure, [svg, png, pdf], COLUMN)
    root = ET.fromstring(svg.read_text("utf-8"))  # noqa: S314  (we made it)
    assert root.attrib["width"] == "85mm"
    assert root.attrib["viewBox"] == f"0 0 {COLUMN.size.width} {figure.layout.height}"
    assert any(element.tag.endswith("text") for element in root.iter()), "texts, not outlines of letters"
    content = png.read_bytes()
    wide = struct.unpack(">I", content[16:20])[0]
    assert content[37:41] == b"pHYs"
    per_metre = struct.unpack(">I", content[41:45])[0]
    assert wide / per_metre * 1000 == pytest.approx(85, abs=0.2)
    assert per_metre == round(300 / 0.0254)
    fonts = pypdf.PdfReader(pdf).pages[0]["/Resources"]["/Font"]
    assert len(fonts) >= 1, "letters are fonts in the PDF"
    tall = float(pypdf.PdfReader(pdf).pages[0].mediabox.height) / 72 * 25.4
    assert float(root.attrib["height"].removesuffix("mm")) == pytest.approx(tall, abs=0.5)


@pytest.mark.browser
def test_title_and_card_move_to_the_caption(tmp_path: Path) -> None:
    picture = report_of("traces").figure("utility", lang="fr")
    for name, wanted in (("with", True), ("without", False)):
        picture.save(tmp_path / f"{name}.svg", width="85mm", title=wanted, card=wanted)
        text = (tmp_path / f"{name}.svg").read_text("utf-8")
        assert ("demo:enrolments" in text) is wanted
        assert ("analyste" in text) is wanted
        caption = (tmp_path / f"{name}.caption.txt").read_text("utf-8")
        assert caption.startswith("Utilité : ce qu’un analyste peut encore faire. demo:enrolments")
        assert caption.endswith(".\n")
    with pytest.raises(UsageError, match="exists already"):
        picture.save(tmp_path / "with.svg", width="85mm")
    picture.save(tmp_path / "with.html", width="85mm")  # another format of the same figure: the same caption
    (tmp_path / "mine.caption.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"mine\.caption\.txt exists already"):
        picture.save(tmp_path / "mine.html", width="85mm")
    assert not (tmp_path / "mine.html").exists(), "all or nothing"
    with pytest.raises(UsageError, match="must be 85mm, 170mm or slide, got"):
        picture.save(tmp_path / "other.svg", width="90mm")
    with pytest.raises(UsageError, match="There is no figure called"):
        report_of("traces").figure("nothing")


def test_what_latex_and_word_need(tmp_path: Path) -> None:
    figure = draw(KINDS["bars"](6, VALUES, "c"), card=CARD, size=COLUMN.size)
    figure.layout.meta["title"] = "Loss of 5 % & more_or less <b>"
    path = tmp_path / "loss.html"
    printed = save_printed(figure, [path], COLUMN)
    assert write_snippets([printed], tmp_path) == [], "neither of them takes a page"
    from dataclasses import replace

    printed = replace(printed, paths=(tmp_path / "loss.pdf", tmp_path / "loss.png"))
    latex, word = (one.read_text("utf-8") for one in write_snippets([printed], tmp_path))
    assert r"\includegraphics[width=85mm]{loss.pdf}" in latex
    assert r"Loss of 5 \% \& more\_or less \textless{}b\textgreater{}" in latex
    assert 'src="loss.png" style="width: 85mm"' in word
    assert "&lt;b&gt;" in word
    assert caption_path(path).read_text("utf-8").startswith("Loss of 5 %")
    assert latex_text("a\\b{c}~^") == r"a\textbackslash{}b\{c\}\textasciitilde{}\textasciicircum{}"


@pytest.mark.slow
def test_figures_are_named_by_what_they_show() -> None:
    names = [picture.name for kind in ("traces", "avatars") for picture in pictures(report_of(kind))]
    assert {"utility", "rows-deleted-in-each-pass", "distance-to-the-closest-real-row"} <= {*names}
    for kind in ("traces", "avatars"):
        own = [picture.name for picture in pictures(report_of(kind))]
        assert len(set(own)) == len(own)
        assert own == [picture.name for picture in pictures(report_of(kind), lang="fr")], "in any language"
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in own)


def lightness(colour: str) -> float:
    """L* of a colour, 0 black to 100 white: what is left of it in grey."""
    numbers = (
        [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
        if colour.startswith("#")
        else [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]
    )
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (number / 255 for number in numbers)
    )
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return float(116 * np.cbrt(light) - 16 if light > 0.008856 else 903.3 * light)


def marks_of(trace: go.Scatter) -> tuple[object, ...]:
    """What tells a series from others without its colour."""
    if trace.type == "bar":
        return ("bar", trace.marker.pattern.shape or "")
    return (trace.line.dash or "solid" if "lines" in trace.mode else "", trace.marker.symbol or "circle")


SEVEN = [f"series {number}" for number in range(7)]
GROUPED: dict[str, Evidence] = {
    "bars": Bars(
        "Shares", "share", ("a", "b"), {name: np.array([1.0, 2.0]) for name in SEVEN}, shows_individuals=False
    ),
    "pair": Bars(
        "Shares",
        "share",
        ("a", "b"),
        {name: np.array([1.0, 2.0]) for name in ("original", "release")},
        shows_individuals=False,
    ),
    "outlines": Distribution(
        "Distances",
        "share",
        "distance",
        np.arange(4.0),
        {name: np.array([1.0, 2.0, 3.0]) for name in ("originals", "avatars", *SEVEN[:5])},
        shows_individuals=False,
    ),
    "clouds": Cloud(
        "Plane",
        "x",
        "y",
        {name: (np.arange(3.0), np.arange(3.0)) for name in ("originals", "avatars", *SEVEN[:5])},
        shows_individuals=False,
    ),
    "lines": Curve(
        "Curve",
        "x",
        "y",
        np.arange(3.0),
        np.arange(3.0),
        others={name: (np.arange(3.0), np.ones(3)) for name in ("before anonymisation", *SEVEN[:3])},
        shows_individuals=False,
    ),
}


@pytest.mark.parametrize("kind", GROUPED)
def test_groups_differ_in_grey(kind: str) -> None:
    figure = draw(GROUPED[kind], size=PAGE.size)
    traces = [trace for trace in figure.data if trace.name]
    assert len(traces) >= 2
    for one, other in itertools.combinations(traces, 2):
        colours = [trace.line.color or trace.marker.color for trace in (one, other) if trace.type != "bar"]
        far = len(colours) == 2 and abs(lightness(colours[0]) - lightness(colours[1])) >= 25
        assert marks_of(one) != marks_of(other) or far, (one.name, other.name)


@pytest.mark.browser
def test_every_bar_is_seen() -> None:
    """A pattern without a background would be white on white."""
    for kind in ("bars", "pair"):
        figure = draw(GROUPED[kind], size=PAGE.size)
        colours = {trace.marker.color for trace in figure.data}
        svg = as_image(figure, "svg").decode()
        written = {f"rgb({', '.join(str(int(one[i : i + 2], 16)) for i in (1, 3, 5))})" for one in colours}
        assert all(f"fill: {colour}" in svg or f'fill="{colour}"' in svg for colour in written)
        assert as_image(draw(GROUPED[kind], size=PAGE.size), "svg").decode() == svg, "the same bytes"


def test_a_scale_of_colours_is_one_of_lightness() -> None:
    light = [lightness(colour) for _, colour in SEQUENTIAL]
    assert all(one - other >= 15 for one, other in itertools.pairwise(light))


@pytest.mark.parametrize("size", [PAGE.size, Size(520, 250, tile=True)], ids=["page", "tile"])
def test_negative_cells_are_marked_where_both_ends_of_the_scale_are_dark(size: Size) -> None:
    names = tuple(f"column {number}" for number in range(20))
    values = np.full((20, 20), 0.9)
    values[3, 5] = values[5, 3] = -0.9
    values[0, 1] = -0.3
    values[0, 2] = -0.01  # nearly zero: pale, and no mark
    figure = draw(Matrix("Correlations", names, names, values, shows_individuals=False), size=size)
    heat, *marks = figure.data
    scale = [(place, lightness(colour)) for place, colour in heat.colorscale]
    seen = {}
    for line in marks:
        assert line.mode == "lines"
        for first, last, gap in zip(line.x[::3], line.x[1::3], line.x[2::3], strict=True):
            assert np.isnan(gap)
            seen[round((first + last) / 2)] = line.line.color
        assert all(line.y[::3] == line.y[1::3])
    assert sorted(seen) == [1, 3, 5]
    for column, colour in seen.items():
        shown = values[{1: 0, 3: 5, 5: 3}[column], column]
        ground = np.interp((shown - heat.zmin) / (heat.zmax - heat.zmin), *zip(*scale, strict=True))
        assert abs(lightness(colour) - ground) > 35, "the dash is seen without colours"
