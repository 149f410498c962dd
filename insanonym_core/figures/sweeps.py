"""The front of a sweep, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from insanonym_core.figures.card import Card
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.figures.tradeoff import FrontPoint, front
from insanonym_core.recipe import Step
from insanonym_core.sweep import Sweep
from insanonym_core.texts import say

if TYPE_CHECKING:
    import plotly.graph_objects as go


def front_of(sweep: Sweep, *, lang: str = "en", size: Size = SCREEN) -> go.Figure:
    """Privacy against utility of every setting, the front, and the suggested setting with its reason."""
    chosen = sweep.suggested()
    points = [
        FrontPoint(
            one.series,
            one.written(lang),
            one.privacy[0],
            one.utility[0],
            *one.privacy[1:],
            *one.utility[1:],
            on_front=one in sweep.front,
            chosen=one is chosen,
            number=number,
            hollow=one.hollow,
        )
        for number, one in enumerate(sweep.settings)
    ]
    privacy, utility = (say(sweep.headline_of(what).formula, lang) for what in ("privacy", "utility"))
    return front(
        points,
        privacy=privacy,
        utility=utility,
        reason=sweep.reason(lang) if chosen else "",
        card=card_of(sweep),
        lang=lang,
        size=size,
    )


def card_of(sweep: Sweep) -> Card:
    """Which recipes over which axes."""
    series = dict.fromkeys(point.series for point in sweep.plan.points)
    setting = "; ".join(f"{name}: {_steps_of(sweep, name)}" for name in series)
    first = min(point.recipe.seed or 0 for point in sweep.plan.points)
    return Card(
        " · ".join(filter(None, (sweep.plan.recipe.data_name, setting))),
        first if sweep.plan.seeds == 1 else None,
        len(sweep.outcomes) - len(sweep.failures),
        "runs",
    )


def _steps_of(sweep: Sweep, series: str) -> str:
    """The steps of a series, with a span where a parameter was swept."""
    points = [point for point in sweep.plan.points if point.series == series]
    first, last = points[0].recipe, points[-1].recipe
    return " → ".join(
        one.written() if one == other else _span(one, other)
        for one, other in zip(first.steps, last.steps, strict=True)
    )


def _span(one: Step, other: Step) -> str:
    ends = {name: (value, other.parameters[name]) for name, value in one.parameters.items()}
    shown = {
        name: low if low == high else f"{low:g}…{high:g}" if isinstance(low, float | int) else f"{low}…{high}"
        for name, (low, high) in ends.items()
    }
    return Step(one.method, shown).written()
