"""Options of `insanonym avatars`, and the parameters that they set."""

from __future__ import annotations

from typing import Annotated

import typer

from insanonym_core.cli.avatars_output import SPACES
from insanonym_core.errors import UsageError, brief

MIXED = "mix_neighbours"
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
Method = Annotated[str, typer.Option(help="mix_neighbours, independent_columns or gaussian_copula.")]
K = Annotated[
    int | None,
    typer.Option(
        "-k",
        "--k",
        help="Number of neighbours that are mixed (20 by default), or of neighbouring values whose means "
        "a copula's numbers pass through (10).",
        show_default=False,
    ),
]
Impute = Annotated[
    str | None,
    typer.Option(help="Missing numbers: mean (by default), knn or drop.", show_default=False),
]
Weights = Annotated[
    str | None,
    typer.Option(
        help="published (by default), or exponential (source document; hides fewer people).",
        show_default=False,
    ),
]
IncludeSelf = Annotated[
    bool,
    typer.Option(
        "--include-self",
        help="Count each row among its own neighbours: a mistake of the source document.",
    ),
]
Draw = Annotated[
    str | None,
    typer.Option(
        help="independent_columns: shuffle (by default), or resample: values are drawn with repetition.",
        show_default=False,
    ),
]
Correlations = Annotated[
    float | None,
    typer.Option(
        help="gaussian_copula: the share of the correlations that is kept; 1 by default.",
        show_default=False,
    ),
]
FirstRows = Annotated[
    int,
    typer.Option(
        help="Show neighbours and distances of this many first rows of mix_neighbours; for lessons.",
        min=0,
    ),
]


def parameters_of(method: str, **given: object) -> dict[str, object]:
    """The options that were given, checked: each must be a parameter of the method."""
    from insanonym_core.registry import methods

    known = [entry.name for entry in methods.all(data="avatars")]
    if method not in known:
        raise UsageError(
            "--method must be one of {known}, got {method}.", known=", ".join(known), method=brief(method)
        )
    entry = methods.get(method, data="avatars")
    chosen = {name: value for name, value in given.items() if value is not None}
    strange = next((name for name in chosen if name not in entry.parameters), None)
    if strange is not None:
        raise UsageError(
            "{method} has no {option}: leave it out; its options are {known}.",
            method=method,
            option=_option(strange),
            known=", ".join(map(_option, entry.parameters)),
        )
    entry.item(**chosen)
    return chosen


def _option(parameter: str) -> str:
    return f"--{parameter.replace('_', '-')}"


def chosen_components(variance: float | None, components: int | None) -> dict[str, float]:
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


def measure_settings(space: str, target: str) -> dict[str, object]:
    """Parameters of the measures from the options, checked before any file is read."""
    from insanonym_core.registry import check_settings, metrics

    if space not in SPACES:
        raise UsageError(
            "--space must be one of {spaces}, got {space}.", spaces=", ".join(SPACES), space=brief(space)
        )
    values: dict[str, object] = {"space": space, **({"target": target} if target else {})}
    check_settings(list(metrics.all(data="avatars")), values)
    return values
