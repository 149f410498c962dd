"""report: everything about one recipe in a folder to hand over."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import AsJson, Carded, Force, Lang, PrintedWidth, Titled
from insanonym_core.texts import say


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report_command)


def report_command(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A recipe (YAML).", show_default=False)],
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
    """Run a recipe and write index.html (one file, no network), figures, scores.csv and recipe.yaml."""
    from insanonym_core.cli.table_input import about_columns, print_about_columns, split
    from insanonym_core.experiment import run
    from insanonym_core.recipe_file import read_recipe
    from insanonym_core.report import write_report
    from insanonym_core.report.build import check_report

    wanted = () if formats == "none" else split(formats)
    plan = read_recipe(recipe)
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
        show.errors.print(
            f"The report names the data by a salted digest. The salt is {salt}: keep it to show later which "
            "file this was; it is written nowhere else."
        )
    show.errors.print(f"Report written to {output}: open {output / 'index.html'}.")
