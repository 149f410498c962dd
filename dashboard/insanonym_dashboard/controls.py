"""Controls from declarations: what steps.js needs to draw a slider, menu or box for a parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from insanonym_core.parameters import (
    WEEKDAYS,
    Choice,
    ColumnNames,
    HourSpan,
    Lines,
    Parameter,
    Range,
    Switch,
    Weekdays,
)
from insanonym_core.texts import choice_label, localised, parameter_label, say

MAX_POSITIONS = 400
_NICE = (1, 1.5, 2, 3, 5, 7)


def control(
    parameter: Parameter,
    value: Any,
    *,
    lang: str,
    columns: Sequence[str] = (),
    max_value: float = math.inf,
) -> dict[str, Any]:
    """The control of a parameter at a value, as JSON for steps.js.

    `columns` are those of the table at hand, `max_value` is the largest number that makes sense for it.
    """
    unit = say(getattr(parameter.constraint, "unit", ""), lang)
    label = parameter_label(parameter.name, lang)
    made = {"name": parameter.name, "label": label, "unit": "" if unit == label else unit}
    return made | _control(parameter, value, lang, columns, max_value)


def _control(
    parameter: Parameter, value: Any, lang: str, columns: Sequence[str], max_value: float
) -> dict[str, Any]:
    match parameter.constraint:
        case Range() as allowed:
            return _slider(allowed, value, max_value, lang)
        case Choice(values=values):
            return {"type": "choice", "options": [(choice_label(one, lang), one) for one in values]}
        case Switch():
            return {"type": "switch"}
        case HourSpan():
            return {"type": "hours", "from": say("from", lang), "to": say("to", lang)}
        case Weekdays():
            days = [(say(day, lang), place) for place, day in enumerate(WEEKDAYS)]
            return {"type": "several", "options": days, "none": "", "count": _count(lang)}
        case Lines(example=example):
            return {"type": "lines", "example": example}
        case ColumnNames(single=True):
            names: list[tuple[str, list[str]]] = [(say("(none)", lang), [])]
            return {"type": "choice", "options": [*names, *((name, [name]) for name in columns)]}
        case ColumnNames(none_is_all=none_is_all):
            none_text = say("all of them", lang) if none_is_all else ""
            options = [(name, name) for name in columns]
            return {"type": "several", "options": options, "none": none_text, "count": _count(lang)}
    raise TypeError(f"no control for {parameter.constraint}: add one")


def _count(lang: str) -> str:
    """Template for the number of ticked boxes; steps.js fills it in."""
    return say("{chosen} of {all}", lang, chosen="{chosen}", all="{all}")


def as_json(value: Any) -> Any:
    """A value of a parameter as the page holds it."""
    return list(value) if isinstance(value, tuple) else value


def _slider(allowed: Range, value: float, max_value: float, lang: str) -> dict[str, Any]:
    """Even steps over a short range; round numbers growing by factors over a long one."""
    step = allowed.step or (1 if allowed.whole else (allowed.high - allowed.low) / 100)
    high = max(allowed.low + step, min(allowed.high, max_value), value)  # a slider has two ends
    short = allowed.scale == "linear" and (high - allowed.low) / step <= MAX_POSITIONS
    numbers = even_numbers(allowed.low, high, step, value) if short else round_numbers(allowed, high, value)
    if allowed.whole:
        numbers = sorted({int(one) for one in numbers})
    digits = 0 if allowed.whole or not short else _digits(step)
    texts = [_written(one, lang, digits) for one in numbers]
    if allowed.zero:
        texts[0] = say(allowed.zero, lang)
    return {"type": "slider", "values": numbers, "texts": texts, "typed": True}


def even_numbers(low: float, high: float, step: float, value: float) -> list[float]:
    """From low to high by steps, with both ends and the value itself."""
    digits = max(_digits(step), _digits(low)) + 2
    found = {round(low + place * step, digits) for place in range(math.floor((high - low) / step + 1e-9) + 1)}
    near = {one for one in found if math.isclose(one, value, abs_tol=step * 1e-6)}
    return sorted((found - near) | {value} | {high})


def _digits(step: float) -> int:
    """How many decimals a number has, at most six."""
    return max(0, len(f"{step:.6f}".rstrip("0").partition(".")[2]))


def round_numbers(allowed: Range, high: float, value: float) -> list[float]:
    """1, 1.5, 2, 3, 5, 7, 10, 15 … within the range, with its ends and the value itself."""
    round_ones = set()
    start = allowed.low if allowed.low > 0 else allowed.step or (1 if allowed.whole else high / 1000)
    power = math.floor(math.log10(start))
    while 10.0**power <= high:
        round_ones |= {float(f"{one * 10.0**power:.6g}") for one in _NICE}
        power += 1
    inside = {one for one in round_ones if start <= one <= high} | {allowed.low, high, value}
    return sorted({int(one) for one in inside if one == int(one)} if allowed.whole else inside)


def _written(value: float, lang: str, digits: int = 0) -> str:
    even = digits and math.isclose(value, round(value, digits))
    text = f"{value:.{digits}f}" if even else f"{value:,.6g}" if value == int(value) else f"{value:g}"
    return localised(text, lang)
