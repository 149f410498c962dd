"""Format numbers in English and French."""

from __future__ import annotations

import math

from insanonym_core.texts import NARROW_SPACE, localised, say

_DIGITS = 3
_MANY_DIGITS = 15


def number(value: float, lang: str = "en", decimals: int | None = None) -> str:
    """A number as people write it: three digits that matter, or so many decimals; French in the French way.

    >>> number(74648), number(0.7777), number(0.7, decimals=2), number(-0.5, "fr")
    ('74,648', '0.778', '0.70', '−0,5')
    """
    if math.isnan(value):
        return say("n/a", lang)
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value and (abs(value) >= 10**_MANY_DIGITS or abs(value) < 10**-6):
        written = f"{value:.2e}"
    elif decimals is not None:
        written = f"{value:,.{decimals}f}"
    elif float(value).is_integer():
        written = f"{int(value):,}"
    else:
        places = max(0, _DIGITS - 1 - math.floor(math.log10(abs(value))))
        written = f"{value:,.{places}f}"
        written = written.rstrip("0").rstrip(".") if "." in written else written
    return _localised(written, lang)


def percent(share: float, lang: str = "en") -> str:
    """A share in percent: one decimal below ten. Only nobody is 0 % and only everybody 100 %.

    >>> percent(0.312), percent(0.0213), percent(0.0004), percent(0.996)
    ('31%', '2.1%', '<0.1%', '>99%')
    """
    if not math.isfinite(share):
        return number(share, lang)
    rounded = round(100.0 * share, 1)
    whole = abs(rounded) >= 10 or rounded.is_integer()
    written = number(100.0 * share, lang, 0 if whole else 1)
    if 0 < share < 0.0005:
        written = "<" + number(0.1, lang, 1)
    elif 0.995 <= share < 1:
        written = ">99"
    return f"{written}{NARROW_SPACE}%" if lang == "fr" else f"{written}%"


def _localised(written: str, lang: str) -> str:
    if written.startswith("-") and not written.strip("-0.,"):
        written = written[1:]  # −0.00 would ask what it means
    written = localised(written, lang)
    return written.replace("-", "−") if written.startswith("-") else written
