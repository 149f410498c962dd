from __future__ import annotations

import subprocess
import sys

import numpy as np
import plotly.graph_objects as go
import pytest

from insanonym_core.figures import PRINT, SCREEN, Card, Size, draw
from insanonym_core.figures.dispatch import BUILDERS
from insanonym_core.results.scores import (
    Bars,
    Cloud,
    Curve,
    Distribution,
    Evidence,
    Flow,
    Matrix,
    Table,
    Tree,
)
from tests.figures.examples import AMOUNTS, CARD, KINDS, LONG, LONG_CARD, NONE, VALUES

WITHOUT_AXES = {"table", "flow", "tree"}


def written(figure: go.Figure) -> str:
    """Every text around the plot, its lines joined again."""
    notes = " ".join([*(str(note.text) for note in figure.layout.annotations), *numbers(figure)])
    return f"{figure.layout.title.text} {notes}".replace("<br>", " ").replace("\u00a0", " ")


def numbers(figure: go.Figure) -> list[str]:
    """The numbers beside the rows of a figure."""
    return [text for trace in figure.select_traces(selector={"mode": "text"}) for text in trace.text]


def card_of(figure: go.Figure) -> go.layout.Annotation:
    (card,) = figure.select_annotations(selector={"name": "card"})
    return card


def test_importing_the_package_loads_no_plotting_library() -> None:
    code = "import sys, insanonym_core.figures; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_kind_of_evidence_has_a_builder() -> None:
    assert set(BUILDERS) == set(Evidence.__args__)  # type: ignore[attr-defined]
    assert {type(made(2, VALUES, "c")) for made in KINDS.values()} == set(BUILDERS)


def test_what_is_no_evidence_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"There is no figure for str: evidence is one of Distribution, .*Flow"
    ):
        draw("text")  # type: ignore[arg-type]


def test_a_kind_of_its_own_is_drawn_like_its_parent() -> None:
    class Losses(Bars):
        pass

    assert draw(Losses("Rows", "rows", ("a",), np.array([1]), shows_individuals=False)).data[0].type == "bar"


