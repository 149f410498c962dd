"""anonymise: make a release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.opened import announce_seed, print_about_columns, split
from insanonym_core.cli.options import Columns, Force, column_order_of
from insanonym_core.cli.table import Drop, Identifier, PublishColumns
from insanonym_core.errors import DataError, UsageError

if TYPE_CHECKING:
    from insanonym_core.recipe import Recipe


@dataclass(frozen=True)
class _Targets:
    """What is written where. Of a table, both `aligned` and `publish` get what may be published."""

    aligned: Path | None
    publish: Path | None
    lookup: Path | None
    force: bool
    sources: tuple[Path, ...]

    def check(self, plan: Recipe) -> None:
        """Refuse early what could not be written at the end."""
        from insanonym_core.experiment.publication import NO_LOOKUP, has_lookup, publishes_two_tables
        from insanonym_core.output import check_writable

        check_release = check_writable
        if publishes_two_tables(plan):
            from insanonym_core.tabular.two_tables import check_two_tables as check_release
        for release in filter(None, (self.aligned, self.publish)):
            check_release(release, force=self.force, sources=self.sources)
        if self.lookup:
            if not has_lookup(plan):
                raise UsageError(NO_LOOKUP)
            check_writable(self.lookup, force=self.force, sources=self.sources)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(anonymise)


def anonymise(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to anonymise.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The release; of GPS traces it is to score, not to publish: rows stand as in the original.",
            show_default=False,
        ),
    ] = None,
    publish: Annotated[
        Path | None,
        typer.Option(
            help="The release to publish: sorted, without deleted rows, and no order of the original.",
            show_default=False,
        ),
    ] = None,
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
    digits: Annotated[
        int | None,
        typer.Option(
            help="Decimals of published coordinates; by default what the steps warrant.", show_default=False
        ),
    ] = None,
    time_resolution: Annotated[
        str | None,
        typer.Option(help="Step of published times: second, minute, hour or day.", show_default=False),
    ] = None,
    columns: Columns = None,
    identifier: Identifier = "",
    drop: Drop = "",
    publish_columns: PublishColumns = "",
    force: Force = False,
) -> None:
    """Anonymise FILE by one or more steps: GPS traces, or by a recipe tables, study traces and avatars.

    In GPS traces the rows of -o keep their place and deleted ones keep only the id DEL: to score, not to
    publish. --publish writes what may leave the house. Of bucketise, both name a folder or a .zip.
    """
    from insanonym_core.output import check_apart
    from insanonym_core.recipe import Recipe, step_from_text
    from insanonym_core.recipe_file import read_recipe

    if bool(recipe) == bool(step):
        raise UsageError(
            "Give the steps either by --recipe FILE or by one or more --step 'method name=value'."
        )
    if not output and not publish:
        raise UsageError("Name a file to write: -o FILE to score, --publish FILE to publish, or both.")
    check_apart(output, publish, lookup)
    plan = read_recipe(recipe) if recipe else Recipe(tuple(step_from_text(text) for text in step or []))
    if not plan.steps:
        raise DataError(f"{recipe} has no steps: a release without any would be the original itself.")
    plan = plan if seed is None else replace(plan, seed=seed)
    plan = _with_roles(plan, identifier=identifier, drop=drop, publish=publish_columns)
    targets = _Targets(output, publish, lookup, force, (file, *([recipe] if recipe else [])))
    targets.check(plan)
    announce_seed(plan.seed)
    if plan.kind == "mobility":
        _anonymise_track(plan, file, targets, columns, digits, time_resolution)
    elif columns or digits is not None or time_resolution:
        raise UsageError("--columns, --digits and --time-resolution belong to GPS traces: leave them out.")
    else:
        _anonymise_table(replace(plan, data=str(file)), targets)


def _with_roles(plan: Recipe, **named: str) -> Recipe:
    """The recipe with the roles that the command line names: they take the place of the recipe's own."""
    roles = {role: split(names) for role, names in named.items() if names}
    if roles and plan.kind == "mobility":
        raise UsageError("--id, --drop and --publish-columns belong to tables: omit them for GPS traces.")
    return replace(plan, roles={**plan.roles, **roles}) if roles else plan


