"""Write the tables of this folder, with our own environment; see README.md of the folder above.

    python make_tables.py

The made-up patients of `demo:patients` without gaps in five columns, cut into the halves of our `inference`;
the half in the data is published unchanged and by Mondrian: with one value for each interval and set, for
anonymeter to read, and as we publish it (NAME_published.csv).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from insanonym_core.demo.named import named_table
from insanonym_core.experiment import make_release
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tabular.exposure import person_codes
from insanonym_core.tabular.metrics.inference import halve_people
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.table import Table

HERE = Path(__file__).parent
QUASI = ("sex", "age", "weight_kg", "town")
SECRET = "diagnosis"
ROLES = {"quasi": QUASI, "sensitive": (SECRET,), "identifier": ()}
RELEASES = {
    "unchanged": (),
    **{f"mondrian_{k}": (Step("mondrian", {"k": k, "choice": "random"}),) for k in (2, 5, 10)},
}


def patients() -> pd.DataFrame:
    """The demonstration's patients who have all five values."""
    return named_table("demo:patients").frame()[[*QUASI, SECRET]].dropna().reset_index(drop=True)


def recipe(release: str) -> Recipe:
    """The recipe of a release of this folder."""
    return Recipe(RELEASES[release], kind="table", roles=ROLES, seed=1)


def rehearsed(release: str, frame: pd.DataFrame) -> tuple[TableRelease, tuple[np.ndarray, np.ndarray]]:
    """The release of the half that is in the data, as `inference` makes it, and the rows of both halves."""
    whole = make_release(recipe(release), Table.from_frame(frame)).release
    halves = halve_people(int(person_codes(whole).max()) + 1, np.random.default_rng(0))
    return whole.rehearse(halves[0]), halves


def representatives(release: TableRelease) -> pd.DataFrame:
    """What is published, with the middle of each interval and the most frequent value of each set."""
    frame = release.original.frame().iloc[release.rows].reset_index(drop=True)
    for name, made in release.generalised.items():
        if made.column.kind == "category":
            frame[name] = frame.groupby(release.group)[name].transform(lambda values: values.mode().iloc[0])
        else:
            frame[name] = made.middle()[release.group].round(6)
    return frame


def main() -> None:
    frame = patients()
    draw = np.random.default_rng(20261119)
    _, halves = rehearsed("unchanged", frame)
    tables = {"train": frame.iloc[halves[0]], "held_out": frame.iloc[halves[1]]}
    for name in RELEASES:
        release = rehearsed(name, frame)[0]
        shuffled = draw.permutation(len(release.rows))  # anonymeter takes one of the equally near rows
        tables[name] = representatives(release).iloc[shuffled]
        if release.generalised:
            tables[f"{name}_published"] = release.frame.iloc[shuffled]
    for name, table in tables.items():
        table.to_csv(HERE / f"{name}.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
