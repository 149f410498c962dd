"""Tables for the tests: small, odd and random."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from insanonym_core.numeric.randomness import step_generator
from insanonym_core.registry import methods
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table

QUASI = ("age", "town", "seen", "flag")


def apply(
    name: str, frame: pd.DataFrame, roles: Roles, seed: int | None = 1, **parameters: object
) -> TableRelease:
    method = methods.get(name, data="table").item(**parameters)
    return method.apply(Table.from_frame(frame), roles, step_generator(seed, 1, name))


def shown(values: pd.Series) -> list[str]:
    """Values as text, whole numbers as such, missing as a value of its own."""

    def text(value: object) -> str:
        if pd.isna(value):
            return "∅"
        return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)

    return [text(value) for value in values.tolist()]


def literal_k(frame: pd.DataFrame, columns: list[str]) -> int:
    """k counted with nothing but a dictionary: missing equals missing."""
    return min(Counter(zip(*(shown(frame[name]) for name in columns), strict=True)).values())


@st.composite
def frames(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 60) -> pd.DataFrame:
    """Ties, constant columns, few distinct values, missing values, categories, dates, a duplicated index."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = draw(st.integers(min_rows, max_rows))
    distinct = draw(st.sampled_from([1, 2, 5, 1000]))
    gaps = draw(st.sampled_from([0.0, 0.2, 1.0]))
    frame = pd.DataFrame(
        {
            "who": [f"p{number}" for number in rng.integers(0, max(1, rows // 2) + 1, rows)],
            "age": rng.integers(0, distinct, rows) * rng.choice([1, 1, 0.5]),
            "town": rng.choice([f"t{number}" for number in range(min(distinct, 30))], rows),
            "seen": pd.Timestamp("2020-02-28") + pd.to_timedelta(rng.integers(0, distinct, rows), unit="D"),
            "flag": rng.random(rows) < 0.5,
            "illness": rng.choice(["flu", "cold", "none", "rare"], rows, p=[0.4, 0.3, 0.25, 0.05]),
        }
    )
    for name in ("age", "town", "seen", "flag", "illness"):
        if rng.random() < 0.6:
            frame[name] = frame[name].astype(object).mask(rng.random(rows) < gaps * rng.random())
            frame[name] = frame[name].infer_objects()
    if draw(st.booleans()):
        frame.index = rng.integers(0, 3, rows)
    return frame
