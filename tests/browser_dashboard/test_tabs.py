"""The tabs in a browser: the right number moves in the right direction, by value."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from insanonym_dashboard.uploads import LIMIT
from tests.browser_dashboard.serving import drawn, opened, values, wait_for

TABS = ("mobility", "table", "traces", "avatars", "tradeoff")


@pytest.fixture
def tab(watch, dashboard):
    """Open a tab: tab("avatars", lang="fr", width=1280)."""

    def visit(name: str, lang: str = "en", width: int = 1280):
        found = watch(f"{dashboard.address}?tab={name}&lang={lang}", width=width, height=900)
        found.page.set_default_timeout(60_000)
        if name == "tradeoff":
            found.page.wait_for_selector(".insanonym-sweep")
        else:
            opened(found.page)
            found.page.wait_for_selector("[data-headline=utility]")
        return found

    return visit


def headline(page, what: str) -> float:
    return float(page.locator(f"[data-headline={what}]").get_attribute("data-value"))


def measure(page, key: str) -> float:
    return float(page.locator(f"[data-measure='{key}']").get_attribute("data-value"))


def slide(page, step: str, keys: str, times: int, place: int = 0) -> None:
    page.locator(f".insanonym-step-{step} [role=slider]").nth(place).focus()
    for _ in range(times):
        page.keyboard.press(keys)


def changed(page, read, before: float) -> float:
    wait_for(lambda: page.evaluate("1") and read() != before, "another number")
    page.wait_for_timeout(700)  # keys in a row may be computed as two: the last one counts
    return read()


def test_more_noise_lowers_distance_utility_and_the_best_attack(tab):
    page = tab("mobility").page
    cells = page.locator(".insanonym-map-release canvas").evaluate("one => one.toDataURL()")
    view = page.evaluate(
        "document.querySelector('.insanonym-map-original .leaflet-map-pane').style.transform"
    )
    distance, privacy = measure(page, "utility.distance"), headline(page, "privacy")
    slide(page, "planar_laplace", "ArrowRight", 4)
    assert changed(page, lambda: measure(page, "utility.distance"), distance) < distance
    assert headline(page, "privacy") > privacy
    after = page.locator(".insanonym-map-release canvas").evaluate("one => one.toDataURL()")
    assert after != cells
    assert (
        page.evaluate("document.querySelector('.insanonym-map-original .leaflet-map-pane').style.transform")
        == view
    )


def test_a_larger_k_raises_the_measured_k_and_the_loss(tab):
    page = tab("table").page
    k, loss = measure(page, "privacy.k"), measure(page, "utility.ncp")
    slide(page, "mondrian", "ArrowRight", 4)
    assert changed(page, lambda: measure(page, "privacy.k"), k) > k
    assert measure(page, "utility.ncp") > loss
    assert int(page.locator("[data-measured]").first.get_attribute("data-measured")) == measure(
        page, "privacy.k"
    )


def test_a_higher_threshold_counts_fewer_individuals(tab):
    page = tab("traces").page
    counted = measure(page, "utility.counted")
    slide(page, "count_traces", "ArrowRight", 4)
    assert changed(page, lambda: measure(page, "utility.counted"), counted) < counted


def test_more_neighbours_change_the_hidden_rate_and_the_histogram(tab):
    page = tab("avatars").page
    plot = page.locator(".insanonym-plot").first
    hidden, shown, times = measure(page, "privacy.hidden_rate"), values(plot), drawn(plot)
    slide(page, "mix_neighbours", "ArrowLeft", 5)
    fewer = changed(page, lambda: measure(page, "privacy.hidden_rate"), hidden)
    assert fewer < hidden
    wait_for(lambda: drawn(plot) > times and values(plot) != shown, "another histogram")


@pytest.mark.parametrize("width", [1280, 1920])
def test_a_walk_through_all_tabs_asks_nobody_and_cuts_nothing(tab, width, tmp_path):
    found = tab("mobility", lang="fr", width=width)
    page = found.page
    for place, name in enumerate(TABS):
        page.locator(".insanonym-tabbutton").nth(place).click()
        opened_tab = page.locator(f".insanonym-tab-{name}")
        opened_tab.wait_for()
        if name != "tradeoff":
            opened_tab.locator("[data-headline=utility]").wait_for()
        assert not page.locator(".insanonym-error").count()
        pages = opened_tab.locator(".insanonym-pages button")
        for number in range(pages.count()):
            pages.nth(number).click()
            page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert "tab=tradeoff" in page.url
    found.assert_quiet()


def test_every_slider_is_reached_by_the_keyboard(tab):
    page = tab("mobility").page
    wanted = page.locator("[role=slider]").count()
    assert wanted >= 6
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        place = page.evaluate(
            "Array.from(document.querySelectorAll('[role=slider]')).indexOf(document.activeElement)"
        )
        reached.add(place)
    assert reached >= set(range(wanted))


BAD = {
    "empty.csv": b"",
    "binary.csv": bytes(range(256)) * 20,
    "header.csv": b"a,b,c\n",
    "twins.csv": b"a,a\n1,2\n",
    "ragged.csv": b"a,b\n1,2\n1,2,3\n",
    "damaged.zip": b"PK\x03\x04" + b"x" * 100,
    "damaged.gz": gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (n, n * n) for n in range(500)))[:900],
    "damaged.parquet": b"PAR1" + b"x" * 60 + b"PAR1",
    "utf16.csv": "a,b\n1,2\n".encode("utf-16"),
    "quote.csv": b'a,b\n"1,2\n3,4\n',
}


def test_bad_uploads_are_one_sentence_and_the_last_picture_stays(tab, dashboard, tmp_path):
    found = tab("table")
    page = found.page
    before = measure(page, "privacy.k")
    seen = ""
    for name, content in BAD.items():
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Upload").click()
        chooser.value.set_files([{"name": name, "mimeType": "text/csv", "buffer": content}])
        wait_for(
            lambda name=name: name in (page.locator(".insanonym-error").all_inner_texts() or [""])[0],
            name,
            20,
        )
        said = page.locator(".insanonym-error").inner_text()
        assert said != seen
        assert "Traceback" not in page.inner_text("body")
        seen = said
        assert measure(page, "privacy.k") == before
    over = tmp_path / "large.csv"
    with over.open("wb") as file:
        file.truncate(LIMIT + 12_000_000)  # a hole: it takes no room
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload").click()
    chooser.value.set_files(over)
    wait_for(lambda: "large.csv has 112 MB" in page.locator(".insanonym-error").inner_text(), "the limit", 20)
    assert measure(page, "privacy.k") == before
    # What the server itself says when another test's page closes is no fault of a callback.
    assert "callback of the dashboard failed" not in dashboard.log, dashboard.log[-3000:]
    assert "while computing" not in dashboard.log, dashboard.log[-3000:]
    found.assert_quiet()


def test_a_good_upload_is_taken(tab):
    page = tab("table").page
    rows = b"age;town;illness\n" + b"".join(b"%d;t%d;i%d\n" % (n % 50, n % 7, n % 3) for n in range(200))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload").click()
    chooser.value.set_files([{"name": "mine.csv", "mimeType": "text/csv", "buffer": rows}])
    wait_for(lambda: "200 rows" in page.locator(".insanonym-data").inner_text(), "the upload", 20)
    assert measure(page, "privacy.k") >= 5
    assert not page.locator(".insanonym-error").count()


def test_figures_are_saved_by_the_page(tab, tmp_path):
    page = tab("mobility").page
    for name, start in (("Figures (SVG)", b"<svg"), ("Figures (PNG)", b"\x89PNG")):
        ending = name[-4:-1].lower()
        with page.expect_download(lambda file, end=ending: file.suggested_filename.endswith(end)) as saved:
            page.locator(".insanonym-bar select").select_option(label=name)
        assert Path(saved.value.path()).read_bytes().startswith(start)


def test_a_followed_person_sees_what_cost_most(tab):
    page = tab("mobility").page
    page.locator(".insanonym-person select").select_option(index=1)
    wait_for(lambda: page.locator(".insanonym-costly td").count() >= 5, "the rows", 20)
    assert "points lost" in page.locator(".insanonym-costly").inner_text()
    assert "Found in" in page.locator(".insanonym-person").inner_text()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_each_tab_links_to_its_lesson(tab, watch, lang):
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
