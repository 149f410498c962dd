"""Types that the checker must refuse: in `make lint`, a `type: ignore` that is not needed is an error.

What it cannot refuse, because functions of numpy accept any dtype, `test_array_types.py` finds at run time.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

import insanonym_core as insanonym
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import starts_of_runs, sum_by_group

whole = np.zeros(3, dtype=np.int64)
real = np.zeros(3, dtype=np.float64)
truth = np.zeros(3, dtype=bool)

ints: Ints = whole
floats: Floats = real
bools: Bools = truth
wrong_ints: Ints = real  # type: ignore[assignment]
wrong_floats: Floats = whole  # type: ignore[assignment]
wrong_bools: Bools = whole  # type: ignore[assignment]

starts_of_runs(whole)
sum_by_group(whole, real)
sum_by_group(real, whole)  # type: ignore[arg-type]


def halves(values: Ints) -> Ints:
    return values / 2  # type: ignore[return-value]


def doubled(values: Floats) -> Ints:
    return values + values  # type: ignore[return-value]


def are_large(values: Floats) -> Floats:
    return values > 2  # type: ignore[return-value]


def chosen(values: Floats) -> Ints:
    return values[values > 1]  # type: ignore[return-value]


def api() -> None:
    """What `import insanonym_core` offers is typed, although it is loaded late."""
    frame = pd.DataFrame()
    found: insanonym.Result = insanonym.anonymise(frame, "cloak k=5", lang="fr")
    scores: pd.DataFrame = found.scores
    insanonym.score(frame, scores, attacks=["poi"]).figure("attacks").save("attacks.pdf")
    share: float = insanonym.attack(frame, "release.csv", "poi").share
    release: str = found.release  # type: ignore[assignment]
    insanonym.anonymise(frame)  # type: ignore[call-arg]
    insanonym.anonymise(3, "cloak")  # type: ignore[arg-type]
    insanonym.tune(frame, at_least=0.5)  # type: ignore[arg-type]
    del scores, share, release
