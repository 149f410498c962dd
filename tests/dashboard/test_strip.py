"""The strip of headlines: what decides privacy, what is not counted in it, and what is still computed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import run
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_dashboard.pieces import strip

ONCE = {"utility": 0.0, "privacy": 0.0, "defence": 0.0}


@pytest.fixture(scope="module")
def report():
    """Some weeks are in the open, and some are not."""
    steps = ("stop_noise radius=600", "jitter_time hours=3", "pseudonymise")
    recipe = Recipe(tuple(map(step_from_text, steps)), kind="mobility", seed=1)
    return run(recipe, data=make_city(12, 2, seed=3).track)


def test_weeks_in_the_open_stand_beside_privacy(report):
    shown = report.scores["privacy.week_in_the_open"].value
    assert 0.1 < shown < 1
    page = strip(report, report, ONCE, "en")
    assert "privacy.week_in_the_open" in page.partition("data-beside='")[2].partition("'")[0].split()
    assert f"Weeks in the open {shown:.0%}" in page
    assert f"Semaines à découvert {100 * shown:.0f}\u202f%" in strip(report, report, ONCE, "fr")


def test_a_larger_threat_beside_the_headline_is_loud(report):
    quiet = {"attack": 0.0, "privacy": 0.9}
    measures = tuple(
        replace(one, score=replace(one.score, value=quiet[one.family], details=_found(one, quiet)))
        if one.family in quiet
        else one
        for one in report.measures
    )
    page = strip(*[replace(report, measures=measures)] * 2, ONCE, "en")
    assert '<div class="threat loud">' in page
    assert "Not counted: Known points 90%" in page


def _found(measure, quiet):
    return {**measure.score.details, "reidentified": quiet[measure.family]}


def test_until_all_is_measured_privacy_is_at_most_its_number(report):
    """Without the strongest attackers, who come last: no arrow that praises what they take back."""
    early = replace(report, measures=tuple(one for one in report.measures if not one.entry.costly))
    page = strip(early, report, {**ONCE, "privacy": -1.0}, "en")
    assert f"<b>≤ {early.privacy:.2f}</b>" in page
    assert page.count("≤") == 2, "privacy and defence"
    assert page.count('class="up"') == 1, "utility alone"
    rested = strip(report, report, ONCE, "en")
    assert "≤" not in rested
