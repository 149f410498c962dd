"""Controls and steps: numbers as people write them, columns that the data has, steps that work when added."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from insanonym_core.experiment import load, run
from insanonym_core.kinds import kind_named
from insanonym_core.parameters import ColumnNames, Parameter, Range
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods
from insanonym_core.tabular.recipe_roles import roles_from_recipe
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.step_defaults import adapt_steps, largest_l, suitable_step
from insanonym_core.tabular.table import Table
from insanonym_core.traces.runs import likely_columns
from insanonym_dashboard.controls import MAX_POSITIONS, control
from insanonym_dashboard.elements import Ticked
from tests.browser_dashboard.instrument import (
    MEASURES,
    changed,
    measure,
    one_more_point,
    open_page,
    shown_value,
)
from tests.browser_dashboard.instrument import small_tab as tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import choose_file, wait_for


def made(constraint, value, lang="en", name="x", **more):
    """The control of a parameter as the page gets it; it is JSON."""
    found = control(Parameter(name, value, constraint), value, lang=lang, **more)
    return json.loads(json.dumps(found))


def text_at(control, value):
    return control["texts"][control["values"].index(value)]


# --- without a browser ------------------------------------------------------------------------------


def test_decimals_are_written_as_the_language_does():
    found = made(Range(0, 1, step=0.01), 0.3, lang="fr")
    assert found["type"] == "slider"
    assert text_at(found, 0.3) == "0,30"
    assert len(found["values"]) == 101
    assert text_at(made(Range(0, 1, step=0.01), 0.3), 0.3) == "0.30"
    between = made(Range(0, 1, step=0.01), 0.333)
    assert text_at(between, 0.333) == "0.333"
    assert len(between["values"]) == 102


def test_zero_components_are_automatic_and_no_more_than_columns():
    found = made(Range(0, 1000, whole=True, zero="automatic"), 0, lang="fr", max_value=30)
    assert (found["texts"][0], found["values"][0]) == ("automatique", 0)
    assert (found["texts"][-1], found["values"][-1]) == ("30", 30)
    assert found["values"][:4] == [0, 1, 2, 3]


@given(
    st.floats(0, 1e5),
    st.floats(1e-3, 1e5),
    st.floats(0, 1),
    st.booleans(),
    st.sampled_from(["linear", "log"]),
    st.sampled_from([None, 1, 0.01, 10]),
)
def test_every_slider_has_its_ends_and_its_value_and_few_positions(low, size, at, whole, scale, step):
    low, size = round(low, 3), round(size, 3)  # as people declare ranges
    low, high = (float(int(low)), float(int(low + size) + 1)) if whole else (low, low + size)
    assume(step is None or step <= high - low)
    value = low + at * (high - low)
    value = int(value) if whole else value
    found = made(Range(low, high, step=step, whole=whole, scale=scale), value)
    positions = found["values"]
    assert positions == sorted(set(positions))
    assert value in positions
    assert len(positions) == len(found["texts"])
    assert len(positions) <= MAX_POSITIONS + 3
    assert positions[0] <= low or positions[0] == pytest.approx(low)
    assert positions[-1] == pytest.approx(high)


@pytest.mark.parametrize("single", [True, False])
def test_only_columns_of_the_data_are_offered(single):
    found = made(ColumnNames(single), ("town",), columns=("a", "b"))
    offered = [value for _, value in found["options"]]
    assert offered == ([[], ["a"], ["b"]] if single else ["a", "b"])


def test_ticking_one_box_leaves_the_others():
    found = Ticked(options=("a", "b", "c"), value=("c", "a"))
    assert found.value == ("a", "c")
    found.set_state({"value": ["a", "b", "c"]})  # as the page says it
    assert found.value == ("a", "b", "c")
    found.offer(("b", "z"), ("b", "gone"))
    assert found.value == ("b",)


def test_ticked_weekdays_are_numbers():
    found = Ticked(options=[("mon", 0), ("tue", 1)], value=(1,))
    found.set_state({"value": [0, 1]})
    assert found.value == (0, 1)


@pytest.mark.slow
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
                    plan = Recipe(steps, data=data, kind="table", seed=1, roles=roles)
                    assert run(plan, only=("utility.ncp",)).kept > 0


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
    choose_file(page, [{"name": name, "mimeType": "text/csv", "buffer": text.encode()}])


def titles(page) -> list[str]:
    return page.locator(".insanonym-steps .step header b").all_inner_texts()


def add(page, title: str) -> None:
    page.locator(".insanonym-steps .adder").select_option(label=title)


def test_l_is_one_choice_away_and_computes(tab):  # noqa: F811
    found = tab("table", page="The rows")
    page = found.page
    add(page, "Bucketisation")
    slider = page.locator(".step-bucketise [data-parameter=l] input[type=range]")
    slider.wait_for()
    wait_for(lambda: "group" in page.locator(".insanonym-tile-rows").inner_text(), "the buckets")
    with one_more_point(page, "table"):
        slider.press("ArrowRight")
    assert shown_value(page, "bucketise", "l") == "3"
    shared = page.locator(".insanonym-tile-rows").inner_text()
    assert "5 rows share these sensitive values" in shared  # the k of Mondrian before stays
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()


def test_steps_are_moved_by_the_keyboard_and_have_names(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    for title in ("Delete rare values", "Delete rare combinations"):
        add(page, title)
        page.get_by_role("button", name=f"Remove {title}").wait_for()
    three = ["Delete rare values", "Delete rare combinations", "Mondrian (multidimensional)"]
    assert titles(page) == three
    grip = page.get_by_role("button", name="Move Delete rare combinations: drag it, or use the arrow keys")
    grip.press("ArrowUp")
    wait_for(lambda: titles(page)[0] == "Delete rare combinations", "the move")
    page.wait_for_function(
        "() => document.activeElement.getAttribute('aria-label')?.startsWith('Move Delete rare combinations')"
    )
    page.keyboard.press("ArrowDown")  # the keyboard is still there
    wait_for(lambda: titles(page) == three, "the way back")
    page.keyboard.press("ArrowDown")  # Mondrian stays the last
    page.get_by_role("button", name="Remove Delete rare values").click()
    wait_for(lambda: titles(page) == three[1:], "one step fewer")
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()


def test_a_step_is_dragged_to_another_place(tab):  # noqa: F811
    found = tab("mobility")
    page = found.page
    before = titles(page)
    page.locator(".step .grip").nth(1).drag_to(page.locator(".insanonym-steps .step").nth(0))
    wait_for(lambda: titles(page) == [before[1], before[0], *before[2:]], "the move")
    page.keyboard.press("Control+z")
    found.assert_quiet()


def test_a_value_is_typed_as_people_write_it(tab):  # noqa: F811
    found = tab("mobility", lang="fr")
    page = found.page
    share = page.locator(".step-delete_at_random [data-parameter=share]")
    typed, slider = share.locator(".value"), share.locator("input[type=range]")
    typed.fill("0,25")
    typed.press("Enter")
    wait_for(lambda: slider.get_attribute("aria-valuetext").split()[0] == "0,25", "the number")
    typed.fill("7")  # over the limit: it goes back, and the page says what is allowed
    typed.press("Enter")
    wait_for(lambda: page.locator(".insanonym-error").count(), "a sentence")
    wait_for(lambda: typed.input_value() == "0,25", "the number before")
    typed.fill("abc")
    typed.press("Enter")
    assert typed.input_value() == "0,25"
    typed.fill("0,9")
    typed.press("Escape")
    assert typed.input_value() == "0,25"
    found.assert_quiet()


def test_a_click_on_the_question_mark_says_what_a_step_does(tab):  # noqa: F811
    page = tab("mobility").page
    step = page.locator(".insanonym-steps .step").first
    help_text = step.locator(".help")
    assert not help_text.is_visible()
    step.locator(".ask").click()
    assert help_text.is_visible()
    assert len(help_text.inner_text()) > 40


def test_a_click_chooses_a_row_and_the_slider_goes_beyond_the_first(tab):  # noqa: F811
    found = tab("table", page="The rows")
    page = found.page
    tile = page.locator(".insanonym-tile-rows")
    wait_for(lambda: tile.locator("tr").count() == 61, "the rows")
    tile.locator("tr").nth(5).click()
    wait_for(lambda: "Row 5 of the 600" in tile.inner_text(), "the row")
    tile.locator("[role=slider]").press("End")
    wait_for(lambda: "Row 600 of the 600" in tile.inner_text(), "the last row")
    assert tile.locator("tr.chosen td").first.inner_text() == "600"
    found.assert_quiet()


def test_roles_are_ticked_one_by_one_and_follow_the_data(tab):  # noqa: F811
    found = tab("table", page=MEASURES)
    page = found.page
    before = measure(page, "utility.ncp")
    folded = page.locator(".insanonym-roles .insanonym-fold-line")
    assert folded.inner_text().startswith("4 quasi-identifiers · 1 sensitive")
    folded.click()
    quasi = page.get_by_role("group", name="Quasi-identifiers")
    quasi.get_by_label("smoking").check()
    changed(page, lambda: measure(page, "utility.ncp"), before)
    assert quasi.locator("input:checked").count() == 5
    assert folded.inner_text().startswith("5 quasi-identifiers")
    add(page, "Delete rare values")
    page.wait_for_selector(".step-suppress_rare_values")
    rows = "".join(f"{n % 50};t{n % 7};i{n % 3};{n % 9},5\n" for n in range(200))
    upload(page, "mine.csv", "age;town;illness;dose\n" + rows)
    wait_for(lambda: "200 rows" in page.locator(".insanonym-data").inner_text(), "the upload")
    assert quasi.locator("input").count() == 4
    page.locator(".insanonym-data-line select").select_option(index=1)
    wait_for(lambda: "24,425 rows" in page.locator(".insanonym-data").inner_text(), "the demo")
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()


def test_traces_follow_the_data_and_back(tab):  # noqa: F811
    found = tab("traces")
    page = found.page
    assert not page.get_by_role("button", name="Remove Count and mask traces").count()
    assert "Mondrian" not in page.locator(".insanonym-steps .adder").inner_text()
    rows = "".join(f"p{n // 3};{2015 + n % 3};c{n % 2}\n" for n in range(600))
    upload(page, "mine.csv", "who;year;course\n" + rows)
    wait_for(lambda: "600 rows" in page.locator(".insanonym-data").inner_text(), "the upload")
    menu = page.locator(".insanonym-roles select")
    assert menu.locator("option:checked").text_content() == "who"
    page.locator(".insanonym-data-line select").select_option(index=0)
    wait_for(lambda: "24,425 rows" in page.locator(".insanonym-data").inner_text(), "the demo")
    wait_for(lambda: menu.locator("option:checked").text_content() == "CODE_INDIVIDU", "its identifier")
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()


def test_a_french_slider_says_its_name_and_number(tab):  # noqa: F811
    found = tab("avatars", lang="fr")
    page = found.page
    step = page.locator(".step-mix_neighbours")
    variance = step.locator("[data-parameter=variance] input[type=range]")
    wait_for(lambda: variance.get_attribute("aria-valuetext") == "0,90", "the read-out")
    assert variance.get_attribute("aria-label")
    automatic = step.locator("[data-parameter=components] input[type=range]")
    assert automatic.get_attribute("aria-valuetext") == "automatique"
    open_page(page, "One person", "fr")
    tile = page.locator(".insanonym-tile-person")
    tile.locator("[role=slider]").press("End")
    wait_for(lambda: "Ligne 569 sur 569." in tile.inner_text(), "the last row")
    found.assert_quiet()
