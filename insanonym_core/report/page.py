"""The page of a report: every number goes through the ledger, every text through the translations."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from insanonym_core.experiment import Report
from insanonym_core.figures.export import save_all
from insanonym_core.figures.gallery import Picture, pictures
from insanonym_core.jobs import Job
from insanonym_core.recipe_file import text_to_share
from insanonym_core.registry import Measure
from insanonym_core.report.ledger import Ledger
from insanonym_core.report.protection import not_protected
from insanonym_core.texts import say
from insanonym_core.threats import Found, by_group

_OPTIONS = "{displaylogo: false, responsive: false}"
_FAMILIES = {"utility": "Utility", "privacy": "Privacy", "attack": "Attacks"}
_COMPETITION = "Attacks, by the competition's score"
_DETAILS = (
    "chance",
    "reidentified",
    "held_out_rows",
    "real_rows",
    "avatars_of_half",
    "worst",
    "individuals",
    "undefined",
    "rows_tried",
    "for_l",
)


def render(
    report: Report,
    folder: Path,
    *,
    lang: str,
    formats: Sequence[str],
    individuals: bool,
    date: str,
    facts: list[tuple[str, str]],
    job: Job | None = None,
) -> tuple[str, str]:
    """The page and scores.csv; the figures are saved in `folder` in the other formats."""
    ledger = Ledger(lang)
    kind = report.recipe.data_kind
    draw_map, sections, comparison = (kind.code(name) for name in ("map", "sections", "comparison"))
    drawn, hidden = draw_map(report, ledger, individuals) if draw_map else ("", "")
    compared = comparison.compute(report, job) if comparison else None
    page = _template().render(
        lang=lang,
        t=lambda text: say(text, lang),
        title=say("Report: {data}", lang, data=_name(report, lang)),
        setting=report.recipe.written(),
        date=date,
        style=_own("page.css"),
        versions=dict(facts),
        recipe_hash=report.recipe.hash,
        warnings=[say(warning, lang) for warning in report.warnings],
        headlines=list(_headlines(report, ledger)),
        rows=ledger.show("rows", "original", report.rows),
        kept=ledger.show("rows", "published", report.kept),
        decided_by=_decided_by(report, ledger),
        threats=[_threat(group, found, report, ledger) for group, found in by_group(report.measures).items()]
        if report.threats
        else [],
        promises=[_promise(place, one, ledger) for place, one in enumerate(report.promises, start=1)],
        families=list(_families(report, ledger)),
        unprotected=not_protected(report, ledger),
        accompanying=sections(report, ledger) if sections else [],
        map=drawn,
        hidden=hidden,
        figures=[
            _figure(one, folder, formats)
            for one in pictures(report, lang=lang, individuals=individuals, compared=compared, job=job)
        ],
        plotly=_plotly(),
        recipe=text_to_share(report.recipe),
        facts=facts,
    )
    for name, detail, value in comparison.numbers(compared) if comparison else ():
        ledger.keep(name, detail, value)
    return page, ledger.as_csv()


def _name(report: Report, lang: str) -> str:
    return report.recipe.data_name or say("data at hand", lang)


def _headlines(report: Report, ledger: Ledger) -> Iterator[dict[str, Any]]:
    for what, title in (("privacy", "Privacy"), ("utility", "Utility")):
        formula = say(report.headline_of(what).formula, ledger.lang)
        shown = ledger.show("headline", what, getattr(report, what), 3)
        yield {"title": say(title, ledger.lang), "shown": shown, "formula": formula}
    shown = ledger.show("headline", "defence", report.defence, 3)
    yield {
        "title": say("Defence", ledger.lang),
        "shown": shown,
        "formula": say("utility × privacy", ledger.lang),
    }


def _decided_by(report: Report, ledger: Ledger) -> Markup | None:
    """The sentence of the threat that decides the headline of privacy."""
    decided = report.decided_by
    if decided is None or not report.unmeasured:
        return None if decided is None else _threat_text(decided, ledger)
    names = ", ".join(say(one.entry.title, ledger.lang) for one in report.unmeasured)
    at_most = ledger.sentence("Privacy is at most this: no number for {measures}", measures=names)
    return Markup("{} · {}").format(_threat_text(decided, ledger), at_most)


def _threat_text(found: Found, ledger: Ledger) -> Markup:
    share = ledger.share(found.measure.key, "threat", found.share)
    return ledger.sentence(found.threat.text, share=share, title=found.title(ledger.lang))


def _threat(group: str, found: Found | str, report: Report, ledger: Ledger) -> dict[str, Any]:
    """A line for one of the three groups."""
    title = say(group.capitalize(), ledger.lang)
    if isinstance(found, str):
        return {"group": title, "share": say(found, ledger.lang), "text": "", "beside": ""}
    beside = []
    if found.interval is not None:
        low, high = (
            ledger.show(found.measure.key, f"threat_{end}", value, 3)
            for end, value in zip(("low", "high"), found.interval, strict=True)
        )
        beside.append(ledger.sentence("interval {low} to {high}", low=low, high=high))
    if not report.in_headline(found):
        beside.append(ledger.sentence("beside the headline"))
    share = ledger.share(found.measure.key, "threat", found.share)
    text = _threat_text(found, ledger)
    return {"group": title, "share": share, "text": text, "beside": Markup("; ").join(beside)}


def _promise(place: int, promise: Any, ledger: Ledger) -> dict[str, Any]:
    asked = ledger.show(f"promise.{place}", "asked", promise.asked)
    measured = ledger.show(f"promise.{place}", "measured", promise.measured)
    columns = Markup('<span class="given">{}</span>').format(", ".join(promise.columns))
    return {
        "method": say(promise.title, ledger.lang),
        "symbol": say(promise.symbol, ledger.lang),
        "asked": asked,
        "measured": measured,
        "holds": promise.holds,
        "sentence": ledger.sentence(promise.text, measured=measured, columns=columns),
    }


def _families(report: Report, ledger: Ledger) -> Iterator[dict[str, Any]]:
    for family, title in _FAMILIES.items():
        measures = list(report.family(family))
        if measures:
            counted = any("reidentified" in one.score.details for one in measures)
            rows = [_measure(one, ledger) for one in measures]
            yield {"title": say(_COMPETITION if counted else title, ledger.lang), "rows": rows}


def _measure(measure: Measure, ledger: Ledger) -> dict[str, Any]:
    entry, score, lang = measure.entry, measure.score, ledger.lang
    beside: list[Markup] = []
    if score.interval:
        low, high = (
            ledger.show(measure.key, end, value, 3)
            for end, value in zip(("low", "high"), score.interval, strict=True)
        )
        beside.append(ledger.sentence("interval {low} to {high}", low=low, high=high))
    for name in _DETAILS:
        value = score.details.get(name)
        if value is not None and not math.isnan(value):
            shown = ledger.show(measure.key, name, value, 3 if isinstance(value, float) else None)
            beside.append(
                ledger.sentence("{what} {value}", what=say(name.replace("_", " "), lang), value=shown)
            )
    if not score.defined:
        ledger.keep(measure.key, "value", math.nan)
        beside.append(Markup('<span class="given">{}</span>').format(say(score.undefined_because, lang)))
    return {
        "title": say(entry.title, lang),
        "help": say(entry.help, lang),
        "value": _value(measure, ledger) if score.defined else say("n/a", lang),
        "beside": Markup("; ").join(beside),
        "better": say({"higher": "higher", "lower": "lower", "": "lower"}[entry.better], lang),
        "formula": say(entry.formula, lang),
    }


def _value(measure: Measure, ledger: Ledger) -> Markup:
    """Shares and distances with four digits; what counts something (k, l) as it is."""
    counts = (
        measure.entry.bounds is not None and measure.entry.bounds[1] > 1 and measure.score.value.is_integer()
    )
    return ledger.show(measure.key, "value", measure.score.value, None if counts else 4)


def _figure(picture: Picture, folder: Path, formats: Sequence[str]) -> dict[str, Any]:
    saved = save_all(picture.figure, folder, picture.name, formats) if formats else []
    data = json.loads(picture.figure.to_json())
    # "</script" inside a text of the data would end the script element.
    content = json.dumps({"data": data["data"], "layout": data["layout"]}).replace("</", "<\\/")
    call = f"(f => Plotly.newPlot({json.dumps(picture.name)}, f.data, f.layout, {_OPTIONS}))({content})"
    label = escape(picture.title)
    html = f'<div id="{picture.name}" role="img" aria-label="{label}"></div><script>{call}</script>'
    return {
        "html": Markup(html),  # noqa: S704  names are slugs, the data is JSON
        "files": ", ".join(f"figures/{path.name}" for path in saved),
    }


@cache
def _plotly() -> Markup:
    from plotly.offline import get_plotlyjs

    return Markup(get_plotlyjs())  # noqa: S704  plotly's own library


def _own(name: str) -> Markup:
    return Markup(resources.files(__package__).joinpath(name).read_text("utf-8"))  # noqa: S704  our own file


@cache
def _template() -> Any:
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        str(_own("page.html"))
    )
