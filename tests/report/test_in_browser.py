"""Reports opened in Chromium without a network: they ask nobody, and show what they should."""

import pytest

from insanonym_core.figures.gallery import pictures
from insanonym_core.report import write_report
from tests.browser_dashboard.serving import wait_for
from tests.experiment.test_run import ALL, report_of


@pytest.mark.parametrize("kind", ALL)
def test_a_report_opens_quietly_and_draws_everything(kind, tmp_path, watch):
    report = report_of(kind)
    write_report(report, tmp_path / "r", lang="fr", formats=())
    watched = watch(tmp_path / "r" / "index.html")
    page = watched.page
    expected = len(list(pictures(report, lang="fr")))
    page.wait_for_function(
        "n => document.querySelectorAll('figure .js-plotly-plot').length === n", arg=expected
    )
    assert page.locator("figure .main-svg").count() >= expected
    # Nothing is wider than the page: no table or figure is cut at laptop width.
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    watched.assert_quiet()


def test_the_map_in_a_report_shows_cells_in_linked_panes(tmp_path, watch):
    report = report_of("mobility")
    write_report(report, tmp_path / "r", formats=())
    watched = watch(tmp_path / "r" / "index.html")
    frame = watched.page.frame_locator("iframe")
    frame.locator(".leaflet-container").nth(1).wait_for()
    for place in range(2):
        pane = frame.locator(".leaflet-container").nth(place)
        assert pane.locator("path.leaflet-interactive, canvas").count() >= 1
    scales = [frame.locator(".leaflet-control-scale-line").nth(place) for place in range(2)]
    before = scales[1].inner_text()
    frame.locator(".leaflet-control-zoom-in").first.click()
    frame.locator(".leaflet-control-zoom-in").first.click()
    wait_for(lambda: scales[0].inner_text() == scales[1].inner_text() != before, "both panes, nearer")
    watched.assert_quiet()
