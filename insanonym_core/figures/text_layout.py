"""Measure, wrap, shorten and escape the texts of a figure.

Widths are upper estimates (DejaVu Sans, the widest of our fonts): a figure is laid out before a browser
renders it, and wrapping a line too early is better than clipping it.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from insanonym_core.texts import NARROW_SPACE

_WIDTHS = {
    "\u202f": 0.25,
    **dict.fromkeys("iIjl'|!.,:;", 0.33),
    **dict.fromkeys(' ftr()[]/-"·\u00a0', 0.42),
    **dict.fromkeys("mwMWOQGD@%—…→≥≤−+=<>", 0.9),
}
_SPACES = re.compile(r"[ \t\r\n]+")  # no-break spaces are kept


def nice_ticks(end: float, max_ticks: int = 6) -> list[float]:
    """Round numbers from zero to `end`, at most `max_ticks` steps."""
    power = 10.0 ** math.floor(math.log10(end / max_ticks))
    step = next(step * power for step in (1, 2, 5, 10) if step * power * max_ticks >= end)
    return [round(tick * step, 10) for tick in range(int(end / step + 1e-9) + 1)]


def separators(lang: str) -> str:
    """Plotly's decimal sign and thousands sign, for the numbers it writes itself on axes."""
    return f",{NARROW_SPACE}" if lang == "fr" else ".,"


def escape_markup(text: object) -> str:
    """Escape HTML signs: plotly would render a column called '<b>' in bold."""
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text_width(text: str, font: float) -> float:
    """Estimated width of one line of text, in pixels."""
    return font * _ems(text)


@lru_cache(maxsize=4096)  # a slider lays out the same texts many times
def _ems(text: str) -> float:
    return sum(_WIDTHS.get(letter, 0.7 if letter.isupper() else 0.61) for letter in text)


def wrap(text: str, pixels: float, font: float, max_lines: int | None = None) -> list[str]:
    """Wrap a text to a width in pixels; break wider words, and end with '…' after `max_lines` lines."""
    lines: list[str] = []
    for word in _SPACES.split(text):
        for piece in _pieces(word, pixels, font):
            if lines and text_width(f"{lines[-1]} {piece}", font) <= pixels:
                lines[-1] = f"{lines[-1]} {piece}"
            else:
                lines.append(piece)
    lines = [line for line in lines if line]
    if max_lines is not None and len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], shorten(" ".join(lines[max_lines - 1 :]), pixels, font)]
    return lines


def _pieces(word: str, pixels: float, font: float) -> list[str]:
    """Break a word into pieces that fit the width."""
    if text_width(word, font) <= pixels:
        return [word]
    pieces = [""]
    for letter in word:
        if pieces[-1] and text_width(pieces[-1] + letter, font) > pixels:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def shorten(text: str, pixels: float, font: float) -> str:
    """The text on one line, truncated with '…' to a width in pixels."""
    text = _SPACES.sub(" ", text).strip(" ")
    if text_width(text, font) <= pixels:
        return text
    while text and text_width(text + "…", font) > pixels:
        text = text[:-1]
    return text.rstrip(" …") + "…"
