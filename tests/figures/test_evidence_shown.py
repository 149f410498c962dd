"""Trees of one branch, bars with long names, empty bars that say why."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from insanonym_core.avatars.metrics.closeness import _hiding_bars
from insanonym_core.figures import SCREEN, Size, draw
from insanonym_core.results.scores import Bars, Tree, may_be_handed_over
from insanonym_core.texts import Phrase, french
from tests.figures.test_draw import written

NARROW = Size(560, 380)


def _branch(levels: int) -> Tree:
    """Of 2ⁿ rows the right half goes on."""
    size = [2**levels]
    parent = [-1]
    for level in range(1, levels + 1):
        parent += [2 * level - 2] * 2
        size += [2 ** (levels - level)] * 2
    refused = Phrase("{column}: {rows} < {k}", column="age", rows=4, k=5)
    notes = ((),) * (len(size) - 1) + ((refused,),)
    labels = tuple(f"node {place}" for place in range(len(size)))
    return Tree(
        "Cuts", "rows", labels, np.array(parent), np.array(size), notes, branch=True, shows_individuals=True
    )


@pytest.mark.parametrize("size", [NARROW, SCREEN])
def test_a_branch_shows_its_leaf_however_deep(size: Size) -> None:
    figure = draw(_branch(10), size=size)
    boxes = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert len(boxes) == 21
    assert all(box.x1 - box.x0 == pytest.approx(0.5) for box in boxes[1:]), "all the width for every level"
    assert (boxes[-1].x1, boxes[-1].y0) == (1, pytest.approx(0))
    assert "node 20" in written(figure)
    assert "age: 4 &lt; 5" in written(figure)
    assert "“4 &lt; 5”: refused, as one side would keep only 4 rows." in written(figure)
    assert "« 4 &lt; 5 »" in written(draw(_branch(3), lang="fr"))


def test_what_has_no_room_in_its_box_is_told_where_the_mouse_rests() -> None:
    tree = Tree(
        "Cuts",
        "rows",
        ("all", "one", "many"),
        np.array([-1, 0, 0]),
        np.array([1000, 1, 999]),
        ((),) * 3,
        shows_individuals=True,
    )
    figure = draw(tree, size=NARROW)
    assert "one" not in " ".join(str(note.text) for note in figure.layout.annotations)
    assert figure.data[0].hovertext[1] == "one<br>1 rows"
    assert figure.data[0].x[1] == pytest.approx(0.0005)


def _names(figure: go.Figure) -> list[str]:
    return list(figure.layout.yaxis.ticktext)


def test_few_lying_bars_have_names_in_several_lines() -> None:
    names = ("LIB_DIPLOME, REGROUPEMENT_BAC, ANNEE_INSCRIPTION", "+ NIVEAU_APRES_BAC", "a_single_word_" * 6)
    shown = _names(
        draw(Bars("Rows lost", "rows", names, np.arange(1, 4), shows_individuals=False), size=NARROW)
    )
    assert shown[0] == "LIB_DIPLOME, <br>REGROUPEMENT_BAC, <br>ANNEE_INSCRIPTION "
    assert shown[1] == "+ NIVEAU_APRES_BAC "
    assert shown[2].endswith("… ")
    assert "<br>" not in shown[2]
    many = _names(
        draw(Bars("Rows lost", "rows", names[:1] * 15, np.arange(15), shows_individuals=False), size=NARROW)
    )
    assert "<br>" not in many[0]


def test_numbers_of_lying_groups_do_not_touch() -> None:
    def drawn(count: int) -> go.Figure:
        part = np.arange(1, count + 1) / 7
        names = tuple(f"a value with a long name {place}" for place in range(count))
        return draw(
            Bars("Town", "share", names, {"original": part, "release": part}, shows_individuals=False),
            size=NARROW,
        )

    few, many = drawn(5), drawn(9)
    assert few.data[0].text is not None
    inside = few.layout.height - few.layout.margin.t - few.layout.margin.b
    assert inside / 5 * (1 - few.layout.bargap) / 2 >= 13
    assert many.data[0].text is None, "told where the mouse rests"


def test_empty_bars_say_why() -> None:
    why = "No value is rare: nothing was deleted."
    nothing = Bars("Rows deleted in each pass", "rows", ("all",), {}, why_empty=why, shows_individuals=False)
    assert why in written(draw(nothing))
    assert french()[why].replace("\u00a0", " ") in written(draw(nothing, lang="fr"))
    assert "There is nothing to show." in written(draw(Bars("Rows", "rows", (), {}, shows_individuals=False)))


def test_bars_about_single_people_are_nothing_for_a_report() -> None:
    assert not may_be_handed_over(Bars("Rarest", "people", ("a",), np.ones(1), shows_individuals=True))
    assert may_be_handed_over(Bars("Rarest", "people", ("a",), np.ones(1), shows_individuals=False))


def test_hidden_behind_so_many() -> None:
    """Two of eight people are found; the other six are hidden, which is the hidden rate."""
    bars = _hiding_bars(np.array([0, 1, 0, 2, 5, 6, 20, 21]))
    assert (bars.values * 8).tolist() == [2, 1, 2, 2, 1]
    assert bars.labels[0].startswith("found")
    assert bars.values[1:].sum() == 6 / 8
