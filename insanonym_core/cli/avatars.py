"""avatars: synthetic rows from PCA neighbours, scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.opened import announce_seed, field_mark, split
from insanonym_core.cli.options import AsJson, Force, Output
from insanonym_core.cli.table import Decimal, Seed, Separator
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from insanonym_core.avatars.release import Avatars
    from insanonym_core.scores import Score, Table
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
    str, typer.Option(help="Columns to leave out, such as an identifier.", show_default=False)
]

Space = Annotated[str, typer.Option(help="Distances in pca, or in standardised columns.")]
Target = Annotated[
    str,
    typer.Option(
        help="What a classifier predicts; the last column with few values otherwise.", show_default=False
    ),
]
NAME = "mix_neighbours"
_BASELINES = ("held_out_rows", "real_rows")
_SPACES = {"pca": "the PCA space of the originals", "columns": "standardised columns"}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(avatars_app, name="avatars")
    avatars_app.command()(make)
    avatars_app.command()(score)


def _table(data: str, without: str, separator: str | None, decimal: str) -> DataTable:
    from insanonym_core.demo.named import named_table
    from insanonym_core.tabular.files import read_table

    table = (
        named_table(data)
        if data.startswith("demo:")
        else read_table(data, separator=field_mark(separator), decimal=decimal)
    )
    dropped = table.named(split(without), "--without", at_least_one=False)
    kept = [name for name in table.columns if name not in dropped]
    if not kept:
        raise UsageError("--without leaves no column: name fewer.")
    return table.select(kept)


def make(
    data: Data,
    output: Output,
    k: Annotated[int, typer.Option("-k", help="Neighbours that are mixed.")] = 20,
    variance: Annotated[float, typer.Option(help="Share of the variance that the components keep.")] = 0.9,
    components: Annotated[int, typer.Option(help="A number of components instead; 0: by the variance.")] = 0,
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
    without: Without = "",
    seed: Seed = None,
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Write avatars of a table and score them; the pairing is never written."""
    from insanonym_core.output import check_writable
    from insanonym_core.randomness import step_generator
    from insanonym_core.registry import measured, methods
    from insanonym_core.tabular.files import write_frame

    sources = () if data.startswith("demo:") else (Path(data),)
    check_writable(output, force=force, sources=sources)
    method = methods.get(NAME, data="avatars").item(
        k=k,
        variance=variance,
        components=components,
        impute=impute,
        weights=weights,
        include_self=include_self,
    )
    announce_seed(seed)
    values = _values(space, target)
    with show.progress(2 + len(values)) as begin:
        begin("reading")
        table = _table(data, without, separator, decimal)
        begin("making avatars")
        avatars = method.apply(table, step_generator(seed, 1, NAME))
        scores = measured("avatars", avatars, values=values, tell=begin)
    write_frame(avatars.published.frame(), output, force=force, sources=sources)
    facts: dict[str, Any] = {
        "rows": avatars.published.rows,
        "rows_with_missing_dropped": avatars.rows_dropped,
        "k": avatars.facts["neighbours"].index.shape[1],
        "components": len(avatars.space.components),
    }
    constant = [column.name for column in avatars.space.constant]
    facts |= {"constant": constant} if constant else {}
    facts |= {"warnings": list(avatars.loudly)} if avatars.loudly else {}
    _report("Avatars", facts, scores, space, as_json, _first_rows(avatars, first_rows))


def score(
    data: Data,
    synthetic: Annotated[
        Path, typer.Argument(metavar="SYNTHETIC", help="The synthetic table.", show_default=False)
    ],
    space: Space = "pca",
    without: Without = "",
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
) -> None:
    """Score somebody's synthetic table; what needs the pairing or the method is n/a."""
    from insanonym_core.avatars.release import compared
    from insanonym_core.registry import measured

    values = _values(space, "")
    with show.progress(1 + len(values)) as begin:
        begin("reading")
        original = _table(data, without, separator, decimal)
        made = _table(str(synthetic), "", separator, decimal)
        pair = compared(original, made)
        scores = measured("avatars", pair, values=values, tell=begin)
    facts = {"rows": made.rows, "components": len(pair.space.components)}
    _report("Synthetic rows beside the original", facts, scores, space, as_json)


def _values(space: str, target: str) -> dict[str, dict[str, object]]:
    """What the options set in the measures, checked before any file is read."""
    from insanonym_core.registry import metrics

    wanted: dict[str, object] = {"space": space, **({"target": target} if target else {})}
    values = {
        entry.name: {name: value for name, value in wanted.items() if name in entry.parameters}
        for entry in metrics.all(data="avatars")
    }
    if space not in _SPACES:
        raise UsageError(f"--space must be one of {', '.join(_SPACES)}, got {space!r}.")
    return values


def _report(
    title: str,
    facts: dict[str, Any],
    scores: dict[str, Score],
    space: str,
    as_json: bool,
    followed: Iterable[Table] = (),
) -> None:
    """Every measure, with the baselines and the interval that it must be read beside."""
    for sentence in facts.get("warnings", ()):
        show.errors.print(sentence, style="bold red")
    if as_json:
        show.print_json({**facts, "space": space, **_flat(scores), **{t.title: _rows(t) for t in followed}})
        return
    console = show.output()
    measures = show.table(
        f"{title} (distances in {_SPACES[space]})", "measure", ">value", ">held-out", ">real", "95 % interval"
    )
    for name, score in scores.items():
        low_high = " – ".join(map(show.number, score.interval)) if score.interval else ""
        beside = [
            show.number(float(score.details[key] or 0)) if key in score.details else "" for key in _BASELINES
        ]
        measures.add_row(name, show.number(score.value), *beside, low_high)
    console.print(measures)
    for because in dict.fromkeys(score.undefined_because for score in scores.values() if not score.defined):
        names = [name for name, score in scores.items() if score.undefined_because == because]
        console.print(f"n/a ({', '.join(names)}): {because}.", markup=False)
    for table in followed:
        shown = show.table(table.title, *(f">{name}" for name in table.columns))
        for row in _rows(table):
            shown.add_row(
                *(str(cell) if isinstance(cell, int) else show.number(cell) for cell in row.values())
            )
        console.print()
        console.print(shown)
    console.print(
        "\n" + ", ".join(f"{value} {name}" for name, value in facts.items() if isinstance(value, int))
    )


def _flat(scores: dict[str, Score]) -> dict[str, Any]:
    report: dict[str, Any] = {}
    for name, score in scores.items():
        report[name] = score.value
        for baseline in _BASELINES:
            if baseline in score.details:
                report[f"{name}_of_{baseline}"] = score.details[baseline]
        if score.interval:
            report[f"{name}_interval"] = list(score.interval)
    undefined = {name: score.undefined_because for name, score in scores.items() if not score.defined}
    return report | {"not_available": undefined}


def _rows(table: Table) -> list[dict[str, Any]]:
    return [
        dict(zip(table.columns, row, strict=True))
        for row in zip(*(values.tolist() for values in table.columns.values()), strict=True)
    ]


def _first_rows(avatars: Avatars, rows: int) -> tuple[Table, ...]:
    from insanonym_core.avatars.walkthrough import first_avatars, neighbour_distances

    return (neighbour_distances(avatars, rows), first_avatars(avatars, rows)) if rows else ()
