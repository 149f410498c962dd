"""“Find the best…” as people use it: start, look, cancel, start again, take over what was found."""

from __future__ import annotations

import re

from tests.browser_dashboard.instrument import (
    current_point,
    headlines,
    one_more_point,
    plane,
    press,
    settled,
)
from tests.browser_dashboard.instrument import small_tab as tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import wait_for

FOUND = """const traces = el.querySelector('.js-plotly-plot')._fullData;
  const isFound = (told) => told && told[1] === 'found';
  const place = (number) => {
    for (const trace of traces) {
      const at = Array.from(trace.customdata || []).findIndex((told) => isFound(told) && told[2] === number);
      if (at >= 0) return [trace.x[at], trace.y[at]];
    }
    return null;
  };"""
COUNT = f"""el => {{ {FOUND}
  return Math.max(0, ...traces.map((one) => Array.from(one.customdata || []).filter(isFound).length));
}}"""
NUMBERS = f"""el => {{ {FOUND}
  const found = traces.flatMap((one) => Array.from(one.customdata || []).filter(isFound));
  return found.map((told) => told[2]).filter((number) => number > 0);
}}"""
BEST = f"el => {{ {FOUND} return place(0); }}"
PIXEL = f"""(el, number) => {{ {FOUND}
  const plot = el.querySelector('.js-plotly-plot'), [x, y] = place(number), layout = plot._fullLayout;
  const box = plot.getBoundingClientRect(), right = layout.xaxis, up = layout.yaxis;
  return [box.left + right._offset + right.l2p(x), box.top + up._offset + up.l2p(y)];
}}"""


def told(page) -> str:
    return page.locator(".insanonym-search-told").inner_text()


def test_start_cancel_start_again_and_take_the_best(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    page.get_by_role("button", name="Find the best…").click()
    form = page.locator(".insanonym-search")
    form.wait_for()
    assert page.locator(".insanonym-search").bounding_box()["y"] > 40
    begin, stop = form.get_by_role("button", name="Search"), form.get_by_role("button", name="Cancel")

    begin.click()
    wait_for(lambda: plane(page).evaluate(COUNT) >= 5, "points on the plane")
    assert "recipes tried in" in told(page)
    stop.click()
    wait_for(lambda: told(page).startswith("Cancelled: "), "the end of the search")
    tried = int(re.search(r"Cancelled: (\d+)", told(page))[1])
    assert 5 <= tried < 1000
    assert plane(page).evaluate(BEST) is None, "nothing was measured again"

    press(form.get_by_role("slider", name="Minutes"), "Home")
    begin.click()
    wait_for(lambda: "against every attacker" in told(page), "what was found", 120)
    utility, privacy = plane(page).evaluate(BEST)
    assert privacy >= 0.6
    said = re.search(r"Privacy (\d\.\d\d).* decided by.*utility (\d\.\d\d)", told(page))
    assert (float(said[1]), float(said[2])) == (round(privacy, 2), round(utility, 2))
    assert "while searching" in told(page)

    with one_more_point(page, "table"):
        form.get_by_role("button", name="Set sliders").click()
    settled(page)
    now = headlines(page)
    assert now[0] == utility or abs(now[0] - utility) < 0.05
    assert abs(now[1] - privacy) < 0.1
    assert max(abs(a - b) for a, b in zip(current_point(page), now[:2], strict=True)) < 1e-9
    found.assert_quiet()


def test_the_search_outlives_another_tab_and_language_and_a_point_is_clicked(tab):  # noqa: F811
    found = tab("table")
    page = found.page
    page.get_by_role("button", name="Find the best…").click()
    press(page.get_by_role("slider", name="Minutes"), "Home")
    page.locator(".insanonym-search").get_by_role("button", name="Search").click()
    wait_for(lambda: plane(page).evaluate(COUNT) >= 3, "points on the plane")
    page.get_by_role("button", name="Avatars").click()
    page.get_by_role("button", name="Tables").click()
    page.get_by_role("button", name="EN · FR").click()
    wait_for(lambda: "contre tous les attaquants" in told(page), "what was found, in French", 120)
    page.locator(".insanonym-search").get_by_role("button", name="Fermer").click()
    wait_for(lambda: page.locator(".insanonym-search").count() == 0, "the form gone")
    number = plane(page).evaluate(NUMBERS)[-1]
    at = plane(page).evaluate(PIXEL, number)
    with one_more_point(page, "table"):
        page.mouse.click(*at)
    settled(page)
    x, y = plane(page).evaluate(PIXEL, number)
    assert abs(at[0] - x) < 3
    assert abs(at[1] - y) < 3
    found.assert_quiet()
