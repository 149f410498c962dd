"""What figures are compared with: the data before anonymisation, and pinned settings."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from insanonym_core.experiment import run
from insanonym_core.figures import Size
from insanonym_core.figures.beside import BEFORE
from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.presets import preset_recipe
from insanonym_dashboard.panels.drawers import evidence, overview
from insanonym_dashboard.panels.reference import Reference
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState


@pytest.fixture(autouse=True)
def computed_at_once() -> Iterator[None]:
    """No event loop in this thread: workers then do not wait."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture
def state() -> TabState:
    """Tables, at k = 5."""
    made = TabState(preset_recipe(kind_named("table")), Session())
    made.refresh()
    made.trail.arrive(made.report, made.data_name)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("kind", [name for name in all_kinds() if name != "mobility"])
def test_before_anonymisation_nothing_is_lost_and_nobody_protected(kind):
    recipe = preset_recipe(kind_named(kind))
    report = run(kind_named(kind).before_anonymisation(recipe), costly=False)
    assert report.privacy == pytest.approx(0, abs=1e-9)
    assert report.utility == pytest.approx(1, abs=0.05)  # masked counts of 1 are told, and still masked


@pytest.mark.slow
def test_it_is_computed_once_and_again_for_other_data(state):
    told: list[str] = []
    reference = Reference(state, "en", lambda: told.append("drawn"))
    assert reference.found is None
    reference.menu.value = "before"
    name, report = reference.found
    assert (name, report.privacy) == (BEFORE, 0)
    state.set_parameter(0, "k", 9)
    reference.follow()
    assert reference.found[1] is report, "the steps do not matter"
    state.set_roles({"quasi": ("age",), "sensitive": ("diagnosis",)})
    assert reference.found is None
    reference.follow()
    assert reference.found[1] is not report


@pytest.mark.slow
def test_a_pin_is_offered_while_it_is_there(state):
    reference = Reference(state, "fr", lambda: None)
    state.trail.pin()
    state.set_parameter(0, "k", 20)
    reference.follow()
    assert [value for _, value in reference.menu.options] == ["", "before", "A"]
    assert reference.menu.options[1][0] == "avant anonymisation"
    reference.menu.value = "A"
    name, report = reference.found
    assert (name, report.recipe.steps[0].parameters["k"]) == ("★ A", 5)
    state.trail.unpin("A")
    reference.follow()
    assert reference.menu.value == ""


@pytest.mark.slow
def test_figures_show_it_beside_the_setting(state):
    before = run(state.kind.before_anonymisation(state.recipe), costly=False)
    size = Size(520, 280, tile=True)
    for draw in (evidence("utility.ncp"), evidence("privacy.k"), evidence("utility.correlation", 2)):
        alone = draw(state.report, "en", size)
        beside = draw(state.report, "en", size, reference=(BEFORE, before))
        assert str(alone) != str(beside)
        assert "before anonymisation" in str(beside)
    marks = overview("privacy")(state.report, "en", size, reference=(BEFORE, before))
    assert "Marks: before anonymisation." in str(marks)
