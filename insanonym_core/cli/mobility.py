"""check and score: whether a release of GPS traces is valid, and its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import (
    AllowInvalid,
    AsJson,
    Columns,
    MadeBy,
    Original,
    Release,
    checked_files,
    values_of,
)
from insanonym_core.cli.reading_options import Types, Zone, reading_of
from insanonym_core.cli.score_files import competition_json, score_files, score_json
from insanonym_core.errors import DataError, Problem, UsageError, brief

if TYPE_CHECKING:
    from insanonym_core.experiment import Report


def register(app: typer.Typer) -> None:
    """Add the commands on GPS traces."""
    from insanonym_core.cli import competition, league, partition

    app.command()(check)
    app.command()(score)
    for commands in (partition, competition, league):
        commands.register(app)


def check(
    original: Original,
    release: Release,
    allow_invalid: Annotated[
        bool,
        typer.Option(
            "--allow-invalid", help="Rows without a position on the globe count as deleted: only a warning."
        ),
    ] = False,
    columns: Columns = None,
    zone: Zone = None,
    types: Types = None,
    as_json: AsJson = False,
) -> None:
    """Check that RELEASE is a valid anonymised version of ORIGINAL; list every problem with its lines."""
    boxes: dict[str, dict[str, float]] = {}
    reading = reading_of(zone=zone, types=types)
    try:
        with show.job(3) as job:
            checked = checked_files(original, release, columns, job, reading)
            checked = checked.lenient() if allow_invalid else checked
        problems, valid, boxes = checked.problems, checked.valid, checked.bounding_box()
    except DataError as error:
        problems, valid = error.problems or (Problem("unreadable", error.phrase),), False
    if as_json:
        show.print_json(
            {
                "valid": valid,
                "problems": [
                    {
                        "code": problem.code,
                        "count": problem.count,
                        "lines": problem.lines,
                        "message": problem.message,
                        "file": problem.file,
                        "role": problem.role,
                        "warning": problem.warning,
                    }
                    for problem in problems
                ],
                "bounding_box": boxes,
            }
        )
    else:
        console = show.output()
        for problem in problems:
            console.print(f"[bold]{problem.code}[/]", end="  ")
            console.print(problem.sentence(), markup=False, soft_wrap=True)
        for role, box in boxes.items():
            console.print(
                f"{role}: latitude {box['south']:.1f} to {box['north']:.1f}, "
                f"longitude {box['west']:.1f} to {box['east']:.1f}"
            )
        console.print("[bold green]valid[/]" if valid else "[bold red]invalid[/]")
    if not valid:
        raise typer.Exit(1)


def score(
    original: Original,
    release: Release,
    rules: Annotated[str, typer.Option(help="Rule set: v2 or v1.")] = "v2",
    decimals: Annotated[
        int | None,
        typer.Option(help="Decimals of the cells, for all scores and attacks (2).", show_default=False),
    ] = None,
    attacks: Annotated[str, typer.Option(help="all, none, or names separated by commas.")] = "all",
    aggregate: Annotated[
        str, typer.Option(help="How the scores are combined: mean, median, min or max.")
    ] = "mean",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Set any parameter: share=0.2, poi.work_hours=9-16."
        ),
    ] = None,
    workers: Annotated[int, typer.Option(help="Number of processes on this machine.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Scheduler of a dask cluster (tcp://10.0.0.1:8786); its workers must see the folders.",
            show_default=False,
        ),
    ] = None,
    made_by: MadeBy = None,
    allow_invalid: AllowInvalid = False,
    columns: Columns = None,
    zone: Zone = None,
    types: Types = None,
    as_json: AsJson = False,
) -> None:
    """Score RELEASE: six utility scores, all attacks, privacy and the defence score.

    ORIGINAL and RELEASE may be folders that 'insanonym partition' made.
    """
    from insanonym_core.experiment.run import entries_of, pair_recipe
    from insanonym_core.recipe_file import read_recipe
    from insanonym_core.registry import attacks as known_attacks
    from insanonym_core.registry import check_settings
    from insanonym_core.results.headlines import AGGREGATES

    if aggregate not in AGGREGATES:
        raise UsageError(
            "The aggregate must be one of {aggregates}, got {aggregate}.",
            aggregates=", ".join(AGGREGATES),
            aggregate=brief(aggregate),
        )
    recipe = pair_recipe(
        "mobility", rules=rules, aggregate=aggregate, settings=values_of(decimals, settings or [])
    )
    only = None
    if attacks != "all":
        names = [name.strip() for name in attacks.split(",")] if attacks != "none" else []
        entries = [known_attacks.get(name, data="mobility") for name in names]
        only = ("utility", *(f"attack.{entry.name}" for entry in entries))
    chosen = entries_of(recipe, only)
    check_settings(chosen, recipe.settings)
    if made_by and not any(entry.given for entry in chosen):
        raise UsageError(
            "None of these attacks learns from a recipe: leave --recipe out, or add the attack everything."
        )
    known = read_recipe(made_by) if made_by else None
    reading = reading_of(zone=zone, types=types)
    report = score_files(
        original, release, recipe, only, columns, allow_invalid, workers, cluster, known, reading
    )
    if as_json:
        show.print_json(score_json(report))
    else:
        _print_scores(report)


def _print_scores(report: Report) -> None:
    console = show.output()
    scores = show.table(f"Utility (rules {report.recipe.rules})", "score", ">value", "", "what it is")
    official = report.recipe.data_kind.official(report.recipe.rules) or frozenset()
    further = []
    for measure in report.family("utility"):
        value = measure.score
        if measure.key not in official:
            why = f" ({value.undefined_because})" if not value.defined else ""
            further.append(f"{measure.entry.name} {show.number(value.value)}{why}")
            continue
        scores.add_row(
            measure.entry.name,
            show.number(value.value),
            show.bar(value.value),
            value.undefined_because or measure.entry.title,
        )
    aggregate = report.headline_of("utility").name
    scores.add_row(f"[bold]{aggregate}[/]", f"[bold]{show.number(report.utility)}[/]", "", "")
    console.print(scores)
    if further:
        console.print(
            f"Further scores, which rules {report.recipe.rules} do not count: {', '.join(further)}."
        )
    tried = list(report.family("attack"))
    if tried:
        found = show.table(
            "\nAttacks", "attack", ">re-identified", "", ">95 % interval", ">chance", ">competition"
        )
        for measure in tried:
            value, details = measure.score, measure.score.details
            share = float(details["reidentified"] or 0)
            found.add_row(
                measure.entry.name,
                show.number(share),
                show.bar(share, 10),
                f"{details['reidentified_low']:.3f} – {details['reidentified_high']:.3f}",
                show.number(float(details["chance_reidentified"] or 0)),
                show.number(value.value),
            )
        console.print(found)
    for measure in report.family("privacy"):
        told = show.number(measure.score.value) if measure.score.defined else measure.score.undefined_because
        console.print(f"{measure.entry.title}: {told}")
    at_most = "" if report.facts.get("recipe_known") else "at most "
    console.print(
        f"\n{report.rows:,} rows, {report.rows - report.kept:,} deleted. "
        f"Privacy {at_most if tried else ''}{show.number(report.privacy)}, "
        f"defence {show.number(report.defence)} (utility × privacy)."
    )
    if report.decided_by is not None:
        console.print(f"Decided by: {report.decided_by.sentence()}.", markup=False)
    if (larger := report.larger_uncounted_threat) is not None:
        console.print(f"A larger threat is not counted: {larger.sentence()}.", markup=False)
    if at_most and any(measure.entry.given for measure in tried):
        console.print("The recipe is not known: with --recipe FILE the strongest attacker learns from it.")
    if tried:
        counted = competition_json(report)
        console.print(
            f"In the competition's scoring, where DEL may be guessed: best attack "
            f"{show.number(counted['best_attack'])}, privacy {show.number(counted['privacy'])}, defence "
            f"{show.number(counted['defence'])}."
        )
    if not report.release.valid:
        console.print("[bold red]This release is not valid for the competition.[/]")
