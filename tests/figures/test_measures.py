from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from insanonym_core.figures.attacks import attacks, attacks_sheet
from insanonym_core.figures.disagreement import disagree, disagreement
from insanonym_core.figures.measures import utility_scores, utility_sheet
from insanonym_core.figures.text_layout import text_width
from insanonym_core.figures.theme import PRINT, SCREEN, SMALL, VERMILLION, Size
from insanonym_core.figures.tradeoff import FrontPoint, front
from tests.figures.examples import CARD, LONG, LONG_CARD, measure
from tests.figures.test_draw import numbers, written

BOTH = pytest.mark.parametrize("size", [SCREEN, PRINT], ids=["screen", "print"])


def test_utility_scores_write_their_values() -> None:
    some = [measure("date", 1.0), measure("poi", math.nan, undefined_because="nobody stays")]
    some += [measure("ncp", 0.00757, "lower"), measure("size", 4_968, "lower", bounds=(0, math.inf))]
    figure = utility_scores(some, card=CARD, previous={"date": 0.9})
    assert numbers(figure) == [" 1.00 (+0.10)", " n/a", " 0.00757", " 4,968 (no common scale)"]
    assert figure.data[-1].hovertext[1] == "nobody stays"
    assert figure.layout.yaxis.ticktext[2] == "Ncp\u00a0↓ "
    assert list(figure.data[0].x) == [0.9, 0, 0, 0], "what was before stands behind"
    assert list(figure.data[1].x) == [1, 0, 0.00757, 0]
    assert "0,00757" in written(utility_scores(some, lang="fr"))


def test_a_change_is_written_where_it_shows_and_fits() -> None:
    some = [measure("date", 0.5), measure("hour", 0.5), measure("poi", 1.0)]
    previous = {"date": 0.71, "hour": 0.5001, "poi": 0.25, "gone": 0.3}
    for size in (Size(560, 380), SCREEN):
        figure = utility_scores(some, previous=previous, size=size)
        assert numbers(figure) == [" 0.50 (−0.21)", " 0.50", " 1.00 (+0.75)"]
        plot = size.width - figure.layout.margin.l - figure.layout.margin.r
        low, high = figure.layout.xaxis.range
        end = (1 - low) / (high - low) * plot + text_width(" 1.00 (+0.75)", SMALL)
        assert figure.layout.margin.l + end <= size.width
    assert "0,50 (−0,21)" in written(utility_scores(some, previous=previous, lang="fr"))


@BOTH
def test_the_number_of_an_attack_stands_apart_from_its_interval(size: Size) -> None:
    some = [
        measure("naive", 0.03, interval=(0.01, 0.06), details={"chance": 0.0128}),
        measure("heatmap", 0.38, interval=(0.33, 0.43), details={"chance": 0.0128}),
    ]
    figure = attacks(some, card=CARD, size=size)
    assert numbers(figure) == [" <b>38% [33%–43%]</b>", " 3% [1%–6%]"], "the strongest first"
    assert list(figure.data[-1].x) == [figure.layout.xaxis.range[1]] * 2, "right of the plot"
    dots = [trace for trace in figure.data if trace.error_x.array is not None]
    assert [trace.marker.color == VERMILLION for trace in dots] == [False, True]
    assert "chance = 1.3%" in written(figure)
    assert dots[1].error_x.array[0] == pytest.approx(0.05)
    assert "38\u202f% [33\u202f%–43\u202f%]" in written(attacks(some, lang="fr"))


@pytest.mark.parametrize("value", [0.0, 0.04, 0.5, 1.0])
def test_the_axis_of_attacks_is_always_the_same(value: float) -> None:
    some = [measure("a", value, interval=(value, value), details={"chance": 0.01})]
    low, high = attacks(some).layout.xaxis.range
    assert -0.05 <= low <= 0
    assert 1 <= high <= 1.05


def test_the_distance_to_chance_is_a_bar() -> None:
    figure = attacks([measure("a", 0.38, details={"chance": 0.08})])
    (bar,) = [trace for trace in figure.data if trace.type == "bar"]
    assert (bar.base[0], bar.x[0]) == pytest.approx((0.08, 0.30))


def test_chances_that_differ_are_marked_in_their_rows() -> None:
    some = [measure(name, 0.5, details={"chance": chance}) for name, chance in (("a", 0.1), ("b", 0.5))]
    figure = attacks(some)
    assert "Grey marks: chance." in written(figure)
    assert [0.1, 0.5] in [list(trace.x) for trace in figure.data]