def _anonymise_track(
    plan: Recipe,
    file: Path,
    targets: _Targets,
    columns: str | None,
    digits: int | None,
    time_resolution: str | None,
) -> None:
    from insanonym_core.deletions import deletion_warning
    from insanonym_core.experiment import draws_of
    from insanonym_core.mobility.files import read, refuse
    from insanonym_core.mobility.pair import Pair
    from insanonym_core.mobility.publication import (
        ORIGINAL_IDS,
        chosen_resolution,
        has_original_ids,
        write_published_track,
    )
    from insanonym_core.mobility.writer import write_track
    from insanonym_core.recipe import method_entry

    resolution = chosen_resolution(plan.methods(), digits, time_resolution)
    with show.progress(2 + len(plan.steps)) as tell:
        tell(f"Reading {file.name}")
        reading = read(file, column_order_of(columns), original=True)
        refuse(reading.problems)
        track = reading.track
        if len(track) == 0:
            raise DataError(f"{file} has no rows: give a file with at least one.")
        draws, warnings = draws_of(plan.seed, track), []
        steps = zip(plan.steps, plan.built(draws), strict=True)
        for number, (step, (method, generator)) in enumerate(steps, start=1):
            tell(step.method)
            before, track = len(track.kept), method.apply(track, generator)
            title = method_entry(step.method, "mobility").title
            warnings.append(deletion_warning(number, title, before, len(track.kept)))
        tell("Writing")
        _write_lookup(plan, Pair.of(reading.track, track), targets)
        options: dict[str, Any] = {
            "order": reading.order,
            "force": targets.force,
            "sources": targets.sources,
        }
        if targets.aligned:
            write_track(track, targets.aligned, **options)
        if targets.publish:
            write_published_track(track, targets.publish, resolution, **options)
    for warning in filter(None, warnings):
        show.errors.print(warning, style="yellow")
    kept = len(track.kept)
    if targets.aligned:
        show.errors.print(
            f"{len(track):,} rows, {len(track) - kept:,} of them deleted, written to {targets.aligned}: "
            "to score, not to publish, because they stand in the order of the original."
        )
    if targets.publish:
        show.errors.print(
            f"{kept:,} rows written to {targets.publish}, to publish: sorted, {resolution.sentence()}."
        )
        if has_original_ids(track):
            show.errors.print(ORIGINAL_IDS, style="yellow")


def _anonymise_table(plan: Recipe, targets: _Targets) -> None:
    """Tables, avatars and traces: what is written is what may be published, nothing of the pairing."""
    from insanonym_core.experiment import make_release
    from insanonym_core.experiment.publication import write_published_table

    with show.progress(1 + len(plan.steps)) as tell:
        tell(f"Reading {Path(plan.data or '').name}")
        made = make_release(plan, tell=tell)
    _write_lookup(plan, made.release, targets)
    written = [path for path in (targets.aligned, targets.publish) if path]
    for path in written:
        write_published_table(plan, made.release, path, force=targets.force, sources=targets.sources)
    for sentence in (*made.warnings, *(promise.sentence() for promise in made.promises)):
        show.errors.print(sentence)
    print_about_columns(made.facts)
    counted = f"{made.kept:,} of {made.rows:,} rows"
    if plan.kind == "traces":
        counted = f"{len(made.release.published):,} traces, counted from {counted},"
    for path in written:
        show.errors.print(f"{counted} written to {path}.")


def _write_lookup(plan: Recipe, release: Any, targets: _Targets) -> None:
    """Before the release: one without its lookup could never be undone."""
    from insanonym_core.experiment.publication import write_lookup

    if targets.lookup:
        write_lookup(plan, release, targets.lookup, force=targets.force, sources=targets.sources)
        show.errors.print(
            f"Lookup written to {targets.lookup}. Keep this file secret: it undoes the release."
        )
