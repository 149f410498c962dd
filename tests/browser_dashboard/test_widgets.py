"""Plot and LinkedMaps as Python sees them; test_shell.py looks at them in a browser."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.errors import UsageError
from insanonym_core.mobility.methods.noise import PlanarLaplace
from insanonym_core.mobility.places import cells_of, path_of, pois_of
from insanonym_core.mobility.track import Track
from insanonym_dashboard.maps import LinkedMaps
from insanonym_dashboard.plot import Plot


@pytest.fixture(scope="module")
def tracks() -> tuple[Track, Track]:
    original = make_city(users=8, weeks=1).track
    return original, PlanarLaplace(radius=2000).apply(original, np.random.default_rng(1))


def shapes(maps: LinkedMaps, place: int, kind: str) -> list[dict]:
    features = maps.maps[place].layers[-1].data["features"]
    return [one for one in features if one["geometry"]["type"] == kind]


def squares(maps: LinkedMaps, place: int) -> int:
    return sum(len(shape["geometry"]["coordinates"]) for shape in shapes(maps, place, "MultiPolygon"))


def texts(maps: LinkedMaps) -> str:
    legend, panes, told = maps.children
    return legend.value + "".join(pane.children[0].value for pane in panes.children) + told.value


# --- figures ----------------------------------------------------------------------------------------


def test_a_figure_travels_as_json_with_packed_numbers():
    plot = Plot()
    plot.show(go.Figure(go.Scatter(x=np.arange(1000.0), y=np.arange(1000)), {"width": 640}))
    sent = plot.get_state("figure")["figure"]
    assert isinstance(sent, bytes)
    assert len(sent) < 20_000
    read = json.loads(sent)
    assert read["data"][0]["x"]["dtype"] == "f8"
    assert read["layout"]["width"] == 640


def test_all_figures_share_one_library_and_none_carries_it():
    first, second = Plot(), Plot()
    assert first.library == second.library != ""
    assert sum(len(str(value)) for value in first.get_state().values()) < 20_000


def test_the_library_answers_whoever_asks(monkeypatch):
    from insanonym_dashboard.plot import _library

    sent = []
    monkeypatch.setattr(_library(), "send", lambda content, buffers: sent.append((content, buffers)))
    _library()._handle_custom_msg("plotly", [])
    _library()._handle_custom_msg("something else", [])
    ((content, (script,)),) = sent
    assert content == "plotly"
    assert b"plotly.js v" in script[:200]


# --- maps -------------------------------------------------------------------------------------------


def test_every_cell_is_a_square_and_every_colour_a_shape(tracks):
    original, release = (cells_of(track) for track in tracks)
    maps = LinkedMaps()
    maps.update(original, release)
    assert squares(maps, 0) == len(original.latitude)
    assert squares(maps, 1) == len(release.latitude)
    assert len(shapes(maps, 1, "MultiPolygon")) <= 7
    ring = shapes(maps, 0, "MultiPolygon")[0]["geometry"]["coordinates"][0][0]
    (west, south), _, (east, north), _ = ring
    assert (east - west, north - south) == pytest.approx((0.01, 0.01))
    assert f"rows in {len(release.latitude)} cells" in texts(maps)


def test_the_first_data_choose_the_view_and_later_ones_leave_it(tracks):
    original, release = (cells_of(track) for track in tracks)
    maps = LinkedMaps()
    maps.update(original, release)
    left, right = maps.maps
    assert (left.center, left.zoom) == (right.center, right.zoom)
    assert left.center == pytest.approx([original.latitude.mean(), original.longitude.mean()], abs=0.1)
    for pane in maps.maps:
        pane.center, pane.zoom = [1.0, 2.0], 5.0
    maps.update(release, original)
    assert [(pane.center, pane.zoom) for pane in maps.maps] == [([1.0, 2.0], 5.0)] * 2
    maps.fit()
    assert left.zoom > 5


def test_places_and_one_individual(tracks):
    original, release = tracks
    cells = [cells_of(track, by="individuals") for track in tracks]
    someone = original.individuals[0]
    maps = LinkedMaps()
    pois = tuple(pois_of(track) for track in tracks)
    maps.update(*cells, pois, value="individuals", lang="fr")
    everybody = len(shapes(maps, 0, "Point"))
    assert everybody > 0
    assert "domicile" in texts(maps)
    mine = tuple(part.of(someone) for part in pois)
    maps.update(*cells, mine, tuple(path_of(track, someone) for track in (original, release)), lang="en")
    assert len(shapes(maps, 0, "LineString")) == 1
    assert 2 < len(shapes(maps, 0, "Point")) < everybody + 2
    assert "first row" in texts(maps)


def test_nothing_left_is_said_and_nothing_breaks(tracks):
    original, _ = tracks
    nobody = original.changed(token=np.full(len(original), -1, dtype=np.int32))
    empty = cells_of(nobody)
    maps = LinkedMaps()
    maps.update(empty, empty)
    maps.update(cells_of(original), empty, (pois_of(original), pois_of(nobody)))
    assert "every row was deleted" in texts(maps)
    assert squares(maps, 0) > 0
    assert squares(maps, 1) == 0
    assert maps.maps[0].zoom > 5  # the first data there were


def test_no_tiles_until_they_are_asked_for(tracks):
    cells = [cells_of(track) for track in tracks]
    maps = LinkedMaps()
    maps.update(*cells)
    assert [len(pane.layers) for pane in maps.maps] == [1, 1]
    maps.tiles = True
    assert [len(pane.layers) for pane in maps.maps] == [2, 2]
    assert "OpenStreetMap contributors" in texts(maps)
    maps.tiles = False
    assert [len(pane.layers) for pane in maps.maps] == [1, 1]
    assert "OpenStreetMap" not in texts(maps)


def test_a_click_tells_the_numbers_of_its_cell_on_both_sides(tracks):
    original, release = (cells_of(track) for track in tracks)
    maps = LinkedMaps()
    maps.update(original, release)
    place = int(np.argmax(original.values["rows"]))
    maps._pointed(type="click", coordinates=[original.latitude[place], original.longitude[place] + 0.003])
    assert f"<b>{original.values['rows'][place]:,}</b> rows" in texts(maps)
    maps._pointed(type="click", coordinates=[0.0, 0.0])
    assert "<b>" not in maps.children[-1].value


def test_an_unknown_value_is_refused(tracks):
    cells = [cells_of(track) for track in tracks]
    with pytest.raises(UsageError, match="got 'weight'"):
        LinkedMaps().update(*cells, value="weight")
