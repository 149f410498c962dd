"""What `insanonym avatars` prints: every measure beside its baselines, on a console or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from insanonym_core.cli import show
from insanonym_core.cli.privacy_output import privacy_json, privacy_sentence
from insanonym_core.texts.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table as RichTable

    from insanonym_core.experiment import Report
    from insanonym_core.results.scores import JsonObject, Score, Table

SPACES = {
    "pca": "the PCA space of the originals",
    "columns": "standardised columns",
    "latent": "the PCA space before avatars are written back: not what is published",
}
_BASELINES = {"held_out_rows": "held-out", "avatars_of_half": "avatars of half", "real_rows": "real"}
_BESIDE = ("undefined", "worst", "chance", "rows_tried")


def print_measures(
    title: str,
    facts: JsonObject,
    report: Report,
    space: str,
    as_json: bool,
    warnings: Sequence[str] = (),
    followed: Mapping[str, Table] | None = None,
) -> None:
    """Print every measure with its baselines and its interval."""
    followed = followed or {}
    points = report.release.space
    ordered = sorted(report.measures, key=lambda one: (one.entry.order, one.entry.name))
    scores = {measure.entry.name: measure.score for measure in ordered}
    for sentence in warnings:
        show.errors.print(sentence, style="bold red")
    constant = [column.name for column in points.constant]
    components = len(points.components)
    decided = report.decided_by
    if as_json:
        headline = {
            "privacy": report.privacy,
            "utility": report.utility,
            **privacy_json(report),
        }
        told = {**facts, "components": components, "constant": constant, "warnings": list(warnings)}
        tables = {name: _rows(table) for name, table in followed.items()}
        show.print_json({**told, "space": space, **_flat(scores), **tables, **headline})
        return
    console = show.output()
    where = f"{SPACES[space]}, {_counted(components, 'component')}"
    console.print(_measures(f"{title} (distances in {where})", scores))
    for name, score in scores.items():
        if said := _beside(score):
            console.print(f"{name}: {said}.", markup=False)
    for because in dict.fromkeys(score.undefined_because for score in scores.values() if not score.defined):
        names = [name for name, score in scores.items() if score.undefined_because == because]
        console.print(f"n/a ({', '.join(names)}): {because}.", markup=False)
    for table in followed.values():
        shown = show.table(table.title, *(f">{name}" for name in table.columns))
        for row in _rows(table):
            shown.add_row(
                *(str(cell) if isinstance(cell, int) else show.number(cell) for cell in row.values())
            )
        console.print()
        console.print(shown)
    if decided:
        console.print(f"\n{privacy_sentence(report)}", markup=False)
    else:
        copies = percent(scores["identical"].value)
        console.print(
            f"\nPrivacy n/a: {copies} of the rows are copies, and no attack could be tried without the "
            "pairing or the method.",
            markup=False,
        )
    footer = [_counted(facts["rows"], "row"), _counted(components, "component")]
    footer += [f"k = {facts['k']}"] if "k" in facts else []
    dropped = facts.get("rows_with_missing_dropped")
    footer += [f"{_counted(dropped, 'row')} with missing values dropped"] if dropped else []
    console.print("\n" + ", ".join(footer) + ".")
    if imputed := facts.get("imputed"):
        shares = ", ".join(f"{name} {percent(share)}" for name, share in imputed.items())
        console.print(f"Imputed for distances, missing in the avatars as often: {shares}.", markup=False)
    if constant:
        console.print(f"Set aside, because they do not vary: {', '.join(constant)}.", markup=False)


def _measures(title: str, scores: dict[str, Score]) -> RichTable:
    """The table of measures: value, baselines, interval."""
    measures = show.table(
        title, "measure", ">value", *(f">{name}" for name in _BASELINES.values()), "95 % interval"
    )
    for column in (measures.columns[0], measures.columns[-1]):
        column.no_wrap = True
    for name, score in scores.items():
        low_high = " – ".join(map(show.number, score.interval)) if score.interval else ""
        details = {key: value for key, value in score.details.items() if value is not None}
        baselines = [show.number(details[key]) if key in details else "" for key in _BASELINES]
        measures.add_row(name, show.number(score.value), *baselines, low_high)
    return measures


def _beside(score: Score) -> str:
    """Baselines and details that a number is compared with."""
    return ", ".join(
        f"{key.replace('_', ' ')} {value if isinstance(value, int) else show.number(value)}"
        for key, value in score.details.items()
        if key in _BESIDE and value is not None
    )


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _flat(scores: dict[str, Score]) -> JsonObject:
    report: dict[str, Any] = {}
    for name, score in scores.items():
        report[name] = score.value
        for key, value in score.details.items():
            report[f"{name}_of_{key}" if key in _BASELINES else f"{name}_{key}"] = value
        if score.interval:
            report[f"{name}_interval"] = list(score.interval)
    undefined = {name: score.undefined_because for name, score in scores.items() if not score.defined}
    return report | {"not_available": undefined}


def _rows(table: Table) -> list[JsonObject]:
    return [
        dict(zip(table.columns, row, strict=True))
        for row in zip(*(values.tolist() for values in table.columns.values()), strict=True)
    ]
