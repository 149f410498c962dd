"""Write the tables of this folder, with our own environment; see README.md.

    python make_tables.py

The made-up patients of `demo:patients` without gaps, cut into halves; three releases of the training half.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from insanonym_core.avatars.release import get_rehearsal
from insanonym_core.demo.named import named_table
from insanonym_core.registry import methods
from insanonym_core.tabular.table import Table

HERE = Path(__file__).parent
COLUMNS = ["sex", "age", "height_cm", "weight_kg", "systolic_mmhg", "glucose_mmol_l", "diagnosis"]


def main() -> None:
    frame = named_table("demo:patients").frame()[COLUMNS].dropna().reset_index(drop=True)
    draw = np.random.default_rng(20261118)
    # Nobody shares a weight: on weight alone there is one nearest avatar, whatever the distance.
    frame["weight_kg"] = (frame["weight_kg"].astype(float) + draw.uniform(-0.05, 0.05, len(frame))).round(6)
    method = methods.get("mix_neighbours", data="avatars").item(k=20)
    rehearsal = get_rehearsal(method.apply(Table.from_frame(frame), np.random.default_rng(1)))
    train = rehearsal.train.source.frame()
    tables = {
        "train": train,
        "held_out": rehearsal.held_out.source.frame(),
        "avatars": rehearsal.avatars.published.frame(),
        "copies": train.iloc[draw.permutation(len(train))],
        "shuffled": pd.DataFrame({name: draw.permutation(train[name].to_numpy()) for name in COLUMNS}),
    }
    for name, table in tables.items():
        table.to_csv(HERE / f"{name}.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
