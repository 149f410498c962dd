"""Figures for a tile of the dashboard: no title and no recipe of their own, low enough, readable."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from insanonym_core.experiment import Report, run
from insanonym_core.figures import SCREEN, Size, draw
from insanonym_core.figures.trail import trail_sheet
from insanonym_core.figures.trail_points import Background, FoundPoint, Spread, TrailPoint
from insanonym_core.kinds import all_kinds, resolve
from insanonym_core.presets import preset_recipe
from insanonym_core.runtime.jobs import Job
from insanonym_dashboard.panels.drawers import ComputedDrawer
from tests.figures.examples import AMOUNTS, CARD, KINDS, VALUES, measure

TILE = Size(529, 261, tile=True)  # of four, in a window of 1366 × 768
PRESENTED = Size(
    554, 238, tile=True
)  # the same at 1920 × 1080 with ?present=1, which enlarges figures 1.7 times
MIN_FONT = 11
LANGS = pytest.mark.parametrize("lang", ["en", "fr"])


def longest_family() -> int:
    return max(
        len(list(report_of(kind).family(name))) for kind in all_kinds() for name in ("utility", "privacy")
    )


def as_dict(figure: Any) -> dict[str, Any]:
    return figure if isinstance(figure, dict) else figure.to_dict()


def fonts(content: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Every size of letters that a figure sets, with where it does."""
    if isinstance(content, dict):
        for name, value in content.items():
            if name in ("hoverlabel",):
                continue
            if name.endswith("font") and isinstance(value, dict) and "size" in value:
                sizes = value["size"] if isinstance(value["size"], list | tuple) else [value["size"]]
                yield from ((f"{path}.{name}", float(size)) for size in sizes)
            yield from fonts(value, f"{path}.{name}")
    elif isinstance(content, list | tuple):
        for place, value in enumerate(content):
            yield from fonts(value, f"{path}[{place}]")


def card_text(figure: dict[str, Any]) -> str:
    notes = figure["layout"].get("annotations", ())
    return " ".join(str(note.get("text")) for note in notes if note.get("name") == "card")


def title_of(figure: dict[str, Any]) -> str:
    return str((figure["layout"].get("title") or {}).get("text") or "")


def faults(figure: Any, size: Size = TILE) -> list[str]:
    """What does not belong in a tile."""
    drawn = as_dict(figure)
    layout, found = drawn["layout"], []
    if title_of(drawn):
        found.append(f"a title: {title_of(drawn)}")
    if card_text(drawn):
        found.append("a recipe")
    if layout["height"] > size.height:
        found.append(f"{layout['height']} pixels high, the tile has {size.height}")
    if layout["width"] != size.width:
        found.append(f"{layout['width']} pixels wide")
    found += [f"{size:g} px at {path}" for path, size in fonts(drawn) if size < MIN_FONT]
    inside = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    if inside < 60:
        found.append(f"only {inside:.0f} pixels of plot")
    return found


# --- every kind of evidence -------------------------------------------------------------------------


