"""The tabs in a browser: the right number moves in the right direction, by value."""

from __future__ import annotations

from pathlib import Path

import pytest

from insanonym_dashboard.uploads import LIMIT
from tests.browser_dashboard.instrument import (
    MEASURES,
    TABS,
    headline,
    measure,
    one_more_point,
    open_page,
    press,
    settled,
    slider,
    wait_open,
)
from tests.browser_dashboard.instrument import small_tab as tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import choose_file, values, wait_for
from tests.texts.bad_files import TABLES, asked

CENTRE = """() => {
  const map = document.querySelector('.insanonym-map-original');
  const moved = new DOMMatrix(map.querySelector('.leaflet-map-pane').style.transform);
  return [moved.e - map.clientWidth / 2, moved.f - map.clientHeight / 2];
}"""  # which place of the map lies in its middle: the same when the map becomes smaller


def test_more_noise_lowers_distance_utility_and_the_best_attack(tab):  # noqa: F811
    page = tab("mobility").page
    page.wait_for_selector(".insanonym-map-release canvas")
    painted = "one => one.toDataURL()"
    release = page.locator(".insanonym-map-release canvas")
    cells, view = release.evaluate(painted), page.evaluate(CENTRE)
    open_page(page, MEASURES)
    distance, privacy = measure(page, "utility.distance"), headline(page, "privacy")
    open_page(page, "Scores and maps")
    with one_more_point(page, "mobility"):
        press(slider(page, "planar_laplace"), "ArrowRight", 4)
    wait_for(lambda: release.evaluate(painted) != cells, "other cells")
    assert page.evaluate(CENTRE) == view
    assert headline(page, "privacy") > privacy
    open_page(page, MEASURES)
    assert measure(page, "utility.distance") < distance


def test_a_larger_k_raises_the_measured_k_and_the_loss(tab):  # noqa: F811
    page = tab("table", page=MEASURES).page
    k, loss = measure(page, "privacy.k"), measure(page, "utility.ncp")
    with one_more_point(page, "table"):
        press(slider(page, "mondrian"), "ArrowRight", 4)
    assert measure(page, "privacy.k") > k
    assert measure(page, "utility.ncp") > loss
    promised = page.locator("[data-measured]").first.get_attribute("data-measured")
    assert int(promised) == measure(page, "privacy.k")


def test_a_higher_threshold_counts_fewer_individuals(tab):  # noqa: F811
    page = tab("traces", page=MEASURES).page
    counted = measure(page, "utility.counted")
    with one_more_point(page, "traces"):
        press(slider(page, "count_traces"), "ArrowRight", 4)
    assert measure(page, "utility.counted") < counted


def test_fewer_neighbours_lower_the_hidden_rate_and_change_the_histogram(tab):  # noqa: F811
    page = tab("avatars").page
    plot = page.locator(".insanonym-plot").nth(1)
    shown = values(plot)
    open_page(page, MEASURES)
    hidden = measure(page, "privacy.hidden_rate")
    open_page(page, "Distances")
    with one_more_point(page, "avatars"):
        press(slider(page, "mix_neighbours"), "ArrowLeft", 5)
    wait_for(lambda: values(plot) != shown, "another histogram")
    open_page(page, MEASURES)
    assert measure(page, "privacy.hidden_rate") < hidden


@pytest.mark.parametrize("width", [1280, pytest.param(1920, marks=pytest.mark.long)])
def test_a_walk_through_all_tabs_asks_nobody_and_cuts_nothing(tab, width):  # noqa: F811
    found = tab("mobility", lang="fr", width=width, height=900)
    page = found.page
    for place, name in enumerate(TABS):
        page.locator(".insanonym-tabbutton").nth(place).click()
        page.locator(f".insanonym-tab-{name}").wait_for()
        wait_open(page, name)
        assert not page.locator(".insanonym-error").count()
        pages = page.locator(".insanonym-pages button")
        for number in range(pages.count()):
            pages.nth(number).click()
            settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert "tab=tradeoff" in page.url
    found.assert_quiet()


