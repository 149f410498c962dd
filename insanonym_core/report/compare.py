"""Two recipes of the same data in one report: what differs, and the report of each beside it."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from insanonym_core.errors import UsageError, brief
from insanonym_core.experiment import Report
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.registry import Measure
from insanonym_core.report.build import (
    FORMATS,
    Options,
    check_report,
    date_text,
    fill_folder,
    provenance,
    replaced_folder,
)
from insanonym_core.report.ledger import Ledger
from insanonym_core.results.threats import Found, by_group
from insanonym_core.runtime.jobs import Job
from insanonym_core.tabular.roles import unconfirmed_text
from insanonym_core.texts import say

_WHAT = (("privacy", "Privacy"), ("utility", "Utility"), ("defence", "Defence"))
_BETTER = {
    "privacy": "{name} is safer: privacy {more} against {less}.",
    "utility": "{name} is more useful: utility {more} against {less}.",
}


def write_comparison(
    reports: Mapping[str, Report],
    folder: Path | str,
    *,
    lang: str = "en",
    formats: Sequence[str] = FORMATS,
    width: str = "170mm",
    title: bool = True,
    card: bool = True,
    force: bool = False,
    now: datetime.datetime | None = None,
    job: Job | None = None,
    salt: str = "",
) -> Path:
    """Write a page that compares two reports, by name, and a folder with the report of each.

    Both must be of the same data. No single individual is shown.
    """
    from insanonym_core.figures.printed import Printing

    check_same_data({name: report.recipe for name, report in reports.items()})
    folder = Path(folder).resolve()
    parts = part_names(reports)
    check_report(folder, lang=lang, formats=formats, width=width, force=force, parts=parts)
    options = Options(lang, Printing(tuple(formats), width, title, card), False, date_text(now), job)
    with replaced_folder(folder) as draft:
        (draft / "figures").mkdir(parents=True)
        for part, report in zip(parts, reports.values(), strict=True):
            fill_folder(report, draft / part, options, provenance(report, salt, False))
        page, scores = _render(reports, parts, draft / "figures", options)
        (draft / "index.html").write_text(page, encoding="utf-8")
        (draft / "scores.csv").write_text(scores, encoding="utf-8")
        if not any((draft / "figures").iterdir()):
            (draft / "figures").rmdir()
    return folder


def part_names(names: Mapping[str, object] | Sequence[str]) -> list[str]:
    """The folders of the single reports."""
    return [f"recipe-{number}" for number in range(1, len(names) + 1)]


def check_same_data(recipes: Mapping[str, Recipe]) -> None:
    """Refuse anything but two recipes of the same data."""
    if len(recipes) != 2:
        raise UsageError("A report compares two recipes, got {number}.", number=len(recipes))
    one, other = recipes.values()
    if (one.kind, one.data, one.place) != (other.kind, other.data, other.place):
        raise UsageError(
            "Two recipes can be compared on the same data, got {one} and {other}: give both the same 'data'.",
            one=brief(one.data_name),
            other=brief(other.data_name),
        )


def _render(
    reports: Mapping[str, Report], parts: Sequence[str], folder: Path, options: Options
) -> tuple[str, str]:
    """The page as HTML and its numbers as CSV."""
    from insanonym_core.figures.comparison import comparison_pictures
    from insanonym_core.figures.printed import Printed, write_snippets
    from insanonym_core.report.page import FIGURE, figure_block, page_template, plotly_script, read_asset

    ledger, lang = Ledger(options.lang), options.lang
    printed: list[Printed] = []
    names, both = list(reports), list(reports.values())
    page = page_template("compare.html").render(
        lang=lang,
        t=lambda text: say(text, lang),
        title=say("Comparison: {one} and {other}", lang, one=names[0], other=names[1]),
        date=options.date,
        style=read_asset("page.css"),
        plotly=plotly_script(),
        data=both[0].recipe.data_name,
        names=names,
        parts=parts,
        recipes=[say(recipe_text(report.recipe), lang) for report in both],
        unconfirmed=[*dict.fromkeys(filter(None, (unconfirmed_text(one.facts, lang) for one in both)))],
        verdict=list(_verdict(names, both, ledger)),
        headlines=list(_headlines(both, ledger)),
        criteria=list(_criteria(both, ledger)),
        measures=list(_measures(both, ledger)),
        losses=list(_losses(both, ledger)),
        figures=[
            figure_block(picture, folder, options.printing, printed)
            for picture in comparison_pictures(names, both, lang=lang, size=FIGURE)
        ],
    )
    write_snippets(printed, folder)
    return page, ledger.as_csv()


def _verdict(names: Sequence[str], both: Sequence[Report], ledger: Ledger) -> Iterator[Markup]:
    """Which recipe is safer and which more useful, and whether that may be chance."""
    for what, sentence in _BETTER.items():
        values = [getattr(report, what) for report in both]
        if any(math.isnan(value) for value in values) or values[0] == values[1]:
            continue
        best = int(values[1] > values[0])
        shown = _pair("headline", what, values, ledger)["values"]
        yield ledger.sentence(sentence, name=_given(names[best]), more=shown[best], less=shown[1 - best])
    decided = [report.decided_by for report in both]
    intervals = [found.interval for found in decided if found is not None and found.interval is not None]
    if len(intervals) == 2 and max(low for low, _ in intervals) <= min(high for _, high in intervals):
        yield ledger.sentence(
            "The intervals of the two threats that decide overlap: the difference in privacy may be chance."
        )
    missing = [name for name, found in zip(names, decided, strict=True) if found is None]
    if missing:
        yield ledger.sentence("No threat was measured for {name}.", name=_given(", ".join(missing)))


def _headlines(both: Sequence[Report], ledger: Ledger) -> Iterator[dict[str, object]]:
    for what, title in _WHAT:
        values = [getattr(report, what) for report in both]
        yield {"title": say(title, ledger.lang), **_pair("headline", what, values, ledger)}


def _pair(
    name: str, detail: str, values: Sequence[float], ledger: Ledger
) -> dict[str, Any]:  # Any: a list of texts and a text
    """Both values and the second less the first."""
    shown = [
        ledger.show(f"{part}.{name}", detail, value, 3) if not math.isnan(value) else say("n/a", ledger.lang)
        for part, value in enumerate(values, start=1)
    ]
    known = not any(map(math.isnan, values))
    change = ledger.show(f"difference.{name}", detail, values[1] - values[0], 3) if known else ""
    return {"values": shown, "change": change}


def _criteria(both: Sequence[Report], ledger: Ledger) -> Iterator[dict[str, object]]:
    """The worst threat of each criterion under both recipes."""
    groups = [by_group(report.measures) for report in both]
    for group in groups[0]:
        cells = [_threat(part, found[group], ledger) for part, found in enumerate(groups, start=1)]
        yield {"title": say(group.capitalize(), ledger.lang), "cells": cells}


def _threat(part: int, found: Found | str, ledger: Ledger) -> dict[str, object]:
    if isinstance(found, str):
        text = say("not tested" if found == "not measured" else found, ledger.lang)
        return {"share": text, "measure": "", "interval": ""}
    name = f"{part}.{found.measure.key}"
    interval: Markup | str = ""
    if found.interval is not None:
        low, high = (
            ledger.share(name, f"threat_{end}", value)
            for end, value in zip(("low", "high"), found.interval, strict=True)
        )
        interval = ledger.sentence("{low} to {high}", low=low, high=high)
    return {
        "share": ledger.share(name, "threat", found.share),
        "measure": found.title(ledger.lang),
        "interval": interval,
    }


def _measures(both: Sequence[Report], ledger: Ledger) -> Iterator[dict[str, object]]:
    """Every measure of both, in the order of the first."""
    others: dict[str, Measure] = {measure.key: measure for measure in both[1].measures}
    for measure in both[0].measures:
        other = others.get(measure.key)
        values = [measure.score.value, math.nan if other is None else other.score.value]
        yield {
            "title": say(measure.entry.title, ledger.lang),
            "better": say({"higher": "higher"}.get(measure.entry.better, "lower"), ledger.lang),
            **_pair(measure.key, "value", values, ledger),
        }


def _losses(both: Sequence[Report], ledger: Ledger) -> Iterator[dict[str, object]]:
    """What people lose under both recipes."""
    losses = [report.person_losses for report in both if report.person_losses is not None]
    if len(losses) < len(both):
        return
    means, tenths = ([one.mean for one in losses], [one.worst_tenth for one in losses])
    rows = (
        (say("mean loss of a person", ledger.lang), "mean", means),
        (say("borne by the tenth who lose most", ledger.lang), "worst_tenth", tenths),
    )
    for title, detail, values in rows:
        shown = [
            say("n/a", ledger.lang) if math.isnan(value) else ledger.share(f"{part}.who_pays", detail, value)
            for part, value in enumerate(values, start=1)
        ]
        yield {"title": title, "values": shown}


def _given(text: str) -> Markup:
    return Markup('<span class="given">{}</span>').format(text)
