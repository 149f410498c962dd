"""The benchmark of the dashboard finds its page, its slider and the figures that it says it measures."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from benchmarks.dashboard import FIGURES, NOISE, city_server, key_to_drawn, open_city
from tests.browser_dashboard.small_city import USERS, WEEKS


@pytest.mark.slow
def test_a_key_is_timed_up_to_the_figure_of_its_own_setting(browser: Browser, tmp_path: Path) -> None:
    shown = """([plot, name]) => document.querySelector(plot).querySelector(".js-plotly-plot")
      .data.some(({ text, customdata }) => JSON.stringify([text, customdata]).includes(name))"""
    with city_server(tmp_path, USERS, WEEKS) as server:
        page = open_city(browser, server)
        assert "12 people" in page.locator(".insanonym-data-line").inner_text()
        for name, unit in (("scores", "0."), ("attacks", "%")):
            assert page.evaluate(shown, [FIGURES[name], unit])
            times = key_to_drawn(page, NOISE, FIGURES[name], 0.0, keys=2)
            assert len(times.all) == 2
            assert 0.001 < times.at(50) < 60
        card = page.locator(FIGURES["attacks"]).evaluate(
            "plot => plot.querySelector('.js-plotly-plot').layout.meta.card"
        )
        radius = page.locator(NOISE).get_attribute("aria-valuetext") or ""
        assert radius.replace(" m", "") in card.replace(",", "")
        page.context.close()
