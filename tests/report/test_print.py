"""Reports printed on A4 by Chromium: a page of summary, all figures and the map, nothing cut or broken."""

import io
from itertools import product

import pypdf
import pytest

from insanonym_core.experiment import run
from insanonym_core.figures.gallery import pictures
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.report import write_report
from insanonym_core.texts import say
from tests.experiment.test_run import ALL, report_of

CONTENT_MM = 170, 297 - 2 * 15
PIXELS_PER_MM = 96 / 25.4
FIGURES = """figures => figures.map(one => {
    const box = one.getBoundingClientRect();
    const svg = one.querySelector('.main-svg').getBoundingClientRect();
    const inside = svg.left >= box.left - 1 && svg.right <= box.right + 1;
    return {inside, width: svg.width, height: box.height,
            whole: getComputedStyle(one).breakInside};
})"""


def plain(text):
    """A text with plain spaces, and without the ligature of fi."""
    return " ".join(text.replace("\ufb01", "fi").split())


def _printed_in(kind, lang):
    """Each kind in one language in every run, by turns."""
    first = ("en", "fr")[list(ALL).index(kind) % 2]
    return pytest.param(kind, lang, marks=[] if lang == first else pytest.mark.long)


@pytest.mark.browser
@pytest.mark.parametrize(("kind", "lang"), [_printed_in(*one) for one in product(ALL, ("en", "fr"))])
def test_a_report_prints_on_a4(kind, lang, tmp_path, watch):
    report = report_of(kind)
    write_report(report, tmp_path / "r", lang=lang, formats=())
    page = watch(tmp_path / "r" / "index.html").page
    drawn = list(pictures(report, lang=lang))
    page.wait_for_function(
        "n => document.querySelectorAll('figure .js-plotly-plot').length === n", arg=len(drawn)
    )
    page.emulate_media(media="print")
    page.set_viewport_size({"width": round(CONTENT_MM[0] * PIXELS_PER_MM), "height": 900})
    figures = page.locator("figure").evaluate_all(FIGURES)
    assert len(figures) == len(drawn)
    for one in figures:
        assert one["width"] <= CONTENT_MM[0] * PIXELS_PER_MM + 1
        assert one["height"] <= CONTENT_MM[1] * PIXELS_PER_MM, "it has room on one page"
        assert one["inside"]
        assert one["whole"] == "avoid"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "no table is cut"
    assert page.locator("iframe").count() == (kind == "mobility")
    assert not page.locator("iframe").is_visible() if kind == "mobility" else True
    pdf = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))
    assert {tuple(round(float(side) / 72 * 25.4) for side in one.mediabox[2:]) for one in pdf.pages} == {
        (210, 297)
    }
    pages = [plain(one.extract_text()) for one in pdf.pages]

    def said(text):
        return plain(say(text, lang))

    for heading in (
        "What was done",
        "For whom it is safe",
        "The three criteria of the data-protection authorities",
    ):
        assert said(heading) in pages[0], heading
    assert pages[1].startswith(said("Attackers tried and held out")), "the summary is one page"
    for criterion in ("Singling out", "Linkability", "Inference"):
        assert said(criterion) in pages[0]
    text = " ".join(pages)
    assert said("Who pays: what people lose") in text
    if kind == "mobility":
        assert said("Map: original and release") in text
    assert pdf.metadata.title == say("Report: {data}", lang, data=report.recipe.data_name)


def test_what_was_not_tested_is_said(tmp_path):
    only = ("utility", "attack.poi", "privacy.known_points")
    report = run(recipe_from_text(ALL["mobility"]), only=only)
    write_report(report, tmp_path / "r", formats=())
    page = (tmp_path / "r" / "index.html").read_text("utf-8")
    assert page.count(">not tested<") == 1
    assert "Not tested, and so not known to be safe: inference" in page
    untried = page.partition("Not tried:")[2].partition("</p>")[0]
    assert "All clues together" in untried
    assert "Same home" not in untried
