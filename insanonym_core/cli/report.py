"""report: everything about one recipe in a folder to hand over."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Carded, Force, Lang, PrintedWidth, Titled
from insanonym_core.errors import UsageError
from insanonym_core.texts import say

SALTED = (
    "The report names the data by a salted digest. The salt is {salt}: keep it to show later which "
    "file this was; it is written nowhere else."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report_command)


def report_command(
    recipes: Annotated[
        list[Path],
        typer.Argument(
            metavar="RECIPE…", help="A recipe (YAML), or two of the same data to compare.", show_default=False
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to make.", show_default=False)],
    lang: Lang = "en",
    formats: Annotated[
        str, typer.Option(help="Formats of the figures beside the page; none needs no browser.")
    ] = "svg,png,pdf",
    width: PrintedWidth = "170mm",
    title: Titled = True,
    card: Carded = True,
    individuals: Annotated[
        bool,
        typer.Option("--individuals", help="Also show single individuals: such a report must not be shared."),
    ] = False,
    data_digest: Annotated[
        bool,
        typer.Option(
            "--data-digest",
            help="Also write the unsalted SHA-256 of the data, by which one unknown cell can be found.",
        ),
    ] = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Run a recipe and write index.html (one file, no network), figures, scores.csv and recipe.yaml.

    Of two recipes, a page that compares them, and the report of each beside it.
    """
    from insanonym_core.cli.role_options import split
    from insanonym_core.cli.table_input import about_columns, print_about_columns
    from insanonym_core.experiment import run
    from insanonym_core.recipe_file import read_recipe
    from insanonym_core.report import write_report
    from insanonym_core.report.build import check_report

    if len(recipes) > 1:
        if individuals or data_digest:
            raise UsageError("--individuals and --data-digest are for one recipe: leave them out.")
        _compare(recipes, output, lang, formats, width, title, card, as_json, force)
        return
    wanted = () if formats == "none" else split(formats)
    plan = read_recipe(recipes[0])
    check_report(output, lang=lang, formats=wanted, width=width, force=force)
    with show.job(24) as job:
        report = run(plan, job=job)
        job.progress("Drawing")
        salt = secrets.token_hex(16) if report.file else ""
        write_report(
            report,
            output,
            lang=lang,
            formats=wanted,
            width=width,
            title=title,
            card=card,
            individuals=individuals,
            force=force,
            salt=salt,
            data_digest=data_digest,
        )
    print_about_columns(report.facts)
    for warning in report.warnings:
        show.errors.print(say(warning, lang), style="bold red")
    if as_json:
        kept = {"data_salt": salt} if salt else {}
        about = about_columns(report.facts)
        show.print_json({"folder": str(output), "recipe": plan.hash, **kept, **report.values(), **about})
        return
    if salt:
        show.errors.print(SALTED.format(salt=salt))
    show.errors.print(f"Report written to {output}: open {output / 'index.html'}.")


def _compare(
    paths: list[Path],
    output: Path,
    lang: str,
    formats: str,
    width: str,
    title: bool,
    card: bool,
    as_json: bool,
    force: bool,
) -> None:
    """Run two recipes, and write what differs with the report of each."""
    from insanonym_core.cli.role_options import split
    from insanonym_core.experiment import run
    from insanonym_core.recipe_file import read_recipe
    from insanonym_core.report import write_comparison
    from insanonym_core.report.build import check_report
    from insanonym_core.report.compare import check_same_data, part_names

    wanted = () if formats == "none" else split(formats)
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        raise UsageError("Two recipes have the same name, by which they are compared: rename one of them.")
    plans = {path.stem: read_recipe(path) for path in paths}
    check_same_data(plans)
    check_report(output, lang=lang, formats=wanted, width=width, force=force, parts=part_names(names))
    with show.job(48) as job:
        reports = {name: run(plan, job=job) for name, plan in plans.items()}
        job.progress("Drawing")
        salt = secrets.token_hex(16) if any(report.file for report in reports.values()) else ""
        write_comparison(
            reports,
            output,
            lang=lang,
            formats=wanted,
            width=width,
            title=title,
            card=card,
            force=force,
            salt=salt,
        )
    for report in reports.values():
        for warning in report.warnings:
            show.errors.print(say(warning, lang), style="bold red")
    if as_json:
        kept = {"data_salt": salt} if salt else {}
        values = {name: {"recipe": one.recipe.hash, **one.values()} for name, one in reports.items()}
        show.print_json({"folder": str(output), **kept, "recipes": values})
        return
    if salt:
        show.errors.print(SALTED.format(salt=salt))
    show.errors.print(f"Report written to {output}: open {output / 'index.html'}.")
