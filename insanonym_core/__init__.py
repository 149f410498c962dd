"""INSAnonym Explorer from Python: anonymise, attack and score data as pandas DataFrames.

>>> import insanonym_core as insanonym
>>> exposed = insanonym.risk("demo:patients", quasi=["sex", "age", "town"], sensitive="diagnosis")
>>> exposed.privacy < 0.5
True

Importing this package loads nothing heavy: the functions are loaded when they are first used, and the parts
behind them (`insanonym_core.mobility`, `insanonym_core.demo` …) are imported where they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from insanonym_core.api.calls import anonymise, make_avatars, read, risk, run
    from insanonym_core.api.result import Result
    from insanonym_core.api.scoring import AttackResult, attack, score
    from insanonym_core.api.search import SearchResult, tune
    from insanonym_core.errors import DataError, InsanonymError, InsanonymWarning, UsageError
    from insanonym_core.recipe import Recipe, Step

__all__ = [
    "AttackResult",
    "DataError",
    "InsanonymError",
    "InsanonymWarning",
    "Recipe",
    "Result",
    "SearchResult",
    "Step",
    "UsageError",
    "__version__",
    "anonymise",
    "attack",
    "make_avatars",
    "read",
    "risk",
    "run",
    "score",
    "tune",
]

__version__ = "1.0.0"

_MODULES = {
    "api.calls": ("anonymise", "make_avatars", "read", "risk", "run"),
    "api.result": ("Result",),
    "api.scoring": ("AttackResult", "attack", "score"),
    "api.search": ("SearchResult", "tune"),
    "errors": ("DataError", "InsanonymError", "InsanonymWarning", "UsageError"),
    "recipe": ("Recipe", "Step"),
}
_LAZY = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:  # Any: whatever stands behind a name
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