def test_every_slider_is_reached_by_the_keyboard(tab):  # noqa: F811
    page = tab("mobility").page
    sliders = "Array.from(document.querySelectorAll('input[type=range], [role=slider]'))"
    wanted = page.evaluate(f"{sliders}.length")
    assert wanted >= 6
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(f"{sliders}.indexOf(document.activeElement)"))
    assert reached >= set(range(wanted))


def test_bad_uploads_are_one_sentence_and_the_last_picture_stays(tab, dashboard, tmp_path):  # noqa: F811
    found = tab("table", page=MEASURES)
    page = found.page
    before = measure(page, "privacy.k")
    seen = ""
    for name, content in {one: raw for one, raw in TABLES.items() if not asked("table", one)}.items():
        choose_file(page, [{"name": name, "mimeType": "text/csv", "buffer": content}])
        wait_for(
            lambda name=name: name in (page.locator(".insanonym-error").all_inner_texts() or [""])[0],
            name,
        )
        said = page.locator(".insanonym-error").inner_text()
        assert said != seen
        assert "Traceback" not in page.inner_text("body")
        seen = said
        assert measure(page, "privacy.k") == before
    over = tmp_path / "large.csv"
    with over.open("wb") as file:
        file.truncate(LIMIT + 12_000_000)  # a hole: it takes no room
    choose_file(page, over)
    wait_for(lambda: "large.csv has 112 MB" in page.locator(".insanonym-error").inner_text(), "the limit")
    assert measure(page, "privacy.k") == before
    # What the server itself says when another test's page closes is no fault of a callback.
    assert "callback of the dashboard failed" not in dashboard.log, dashboard.log[-3000:]
    assert "while computing" not in dashboard.log, dashboard.log[-3000:]
    found.assert_quiet()


def test_a_good_upload_is_taken(tab):  # noqa: F811
    page = tab("table", page=MEASURES).page
    rows = b"age;town;illness\n" + b"".join(b"%d;t%d;i%d\n" % (n % 50, n % 7, n % 3) for n in range(200))
    choose_file(page, [{"name": "mine.csv", "mimeType": "text/csv", "buffer": rows}])
    wait_for(lambda: "200 rows" in page.locator(".insanonym-data").inner_text(), "the upload")
    assert measure(page, "privacy.k") >= 5
    assert not page.locator(".insanonym-error").count()


def test_figures_are_saved_by_the_page(tab):  # noqa: F811
    page = tab("mobility").page
    for name, start in (("Figures (SVG)", b"<svg"), ("Figures (PNG)", b"\x89PNG")):
        ending = name[-4:-1].lower()
        with page.expect_download(lambda file, end=ending: file.suggested_filename.endswith(end)) as saved:
            page.locator(".insanonym-download select").select_option(label=name)
        assert Path(saved.value.path()).read_bytes().startswith(start)


def test_a_followed_person_sees_what_cost_most(tab):  # noqa: F811
    page = tab("mobility").page
    page.locator(".insanonym-tile-maps").get_by_label("Follow one person").select_option(index=1)
    open_page(page, "Who knows a little")
    told = page.locator(".insanonym-tile-person")
    wait_for(lambda: told.locator("td").count() >= 5, "the rows")
    assert "points lost" in told.inner_text()
    assert "Found in" in told.inner_text()


@pytest.mark.parametrize("lang", [pytest.param("en", marks=pytest.mark.long), "fr"])
def test_each_tab_links_to_its_lesson(tab, watch, lang):  # noqa: F811
    page = tab("table", lang=lang).page
    link = page.locator(".insanonym-lesson a")
    assert link.inner_text() == {"en": "Lesson 3", "fr": "Leçon 3"}[lang]
    read = watch(page.evaluate("a => a.href", link.element_handle()))
    assert "3_k_anonymity" in read.page.content()
    with read.page.expect_download() as saved:
        read.page.get_by_role("link", name=f"3_k_anonymity.{lang}.ipynb").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"{")
    page.get_by_role("button", name={"en": "Mobility", "fr": "Mobilité"}[lang]).click()
    wait_for(lambda: page.locator(".insanonym-lesson a").count() == 2, "the lessons of the next tab")
    read.assert_quiet()
