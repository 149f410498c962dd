"""avatars: synthetic rows from PCA neighbours, scored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.avatars_output import SPACES, print_measures
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
from insanonym_core.errors import UsageError, brief

if TYPE_CHECKING:
    from collections.abc import Sequence

    from insanonym_core.avatars.release import Avatars
    from insanonym_core.results.scores import Table
    from insanonym_core.tabular.table import Table as DataTable

avatars_app = typer.Typer(help="Synthetic rows from PCA neighbours.", no_args_is_help=True)
Data = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A table, or demo:breast_cancer, demo:diabetes, demo:patients.",
        show_default=False,
    ),
]
Without = Annotated[
    str, typer.Option("--drop", help="Columns to leave out of both tables.", show_default=False)
]
Variance = Annotated[
    float | None,
    typer.Option(help="Share of the variance that the components keep; 0.9 by default.", show_default=False),
]
Components = Annotated[
    int | None, typer.Option(help="A number of components instead; 0: by the variance.", show_default=False)
]
Space = Annotated[
    str,
    typer.Option(
        help="Distances in pca, in standardised columns, or latent: in pca before avatars are written back."
    ),
]
Target = Annotated[
    str,
    typer.Option(
        help="Column that a classifier predicts; by default the last one with few values.", show_default=False
    ),
]
NAME = "mix_neighbours"
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
    k: Annotated[int, typer.Option("-k", "--k", help="Number of neighbours that are mixed.")] = 20,
    variance: Variance = None,
    components: Components = None,
    impute: Annotated[str, typer.Option(help="Missing numbers: mean, knn or drop.")] = "mean",
    weights: Annotated[
        str, typer.Option(help="published, or exponential (source document; hides fewer people).")
    ] = "published",
    include_self: Annotated[
        bool,
        typer.Option(
            "--include-self",
            help="Count each row among its own neighbours: a mistake of the source document.",
        ),
    ] = False,
    space: Space = "pca",
    target: Target = "",
    first_rows: Annotated[
        int, typer.Option(help="Show neighbours and distances of this many first rows; for lessons.", min=0)
    ] = 0,
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
    from insanonym_core.registry import methods
    from insanonym_core.tabular.recipe_roles import roles_from_recipe

    sources = () if data.startswith("demo:") else (Path(data),)
    check_writable(output, force=force, sources=sources)
    Style().asked(output_style)
    _refuse_other_forms(output)
    settings = {**_chosen(variance, components), "impute": impute, "weights": weights}
    settings["include_self"] = include_self
    # Whatever is wrong is said before the table is read, except a large k: it is lowered to its rows.
    methods.get(NAME, data="avatars").item(k=min(k, 1), **settings)
    named = {"identifier": split(identifier), "drop": split(drop), "publish": split(publish)}
    named |= {"quasi": split(quasi), "sensitive": split(sensitive)}
    recipe = Recipe(
        (Step(NAME, settings),),
        data=data,
        kind="avatars",
        seed=seed,
        roles={role: names for role, names in named.items() if names},
        reading={}
        if data.startswith("demo:")
        else reading_of(
            separator=separator, decimal=decimal, encoding=encoding, sheet=sheet, zone=zone, types=types
        ),
        settings=_values(space, target),
    )
    announce_seed(seed)
    warnings: list[str] = []
    with show.job(2 + len(entries_of(recipe))) as job:
        job.progress("Reading")
        table: Any = load(recipe, job.store)
        choose_target(without_identifiers(table, roles_from_recipe(recipe, table))[0], split(target))
        if k >= table.rows > 1:
            warnings.append(lowered_k(k, table.rows - 1))
            k = table.rows - 1
        report = run(recipe.with_parameter(0, "k", k), job=job)
    avatars: Avatars = report.release
    rights: dict[str, Any] = {"force": force, "sources": sources}
    report.recipe.data_kind.publishing.write(recipe, avatars, output, style=output_style, **rights)
    facts: dict[str, Any] = {
        "rows": avatars.published.rows,
        "rows_with_missing_dropped": avatars.rows_dropped,
        "imputed": {name: share for name, share in avatars.imputed_shares.items() if share},
        "k": avatars.facts["neighbours"].index.shape[1],
        **about_columns(report.facts),
    }
    print_about_columns(report.facts)
    warnings += report.warnings
    followed = _first_rows(avatars, first_rows, "latent" if space == "latent" else "pca")
    print_measures("Avatars", facts, report, space, as_json, warnings, followed)


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

    chosen = methods.get(NAME, data="avatars").item(**_chosen(variance, components))
    reading = reading_of(
        separator=separator, decimal=decimal, encoding=encoding, sheet=sheet, zone=zone, types=types
    )
    whole = Recipe((), data=data, kind="avatars", reading={} if data.startswith("demo:") else reading)
    theirs = Recipe((), data=table_data(synthetic), kind="avatars", reading=reading)
    recipe = replace(whole, settings=_values(space, ""))
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


def _chosen(variance: float | None, components: int | None) -> dict[str, float]:
    """Parameters that choose the number of components: `variance` or `components`."""
    if variance is not None and components:
        raise UsageError(
            "--components {components} and --variance {variance:g} both say how many components "
            "there are: give one of them.",
            components=components,
            variance=variance,
        )
    given = {"variance": variance, "components": components}
    return {name: value for name, value in given.items() if value is not None}


def _values(space: str, target: str) -> dict[str, object]:
    """Parameters of the measures from the options, checked before any file is read."""
    from insanonym_core.registry import check_settings, metrics

    if space not in SPACES:
        raise UsageError(
            "--space must be one of {spaces}, got {space}.", spaces=", ".join(SPACES), space=brief(space)
        )
    values: dict[str, object] = {"space": space, **({"target": target} if target else {})}
    check_settings(list(metrics.all(data="avatars")), values)
    return values


def _first_rows(avatars: Avatars, rows: int, space: str) -> dict[str, Table]:
    from insanonym_core.avatars.walkthrough import first_avatars, neighbour_distances

    if not rows:
        return {}
    return {
        "neighbour_distances": neighbour_distances(avatars, rows),
        "first_avatars": first_avatars(avatars, rows, space),
    }
