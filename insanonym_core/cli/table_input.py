"""What the commands on tables share: a recipe from options, its run, and what is printed of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from insanonym_core.cli import show
from insanonym_core.cli.privacy_output import privacy_json, privacy_sentence
from insanonym_core.cli.role_options import ROLES, roles_of
from insanonym_core.errors import UsageError, brief

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from insanonym_core.cli.table_options import TableOptions
    from insanonym_core.experiment import Report
    from insanonym_core.kinds import Facts
    from insanonym_core.parameters import ParameterValues
    from insanonym_core.results.promises import Promise
    from insanonym_core.results.scores import JsonObject
    from insanonym_core.tabular.roles import Withheld


_MAX_HIERARCHY = 1_000_000  # bytes
_PRINTED_APART = ("not_published", "roles_guessed")  # as sentences, on standard error


def table_data(file: Path | str) -> str:
    """The `data` of a recipe for a file, also if its name looks like demonstration data."""
    name = str(file)
    return f"./{name}" if name.startswith("demo:") else name


def run_table(
    table: TableOptions,
    step: tuple[str, ParameterValues] | None = None,
    *,
    only: Collection[str] | None = (),
    by: str = "",
    settings: ParameterValues | None = None,
) -> Report:
    """Run a step, or none, on a table with the roles that the options name; no role is guessed."""
    from insanonym_core.experiment import load, run
    from insanonym_core.reading.style import Style
    from insanonym_core.recipe import Recipe, Step
    from insanonym_core.tabular.recipe_roles import roles_from_recipe
    from insanonym_core.tabular.runs import complete_rows

    Style().asked(table.output_style)
    announce_seed(table.seed)
    reading = table.reading
    steps = (Step(*step),) if step else ()
    try:
        recipe = Recipe(
            steps,
            data=table_data(table.file),
            kind="table",
            reading=reading,
            seed=table.seed,
            settings=settings or {},
        )
    except UsageError as error:
        raise UsageError(error.phrase.values.get("error", error.phrase)) from None  # nobody typed steps
    with show.job(2 + len(recipe.steps)) as job:
        job.progress(f"Reading {table.file.name}")
        data: Any = load(recipe, job.store)
        said = roles_of(
            table.roles,
            table.quasi,
            table.sensitive,
            table.identifier,
            table.drop,
            table.publish,
            data.columns,
        )
        # Roles that are not said are empty here: no role is guessed.
        roles = {**dict.fromkeys(ROLES, ()), **said, **({"by": by} if by else {})}
        recipe = replace(recipe, roles=roles)
        known = roles_from_recipe(recipe, data).checked(data, needs_quasi=False)
        rows = None if step else complete_rows(recipe, data, known, ())
        if rows is None:
            return run(recipe, only=only, job=job)
        # Nothing is done to the table: what is measured is the table of its complete rows.
        reading = {name: value for name, value in recipe.reading.items() if name != "missing"}
        report = run(replace(recipe, reading=reading), data=data.take(rows), only=only, job=job)
        return replace(report, facts={**report.facts, "missing_dropped": data.rows - len(rows)})


def announce_seed(seed: int | None) -> None:
    """Warn of a seed, before anything is written."""
    if seed is None:
        return
    if seed < 0:
        raise UsageError("The seed must be a whole number of 0 or more, got {seed}.", seed=seed)
    show.errors.print(
        f"Seed {seed}: whoever has or can guess the data, and knows the seed and the steps, can repeat the "
        "draws of this release. Leave the seed out for a real release.",
        style="yellow",
    )


def summary(report: Report) -> JsonObject:
    """Facts that every command reports on a release; also prints which columns are not published."""
    print_not_published(report.facts["not_published"])
    return {
        "rows_in": report.rows,
        "rows_out": report.kept,
        "rows_with_missing_dropped": report.facts["missing_dropped"],
        **report.release.facts,
        **about_columns(report.facts),
    }


def about_columns(facts: Facts) -> JsonObject:
    """Columns that are not published and guessed roles, as JSON values."""
    from insanonym_core.tabular.roles import not_published_list

    if "not_published" not in facts:
        return {}
    return {
        "not_published": not_published_list(facts["not_published"]),
        "roles_guessed": list(facts["roles_guessed"]),
    }


def print_about_columns(facts: Facts) -> None:
    """The same in sentences, on standard error."""
    from insanonym_core.tabular.roles import guesses_text

    if "not_published" not in facts:
        return
    print_not_published(facts["not_published"])
    if facts["roles_guessed"]:
        show.errors.print(guesses_text(facts["roles"]), style="yellow")


def print_not_published(withheld: Withheld) -> None:
    """One sentence on standard error: which columns are not published and why."""
    from insanonym_core.tabular.roles import DROPPED, GUESSED_IDENTIFIER, IDENTIFIER, not_published_text

    if not withheld:
        return
    named = (DROPPED, GUESSED_IDENTIFIER, IDENTIFIER)
    how = (
        " Check such a column before you publish it; --publish-columns (recipe: roles.publish) publishes the "
        "columns that it names."
    )
    said = not_published_text(withheld) + (how if any(why not in named for _, why in withheld) else "")
    show.errors.print(said, style="yellow")


VERIFIED = ("ncp", "rows_kept", "discernibility", "average_class", "prosecutor_mean", "l", "t", "k")


def verified(report: Report, asked: int) -> JsonObject:
    """The summary with the requested k, the measured k, and the losses."""
    found = {measure.entry.name: measure.score for measure in report.measures}
    # Of other columns than those that k is about, it would be another k.
    promise = _promise_of_k(report)
    same = promise is None or {*promise.columns} == {*report.release.quasi}
    people = found["k"].details.get("individuals") if same else None
    return (
        summary(report)
        | checked_k(report, asked)
        | ({"k_individuals": people} if people is not None else {})
        | {name: score.value for name, score in found.items() if name != "k"}
        | intervals(report)
    )


def intervals(report: Report) -> dict[str, tuple[float, float]]:
    """The 95 % interval of each measure that has one, as `name_interval`."""
    return {f"{one.entry.name}_interval": one.score.interval for one in report.measures if one.score.interval}


def told_privacy(report: Report, as_json: bool) -> JsonObject:
    """The headline of privacy: with its threats for JSON, or as a sentence."""
    from insanonym_core.tabular.unprotected import ASSUMED_QUASI

    assumed = getattr(report.release, "assumed_quasi", ())
    if as_json:
        told = privacy_json(report) | ({"quasi_identifiers_assumed": list(assumed)} if assumed else {})
    else:
        note = f" {ASSUMED_QUASI} Name them with --qi." if assumed else ""
        told = {"decided": privacy_sentence(report) + note.format(columns=", ".join(assumed))}
    return {"privacy": report.privacy, **told}


def told_l(report: Report) -> dict[str, int]:
    """The l of recursive (c, l)-diversity, where it was measured."""
    wanted = next((one.entry for one in report.measures if one.entry.name == "recursive_c"), None)
    if wanted is None:
        return {}
    return {"recursive_c_l": int(report.recipe.settings.get("recursive_c.l", wanted.parameters["l"].default))}


def checked_k(report: Report, asked: int) -> JsonObject:
    """k as it was asked for and as it is measured on what is published."""
    from insanonym_core.tabular.exposure import classes_of_release

    promise = _promise_of_k(report)
    limits = [one for one in report.promises if one.is_limit]
    measured = promise.measured if promise else int(classes_of_release(report.release).size.min())
    columns = ", ".join(promise.columns if promise else report.release.quasi)
    return {
        "asked_k": asked,
        "k": measured,
        "holds": measured >= asked and all(one.holds for one in limits),
        "verified": f"Asked k = {asked}, measured k = {measured}: every combination of [{columns}] in this "
        f"file is shared by at least {measured} rows.",
    } | ({"limits": [str(one.sentence()) for one in limits]} if limits else {})


def _promise_of_k(report: Report) -> Promise | None:
    """The k of the last step that asked for one."""
    return next((one for one in reversed(report.promises) if not one.is_limit), None)


def print_report(report: JsonObject, as_json: bool, title: str) -> None:
    """Print a report as JSON, or as a small table with its sentences and lists below."""
    if as_json:
        show.print_json(report)
        return
    console = show.output()
    figures = show.table(title, "", ">value")
    report = {name: value for name, value in report.items() if name not in _PRINTED_APART}
    for name, value in report.items():
        if isinstance(value, bool):
            figures.add_row(name, "yes" if value else "no")
        elif isinstance(value, int):
            figures.add_row(name, f"{value:,}")
        elif isinstance(value, float):
            text = f"{value:,.0f}" if value >= 1000 else show.number(value)
            between = " – ".join(map(show.number, report.get(f"{name}_interval", ())))
            figures.add_row(name, text + (f" ({between})" if between else ""))
    console.print(figures)
    for name, value in report.items():
        if isinstance(value, str):
            console.print(f"\n{value}", markup=False)
        elif isinstance(value, dict):
            console.print(f"\n{name}: {_listed(value)}", markup=False)
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            console.print(f"\n{name}: {', '.join(value)}", markup=False)
        elif isinstance(value, list):
            console.print(f"\n{name}:", markup=False)
            for number, item in enumerate(value, start=1):
                console.print(f"  {number}. {_listed(item)}", markup=False)


def _listed(item: object) -> str:
    if isinstance(item, dict):
        return "; ".join(f"{name} {_listed(value)}" for name, value in item.items())
    return ", ".join(map(str, item)) if isinstance(item, list) else str(item)


def hierarchy_lines(options: Iterable[str]) -> str:
    """The lines of `--hierarchy` options: files are read, what is not a file is taken as it is."""
    lines = []
    for option in options:
        name, mark, said = option.partition("=")
        if not (mark and name.strip() and said.strip()):
            raise UsageError(
                "--hierarchy must be COLUMN=FILE, COLUMN=date, COLUMN=5,10,50 or COLUMN=low<mid<high, got "
                "{option}.",
                option=brief(option),
            )
        lines += [f"{name}={line}" for line in _lines_of_hierarchy(Path(said)) or [said]]
    return "\n".join(lines)


def _lines_of_hierarchy(path: Path) -> list[str]:
    """Read a file of lines value;level1;level2 (ARX's format); empty if there is none."""
    import csv

    try:
        if not path.is_file():
            return []
        if path.stat().st_size > _MAX_HIERARCHY:
            raise UsageError("{path} is larger than 1 MB: give a smaller hierarchy.", path=path)
        with path.open(encoding="utf-8-sig", newline="") as file:
            return [";".join(row) for row in csv.reader(file, delimiter=";") if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        raise UsageError(
            "{path} is no hierarchy that can be read: save it as CSV in UTF-8.", path=path
        ) from None
