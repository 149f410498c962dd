"""Controls and steps: numbers as people write them, columns that the data has, steps that work when added."""

from __future__ import annotations

import re

import ipywidgets as widgets
import pandas as pd
import pytest

from insanonym_core.experiment import load, run
from insanonym_core.kinds import kind_named
from insanonym_core.parameters import ColumnNames, Parameter, Range
from insanonym_core.recipe import Recipe, Step, preset_recipe
from insanonym_core.registry import methods
from insanonym_core.tabular.recipe_roles import roles_from_recipe
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.step_defaults import adapt_steps, largest_l, suitable_step
from insanonym_core.tabular.table import Table
from insanonym_core.traces.runs import likely_columns
from insanonym_dashboard.controls import control
from insanonym_dashboard.elements import Ticked
from tests.browser_dashboard.serving import wait_for
from tests.browser_dashboard.test_tabs import changed, measure, tab  # noqa: F401  the fixture


def slider(constraint, value, lang="en", name="x", **more):
    heard = []
    box = control(Parameter(name, value, constraint), value, heard.append, lang=lang, **more)
    return box.children[1], heard


# --- without a browser ------------------------------------------------------------------------------


def test_decimals_are_written_as_the_language_does_and_cannot_be_mistyped():
    made, heard = slider(Range(0, 1, step=0.01), 0.3, lang="fr")
    assert isinstance(made, widgets.SelectionSlider)
    assert made.label == "0,30"
    assert len(made.options) == 101
    made.index += 5
    assert heard == [0.35]
    assert slider(Range(0, 1, step=0.01), 0.3)[0].label == "0.30"
    assert slider(Range(0, 1, step=0.01), 0.333)[0].label == "0.333"


def test_zero_components_are_automatic_and_no_more_than_columns():
    made, heard = slider(Range(0, 1000, whole=True, zero="automatic"), 0, lang="fr", most=30)
    assert made.options[made.index] == ("automatique", 0)
    assert made.options[-1] == ("30", 30)
    made.index = 2
    assert heard == [2]


@pytest.mark.parametrize("single", [True, False])
def test_columns_that_other_data_has_are_dropped(single):
    made, _ = slider(ColumnNames(single), ("town",), columns=("a", "b"))
    assert made.value == ()


def test_ticking_one_box_leaves_the_others():
    made, heard = slider(ColumnNames(), ("c", "a"), columns=("a", "b", "c"))
    assert made.value == ("a", "c")
    made.set_state({"value": ["a", "b", "c"]})  # as the page says it
    assert heard == [("a", "b", "c")]
    made.offer(("b", "z"), ("b", "gone"))
    assert made.value == ("b",)


def test_ticked_weekdays_are_numbers():
    made = Ticked(options=[("mon", 0), ("tue", 1)], value=(1,))
    made.set_state({"value": [0, 1]})
    assert made.value == (0, 1)


def test_every_step_that_is_offered_works_when_it_is_added():
    offered = {name: demo for name, demo in kind_named("table").demos.items() if demo.offered}
    for data, roles in ((name, demo.roles) for name, demo in offered.items()):
        recipe = Recipe((), data=data, kind="table", seed=1, roles=roles)
        table = load(recipe)
        known = roles_from_recipe(recipe, table)
        for last in (entry.name for entry in methods.all(data="table") if entry.last):
            end = suitable_step(last, "table", table, known)
            run(Recipe((end,), data=data, kind="table", seed=1, roles=roles), only=("utility.ncp",))
            for entry in methods.all(data="table"):
                if not entry.last:
                    steps = (suitable_step(entry.name, "table", table, known, (), (end,)), end)
                    made = run(
                        Recipe(steps, data=data, kind="table", seed=1, roles=roles), only=("utility.ncp",)
                    )
                    assert made.kept > 0


@pytest.mark.parametrize("method", ["suppress_rare_values", "suppress_rare_rows", "grow_projection"])
def test_cleaning_that_is_added_to_traces_works(method):
    recipe = preset_recipe(kind_named("traces"))
    table = load(recipe)
    *before, count = recipe.steps
    step = suitable_step(method, "traces", table, roles_from_recipe(recipe, table), before, (count,))
    report = run(Recipe((*before, step, count), data=recipe.data, kind="traces", seed=1, roles=recipe.roles))
    assert report.kept > 10_000


def test_steps_for_other_data_use_its_columns():
    table = Table.from_frame(
        pd.DataFrame({"age": [1, 2] * 20, "town": ["a", "b", "c", "d"] * 10, "ill": ["x", "y"] * 20})
    )
    roles = Roles(("age", "town"), ("ill",))
    steps = (
        Step("suppress_rare_values", {"columns": ("gone", "age"), "k": 500}),
        Step("generalise_column", {"column": ("gone",), "k": 3}),
    )
    first, second = adapt_steps(steps, "table", table, roles)
    assert set(first.parameters["columns"]) <= {"age", "town", "ill"}
    assert first.parameters["k"] == 40
    assert second.parameters == {"column": ("town",), "k": 3}
    assert largest_l(table, roles) == 2


def test_people_years_and_steps_of_traces_are_guessed():
    frame = pd.DataFrame(
        {
            "row": [f"r{n}" for n in range(60)],
            "etape": [f"E{n % 4}" for n in range(60)],
            "code": [f"p{n // 3}" for n in range(60)],
            "when": [2015 + n % 3 for n in range(60)],
        }
    )
    assert likely_columns(Table.from_frame(frame)) == ("code", "when", "etape")