def test_no_measure_is_a_sentence_and_no_chance_no_mark() -> None:
    for make in (utility_scores, attacks):
        assert "There is nothing to show." in written(make([]))
    assert "There is nothing to show." in written(disagreement({}))
    assert "chance" not in written(attacks([measure("a", math.nan), measure("b", 0.0)]))


def test_measures_that_rank_alike_or_not() -> None:
    rows = {
        "published": {"dcr": measure("dcr", 0.8), "linkage": measure("linkage", 0.02, "lower")},
        "exponential": {"dcr": measure("dcr", 1.05), "linkage": measure("linkage", 0.05, "lower")},
    }
    assert disagree(rows, ["dcr", "linkage"])
    figure = disagreement(rows, card=CARD)
    assert figure.layout.title.text == "The measures disagree about which release is safest"
    assert "<b>1.05 ★</b>" in written(figure)
    assert "<b>0.02 ★</b>" in written(figure)
    assert "← shorter is better" in written(figure)
    assert not disagree(rows, ["dcr"])
    rows["exponential"]["linkage"] = measure("linkage", math.nan, "lower")
    assert disagreement(rows).layout.title.text == "The measures agree on the order of the releases"


@BOTH
def test_many_measures_make_more_rows_of_panels(size: Size) -> None:
    names = [f"measure {number} {LONG}" for number in range(9)]
    rows = {f"{LONG} {k}": {name: measure(name, k / 10) for name in names} for k in range(4)}
    figure = disagreement(rows, card=LONG_CARD, size=size, lang="fr")
    assert len(figure.data) == 9
    for axis in figure.select_xaxes():
        assert 0 <= axis.domain[0] < axis.domain[1] <= 1.0001
    domains = sorted({axis.domain for axis in figure.select_yaxes()})
    assert all(low[1] < high[0] for low, high in pairwise(domains))


def _points(count: int, label: str = "radius = {}") -> list[FrontPoint]:
    utility = np.linspace(0.95, 0.05, count)
    return [
        FrontPoint(
            f"series {s}",
            label.format(i),
            1 - u**s,
            u,
            0.9 * (1 - u**s),
            1.0,
            on_front=s == 3,
            chosen=s == i == 3,
        )
        for s in (1, 2, 3)
        for i, u in enumerate(utility.tolist())
    ]


