"""A number in the text of a lesson is given in its code, computed here, or a fact from outside: no result."""

from __future__ import annotations

import ast
import json
import math
import operator
import re

import pytest

from insanonym_core.lessons import LESSONS, notebook_of
from insanonym_core.texts import LANGUAGES

# What the text may say although no code of the lesson says it: worked by hand (an expression, which is
# computed), or a fact that no lesson can compute (after a colon).
MAY_SAY = {
    1: {
        2.2239: "0.02 * 111.195",
        0.4497: "1 / 2.2239",
        0.004: "45.774 - 45.77",
        0.3: "3 / 10",
        180: ": half a turn",
        1.1: "111.195 / 100",
        0.9: ": the table of the rules v1",
        95: ": the radius of planar_laplace is defined by it",
    },
    2: {
        95: ": the radius of planar_laplace is defined by it",
        70: "100 - 30",
        0.7: "1 - 0.3",
        2013: ": year of a study",
        11: "111.195 / 10",
        256: ": SHA-256",
        999: "1000 - 1",
        168: "7 * 24",
    },
    3: {
        62: ": an age somebody might have",
        8: "2 * 4",
        11: "2 * 5 + 1",
        13: "7 + 6",
        9: "2 * 5 - 1",
        19: "10 + 9",
    },
    4: {9: "10 - 1", 18: "30 - 12"},
    5: {
        25: "(55 - 50) ** 2",
        225: "(35 - 50) ** 2",
        625: "(75 - 50) ** 2",
        400: "(900 + 225 + 25 + 225 + 625) / 5",
        90: "100 * 0.9",
        2.75: "(75 - 50) / 20 + (88 - 70) / 12",
        0.3125: "0.625 / 2",
        56: "50 + 20 * 0.3125 - 0.25",
        74: "70 + 12 * 0.3125 + 0.25",
        0.375: "0.625 - 0.25",
        0.85: ": the threshold that the question sets",
    },
    6: {
        95: ": the radius of planar_laplace is defined by it",
        28: "100 - 100 * 0.72",
        170: ": width in mm of a page without its margins",
    },
    7: {15: ": minutes", 50: ": minutes", 100: ": minutes", 120: ": minutes"},
}
PARTS = re.compile(r"[\d.\s+\-*/()]*\d[\d.\s+\-*/()]*(?:[=≈][\d.\s+\-*/()]*\d[\d.\s+\-*/()]*)+")
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
}
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
STRUCTURE = re.compile(
    r"`[^`]*`|https?://\S+|^#.*$|\*\*Question \w+\.\*\*|\$\$?[^$]*\$\$?|\b\d\d:\d\d(?::\d\d)?"
    r"|^\s*\d+\. |</?\w+>|\b\d+ minutes|\b(?:[Ll]essons?|[Ll]eçons?|[Ss]ection) \d+(?: (?:and|et) \d+)?",
    re.M,
)
SIGNS = str.maketrans({"−": "-", "·": "*", "×": "*", "÷": "/"})


def compute(text: str) -> float | None:
    """The value of an arithmetic expression, or None if it is none."""
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, KeyError, TypeError, AttributeError):
        return None


def _value(node: ast.AST) -> float:
    if isinstance(node, ast.Constant):
        return float(node.value)
    if isinstance(node, ast.UnaryOp):
        return OPERATORS[type(node.op)](_value(node.operand))
    return OPERATORS[type(node.op)](_value(node.left), _value(node.right))


def agrees(value: float, quoted: str | float) -> bool:
    """Whether a number is a value, as exactly as it is written."""
    decimals = len(str(quoted).partition(".")[2]) if not str(quoted).endswith(".0") else 0
    return math.isclose(value, float(quoted), abs_tol=0.50001 * 10**-decimals)


def plain_text(markdown: str, lang: str) -> str:
    """The words and numbers of a cell, numbers as Python writes them."""
    text = STRUCTURE.sub(" ", markdown).translate(SIGNS)
    text = text.replace("¾", "0.75").replace("¼", "0.25").replace("½", "0.5").replace("{,}", ",")
    if lang == "fr":
        text = re.sub(r"(?<=\d)[\u202f\u00a0 ](?=\d{3}\b)", "", text)
        text = re.sub(r"(?<=\d)h\b", " h", text)
        return re.sub(r"(?<=\d),(?=\d)", ".", text)
    text = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text)
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)


def chains(text: str) -> list[list[str]]:
    """The chains of equal expressions in a text, such as 1 - 8/20 = 0.6."""
    found = []
    for chain in PARTS.findall(text):
        parts = [part.strip(" .\n") for part in re.split("[=≈]", chain)]
        if len(parts) > 1 and all(compute(part) is not None for part in parts):
            found.append(parts)
    return found


def cells(lesson, lang, kind) -> list[str]:
    notebook = json.loads(notebook_of(lesson, lang).read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def numbers_of(lesson, lang) -> list[set[float]]:
    """The numbers of each cell of text."""
    texts = [plain_text(cell, lang) for cell in cells(lesson, lang, "markdown")]
    return [{float(one) for one in NUMBER.findall(text)} for text in texts]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_no_number_is_typed_that_the_code_should_compute(lesson, lang):
    allowed = {float(one) for code in cells(lesson, lang, "code") for one in NUMBER.findall(code)}
    allowed |= set(MAY_SAY[lesson.number])
    typed = []
    for cell in cells(lesson, lang, "markdown"):
        text = plain_text(cell, lang)
        allowed |= {float(one) for _, *rest in chains(text) for part in rest for one in NUMBER.findall(part)}
        typed += [one for one in NUMBER.findall(text) if float(one) not in allowed]
    assert typed == [], "let a cell print it and point at it, or work it out in the text"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_arithmetic_in_the_text_is_right(lesson, lang):
    for cell in cells(lesson, lang, "markdown"):
        for first, *rest in chains(plain_text(cell, lang)):
            assert all(agrees(compute(first), compute(one)) for one in rest), (first, rest)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_what_the_text_may_say_is_right_and_said(lesson):
    said = set().union(*numbers_of(lesson, "en"))
    for number, why in MAY_SAY[lesson.number].items():
        assert number in said, f"{number} is not said any more"
        assert why.startswith(": ") or agrees(compute(why), number), (number, why)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_both_languages_say_the_same_numbers(lesson):
    english, french = ([found - {0} for found in numbers_of(lesson, lang)] for lang in ("en", "fr"))
    assert english == french  # where English has a 0, French may have "nul"


def test_a_typed_result_and_wrong_arithmetic_are_seen():
    """The rules above find what they look for."""
    text = plain_text("By hand: (7 + 5)/10 = 1.2. Privacy 0,66, and 1 − 8/20 = 0,5.", "fr")
    assert chains(text) == [["(7 + 5)/10", "1.2"], ["1 - 8/20", "0.5"]]
    assert "0.66" in NUMBER.findall(text)
    assert not agrees(compute("1 - 8/20"), "0.5")
    assert agrees(compute("2 / 3"), "0.67")
