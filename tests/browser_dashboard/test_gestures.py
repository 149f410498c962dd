"""What people do: drag, go back, pin, compare, hand a link over, reload, open files and tiles."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.browser_dashboard.instrument import (
    MEASURES,
    choose_recipe,
    current_point,
    drag,
    headlines,
    measures,
    one_more_point,
    open_page,
    plane,
    press,
    settled,
    shown_value,
    slider,
    trail,
    wait_open,
)
from tests.browser_dashboard.instrument import small_tab as tab  # noqa: F401  the fixture
from tests.browser_dashboard.instrument import tab as whole_tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import choose_file, drawn, values, wait_for


def shown_numbers(page) -> dict[str, str]:
    """Every measure; the page of all measures stays open."""
    open_page(page, MEASURES)
    settled(page)
    return measures(page)


# --- a slider, the plane, the way back --------------------------------------------------------------


def test_a_dragged_slider_moves_the_point_and_the_trail_grows_by_one(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    before, at, times = headlines(page), current_point(page), drawn(plane(page))
    with one_more_point(page, "table"):
        drag(slider(page, "mondrian", "k"), 0.6)
    wait_for(lambda: drawn(plane(page)) > times and current_point(page) != at, "the point elsewhere")
    assert headlines(page) != before
    assert current_point(page) == pytest.approx(headlines(page)[:2], abs=1e-9)
    kept = trail(page, "table")
    assert [visit["parent"] for visit in kept["visits"]] == [-1, 0]
    assert kept["current"] == 1
    assert kept["visits"][1]["values"]["utility"] == pytest.approx(headlines(page)[0], abs=1e-5)
    found.assert_quiet()


def test_undo_brings_back_sliders_numbers_and_figures(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    control, figure = slider(page, "mondrian", "k"), page.locator(".insanonym-plot").nth(1)
    bars = (
        "el => JSON.stringify(el.querySelector('.js-plotly-plot')._fullData.map((one) => Array.from(one.y)))"
    )
    before, place = (headlines(page), current_point(page), figure.evaluate(bars)), control.input_value()
    with one_more_point(page, "table"):
        press(control, "ArrowRight", 6)
    after = headlines(page)
    wait_for(lambda: figure.evaluate(bars) != before[2], "another figure")
    page.keyboard.press("Control+z")
    wait_for(lambda: headlines(page) == before[0], "the numbers before")
    settled(page)
    wait_for(lambda: (current_point(page), figure.evaluate(bars)) == before[1:], "the figures before")
    assert control.input_value() == place
    assert len(trail(page, "table")["visits"]) == 2, "nothing is lost by going back"
    page.keyboard.press("Control+y")
    wait_for(lambda: headlines(page) == after, "the numbers after")
    page.locator(".insanonym-undo").click()
    wait_for(lambda: headlines(page) == before[0], "the numbers before, by the button")
    found.assert_quiet()


def test_a_click_on_a_point_goes_back_there(tab):  # noqa: F811
    page = tab("table").page
    before = headlines(page)
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "End")
    points = plane(page).locator(".scatterlayer .points path")
    wait_for(lambda: points.count() >= 3, "two points and a ring")
    first = plane(page).evaluate(
        """el => { const plot = el.querySelector('.js-plotly-plot'), layout = plot._fullLayout;
          const trace = plot._fullData.find((one) => one.customdata?.length === 2);
          const at = trace.customdata.findIndex(([, number]) => number === 0);
          const box = plot.getBoundingClientRect();
          return [box.left + layout._size.l + layout.xaxis.d2p(trace.x[at]),
                  box.top + layout._size.t + layout.yaxis.d2p(trace.y[at])]; }"""
    )
    page.mouse.click(*first)
    wait_for(lambda: headlines(page) == before, "the first setting")
    wait_for(lambda: trail(page, "table")["current"] == 0, "the place in the trail")
    assert slider(page, "mondrian", "k").get_attribute("aria-valuetext").startswith("5")


def test_a_removed_step_comes_back(tab):  # noqa: F811
    page = tab("mobility").page
    steps = page.locator(".insanonym-steps .step header b")
    before, numbers = steps.all_inner_texts(), headlines(page)
    with one_more_point(page, "mobility"):
        page.locator(".step .remove").first.click()
    assert steps.all_inner_texts() == before[1:]
    page.keyboard.press("Control+z")
    wait_for(lambda: steps.all_inner_texts() == before, "the step")
    wait_for(lambda: headlines(page) == numbers, "its numbers")


def test_stale_numbers_are_dimmed_while_others_are_computed(whole_tab):  # noqa: F811
    page = whole_tab("mobility", preset="common_week_small").page  # whose steps take long
    page.evaluate(
        """() => { window.dimmed = 0; window.told = new Set();
          new MutationObserver(() => {
            if (document.querySelector('.insanonym-stale, .insanonym-strip .stale')) window.dimmed += 1;
            const tile = document.querySelector('.insanonym-stale .insanonym-tile-figure');
            if (tile) window.told.add(getComputedStyle(tile, '::after').content);
          }).observe(document.body, { subtree: true, attributes: true, childList: true }); }"""
    )
    with one_more_point(page, "mobility"):
        press(slider(page, "common_week", "mean_size"), "ArrowRight", 3)
    assert page.evaluate("() => window.dimmed") > 0
    assert any(said.startswith('"Computing: ') for said in page.evaluate("() => [...window.told]"))
    late = page.evaluate(
        """() => { const style = getComputedStyle(document.querySelector('.insanonym-strip > div'));
          document.querySelector('.insanonym-tab').classList.add('insanonym-stale');
          document.querySelector('.insanonym-strip-box').classList.remove('insanonym-fresh');
          const [, ...times] = [0, style.transitionDuration, style.transitionDelay].map(parseFloat);
          document.querySelector('.insanonym-tab').classList.remove('insanonym-stale');
          return times[0] + times[1]; }"""
    )
    assert late <= 0.3
    assert not page.locator(".insanonym-stale").count()


# --- nothing is lost --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["table", pytest.param("mobility", marks=pytest.mark.long)])
def test_a_link_in_another_browser_gives_the_same_numbers(tab, watch, name):  # noqa: F811
    page = tab(name).page
    with one_more_point(page, name):
        press(page.locator(".insanonym-steps input[type=range]").first, "ArrowRight", 3)
    numbers, link = shown_numbers(page), page.url
    assert "#r=" in link
    assert "tab=" in link
    assert "page=" in link
    other = watch(link, width=1366, height=768)  # a context of its own: no cookies, no memory
    wait_open(other.page, name)
    settled(other.page)
    assert measures(other.page) == numbers
    assert headlines(other.page) == headlines(page)
    for one in ("input[type=range]", "select:not(.adder)"):
        read = f"() => [...document.querySelectorAll('.insanonym-steps {one}')].map((one) => one.value)"
        assert other.page.evaluate(read) == page.evaluate(read)
    other.assert_quiet()


def test_a_link_in_the_open_page_is_followed(tab):  # noqa: F811
    page = tab("table").page
    first, before = page.url, headlines(page)
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "ArrowRight", 5)
    page.evaluate("link => { window.location.hash = new URL(link).hash; }", first)
    wait_for(lambda: headlines(page) == before, "the numbers of the link")


def test_a_broken_link_is_said_and_the_tab_opens(watch, dashboard):
    found = watch(f"{dashboard.address}?tab=table#r=nonsense", width=1366, height=768)
    wait_open(found.page, "table")
    assert "link" in found.page.locator(".insanonym-notice").inner_text()
    french = watch(f"{dashboard.address}?tab=table&lang=fr#r=nonsense", width=1366, height=768)
    wait_open(french.page, "table")
    assert french.page.locator(".insanonym-notice").inner_text().startswith("Le lien ")
    found.assert_quiet()


def test_a_reload_keeps_history_pins_and_setting(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "ArrowRight", 4)
    page.locator(".insanonym-pin").click()
    wait_for(lambda: trail(page, "table")["pins"] == {"A": 1}, "the pin")
    kept, numbers = trail(page, "table"), headlines(page)
    page.reload()
    wait_open(page, "table")
    settled(page)
    wait_for(lambda: headlines(page) == numbers, "the same numbers")
    page.wait_for_selector(".insanonym-pin.insanonym-on")
    assert trail(page, "table") == kept
    page.keyboard.press("Control+z")
    wait_for(lambda: shown_value(page, "mondrian", "k") == "5", "the first k")
    assert len(trail(page, "table")["visits"]) == 2
    found.assert_quiet()


def test_nothing_of_an_upload_is_kept_and_a_reload_says_so(tab):  # noqa: F811
    page = tab("table").page
    rows = "age;town;illness\n" + "".join(f"{n % 50};Marker{n % 7};i{n % 3}\n" for n in range(200))
    with one_more_point(page, "table"):
        choose_file(page, [{"name": "mine.csv", "mimeType": "text/csv", "buffer": rows.encode()}])
    kept = page.evaluate("() => JSON.stringify([localStorage, sessionStorage])")
    assert "mine.csv" in kept
    assert "Marker" not in kept
    page.reload()
    page.wait_for_selector("text=mine.csv is gone")
    wait_open(page, "table")


# --- pins, comparison, recipes ----------------------------------------------------------------------


def test_a_pinned_setting_stands_beside_another_one(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    first = headlines(page)
    page.locator(".insanonym-pin").click()
    chip = page.locator(".insanonym-pages").get_by_role("button", name="Comparison")
    chip.wait_for()
    wait_for(lambda: "★ A" in plane(page).text_content(), "the pin on the plane")
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "ArrowRight", 5)
    page.locator(".insanonym-pin").click()
    wait_for(lambda: trail(page, "table")["pins"] == {"A": 0, "B": 1}, "two pins")
    chip.click()
    table = page.locator(".insanonym-comparison")
    wait_for(lambda: table.locator("tr").first.locator("th").count() == 4, "A, B and now")
    assert table.locator("tr").first.locator("th").all_inner_texts()[1:] == ["★ A", "★ B", "now"]
    setting = table.locator("tr.setting").first.locator("td").all_inner_texts()
    assert setting[0].startswith("Mondrian")
    assert setting[1] == "5"
    assert setting[2] == setting[3] != "5"
    utility = table.locator("tr[data-measure=utility] td").all_inner_texts()
    assert float(utility[1].split()[0]) == pytest.approx(first[0], abs=0.006)
    assert float(utility[2].split()[0]) == pytest.approx(headlines(page)[0], abs=0.006)
    assert table.locator("tr[data-measure]").count() > 8
    with page.expect_download() as saved:
        page.locator(".insanonym-download select").select_option(label="Comparison (CSV)")
    lines = Path(saved.value.path()).read_text("utf-8").splitlines()
    assert lines[0] == ",★ A,★ B,now"
    numbers = next(line for line in lines if line.startswith("Utility,")).split(",")
    assert float(numbers[1]) == pytest.approx(first[0])
    assert float(numbers[3]) == pytest.approx(headlines(page)[0])
    with page.expect_download() as saved:
        page.locator(".insanonym-download select").select_option(label="Trail (CSV)")
    with Path(saved.value.path()).open(encoding="utf-8", newline="") as file:
        visits = list(csv.DictReader(file))
    assert [(one["Setting"], one["Follows"], one["Pin"]) for one in visits] == [
        ("1", "", "A"),
        ("2", "1", "B"),
    ]
    assert [float(one["Utility"]) for one in visits] == pytest.approx([first[0], headlines(page)[0]])
    assert visits[0]["Mondrian (multidimensional) · k"] == "5" != visits[1]["Mondrian (multidimensional) · k"]
    found.assert_quiet()


def test_figures_show_the_data_before_anonymisation_and_a_pinned_setting(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    lost = page.locator(".insanonym-plot").nth(2)
    legend = lost.locator(".legendtext")
    before = values(lost)
    page.locator(".insanonym-pin").click()
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "ArrowRight", 6)
    compare = page.locator(".insanonym-reference select")
    compare.select_option(label="before anonymisation")
    wait_for(lambda: legend.all_text_contents() == ["this setting", "before anonymisation"], "both")
    assert values(lost, trace=1) == [0, 0, 0, 0]
    compare.select_option(label="★ A")
    wait_for(lambda: legend.all_text_contents() == ["this setting", "★ A"], "the pinned setting")
    assert values(lost, trace=1) == pytest.approx(before)
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "ArrowRight", 2)
    assert values(lost, trace=1) == pytest.approx(before), "it stays while the slider moves"
    compare.select_option(label="Compare with…")
    wait_for(lambda: not legend.count(), "one setting")
    found.assert_quiet()


def test_arrows_on_the_plane_go_back_and_forth_and_a_question_mark_explains(tab):  # noqa: F811
    page = tab("table").page
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "ArrowRight", 3)
    plane(page).focus()
    page.keyboard.press("ArrowLeft")
    wait_for(lambda: trail(page, "table")["current"] == 0, "the first point")
    page.keyboard.press("ArrowRight")
    wait_for(lambda: trail(page, "table")["current"] == 1, "the second point")
    tile = page.locator(".insanonym-tile").nth(2)
    said = tile.locator(".about p")
    assert not said.is_visible()
    tile.locator(".ask").press("Enter")
    said.wait_for(state="visible")
    assert said.inner_text().startswith("NCP: how wide the published intervals are")
    inside, outside = said.bounding_box(), tile.bounding_box()
    assert outside["x"] <= inside["x"]
    assert inside["x"] + inside["width"] <= outside["x"] + outside["width"]


def test_a_recipe_is_opened_from_a_file(tab, tmp_path):  # noqa: F811
    found = tab("mobility")
    page = found.page
    text = "data: demo:patients\nkind: table\nseed: 3\nroles: {quasi: [sex, age], sensitive: [diagnosis]}\n"
    file = tmp_path / "recipe.yaml"
    file.write_text(text + "steps:\n- mondrian: {k: 17}\n")
    with page.expect_file_chooser() as chooser:
        choose_recipe(page, "Open a recipe or session…")
    chooser.value.set_files(file)
    wait_open(page, "table")
    wait_for(lambda: shown_value(page, "mondrian", "k") == "17", "k = 17")
    assert "2 quasi-identifiers" in page.locator(".insanonym-roles").inner_text()
    file.write_text("data: /etc/passwd\nsteps: [\n")
    with page.expect_file_chooser() as chooser:
        choose_recipe(page, "Open a recipe or session…")
    chooser.value.set_files(file)
    page.wait_for_selector(".insanonym-notice")
    assert "root:" not in page.content()
    found.assert_quiet()


def test_a_session_is_saved_and_opened_in_another_browser(tab):  # noqa: F811
    page = tab("table").page
    with one_more_point(page, "table"):
        press(slider(page, "mondrian", "k"), "ArrowRight", 2)
    page.locator(".insanonym-pin").click()
    wait_for(lambda: trail(page, "table")["pins"], "the pin")
    with page.expect_download() as saved:
        choose_recipe(page, "Save this session")
    content = Path(saved.value.path()).read_bytes()
    assert json.loads(content)["trail"] == trail(page, "table")
    other = tab("table").page
    with other.expect_file_chooser() as chooser:
        choose_recipe(other, "Open a recipe or session…")
    file = {"name": "session.json", "mimeType": "application/json", "buffer": content}
    chooser.value.set_files([file])
    wait_for(lambda: trail(other, "table") == trail(page, "table"), "the trail")
    wait_for(lambda: headlines(other) == headlines(page), "the numbers")


def test_the_recipe_is_copied(tab):  # noqa: F811
    page = tab("table").page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for label, said in (
        ("Copy as YAML", "- mondrian: {k: 5"),
        ("Copy as a command", "insanonym report"),
        ("Copy as Python", "run(recipe)"),
    ):
        choose_recipe(page, label)
        wait_for(lambda said=said: said in page.evaluate("() => navigator.clipboard.readText()"), label)


# --- tiles ------------------------------------------------------------------------------------------


def test_a_tile_opens_by_key_double_click_and_button_and_closes_by_escape(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    tile = page.locator(".insanonym-tile").nth(2)
    small, times = tile.bounding_box(), drawn(tile.locator(".insanonym-plot"))

    def opened_by(act) -> None:
        act()
        page.wait_for_selector(".insanonym-expanded")
        wait_for(lambda: tile.bounding_box()["width"] > 1.8 * small["width"], "a large tile")
        assert page.locator(".insanonym-tile:visible").count() == 1
        page.keyboard.press("Escape")
        page.wait_for_function("() => !document.querySelector('.insanonym-expanded')")
        wait_for(lambda: tile.bounding_box() == small, "its place before")

    tile.hover()
    opened_by(lambda: page.keyboard.press("f"))
    opened_by(lambda: tile.locator("h2").dblclick())
    opened_by(lambda: tile.locator(".insanonym-expand").click())
    wait_for(lambda: drawn(tile.locator(".insanonym-plot")) > times, "a figure drawn for its place")
    found.assert_quiet()


def test_an_f_that_is_typed_opens_no_tile(tab):  # noqa: F811
    page = tab("table").page
    page.locator(".step-mondrian .value").first.focus()
    page.keyboard.press("f")
    assert not page.locator(".insanonym-expanded").count()


@pytest.mark.parametrize("name", ["table"])
def test_a_whole_visit_asks_no_other_host(tab, name):  # noqa: F811
    found = tab(name)
    page = found.page
    for place in range(page.locator(".insanonym-pages button").count()):
        page.locator(".insanonym-pages button").nth(place).click()
        settled(page)
    assert "#r=" in page.url
    found.assert_quiet()