@BOTH
@pytest.mark.parametrize("count", [1, 4, 40])
@pytest.mark.parametrize("label", ["radius = {}", LONG + "{}"], ids=["short", "long"])
def test_names_on_the_front_lie_over_nothing(size: Size, count: int, label: str) -> None:
    from insanonym_core.figures.text_layout import text_width

    points = _points(count, label)
    figure = front(points, card=LONG_CARD, size=size, reason="largest defence score")
    high = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    wide = figure.layout.width - figure.layout.margin.l - figure.layout.margin.r
    (x0, x1), (y0, y1) = figure.layout.xaxis.range, figure.layout.yaxis.range
    boxes = []
    for note in figure.layout.annotations:
        if note.xref is None and note.text:
            x = (note.x - x0) / (x1 - x0) * wide + note.xshift
            y = (note.y - y0) / (y1 - y0) * high + note.yshift
            long = text_width(note.text.replace("<b>", "").replace("</b>", ""), 13)
            left = x if note.xanchor == "left" else x - long
            boxes.append((left, y - 9, left + long, y + 9))
    assert boxes or "long" in label
    for place, one in enumerate(boxes):
        assert one[0] >= 0
        assert one[2] <= wide
        for other in boxes[place + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart


def test_the_front_shows_what_it_is_made_of() -> None:
    figure = front(
        _points(4), privacy="1 − best attack", utility="mean of six scores", card=CARD, reason="knee"
    )
    assert figure.layout.xaxis.title.text == "Utility (mean of six scores)"
    assert figure.layout.yaxis.title.text == "Privacy (1 − best attack)"
    named = [trace for trace in figure.data if trace.name]
    assert [trace.name for trace in named] == ["Pareto front", "series 1", "series 2", "series 3"]
    assert len({(trace.line.color, trace.marker.symbol) for trace in named[1:]}) == 3
    assert named[0].line.shape == "vh"
    assert figure.data[-1].marker.symbol == "circle-open"
    assert "<b>radius = 3</b>" in written(figure)
    assert "Ring: knee." in written(figure)
    french = front(_points(4), lang="fr")
    assert "Courbes fines" in written(french)
    assert "défense 0," in french.data[-2].customdata[0][0]


def test_points_without_a_number_are_counted() -> None:
    lost = FrontPoint("a", "k = 2", math.nan, 0.5)
    assert "Left out, without a number: 1." in written(front([lost]))
    assert "There is nothing to show." in written(front([lost]))
    outside = front([FrontPoint("a", "k = 2", -0.2, 1.3)])
    assert outside.layout.yaxis.range[0] < -0.2
    assert outside.layout.xaxis.range[1] > 1.3


def _corner() -> list[FrontPoint]:
    return [
        FrontPoint(
            "mondrian", f"k = {2**i}", 1 - 0.02 * 0.6**i, 0.99 - 0.012 * i, on_front=True, chosen=i == 3
        )
        for i in range(6)
    ]


@pytest.mark.parametrize("size", [SCREEN, PRINT, Size(440, 380)], ids=["screen", "print", "narrow"])
def test_points_in_a_corner_are_enlarged_and_it_is_said(size: Size) -> None:
    points = _corner()
    figure = front(points, size=size, card=CARD)
    (x0, x1), (y0, y1) = figure.layout.xaxis.range, figure.layout.yaxis.range
    assert 0.8 < x0 < 0.93
    assert 0.95 < y0 < 0.98
    assert max(x1, y1) <= 1.03
    assert "Enlarged: utility 0.9" in written(figure)
    curves = [trace for trace in figure.data if not trace.name and trace.mode == "lines"]
    assert len(curves) >= 3
    assert all(np.allclose(trace.x * trace.y, (trace.x * trace.y)[0]) for trace in curves)
    assert figure.data[0] is curves[0] or figure.data[0].mode == "lines", "behind the points"
    assert "Agrandi : utilité 0,9" in written(front(points, lang="fr"))
    assert "Enlarged" not in written(front(_points(4)))
    assert front(_points(4)).layout.xaxis.range == (0, 1.03)


def test_lines_that_lead_to_names_touch_no_other_name() -> None:
    from insanonym_core.figures.label_placement import LEADER_SHARE, _crosses, needs_leader, place_labels

    spots = {place: (200.0 + 9 * place, 150.0 + 3 * place) for place in range(9)}
    long = dict.fromkeys(spots, 60.0)
    found = place_labels(spots, long, {0: 6.0}, (500.0, 300.0))
    assert 0 in found
    boxes = {}
    for place, (dx, dy) in found.items():
        x, y = spots[place]
        left = x + dx if dx > 0 else x + dx - 60
        boxes[place] = (left, y + dy - 9, left + 60, y + dy + 9)
    led = {place: shift for place, shift in found.items() if needs_leader(shift[1])}
    assert led
    for place, (dx, dy) in led.items():
        x, y = spots[place]
        line = ((x, y), (x + dx, y + dy * LEADER_SHARE))
        assert not any(_crosses(line, box) for other, box in boxes.items() if other != place)
    assert _crosses(((0, 0), (10, 10)), (4, 4, 6, 6))
    assert not _crosses(((0, 0), (10, 10)), (4, 0, 6, 3))
    assert not _crosses(((0, 5), (0, 9)), (4, 0, 6, 9))


def test_without_a_suggestion_there_is_no_ring() -> None:
    points = [FrontPoint("laplace", f"radius = {r}", 0.0, 1 - r / 9, on_front=r == 0) for r in range(4)]
    figure = front(points, reason="no setting defends: privacy is 0")
    assert "Ring" not in written(figure)
    assert "No setting defends: privacy is 0." in written(figure)
    assert not any(trace.marker.symbol == "circle-open" for trace in figure.data if trace.mode == "markers")


def test_what_the_dashboard_sends_is_the_figure_unchecked() -> None:
    """plotly.js is sent `plain`, which nobody checks: it must be what the figure is."""
    scores = [measure("date", 1.0), measure("poi", math.nan, undefined_because="nobody stays")]
    found = [
        measure("naive", 0.03, interval=(0.01, 0.06), details={"chance": 0.0128}),
        measure("heatmap", 0.38, interval=(0.33, 0.43), details={"chance": 0.0128}),
    ]
    for make, sheet in ((utility_scores, utility_sheet), (attacks, attacks_sheet)):
        for some in (scores, found, []):
            sent = sheet(some, card=CARD).as_dict()
            assert go.Figure(sent).to_json() == make(some, card=CARD).to_json()
            assert "template" in sent["layout"]
            assert bool(sent["data"]) is bool(some)
