"""Replacing an identifier by random pseudonyms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import pandas as pd

from insanonym_core.errors import UsageError
from insanonym_core.parameters import ColumnNames
from insanonym_core.randomness import random_pseudonyms
from insanonym_core.registry import methods
from insanonym_core.tabular.release import TableRelease, publish
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Column, Table, unused_column_name


@methods.add("pseudonymise", data="table", title="Pseudonyms", order=1, last=True)
@dataclass(frozen=True, kw_only=True)
class PseudonymiseColumn:
    """Gives every identifier one random pseudonym; a separate lookup table inverts it.

    All other columns are unchanged: whoever knows a person's values finds the row, and then all its rows.
    """

    column: Annotated[tuple[str, ...], ColumnNames(single=True)] = ()

    def apply(self, table: Table, roles: Roles, generator: np.random.Generator) -> TableRelease:
        """Replace the column (the identifier unless another is named)."""
        wanted = self.column or ((roles.identifier,) if roles.identifier else ())
        if not wanted:
            raise UsageError("pseudonymise needs the column of the identifier: name it.")
        name = table.named(wanted, "column to pseudonymise")[0]
        roles = roles.decided(table, (name,))
        if name in roles.drop:
            raise UsageError(f"The column {name!r} is dropped and gets no pseudonyms: choose another.")
        column = table[name]
        # A missing identifier stays missing: it is nobody's name.
        tokens, given = random_pseudonyms(generator, len(column.values))
        codes = np.where(column.codes >= 0, given[np.maximum(column.codes, 0)] if len(given) else -1, -1)
        renamed = Column(name, "category", pd.Index(tokens, dtype=object), codes.astype(np.int32))
        changed = Table({**table.columns, name: renamed}, table.rows)
        # Of all identifiers only this one is published, as pseudonyms.
        told = tuple((one, why) for one, why in roles.withheld or () if one != name)
        further = tuple(one for one in roles.identifiers if one != name)
        shown = replace(roles, identifier=None, further_identifiers=further, withheld=told)
        release = publish(changed, shown, np.arange(table.rows))
        names = [tokens[place] for place in given.tolist()]
        lookup = pd.DataFrame({name: column.texts(), unused_column_name(table, "pseudonym"): names})
        return replace(release, original=table, roles=replace(roles, withheld=told), extra={"lookup": lookup})
