"""What is said of the point of a sweep that is looked at."""

from __future__ import annotations

import html

from insanonym_core.sweep import Setting, Sweep
from insanonym_core.sweep.front import HOLLOW
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number


def about_point(point: Setting, name: str, sweep: Sweep | None, lang: str) -> str:
    """Its headlines with their range over the seeds, and the threat that decides."""
    numbers = " · ".join(
        f"{say(title, lang)} <b>{number(mean, lang, 2)}</b> ({number(low, lang, 2)}–{number(high, lang, 2)})"
        for title, (mean, low, high) in (
            ("utility", point.utility),
            ("privacy", point.privacy),
            ("defence", point.defence),
        )
    )
    written = html.escape(point.written(), quote=True)
    told = html.escape(decided_by(point, sweep, lang))
    return f"<div data-selected='{written}'>{html.escape(name)} · {numbers}{told}</div>"


def decided_by(point: Setting, sweep: Sweep | None, lang: str) -> str:
    """Which threat decides the privacy of a point, and what else must be told of it."""
    said = ""
    if point.decided_by and sweep is not None:
        title = say(sweep.title_of(point.decided_by), lang)
        said = " · " + say("privacy decided by “{threat}”", lang, threat=title)
    if point.hollow:
        said += " · " + say(HOLLOW, lang)
    if not point.fully_measured:
        said += " · " + say("privacy is at most this: the strongest attackers were not tried here", lang)
    return said


def where_sliders_are(point: Setting, moved: str, tab: str, lang: str) -> str:
    """Whether the sliders of the tab stand at the point; for `moved` see Sweeps."""
    said = {
        "set": say(
            "The sliders of the {tab} tab now stand at {setting}.", lang, tab=tab, setting=point.written(lang)
        ),
        "other": say(
            "The {tab} tab has other data, roles or rules since this sweep: its sliders stay where they "
            "are. Run the sweep again.",
            lang,
            tab=tab,
        ),
        "": say("The sliders of the {tab} tab are not at this point yet.", lang, tab=tab),
    }[moved]
    return f"<div data-moved='{moved}'>{html.escape(said)}</div>"
