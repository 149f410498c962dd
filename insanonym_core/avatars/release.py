"""The result of making avatars: the synthetic table, and how it is paired with the originals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, cast

import numpy as np

from insanonym_core.avatars.imputation import (
    Impute,
    PreparedTable,
    impute_missing,
    prepare_table,
    refuse_extreme_numbers,
)
from insanonym_core.avatars.space import Space, fit_space
from insanonym_core.avatars.values import convert_time_zone
from insanonym_core.errors import DataError, UsageError, brief, listed
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.holders import MIN_HOLDERS, numbered_people
from insanonym_core.results.scores import Score
from insanonym_core.results.threats import GROUPS, LINKABILITY
from insanonym_core.runtime.derived import KeepsDerived
from insanonym_core.tabular.table import MISSING, Column, Table
from insanonym_core.texts import Phrase

MIN_ROWS = 6
LATENT = "latent"


class AvatarMethod(Protocol):
    """A method that makes synthetic rows of a table."""

    def apply(self, table: Table, generator: np.random.Generator) -> Avatars: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class Avatars(KeepsDerived):
    """Synthetic rows beside the originals. Without a pairing (somebody's file) `owner` is None.

    `owner[i]` is the original row behind row i of `published`: it is kept for the scores, never exported.
    `original` has no missing number: imputed values are what was mixed, and what distances are taken to.
    `source` are the same rows before that. `published` has the gaps that it is published with.
    `people` are columns of codes that tell apart whose the original rows are, without which each row is a
    person; a value that fewer than `min_holders` of them hold is named nowhere. `quasi` are the columns that
    an attacker knows and `sensitive` those that are guessed, where somebody named them.
    """

    original: Table
    published: Table
    space: Space
    source: Table
    owner: Ints | None = None
    method: AvatarMethod | None = None
    split_seed: int = 0
    rows_dropped: int = 0
    impute: Impute = "mean"
    warnings: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)  # Any: what the method hands over
    people: tuple[Ints, ...] = ()
    min_holders: int = MIN_HOLDERS
    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    _derived: dict[object, object] = field(default_factory=dict, init=False, repr=False)

    @property
    def threat_groups(self) -> tuple[str, ...]:
        """The groups of threats that apply: nobody is linked to a row that is made from no row of theirs."""
        by_whole_table = self.owner is None and self.method is not None
        return tuple(group for group in GROUPS if not (by_whole_table and group == LINKABILITY))

    @cached_property
    def person(self) -> Ints | None:
        """Person of each original row, numbered from 0, by the column that distinguishes the fewest people.

        None if nobody has several rows, or it is not known.
        """
        numbered = [numbered_people(codes) for codes in self.people]
        person = min(numbered, key=lambda codes_of_people: int(codes_of_people.max(initial=0)), default=None)
        return None if person is None or int(person.max(initial=-1)) + 1 == len(person) else person

    @property
    def imputed(self) -> Table:
        """The avatars with missing numbers imputed like those of the originals; used for distances only."""
        how: Impute = "mean" if self.impute == "drop" else self.impute
        return self.derive("whole", lambda: impute_missing(self.published, how, fit_on=self.source)[0])

    @property
    def imputed_shares(self) -> dict[str, float]:
        """Share of imputed originals in each column of numbers or dates."""
        return {
            name: float((column.codes == MISSING).mean())
            for name, column in self.source.columns.items()
            if column.kind != "category" and len(column.values)
        }

    def points(self, space_name: str) -> tuple[Floats, Floats]:
        """Return originals and avatars as points: on the components ("pca"), or as standardised columns.

        In the "latent" space, too, originals are on the components, and avatars where they were mixed
        there, before their numbers were rounded, kept in their ranges and given gaps: what the source's
        code measures.
        """
        return self.derive(
            ("points", space_name),
            lambda: (to_points(self.space, self.original, space_name), self.own_points(space_name)),
        )

    def own_points(self, space_name: str) -> Floats:
        """Return the avatars as points."""
        if space_name != "latent":
            return to_points(self.space, self.imputed, space_name)
        if LATENT not in self.facts:
            raise UsageError(
                "The space latent is that of avatars that are mixed here, before they are written back; "
                "other rows have no such points: choose pca or columns."
            )
        found: Floats = self.facts[LATENT]
        return found


def to_points(space: Space, table: Table, space_name: str) -> Floats:
    """Return the rows of a table as points: as standardised columns ("columns"), or on the components."""
    columns = space.columns(table)
    return columns if space_name == "columns" else space.project(columns)


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """The method applied to one half of the people (training half), and the held-out half."""

    train: PreparedTable
    held_out: PreparedTable
    avatars: Avatars

    def points(self, space_name: str) -> tuple[Floats, Floats, Floats]:
        """Return training half, held-out half and avatars as points in the space of the training half."""
        return self.avatars.derive(
            ("rehearsal", space_name),
            lambda: cast(
                tuple[Floats, Floats, Floats],
                (
                    *(
                        to_points(self.avatars.space, part, space_name)
                        for part in (self.train.imputed, self.held_out.imputed)
                    ),
                    self.avatars.own_points(space_name),
                ),
            ),
        )


def halves(avatars: Avatars) -> tuple[PreparedTable, PreparedTable]:
    """Split the rows into a training half and a held-out half of equal size, the same for every k; cached.

    They are split before imputation: missing values of both are imputed from the training half only. Raises
    a DataError if there are too few rows.
    """
    table = avatars.source
    if table.rows < MIN_ROWS:
        raise DataError(
            "at least {min_rows} rows are needed to split them into two halves", min_rows=MIN_ROWS
        )

    def cut() -> tuple[PreparedTable, PreparedTable]:
        inside, outside = _rows_of_halves(avatars)
        train = prepare_table(table.take_compact(inside), avatars.impute)
        held_out = table.take_compact(outside)
        return train, PreparedTable(
            held_out, impute_missing(held_out, avatars.impute, fit_on=train.source)[0]
        )

    person_key = b"" if avatars.person is None else avatars.person.tobytes()
    return table.derive(("halves", avatars.split_seed, avatars.impute, person_key), cut)


def _rows_of_halves(avatars: Avatars) -> tuple[Ints, Ints]:
    """Draw the rows of two halves of equal size, with no person in both."""
    draw = np.random.default_rng(avatars.split_seed)
    if avatars.person is None:
        rows = avatars.source.rows
        order, half = draw.permutation(rows), rows // 2
        return np.sort(order[:half]), np.sort(order[half : 2 * half])
    people = int(avatars.person.max()) + 1
    inside = np.zeros(people, dtype=bool)
    inside[draw.permutation(people)[: people // 2]] = True
    sides = [draw.permutation(np.flatnonzero(inside[avatars.person] == side)) for side in (True, False)]
    rows = min(map(len, sides))
    if rows < MIN_ROWS // 2:
        raise DataError("each half of the people must have at least 3 rows")
    return np.sort(sides[0][:rows]), np.sort(sides[1][:rows])


def get_rehearsal(avatars: Avatars) -> Rehearsal:
    """Return the rehearsal; cached. Raises a DataError if there can be none."""
    method = avatars.method
    if method is None:
        raise DataError("the method is needed, to make avatars of one half of the people")

    def rehearse() -> Rehearsal:
        train, held_out = halves(avatars)
        rehearsed = method.apply(train.source, np.random.default_rng([avatars.split_seed, 1]))
        return Rehearsal(train, held_out, rehearsed)

    return avatars.derive("rehearsal", rehearse)


def score_rehearsal(avatars: Avatars, score: Callable[[Rehearsal], Score]) -> Score:
    """Compute a score on the rehearsal; undefined, with the reason, if there can be none."""
    try:
        rehearsal = get_rehearsal(avatars)
    except DataError as error:
        return Score.undefined(error.phrase)
    return score(rehearsal)


def fully_synthetic(
    table: Table,
    prepared: PreparedTable,
    published: Table,
    method: AvatarMethod,
    split_seed: int,
    impute: Impute,
) -> Avatars:
    """Wrap rows that were drawn from the whole table: none is made from one person's row."""
    return Avatars(
        prepared.imputed,
        published,
        prepared.imputed.derive("space", lambda: fit_space(prepared.imputed)),
        prepared.source,
        method=method,
        split_seed=split_seed,
        rows_dropped=table.rows - prepared.imputed.rows,
        impute=impute,
    )


def avatars_from_tables(
    original: Table, synthetic: Table, *, variance: float = 0.9, components: int | None = None
) -> Avatars:
    """Pair a given synthetic table with the original, without knowing who became which row."""
    _refuse_other_columns(original, synthetic)
    given = Table(
        {name: _match_original(original[name], synthetic[name]) for name in original.columns}, synthetic.rows
    )
    source, imputed = prepare_table(original, "mean")
    space = fit_space(imputed, variance=variance, components=components)
    refuse_extreme_numbers(given)
    return Avatars(imputed, given, space, source)


def _refuse_other_columns(original: Table, synthetic: Table) -> None:
    """Refuse two tables with different columns, kinds, or an empty synthetic column."""
    for first, second, lacking, having in (
        (original, synthetic, Phrase("synthetic"), Phrase("original")),
        (synthetic, original, Phrase("original"), Phrase("synthetic")),
    ):
        only = [name for name in first.columns if name not in second.columns]
        if only:
            raise DataError(
                "The {lacking} table lacks the columns {only} of the {having} table: give both the "
                "same columns.",
                lacking=lacking,
                only=listed(only),
                having=having,
            )
    for name, column in original.columns.items():
        if column.kind != "category" and len(column.values) and not len(synthetic[name].values):
            raise DataError(
                "The column {name} of the synthetic table has no value at all: fill it, or leave it "
                "out of both tables.",
                name=brief(name),
            )
        if synthetic[name].kind != column.kind and len(synthetic[name].values) and len(column.values):
            raise DataError(
                "The column {name} holds {original} in the original and {synthetic} in the synthetic "
                "table: give the same kind of values in both.",
                name=brief(name),
                original=_KINDS[column.kind],
                synthetic=_KINDS[synthetic[name].kind],
            )


def _match_original(original: Column, synthetic: Column) -> Column:
    """Return the synthetic column with only its own values, and dates in the time zone of the original."""
    dates = original.kind == synthetic.kind == "date"
    return (
        convert_time_zone(original, synthetic.drop_unused_values())
        if dates
        else synthetic.drop_unused_values()
    )


_KINDS = {"number": Phrase("numbers"), "date": Phrase("dates"), "category": Phrase("texts")}
