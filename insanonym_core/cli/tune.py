"""tune: find a recipe for a wish."""

from __future__ import annotations

import math
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import (
    AsJson,
    Carded,
    Columns,
    Force,
    PrintedWidth,
    Titled,
    check_figure,
    save_figure,
    speak,
)
from insanonym_core.cli.reading_options import (
    Decimal,
    Encoding,
    Separator,
    Sheet,
    Types,
    Zone,
    reading_of,
)
from insanonym_core.cli.role_options import split
from insanonym_core.cli.table_input import table_data
from insanonym_core.cli.table_options import Drop, Identifier, PublishColumns, Quasi, Sensitive
from insanonym_core.errors import DataError, UsageError, brief

if TYPE_CHECKING:
    from collections.abc import Callable

    from insanonym_core.kinds import Data
    from insanonym_core.tuning import Search, Tried, Tuned

MAX_SHOWN = 12


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("tune")(tune_command)


def tune_command(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA", help="A file, or demonstration data such as demo:mobility.", show_default=False
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The recipe that is found (YAML).", show_default=False),
    ] = None,
    at_least: Annotated[
        list[str] | None,
        typer.Option(help="A bound: privacy=0.7, utility.poi=0.3; repeat for more.", show_default=False),
    ] = None,
    at_most: Annotated[
        list[str] | None,
        typer.Option(help="The same from above, such as utility.ncp=0.2.", show_default=False),
    ] = None,
    maximise: Annotated[str, typer.Option(help="utility, privacy or defence.")] = "",
    kind: Annotated[
        str, typer.Option(help="Kind of data: mobility, table, traces or avatars.", show_default=False)
    ] = "",
    methods: Annotated[
        str, typer.Option(help="Only these methods, separated by commas.", show_default=False)
    ] = "",
    around: Annotated[
        Path | None,
        typer.Option(help="Only recipes like this one (YAML): its steps, other values.", show_default=False),
    ] = None,
    trials: Annotated[int, typer.Option(help="How many recipes to try.")] = 300,
    minutes: Annotated[
        float | None, typer.Option(help="Stop trying after so many minutes.", show_default=False)
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that share the work.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Search the same way again.", show_default=False)] = None,
    front: Annotated[
        Path | None, typer.Option(help="Also write all trials (CSV).", show_default=False)
    ] = None,
    figure: Annotated[
        Path | None, typer.Option(help="Also draw them: .html, .svg, .png or .pdf.", show_default=False)
    ] = None,
    width: PrintedWidth = "",
    title: Titled = True,
    card: Carded = True,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the trials of an earlier search.")
    ] = False,
    identifier: Identifier = "",
    quasi: Quasi = "",
    sensitive: Sensitive = "",
    drop: Drop = "",
    publish_columns: PublishColumns = "",
    columns: Columns = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    zone: Zone = None,
    types: Types = None,
    lang: Annotated[
        str, typer.Option(help="Language of the sentences and errors: en or fr.", callback=speak)
    ] = "en",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Find a recipe that keeps some bounds with as much utility as possible.

    Methods and their parameters are searched together. The best recipes are measured again on fresh draws,
    by every attacker, those included that the search did not see. Where none keeps the bounds, it says
    what binds. Stopped halfway (Ctrl-C), --resume goes on.
    """
    from insanonym_core.kinds import all_kinds
    from insanonym_core.recipe_file import read_recipe, write_recipe
    from insanonym_core.texts import LANGUAGES
    from insanonym_core.tuning import bound_from_text, search_for
    from insanonym_core.tuning.table import write_trials

    if lang not in LANGUAGES:
        raise UsageError("--lang must be en or fr, got {lang}.", lang=brief(lang))
    roles = {
        "identifier": split(identifier),
        "quasi": split(quasi),
        "sensitive": split(sensitive),
        "drop": split(drop),
        "publish": split(publish_columns),
    }
    reading = reading_of(
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        sheet=sheet,
        zone=zone,
        types=types,
        columns=columns,
    )
    _check_outputs(output, front, figure, force, resume)
    if figure:
        check_figure(figure, width)
    demos = {name for known in all_kinds().values() for name in known.demos}
    search, table = search_for(
        data if data in demos else table_data(data),
        at_least=dict(bound_from_text(text, "--at-least") for text in at_least or []),
        at_most=dict(bound_from_text(text, "--at-most") for text in at_most or []),
        maximise=maximise,
        kind=kind,
        roles={role: names for role, names in roles.items() if names},
        reading=reading,
        methods=split(methods),
        around=read_recipe(around) if around else None,
    )
    _check_roles(search, table)
    limit = math.inf if minutes is None else minutes
    search = replace(search, trials=trials, minutes=limit, workers=workers, seed=seed)
    kept = front or (output.with_name(output.name + ".partial") if output else None)
    tuned, of = _run(search, table, kept, resume, force)
    if front:
        write_trials(tuned.trials, of, front, force=True)
    if figure:
        from insanonym_core.figures.tuning import search_figure

        save_figure(
            lambda size: search_figure(tuned, lang=lang, size=size),
            figure,
            width=width,
            title=title,
            card=card,
            force=force,
        )
    if output and tuned.recipe is not None:
        write_recipe(tuned.recipe.complete(), output, force=force)
    if kept and kept != front:
        kept.unlink(missing_ok=True)
    if as_json:
        show.print_json(tuned.as_json())
    else:
        _print(tuned, output, lang)


def _check_roles(search: Search, data: Data) -> None:
    """Refuse roles that name no columns, before a search in which every recipe would fail."""
    from insanonym_core.tabular.recipe_roles import roles_from_recipe
    from insanonym_core.tabular.table import Table

    if isinstance(data, Table):
        roles_from_recipe(search.base, data).checked(data, needs_quasi=False)


def _check_outputs(
    output: Path | None, front: Path | None, figure: Path | None, force: bool, resume: bool
) -> None:
    """Refuse early what could not be written at the end."""
    from insanonym_core.io.output import check_apart, check_writable

    check_apart(output, front, figure)
    for target in filter(None, (output, figure, None if resume else front)):
        check_writable(target, force=force)
    if resume and not (front or output):
        raise UsageError("--resume needs the --front or the -o of the search that it goes on with.")


def _run(search: Search, table: Data, kept: Path | None, resume: bool, force: bool) -> tuple[Tuned, str]:
    """The search with a bar of its progress; each trial is kept at once."""
    from insanonym_core.tuning import better, tune
    from insanonym_core.tuning.table import kept_trials, read_trials, search_id

    of = search_id(search.base, table)
    if kept is not None and kept.exists() and kept.stat().st_size:
        if resume:
            search = replace(search, known=tuple(read_trials(kept, search.base, of)))
        elif not force:
            raise UsageError(
                "{path} holds the trials of a search that was stopped: add --resume to go on, or --force to "
                "begin again.",
                path=kept,
            )
        else:
            kept.unlink()
    with ExitStack() as stack:
        keep: Callable[[Tried], None] = (
            stack.enter_context(kept_trials(kept, of)) if kept else lambda one: None
        )
        done = stack.enter_context(show.searched(search.trials))
        best: Tried | None = None

        def tried(one: Tried) -> None:
            nonlocal best
            keep(one)
            best = better(search.wish, best, one)
            found = (math.nan, math.nan) if best is None else (best.utility, best.privacy)
            done(one.number, *found)

        try:
            return tune(search, data=table, on_trial=tried), of
        except KeyboardInterrupt:
            where = (
                "Stopped. What was tried is kept in {kept}: the same command with --resume goes on there."
                if kept
                else "Stopped. Nothing was kept: name a recipe to write (-o) or a table of trials (--front)."
            )
            raise DataError(where, kept="" if kept is None else kept.name) from None


def _print(tuned: Tuned, output: Path | None, lang: str) -> None:
    from insanonym_core.recipe_texts import recipe_text
    from insanonym_core.texts import say

    console = show.output()
    names = [f">{say(name, lang)}" for name in ("Privacy", "Utility", "Defence")]
    title = say("The front, as the search measured it", lang)
    table = show.table(title, say("Recipe", lang), *names)
    points = tuned.front
    shown = points if len(points) <= MAX_SHOWN else points[:: math.ceil(len(points) / MAX_SHOWN)]
    for one in shown:
        numbers = (show.number(value) for value in (one.privacy, one.utility, one.values["defence"]))
        table.add_row(show.plain(one.recipe.written()), *numbers)
    if points:
        console.print(table)
        console.print()
    final, recipe = tuned.final, tuned.recipe
    if final is not None and recipe is not None:
        console.print(say("Found: {steps}", lang, steps=recipe_text(recipe)), markup=False)
        console.print(say(tuned.numbers(), lang), markup=False)
    console.print(tuned.reason(lang), markup=False)
    for note in tuned.notes():
        console.print(say(note, lang), markup=False)
    if recipe is not None and output:
        console.print(say("The recipe is written to {path}.", lang, path=str(output)), markup=False)
