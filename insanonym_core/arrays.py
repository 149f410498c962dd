"""Names for the arrays the core works with: they say to a reader what an array holds."""

from __future__ import annotations

from typing import Any, TypeAlias

from numpy.typing import NDArray

Ints: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[Any]
Bools: TypeAlias = NDArray[Any]