# --- in a browser -----------------------------------------------------------------------------------


def upload(page, name, text):
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload").click()
    chooser.value.set_files([{"name": name, "mimeType": "text/csv", "buffer": text.encode()}])


def test_l_is_one_choice_away_and_computes(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    page.locator(".insanonym-method select").select_option(label="Bucketisation")
    page.wait_for_selector(".insanonym-step-bucketise [role=slider]")
    wait_for(lambda: "group" in page.locator(".insanonym-preview").inner_text(), "the buckets", 20)
    handle = page.get_by_role("slider", name=re.compile("^l "))
    handle.focus()
    page.keyboard.press("ArrowRight")
    wait_for(lambda: handle.get_attribute("aria-valuetext") == "3", "l = 3", 20)
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()


def test_steps_are_moved_by_the_keyboard_and_have_names(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    adder = page.locator(".insanonym-adder select")
    assert "Bucketisation" not in adder.inner_text()  # Mondrian publishes already, and stays the last
    for title in ("Delete rare values", "Delete rare combinations"):
        page.locator(".insanonym-adder select").select_option(label=title)
        page.get_by_role("button", name=f"Remove {title}").wait_for()
    order = page.locator(".insanonym-step b")
    assert order.all_inner_texts() == [
        "Delete rare values",
        "Delete rare combinations",
        "Mondrian (multidimensional)",
    ]
    page.get_by_role("button", name="Move Delete rare combinations earlier").press("Enter")
    wait_for(lambda: order.all_inner_texts()[0] == "Delete rare combinations", "the move", 20)
    page.wait_for_function(
        "() => document.activeElement.getAttribute('aria-label') === 'Move Delete rare combinations earlier'"
    )
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()


def test_a_click_chooses_a_row_and_the_slider_goes_beyond_the_first(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    card = page.locator(".insanonym-preview")
    wait_for(lambda: card.locator("tr").count() == 61, "the rows", 20)
    card.locator("tr").nth(5).click()
    wait_for(lambda: "Row 5 of the 600" in card.inner_text(), "the row", 20)
    card.get_by_role("slider", name="Row of the release").press("End")
    wait_for(lambda: "Row 600 of the 600" in card.inner_text(), "the last row", 20)
    assert card.locator("tr.chosen td").first.inner_text() == "600"
    found.assert_quiet()


def test_roles_are_ticked_one_by_one_and_follow_the_data(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    before = measure(page, "utility.ncp")
    quasi = page.get_by_role("group", name="Quasi-identifiers")
    quasi.get_by_label("smoking").check()
    changed(page, lambda: measure(page, "utility.ncp"), before)
    assert quasi.locator("input:checked").count() == 5
    page.locator(".insanonym-adder select").select_option(label="Delete rare values")
    page.wait_for_selector(".insanonym-step-suppress_rare_values")
    rows = "".join(f"{n % 50};t{n % 7};i{n % 3};{n % 9},5\n" for n in range(200))
    upload(page, "mine.csv", "age;town;illness;dose\n" + rows)
    wait_for(lambda: "200 rows" in page.locator(".insanonym-data").inner_text(), "the upload", 20)
    assert quasi.locator("input").count() == 4
    page.locator(".insanonym-data select").select_option(index=1)
    wait_for(lambda: "24,425 rows" in page.locator(".insanonym-data").inner_text(), "the demo", 30)
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()


def test_traces_follow_the_data_and_back(tab):  # noqa: F811
    found = tab("traces")
    page = found.page
    assert not page.get_by_role("button", name="Remove Count and mask traces").count()
    assert "Mondrian" not in page.locator(".insanonym-adder select").inner_text()
    rows = "".join(f"p{n // 3};{2015 + n % 3};c{n % 2}\n" for n in range(600))
    upload(page, "mine.csv", "who;year;course\n" + rows)
    wait_for(lambda: "600 rows" in page.locator(".insanonym-data").inner_text(), "the upload", 20)
    menu = page.locator(".insanonym-roles select")
    assert menu.locator("option:checked").inner_text() == "who"
    page.locator(".insanonym-data select").select_option(index=0)
    wait_for(lambda: "24,425 rows" in page.locator(".insanonym-data").inner_text(), "the demo", 30)
    assert menu.locator("option:checked").inner_text() == "CODE_INDIVIDU"
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()


def test_a_french_slider_says_its_name_and_number(tab):  # noqa: F811
    found = tab("avatars", lang="fr")
    page = found.page
    variance = page.locator(".insanonym-step-mix_neighbours [role=slider]").nth(2)
    wait_for(lambda: variance.get_attribute("aria-valuetext") == "0,90", "the read-out", 20)
    assert variance.get_attribute("aria-label")
    automatic = page.locator(".insanonym-step-mix_neighbours [role=slider]").nth(1)
    assert automatic.get_attribute("aria-valuetext") == "automatique"
    row = page.locator(".insanonym-one [role=slider]")
    row.press("End")
    wait_for(lambda: "Ligne 569 sur 569." in page.locator(".insanonym-one").inner_text(), "the last row", 20)
    found.assert_quiet()
