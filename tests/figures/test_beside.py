"""Two settings in one figure: what is put beside what, on which labels and edges."""

from __future__ import annotations

import numpy as np
import pytest

from insanonym_core.figures import Size, draw
from insanonym_core.figures.beside import BEFORE, THIS, beside
from insanonym_core.results.scores import Bars, Cloud, Curve, Distribution, Table


def bars(labels, values, **more):
    return Bars("Bars", "share", labels, values, shows_individuals=False, **more)


def sizes(edges, counts):
    return Distribution(
        "Sizes", "classes", "rows", np.array(edges), {"classes": counts}, shows_individuals=False
    )


def test_bars_share_their_labels_and_what_one_has_not_is_a_gap():
    found = beside(bars(("a", "b"), np.array([1, 2])), bars(("b", "c"), np.array([3, 4])), "★ A")
    assert found.labels == ("a", "b", "c")
    np.testing.assert_array_equal(found.groups[THIS], [1, 2, np.nan])
    np.testing.assert_array_equal(found.groups["★ A"], [np.nan, 3, 4])


def test_of_several_groups_only_the_one_that_changed_is_repeated():
    one = bars(("a",), {"original": np.array([0.5]), "release": np.array([0.4])})
    two = bars(("a",), {"original": np.array([0.5]), "release": np.array([0.1])})
    assert list(beside(one, two, "★ A").groups) == ["original", "release", "release, ★ A"]
    assert list(beside(one, one, "★ A").groups) == ["original", "release"]


def test_classes_are_counted_on_the_edges_that_both_have():
    one, two = sizes([1, 2, 5, 10, np.inf], [0, 3, 4, 5]), sizes([1, 2, 3, 5, np.inf], [7, 1, 1, 9])
    found = beside(one, two, BEFORE)
    # 3 is no edge of the first, where 3 classes lie between 2 and 5; 10 is none of the second.
    np.testing.assert_array_equal(found.edges, [1, 2, 5, np.inf])
    np.testing.assert_array_equal(found.counts[THIS], [0, 3, 9])
    np.testing.assert_array_equal(found.counts[BEFORE], [7, 2, 9])


def test_where_nothing_is_an_edge_may_lie_anywhere():
    found = beside(sizes([1, 50, 60, 1e9], [0, 4, 2]), sizes([1, 2, 3, 1e9], [6, 5, 0]), BEFORE)
    np.testing.assert_array_equal(found.edges, [1, 2, 3, 50, 60, 1e9])
    np.testing.assert_array_equal(found.counts[BEFORE], [6, 5, 0, 0, 0])
    np.testing.assert_array_equal(found.counts[THIS], [0, 0, 0, 4, 2])


def test_histograms_with_other_bins_are_not_put_together():
    assert beside(sizes([0, 1, 2, 3], [1, 1, 1]), sizes([0.5, 1.5, 2.5, 3.5], [1, 1, 1]), BEFORE) is None
    table = Table("Rows", {"a": np.array([1])}, shows_individuals=False)
    assert beside(table, table, BEFORE) is None


def test_a_curve_gets_another_line_and_a_legend():
    curve = Curve("C", "x", "y", np.array([1, 2]), np.array([0.1, 0.2]), share=True, shows_individuals=False)
    other = Curve("C", "x", "y", np.array([1, 2]), np.array([0.9, 1.0]), share=True, shows_individuals=False)
    figure = draw(beside(curve, other, BEFORE), size=Size(520, 280, tile=True))
    assert [trace.name for trace in figure.data] == ["this setting", "before anonymisation"]
    assert figure.layout.showlegend
    assert tuple(figure.layout.yaxis.range) == pytest.approx((0, 1.1))


def test_points_that_are_the_same_come_once():
    points = np.array([1.0, 2.0]), np.array([0.0, 1.0])
    moved = np.array([1.5, 2.0]), np.array([0.0, 1.0])
    one = Cloud("P", "x", "y", {"originals": points, "avatars": points}, shows_individuals=False)
    two = Cloud("P", "x", "y", {"originals": points, "avatars": moved}, shows_individuals=False)
    assert list(beside(one, two, "★ A").groups) == ["originals", "avatars", "avatars, ★ A"]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("upright", [True, False])
def test_shares_are_drawn_on_all_of_the_axis_and_in_percent(lang, upright):
    labels = ("a", "b") if upright else tuple(f"a long label number {n}" for n in range(8))
    figure = draw(
        bars(labels, np.full(len(labels), 0.03), share=True), size=Size(520, 280, tile=True), lang=lang
    )
    axis = figure.layout.yaxis if upright else figure.layout.xaxis
    assert tuple(axis.range) == pytest.approx((0, 1.1))
    assert axis.ticktext[-1] == {"en": "100%", "fr": "100\u202f%"}[lang]
    assert figure.data[0].text[0] == {"en": "3%", "fr": "3\u202f%"}[lang]
