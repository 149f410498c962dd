from __future__ import annotations

import math

import pytest

from insanonym_core.figures.text_layout import escape_markup, nice_ticks, shorten, text_width, wrap
from insanonym_core.figures.theme import looks
from insanonym_core.texts.numbers import number, percent


@pytest.mark.parametrize(
    ("value", "english", "french"),
    [
        (74_648, "74,648", "74\u202f648"),
        (0.77777, "0.778", "0,778"),
        (-0.5, "−0.5", "−0,5"),
        (1234.5678, "1,235", "1\u202f235"),
        (0.0000123, "0.0000123", "0,0000123"),
        (1e-9, "1.00e-09", "1,00e-09"),
        (0.0, "0", "0"),
        (math.nan, "n/a", "n. d."),
        (math.inf, "∞", "∞"),
        (-math.inf, "−∞", "−∞"),
    ],
)
def test_numbers(value: float, english: str, french: str) -> None:
    assert number(value) == english
    assert number(value, "fr") == french


def test_almost_nothing_has_no_sign() -> None:
    assert number(-0.001, decimals=2) == "0.00"


def test_percentages() -> None:
    assert [percent(share) for share in (0, 0.0213, 0.0996, 0.312, 1)] == ["0%", "2.1%", "10%", "31%", "100%"]
    assert percent(0.0213, "fr") == "2,1\u202f%"
    assert percent(math.nan) == "n/a"


def test_ticks_are_round() -> None:
    assert nice_ticks(1.03) == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert nice_ticks(0.0432) == [0, 0.01, 0.02, 0.03, 0.04]


def test_texts_fit_their_width() -> None:
    text = "cloak k=5 " * 30 + "x" * 200
    lines = wrap(text, 300, 13)
    assert all(text_width(line, 13) <= 300 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert len(wrap(text, 300, 13, max_lines=2)) == 2
    assert text_width(shorten(text, 300, 13), 13) <= 300
    assert wrap("", 300, 13) == []


def test_markup_is_only_text() -> None:
    assert escape_markup("<b>a & b</b>") == "&lt;b&gt;a &amp; b&lt;/b&gt;"


def test_groups_keep_the_colour_of_their_meaning() -> None:
    both = looks(["originals", "avatars"])
    assert looks(["avatars", "originals"]) == both
    assert looks(["original", "x", "y"])["original"] == both["originals"]
    many = looks([f"group {place}" for place in range(7)])
    assert len(set(many.values())) == 7
