"""avatars: synthetic rows from PCA neighbours, scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from insanonym_core.cli import show
from insanonym_core.cli.opened import field_mark, split, tell
from insanonym_core.cli.options import AsJson, Force, Output
from insanonym_core.cli.table import Decimal, Seed, Separator
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from insanonym_core.tabular.table import Table

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


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(avatars_app, name="avatars")
    avatars_app.command()(make)
    avatars_app.command()(score)


def _table(data: str, without: str, separator: str | None, decimal: str) -> Table:
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
    components: Annotated[
        int | None, typer.Option(help="A number of components instead.", show_default=False)
    ] = None,
    impute: Annotated[str, typer.Option(help="Missing numbers: mean, knn or drop.")] = "mean",
    weights: Annotated[
        str, typer.Option(help="published, or exponential (the source's, which hides fewer).")
    ] = "published",
    include_self: Annotated[
        bool, typer.Option("--include-self", help="The source's mistake, for the lesson.")
    ] = False,
    without: Without = "",
    seed: Seed = None,
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Write avatars of a table and score them; the pairing is never written."""
    from insanonym_core.avatars.attacks import linkage, membership_inference
    from insanonym_core.avatars.evaluate import baseline_scores, closeness_scores
    from insanonym_core.avatars.make import AvatarSettings, make_avatars
    from insanonym_core.avatars.resemblance import resemblance_scores
    from insanonym_core.output import check_writable
    from insanonym_core.randomness import step_generator
    from insanonym_core.tabular.files import write_frame

    sources = () if data.startswith("demo:") else (Path(data),)
    check_writable(output, force=force, sources=sources)
    wanted = AvatarSettings(
        k,
        variance,
        components,
        _one_of("impute", impute, "mean", "knn", "drop"),
        _one_of("weights", weights, "published", "exponential"),
        include_self,
    )
    with show.progress(3) as begin:
        begin("Reading")
        table = _table(data, without, separator, decimal)
        begin("Making avatars")
        avatars = make_avatars(table, wanted, step_generator(seed, 1, "avatars"))
        begin("Scoring")
        scores = closeness_scores(avatars.original, avatars.published, avatars.space, owner=avatars.owner)
        if avatars.original.rows >= 6:
            scores |= baseline_scores(avatars, step_generator(seed, 1, "baselines"))
            scores["membership_auc"] = membership_inference(
                avatars.original, wanted, step_generator(seed, 1, "membership")
            )
        resemblance = resemblance_scores(avatars.original, avatars.published, avatars.space)
        scores |= {f"{name}_distance": resemblance[name] for name in ("columns", "correlations", "overlay")}
        scores["linkage"] = linkage(avatars, generator=step_generator(seed, 1, "linkage"))
    write_frame(avatars.published.frame(), output, force=force, sources=sources)
    for sentence in avatars.loudly():
        show.errors.print(sentence, style="bold red")
    report: dict[str, Any] = {
        "rows": avatars.published.rows,
        "rows_with_missing_dropped": avatars.rows_dropped,
        "k": avatars.k,
        "components": len(avatars.space.components),
        "variance": float(avatars.space.explained[: len(avatars.space.components)].sum()),
        **{name: score.value for name, score in scores.items()},
    }
    tell(report, as_json, "Avatars (distances in the PCA space of the originals)")


def score(
    data: Data,
    synthetic: Annotated[
        Path, typer.Argument(metavar="SYNTHETIC", help="The synthetic table.", show_default=False)
    ],
    space: Annotated[str, typer.Option(help="Distances in pca, or in standardised columns.")] = "pca",
    without: Without = "",
    separator: Separator = None,
    decimal: Decimal = ".",
    as_json: AsJson = False,
) -> None:
    """Score somebody's synthetic table; without a pairing hidden rate and local cloaking are n/a."""
    from insanonym_core.avatars.evaluate import score_pair

    which = _one_of("space", space, "pca", "columns")
    original = _table(data, without, separator, decimal)
    made = _table(str(synthetic), "", separator, decimal)
    scores = score_pair(original, made, which)
    report = {"rows": made.rows, "space": which, **{name: one.value for name, one in scores.items()}}
    tell(report, as_json, f"Synthetic rows beside the original ({which})")


def _one_of(option: str, value: str, *allowed: str) -> Any:
    if value not in allowed:
        raise UsageError(f"--{option} must be one of {', '.join(allowed)}, got {value!r}.")
    return value
