"""The folded part "Scoring" of the sidebar: what measures let one choose, in the tab of avatars."""

import pytest

from insanonym_core.experiment import run
from insanonym_core.kinds import kind_named
from insanonym_core.presets import preset_recipe
from tests.browser_dashboard.test_start_from import panel_of

DCR = "privacy.dcr_median"


@pytest.mark.parametrize(("lang", "label"), [("en", "space"), ("fr", "espace")])
def test_the_space_of_distances(lang, label):
    panel = panel_of("avatars", lang)
    scoring = panel.sidebar.scoring
    menu = scoring.settings["space"]
    assert [value for _, value in menu.options] == ["pca", "columns", "latent"]
    assert (menu.value, menu.description) == ("pca", label)
    menu.value = "latent"
    assert f"{label} latent" in scoring.text, "the folded line says it"
    assert panel.state.recipe.settings == {"space": "latent"}
    panel.state.recipe = preset_recipe(kind_named("avatars"))
    assert menu.value == "pca", "it follows undo and a recipe that is opened"
    panel.close()


@pytest.mark.slow
def test_distances_are_taken_there():
    panel = panel_of("avatars")
    before = run(panel.state.recipe, only=[DCR]).scores[DCR].value
    panel.sidebar.scoring.settings["space"].value = "latent"
    assert run(panel.state.recipe, only=[DCR]).scores[DCR].value != before
    panel.close()


@pytest.mark.parametrize("kind", ["mobility", "table", "traces"])
def test_other_tabs_have_no_such_menu(kind):
    panel = panel_of(kind)
    assert panel.sidebar.scoring.settings == {}
    panel.close()
