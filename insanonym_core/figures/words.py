"""Texts as they stand in a figure: shortened, wrapped to a width in pixels.

Widths are estimates on the generous side (DejaVu Sans, the widest of our fonts): a figure is laid out before
any browser sees it, and a line that is broken early is better than one that is cut.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from insanonym_core.written import NARROW_SPACE

_WIDTHS = {
    "\u202f": 0.25,
    **dict.fromkeys("iIjl'|!.,:;", 0.33),
    **dict.fromkeys(' ftr()[]/-"·\u00a0', 0.42),
    **dict.fromkeys("mwMWOQGD@%—…→≥≤−+=<>", 0.9),
}
_SPACES = re.compile(r"[ \t\r\n]+")  # a no-break space holds together what is written with it


def nice_ticks(end: float, most: int = 6) -> list[float]:
    """Round numbers from zero to `end`, no more than so many."""
    power = 10.0 ** math.floor(math.log10(end / most))
    step = next(step * power for step in (1, 2, 5, 10) if step * power * most >= end)
    return [round(tick * step, 10) for tick in range(int(end / step + 1e-9) + 1)]


def separators(lang: str) -> str:
    """Plotly's decimal sign and thousands sign, for the numbers it writes itself on axes."""
    return f",{NARROW_SPACE}" if lang == "fr" else ".,"


def plain(text: object) -> str:
    """The text itself: plotly would read a column called '<b>' as bold."""
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def width(text: str, font: float) -> float:
    """About how many pixels one line of text takes."""
    return font * _ems(text)


@lru_cache(maxsize=4096)  # while a slider moves, the same texts are laid out again and again
def _ems(text: str) -> float:
    return sum(_WIDTHS.get(letter, 0.7 if letter.isupper() else 0.61) for letter in text)


def wrap(text: str, pixels: float, font: float, most: int | None = None) -> list[str]:
    """Lines no wider than so many pixels; a word that is wider is cut. More than `most` lines end in '…'."""
    lines: list[str] = []
    for word in _SPACES.split(text):
        for piece in _pieces(word, pixels, font):
            if lines and width(f"{lines[-1]} {piece}", font) <= pixels:
                lines[-1] = f"{lines[-1]} {piece}"
            else:
                lines.append(piece)
    lines = [line for line in lines if line]
    if most is not None and len(lines) > most:
        lines = [*lines[: most - 1], shorten(" ".join(lines[most - 1 :]), pixels, font)]
    return lines


def _pieces(word: str, pixels: float, font: float) -> list[str]:
    if width(word, font) <= pixels:
        return [word]
    pieces = [""]
    for letter in word:
        if pieces[-1] and width(pieces[-1] + letter, font) > pixels:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def shorten(text: str, pixels: float, font: float) -> str:
    """The text on one line, its end replaced by '…' where it is too long."""
    text = _SPACES.sub(" ", text).strip(" ")
    if width(text, font) <= pixels:
        return text
    while text and width(text + "…", font) > pixels:
        text = text[:-1]
    return text.rstrip(" …") + "…"
