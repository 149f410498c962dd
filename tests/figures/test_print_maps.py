"""Maps for print: places that enough people share, one individual only where asked for, texts of 7 points."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pypdf
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.figures.gallery import pictures
from insanonym_core.figures.print_width import COLUMN, MIN_POINTS, PAGE
from insanonym_core.mobility.places import pois_of
from tests.experiment.test_run import report_of
from tests.figures.test_print import on_a4, text_sizes

MAPS = ("map", "map-of-places")
SIDES = (("width", "lr"), ("height", "tb"))


def drawn(name: str, width: str = "170mm", **more: str) -> dict[str, object]:
    size = {"85mm": COLUMN, "170mm": PAGE}[width].size
    return json.loads(report_of("mobility").figure(name, **more).drawn(size).to_json())


def test_both_maps_are_figures_of_a_report() -> None:
    names = {picture.name for picture in pictures(report_of("mobility"))}
    assert {*MAPS} <= names
    assert "individual" not in names


def test_no_place_of_few_is_drawn() -> None:
    """Counted apart: homes, works and activities of at least five people, and all of those."""
    report = report_of("mobility")
    figure = drawn("map-of-places")
    for end, track in (("x", report.release.original), ("x2", report.release.release)):
        pois = pois_of(track)
        frame = pd.DataFrame(
            {name: getattr(pois, name) for name in ("individual", "kind", "latitude", "longitude")}
        )
        people = frame.groupby(["kind", "latitude", "longitude"])["individual"].nunique()
        shared = people[people >= 5]
        assert 0 < len(shared) < len(people)
        for kind, many in shared.groupby("kind"):
            (trace,) = [one for one in figure["data"] if one.get("name") == kind and one["xaxis"] == end]
            places = {(round(y, 2), round(x, 2)) for y, x in zip(trace["y"], trace["x"], strict=True)}
            assert len(trace["x"]) == len(many)
            assert all(
                min(abs(y - there[1]) + abs(x - there[2]) for there in many.index) < 0.01 for y, x in places
            )


def test_one_individual_only_where_asked_for(tmp_path: Path) -> None:
    report = report_of("mobility")
    track = report.release.original
    individual = track.individuals[3]
    figure = drawn("map", individual=individual)
    (path,) = [one for one in figure["data"] if one.get("name") == "path" and one["xaxis"] == "x"]
    of_them = track.kept.individual == 3
    assert path["x"][0] in track.kept.longitude[of_them]
    picture = report.figure("map", individual=individual)
    assert f'"{individual}"' not in json.dumps(figure), "nobody is named"
    picture.save(tmp_path / "one.html", width="85mm")
    assert (tmp_path / "one.caption.txt").read_text("utf-8").startswith("One individual, followed. demo:")
    with pytest.raises(UsageError, match="no such individual") as error:
        report.figure("map", individual="ZQNOBODY").drawn(PAGE.size)
    assert "ZQNOBODY" not in str(error.value)
    for kind, name in (("mobility", "utility"), ("table", "map")):
        with pytest.raises(UsageError, match="map alone, of GPS traces"):
            report_of(kind).figure(name, individual=individual)


def test_panes_are_stacked_in_a_column_and_keep_their_proportions() -> None:
    for name, more in (*((one, {}) for one in MAPS), ("map", {"individual": "0"})):
        if more:
            more = {"individual": report_of("mobility").release.original.individuals[3]}
        for width, stacked in (("85mm", True), ("170mm", False)):
            layout = drawn(name, width, **more)["layout"]
            first, second = layout["xaxis"], layout["xaxis2"]
            assert (first["domain"] == second["domain"]) is stacked
            assert first["range"] == second["range"]
            assert layout["yaxis"]["range"] == layout["yaxis2"]["range"]
            plot = [layout[side] - sum(layout["margin"][end] for end in ends) for side, ends in SIDES]
            wide, tall = (
                (axis["domain"][1] - axis["domain"][0]) * pixels / (axis["range"][1] - axis["range"][0])
                for axis, pixels in zip((first, layout["yaxis"]), plot, strict=True)
            )
            # A degree of latitude is 1 / cos(45.8°) = 1.434 degrees of longitude long.
            assert tall / wide == pytest.approx(1.434, rel=0.02), (name, width)


@pytest.mark.browser
@pytest.mark.parametrize("name", MAPS)
def test_their_text_in_a_column(name: str, tmp_path: Path) -> None:
    report_of("mobility").figure(name, lang="fr").save(tmp_path / "map.pdf", width="85mm")
    box = pypdf.PdfReader(tmp_path / "map.pdf").pages[0].mediabox
    assert float(box.width) / 72 * 25.4 == pytest.approx(85, abs=0.1)
    assert float(box.height) / 72 * 25.4 < 240, "it has room on a page"
    assert min(text_sizes(on_a4(tmp_path / "map.pdf")))[0] >= MIN_POINTS
