"""The pages of the lessons, and their copies."""

import re
import shutil
from xml.etree import ElementTree

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.lessons import LESSONS, copy_lessons, lesson_page, notebook_of
from insanonym_core.lessons.page import formula


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("lesson", LESSONS, ids=str)
def test_no_tex_and_no_anchors_reach_the_reader(lesson, lang):
    page = lesson_page(notebook_of(lesson, lang), lang)
    assert ".anchor-link { display: none; }" in page
    text = re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert "$" not in text
    assert not re.search(r"\\[a-z]+", text)
    formulas = re.findall("<math.*?</math>", text)
    assert len(formulas) == {1: 3, 2: 5, 5: 9}.get(lesson.number, 0)
    for one in formulas:
        for part in ElementTree.fromstring(one).iter():  # noqa: S314
            assert len(part) == {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3}.get(part.tag, len(part))


THIN = '<mspace width="0.17em"></mspace>'
FORMULAS = {
    "r": "<mi>r</mi>",
    r"\sqrt 2": "<msqrt><mn>2</mn></msqrt>",
    r"\frac{2p}{q}": "<mfrac><mrow><mn>2</mn><mi>p</mi></mrow><mrow><mi>q</mi></mrow></mfrac>",
    r"4{,}74/\text{écart < 1}": "<mn>4,74</mn><mo>/</mo><mtext>écart &lt; 1</mtext>",
    r"\varepsilon \cdot 1.5": "<mi>ε</mi><mo>⋅</mo><mn>1.5</mn>",
    "h'' - h^2": "<msup><mi>h</mi><mo>′′</mo></msup><mo>−</mo><msup><mi>h</mi><mn>2</mn></msup>",
    r"\sum_i x_i": "<munder><mo>∑</mo><mi>i</mi></munder><msub><mi>x</mi><mi>i</mi></msub>",
    r"p\ln 2": f"<mi>p</mi>{THIN}<mi>ln</mi>{THIN}<mn>2</mn>",
    r"\max(0": "<mi>max</mi><mo>(</mo><mn>0</mn>",
}


@pytest.mark.parametrize("tex", FORMULAS)
def test_formulas(tex):
    assert formula(tex) == f"<math>{FORMULAS[tex]}</math>"
    assert formula(tex, block=True) == f'<math display="block">{FORMULAS[tex]}</math>'


@pytest.mark.parametrize("tex", [r"\unknown", r"\frac{1}", "{", "a}", "a_1_2", "a^", "\\", "_"])
def test_what_is_not_known_stays_as_it_was_written(tex):
    assert formula(tex) == f"<code>{tex}</code>"


def test_a_disk_that_takes_no_lessons(tmp_path, monkeypatch):
    def full(source, target):
        target.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(UsageError, match="No space left on device"):
        copy_lessons(tmp_path / "mine")
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_link_to_nowhere_is_not_followed(tmp_path):
    (tmp_path / "mine").mkdir()
    link = tmp_path / "mine" / LESSONS[0].file("en")
    link.symlink_to(tmp_path / "elsewhere.ipynb")
    _, kept = copy_lessons(tmp_path / "mine")
    assert kept == [link]
    assert not (tmp_path / "elsewhere.ipynb").exists()
