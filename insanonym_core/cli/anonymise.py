"""anonymise: make a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import Columns, Force, OutputStyle
from insanonym_core.cli.reading_options import (
    Decimal,
    Encoding,
    Separator,
    Sheet,
    Types,
    Zone,
    reading_of,
)
from insanonym_core.cli.role_options import ROLES, roles_of, with_roles
from insanonym_core.cli.table_input import announce_seed, print_about_columns, table_data
from insanonym_core.cli.table_options import Drop, Identifier, PublishColumns, Roles
from insanonym_core.errors import DataError, UsageError
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.kinds import Kind, Made
    from insanonym_core.recipe import Recipe

NO_MAPPING = "There is no mapping of values without a step that makes values of a table coarser: add one."
NO_LOOKUP = "There is no lookup without a step pseudonymise, of GPS traces or of a table: add one."


@dataclass(frozen=True)
class _Targets:
    """Output paths. For a kind without a file to score, both get the file to publish."""

    to_score: Path | None
    to_publish: Path | None
    lookup: Path | None
    mapping: Path | None
    force: bool
    sources: tuple[Path, ...]

    def check(self, plan: Recipe, options: Mapping[str, object]) -> None:
        """Refuse early what could not be written at the end."""
        from insanonym_core.io.output import check_writable

        publication = plan.data_kind.publishing
        for path in filter(None, (self.to_score, self.to_publish)):
            publication.check(plan, path, force=self.force, sources=self.sources, **options)
        if self.lookup:
            if not publication.has_lookup(plan):
                raise UsageError(NO_LOOKUP)
            check_writable(self.lookup, force=self.force, sources=self.sources)
        if self.mapping:
            if not publication.has_mapping(plan):
                raise UsageError(NO_MAPPING)
            check_writable(self.mapping, force=self.force, sources=self.sources)


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
            help="The release; for GPS traces with the row order of the original: to score, not to publish.",
            show_default=False,
        ),
    ] = None,
    publish: Annotated[
        Path | None,
        typer.Option(
            help="The release to publish: sorted, without deleted rows, independent of the original's order.",
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
        int | None, typer.Option(help="Seed that repeats the random draws, for lessons.", show_default=False)
    ] = None,
    lookup: Annotated[
        Path | None, typer.Option(help="Also write who is behind which pseudonym (CSV).", show_default=False)
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(help="Also write which values became which (CSV).", show_default=False),
    ] = None,
    digits: Annotated[
        int | None,
        typer.Option(
            help="Decimals of published coordinates; by default those that the steps justify.",
            show_default=False,
        ),
    ] = None,
    time_resolution: Annotated[
        str | None,
        typer.Option(help="Resolution of published times: second, minute, hour or day.", show_default=False),
    ] = None,
    columns: Columns = None,
    identifier: Identifier = "",
    drop: Drop = "",
    publish_columns: PublishColumns = "",
    role: Roles = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    zone: Zone = None,
    types: Types = None,
    output_style: OutputStyle = "",
    force: Force = False,
) -> None:
    """Anonymise FILE: GPS traces by one or more steps; tables, study traces and avatars by a recipe.

    For GPS traces, the file of -o has the row order of the original, and deleted rows have the id DEL: it is
    to score, not to publish. --publish writes the file that may be published. For bucketise, both are a
    folder or a .zip.
    """
    from insanonym_core.experiment import make_release
    from insanonym_core.io.output import check_apart
    from insanonym_core.reading.style import Style
    from insanonym_core.recipe import Recipe, step_from_text
    from insanonym_core.recipe_file import read_recipe

    if bool(recipe) == bool(step):
        raise UsageError(
            "Give the steps either by --recipe FILE or by one or more --step 'method name=value'."
        )
    if not output and not publish:
        raise UsageError("Name a file to write: -o FILE to score, --publish FILE to publish, or both.")
    check_apart(output, publish, lookup, mapping)
    plan = read_recipe(recipe) if recipe else Recipe(tuple(step_from_text(text) for text in step or []))
    if not plan.steps:
        raise DataError(
            "{recipe} has no steps: add one, because a release without any would be the original itself.",
            recipe=recipe,
        )
    plan = plan if seed is None else replace(plan, seed=seed)
    options: dict[str, Any] = {"digits": digits, "time_resolution": time_resolution, "style": output_style}
    options = {name: value for name, value in options.items() if value not in (None, "")}
    Style().asked(output_style)
    roles = {"identifier": identifier, "drop": drop, "publish": publish_columns}
    _refuse_unused(plan.data_kind, columns=columns, **roles, **options)
    if role and not plan.data_kind.roles:
        _refuse_unused(plan.data_kind, role=role)
    reading = reading_of(
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        sheet=sheet,
        zone=zone,
        types=types,
        columns=columns,
    )
    plan = replace(
        plan,
        data=table_data(file),
        folder="",
        reading=_merged(plan.reading, reading),
        roles=_roles(plan.roles, roles_of(None, **roles), role),
    )
    targets = _Targets(output, publish, lookup, mapping, force, (file, *([recipe] if recipe else [])))
    targets.check(plan, options)
    announce_seed(plan.seed)
    with show.job(2 + len(plan.steps)) as job:
        job.progress(f"Reading {file.name}")
        made = make_release(plan, job=job)
        job.progress("Writing")
        written = _write(plan, made, targets, options)
    for sentence in made.warnings:
        show.errors.print(sentence, style="yellow")
    for promise in made.promises:
        show.errors.print(promise.sentence())
    print_about_columns(made.facts)
    for sentence, style in written:
        show.errors.print(sentence, style=style)


def _roles(
    recipe: Mapping[str, object], said: Mapping[str, tuple[str, ...]], settings: list[str] | None
) -> dict[str, object]:
    """The roles of a recipe, with what the command line says instead."""
    from insanonym_core.recipe import identifiers_of

    lists = {
        name: tuple(cast(Sequence[str], recipe.get(name) or ())) for name in ROLES if name != "identifier"
    }
    lists["identifier"] = identifiers_of(recipe)
    changed = with_roles({**lists, **said}, settings)
    return {**recipe, **{name: names for name, names in changed.items() if names or name in recipe}}


def _merged(reading: Mapping[str, object], said: dict[str, object]) -> dict[str, object]:
    """The reading of a recipe, with what the command line says instead."""
    types = {
        **cast(Mapping[str, str], reading.get("types", {})),
        **cast(Mapping[str, str], said.get("types", {})),
    }
    return {**reading, **said, **({"types": types} if types else {})}


_OPTIONS = {
    "style": "--output-style",
    "identifier": "--id",
    "publish": "--publish-columns",
    "time_resolution": "--time-resolution",
}


def _refuse_unused(kind: Kind, **given: object) -> None:
    """Refuse options that do not apply to this kind of data."""
    known = {*kind.reading, *kind.roles, *kind.publishing.options}
    unused = [name for name, value in given.items() if value not in (None, "") and name not in known]
    if unused:
        names = ", ".join(_OPTIONS.get(name, f"--{name}") for name in unused)
        raise UsageError(
            "{names} cannot be used with {data_title}: leave it out.",
            names=names,
            data_title=Phrase(kind.data_title),
        )


def _write(
    plan: Recipe, made: Made, targets: _Targets, options: Mapping[str, object]
) -> list[tuple[str, str | None]]:
    """Write the lookup, then the release, so that no release is without its lookup; return the messages."""
    from insanonym_core.tabular.files import write_frame

    kind = plan.data_kind
    rights: dict[str, Any] = {"force": targets.force, "sources": targets.sources}
    publication = kind.publishing
    said: list[tuple[str, str | None]] = []
    style = publication.style(made.release)
    style = style and style.asked(str(options.get("style", "")))
    if targets.lookup:
        write_frame(publication.lookup(made.release), targets.lookup, style, private=True, **rights)
        secret = f"Lookup written to {targets.lookup}. Keep this file secret: it undoes the release."
        said.append((secret, None))
    if targets.mapping:
        write_frame(publication.mapping(made.release), targets.mapping, style, private=True, **rights)
        secret = f"Mapping written to {targets.mapping}. Keep this file secret: it holds your values."
        said.append((secret, None))
    to_publish = [targets.to_publish] if targets.to_publish else []
    if targets.to_score:
        write_aligned = kind.code("aligned")
        if write_aligned is None:
            to_publish.insert(0, targets.to_score)
        else:
            write_aligned(made.release, targets.to_score, **rights)
            aligned = (
                f"{publication.describe(made)} written to {targets.to_score}: "
                "to score, not to publish, because they stand in the order of the original."
            )
            said.append((aligned, None))
    for path in to_publish:
        told = publication.write(plan, made.release, path, **rights, **options)
        first, *warnings = told or [f"{publication.describe(made)} written to {path}."]
        said += [(first, None), *((warning, "yellow") for warning in warnings)]
    return said
