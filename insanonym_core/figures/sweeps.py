"""Figure of the trade-off found by a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from insanonym_core.figures.card import Card
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.figures.tradeoff import FrontPoint, front
from insanonym_core.recipe_texts import step_text
from insanonym_core.sweep import Sweep
from insanonym_core.texts import Phrase, join_texts, say

if TYPE_CHECKING:
    import plotly.graph_objects as go


def front_of(sweep: Sweep, *, lang: str = "en", size: Size = SCREEN) -> go.Figure:
    """Draw privacy against utility of all settings, the Pareto front and the suggested setting."""
    suggested = sweep.suggested()
    points = [
        FrontPoint(
            setting.series,
            setting.written(lang),
            setting.privacy[0],
            setting.utility[0],
            *setting.privacy[1:],
            *setting.utility[1:],
            on_front=setting in sweep.front,
            chosen=setting is suggested,
            number=number,
            hollow=setting.hollow,
        )
        for number, setting in enumerate(sweep.settings)
    ]
    privacy, utility = (say(sweep.headline_of(what).formula, lang) for what in ("privacy", "utility"))
    return front(
        points,
        privacy=privacy,
        utility=utility,
        reason=sweep.reason(lang) if suggested else "",
        card=sweep_card(sweep),
        lang=lang,
        size=size,
    )


def sweep_card(sweep: Sweep) -> Card:
    """The recipe card of a sweep: data, steps with their parameter ranges, number of runs."""
    series = dict.fromkeys(point.series for point in sweep.plan.points)
    settings = [Phrase("{series}: {setting}", series=name, setting=_steps_of(sweep, name)) for name in series]
    setting = join_texts("; ", settings) if len(settings) > 1 else _steps_of(sweep, next(iter(series)))
    first = min(point.recipe.seed or 0 for point in sweep.plan.points)
    return Card(
        join_texts(" · ", filter(None, (sweep.plan.recipe.data_name, setting))),
        first if sweep.plan.seeds == 1 else None,
        len(sweep.outcomes) - len(sweep.failures),
        "runs",
    )


def _steps_of(sweep: Sweep, series: str) -> Phrase:
    """The steps of a series, with the range of each swept parameter."""
    points = [point for point in sweep.plan.points if point.series == series]
    first, last = points[0].recipe, points[-1].recipe
    steps = zip(first.steps, last.steps, strict=True)
    return join_texts(" → ", (step_text(step, first.kind, last_step.parameters) for step, last_step in steps))
