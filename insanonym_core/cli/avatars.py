"""avatars: synthetic rows from PCA neighbours, scored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.avatars_told import SPACES, tell_measures
from insanonym_core.cli.opened import announce_seed, field_mark, print_not_published, split
from insanonym_core.cli.options import AsJson, Force, Output
from insanonym_core.cli.table import Decimal, Identifier, PublishColumns, Seed, Separator
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from insanonym_core.avatars.release import Avatars
    from insanonym_core.scores import Table
    from insanonym_core.tabular.table import Column
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
    str, typer.Option("--drop", "--without", help="Columns to leave out of both tables.", show_default=False)
]
Variance = Annotated[
    float | None,
    typer.Option(help="Share of the variance that the components keep; 0.9 by default.", show_default=False),
]
Components = Annotated[
    int | None, typer.Option(help="A number of components instead; 0: by the variance.", show_default=False)
]
Space = Annotated[str, typer.Option(help="Distances in pca, or in standardised columns.")]
Target = Annotated[
    str,
    typer.Option(
        help="What a classifier predicts; the last column with few values otherwise.", show_default=False
    ),
]
NAME = "mix_neighbours"
_NOT_WRITTEN = (".xlsx", ".xls", ".ods", ".json")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(avatars_app, name="avatars")
    avatars_app.command()(make)
    avatars_app.command()(score)


def make(
    data: Data,
    output: Output,
    k: Annotated[int, typer.Option("-k", help="Neighbours that are mixed.")] = 20,
    variance: Variance = None,
    components: Components = None,
    impute: Annotated[str, typer.Option(help="Missing numbers: mean, knn or drop.")] = "mean",
    weights: Annotated[
        str, typer.Option(help="published, or exponential (the source's, which hides fewer).")
    ] = "published",
    include_self: Annotated[
        bool, typer.Option("--include-self", help="The source's mistake, for the lesson.")
    ] = False,
    space: Space = "pca",
    target: Target = "",
    first_rows: Annotated[
        int, typer.Option(help="Follow so many first rows, as the source document does; for lessons.", min=0)
    ] = 0,
    identifier: Identifier = "",
    drop: Annotated[
        str,
        typer.Option("--drop", "--without", help="Columns to leave out of the avatars.", show_default=False),
    ] = "",
    publish: PublishColumns = "",
    seed: Seed = None,
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Write avatars of a table and score them; the pairing is never written."""
    from insanonym_core.avatars.metrics.classifier import target_of
    from insanonym_core.experiment import draws_of
    from insanonym_core.experiment.column_roles import roles_of, without_identifiers
    from insanonym_core.output import check_writable
    from insanonym_core.recipe import Recipe, Step
    from insanonym_core.registry import measured, methods, metrics
    from insanonym_core.tabular.files import write_frame
    from insanonym_core.tabular.release import sorted_rows
    from insanonym_core.tabular.roles import guesses_text, not_published_list

    sources = () if data.startswith("demo:") else (Path(data),)
    check_writable(output, force=force, sources=sources)
    _refuse_other_forms(output)
    entry = methods.get(NAME, data="avatars")
    settings = {**_chosen(variance, components), "impute": impute, "weights": weights}
    settings["include_self"] = include_self
    # Whatever is wrong is said before the table is read, except a large k: it is lowered to its rows.
    entry.item(k=min(k, 1), **settings)
    announce_seed(seed)
    values = _values(space, target)
    warnings: list[str] = []
    with show.progress(2 + len(list(metrics.all(data="avatars")))) as begin:
        begin("reading")
        whole = _read(data, separator, decimal)
        named = {"identifier": split(identifier), "drop": split(drop), "publish": split(publish)}
        wanted = {role: names for role, names in named.items() if names}
        table, roles = without_identifiers(
            whole, roles_of(Recipe((Step(NAME),), kind="avatars", roles=wanted), whole)
        )
        target_of(table, split(target))
        if k >= table.rows > 1:
            warnings.append(f"k = {k} was lowered to {table.rows - 1}: a row has no more other rows to mix.")
            k = table.rows - 1
        method = entry.item(k=k, **settings)
        begin("making avatars")
        avatars = method.apply(table, draws_of(seed, table).generator(1, NAME, repr(method)))
        scores = measured("avatars", avatars, values=values, tell=begin)
    write_frame(sorted_rows(avatars.published).frame(), output, force=force, sources=sources)
    facts: dict[str, Any] = {
        "rows": avatars.published.rows,
        "rows_with_missing_dropped": avatars.rows_dropped,
        "k": avatars.facts["neighbours"].index.shape[1],
        "not_published": not_published_list(roles.withheld or ()),
        "roles_guessed": list(roles.guessed),
    }
    print_not_published(roles.withheld or ())
    if roles.guessed:
        show.errors.print(guesses_text(roles), style="yellow")
    warnings += avatars.loudly
    tell_measures(
        "Avatars", facts, avatars.space, scores, space, as_json, warnings, _first_rows(avatars, first_rows)
    )


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
    decimal: Decimal = ".",
    as_json: AsJson = False,
) -> None:
    """Score somebody's synthetic table; what needs the pairing or the method is n/a."""
    from insanonym_core.avatars.release import compared
    from insanonym_core.registry import measured, methods, metrics
    from insanonym_core.tabular.direct import direct_identifiers

    chosen = methods.get(NAME, data="avatars").item(**_chosen(variance, components))
    values = _values(space, "")
    with show.progress(1 + len(list(metrics.all(data="avatars")))) as begin:
        begin("reading")
        tables = (_read(data, separator, decimal), _read(str(synthetic), separator, decimal))
        absent = [name for name in direct_identifiers(tables[0]) if name not in tables[1].columns]
        original, made = _left_out((*split(without), *absent), *tables)
        pair = compared(original, made, variance=chosen.variance, components=chosen.components or None)
        scores = measured("avatars", pair, values=values, tell=begin)
    title = "Synthetic rows beside the original"
    tell_measures(title, {"rows": made.rows}, pair.space, scores, space, as_json)


