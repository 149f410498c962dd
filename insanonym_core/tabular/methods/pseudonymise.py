"""Replacing an identifier by random pseudonyms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import pandas as pd

from insanonym_core.errors import UsageError, brief
from insanonym_core.numeric.randomness import random_pseudonyms
from insanonym_core.parameters import ColumnNames
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
        requested = self.column or ((roles.identifier,) if roles.identifier else ())
        if not requested:
            raise UsageError("pseudonymise needs the column of the identifier: name it.")
        name = table.named(requested, "column to pseudonymise")[0]
        roles = roles.decided(table, (name,))
        if name in roles.drop:
            raise UsageError(
                "The column {name} is dropped and gets no pseudonyms: choose another column.",
                name=brief(name),
            )
        column = table[name]
        # A missing identifier stays missing.
        tokens, token_of_value = random_pseudonyms(generator, len(column.values))
        codes = np.where(
            column.codes >= 0, token_of_value[np.maximum(column.codes, 0)] if len(token_of_value) else -1, -1
        )
        renamed = Column(name, "category", pd.Index(tokens, dtype=object), codes.astype(np.int32))
        changed = Table({**table.columns, name: renamed}, table.rows)
        # Publish this identifier only, as pseudonyms.
        withheld = tuple((other, why) for other, why in roles.withheld or () if other != name)
        further = tuple(other for other in roles.identifiers if other != name)
        published_roles = replace(roles, identifier=None, further_identifiers=further, withheld=withheld)
        release = publish(changed, published_roles, np.arange(table.rows))
        names = [tokens[place] for place in token_of_value.tolist()]
        lookup = pd.DataFrame({name: column.texts(), unused_column_name(table, "pseudonym"): names})
        return replace(
            release, original=table, roles=replace(roles, withheld=withheld), extra={"lookup": lookup}
        )
