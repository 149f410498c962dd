"""Maps in a browser that has no network: what is drawn, and that the panes move together."""

from __future__ import annotations

from pathlib import Path

import pytest

from insanonym_core.figures import map_page
from insanonym_core.figures.maps import cell_map, follow, poi_map, save_map, side_by_side
from insanonym_core.mobility.places import cells_of, pois_of
from insanonym_core.mobility.utility.poi import poi_v2

SIDES = ("original", "release")
VIEW = "name => { const m = window[`map_${name}`], c = m.getCenter(); return [c.lat, c.lng, m.getZoom()] }"


def saved(page, path: Path) -> Path:
    save_map(page, path / "map.html", card="seed 3")
    return path / "map.html"


def compared(pair, lang: str = "en"):
    return side_by_side(
        cells_of(pair.original),
        cells_of(pair.release),
        (pois_of(pair.original), pois_of(pair.release)),
        lang=lang,
    )


def views(page) -> list[tuple[float, float, float]]:
    return [tuple(page.evaluate(VIEW, name)) for name in SIDES]


def assert_together(page) -> None:
    """Same zoom, and centres less than a pixel apart."""
    (north, east, zoom), (north_2, east_2, zoom_2) = views(page)
    pixel = 360 / 256 / 2**zoom
    assert zoom == zoom_2
    assert north == pytest.approx(north_2, abs=pixel)
    assert east == pytest.approx(east_2, abs=pixel)


def shapes(page, name: str, level: str) -> int:
    return page.locator(f"#map_{name} .leaflet-{level}-pane path").count()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_both_panes_show_their_cells_and_ask_nobody(city, lang, watch, tmp_path):
    seen = watch(saved(compared(city, lang), tmp_path))
    page = seen.page
    assert shapes(page, "original", "cells") == len(cells_of(city.original).latitude)
    assert shapes(page, "release", "cells") == len(cells_of(city.release).latitude)
    headings = ["Original", "Release"] if lang == "en" else ["Original", "Version publiée"]
    for heading, found in zip(headings, page.locator("h2").all_inner_texts(), strict=True):
        assert found.startswith(heading)
    labels = (
        ["cells", "home", "work", "activity"]
        if lang == "en"
        else ["cellules", "domicile", "travail", "activité"]
    )
    assert [text.strip() for text in page.locator("#layers_release label").all_inner_texts()] == labels
    assert page.locator(".leaflet-control-scale-line").count() == 2
    assert page.locator("html").get_attribute("lang") == lang
    assert_together(page)
    seen.assert_quiet()


def test_every_sort_of_map_opens(city, watch, tmp_path):
    one = city.original.individuals[1]
    named = city.original.changed(individuals=("{{ 7 * 7 }}</script>", *city.original.individuals[1:]))
    for page in (
        cell_map(cells_of(city.original), "individuals", "fr"),
        poi_map(pois_of(city.original)),
        poi_map(poi_v2(city).evidence[0], "fr"),
        follow(city.original, city.release, one),
        follow(named, named, named.individuals[0], named=True),
    ):
        save_map(page, tmp_path / "map.html", force=True)
        seen = watch(tmp_path / "map.html")
        assert seen.page.locator(".leaflet-container path").count() > 10
        seen.assert_quiet()


@pytest.mark.parametrize(("mover", "other"), [SIDES, SIDES[::-1]])
def test_the_panes_move_together(city, mover, other, watch, tmp_path):
    seen = watch(saved(compared(city), tmp_path))
    page = seen.page
    box = page.locator(f"#map_{mover}").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = views(page)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 90, middle[1] + 40, steps=5)
    assert_together(page)  # while it moves, not only afterwards
    page.mouse.up()
    dragged = views(page)
    assert all(now[1] < then[1] and now[0] > then[0] for now, then in zip(dragged, before, strict=True))
    page.locator(f"#map_{mover} .leaflet-control-zoom-in").click()
    zoomed = views(page)
    assert all(now[2] > then[2] for now, then in zip(zoomed, dragged, strict=True))
    assert_together(page)
    page.mouse.move(*middle)
    page.mouse.wheel(0, 200)
    page.wait_for_function(
        "([name, zoom]) => window[`map_${name}`].getZoom() < zoom", arg=[other, zoomed[0][2]]
    )
    assert_together(page)
    page.evaluate("name => void window[`map_${name}`].setView([45.75, 4.85], 12)", mover)
    assert_together(page)
    assert views(page)[0][2] == 12
    seen.assert_quiet()


def test_a_view_survives_a_change_of_size(city, watch, tmp_path):
    seen = watch(saved(compared(city), tmp_path))
    page = seen.page
    fitted = views(page)[0][2]
    page.set_viewport_size({"width": 1920, "height": 1000})
    page.wait_for_function("map_release.getSize().x > 800")
    assert views(page)[0][2] > fitted  # nobody has moved it yet: it still shows all, larger
    page.evaluate("void map_original.setView([45.75, 4.85], 12, { animate: false })")
    page.set_viewport_size({"width": 700, "height": 900})  # one above the other
    page.wait_for_function("map_release.getSize().x > 600 && map_release.getSize().x < 700")
    for north, east, zoom in views(page):
        assert (north, east, zoom) == (pytest.approx(45.75, abs=1e-3), pytest.approx(4.85, abs=1e-3), 12)
    assert_together(page)
    seen.assert_quiet()


