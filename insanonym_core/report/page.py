"""Render the page of a report: numbers are recorded in the ledger, texts are translated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path

from jinja2 import Environment, Template
from markupsafe import Markup, escape

from insanonym_core.experiment import Report
from insanonym_core.figures.export import save_all
from insanonym_core.figures.gallery import Picture, pictures
from insanonym_core.recipe_file import text_to_share
from insanonym_core.report.ledger import Ledger
from insanonym_core.report.summary import summary_of
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import say

_PLOTLY_OPTIONS = "{displaylogo: false, responsive: false}"


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
    """Return the page as HTML and scores.csv as text; save the figures in `folder` in the given formats."""
    ledger = Ledger(lang)
    kind = report.recipe.data_kind
    draw_map, sections, comparison = (kind.code(name) for name in ("map", "sections", "comparison"))
    map_page, hidden = draw_map(report, ledger, individuals) if draw_map else ("", "")
    compared = comparison.compute(report, job) if comparison else None
    page = _template().render(
        lang=lang,
        t=lambda text: say(text, lang),
        title=say("Report: {data}", lang, data=_data_title(report, lang)),
        setting=say(report.setting, lang),
        date=date,
        style=_read_asset("page.css"),
        versions=dict(facts),
        recipe_hash=report.recipe.hash,
        **summary_of(report, ledger),
        accompanying=sections(report, ledger) if sections else [],
        map=map_page,
        hidden=hidden,
        figures=[
            _figure_block(item, folder, formats)
            for item in pictures(report, lang=lang, individuals=individuals, compared=compared, job=job)
        ],
        plotly=_plotly_script(),
        recipe=text_to_share(report.recipe),
        facts=facts,
    )
    for name, detail, value in comparison.numbers(compared) if comparison else ():
        ledger.record(name, detail, value)
    return page, ledger.as_csv()


def _data_title(report: Report, lang: str) -> str:
    return report.recipe.data_name or say("data at hand", lang)


def _figure_block(picture: Picture, folder: Path, formats: Sequence[str]) -> dict[str, object]:
    """HTML of a figure and the names of its files, which are saved in `folder`."""
    saved = save_all(picture.figure, folder, picture.name, formats) if formats else []
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
def _plotly_script() -> Markup:
    from plotly.offline import get_plotlyjs

    return Markup(get_plotlyjs())  # noqa: S704  plotly's own library


def _read_asset(name: str) -> Markup:
    return Markup(resources.files(__package__).joinpath(name).read_text("utf-8"))  # noqa: S704  our own file


@cache
def _template() -> Template:
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        str(_read_asset("page.html"))
    )
