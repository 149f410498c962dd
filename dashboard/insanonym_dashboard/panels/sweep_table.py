"""The settings of the sweeps on the plot as a table: the best defence first, the front marked."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

from insanonym_core.sweep import Setting
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number
from insanonym_dashboard.panels.sweep_run import Run

_NUMBERS = {"utility": "Utility", "privacy": "Privacy", "defence": "Defence"}


def sweep_table(runs: Sequence[Run], named: Callable[[Setting], str], lang: str) -> str:
    """A row for each setting: mean, lowest and highest over its seeds, and the threat that decides."""
    rows = sorted(
        ((run, one) for run in runs for one in run.sweep.settings), key=lambda row: -row[1].defence[0]
    )
    if not rows:
        return f"<p>{html.escape(say('Run a sweep: its settings come here.', lang))}</p>"
    heads = ["Setting", *_NUMBERS.values(), "Decided by"]
    head = "".join(f"<th>{html.escape(say(one, lang))}</th>" for one in heads)
    body = "".join(_row(run, one, named, lang) for run, one in rows)
    note = html.escape(say("◆: no other setting has both more utility and more privacy.", lang))
    return (
        f'<p>{note}</p><div class="insanonym-scroll"><table class="insanonym-table insanonym-settings">'
        f"<tr>{head}</tr>{body}</table></div>"
    )


def _row(run: Run, setting: Setting, named: Callable[[Setting], str], lang: str) -> str:
    bands = (getattr(setting, name) for name in _NUMBERS)
    cells = "".join(
        f"<td>{number(mean, lang, 2)} <small>{number(low, lang, 2)}–{number(high, lang, 2)}</small></td>"
        for mean, low, high in bands
    )
    decided = say(run.sweep.title_of(setting.decided_by), lang) if setting.decided_by else ""
    best = setting in run.sweep.front
    name, kind = f"{'◆ ' * best}{html.escape(named(setting))}", "marked" * best
    return f'<tr class="{kind}"><td>{name}</td>{cells}<td>{html.escape(decided)}</td></tr>'
