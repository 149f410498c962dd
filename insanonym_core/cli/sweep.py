"""sweep: many runs of a recipe, and the privacy–utility front they draw."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import (
    AsJson,
    Carded,
    Force,
    Output,
    PrintedWidth,
    Titled,
    check_figure,
    save_figure,
    speak,
)
from insanonym_core.cli.table_input import about_columns, print_about_columns
from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.texts.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from insanonym_core.kinds import Facts
    from insanonym_core.recipe import Recipe
    from insanonym_core.results.scores import JsonObject
    from insanonym_core.sweep import Sweep
    from insanonym_core.sweep.front import Setting


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sweep")(sweep_command)


def sweep_command(
    recipes: Annotated[
        list[Path],
        typer.Argument(metavar="RECIPE…", help="Recipes (YAML), one series each.", show_default=False),
    ],
    output: Output,
    over: Annotated[
        list[str],
        typer.Option(
            help="A parameter and its values, 'planar_laplace.radius=10:2000:20' or 'cloak.k=2,5,10'; "
            "once or twice for each recipe.",
            show_default=False,
        ),
    ],
    seeds: Annotated[int, typer.Option(help="Runs of each setting, with different seeds.")] = 1,
    workers: Annotated[int, typer.Option(help="Number of processes.")] = 1,
    figure: Annotated[
        Path | None, typer.Option(help="Also draw the front: .html, .svg, .png or .pdf.", show_default=False)
    ] = None,
    width: PrintedWidth = "",
    title: Titled = True,
    card: Carded = True,
    everything: Annotated[
        bool, typer.Option("--all", help="Compute every measure, not only those of the headlines.")
    ] = False,
    lang: Annotated[
        str, typer.Option(help="Language of the figure and of errors: en or fr.", callback=speak)
    ] = "en",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Run recipes over their parameters and find the privacy–utility front.

    If it is interrupted (Ctrl-C), the same command resumes where it stopped.
    """
    from insanonym_core.io.output import check_apart, check_writable
    from insanonym_core.recipe_file import read_recipe
    from insanonym_core.sweep import plan_sweep, run_sweep, write_sweep
    from insanonym_core.texts import LANGUAGES

    if lang not in LANGUAGES:
        raise UsageError("--lang must be en or fr, got {lang}.", lang=brief(lang))
    check_apart(output, figure)
    for target in (output, *([figure] if figure else [])):
        check_writable(target, force=force, sources=tuple(recipes))
    if figure:
        check_figure(figure, width)
    names = [path.stem for path in recipes]
    if len(set(names)) < len(names):
        raise UsageError("Two recipes have the same name, which names their points: rename one of them.")
    plan = plan_sweep({path.stem: read_recipe(path) for path in recipes}, over, seeds)
    partial = output.with_name(output.name + ".partial")
    with show.counted(len(plan.points), "runs") as done:
        try:
            sweep = run_sweep(
                plan,
                workers=workers,
                partial=partial,
                progress=lambda finished, _: done(finished),
                everything=everything,
            )
        except KeyboardInterrupt:
            raise DataError(
                "Stopped. What was done is kept in {partial}: the same command goes on from there.",
                partial=partial.name,
            ) from None
    write_sweep(sweep, output, force=force)
    chosen = sweep.suggested()
    if figure:
        from insanonym_core.figures.sweeps import front_of

        save_figure(
            lambda size: front_of(sweep, lang=lang, size=size),
            figure,
            width=width,
            title=title,
            card=card,
            force=force,
        )
    partial.unlink(missing_ok=True)
    about = _about_columns({point.series: point.recipe for point in plan.points})
    for facts in about.values():
        print_about_columns(facts)
    _report(sweep, chosen, as_json, about)


def _about_columns(recipes: Mapping[str, Recipe]) -> dict[str, Facts]:
    """Facts about roles and columns of each series, for data that has columns."""
    from insanonym_core.experiment import load

    with_columns = {name: one for name, one in recipes.items() if one.data_kind.about_columns is not None}
    return {name: one.data_kind.columns(one, load(one)) for name, one in with_columns.items()}


def _report(sweep: Sweep, chosen: Setting | None, as_json: bool, about: Mapping[str, Facts]) -> None:
    from insanonym_core.tabular.roles import unconfirmed_text

    def row(one: Setting) -> JsonObject:
        return {
            "series": one.series,
            **one.values,
            **{name: getattr(one, name)[0] for name in ("privacy", "utility", "defence")},
            **({"privacy_decided_by": one.decided_by.partition(".")[2]} if one.decided_by else {}),
            **({"found_of_published": one.found_of_published} if one.hidden_by_deletion else {}),
            **({"hollow": True} if one.hollow else {}),
            **({} if one.fully_measured else {"privacy_at_most": True}),
        }

    if as_json:
        columns = {name: about_columns(facts) for name, facts in about.items()}
        show.print_json(
            {
                "runs": len(sweep.outcomes),
                "failed": [
                    {"series": o.point.series, **o.point.values, "why": o.failed} for o in sweep.failures
                ],
                "headline": {what: sweep.headline_of(what).formula for what in ("privacy", "utility")},
                "settings": [row(one) for one in sweep.settings],
                "front": [row(one) for one in sweep.front],
                "suggested": None if chosen is None else row(chosen),
                "reason": sweep.reason(),
                **({"columns": columns} if columns else {}),
            }
        )
        return
    console = show.output()
    table = show.table("The front", "setting", ">privacy", "decided by", ">utility", ">defence", "")
    for one in sweep.front:
        series = f"{one.series}: " if len({setting.series for setting in sweep.settings}) > 1 else ""
        mark = "◄ suggested" if one is chosen else ""
        if one.hidden_by_deletion:
            mark += f" found of what is left: {percent(one.found_of_published)}"
        if one.hollow:
            mark += " hollow"
        privacy, *numbers = (show.number(band[0]) for band in (one.privacy, one.utility, one.defence))
        decided = one.decided_by.partition(".")[2]
        table.add_row(show.plain(series + one.written()), privacy, decided, *numbers, mark.strip())
    console.print(table)
    console.print(f"\nSuggested: {sweep.reason()}.", markup=False)
    for said in dict.fromkeys(filter(None, map(unconfirmed_text, about.values()))):
        console.print(said, markup=False)
    for what in ("privacy", "utility"):
        console.print(f"{what} = {sweep.headline_of(what).formula}", markup=False)
    if any(one.hollow for one in sweep.front):
        from insanonym_core.sweep.front import HOLLOW

        console.print(f"hollow: {HOLLOW}", markup=False)
    if not all(one.fully_measured for one in sweep.settings):
        left_out = ", ".join(sorted(sweep.costly_threats))
        console.print(f"Off the front, privacy is at most the number: without {left_out}.", markup=False)
    if sweep.failures:
        first = sweep.failures[0]
        number = len(sweep.failures)
        failed = "1 run failed" if number == 1 else f"{number} runs failed; the first"
        console.print(f"{failed}: {first.failed}", markup=False)
