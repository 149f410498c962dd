"""Small parts of the page: cards, the strip of headline numbers, banners, previews. No state."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as widgets
import pandas as pd

from insanonym_core.experiment import Report
from insanonym_core.lessons import lessons_of
from insanonym_core.report.ledger import Ledger
from insanonym_core.report.protection import about_columns, not_protected
from insanonym_core.results.threats import by_group
from insanonym_core.texts import Phrase, say
from insanonym_core.texts.numbers import number, percent
from insanonym_dashboard.served import SERVED

INTERNAL = Phrase("Something went wrong here; the server's log has the details.")
ALL_THREATS = "All threats and what is not protected"
SAME = 5e-3  # a change that two decimals show


def labelled(widget: Any, name: str) -> Any:
    """Give a control a name for screen readers, where its label is not visible."""
    widget.description = name
    widget.add_class("insanonym-labelled")
    return widget


def close_all(widget: widgets.Widget) -> None:
    """Close a widget and all its children."""
    for child in getattr(widget, "children", ()):
        close_all(child)
    widget.close()


def strip(live: Report, report: Report | None, previous: dict[str, float], lang: str) -> str:
    """Utility, privacy and defence with bars and changes; what decides privacy and what is not protected.

    `live` is what is known of the current setting; numbers that are still computed come from the last
    `report`, dimmed. Until all is measured, privacy and defence are at most what they are: the strongest
    attackers come last.
    """
    cells = []
    for what, title in (("utility", "Utility"), ("privacy", "Privacy"), ("defence", "Defence")):
        value = getattr(live, what)
        stale = math.isnan(value) and live is not report and report is not None
        shown = getattr(report, what) if stale else value
        formula = "utility × privacy" if what == "defence" else live.headline_of(what).formula
        told = html.escape(say(formula, lang), quote=True)
        width = 0.0 if math.isnan(shown) else 100 * min(max(shown, 0.0), 1.0)
        at_most = what != "utility" and live is not report and not stale and not math.isnan(shown)
        change = "" if at_most else _change(shown, previous.get(what, math.nan), lang)
        cells.append(
            f'<div class="headline{" stale" if stale else ""}" data-headline="{what}" data-value="{shown!r}" '
            f'title="{told}"><h2>{say(title, lang)}</h2><b>{"≤ " * at_most}{number(shown, lang, 2)}</b> '
            f"{change}"
            f'<span class="bar"><i style="width:{width:.1f}%"></i></span></div>'
        )
    return f'<div class="insanonym-strip">{"".join(cells)}{threat_box(live, report, lang)}</div>'


def threat_box(live: Report, report: Report | None, lang: str) -> str:
    """What decides privacy in one sentence; the groups and all that is not protected open below it."""
    shown = live if live.threats or report is None else report
    stale = " stale" if shown is not live or live is not report else ""
    decided = shown.decided_by
    said = decided.sentence(lang) if decided else say("No threat could be measured.", lang)
    said = said[:1].upper() + said[1:]
    if decided and decided.chance > 0:  # unknown for some; 0 is what the share itself begins at
        said += say("; guessing finds {chance}", lang, chance=percent(decided.chance, lang))
    ledger = Ledger(lang)
    sentences = not_protected(shown, ledger) if report is not None else []
    above = shown.facts.get("deletions", ())  # in the banner
    warnings = [html.escape(say(one, lang)) for one in shown.warnings if one not in above]
    details = "".join(f"<li>{sentence}</li>" for sentence in (*warnings, *sentences))
    columns = "".join(f"<p class='insanonym-columns'>{one}</p>" for one in about_columns(shown, ledger))
    beside = _beside(shown, lang)
    opens = "All threats" if beside else ALL_THREATS  # one line has no room for both
    high = any(one is not None and one.share >= 0.5 for one in (decided, shown.larger_uncounted_threat))
    loud = " loud" if warnings or high else ""
    return (
        f'<div class="threat{loud}{stale}"><p><b>{html.escape(said)}</b></p>'
        f'<details class="unprotected"><summary>{beside}{html.escape(say(opens, lang))}</summary>'
        f"<div>{threats(shown, lang)}<h3>{html.escape(say('What this does not protect', lang))}</h3>"
        f"<ul>{details}</ul>{columns}</div></details></div>"
    )


def _beside(report: Report, lang: str) -> str:
    """Threats that stand beside the headline of privacy, and any that is larger than what decides it."""
    if report.decided_by is None:
        return ""
    keys = report.headline_of("privacy").beside
    larger = report.larger_uncounted_threat
    found = [one for one in report.threats if one.measure.key in keys or one is larger]
    told = ", ".join(f"{one.title(lang)} {percent(one.share, lang)}" for one in found)
    said = html.escape(say("Not counted: {threats}", lang, threats=told))
    return f"<b data-beside='{' '.join(one.measure.key for one in found)}'>{said}</b> · " if found else ""


def threats(report: Report, lang: str) -> str:
    """What decides the headline of privacy, and the worst threat of each of the three groups."""
    if not report.threats:
        return ""
    decided = report.decided_by
    said = say("Privacy is decided by: {threat}.", lang, threat=decided.sentence(lang)) if decided else ""
    if larger := report.larger_uncounted_threat:
        said += " " + say("A larger threat is not counted: {threat}.", lang, threat=larger.sentence(lang))
    if report.unmeasured:
        names = ", ".join(say(one.entry.title, lang) for one in report.unmeasured)
        said += " " + say("Privacy is at most this: no number for {measures}", lang, measures=names) + "."
    rows = []
    for group, found in by_group(report.measures).items():
        told, value = say(found, lang) if isinstance(found, str) else "", ""
        if not isinstance(found, str):
            beside = "" if report.in_headline(found) else f" ({say('not in the headline', lang)})"
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
            measured=one.rounded,
        )
        columns = html.escape(", ".join(one.columns[:6])) + (" …" if len(one.columns) > 6 else "")
        sign = "✔" if one.holds else "✘"
        rows.append(
            f"<li data-measured='{one.rounded}'>{sign} {html.escape(said)} <small>{columns}</small></li>"
        )
    return f"<ul class='insanonym-promises'>{''.join(rows)}</ul>"


def measures_table(report: Report | None, lang: str) -> str:
    """Every measure with its number, what it means and its formula; the whole help on hovering."""
    if report is None:
        return ""
    rows = []
    for measure in report.measures:
        score, entry = measure.score, measure.entry
        value = number(score.value, lang)
        why = say(entry.help, lang) if score.defined else say(score.undefined_because, lang)
        told = html.escape(why, quote=True)
        rows.append(
            f"<tr data-measure='{measure.key}' data-value='{score.value!r}' title='{told}'>"
            f"<td>{html.escape(say(entry.title, lang))}</td><td>{value}</td>"
            f"<td>{html.escape(_first_line(why))}"
            f"<small>{html.escape(say(entry.formula, lang).replace('`', ''))}</small></td></tr>"
        )
    return f"<table class='insanonym-table'>{''.join(rows)}</table>"


def _first_line(text: str) -> str:
    """What is seen at once; the rest is in the hover text."""
    return text.split("\n")[0]


def measure_cards(report: Report, meanings: Mapping[str, str], lang: str) -> str:
    """Some measures as cards: title, number, and one sentence on what it means."""
    cards = []
    for measure in report.measures:
        if measure.key not in meanings:
            continue
        score = measure.score
        value = number(score.value, lang)
        meaning = say(meanings[measure.key] if score.defined else score.undefined_because, lang)
        cards.append(
            f'<div data-measure="{measure.key}"><h3>{html.escape(say(measure.entry.title, lang))}</h3>'
            f"<b>{value}</b><p>{html.escape(meaning)}</p></div>"
        )
    return f'<div class="insanonym-cards">{"".join(cards)}</div>'


def lesson_links(tab: str, lang: str) -> str:
    """Links to the lessons of a tab, to read beside it; in JupyterLab the files themselves are at hand."""
    links: list[str] = []
    for lesson in lessons_of(tab):
        title = say("Lesson {number}: {title}", lang, number=lesson.number, title=say(lesson.title, lang))
        short = str(lesson.number) if links else say("Lesson {number}", lang, number=lesson.number)
        place = f"insanonym/lessons/{lesson.file(lang)}".replace(".ipynb", ".html")
        told = html.escape(title, quote=True)
        links.append(
            f'<a href="{place}" target="_blank" rel="noopener" title="{told}" aria-label="{told}">{short}</a>'
            if SERVED in os.environ
            else f'<span title="{told} (insanonym lessons)">{short}</span>'
        )
    return " · ".join(links)


def banner(message: str, lang: str, report: Report | None = None, note: str = "") -> str:
    """An error message above the last figures, with warnings of steps that deleted nearly all rows.

    The `note` follows the error.
    """
    said = [INTERNAL if message == "internal" else message] if message else []
    said += report.facts.get("deletions", ()) if report is not None else ()
    texts = [say(one, lang) for one in said]
    if message and note:
        texts[0] += f" {note}"
    return "".join(f"<p class='insanonym-error' role='alert'>{html.escape(text)}</p>" for text in texts)


def notice(message: str) -> str:
    """An information message."""
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
