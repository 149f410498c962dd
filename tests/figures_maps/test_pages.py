"""The saved page as text: alone, the same every time, naming nobody."""

from __future__ import annotations

import base64
import json
import re
from itertools import pairwise

import numpy as np
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.figures.map_scale import class_breaks, class_colours
from insanonym_core.figures.maps import MapPage, cell_map, follow, poi_map, save_map, side_by_side
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.places import cells_of, pois_of
from insanonym_core.mobility.utility.meet import meet_v2
from insanonym_core.mobility.utility.poi import poi_v2
from insanonym_core.results.scores import CellMap
from insanonym_core.texts import french

MAPS = {
    "cells": lambda pair, lang: cell_map(cells_of(pair.original), "individuals", lang),
    "pois": lambda pair, lang: poi_map(pois_of(pair.original), lang),
    "score of pois": lambda pair, lang: poi_map(poi_v2(pair).evidence[0], lang),
    "score of cells": lambda pair, lang: cell_map(meet_v2(pair).evidence[0], "original", lang),
    "side by side": lambda pair, lang: side_by_side(
        cells_of(pair.original),
        cells_of(pair.release),
        (pois_of(pair.original), pois_of(pair.release)),
        lang=lang,
    ),
    "follow": lambda pair, lang: follow(pair.original, pair.release, "001", lang),
    "follow, named": lambda pair, lang: follow(pair.original, pair.release, "001", lang, named=True),
}


def made(sort: str, pair: Pair, lang: str = "en") -> MapPage:
    """A map of one sort."""
    return MAPS[sort](pair, lang)


def shown(html: str) -> dict[str, object]:
    """The data of a page."""
    return json.loads(re.search(r"^const shown = (.*);$", html, re.MULTILINE)[1])


def unpacked(html: str) -> str:
    """The page with its data URIs opened, and those inside them."""
    uri = re.compile(r"data:(text/\w+);base64,([\w+/=]+)")
    while uri.search(html):
        html = uri.sub(lambda found: base64.b64decode(found[2]).decode(), html)
    return html


@pytest.mark.parametrize("sort", MAPS)
def test_no_server_is_mentioned_but_in_words(city, sort):
    html = re.sub(r"/\*.*?\*/", "", unpacked(made(sort, city).render()), flags=re.DOTALL)
    html = html.replace('<a href="https://leafletjs.com"', "<a")  # a credit to click on, in Leaflet's code
    assert not re.search(r"""(src|href|url|import|fetch)\s*[=(]\s*["'`]?\s*(https?:)?//""", html)
    assert set(re.findall(r"https?://([\w.-]+)", html)) == {"www.w3.org"}  # names of namespaces
    assert "jquery" not in html.lower()
    assert "bootstrap" not in html.lower()


@pytest.mark.parametrize("sort", MAPS)
def test_the_same_data_gives_the_same_bytes(city, sort):
    first = made(sort, city)
    assert first.render() == first.render() == made(sort, city).render()


def test_a_page_has_a_language_a_title_and_its_card(city, tmp_path):
    page = side_by_side(cells_of(city.original), cells_of(city.release), lang="fr")
    save_map(page, tmp_path / "map.html", card="radius = 1000 <m> & seed 3")
    html = (tmp_path / "map.html").read_text(encoding="utf-8")
    assert html.startswith('<!DOCTYPE html>\n<html lang="fr">')
    assert "<title>Cellules</title>" in html
    assert '<p class="card">radius = 1000 &lt;m&gt; &amp; seed 3</p>' in html
    assert "<footer>" not in page.render()


def test_an_existing_file_is_only_overwritten_when_told(city, tmp_path):
    page, path = cell_map(cells_of(city.original)), tmp_path / "map.html"
    path.write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        save_map(page, path)
    assert path.read_text() == "mine"
    save_map(page, str(path), force=True)
    assert path.read_text(encoding="utf-8") == page.render()
    assert [file.name for file in tmp_path.iterdir()] == ["map.html"]


def test_nobody_is_named_unless_asked_for(city):
    who = "Zoé-{{ 7 * 7 }}</script>"
    renamed = city.original.changed(
        individuals=(who, *city.original.individuals[1:]), tokens=("Zoé-token",) * 12
    )
    for track in (renamed, city.release.changed(individuals=renamed.individuals)):
        assert "Zoé" not in follow(renamed, track, who).render()
        assert (
            "Zoé" not in side_by_side(*[cells_of(renamed)] * 2, (pois_of(renamed), pois_of(renamed))).render()
        )
    named = follow(renamed, renamed, who, named=True)
    assert "Zoé-{{ 7 * 7 }}&lt;/script&gt;" in named.render()
    assert "published as Zoé-token" in str(shown(named.render())["panes"]["original"])


