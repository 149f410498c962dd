"""The dialog about the columns of an upload in a browser: it fits, and a click on it answers and confirms."""

from __future__ import annotations

from tests.browser_dashboard.instrument import MEASURES, measure
from tests.browser_dashboard.instrument import small_tab as tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import choose_file, wait_for

VISITS = b"name;visit;age;illness\n" + b"".join(
    b"A%d B%d;%02d/%02d/2024;%d;i%d\n" % (n, n, n % 12 + 1, n * 5 % 12 + 1, n % 9, n % 3) for n in range(120)
)


def test_the_page_asks_for_the_order_of_dates_and_takes_the_answer(tab):  # noqa: F811
    found = tab("table", page=MEASURES)
    page = found.page
    choose_file(page, [{"name": "visits.csv", "mimeType": "text/csv", "buffer": VISITS}])
    dialog = page.locator(".insanonym-file-dialog")
    asked = dialog.locator("select.asked")
    wait_for(lambda: asked.count() == 1, "the question")
    box = dialog.bounding_box()
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= page.viewport_size["width"]
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    use = dialog.get_by_role("button", name="Use these columns")
    assert use.is_disabled()
    asked.select_option("date:dmy")
    wait_for(lambda: not asked.count() and use.is_enabled(), "the answer")
    dialog.locator("select[data-role=age]").select_option("sensitive")
    wait_for(lambda: "as you said" in dialog.locator("tr", has_text="age").inner_text(), "the role")
    use.click()
    wait_for(lambda: "120 rows" in page.locator(".insanonym-data").inner_text(), "the upload")
    assert not dialog.count()
    assert "2 sensitive" in page.locator(".insanonym-roles .insanonym-fold-line").inner_text()
    assert measure(page, "privacy.k") >= 1
    assert not page.locator(".insanonym-strip .unconfirmed").count()
    assert not page.locator(".insanonym-error").count()
    found.assert_quiet()