@LANGS
@pytest.mark.parametrize("amount", AMOUNTS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_evidence_has_a_figure_that_fits_a_tile(kind: str, amount: str, lang: str) -> None:
    evidence = KINDS[kind](AMOUNTS[amount], VALUES, "c")
    assert faults(draw(evidence, card=CARD, lang=lang, size=TILE)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_figure_to_save_has_title_and_recipe(kind: str) -> None:
    saved = as_dict(draw(KINDS[kind](6, VALUES, "c"), card=CARD, size=SCREEN))
    assert title_of(saved)
    assert "planar_laplace" in card_text(saved)


@LANGS
@pytest.mark.parametrize("size", [TILE, PRESENTED], ids=["tile", "presented"])
@pytest.mark.parametrize("count", [1, 6, 9, 13])  # no kind has a family of more than 13 measures
def test_overviews_fit_a_tile(count: int, size: Size, lang: str) -> None:
    from insanonym_core.figures.attacks import attacks_sheet
    from insanonym_core.figures.measures import utility_sheet

    some = [
        measure(f"a rather long name of a measure {n}", n / 20, interval=(0.0, 0.9), details={"chance": 0.01})
        for n in range(count)
    ]
    attacked = attacks_sheet(some, card=CARD, lang=lang, size=size).as_dict()
    assert faults(attacked, size) == []
    before = {one.entry.name: 0.5 for one in some}
    useful = utility_sheet(some, card=CARD, lang=lang, previous=before, size=size).as_dict()
    assert faults(useful, size) == []
    if count == 13:
        assert "weaker ones are not shown" in str(attacked) or lang == "fr", "what is left out is said"
        assert ("“All measures”" in str(useful)) == (size is PRESENTED and lang == "en")


def test_measures_that_have_no_room_are_those_without_a_common_scale() -> None:
    from insanonym_core.figures.measures import utility_sheet

    some = [
        measure(f"measure {n}", 7.0 if n % 3 == 0 else 0.5, bounds=(0, np.inf) if n % 3 == 0 else (0, 1))
        for n in range(13)
    ]
    shown = utility_sheet(some, size=PRESENTED).as_dict()["layout"]["yaxis"]["ticktext"]
    assert 4 <= len(shown) < 13
    assert {f"Measure {n} " for n in range(13) if n % 3} <= set(shown)
    assert shown == sorted(shown, key=lambda text: int(text.split()[1])), "in their order"


def test_attackers_that_have_no_room_are_the_weakest() -> None:
    from insanonym_core.figures.attacks import attacks_sheet

    some = [measure(f"attack {n}", n / 20, details={"chance": 0.01}) for n in range(14)]
    shown = str(attacks_sheet(some, card=CARD, size=TILE).as_dict()["layout"]["yaxis"])
    assert "Attack 13" in shown
    assert "Attack 0 " not in shown


# --- every page of every tab ------------------------------------------------------------------------


@cache
def report_of(kind: str) -> Report:
    return run(preset_recipe(all_kinds()[kind]))


def drawers() -> list[Any]:
    return [
        pytest.param(kind, page, title, id=f"{kind}-{page}-{title}")
        for kind, one in all_kinds().items()
        for page, tiles in resolve(one.panel).pages.items()
        for title, drawer in tiles.items()
        if not isinstance(drawer, str)
    ]


def drawn_by(kind: str, page: str, title: str, lang: str, size: Size) -> Any:
    drawer, report = resolve(all_kinds()[kind].panel).pages[page][title], report_of(kind)
    if isinstance(drawer, ComputedDrawer):
        return drawer.draw(report, computed(kind, page, title), lang, size)
    return drawer(report, lang, size)


@cache
def computed(kind: str, page: str, title: str) -> Any:
    return resolve(all_kinds()[kind].panel).pages[page][title].compute(report_of(kind), Job())


@pytest.mark.slow
@LANGS
@pytest.mark.parametrize(("kind", "page", "title"), drawers())
def test_every_figure_of_a_tab_fits_its_tile(kind: str, page: str, title: str, lang: str) -> None:
    tiles = len(resolve(all_kinds()[kind].panel).pages[page])
    whole = Size(530 if tiles == 2 else 1070, 560, tile=True)  # two or one: the whole height
    for size in (TILE, PRESENTED) if tiles > 2 else (whole,):
        figure = drawn_by(kind, page, title, lang, size)
        assert figure is not None, "measured for the data that the tab opens with"
        assert faults(figure, size) == []


@pytest.mark.parametrize(("kind", "page", "title"), drawers())
def test_every_figure_of_a_tab_is_saved_with_title_and_recipe(kind: str, page: str, title: str) -> None:
    saved = as_dict(drawn_by(kind, page, title, "en", SCREEN))
    assert title_of(saved)
    assert card_text(saved)


@pytest.mark.parametrize("kind", list(all_kinds()))
def test_a_page_has_up_to_four_tiles_and_the_first_one_has_the_plane(kind: str) -> None:
    pages = resolve(all_kinds()[kind].panel).pages
    assert all(1 <= len(tiles) <= 4 for tiles in pages.values())
    first = next(iter(pages.values()))
    assert len(first) == 4
    assert next(iter(first)) == "Where you are"


# --- the plane --------------------------------------------------------------------------------------

POINTS = [
    TrailPoint(n, n - 1, 0.1 * n, 1 - 0.09 * n, f"k={n}", "A" if n == 3 else "", n % 2 == 1) for n in range(9)
]


@LANGS
def test_the_plane_fits_its_tile_and_its_axes_never_move(lang: str) -> None:
    spread = Spread((0.7, 0.9), (0.2, 0.3))
    background = Background([FoundPoint(0.2, 0.2, "x")], [(0.3, 0.8), (0.8, 0.3)])
    for points, current in ((POINTS, POINTS[-1]), ([], None), (POINTS[:1], POINTS[0])):
        figure = trail_sheet(
            points, current, spread=spread, background=background, card=CARD, lang=lang, size=TILE
        ).as_dict()
        assert faults(figure) == []
        for axis in ("xaxis", "yaxis"):
            low, high = figure["layout"][axis]["range"]
            assert -0.06 <= low <= 0
            assert 1 <= high <= 1.06


def test_the_plane_to_save_has_title_and_recipe() -> None:
    saved = trail_sheet(POINTS, POINTS[-1], card=CARD, size=SCREEN).as_dict()
    assert title_of(saved)
    assert "planar_laplace" in card_text(saved)


def test_points_joins_and_pins_of_the_plane() -> None:
    figure = trail_sheet(POINTS, POINTS[-1], card=CARD, size=TILE).as_dict()
    numbers = [told[1] for trace in figure["data"] for told in trace.get("customdata", ())]
    assert set(numbers) == set(range(9))
    texts = [text for trace in figure["data"] for text in trace.get("text", ())]
    assert [text.strip() for text in texts] == ["★ A"]
    joins = next(trace for trace in figure["data"] if trace.get("mode") == "lines" and None in trace["x"])
    assert list(joins["x"]).count(None) == 8, "a line from each point to the one before it"
    ring = figure["data"][-1]
    assert (ring["x"], ring["y"]) == ([POINTS[-1].utility], [POINTS[-1].privacy])


def test_no_family_has_more_measures_than_overviews_are_tried_with() -> None:
    assert longest_family() <= 13
