"""Figure of a search: every recipe that was tried, the front, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from insanonym_core.figures.card import Card
from insanonym_core.figures.theme import SCREEN, Size
from insanonym_core.figures.tradeoff import FrontPoint, front
from insanonym_core.texts import join_texts, say
from insanonym_core.tuning import Tuned

if TYPE_CHECKING:
    import plotly.graph_objects as go


def search_figure(tuned: Tuned, *, lang: str = "en", size: Size = SCREEN) -> go.Figure:
    """Draw the trials as the search measured them, and the recipe that was found as it was measured again."""
    on_front = {one.number for one in tuned.front}
    points = [
        FrontPoint(
            say("tried", lang),
            one.recipe.written(),
            one.privacy,
            one.utility,
            *(one.privacy,) * 2,
            *(one.utility,) * 2,
            on_front=one.number in on_front,
            chosen=False,
            number=one.number,
        )
        for one in tuned.trials
        if one.counts
    ]
    final = tuned.final
    if final is not None and tuned.recipe is not None:
        low, high = final.interval or (final.privacy, final.privacy)
        points.append(
            FrontPoint(
                say("found", lang),
                tuned.recipe.written(),
                final.privacy,
                final.utility,
                low,
                high,
                *(final.utility,) * 2,
                on_front=False,
                chosen=True,
                number=0,
                hollow=tuned.hollow,
            )
        )
    base = tuned.base
    headlines = (base.data_kind.headline(what, base.headline.get(what)) for what in ("privacy", "utility"))
    privacy, utility = (say(one.formula, lang) for one in headlines)
    setting = join_texts(" · ", filter(None, (base.data_name, tuned.wish.phrase)))
    return front(
        points,
        privacy=privacy,
        utility=utility,
        reason=tuned.reason(lang) if tuned.found else "",
        card=Card(setting, None, len(tuned.trials), "recipes"),
        lang=lang,
        size=size,
    )
