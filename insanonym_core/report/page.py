"""Render the page of a report: numbers are recorded in the ledger, texts are translated."""

from __future__ import annotations

import json
from dataclasses import replace
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
from insanonym_core.report.criteria import attackers, criteria, not_tried
from insanonym_core.report.first_page import for_whom_it_is_safe, what_was_done, who_pays
from insanonym_core.report.ledger import Ledger, prose
from insanonym_core.report.summary import summary_of
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import say

FIGURE = replace(PAGE.layout(card=False), height=290)  # three on a page; the page itself tells the recipe
_PLOTLY_OPTIONS = "{displaylogo: false, responsive: false}"


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
        setting=say(report.setting, lang),
        date=date,
        style=read_asset("page.css"),
        versions=dict(facts),
        recipe_hash=report.recipe.hash,
        **summary_of(report, ledger),
        done=what_was_done(report, ledger),
        safe=list(for_whom_it_is_safe(report, ledger)),
        criteria=criteria(report, ledger),
        attackers=attackers(report, ledger),
        not_tried=not_tried(report, ledger),
        who_pays=who_pays(report, ledger),
        accompanying=sections(report, ledger) if sections else [],
        map=map_page,
        hidden=hidden,
        figures=[
            figure_block(item, folder, printing, printed)
            for item in pictures(
                report,
                lang=lang,
                size=FIGURE,
                individuals=individuals,
                compared=compared,
                job=job,
            )
        ],
        plotly=plotly_script(),
        recipe=text_to_share(report.recipe),
        facts=[(say(name, lang), value) for name, value in facts],
    )
    write_snippets(printed, folder)
    for name, detail, value in comparison.numbers(compared) if comparison else ():
        ledger.record(name, detail, value)
    return page, ledger.as_csv()


def _data_title(report: Report, lang: str) -> str:
    return report.recipe.data_name or say("data at hand", lang)


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
    files = ", ".join(f"figures/{path.name}" for path in saved)
    return {
        "html": Markup(html),  # noqa: S704  names are slugs, the data is JSON
        "caption": Markup("<br>").join(filter(None, [prose(picture.formula), files])),
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
