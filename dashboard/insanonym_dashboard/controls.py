"""Widgets from declarations: one slider, menu or box for each declared parameter of a method."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from insanonym_core.parameters import (
    WEEKDAYS,
    Choice,
    ColumnNames,
    HourSpan,
    Parameter,
    Range,
    Switch,
    Weekdays,
)
from insanonym_core.texts import choice_label, parameter_label, say
from insanonym_dashboard.elements import Ticked

Changed = Callable[[Any], None]
MAX_POSITIONS = 400
_NICE = (1, 1.5, 2, 3, 5, 7)


def control(
    parameter: Parameter,
    value: Any,
    changed: Changed,
    *,
    lang: str,
    columns: Sequence[str] = (),
    most: float = math.inf,
) -> widgets.Widget:
    """The widget of a parameter at a value; `changed` hears every new value.

    `columns` are those of the table at hand, `most` is the largest number that makes sense for it (its rows).
    """
    made, back = _widget(parameter, value, lang, columns, most)
    made.observe(lambda change: changed(back(change["new"])), "value")
    name = parameter_label(parameter.name, lang)
    unit = getattr(parameter.constraint, "unit", "")
    shown = f"{name} ({say(unit, lang)})" if unit and say(unit, lang) != name else name
    made.add_class("ins-control")
    label = widgets.HTML("" if isinstance(made, widgets.Checkbox) else f"<label>{shown}</label>")
    made.description = shown  # read by screen readers; the visible label is above, or beside a box to tick
    if not isinstance(made, widgets.Checkbox):
        made.add_class("insanonym-labelled")
    return widgets.VBox([label, made], layout=widgets.Layout(width="100%"))


def _widget(
    parameter: Parameter, value: Any, lang: str, columns: Sequence[str], most: float
) -> tuple[Any, Callable[[Any], Any]]:
    wide = widgets.Layout(width="100%")
    match parameter.constraint:
        case Range() as allowed:
            return _slider(allowed, value, most, lang)
        case Choice(values=values):
            texts = [(choice_label(one, lang), one) for one in values]
            return widgets.Dropdown(options=texts, value=value, layout=wide), _same
        case Switch():
            return widgets.Checkbox(value=value, indent=False, layout=wide), _same
        case HourSpan():
            # Past midnight (22-6) the slider counts on to 48: 22 to 30.
            low, high = value
            span = (low, high if high > low else high + 24)
            made = widgets.IntRangeSlider(value=span, min=0, max=48, layout=wide)
            return made, lambda hours: (hours[0] % 24, hours[1] if hours[1] <= 24 else hours[1] - 24)
        case Weekdays():
            names = [(say(day, lang), place) for place, day in enumerate(WEEKDAYS)]
            return Ticked(options=names, value=tuple(value), layout=wide), tuple
        case ColumnNames(single=True):
            options: list[tuple[str, Any]] = [
                (say("(none)", lang), ()),
                *((name, (name,)) for name in columns),
            ]
            known = tuple(name for name in value if name in columns)  # other data has other columns
            return widgets.Dropdown(options=options, value=known, layout=wide), _same
        case ColumnNames(none_is_all=by_itself):
            none = say("None ticked: all of them.", lang) if by_itself else ""
            return Ticked(options=list(columns), value=tuple(value), none=none, layout=wide), tuple
    raise TypeError(f"no widget for {parameter.constraint}: add one")


def _same(value: Any) -> Any:
    return value


def _slider(allowed: Range, value: float, most: float, lang: str) -> tuple[Any, Callable[[Any], Any]]:
    """Even steps over a short range; round numbers growing by factors over a long one.

    Only whole numbers can be typed: a browser would read 0,25 as 0.
    """
    wide = widgets.Layout(width="100%")
    step = allowed.step or (1 if allowed.whole else (allowed.high - allowed.low) / 100)
    high = max(allowed.low + step, min(allowed.high, most), value)  # a slider has two ends
    short = allowed.scale == "linear" and (high - allowed.low) / step <= MAX_POSITIONS
    if short and allowed.whole and not allowed.zero:
        return widgets.IntSlider(value=value, min=allowed.low, max=high, step=step, layout=wide), _same
    numbers = even_numbers(allowed.low, high, step, value) if short else round_numbers(allowed, high, value)
    digits = 0 if allowed.whole or not short else _digits(step)
    options = [(_written(one, lang, digits), one) for one in numbers]
    if allowed.zero:
        options[0] = (say(allowed.zero, lang), numbers[0])
    return widgets.SelectionSlider(options=options, value=value, layout=wide), _same


def even_numbers(low: float, high: float, step: float, value: float) -> list[float]:
    """From low to high by steps, with both ends and the value itself."""
    digits = _digits(step) + 2
    found = {round(low + place * step, digits) for place in range(math.floor((high - low) / step + 1e-9) + 1)}
    near = {one for one in found if math.isclose(one, value, abs_tol=step * 1e-6)}
    return sorted((found - near) | {value} | {high})


def _digits(step: float) -> int:
    """How many decimals a step has."""
    return max(0, len(f"{step:.6f}".rstrip("0").partition(".")[2]))


def round_numbers(allowed: Range, high: float, value: float) -> list[float]:
    """1, 1.5, 2, 3, 5, 7, 10, 15 … within the range, with its ends and the value itself."""
    found = {allowed.low, high, value}
    start = allowed.low if allowed.low > 0 else allowed.step or (1 if allowed.whole else high / 1000)
    power = math.floor(math.log10(start))
    while 10.0**power <= high:
        found |= {one * 10.0**power for one in _NICE if start <= one * 10.0**power <= high}
        power += 1
    numbers = (
        {int(one) for one in found if one == int(one)}
        if allowed.whole
        else {float(f"{one:.6g}") for one in found}
    )
    return sorted(numbers | ({int(value)} if allowed.whole else {value}))


def _written(value: float, lang: str, digits: int = 0) -> str:
    even = digits and math.isclose(value, round(value, digits))
    text = f"{value:.{digits}f}" if even else f"{value:,.6g}" if value == int(value) else f"{value:g}"
    return text.replace(",", "\u202f").replace(".", ",") if lang == "fr" else text
