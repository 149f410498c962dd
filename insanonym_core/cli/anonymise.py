"""anonymise: make a release."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.opened import print_about_columns, split
from insanonym_core.cli.options import Columns, Force, Output, column_order_of
from insanonym_core.cli.table import Drop, Identifier, PublishColumns
from insanonym_core.errors import DataError, UsageError

if TYPE_CHECKING:
    from insanonym_core.mobility.track import Track
    from insanonym_core.recipe import Recipe


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(anonymise)


def anonymise(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to anonymise.", show_default=False)],
    output: Output,
    recipe: Annotated[
        Path | None, typer.Option(help="A recipe (YAML) with the steps.", show_default=False)
    ] = None,
    step: Annotated[
        list[str] | None,
        typer.Option(help="A step such as 'planar_laplace radius=200'; repeat for more.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Repeatable draws, for lessons.", show_default=False)
    ] = None,
    lookup: Annotated[
        Path | None, typer.Option(help="Also write who is behind which pseudonym (CSV).", show_default=False)
    ] = None,
    columns: Columns = None,
    identifier: Identifier = "",
    drop: Drop = "",
    publish: PublishColumns = "",
    force: Force = False,
) -> None:
    """Anonymise FILE by one or more steps: GPS traces, or by a recipe tables, study traces and avatars.

    In GPS traces rows keep their place; deleted ones keep only the id DEL.
    """
    from insanonym_core.output import check_apart, check_writable
    from insanonym_core.recipe import Recipe, step_from_text
    from insanonym_core.recipe_file import read_recipe

    if bool(recipe) == bool(step):
        raise UsageError(
            "Give the steps either by --recipe FILE or by one or more --step 'method name=value'."
        )
    check_apart(output, lookup)
    sources = (file, *([recipe] if recipe else []))
    for target in (output, *([lookup] if lookup else [])):
        check_writable(target, force=force, sources=sources)
    plan = read_recipe(recipe) if recipe else Recipe(tuple(step_from_text(text) for text in step or []))
    if not plan.steps:
        raise DataError(f"{recipe} has no steps: a release without any would be the original itself.")
    plan = plan if seed is None else replace(plan, seed=seed)
    plan = _with_roles(plan, identifier=identifier, drop=drop, publish=publish)
    if plan.kind != "mobility":
        if lookup or columns:
            raise UsageError("--lookup and --columns belong to GPS traces: leave them out.")
        _anonymise_table(replace(plan, data=str(file)), output, force, sources)
    else:
        _anonymise_track(plan, file, output, lookup, columns, force, sources)
    if plan.seed is not None:
        show.errors.print(
            f"Seed {plan.seed} used: whoever has the original and the steps can replay this release. "
            "Leave the seed out for a real one.",
            style="yellow",
        )


def _with_roles(plan: Recipe, **named: str) -> Recipe:
    """The recipe with the roles that the command line names: they take the place of the recipe's own."""
    roles = {role: split(names) for role, names in named.items() if names}
    if roles and plan.kind == "mobility":
        raise UsageError("--id, --drop and --publish-columns belong to tables: omit them for GPS traces.")
    return replace(plan, roles={**plan.roles, **roles}) if roles else plan


def _anonymise_track(
    plan: Recipe,
    file: Path,
    output: Path,
    lookup: Path | None,
    columns: str | None,
    force: bool,
    sources: tuple[Path, ...],
) -> None:
    from insanonym_core.mobility.files import read, refuse
    from insanonym_core.mobility.writer import write_track

    with show.progress(2 + len(plan.steps)) as tell:
        tell(f"Reading {file.name}")
        reading = read(file, column_order_of(columns), original=True)
        refuse(reading.problems)
        track = reading.track
        if len(track) == 0:
            raise DataError(f"{file} has no rows: give a file with at least one.")
        for step, (method, generator) in zip(plan.steps, plan.built(), strict=True):
            tell(step.method)
            track = method.apply(track, generator)
        tell(f"Writing {output.name}")
        if lookup:  # first: a release without its lookup could never be undone
            _write_lookup(track, lookup, force, sources)
        write_track(track, output, order=reading.order, force=force, sources=sources)
    deleted = len(track) - len(track.kept)
    show.errors.print(f"{len(track):,} rows, {deleted:,} of them deleted, written to {output}.")


def _anonymise_table(plan: Recipe, output: Path, force: bool, sources: tuple[Path, ...]) -> None:
    """Tables, avatars and traces: what is written is what may be published, nothing of the pairing."""
    from insanonym_core.experiment import make_release
    from insanonym_core.tabular.files import write_frame
    from insanonym_core.traces import write_trace_table

    with show.progress(1 + len(plan.steps)) as tell:
        tell(f"Reading {Path(plan.data or '').name}")
        made = make_release(plan, tell=tell)
    if getattr(made.release, "extra", {}).get("sensitive") is not None:
        raise UsageError(
            "bucketise publishes two tables: use 'insanonym table bucketise', which makes a folder."
        )
    if plan.kind == "traces":
        write_trace_table(made.release.published, output, force=force, sources=sources)
    else:
        write_frame(made.release.published.frame(), output, force=force, sources=sources)
    for sentence in (*made.warnings, *(promise.sentence() for promise in made.promises)):
        show.errors.print(sentence)
    print_about_columns(made.facts)
    show.errors.print(f"{made.kept:,} of {made.rows:,} rows written to {output}.")


def _write_lookup(track: Track, path: Path, force: bool, sources: tuple[Path, ...]) -> None:
    from insanonym_core.mobility.methods.pseudonymise import lookup_table
    from insanonym_core.output import writing
    from insanonym_core.spreadsheets import defused_row

    with (
        writing(path, force=force, sources=sources, private=True) as beside,
        beside.open("w", newline="", encoding="utf-8") as file,
    ):
        rows = csv.writer(file)
        rows.writerow(("id", "week", "pseudonym"))
        rows.writerows(map(defused_row, lookup_table(track)))
    show.errors.print(f"Lookup written to {path}. Keep this file secret: it undoes the release.")
