"""Issue 17, number 5: the dashboard says what is not published, and proposes no direct identifier."""

import pandas as pd
import pytest

from insanonym_core.experiment import run as run_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tabular.table import Table
from tests.security.hospital import DIRECT, TEXTS, hospital, refuse_markers, visits


def test_the_page_says_it_and_keeps_it_out_of_downloads():
    pytest.importorskip("ipywidgets")
    from insanonym_dashboard import downloads, pieces

    recipe = Recipe((Step("mondrian", {"k": 3}),), kind="table")
    report = run_recipe(recipe, data=Table.from_frame(hospital()))
    for lang, sentence in (("en", "Not published: "), ("fr", "Non publié")):
        card = pieces.strip(report, report, {}, lang)
        assert sentence in card
        assert "telephone (" in card
        refuse_markers(card, "page")
    offered = [name for name in downloads.entries(report.recipe) if name in downloads.MENU]
    assert offered
    for name in offered:
        refuse_markers(downloads.MENU[name](report, "en")[1].decode("utf-8", "replace"), name)


def test_columns_proposed_for_traces_are_no_direct_identifiers():
    from insanonym_core.traces.runs import likely_columns

    visits = pd.concat([hospital(40)] * 2, ignore_index=True)
    who, order, item = likely_columns(Table.from_frame(visits))
    assert who in DIRECT
    assert not {order, item} & set(DIRECT)
    names = visits[["name", "email"]]
    assert set(likely_columns(Table.from_frame(names))) == {"name"}  # refused when run


def test_the_panel_marks_guesses_until_they_are_set(monkeypatch):
    from insanonym_core.kinds import kind_named
    from insanonym_core.presets import preset_recipe
    from insanonym_dashboard.panels.tables import TablesPanel
    from insanonym_dashboard.session import Session
    from insanonym_dashboard.state import TabState

    monkeypatch.setattr(TabState, "refresh", lambda self: None)  # the recipe is what is looked at
    panel = TablesPanel(TabState(preset_recipe(kind_named("table")), Session()), "en")
    try:
        table = Table.from_frame(hospital())
        panel.take("hospital.csv", table, panel.data.adapt("hospital.csv", table))
        assert panel.state.recipe.roles["guessed"] == ("identifier", "quasi", "sensitive")
        assert not set(DIRECT) & {*panel.state.recipe.roles["quasi"], *panel.state.recipe.roles["sensitive"]}
        panel.quasi.value = ("age",)
        assert panel.state.recipe.roles["guessed"] == ("identifier", "sensitive")
        panel.identifier.value = ""
        assert panel.state.recipe.roles["identifier"] == ()
        assert panel.state.recipe.roles["guessed"] == ("sensitive",)
    finally:
        panel.close()


def test_a_chosen_identifier_takes_back_guesses_of_quasi_identifiers(monkeypatch):
    from insanonym_core.kinds import kind_named
    from insanonym_core.presets import preset_recipe
    from insanonym_dashboard.panels.tables import TablesPanel
    from insanonym_dashboard.session import Session
    from insanonym_dashboard.state import TabState

    monkeypatch.setattr(TabState, "refresh", lambda self: None)
    panel = TablesPanel(TabState(preset_recipe(kind_named("table")), Session()), "en")
    try:
        table = visits("zz", TEXTS, "key")
        panel.take("visits.csv", table, panel.data.adapt("visits.csv", table))
        assert "zz" in panel.quasi.value  # nothing says yet whose values these are
        panel.identifier.value = "key"
        assert panel.state.recipe.roles["quasi"] == panel.quasi.value == ("age", "town")
    finally:
        panel.close()
