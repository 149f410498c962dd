"""Small parts of the page: cards, the strip of headline numbers, banners, previews. They only show."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets
import pandas as pd

from insanonym_core.experiment import Report
from insanonym_core.lessons import lessons_of
from insanonym_core.report.ledger import Ledger
from insanonym_core.report.protection import about_columns, measured_weakness, not_protected
from insanonym_core.texts import say
from insanonym_core.threats import by_group
from insanonym_core.written import number, percent
from insanonym_dashboard.served import SERVED

SAME = 5e-3  # a change that two decimals show


def card(title: str, *children: widgets.Widget, name: str = "") -> widgets.VBox:
    """A white box with a small heading."""
    heading = [widgets.HTML(f"<h2>{html.escape(title)}</h2>")] if title else []
    made = widgets.VBox([*heading, *children])
    made.add_class("insanonym-card")
    if name:
        made.add_class(f"insanonym-{name}")
    return made


def labelled(widget: Any, name: str) -> Any:
    """A control with a name for screen readers; what it is for is seen from where it stands."""
    widget.description = name
    widget.add_class("insanonym-labelled")
    return widget


def close_all(widget: widgets.Widget) -> None:
    """Take a widget and all that is in it off the page and out of memory."""
    for child in getattr(widget, "children", ()):
        close_all(child)
    widget.close()


def strip(report: Report | None, previous: dict[str, float], lang: str) -> str:
    """Privacy, utility and defence, each with its formula and its change since the last setting."""
    if report is None:
        return ""
    cells = []
    for what, title in (("utility", "Utility"), ("privacy", "Privacy"), ("defence", "Defence")):
        value = getattr(report, what)
        formula = "utility × privacy" if what == "defence" else report.headline_of(what).formula
        cells.append(
            f'<div data-headline="{what}" data-value="{value!r}"><h2>{say(title, lang)}</h2>'
            f"<b>{number(value, lang, 2)}</b> {_change(value, previous.get(what, math.nan), lang)}"
            f"<small>{html.escape(say(formula, lang))}</small></div>"
        )
    return f'<div class="insanonym-strip">{"".join(cells)}</div>{threats(report, lang)}'


def threats(report: Report, lang: str) -> str:
    """What decides the headline of privacy, and the worst threat of each of the three groups."""
    if not report.threats:
        return ""
    decided = report.decided_by
    said = say("Privacy is decided by: {threat}.", lang, threat=decided.sentence(lang)) if decided else ""
    if report.unmeasured:
        names = ", ".join(say(one.entry.title, lang) for one in report.unmeasured)
        said += " " + say("Privacy is at most this: no number for {measures}", lang, measures=names) + "."
    rows = []
    for group, found in by_group(report.measures).items():
        told, value = say(found, lang) if isinstance(found, str) else "", ""
        if not isinstance(found, str):
            beside = "" if report.in_headline(found) else f" ({say('beside the headline', lang)})"
            told, value = (
                f"{percent(found.share, lang)} · {found.title(lang)}{beside}",
                f" data-value='{found.share!r}'",
            )
        rows.append(
            f"<li data-group='{group}'{value}><b>{html.escape(say(group.capitalize(), lang))}</b> "
            f"{html.escape(told)}</li>"
        )
    return (
        f"<div class='insanonym-threats'><p data-decided='{decided.measure.key if decided else ''}'>"
        f"{html.escape(said)}</p><ul>{''.join(rows)}</ul></div>"
    )


def _change(value: float, before: float, lang: str) -> str:
    gap = value - before
    if math.isnan(gap) or abs(gap) < SAME:
        return ""
    sign, kind = ("▲", "up") if gap > 0 else ("▼", "down")
    return f'<i class="{kind}">{sign} {number(abs(gap), lang, 2)}</i>'


def unprotected(report: Report | None, lang: str) -> str:
    """What these settings do not protect."""
    if report is None:
        return ""
    ledger = Ledger(lang)
    above = report.facts.get("deletions", ())  # in the banner
    warnings = "".join(
        f"<p class='loud'>{html.escape(say(one, lang))}</p>" for one in report.warnings if one not in above
    )
    title = html.escape(say("What this does not protect", lang))
    everything = not_protected(report, ledger)
    most = (measured_weakness(report, ledger) or everything)[:2]
    first = "".join(f"<li>{sentence}</li>" for sentence in most)
    rest = "".join(f"<li>{sentence}</li>" for sentence in everything)
    more = f"<details><summary>{html.escape(say('All of it', lang))}</summary><ul>{rest}</ul></details>"
    columns = "".join(f"<p class='insanonym-columns'>{one}</p>" for one in about_columns(report, ledger))
    return f"{warnings}<b>{title}</b><ul>{first}</ul>{columns}{more}"


def promises(report: Report | None, lang: str) -> str:
    """Asked and measured."""
    if report is None or not report.promises:
        return ""
    rows = []
    for one in report.promises:
        said = say(
            "asked {what} = {asked}, measured {what} = {measured}",
            lang,
            what=say(one.symbol, lang),
            asked=one.asked,
            measured=one.measured,
        )
        columns = html.escape(", ".join(one.columns[:6])) + (" …" if len(one.columns) > 6 else "")
        sign = "✔" if one.holds else "✘"
        rows.append(
            f"<li data-measured='{one.measured}'>{sign} {html.escape(said)} <small>{columns}</small></li>"
        )
    return f"<ul class='insanonym-promises'>{''.join(rows)}</ul>"


def measures_table(report: Report | None, lang: str) -> str:
    """Every measure with its number, and its help on hovering."""
    if report is None:
        return ""
    rows = []
    for measure in report.measures:
        score, entry = measure.score, measure.entry
        value = number(score.value, lang) if score.defined else "n/a"
        why = say(entry.help, lang) if score.defined else say(score.undefined_because, lang)
        told = html.escape(why, quote=True)
        rows.append(
            f"<tr data-measure='{measure.key}' data-value='{score.value!r}' title='{told}'>"
            f"<td>{html.escape(say(entry.title, lang))}</td><td>{value}</td>"
            f"<td><small>{html.escape(say(entry.formula, lang))}</small></td></tr>"
        )
    return f"<table class='insanonym-table'>{''.join(rows)}</table>"


def lesson_links(tab: str, lang: str) -> str:
    """Links to the lessons of a tab, to read beside it; in JupyterLab the files themselves are at hand."""
    links = []
    for lesson in lessons_of(tab):
        title = say("Lesson {number}: {title}", lang, number=lesson.number, title=say(lesson.title, lang))
        short = say("Lesson {number}", lang, number=lesson.number)
        place = f"insanonym/lessons/{lesson.file(lang)}".replace(".ipynb", ".html")
        told = html.escape(title, quote=True)
        links.append(
            f'<a href="{place}" target="_blank" rel="noopener" title="{told}">{short}</a>'
            if SERVED in os.environ
            else f'<span title="{told} (insanonym lessons)">{short}</span>'
        )
    return " · ".join(links)


def banner(message: str, lang: str, report: Report | None = None) -> str:
    """A failure, above the last picture; and the steps of the report that deleted nearly all rows."""
    internal = "Something went wrong here; the server's log has the details."
    said = [internal if message == "internal" else message] if message else []
    said += report.facts.get("deletions", ()) if report is not None else ()
    return "".join(
        f"<p class='insanonym-error' role='alert'>{html.escape(say(one, lang))}</p>" for one in said
    )


def notice(message: str) -> str:
    """Something to know, nothing that failed."""
    return f"<p class='insanonym-notice' role='status'>{html.escape(message)}</p>"


def frame_html(frame: pd.DataFrame, *, marked: Sequence[int] = (), chosen: int | None = None) -> str:
    """A few rows as a table; `marked` rows belong together, `chosen` is the one asked for."""
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in frame.columns)
    body = []
    for place, row in enumerate(frame.itertuples(index=False)):
        kind = "chosen" if place == chosen else "marked" if place in marked else ""
        body.append(
            f"<tr class='{kind}'>" + "".join(f"<td>{html.escape(_cell(cell))}</td>" for cell in row) + "</tr>"
        )
    rows = f"<tr>{head}</tr>{''.join(body)}"
    return f"<div class='insanonym-scroll'><table class='insanonym-table'>{rows}</table></div>"


def _cell(value: Any) -> str:
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value.date()) if isinstance(value, pd.Timestamp) and value == value.normalize() else str(value)
