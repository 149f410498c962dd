"""footprint, attack and score-attack: who is behind which pseudonym?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import (
    AllowInvalid,
    AsJson,
    Columns,
    Force,
    MadeBy,
    Original,
    Output,
    Release,
    column_order_of,
    pair_of_files,
    values_of,
)
from insanonym_core.cli.reading_options import Types, Zone, reading_of
from insanonym_core.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(footprint)
    app.command()(attack)
    app.command("score-attack")(score_attack)


def footprint(
    original: Original,
    release: Release,
    output: Output,
    allow_invalid: AllowInvalid = False,
    columns: Columns = None,
    zone: Zone = None,
    types: Types = None,
    force: Force = False,
) -> None:
    """Write the secret answer: which pseudonym stands for which id in each week."""
    from insanonym_core.io.output import check_writable
    from insanonym_core.mobility.attack_files import write_guesses
    from insanonym_core.mobility.competition import footprint as footprint_of

    reading = reading_of(zone=zone, types=types)
    check_writable(output, force=force, sources=(original, release))
    with show.job(3) as job:
        pair = pair_of_files(original, release, columns, allow_invalid, job, reading)
    secret = footprint_of(pair)
    write_guesses(secret.as_guesses(), output, force=force, private=True)
    show.errors.print(
        f"{secret.pairs} answers written to {output}. Keep this file secret: it undoes the release."
    )


def attack(
    original: Original,
    release: Release,
    method: Annotated[
        str, typer.Option(help="The attack; 'insanonym list attacks' names them.", show_default=False)
    ],
    output: Output,
    decimals: Annotated[
        int | None, typer.Option(help="Decimals of the cells (2).", show_default=False)
    ] = None,
    made_by: MadeBy = None,
    columns: Columns = None,
    zone: Zone = None,
    types: Types = None,
    force: Force = False,
) -> None:
    """Attack RELEASE knowing ORIGINAL, and write the guesses. The order of RELEASE's rows is not used."""
    from insanonym_core.experiment.run import check_kind
    from insanonym_core.experiment.strategy import shadow_maker
    from insanonym_core.io.output import check_writable
    from insanonym_core.mobility.attack_files import write_guesses
    from insanonym_core.mobility.files import read, refuse
    from insanonym_core.mobility.runs import guesses as guesses_of
    from insanonym_core.parameters import check_values
    from insanonym_core.reading.options import ReadingOptions
    from insanonym_core.recipe_file import read_recipe
    from insanonym_core.registry import attacks

    check_writable(output, force=force, sources=(original, release))
    entry = attacks.get(method, data="mobility")
    if made_by and "shadows" not in entry.given:
        raise UsageError(
            "The attack {method} learns nothing from a recipe: leave --recipe out.", method=method
        )
    recipe = read_recipe(made_by) if made_by else None
    if recipe is not None:
        check_kind(recipe, "mobility")
    own = check_values(method, entry.parameters, values_of(decimals, []))
    order, options = column_order_of(columns), ReadingOptions.of(reading_of(zone=zone, types=types))
    with show.job(3) as job:
        job.progress(f"Reading {original.name}")
        before = read(original, order, options, original=True)
        job.progress(f"Reading {release.name}")
        after = read(release, order, options)
        refuse([*before.problems, *after.problems])
        job.progress(entry.title)
        shadow = shadow_maker(recipe, before.track, job) if recipe else None
        guesses = guesses_of(entry, before.track, after.track, own, shadow)
    write_guesses(guesses, output, force=force)
    tried = sum(bool(tokens) for weeks in guesses.values() for tokens in weeks.values())
    pairs = sum(len(weeks) for weeks in guesses.values())
    show.errors.print(f"Guesses for {tried} of {pairs} (id, week) written to {output}.")


def score_attack(
    original: Original,
    release: Release,
    guesses: Annotated[
        Path, typer.Argument(metavar="GUESSES", help="An attack file (JSON).", show_default=False)
    ],
    allow_invalid: AllowInvalid = False,
    columns: Columns = None,
    zone: Zone = None,
    types: Types = None,
    as_json: AsJson = False,
) -> None:
    """Score an attack file: the share of (id, week) found, a list of N guesses earning 1/N."""
    from insanonym_core.mobility.attack_files import read_guesses
    from insanonym_core.mobility.competition import footprint as footprint_of
    from insanonym_core.mobility.scoring import score_guesses

    reading = reading_of(zone=zone, types=types)
    tried = read_guesses(guesses)
    with show.job(3) as job:
        pair = pair_of_files(original, release, columns, allow_invalid, job, reading)
    result = score_guesses(footprint_of(pair), tried)
    low, high = result.interval or (float("nan"), float("nan"))
    if as_json:
        show.print_json({"score": result.value, "interval": [low, high], **result.details})
    else:
        chance = float(result.details["chance"] or 0)
        show.output().print(
            f"Found {show.number(result.value)} of {result.details['pairs']} (id, week) pairs "
            f"(95 % interval {low:.3f} – {high:.3f}; chance {chance:.4f})."
        )
