"""Ask anonymeter about the tables of this folder; see README.md for the environment.

python make_golden.py
"""

from __future__ import annotations

import json
import platform
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

HERE = Path(__file__).parent
RELEASES = ("copies", "avatars", "shuffled")
LINKED = (["sex", "age", "height_cm"], ["weight_kg", "systolic_mmhg", "glucose_mmol_l", "diagnosis"])
GUESSED = (
    (["weight_kg"], "diagnosis", False),
    (["weight_kg"], "age", True),
    (["sex", "age", "height_cm", "weight_kg", "systolic_mmhg", "glucose_mmol_l"], "diagnosis", False),
    (["sex", "height_cm", "weight_kg", "systolic_mmhg", "glucose_mmol_l", "diagnosis"], "age", True),
)


def read(name: str) -> pd.DataFrame:
    frame = pd.read_csv(HERE / f"{name}.csv")
    return frame.astype(
        {name: object for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])}
    )


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


def asked(release: str) -> dict[str, Any]:
    train, held_out, synthetic = read("train"), read("held_out"), read(release)
    np.random.seed(0)  # noqa: NPY002 (anonymeter draws from pandas' global state)
    common: dict[str, Any] = {"ori": train, "syn": synthetic, "control": held_out}
    inference = []
    for known, secret, regression in GUESSED:
        attack = InferenceEvaluator(
            **common, aux_cols=known, secret=secret, regression=regression, n_attacks=len(train)
        ).evaluate(n_jobs=1)
        guesses = {
            "train": attack._guesses_success.sort_index().tolist(),
            "held_out": attack._guesses_control.sort_index().tolist(),
        }
        inference.append({"known": known, "secret": secret, **rates(attack), "guesses": guesses})
    linked = LinkabilityEvaluator(**common, aux_cols=LINKED, n_attacks=len(train)).evaluate(n_jobs=1)
    singled = SinglingOutEvaluator(**common, n_attacks=200, n_cols=4, seed=0).evaluate(mode="multivariate")
    return {
        "inference": inference,
        "linkability": {"columns": LINKED, **rates(linked)},
        "singling_out": rates(singled),
    }


def main() -> None:
    warnings.simplefilter("ignore")  # that an attack is no better than its baseline
    packages = ("anonymeter", "numpy", "pandas", "polars", "numba", "scikit-learn", "scipy")
    expected = {
        "made_with": {"python": platform.python_version(), **{name: version(name) for name in packages}},
        "releases": {release: asked(release) for release in RELEASES},
    }
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
