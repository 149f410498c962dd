"""Adding noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.parameters import Range
from insanonym_core.registry import methods
from throwaway_numbers.data import Numbers


@methods.add("blur_numbers", data="numbers", title="Noise on numbers")
@dataclass(frozen=True, kw_only=True)
class AddNoise:
    """Adds normal noise to every number.

    The mean of many numbers is not protected.
    """

    sigma: Annotated[float, Range(0, 10, step=0.5)] = 1.0

    def apply(self, numbers: Numbers, generator: np.random.Generator) -> Numbers:
        """The noisy numbers."""
        return Numbers(numbers.values + generator.normal(0, self.sigma, numbers.values.shape))
