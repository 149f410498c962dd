"""Plot and LinkedMaps as Python sees them; test_shell.py looks at them in a browser."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.figures.maps import follow, side_by_side
from insanonym_core.mobility.methods.noise import PlanarLaplace
from insanonym_core.mobility.places import cells_of, pois_of
from insanonym_core.mobility.track import Track
from insanonym_dashboard.maps import LinkedMaps
from insanonym_dashboard.plot import Plot


@pytest.fixture(scope="module")
def tracks() -> tuple[Track, Track]:
    original = make_city(users=8, weeks=1).track
    return original, PlanarLaplace(radius=2000).apply(original, np.random.default_rng(1))


def layers(maps: LinkedMaps, side: str, kind: str) -> list[dict]:
    return [layer for layer in maps.shown["panes"][side] if layer["kind"] == kind]


def circles(maps: LinkedMaps, side: str) -> int:
    return sum(len(layer["latitude"]) for layer in layers(maps, side, "pois"))


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


def test_leaflet_comes_with_the_maps_and_names_no_server():
    state = LinkedMaps().get_state()
    assert "Leaflet 1.9" in state["_esm"]
    assert len(state["_esm"]) < 200_000
    assert "tile.openstreetmap" not in state["_esm"]
    assert "url(images/" not in state["_css"]


def test_every_cell_and_what_is_said_of_them(tracks):
    original, release = (cells_of(track) for track in tracks)
    maps = LinkedMaps()
    maps.update(side_by_side(original, release))
    for side, cells in (("original", original), ("release", release)):
        (layer,) = layers(maps, side, "cells")
        assert layer["values"]["rows"] == cells.values["rows"].tolist()
        assert layer["size"] == pytest.approx(0.01)
        assert len(layer["colours"]) <= 7
    assert f"rows in {len(release.latitude)} cells" in str(maps.shown["headings"])


def test_the_first_data_choose_the_view_and_later_ones_leave_it(tracks):
    original, release = (cells_of(track) for track in tracks)
    maps = LinkedMaps()
    maps.update(side_by_side(original, release))
    (south, west), (north, east) = maps.shown["bounds"]
    assert south < original.latitude.mean() < north
    assert west < original.longitude.mean() < east
    maps.update(side_by_side(release, original))
    assert maps.views == 0
    maps.fit()
    assert maps.views == 1
    maps.forget()
    assert maps.views == 1  # until the other data are there
    maps.update(side_by_side(release, original))
    maps.update(side_by_side(original, release))
    assert maps.views == 2


def test_places_and_one_individual(tracks):
    original, release = tracks
    someone = original.individuals[0]
    maps = LinkedMaps()
    cells = [cells_of(track, by="individuals") for track in tracks]
    pois = tuple(pois_of(track) for track in tracks)
    maps.update(side_by_side(*cells, pois, value="individuals", lang="fr"))
    everybody = circles(maps, "original")
    assert "domicile" in maps.shown["legends"]
    maps.update(follow(original, release, someone))
    assert [len(layers(maps, "original", kind)) for kind in ("path", "ends")] == [1, 1]
    assert 0 < circles(maps, "original") < everybody
    assert "first row" in maps.shown["legends"]
    assert someone not in json.dumps(maps.shown["headings"])


def test_nothing_left_is_said_and_nothing_breaks(tracks):
    original, _ = tracks
    nobody = original.changed(token=np.full(len(original), -1, dtype=np.int32))
    maps = LinkedMaps()
    maps.update(side_by_side(cells_of(nobody), cells_of(nobody)))
    assert maps.shown["bounds"] is None
    maps.update(side_by_side(cells_of(original), cells_of(nobody), (pois_of(original), pois_of(nobody))))
    assert "every row was deleted" in str(maps.shown["headings"][1])
    assert layers(maps, "original", "cells")[0]["latitude"] != []
    assert layers(maps, "release", "cells")[0]["latitude"] == []


def test_no_tiles_until_they_are_asked_for(tracks):
    maps = LinkedMaps()
    maps.update(side_by_side(*(cells_of(track) for track in tracks)))
    assert maps.tiles is False
    assert "learns which places you look at" in maps.shown["background"]["said"]
    assert "OpenStreetMap" in maps.shown["background"]["said"]
