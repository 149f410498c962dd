"""The menu "Start from…": the steps of a preset, its data where needed, and what own data can take."""

import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.kinds import kind_named, resolve
from insanonym_core.presets import preset_recipe, presets_of
from insanonym_dashboard.app import App
from insanonym_dashboard.panels.tab import TabPanel
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState

KINDS = ("mobility", "table", "traces", "avatars")


def panel_of(kind: str, lang: str = "en", data: object = None) -> TabPanel:
    state = TabState(preset_recipe(kind_named(kind)), Session())
    state.refresh = lambda: None  # nothing is computed here
    if data is not None:
        state.set_data("mine.tsv", data)
    return resolve(kind_named(kind).panel)(state, lang)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_preset_can_be_chosen(kind, lang):
    panel = panel_of(kind, lang)
    names = [name for _, name in panel.sidebar.presets.menu.options]
    assert names == ["", *(one.name for one in presets_of(kind_named(kind)))]
    for preset in presets_of(kind_named(kind)):
        panel.sidebar.presets.menu.value = preset.name
        assert panel.state.recipe.steps == preset.recipe.steps
        assert panel.state.recipe.data == preset.recipe.data
        assert panel.state.error == ""
        assert panel.sidebar.presets.menu.value == "", "the same one can be chosen again"
    panel.close()


def test_sliders_stand_at_the_values_of_the_preset():
    panel = panel_of("mobility")
    for name in ("common_week_small", "common_week_large"):
        panel.sidebar.presets.menu.value = name
        sizes = preset_recipe(kind_named("mobility"), name).steps[0].parameters
        (shown,) = [value for key, value in panel.editor.rows.values.items() if key.endswith(".mean_size")]
        assert shown == pytest.approx(sizes["mean_size"])
    panel.close()


def test_own_data_keeps_its_rows_and_takes_the_steps():
    mine = make_city(users=10, weeks=1).track
    panel = panel_of("mobility", data=mine)
    panel.sidebar.presets.menu.value = "light_noise"
    assert panel.state.data is mine
    assert panel.state.recipe.data is None
    assert panel.state.recipe.seed is None
    assert [step.method for step in panel.state.recipe.steps] == [
        "planar_laplace",
        "jitter_time",
        "pseudonymise",
    ]
    panel.close()


def test_the_address_names_a_preset():
    app = App()
    app.shell.preset = "light_noise"
    assert app.state("mobility").recipe == preset_recipe(kind_named("mobility"), "light_noise")
    assert app.state("avatars").recipe == preset_recipe(kind_named("avatars")), "a preset of another kind"
