"""Presets: each says what it is worth on its demonstration data, and that is what a run measures."""

import math
import re
from pathlib import Path

import pytest

from insanonym_core import experiment
from insanonym_core.kinds import all_kinds
from insanonym_core.presets import Preset, all_presets, preset_recipe, presets_of
from insanonym_core.texts import french

OURS = [one for one in all_presets() if one.recipe.kind in ("mobility", "table", "traces", "avatars")]
NAMED = pytest.mark.parametrize("preset", OURS, ids=lambda one: f"{one.recipe.kind}-{one.name}")
PAGE = (Path(__file__).parents[1] / "docs" / "tutorial.md").read_text("utf-8")
SHOWN = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+ \| .*) \|$", PAGE, re.M))
TOLERANCE = 0.0051  # two decimals are shown; a seed repeats every draw on demonstration data


def _measured(preset: Preset) -> object:
    """Common weeks take seconds: one of the three in every run."""
    long = preset.name in ("common_week_small", "common_week_large")
    name = f"{preset.recipe.kind}-{preset.name}"
    return pytest.param(preset, id=name, marks=pytest.mark.long if long else pytest.mark.slow)


@pytest.mark.parametrize(
    "preset", [_measured(one) for one in OURS], ids=[f"{one.recipe.kind}-{one.name}" for one in OURS]
)
def test_what_it_says_is_measured(preset: Preset) -> None:
    assert preset.measured["on"] == preset.recipe.data
    report = experiment.run(preset.recipe)
    for name in ("utility", "privacy"):
        assert math.isclose(preset.measured[name], getattr(report, name), abs_tol=TOLERANCE), name
    if preset.recipe.kind == "mobility":
        in_the_open, classes = (report.scores[f"privacy.week_{name}"] for name in ("in_the_open", "classes"))
        figures = (report.utility, report.privacy, in_the_open.value, classes.details["smallest_class"])
        assert [float(one) for one in SHOWN[preset.name].split("|")] == pytest.approx(figures, abs=TOLERANCE)


@NAMED
def test_its_title_has_french(preset: Preset) -> None:
    assert preset.title in french()


def test_every_kind_opens_on_one_preset() -> None:
    for kind in all_kinds().values():
        known = presets_of(kind)
        assert sum(one.opens for one in known) <= 1
        assert len({one.name for one in known}) == len(known)
        assert len({one.title for one in known}) == len(known)


def test_mobility_opens_on_something_worth_looking_at() -> None:
    kind = all_kinds()["mobility"]
    opening = next(one for one in presets_of(kind) if one.recipe == preset_recipe(kind))
    assert opening.name == "common_week_middle"
    assert opening.measured["utility"] * opening.measured["privacy"] > 0.5
    assert [one.name for one in presets_of(kind)] == [
        "pseudonyms_only",
        "light_noise",
        "strong_noise",
        "cells_of_k",
        "common_week_small",
        "common_week_middle",
        "common_week_large",
        "borrowed_weeks",
    ]


def test_they_are_listed(run) -> None:
    found = run("list", "presets", "--json").json["presets"]
    assert {one["kind"] for one in found} >= {"mobility", "table", "traces", "avatars"}
    assert all(set(one) == {"name", "kind", "title", "steps", "measured"} for one in found)
    ours = [one["measured"] for one in found if one["kind"] != "numbers"]
    assert all(set(one) == {"utility", "privacy", "on"} for one in ours)
    only = run("list", "presets", "--kind", "avatars")
    assert "mix_neighbours" in only.out
    assert "planar_laplace" not in only.out