def _read(data: str, separator: str | None, decimal: str) -> DataTable:
    from insanonym_core.demo.named import named_table
    from insanonym_core.tabular.files import read_table

    if data.startswith("demo:"):
        return named_table(data)
    table = read_table(data, separator=field_mark(separator), decimal=decimal)
    commas = [name for name, column in table.columns.items() if _decimal_commas(column)]
    if commas:
        show.errors.print(
            f"Taken for texts, but written like numbers with a decimal comma: {', '.join(commas)}. "
            "If they are numbers, add --decimal ,",
            style="yellow",
        )
    return table


def _decimal_commas(column: Column) -> bool:
    texts = column.texts() if column.kind == "category" else []
    numbers = all(re.fullmatch(r"[+-]?\d+(,\d+)?", text) for text in texts)
    return numbers and any("," in text for text in texts)


def _left_out(dropped: Sequence[str], *tables: DataTable) -> list[DataTable]:
    """Every table without the columns to leave out; each of those must be in one of them at least."""
    nowhere = [name for name in dropped if not any(name in table.columns for table in tables)]
    tables[0].named(nowhere, "--drop", at_least_one=False)
    kept = [[name for name in table.columns if name not in dropped] for table in tables]
    if not all(kept):
        raise UsageError("--drop leaves no column: name fewer.")
    return [table.select(names) for table, names in zip(tables, kept, strict=True)]


def _refuse_other_forms(output: Path) -> None:
    """Text under the name of a spreadsheet is a file that no program opens."""
    if output.suffix.lower() in _NOT_WRITTEN:
        raise UsageError(
            f"{output} cannot be written as {output.suffix}: choose a name that ends in .csv, .tsv or "
            ".parquet (.zip and .gz pack the text)."
        )


def _chosen(variance: float | None, components: int | None) -> dict[str, Any]:
    """How the number of components is chosen: by the variance, or by itself."""
    if variance is not None and components:
        raise UsageError(
            f"--components {components} and --variance {variance:g} both say how many components there are: "
            "give one of them."
        )
    given = {"variance": variance, "components": components}
    return {name: value for name, value in given.items() if value is not None}


def _values(space: str, target: str) -> dict[str, object]:
    """What the options set in the measures, checked before any file is read."""
    from insanonym_core.registry import check_settings, metrics

    if space not in SPACES:
        raise UsageError(f"--space must be one of {', '.join(SPACES)}, got {space!r}.")
    values: dict[str, object] = {"space": space, **({"target": target} if target else {})}
    check_settings(list(metrics.all(data="avatars")), values)
    return values


def _first_rows(avatars: Avatars, rows: int) -> dict[str, Table]:
    from insanonym_core.avatars.walkthrough import first_avatars, neighbour_distances

    if not rows:
        return {}
    return {
        "neighbour_distances": neighbour_distances(avatars, rows),
        "first_avatars": first_avatars(avatars, rows),
    }
