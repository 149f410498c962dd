"""What a method of avatars gives back: the synthetic table, and apart from it how it came about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar, cast

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.avatars.space import Space, fit_space, imputed
from insanonym_core.errors import DataError
from insanonym_core.scores import Score
from insanonym_core.tabular.table import Table

SpaceName = Literal["pca", "columns"]
FEWEST_ROWS = 6
Derived = TypeVar("Derived")


class AvatarMethod(Protocol):
    """Makes synthetic rows of a table."""

    def apply(self, table: Table, generator: np.random.Generator) -> Avatars: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class Avatars:
    """Synthetic rows beside the originals. Without a pairing (somebody's file) `owner` is None.

    `owner[i]` is the original row behind row i of `published`: it is kept for the scores, never exported.
    `original` has no missing number: imputed values are what was mixed, and what distances are taken to.
    """

    original: Table
    published: Table
    space: Space
    owner: Ints | None = None
    method: AvatarMethod | None = None
    split_seed: int = 0
    rows_dropped: int = 0
    loudly: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    _derived: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def derive(self, key: object, compute: Callable[[], Derived]) -> Derived:
        """Something computed from these avatars, once."""
        if key not in self._derived:
            self._derived[key] = compute()
        return cast(Derived, self._derived[key])

    def points(self, which: str) -> tuple[Floats, Floats]:
        """Originals and avatars as points: on the components, or as standardised columns."""
        return self.derive(
            ("points", which),
            lambda: (placed(self.space, self.original, which), placed(self.space, self.published, which)),
        )


def placed(space: Space, table: Table, which: str) -> Floats:
    """The rows of a table as points: on the components, or as standardised columns."""
    columns = space.columns(table)
    return space.project(columns) if which == "pca" else columns


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """The method tried on one half of the people, the training half; the held-out half was not in it."""

    train: Table
    held_out: Table
    made: Avatars

    def placed(self, which: str) -> tuple[Floats, Floats, Floats]:
        """Training half, held-out half and avatars in the space of the training half."""
        return self.made.derive(
            ("rehearsal", which),
            lambda: cast(
                tuple[Floats, Floats, Floats],
                tuple(
                    placed(self.made.space, part, which)
                    for part in (self.train, self.held_out, self.made.published)
                ),
            ),
        )


def halves(avatars: Avatars) -> tuple[Table, Table]:
    """Training half and held-out half, of equal size, the same for every k: only the method moves.

    A DataError says why there are none.
    """
    table = avatars.original
    if table.rows < FEWEST_ROWS:
        raise DataError(f"at least {FEWEST_ROWS} rows are needed to split them into two halves")

    def cut() -> tuple[Table, Table]:
        half = table.rows // 2
        order = np.random.default_rng(avatars.split_seed).permutation(table.rows)
        return table.some(np.sort(order[:half])), table.some(np.sort(order[half : 2 * half]))

    return table.derive(("halves", avatars.split_seed), cut)


def rehearsal_of(avatars: Avatars) -> Rehearsal:
    """The rehearsal, made once; a DataError says why there can be none."""
    method = avatars.method
    if method is None:
        raise DataError("the method is needed, to make avatars of one half of the people")

    def rehearse() -> Rehearsal:
        train, held_out = halves(avatars)
        return Rehearsal(train, held_out, method.apply(train, np.random.default_rng([avatars.split_seed, 1])))

    return avatars.derive("rehearsal", rehearse)


def rehearsed(avatars: Avatars, score: Callable[[Rehearsal], Score]) -> Score:
    """A score that needs people who were not in the data; undefined, with the reason, without them."""
    try:
        rehearsal = rehearsal_of(avatars)
    except DataError as error:
        return Score.undefined(str(error))
    return score(rehearsal)


def compared(original: Table, synthetic: Table) -> Avatars:
    """Somebody's synthetic table beside the original, without any pairing."""
    original.named(synthetic.columns, "synthetic table")
    if set(original.columns) != set(synthetic.columns):
        missing = sorted(set(original.columns) - set(synthetic.columns))
        raise DataError(f"The synthetic table lacks the columns {', '.join(missing)}: give the same columns.")
    for name, column in original.columns.items():
        if synthetic[name].kind != column.kind and len(synthetic[name].values) and len(column.values):
            raise DataError(
                f"The column {name!r} holds {_KINDS[column.kind]} in the original and "
                f"{_KINDS[synthetic[name].kind]} in the synthetic table: give the same kind."
            )
    whole, rows = imputed(original)
    made, _ = imputed(synthetic.select(original.columns))
    return Avatars(whole, made, fit_space(whole), rows_dropped=original.rows - len(rows))


_KINDS = {"number": "numbers", "date": "dates", "category": "texts"}
