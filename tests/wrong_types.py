"""Types that the checker must refuse: in `make lint`, a `type: ignore` that is not needed is an error."""

from __future__ import annotations

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.grouping import starts_of_runs, sum_by_group

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
