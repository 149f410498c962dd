"""How much is tried: INSANONYM_TESTS is check, test (the default) or all, as the Makefile sets it.

In check and test hypothesis tries the same examples every time, so that no run depends on a draw; in all it
draws new ones.
"""

from __future__ import annotations

import os

from hypothesis import settings

LEVELS = ("check", "test", "all")
LEVEL = os.environ.get("INSANONYM_TESTS") or "test"
if LEVEL not in LEVELS:
    raise SystemExit(f"INSANONYM_TESTS must be one of {', '.join(LEVELS)}, got {LEVEL!r}.")


def at_level(check: int, test: int, everything: int) -> int:
    """The number for this level."""
    return {"check": check, "test": test, "all": everything}[LEVEL]


def examples(number: int) -> settings:
    """Settings of hypothesis for this many examples in `make test`: fewer in check, more in all."""
    return settings(max_examples=at_level(max(3, number // 8), number, 5 * number))


settings.register_profile(
    "insanonym",
    deadline=None,  # a busy machine is no failure
    derandomize=LEVEL != "all",
    max_examples=at_level(10, 100, 500),
)
settings.load_profile("insanonym")
