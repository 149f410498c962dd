"""The core of INSAnonym Explorer: data and a recipe in, scores with evidence out.

Importing this package loads nothing heavy; the parts are imported where they are used:
``insanonym_core.mobility`` for GPS traces, ``insanonym_core.demo`` for demonstration data. ``tune`` finds a
recipe; it is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from insanonym_core.tuning.start import tune_data as tune

__all__ = ["__version__", "tune"]

__version__ = "0.1.0"


_LAZY = {"tune": "insanonym_core.tuning.start:tune_data"}


def __getattr__(name: str) -> Any:  # Any: whatever stands behind a name
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _LAZY[name].partition(":")
    return getattr(import_module(module), attribute)
