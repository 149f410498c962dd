"""Figures as narrow as the dashboard draws them: nothing is cut, nothing lies over another."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from insanonym_core.figures import PRINT, SCREEN, Size, draw
from insanonym_core.figures.attacks import attacks
from insanonym_core.figures.measures import utility_scores
from insanonym_core.figures.text_layout import text_width
from insanonym_core.figures.theme import SMALL, TITLE
from insanonym_core.results.scores import Distribution, Flow
from insanonym_core.texts import Phrase
from tests.figures.examples import CARD, measure
from tests.figures.test_draw import card_of, numbers, written

NARROW = Size(440, 380)
ANY = pytest.mark.parametrize("size", [SCREEN, PRINT, NARROW], ids=["screen", "print", "narrow"])
BOTH = pytest.mark.parametrize("lang", ["en", "fr"])


def _lines(text: str) -> list[str]:
    return [re.sub("<[^>]*>", "", line) for line in text.split("<br>")]


def _plot_width(figure: go.Figure) -> float:
    return float(figure.layout.width - figure.layout.margin.l - figure.layout.margin.r)


def _fits(figure: go.Figure) -> None:
    """The title in bold, the card, the names of the rows and the ticks."""
    for line in _lines(figure.layout.title.text):
        assert text_width(line, TITLE * 1.12) <= figure.layout.width - 32
    for line in _lines(card_of(figure).text):
        assert text_width(line, SMALL) <= figure.layout.width - 32
    for text in figure.layout.yaxis.ticktext:
        assert len(_lines(text)) <= 2
        assert all(text_width(line, SMALL) <= figure.layout.margin.l for line in _lines(text))
    low, high = figure.layout.xaxis.range
    ticks = list(figure.layout.xaxis.tickvals)
    texts = figure.layout.xaxis.ticktext or [f"{tick:g}" for tick in ticks]
    gaps = [(b - a) / (high - low) * _plot_width(figure) for a, b in pairwise(ticks)]
    assert all(gap >= max(text_width(text, SMALL) for text in texts) + 4 for gap in gaps)


@ANY
@BOTH
def test_attacks_fit(size: Size, lang: str) -> None:
    names = ["same home, work and activity of everybody", "equal number of rows", "one-to-one matching"]
    some = [measure(name, 0.9, interval=(0.81, 0.96), details={"chance": 0.013}) for name in names]
    figure = attacks(some, card=CARD, lang=lang, size=size)
    _fits(figure)
    assert _plot_width(figure) >= 150
    assert len(figure.layout.xaxis.tickvals) <= 6, "and room to spare where a page shows it narrower"
    assert ("[" in written(figure)) == (size is not NARROW), "no room for a column of intervals"
    dots = [trace for trace in figure.data if trace.error_x.array is not None]
    assert "[" in dots[0].customdata[0]


@ANY
@BOTH
def test_scores_fit(size: Size, lang: str) -> None:
    some = [
        measure("nearest-neighbour distance ratio of all the people (NNDR)", 0.75, "lower"),
        measure("discernibility", 29_153_877, "lower", bounds=(0, math.inf)),
        measure("correlation", -0.4),
    ]
    figure = utility_scores(some, card=CARD, lang=lang, size=size)
    _fits(figure)
    assert figure.layout.yaxis.ticktext[0].strip().endswith("↓"), "the arrow stays"
    (number,) = [text for text in numbers(figure) if "153" in text]
    assert text_width(number, SMALL) <= _plot_width(figure)


MEDIANS = {"avatars": 0.70, "held-out rows": 0.907, "real rows": 0.926}


@ANY
@BOTH
def test_medians_of_several_groups_stand_in_the_legend(size: Size, lang: str) -> None:
    marks: dict[str, float] = {
        Phrase("median, {group}", group=Phrase(group)): value for group, value in MEDIANS.items()
    }
    counts = {group: np.full(40, 0.025) for group in MEDIANS}
    edges = np.linspace(0, 1, 41)
    figure = draw(
        Distribution("NNDR", "share of the rows", "ratio", edges, counts, marks, shows_individuals=False),
        lang=lang,
        size=size,
    )
    assert [shape.x0 for shape in figure.layout.shapes] == list(MEDIANS.values())
    assert [shape.line.color for shape in figure.layout.shapes] == [trace.line.color for trace in figure.data]
    names = [trace.name for trace in figure.data]
    if lang == "en":
        assert names == ["avatars (median 0.7)", "held-out rows (median 0.907)", "real rows (median 0.926)"]
    assert all("0,9" in name or "0,7" in name for name in names) or lang == "en"
    assert " = " not in written(figure), "no label above the plot, so none that a line could cross"


@ANY
@pytest.mark.parametrize("places", [(0.70, 0.907, 0.926), (0.05, 0.1, 0.9), (0.85, 0.9, 0.93, 0.99)])
def test_no_line_crosses_the_label_of_another(size: Size, places: tuple[float, ...]) -> None:
    marks = {f"a mark called {place}": value for place, value in enumerate(places)}
    evidence = Distribution(
        "D", "rows", "km", np.linspace(0, 1, 11), {"rows": np.arange(10)}, marks, shows_individuals=False
    )
    figure = draw(evidence, size=size)
    low, high = figure.layout.xaxis.range
    scale = _plot_width(figure) / (high - low)
    notes = [note for note in figure.layout.annotations if "a mark called" in note.text]
    assert len(notes) == len(places)
    for note in notes:
        at, long = (note.x - low) * scale, text_width(note.text, SMALL)
        start, end = (at - 4 - long, at - 4) if note.xanchor == "right" else (at + 4, at + 4 + long)
        assert note.bgcolor == "#ffffff"
        crossing = [
            other.text
            for other in notes
            if start < (other.x - low) * scale < end and other.yshift >= note.yshift
        ]
        assert crossing == []


FLOW = Flow(
    "T",
    "people",
    ("1. S", "1. S", "1. ES", "2. Licence", "1. ES", "3. Licence"),
    ("2. Licence", "2. DU", "2. Licence", "3. Licence", "2. Master", "4. Licence"),
    np.array([50, 3, 30, 40, 2, 20]),
    shows_individuals=False,
)


@ANY
def test_steps_of_a_flow_stand_in_columns(size: Size) -> None:
    figure = draw(FLOW, size=size, card=CARD)
    notes = list(figure.select_annotations(selector={"name": "node"}))
    columns: dict[str, set[float]] = {}
    for note in notes:
        columns.setdefault(note.text[0], set()).add(note.x)
    assert all(len(found) == 1 for found in columns.values()), "the last ones too"
    across = [found.pop() for _, found in sorted(columns.items())]
    assert across == sorted(across)
    assert len(set(across)) == 4
    node = figure.data[0].node
    height = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    for note, x, y in zip(notes, node.x, node.y, strict=True):
        assert (note.xref, note.yref, note.yanchor) == ("paper", "paper", "middle")
        assert (1 - note.y) == pytest.approx(y, abs=0.001), "beside its node"
        assert note.x == pytest.approx(x - node.thickness / 2 / _plot_width(figure), abs=0.001)
        assert note.bgcolor, "what runs behind a label does not run through it"
    slot = (across[1] - across[0]) * _plot_width(figure)
    for note in notes:
        assert note.xshift + max(text_width(line, note.font.size) for line in _lines(note.text)) <= slot
        same = [o for o in notes if o is not note and o.x == note.x]
        assert all(abs(o.y - note.y) * height >= 17 for o in same)


def test_a_node_is_as_deep_as_the_longest_way_to_it() -> None:
    skipping = Flow(
        "T", "people", ("a", "a", "b"), ("c", "b", "c"), np.array([5, 3, 3]), shows_individuals=False
    )
    places = dict(zip(("a", "b", "c"), draw(skipping).data[0].node.x, strict=True))
    assert places["a"] < places["b"] < places["c"]