def texts_in(found: object) -> set[str]:
    """Every text in the data of a page and in its legends."""
    if isinstance(found, dict):
        return set().union(*(texts_in(inner) for inner in found.values()), set())
    if isinstance(found, list | tuple):
        return set().union(*(texts_in(inner) for inner in found), set())
    return {found} if isinstance(found, str) else set()


@pytest.mark.parametrize("sort", MAPS)
def test_everything_is_said_in_french(city, sort):
    page = made(sort, city, "fr")
    layers = shown(page.render())["panes"]
    said = {page.title, *(pane.heading for pane in page.panes), *(legend.title for legend in page.legends)}
    said |= {meaning for legend in page.legends for *_, meaning in legend.entries}
    # Names that the script looks up (what to colour by, kinds of layers) are not read by people.
    said |= texts_in(
        [
            [layer["label"], layer.get("labels"), layer.get("stays")]
            for pane in layers.values()
            for layer in pane
        ]
    )
    english = {text for text, translated in french().items() if text != translated and " " in text}
    assert not said & english
    assert not {text for text in said if re.search(r"\b(the|of|cell|rows?|stay|circle)\b", text)}


def test_counts_and_places_survive_the_packing(city):
    cells = cells_of(city.release)
    (layer,) = shown(cell_map(cells).render())["panes"]["cells"]
    assert layer["values"]["rows"] == cells.values["rows"].tolist()
    assert np.allclose(np.array(layer["latitude"]) * layer["size"], cells.latitude)
    assert np.allclose(np.array(layer["longitude"]) * layer["size"], cells.longitude)


def test_circles_gather_people_in_their_cell(city):
    pois = pois_of(city.original)
    home, *_ = shown(poi_map(pois).render())["panes"]["pois"]
    people = {}
    for who, kind, lat, lon, stay in zip(
        pois.individual, pois.kind, pois.latitude, pois.longitude, pois.stay, strict=True
    ):
        if kind == "home":
            here = people.setdefault((round(lat, 2), round(lon, 2)), [set(), 0])
            here[0].add(who)
            here[1] += stay / 3600
    found = {
        (round(lat, 2), round(lon, 2)): (number, hours)
        for lat, lon, number, hours in zip(
            home["latitude"], home["longitude"], home["individuals"], home["stays"][0][1], strict=True
        )
    }
    assert found == {at: (len(who), pytest.approx(hours, abs=0.01)) for at, (who, hours) in people.items()}


@pytest.mark.parametrize("most", [0, 1, 2, 7, 45, 4542, 10**6])
def test_classes_are_round_grow_and_hold_every_count(most):
    cells = CellMap("", 0.01, np.zeros(1), np.zeros(1), {"rows": np.array([most])}, shows_individuals=True)
    breaks = class_breaks([cells, cells], "rows")
    assert breaks[0] == 1
    assert len(breaks) <= 7
    assert all(low < high <= max(most, 1) for low, high in pairwise(breaks))
    assert all(re.fullmatch("[1235]0*", str(low)) for low in breaks)


def test_darker_is_more():
    def lightness(colour: str) -> float:
        red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    scale = [lightness(colour) for colour in class_colours(7)]
    assert all(lighter - darker > 12 for lighter, darker in pairwise(scale))


def test_one_journey_does_not_make_the_city_a_dot(city):
    cells = cells_of(city.original)
    far = CellMap(
        cells.title,
        cells.size,
        np.append(cells.latitude, -33.9),
        np.append(cells.longitude, 18.4),
        {name: np.append(column, 1) for name, column in cells.values.items()},
        shows_individuals=True,
    )
    assert shown(cell_map(far).render())["bounds"] == shown(cell_map(cells).render())["bounds"]
    assert "far outside" not in cell_map(cells).render()
    assert "far outside this first view: 1." in cell_map(far).render()
    assert "loin en dehors" in cell_map(far, lang="fr").render()


def test_tiles_come_with_their_warning(city):
    cells = cells_of(city.original)
    assert "tile.openstreetmap.org" in cell_map(cells, tiles=True).render()
    assert "Its server learns which places you look at." in cell_map(cells, tiles=True).render()
    assert "openstreetmap" not in cell_map(cells).render().lower()


def test_an_unknown_value_is_refused(city):
    with pytest.raises(UsageError, match="coloured by rows, individuals, got 'pseudonyms'"):
        cell_map(cells_of(city.original), "pseudonyms")
    with pytest.raises(UsageError, match="coloured by"):
        side_by_side(cells_of(city.original), cells_of(city.release), value="pseudonyms")
