"""The text box of hierarchies on the Tables tab: the lines of a right file, and of wrong ones."""

from __future__ import annotations

import pytest

from insanonym_core.demo.named import named_table
from tests.browser_dashboard.instrument import MEASURES, changed, measure
from tests.browser_dashboard.instrument import small_tab as tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import wait_for

pytestmark = pytest.mark.browser
TOWNS = list(named_table("demo:patients")["town"].texts())
ARX = [f"{town};{'north' if place < 10 else 'south'}" for place, town in enumerate(TOWNS)]
"""As ARX writes its file: a value and its level above."""


def test_right_lines_are_used_and_wrong_ones_are_told_and_change_nothing(tab):  # noqa: F811
    found = tab("table", page=MEASURES)
    page = found.page
    box = page.locator(".step-mondrian [data-parameter=hierarchies]")
    field = box.locator("textarea")
    errors = page.locator(".insanonym-error")

    def write(lines):
        if not field.is_visible():
            box.locator("summary").click()
        field.fill("\n".join(lines))
        field.press("Tab")

    before = measure(page, "utility.ncp")
    right = [f"town = {line}" for line in ARX]
    write([*right, "age = 5,10,20"])
    changed(page, lambda: measure(page, "utility.ncp"), before)
    assert not errors.count()
    assert "town" in box.locator("summary").inner_text()
    with_lines = measure(page, "utility.ncp")

    write(ARX)  # the file as it is: no line says of which column
    wait_for(lambda: errors.count(), "a sentence")
    assert "country = France;Europe" in errors.first.inner_text()
    assert measure(page, "utility.ncp") == with_lines

    write(right[1:])  # one town is missing
    wait_for(lambda: errors.count() and "town" in errors.first.inner_text(), "another sentence")
    assert TOWNS[0] not in errors.first.inner_text(), "no value of the data is told"

    write([])
    changed(page, lambda: measure(page, "utility.ncp"), with_lines)
    assert measure(page, "utility.ncp") == before
    assert not errors.count()
    found.assert_quiet()
