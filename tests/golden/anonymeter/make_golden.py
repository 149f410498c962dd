"""Ask anonymeter about the releases of this folder and of tables/; see README.md for the environment.

    python make_golden.py

Writes expected.json (avatars) and tables/expected.json (tables).
"""

from __future__ import annotations

import json
import platform
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
from anonymeter.evaluators.singling_out_evaluator import multivariate_singling_out_queries

HERE = Path(__file__).parent
ATTEMPTS = 10_000


@dataclass(frozen=True)
class Asked:
    """What anonymeter is asked about the releases of a folder: known columns and secret, parts to link."""

    folder: Path
    releases: tuple[str, ...]
    linked: tuple[list[str], list[str]]
    guessed: tuple[tuple[list[str], str, bool], ...]
    singled: tuple[str, ...] | None = None  # the columns of the predicates; None: any four of all
    with_our_guess: bool = False

    def read(self, name: str) -> pd.DataFrame:
        frame = pd.read_csv(self.folder / f"{name}.csv")
        texts = [column for column in frame.columns if not pd.api.types.is_numeric_dtype(frame[column])]
        return frame.astype(dict.fromkeys(texts, object))


AVATARS = Asked(
    HERE,
    ("copies", "avatars", "shuffled"),
    (["sex", "age", "height_cm"], ["weight_kg", "systolic_mmhg", "glucose_mmol_l", "diagnosis"]),
    (
        (["weight_kg"], "diagnosis", False),
        (["weight_kg"], "age", True),
        (["sex", "age", "height_cm", "weight_kg", "systolic_mmhg", "glucose_mmol_l"], "diagnosis", False),
        (["sex", "height_cm", "weight_kg", "systolic_mmhg", "glucose_mmol_l", "diagnosis"], "age", True),
    ),
)
TABLES = Asked(
    HERE / "tables",
    ("unchanged", "mondrian_2", "mondrian_5", "mondrian_10"),
    (["sex", "age"], ["weight_kg", "town"]),
    ((["sex", "age", "weight_kg", "town"], "diagnosis", False),),
    ("sex", "age", "weight_kg", "town"),
    with_our_guess=True,
)


@dataclass(frozen=True)
class MostFrequent:
    """Our guess as anonymeter's `inference_model`, row by row: the most frequent secret of the rows that fit.

    Of several the first in the alphabet; of all rows where none fits.
    """

    published: pd.DataFrame
    known: list[str]
    secret: str

    def predict(self, x: pd.DataFrame) -> pd.Series:
        return pd.Series([self._guess(row) for row in x[self.known].to_dict("records")], x.index)

    def _guess(self, person: dict[str, Any]) -> str:
        rows = self.published.to_dict("records")
        fitting = [row for row in rows if all(holds(row[name], person[name]) for name in self.known)]
        count = Counter(row[self.secret] for row in fitting or rows)
        return min(value for value in count if count[value] == max(count.values()))


def holds(cell: str, value: Any) -> bool:
    """Whether a published cell, such as 61, [20, 30], Paris or {Lyon, Paris}, allows a value."""
    if cell.startswith("["):
        low, high = map(float, cell[1:-1].split(", "))
        return bool(low <= value <= high)
    if cell.startswith("{"):
        return value in cell[1:-1].split(", ")
    return bool(cell == value if isinstance(value, str) else float(cell) == value)


def rates(evaluator: Any) -> dict[str, Any]:
    """Raw rates as counted, and the risk that anonymeter makes of them."""
    results = evaluator.results()
    risk = evaluator.risk()
    return {
        "attack": int(results.n_success) / results.n_attacks_ori,
        "control": int(results.n_control) / results.n_attacks_control,
        "attacks": int(results.n_attacks_ori),
        "risk": float(risk.value),
        "interval": [float(end) for end in risk.ci],
    }


def answers(asked: Asked, release: str) -> dict[str, Any]:
    train, held_out, synthetic = asked.read("train"), asked.read("held_out"), asked.read(release)
    np.random.seed(0)  # noqa: NPY002 (anonymeter draws from pandas' global state)
    common: dict[str, Any] = {"ori": train, "syn": synthetic, "control": held_out}
    inference = []
    for known, secret, regression, model in models(asked, release):
        attack = InferenceEvaluator(
            **common,
            aux_cols=known,
            secret=secret,
            regression=regression,
            n_attacks=len(train),
            inference_model=model,
        ).evaluate(n_jobs=1)
        guesses = {
            "train": attack._guesses_success.sort_index().tolist(),
            "held_out": attack._guesses_control.sort_index().tolist(),
        }
        inference.append({"known": known, "secret": secret, **rates(attack), "guesses": guesses})
    linked = LinkabilityEvaluator(**common, aux_cols=asked.linked, n_attacks=len(train)).evaluate(n_jobs=1)
    return {
        "inference": inference,
        "linkability": {"columns": asked.linked, **rates(linked)},
        "singling_out": rates(singled_out(asked, common)),
    }


def models(asked: Asked, release: str) -> Iterator[tuple[list[str], str, bool, MostFrequent | None]]:
    """What is known, the secret, whether it is a number, and who guesses (None: anonymeter's nearest row)."""
    for case in asked.guessed:
        yield *case, None
    if asked.with_our_guess:
        file = asked.folder / f"{release}_published.csv"
        published = pd.read_csv(file if file.exists() else asked.folder / f"{release}.csv", dtype=str)
        for known, secret, number in asked.guessed:
            yield known, secret, number, MostFrequent(published, known, secret)


def singled_out(asked: Asked, common: dict[str, pd.DataFrame]) -> SinglingOutEvaluator:
    """Predicates of four columns: 200, or where the columns are given as many as can be found.

    anonymeter divides by the number asked for: with more than it finds, the risk would come out too low.
    """
    number = 200
    if asked.singled is not None:
        common = {name: frame[list(asked.singled)] for name, frame in common.items()}
        released = pl.DataFrame(common["syn"]).unique(maintain_order=True)
        number = len(
            multivariate_singling_out_queries(released, number, 4, ATTEMPTS, np.random.default_rng(0))
        )
    evaluator = SinglingOutEvaluator(**common, n_attacks=number, n_cols=4, seed=0, max_attempts=ATTEMPTS)
    return evaluator.evaluate(mode="multivariate")


def main() -> None:
    warnings.simplefilter("ignore")  # that an attack is no better than its baseline
    packages = ("anonymeter", "numpy", "pandas", "polars", "numba", "scikit-learn", "scipy")
    made_with = {"python": platform.python_version(), **{name: version(name) for name in packages}}
    for asked in (AVATARS, TABLES):
        releases = {release: answers(asked, release) for release in asked.releases}
        text = json.dumps({"made_with": made_with, "releases": releases}, indent=1)
        (asked.folder / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
