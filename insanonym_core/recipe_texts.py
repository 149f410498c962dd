"""Recipes as people read them: titles of methods, names of parameters, values with their units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from insanonym_core.parameters import (
    WEEKDAYS,
    Choice,
    HourSpan,
    Lines,
    Parameter,
    Range,
    Switch,
    Weekdays,
    lines_by_column,
)
from insanonym_core.recipe import Recipe, Step, method_entry
from insanonym_core.texts import Phrase, choice_phrase, join_texts, parameter_phrase

_COUNTED = {
    "rows": Phrase.plural("{n:,} row", "{n:,} rows", n=2),
    "values": Phrase.plural("{n:,} value", "{n:,} values", n=2),
    "columns": Phrase.plural("{n:,} column", "{n:,} columns", n=2),
    "individuals": Phrase.plural("{n:,} individual", "{n:,} individuals", n=2),
    "decimals": Phrase.plural("{n:,} decimal", "{n:,} decimals", n=2),
    "places": Phrase.plural("{n:,} place", "{n:,} places", n=2),
    "days": Phrase.plural("{n:,.10g} day", "{n:,.10g} days", n=2),
    "degrees": Phrase.plural("{n:,.10g} degree", "{n:,.10g} degrees", n=2),
    "cells": Phrase.plural("{n:,} cell", "{n:,} cells", n=2),
    "runs": Phrase.plural("{n:,} run", "{n:,} runs", n=2),
    "recipes": Phrase.plural("{n:,} recipe", "{n:,} recipes", n=2),
}


def quantity(value: float, unit: str) -> Phrase:
    """A number with its unit: 1 row, 2 rows, 310 m."""
    if counted := _COUNTED.get(unit):
        return Phrase.plural(counted.template, counted.many, n=value)
    number = Phrase("{value:,.10g}", value=value)
    return join_texts(" ", [number, Phrase(unit)]) if unit else number


def value_text(value: Any, parameter: Parameter) -> str:  # Any: as the parameter declares
    """The value of a parameter."""
    match parameter.constraint:
        case Range(zero=word) if word and value == 0:
            return Phrase(word)
        case Range(unit=unit):
            return quantity(value, "" if unit == parameter.name else unit)
        case Choice():
            return choice_phrase(value)
        case Switch():
            return Phrase("yes") if value else Phrase("no")
        case HourSpan():
            return f"{value[0]}–{value[1]} h"
        case Lines():
            return ", ".join(lines_by_column(value)) or Phrase("(none)")
        case Weekdays():
            return join_texts(", ", (Phrase(WEEKDAYS[day]) for day in value))
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def setting_text(name: str, value: str) -> Phrase:
    """A parameter and its value: k = 10 rows."""
    return join_texts(" = ", [parameter_phrase(name), value])


def step_text(
    step: Step,
    kind: str,
    ranges: Mapping[str, Any] | None = None,  # Any: as the parameters declare
) -> Phrase:
    """The title of a step and the parameters that are set; `ranges` has the last values of swept ones."""
    entry = method_entry(step.method, kind)
    said: list[str] = [Phrase(entry.title)]
    for name, value in step.parameters.items():
        written = value_text(value, entry.parameters[name])
        last = (ranges or {}).get(name, value)
        if last != value:
            written = join_texts(" … ", [written, value_text(last, entry.parameters[name])])
        said.append(setting_text(name, written))
    return join_texts(", ", said)


def recipe_text(recipe: Recipe) -> Phrase:
    """The steps of a recipe in one line."""
    steps = [step_text(step, recipe.kind) for step in recipe.steps]
    return join_texts(" → ", steps) if steps else Phrase("unchanged")