def test_layers_are_switched_in_both_panes(city, watch, tmp_path):
    seen = watch(saved(compared(city), tmp_path))
    page = seen.page
    circles = [shapes(page, name, "pois") for name in SIDES]
    cells = [shapes(page, name, "cells") for name in SIDES]
    page.locator("#layers_original label", has_text="activity").click()
    fewer = [shapes(page, name, "pois") for name in SIDES]
    assert all(0 < now < then for now, then in zip(fewer, circles, strict=True))
    page.locator("#layers_release label", has_text="cells").click()
    assert [shapes(page, name, "cells") for name in SIDES] == [0, 0]
    assert page.locator("#layers_original input:checked").count() == 2
    page.locator("#layers_original label", has_text="cells").click()
    page.locator("#layers_release label", has_text="activity").click()
    assert [shapes(page, name, "pois") for name in SIDES] == circles
    assert [shapes(page, name, "cells") for name in SIDES] == cells
    assert page.locator("input:checked").count() == 8
    seen.assert_quiet()


def test_pointing_at_a_cell_or_a_circle_says_what_it_is(city, watch, tmp_path):
    seen = watch(saved(compared(city), tmp_path))
    page = seen.page
    page.locator("#map_release .leaflet-pois-pane path").last.hover()
    kind, people, stay = page.locator(".leaflet-tooltip").inner_text().split("\n")
    assert kind == "activity"
    assert "individual" in people
    assert "of stay" in stay
    page.locator("#layers_original label", has_text="activity").hover()
    page.wait_for_function("document.querySelectorAll('.leaflet-tooltip').length === 0")
    x, y, width, height = page.evaluate(
        """() => {
          let found;
          map_original.eachLayer((one) => { if (one.feature?.properties.place === 0) found = one._path; });
          const { x, y, width, height } = found.getBoundingClientRect();
          return [x, y, width, height];
        }"""
    )
    page.mouse.move(x + width / 2, y + height * 0.9)  # no circle stands there
    rows, people = cells_of(city.original).values.values()
    said = page.locator(".leaflet-tooltip").inner_text()
    assert [int(line.split()[0]) for line in said.split("\n")] == [rows[0], people[0]]
    seen.assert_quiet()


def test_thousands_of_cells_are_drawn_on_a_canvas(city, watch, tmp_path, monkeypatch):
    monkeypatch.setattr(map_page, "MANY_SHAPES", 100)
    seen = watch(saved(compared(city), tmp_path))
    page = seen.page
    coloured = """name => {
      const canvas = document.querySelector(`#map_${name} canvas`);
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      return data.filter((value, place) => place % 4 === 3 && value > 128).length;
    }"""
    for name in SIDES:
        assert shapes(page, name, "cells") == 0
        assert page.evaluate(coloured, name) > 1000
    # The circles above the canvas do not keep the mouse from the cells.
    page.evaluate("void map_original.setZoom(13)")
    box = page.locator("#map_original").bounding_box()
    for step in range(20):
        page.mouse.move(box["x"] + 100 + 20 * step, box["y"] + box["height"] / 2 + 7)
        if page.locator(".leaflet-tooltip", has_text="row").count():
            break
    assert "individual" in page.locator(".leaflet-tooltip").last.inner_text()
    seen.assert_quiet()


@pytest.mark.parametrize(("lang", "words"), [("en", "every row was deleted"), ("fr", "ont été supprimées")])
def test_an_empty_release_says_so(emptied, lang, words, watch, tmp_path):
    seen = watch(saved(compared(emptied, lang), tmp_path))
    assert words in seen.page.locator("#map_release + .nothing").inner_text()
    assert seen.page.locator("#map_original + .nothing").count() == 0
    assert shapes(seen.page, "original", "cells") > 0
    assert shapes(seen.page, "release", "cells") == 0
    assert_together(seen.page)
    seen.assert_quiet()


def test_nothing_at_all_is_still_a_map(emptied, watch, tmp_path):
    gone = emptied.release
    for page in (
        side_by_side(cells_of(gone), cells_of(gone)),
        poi_map(pois_of(gone)),
        follow(gone, gone, "003"),
    ):
        save_map(page, tmp_path / "map.html", force=True)
        seen = watch(tmp_path / "map.html")
        assert seen.page.locator(".nothing").count() == len(page.panes)
        seen.assert_quiet()


def test_one_individual_is_followed_through_both(city, watch, tmp_path):
    who = city.original.individuals[1]
    seen = watch(saved(follow(city.original, city.release, who, named=True), tmp_path))
    for name in SIDES:
        assert shapes(seen.page, name, "path") == 1
        assert shapes(seen.page, name, "ends") == 2
        mine = pois_of(getattr(city, name)).of_individual(who)
        assert shapes(seen.page, name, "pois") == len(
            set(zip(mine.kind, mine.latitude, mine.longitude, strict=True))
        )
    seen.page.locator("#map_release .leaflet-ends-pane path").last.hover()
    last, _, published = seen.page.locator(".leaflet-tooltip").inner_text().split("\n")
    assert (last, published) == ("last row", f"published as {who}")
    assert_together(seen.page)
    seen.assert_quiet()
