"""The pages of the lessons, and their copies."""

import html
import json
import re
import shutil
from xml.etree import ElementTree

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.lessons import LESSONS, copy_lessons, lesson_page, notebook_of
from insanonym_core.lessons.page import formula

# Every formula of the lessons, read by hand: sub[base|script], frac[above|below].
READINGS = {
    r"\sum \max(0, 1 - \Delta_{\text{days}}/7)\,/\,n": "∑max(0,1−sub[Δ|days]/7)/n",
    r"\sum \max(0, 1 - \Delta_{\text{jours}}/7)\,/\,n": "∑max(0,1−sub[Δ|jours]/7)/n",
    r"\sum (1 - |h' - h|/24)\,/\,n": "∑(1−|sup[h|′]−h|/24)/n",
    r"\max(0,\, 1 - \sum |s - s'| \,/\, \sum s)": "max(0,1−∑|s−sup[s|′]|/∑s)",
    r"\sum p \ln\frac{2p}{p+q} + q \ln\frac{2q}{p+q}": "∑plnfrac[2p|p+q]+qlnfrac[2q|p+q]",
    r"0 \ln 0 = 0": "0ln0=0",
    r"\varepsilon = 4.7439/\text{radius}": "ε=4.7439/radius",
    r"\varepsilon = 4{,}7439/\text{rayon}": "ε=4,7439/rayon",
    r"\sqrt{6}/\varepsilon": "sqrt[6]/ε",
    r"\sqrt{6}/(\varepsilon\sqrt{n})": "sqrt[6]/(εsqrt[n])",
    r"z = \frac{\mathrm{value} - \mathrm{mean}}{\text{standard deviation}}": (
        "z=frac[value−mean|standard deviation]"
    ),
    r"z = \frac{\mathrm{valeur} - \mathrm{moyenne}}{\text{écart-type}}": "z=frac[valeur−moyenne|écart-type]",
    r"(z_1 + z_2)/\sqrt 2": "(sub[z|1]+sub[z|2])/sqrt[2]",
    r"(z_1 - z_2)/\sqrt 2": "(sub[z|1]−sub[z|2])/sqrt[2]",
    r"(1 + r)/2": "(1+r)/2",
    r"(1 - r)/2": "(1−r)/2",
    "r": "r",
    "z": "z",
}
_NAMES = {"mfrac": "frac", "msqrt": "sqrt", "msub": "sub", "msup": "sup"}


def _read(element: ElementTree.Element) -> str:
    """Return MathML as one line: fractions, roots and scripts by name, the text of all else."""
    if element.tag in ("mi", "mn", "mo", "mtext", "mspace"):
        assert len(element) == 0
        return element.text or ""
    parts = [_read(child) for child in element]
    if element.tag in ("math", "mrow"):
        return "".join(parts)
    assert len(parts) == {"msqrt": 1}.get(element.tag, 2)
    return f"{_NAMES[element.tag]}[{'|'.join(parts)}]"


def _read_mathml(mathml: str) -> str:
    return _read(ElementTree.fromstring(mathml.replace("&ApplyFunction;", "").replace("\xa0", " ")))  # noqa: S314


def _formulas(lesson, lang) -> list[str]:
    cells = json.loads(notebook_of(lesson, lang).read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    return [tex for text in texts for tex in re.findall(r"\${1,2}([^$]+)\${1,2}", text)]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("lesson", LESSONS, ids=str)
def test_every_formula_is_mathml_and_no_tex_or_anchor_reaches_the_reader(lesson, lang):
    page = lesson_page(notebook_of(lesson, lang), lang)
    assert ".anchor-link { display: none; }" in page
    text = re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert "$" not in text
    assert "\\" not in text
    formulas = _formulas(lesson, lang)
    assert [_read_mathml(one) for one in re.findall("<math.*?</math>", text)] == [
        READINGS[tex] for tex in formulas
    ]
    assert len(formulas) == {1: 3, 2: 5, 5: 9}.get(lesson.number, 0)


@pytest.mark.parametrize("lesson", [1, 2, 5])
def test_formulas_are_drawn_without_asking_anybody(lesson, tmp_path, watch):
    path = tmp_path / "page.html"
    path.write_text(lesson_page(notebook_of(LESSONS[lesson - 1], "fr"), "fr"), encoding="utf-8")
    watched = watch(path)
    for box in [one.bounding_box() for one in watched.page.locator("math:not(details math)").all()]:
        assert min(box["width"], box["height"]) > 5
    assert watched.page.locator("math").count() == {1: 3, 2: 5, 5: 9}[lesson]
    watched.assert_quiet()


MATHML = {
    "r": "<mi>r</mi>",
    r"\sqrt 2": "<msqrt><mn>2</mn></msqrt>",
    r"\frac{2p}{q}": "<mfrac><mrow><mn>2</mn><mi>p</mi></mrow><mi>q</mi></mfrac>",
    r"\text{écart < 1}": "<mtext>écart\xa0&lt;\xa01</mtext>",
    r"z_1^2": "<msubsup><mi>z</mi><mn>1</mn><mn>2</mn></msubsup>",
}


@pytest.mark.parametrize("tex", MATHML)
def test_formulas(tex):
    assert formula(tex) == f"<math>{MATHML[tex]}</math>"
    assert formula(tex, block=True) == f'<math display="block">{MATHML[tex]}</math>'


@pytest.mark.parametrize("tex", [r"\unknown", r"\frac{1}", "{", "a}", "a_1_2", "a^", "_", "a & <b>"])
def test_a_formula_that_is_refused_is_shown_as_code(tex, tmp_path):
    code = f"<code>{html.escape(tex)}</code>"
    assert formula(tex) == code
    path = tmp_path / "lesson.ipynb"
    cell = {"cell_type": "markdown", "source": [f"Before $$ {tex} $$ and $r$ after."], "metadata": {}}
    path.write_text(json.dumps({"cells": [cell]}))
    page = lesson_page(path, "en")
    assert f"Before {code} and <math><mi>r</mi></math> after." in page


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
