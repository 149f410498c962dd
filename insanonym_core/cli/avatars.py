"""avatars: synthetic rows from PCA neighbours, or by a method to compare them with, scored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.avatars_options import (
    MIXED,
    Components,
    Correlations,
    Data,
    Draw,
    FirstRows,
    Impute,
    IncludeSelf,
    K,
    Method,
    Space,
    Target,
    Variance,
    Weights,
    Without,
    chosen_components,
    measure_settings,
    parameters_of,
)
from insanonym_core.cli.avatars_output import print_measures
from insanonym_core.cli.options import AsJson, Force, Output, OutputStyle, renamed_options
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
from insanonym_core.cli.table_input import (
    about_columns,
    announce_seed,
    print_about_columns,
    table_data,
)
from insanonym_core.cli.table_options import (
    Identifier,
    PublishColumns,
    Quasi,
    Seed,
    Sensitive,
)
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from insanonym_core.avatars.release import Avatars
    from insanonym_core.recipe import Recipe
    from insanonym_core.results.scores import Table
    from insanonym_core.tabular.table import Table as DataTable

avatars_app = typer.Typer(help="Synthetic rows from PCA neighbours.", no_args_is_help=True)
_NOT_WRITTEN = (".xls", ".ods", ".json")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(avatars_app, name="avatars")
    old_names = renamed_options({"without": "drop"})
    avatars_app.command(context_settings=old_names)(make)
    avatars_app.command(context_settings=old_names)(score)


def make(
    data: Data,
    output: Output,
    method: Method = MIXED,
    k: K = None,
    variance: Variance = None,
    components: Components = None,
    impute: Impute = None,
    weights: Weights = None,
    include_self: IncludeSelf = False,
    draw: Draw = None,
    correlations: Correlations = None,
    space: Space = "pca",
    target: Target = "",
    first_rows: FirstRows = 0,
    identifier: Identifier = "",
    drop: Annotated[
        str,
        typer.Option("--drop", help="Columns to leave out of the avatars.", show_default=False),
    ] = "",
    publish: PublishColumns = "",
    quasi: Quasi = "",
    sensitive: Sensitive = "",
    seed: Seed = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    zone: Zone = None,
    types: Types = None,
    as_json: AsJson = False,
    output_style: OutputStyle = "",
    force: Force = False,
) -> None:
    """Write avatars of a table and score them; the pairing is never written."""
    from insanonym_core.avatars.methods.mix_neighbours import lowered_k
    from insanonym_core.avatars.metrics.classifier import choose_target
    from insanonym_core.avatars.runs import without_identifiers
    from insanonym_core.experiment import entries_of, load, run
    from insanonym_core.io.output import check_writable
    from insanonym_core.reading.style import Style
    from insanonym_core.recipe import Recipe, Step
    from insanonym_core.tabular.recipe_roles import roles_from_recipe

    sources = () if data.startswith("demo:") else (Path(data),)
    check_writable(output, force=force, sources=sources)
    Style().asked(output_style)
    _refuse_other_forms(output)
    settings = parameters_of(
        method,
        # A large k of neighbours is lowered to the rows of the table, once these are known.
        k=min(k, 1) if k is not None and method == MIXED else k,
        impute=impute,
        weights=weights,
        include_self=include_self or None,
        draw=draw,
        correlations=correlations,
        **chosen_components(variance, components),
    )
    if first_rows and method != MIXED:
        raise UsageError(
            "--first-rows shows neighbours, which {method} does not have: leave it out, or choose {mixed}.",
            method=method,
            mixed=MIXED,
        )
    named = {"identifier": split(identifier), "drop": split(drop), "publish": split(publish)}
    named |= {"quasi": split(quasi), "sensitive": split(sensitive)}
    recipe = Recipe(
        (Step(method, settings),),
        data=data,
        kind="avatars",
        seed=seed,
        roles={role: names for role, names in named.items() if names},
        reading={}
        if data.startswith("demo:")
        else reading_of(
            separator=separator, decimal=decimal, encoding=encoding, sheet=sheet, zone=zone, types=types
        ),
        settings=measure_settings(space, target),
    )
    announce_seed(seed)
    warnings: list[str] = []
    with show.job(2 + len(entries_of(recipe))) as job:
        job.progress("Reading")
        table: Any = load(recipe, job.store)
        choose_target(without_identifiers(table, roles_from_recipe(recipe, table))[0], split(target))
        if method == MIXED and k is not None:
            if k >= table.rows > 1:
                warnings.append(lowered_k(k, table.rows - 1))
                k = table.rows - 1
            recipe = recipe.with_parameter(0, "k", k)
        report = run(recipe, job=job)
    avatars: Avatars = report.release
    rights: dict[str, Any] = {"force": force, "sources": sources}
    report.recipe.data_kind.publishing.write(recipe, avatars, output, style=output_style, **rights)
    facts: dict[str, Any] = {
        "method": method,
        "rows": avatars.published.rows,
        "rows_with_missing_dropped": avatars.rows_dropped,
        "imputed": {name: share for name, share in avatars.imputed_shares.items() if share},
        **_used_k(avatars, recipe),
        **about_columns(report.facts),
    }
    print_about_columns(report.facts)
    warnings += report.warnings
    followed = _first_rows(avatars, first_rows, "latent" if space == "latent" else "pca")
    print_measures("Avatars", facts, report, space, as_json, warnings, followed)


def _used_k(avatars: Avatars, recipe: Recipe) -> dict[str, int]:
    """The k of the method, as far as it has one: as many neighbours as there were."""
    neighbours = avatars.facts.get("neighbours")
    if neighbours is not None:
        return {"k": neighbours.index.shape[1]}
    k = recipe.complete().steps[0].parameters.get("k")
    return {} if k is None else {"k": int(k)}


def score(
    data: Data,
    synthetic: Annotated[
        Path, typer.Argument(metavar="SYNTHETIC", help="The synthetic table.", show_default=False)
    ],
    variance: Variance = None,
    components: Components = None,
    space: Space = "pca",
    without: Without = "",
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    zone: Zone = None,
    types: Types = None,
    as_json: AsJson = False,
) -> None:
    """Score a synthetic table made elsewhere; measures that need the pairing or the method are n/a."""
    from insanonym_core.avatars.release import avatars_from_tables
    from insanonym_core.avatars.runs import wrap_avatars
    from insanonym_core.experiment import entries_of, load, run
    from insanonym_core.recipe import Recipe
    from insanonym_core.registry import methods
    from insanonym_core.tabular.direct import direct_identifiers

    chosen = methods.get(MIXED, data="avatars").item(**chosen_components(variance, components))
    reading = reading_of(
        separator=separator, decimal=decimal, encoding=encoding, sheet=sheet, zone=zone, types=types
    )
    whole = Recipe((), data=data, kind="avatars", reading={} if data.startswith("demo:") else reading)
    theirs = Recipe((), data=table_data(synthetic), kind="avatars", reading=reading)
    recipe = replace(whole, settings=measure_settings(space, ""))
    with show.job(1 + len(entries_of(recipe))) as job:
        job.progress("Reading")
        tables: list[Any] = [load(one, job.store) for one in (whole, theirs)]
        absent = [name for name in direct_identifiers(tables[0]) if name not in tables[1].columns]
        original, made = _left_out((*split(without), *absent), *tables)
        pair = avatars_from_tables(
            original, made, variance=chosen.variance, components=chosen.components or None
        )
        report = run(recipe, release=wrap_avatars(pair), job=job)
    title = "Synthetic rows beside the original"
    print_measures(title, {"rows": made.rows}, report, space, as_json)


def _left_out(dropped: Sequence[str], *tables: DataTable) -> list[DataTable]:
    """The tables without the columns to leave out; each of these must exist in at least one table."""
    nowhere = [name for name in dropped if not any(name in table.columns for table in tables)]
    tables[0].named(nowhere, "--drop", at_least_one=False)
    kept = [[name for name in table.columns if name not in dropped] for table in tables]
    if not all(kept):
        raise UsageError("--drop leaves no column: name fewer columns.")
    return [table.select(names) for table, names in zip(tables, kept, strict=True)]


def _refuse_other_forms(output: Path) -> None:
    """Refuse a suffix that is not written, such as .ods."""
    if output.suffix.lower() in _NOT_WRITTEN:
        raise UsageError(
            "{output} cannot be written as {suffix}: choose a name that ends in .csv, .tsv, .xlsx or "
            ".parquet (.zip and .gz pack the text).",
            output=output,
            suffix=output.suffix,
        )


def _first_rows(avatars: Avatars, rows: int, space: str) -> dict[str, Table]:
    from insanonym_core.avatars.walkthrough import first_avatars, neighbour_distances

    if not rows:
        return {}
    return {
        "neighbour_distances": neighbour_distances(avatars, rows),
        "first_avatars": first_avatars(avatars, rows, space),
    }