@pytest.mark.parametrize(("size", "lang"), [(SCREEN, "en"), (PRINT, "fr")], ids=["screen-en", "print-fr"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_draws_whatever_comes(kind: str, size: Size, lang: str) -> None:
    ordinary = [(count, VALUES, "c") for count in AMOUNTS.values()]
    endless = np.where(VALUES > 0.5, np.inf, VALUES)
    strange = [
        (6, NONE, "c"),
        (6, VALUES * 0, "c"),
        (6, endless, "c"),
        (1, VALUES, LONG),
        (6, VALUES, LONG),
        (80, VALUES, LONG),
    ]
    for count, values, start in [*ordinary, *strange]:
        figure = draw(KINDS[kind](count, values, start), card=LONG_CARD, lang=lang, size=size)
        figure.to_json()
        assert figure.layout.width == size.width
        room = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
        assert room >= 40, "the plot itself keeps its place, however long the card"
        assert figure.layout.margin.l + figure.layout.margin.r < 0.75 * size.width


@pytest.mark.parametrize("kind", KINDS)
def test_title_axes_and_card_are_there(kind: str) -> None:
    evidence = KINDS[kind](6, VALUES, "c")
    figure = draw(evidence, card=CARD)
    assert figure.layout.title.text == evidence.title
    assert "planar_laplace radius=200 m · seed 7 · n = 74,648 rows · max(0, 1 − Σ|s − s′| / Σ s)" in written(
        figure
    )
    if kind not in {*WITHOUT_AXES, "matrix"}:
        assert figure.layout.xaxis.title.text or figure.layout.yaxis.title.text


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_show_is_said(kind: str) -> None:
    empty = KINDS[kind](0, VALUES, "c")
    assert "There is nothing to show." in written(draw(empty))
    assert "Il n’y a rien à montrer." in written(draw(empty, lang="fr", card=CARD))


def test_the_card_grows_below_the_axis_instead_of_over_it() -> None:
    evidence = KINDS["curve"](6, VALUES, "columns")
    short, long = (draw(evidence, card=card, size=PRINT) for card in (CARD, LONG_CARD))
    assert card_of(long).yshift == card_of(short).yshift, "it begins below the title of the axis"
    lines = card_of(long).text.count("<br>") + 1
    assert lines > 5
    assert long.layout.margin.b + card_of(long).yshift >= lines * 13 * 1.3, "and all its lines have room"
    assert "x" * 20 in card_of(long).text, "a word without end is broken, not cut"
    assert "card" not in [note.name for note in draw(evidence).layout.annotations]


def test_a_card_tells_only_what_is_known() -> None:
    assert Card("as it is", None, None).text() == "as it is"
    assert Card("grid", 0, 1_200, "people").text() == "grid · seed 0 · n = 1,200 people"
    assert Card("grid", 7, 74_648).text("fr") == "grid · graine 7 · n = 74\u202f648 lignes"


def test_uneven_edges_become_named_classes() -> None:
    edges = np.array([1, 2, 3, 5, 10, 1000, 10**9])
    sizes = Distribution(
        "Classes",
        "classes",
        "rows",
        edges,
        {"classes": np.arange(6)},
        {"k asked": 5.0},
        shows_individuals=False,
    )
    figure = draw(sizes)
    assert figure.layout.xaxis.ticktext == ("1", "2", "3–4", "5–9", "10–999", "≥\u202f1,000")
    assert figure.layout.shapes[0].x0 == 2.5, "the line stands where the class of 5 begins"
    assert "k asked = 5" in written(figure)
    for lang in ("en", "fr"):  # at print width, a number is never broken in two
        narrow = draw(sizes, size=Size(420, 300), lang=lang).layout.xaxis.ticktext
        assert not any("<br>0" in text for text in narrow)
    kilometres = Distribution(
        "Moved", "rows", "km", np.array([0, 0.5, 1, 20_000]), {"rows": np.arange(3)}, shows_individuals=False
    )
    assert draw(kilometres).layout.xaxis.ticktext == ("0–0.5", "0.5–1", "≥\u202f1")


def test_even_edges_make_bars_or_outlines() -> None:
    edges = np.linspace(0, 1, 5)
    one = draw(Distribution("D", "rows", "km", edges, {"rows": np.arange(4)}, shows_individuals=False))
    assert (one.data[0].type, one.layout.showlegend) == ("bar", False)
    groups = {"originals": np.arange(4), "avatars": np.arange(4), "others": np.arange(4)}
    several = draw(Distribution("D", "rows", "km", edges, groups, shows_individuals=False))
    assert {trace.line.shape for trace in several.data} == {"hv"}
    assert len({trace.line.color for trace in several.data}) == 3
    assert several.layout.showlegend


def test_labels_of_lines_close_together_get_rows_of_their_own() -> None:
    marks = {"median, originals": 0.5, "median, avatars": 0.51, "asked": 0.52, "far away": 0.01}
    figure = draw(
        Distribution(
            "D", "rows", "km", np.linspace(0, 1, 5), {"rows": np.arange(4)}, marks, shows_individuals=False
        )
    )
    rows = {note.text.split(" = ")[0]: note.yshift for note in figure.layout.annotations}
    assert len({rows[name] for name in list(marks)[:3]}) == 3
    assert min(rows.values()) == 0


def test_labels_of_levels_close_together_are_pushed_apart() -> None:
    levels = {"budget": 10.0, "limit": 10.01, "mean": 10.02}
    figure = draw(
        Curve("G", "columns", "rows", np.arange(5), np.arange(5) * 5.0, levels, shows_individuals=False)
    )
    low, high = figure.layout.yaxis.range
    pixels = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    places = [(note.y - low) / (high - low) * pixels + note.yshift for note in figure.layout.annotations]
    assert np.diff(sorted(places)).min() >= 17


def test_too_many_bars_keep_the_highest() -> None:
    figure = draw(
        Bars("Loss", "NCP", tuple(f"c{i}" for i in range(60)), np.arange(60.0), shows_individuals=False)
    )
    assert list(figure.data[0].y) == list(range(35, 60))
    assert "The 25 highest; 35 more." in written(figure)
    assert "Les 25 plus hautes\u202f; 35 autres." in written(
        draw(
            Bars("Loss", "NCP", tuple(f"c{i}" for i in range(60)), np.arange(60.0), shows_individuals=False),
            lang="fr",
        )
    )


def test_long_labels_are_shortened_and_whole_in_the_hover_text() -> None:
    figure = draw(Bars("Loss", "NCP", (LONG, "b"), np.array([1.0, np.nan]), shows_individuals=False))
    assert figure.layout.yaxis.ticktext[0].strip().endswith("…")
    assert figure.data[0].customdata[0][0].endswith("&lt;b&gt;with&lt;/b&gt; signs &amp; more, ")
    assert figure.data[0].text[1] == "n/a"


def test_rare_things_keep_the_lowest_bars() -> None:
    names = tuple(f"a rather rare item {number}" for number in range(40))
    rare = Bars("Rarest", "people", names, np.arange(1, 41), lowest=True, shows_individuals=False)
    figure = draw(rare, size=Size(529, 261, tile=True))
    shown = [text.strip() for text in figure.layout.yaxis.ticktext]
    assert 3 <= len(shown) < 40
    assert shown == list(names[: len(shown)])
    assert f"The {len(shown)} lowest; {40 - len(shown)} more." in written(figure)


def test_there_is_no_half_of_a_row() -> None:
    few = Bars("Classes", "classes", ("a", "b"), np.array([1, 2]), shows_individuals=False)
    assert draw(few).layout.yaxis.dtick == 1
    many = Bars("Classes", "classes", ("a", "b"), np.array([1, 20]), shows_individuals=False)
    assert draw(many).layout.yaxis.dtick is None


def test_a_box_of_a_tree_says_a_text_whole_or_not_at_all() -> None:
    tree = Tree(
        "Cuts",
        "rows",
        ("all rows", "town: Aldermoor or Dunmarrow", "weight: 1"),
        np.array([-1, 0, 0]),
        np.array([100, 85, 15]),
        ((), (), ("a refused cut that is long",)),
        shows_individuals=False,
    )
    for width in (300, 400, 600, 1000):
        texts = [note.text for note in draw(tree, size=Size(width, 260, tile=True)).layout.annotations]
        assert any("<b>100</b>" in text for text in texts)
        for text in texts:
            said = " ".join(part for part in text.split("<br>") if not part.startswith(("<b>", "<i>")))
            assert said in ("", *tree.labels) or said.startswith("Width"), text


def test_colours_of_a_matrix() -> None:
    names = ("a", "b")
    assert (
        draw(Matrix("r", names, names, np.array([[1, 0.2], [0.2, 1]]), shows_individuals=False)).data[0].zmin
        == -1
    )
    assert (
        draw(Matrix("gap", names, names, np.array([[0, 0.03], [-0.01, 0]]), shows_individuals=False))
        .data[0]
        .zmax
        == 0.05
    )
    counts = draw(Matrix("hours", names, names, np.array([[0, 1], [1, 0]]), shows_individuals=False))
    assert (counts.data[0].zmin, counts.data[0].zmax) == (0, 1)
    assert len(counts.layout.annotations) == 4
    many = tuple(map(str, range(60)))
    figure = draw(Matrix("r", many, many, np.eye(60), shows_individuals=False), size=PRINT)
    assert len(figure.layout.annotations) == 0
    assert len(figure.layout.xaxis.ticktext) < 60


def test_a_table_never_shortens_a_number() -> None:
    table = Table(
        "Wide", {f"column {i}": np.array([123456.789, np.nan]) for i in range(30)}, shows_individuals=False
    )
    figure = draw(table, size=PRINT, lang="fr")
    assert figure.data[0].cells["values"][0] == ["123\u202f457", "n. d."]
    shown = len(figure.data[0].cells["values"])
    assert f"Colonnes non montrées : {30 - shown}." in written(figure)
    assert "The first 20 rows; 5 more." in written(
        draw(Table("Long", {"a": np.arange(25)}, shows_individuals=False))
    )


def test_a_cloud_is_thinned_and_says_so() -> None:
    points = (np.arange(9_000.0), np.arange(9_000.0))
    figure = draw(Cloud("PCA", "one", "two", {"originals": points}, shows_individuals=True))
    assert len(figure.data[0].x) == 4_000
    assert "At most 4,000 points of each group are shown." in written(figure)


def _nodes(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.select_annotations(selector={"name": "node"})]


def test_flows_keep_the_strongest_and_never_run_in_circles() -> None:
    through = Flow(
        "T", "people", ("all", "kept"), ("kept", "published"), np.array([9, 8]), shows_individuals=False
    )
    assert _nodes(draw(through)) == ["all", "kept", "published"]
    around = Flow("T", "people", ("a", "b"), ("b", "a"), np.array([9, 8]), shows_individuals=False)
    assert _nodes(draw(around)) == ["a", "b", "b", "a"]
    many = Flow(
        "T",
        "people",
        tuple(f"s{i}" for i in range(40)),
        ("t",) * 40,
        np.arange(1, 41),
        shows_individuals=False,
    )
    assert len(draw(many).data[0].link.value) == 25
    assert "The 25 strongest of 40 flows; the others carry 120 people." in written(draw(many))


def test_maps_keep_their_proportions_and_name_nobody() -> None:
    figure = draw(KINDS["pois"](6, VALUES, "c"))
    assert figure.layout.yaxis.scaleratio == pytest.approx(1 / np.cos(np.radians(45)), rel=0.01)
    named = KINDS["pois"](6, VALUES, "c")
    object.__setattr__(named, "individual", np.array([f"person-{i}" for i in range(6)]))
    assert "person-" not in draw(named).to_json()


def test_cells_with_a_few_very_busy_ones_get_a_logarithmic_scale() -> None:
    busy = KINDS["cells"](80, np.concatenate((np.ones(99), [5_000.0])), "rows")
    object.__setattr__(busy, "values", {"rows": np.array([1.0] * 79 + [5_000.0])})
    figure = draw(busy)
    assert "Colour: rows (logarithmic)." in written(figure)
    assert figure.data[0].colorbar.ticktext == ("1", "10", "100", "1,000")


def test_french_axes_write_french_numbers() -> None:
    assert draw(KINDS["curve"](6, VALUES, "c"), lang="fr").layout.separators == ",\u202f"
    assert draw(KINDS["curve"](6, VALUES, "c")).layout.separators == ".,"
