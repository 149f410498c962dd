"""Render the page of a report: numbers are recorded in the ledger, texts are translated."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from jinja2 import Environment, Template
from markupsafe import Markup, escape

from insanonym_core.experiment import Report
from insanonym_core.figures.gallery import Picture, pictures
from insanonym_core.figures.print_width import PAGE
from insanonym_core.figures.printed import Printed, Printing, save_printed, write_snippets
from insanonym_core.recipe_file import text_to_share
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.registry import Measure
from insanonym_core.report.criteria import attackers, criteria, decided_by, not_tried
from insanonym_core.report.ledger import Ledger
from insanonym_core.report.protection import not_protected
from insanonym_core.report.summary import for_whom_it_is_safe, what_was_done, who_pays
from insanonym_core.results.promises import Promise
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import say

_PLOTLY_OPTIONS = "{displaylogo: false, responsive: false}"
_FAMILY_TITLES = {"utility": "Utility", "privacy": "Privacy", "attack": "Attacks"}
_COMPETITION_TITLE = "Attacks, by the competition's score"
_SHOWN_DETAILS = (
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
    printing: Printing,
    individuals: bool,
    date: str,
    facts: list[tuple[str, str]],
    job: Job | None = None,
) -> tuple[str, str]:
    """Return the page as HTML and scores.csv as text; save the figures in `folder` as `printing` says."""
    ledger = Ledger(lang)
    printed: list[Printed] = []
    kind = report.recipe.data_kind
    draw_map, sections, comparison = (kind.code(name) for name in ("map", "sections", "comparison"))
    map_page, hidden = draw_map(report, ledger, individuals) if draw_map else ("", "")
    compared = comparison.compute(report, job) if comparison else None
    page = page_template("page.html").render(
        lang=lang,
        t=lambda text: say(text, lang),
        title=say("Report: {data}", lang, data=_data_title(report, lang)),
        setting=say(recipe_text(report.recipe), lang),
        date=date,
        style=read_asset("page.css"),
        versions=dict(facts),
        recipe_hash=report.recipe.hash,
        warnings=[say(warning, lang) for warning in report.warnings],
        headlines=list(_headlines(report, ledger)),
        rows=ledger.show("rows", "original", report.rows),
        kept=ledger.show("rows", "published", report.kept),
        done=what_was_done(report, ledger),
        safe=list(for_whom_it_is_safe(report, ledger)),
        decided_by=decided_by(report, ledger),
        criteria=criteria(report, ledger),
        attackers=attackers(report, ledger),
        not_tried=not_tried(report, ledger),
        who_pays=who_pays(report, ledger),
        promises=[_promise_row(number, item, ledger) for number, item in enumerate(report.promises, start=1)],
        families=list(_families(report, ledger)),
        unprotected=not_protected(report, ledger),
        accompanying=sections(report, ledger) if sections else [],
        map=map_page,
        hidden=hidden,
        figures=[
            figure_block(item, folder, printing, printed)
            for item in pictures(
                report, lang=lang, size=PAGE.size, individuals=individuals, compared=compared, job=job
            )
        ],
        plotly=plotly_script(),
        recipe=text_to_share(report.recipe),
        facts=facts,
    )
    write_snippets(printed, folder)
    for name, detail, value in comparison.numbers(compared) if comparison else ():
        ledger.record(name, detail, value)
    return page, ledger.as_csv()


def _data_title(report: Report, lang: str) -> str:
    return report.recipe.data_name or say("data at hand", lang)


def _headlines(report: Report, ledger: Ledger) -> Iterator[dict[str, object]]:
    """Yield title, value and formula of privacy, utility and defence."""
    for what, title in (("privacy", "Privacy"), ("utility", "Utility")):
        formula = say(report.headline_of(what).formula, ledger.lang)
        value_text = ledger.show("headline", what, getattr(report, what), 3)
        yield {"title": say(title, ledger.lang), "shown": value_text, "formula": formula}
    value_text = ledger.show("headline", "defence", report.defence, 3)
    yield {
        "title": say("Defence", ledger.lang),
        "shown": value_text,
        "formula": say("utility × privacy", ledger.lang),
    }


def _promise_row(number: int, promise: Promise, ledger: Ledger) -> dict[str, object]:
    """Row of the table of guarantees: parameter asked for, value measured, whether it holds."""
    asked = ledger.show(f"promise.{number}", "asked", promise.asked)
    measured = ledger.show(f"promise.{number}", "measured", promise.rounded)
    columns = Markup('<span class="given">{}</span>').format(", ".join(promise.columns))
    sentence = ledger.sentence(promise.text, n=measured, columns=columns)
    return {
        "method": say(promise.title, ledger.lang),
        "symbol": say(promise.symbol, ledger.lang),
        "asked": asked,
        "measured": measured,
        "holds": promise.holds,
        "sentence": Markup(" ").join(filter(None, [sentence, say(promise.note, ledger.lang)])),
    }


def _families(report: Report, ledger: Ledger) -> Iterator[dict[str, object]]:
    """Yield the tables of utility, privacy and attack measures."""
    for family, title in _FAMILY_TITLES.items():
        measures = list(report.family(family))
        if measures:
            counted = any("reidentified" in measure.score.details for measure in measures)
            rows = [_measure_row(measure, ledger) for measure in measures]
            yield {"title": say(_COMPETITION_TITLE if counted else title, ledger.lang), "rows": rows}


def _measure_row(measure: Measure, ledger: Ledger) -> dict[str, object]:
    """Row of a measure: title, value, interval and details, direction and formula."""
    entry, score, lang = measure.entry, measure.score, ledger.lang
    notes: list[Markup] = []
    if score.interval:
        low, high = (
            ledger.show(measure.key, end, value, 3)
            for end, value in zip(("low", "high"), score.interval, strict=True)
        )
        notes.append(ledger.sentence("interval {low} to {high}", low=low, high=high))
    for name in _SHOWN_DETAILS:
        value = score.details.get(name)
        if value is not None and not math.isnan(value):
            text = ledger.show(measure.key, name, value, 3 if isinstance(value, float) else None)
            notes.append(
                ledger.sentence("{what} {value}", what=say(name.replace("_", " "), lang), value=text)
            )
    if not score.defined:
        ledger.record(measure.key, "value", math.nan)
        notes.append(Markup('<span class="given">{}</span>').format(say(score.undefined_because, lang)))
    return {
        "title": say(entry.title, lang),
        "help": say(entry.help, lang),
        "value": value_text(measure, ledger) if score.defined else say("n/a", lang),
        "beside": Markup("; ").join(notes),
        "better": say({"higher": "higher", "lower": "lower", "": "lower"}[entry.better], lang),
        "formula": say(entry.formula, lang),
    }


def value_text(measure: Measure, ledger: Ledger) -> Markup:
    """The value of a measure: four decimals, or none for counts such as k and l."""
    counts = (
        measure.entry.bounds is not None and measure.entry.bounds[1] > 1 and measure.score.value.is_integer()
    )
    return ledger.show(measure.key, "value", measure.score.value, None if counts else 4)


def figure_block(
    picture: Picture, folder: Path, printing: Printing, printed: list[Printed]
) -> dict[str, object]:
    """HTML of a figure and the names of its files, which are saved in `folder` and added to `printed`."""
    saved: tuple[Path, ...] = ()
    if printing.formats:
        paths = [folder / f"{picture.name}.{kind}" for kind in printing.formats]
        printed.append(save_printed(picture.drawn(printing.size), paths, printing.paper, name=picture.name))
        saved = printed[-1].paths
    data = json.loads(picture.figure.to_json())
    # "</script" inside a text of the data would end the script element.
    content = json.dumps({"data": data["data"], "layout": data["layout"]}).replace("</", "<\\/")
    call = (
        f"(f => Plotly.newPlot({json.dumps(picture.name)}, f.data, f.layout, {_PLOTLY_OPTIONS}))({content})"
    )
    label = escape(picture.title)
    html = f'<div id="{picture.name}" role="img" aria-label="{label}"></div><script>{call}</script>'
    return {
        "html": Markup(html),  # noqa: S704  names are slugs, the data is JSON
        "files": ", ".join(f"figures/{path.name}" for path in saved),
    }


@cache
def plotly_script() -> Markup:
    """The script that draws figures."""
    from plotly.offline import get_plotlyjs

    return Markup(get_plotlyjs())  # noqa: S704  plotly's own library


def read_asset(name: str) -> Markup:
    """A file of this package."""
    return Markup(resources.files(__package__).joinpath(name).read_text("utf-8"))  # noqa: S704  our own file


@cache
def page_template(name: str) -> Template:
    """A template of this package."""
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        str(read_asset(name))
    )
