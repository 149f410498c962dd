"""Pinned settings beside each other, on the page and as a file; and the whole trail as a file."""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Mapping

from insanonym_core.experiment import Report
from insanonym_core.io.spreadsheets import defused
from insanonym_core.recipe import Recipe, method_entry
from insanonym_core.registry import Measure
from insanonym_core.sweep.front import HOLLOW
from insanonym_core.texts import Phrase, join_texts, parameter_label, say
from insanonym_core.texts.numbers import number
from insanonym_dashboard.trail import SHARE, Trail, Visit, numbers_of

COMPARISON, TRAIL = "Comparison (CSV)", "Trail (CSV)"
_HEADLINES = {"utility": "Utility", "privacy": "Privacy", "defence": "Defence"}


def comparison(trail: Trail, report: Report | None, lang: str) -> str:
    """A table with a column for each pinned setting, and one for the current setting."""
    recipes, values = _compared(trail, report, lang)
    if not trail.pinned:
        return f"<p>{html.escape(say('Pin a setting (★) to compare it with others.', lang))}</p>"
    titles = _measure_titles(report, lang)
    rows = [
        *_setting_rows(recipes, lang),
        *_number_rows(values, {key: say(title, lang) for key, title in _HEADLINES.items()}, lang),
        *_number_rows(values, titles, lang),
    ]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in recipes)
    return (
        '<div class="insanonym-scroll"><table class="insanonym-table insanonym-comparison">'
        f"<tr><th></th>{head}</tr>{''.join(rows)}</table></div>"
    )


def comparison_file(trail: Trail, report: Report | None, lang: str) -> tuple[str, bytes, str]:
    """The same as a CSV file: settings that differ as they are written, measures as whole numbers."""
    recipes, values = _compared(trail, report, lang)
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["", *map(defused, recipes)])
    for key, texts in _differing(recipes, lang).items():
        rows.writerow([defused(key), *map(defused, texts)])
    titles = {key: say(title, lang) for key, title in _HEADLINES.items()} | _measure_titles(report, lang)
    for key, title in titles.items():
        numbers = [one.get(key, math.nan) for one in values.values()]
        if not all(map(math.isnan, numbers)):
            rows.writerow([defused(title), *("" if math.isnan(one) else repr(one) for one in numbers)])
    return "comparison.csv", written.getvalue().encode(), "text/csv"


def trail_file(trail: Trail, report: Report | None, lang: str) -> tuple[str, bytes, str]:
    """Every setting of the trail in a CSV file: what it followed, its pin, what differs, and its measures.

    What must be read beside a number of privacy stands in the last column.
    """
    letter_of = {number: letter for letter, number in trail.pins.items()}
    differing = _differing({str(one.number): one.recipe for one in trail.visits}, lang)
    titles = {key: say(title, lang) for key, title in _HEADLINES.items()} | _measure_titles(report, lang)
    titles = {key: title for key, title in titles.items() if any(key in one.values for one in trail.visits)}
    written = io.StringIO()
    rows = csv.writer(written)
    head = [say("Setting", lang), say("Follows", lang), say("Pin", lang), say("Data", lang)]
    head += [*differing, *titles.values(), say("Caution", lang)]
    rows.writerow(map(defused, head))
    for place, one in enumerate(trail.visits):
        follows = one.parent + 1 if one.parent >= 0 else ""
        texts = [
            letter_of.get(one.number, ""),
            one.data_name,
            *(texts[place] for texts in differing.values()),
        ]
        numbers = [one.values.get(key, math.nan) for key in titles]
        shown = ["" if math.isnan(number) else repr(number) for number in numbers]
        rows.writerow([one.number + 1, follows, *map(defused, texts), *shown, _caution(one, lang)])
    return "trail.csv", written.getvalue().encode(), "text/csv"


def _caution(visit: Visit, lang: str) -> str:
    said = [Phrase(HOLLOW)] if visit.hollow else []
    said += [Phrase("Roles not confirmed")] if visit.recipe.roles.get("guessed") else []
    return say(join_texts(" · ", said), lang)


def _compared(
    trail: Trail, report: Report | None, lang: str
) -> tuple[dict[str, Recipe], dict[str, Mapping[str, float]]]:
    """Recipes and numbers by column: the pinned settings, and the current one."""
    pinned = {f"★ {letter}": visit for letter, visit in trail.pinned.items()}
    recipes: dict[str, Recipe] = {name: visit.recipe for name, visit in pinned.items()}
    values: dict[str, Mapping[str, float]] = {name: visit.values for name, visit in pinned.items()}
    if report is not None:
        now = say("now", lang)
        recipes[now], values[now] = report.recipe, numbers_of(report)
    return recipes, values


def _measure_titles(report: Report | None, lang: str) -> dict[str, str]:
    measures: tuple[Measure, ...] = () if report is None else report.measures
    return {
        measure.key if measure.entry.family else f"{SHARE}{measure.key}": say(measure.entry.title, lang)
        for measure in measures
    }


def _setting_rows(recipes: Mapping[str, Recipe], lang: str) -> list[str]:
    """One row for each step parameter whose value differs between the recipes."""
    rows = []
    for key, texts in _differing(recipes, lang).items():
        cells = "".join(f"<td>{html.escape(text)}</td>" for text in texts)
        rows.append(f'<tr class="setting"><td>{html.escape(key)}</td>{cells}</tr>')
    return rows


def _differing(recipes: Mapping[str, Recipe], lang: str) -> dict[str, list[str]]:
    """Parameters that are not the same everywhere, with their text in each recipe."""
    written = [_parameters(recipe, lang) for recipe in recipes.values()]
    keys = dict.fromkeys(key for one in written for key in one)
    texts_of = {key: [one.get(key, "–") for one in written] for key in keys}
    return {key: texts for key, texts in texts_of.items() if len(set(texts)) > 1}


def _parameters(recipe: Recipe, lang: str) -> dict[str, str]:
    """Every parameter of every step by title, with its value as text."""
    found: dict[str, str] = {}
    for step in recipe.complete().steps:
        title = say(method_entry(step.method, recipe.kind).title, lang)
        if not step.parameters:
            found[title] = say("yes", lang)
        for name, value in step.parameters.items():
            text = ", ".join(map(str, value)) if isinstance(value, tuple) else _value_text(value, lang)
            found[f"{title} · {parameter_label(name, lang)}"] = text
    if recipe.seed is not None:
        found[say("Seed", lang)] = str(recipe.seed)
    return found


def _value_text(value: object, lang: str) -> str:
    return (
        number(value, lang) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
    )


def _number_rows(
    values: Mapping[str, Mapping[str, float]], titles: Mapping[str, str], lang: str
) -> list[str]:
    """One row for each measure; from the second column on with the change to the first."""
    rows = []
    for key, title in titles.items():
        numbers = [one.get(key, math.nan) for one in values.values()]
        if all(map(math.isnan, numbers)):
            continue
        cells = []
        for place, value in enumerate(numbers):
            change = value - numbers[0]
            said = "" if place == 0 or math.isnan(change) or abs(change) < 0.005 else _signed(change, lang)
            cells.append(f"<td>{number(value, lang)} <small>{said}</small></td>")
        rows.append(f'<tr data-measure="{key}"><td>{html.escape(title)}</td>{"".join(cells)}</tr>')
    return rows


def _signed(change: float, lang: str) -> str:
    return f"{'+' if change > 0 else '−'}{number(round(abs(change), 2), lang)}"
