"""Comparing what a command says now with what was recorded."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from tests.recorded.cases import Case

RELATIVE = 1e-9
NOTHING = 1e-12  # the rounding left where a difference is zero, such as 1.4e-17: no value of its own
# Keys of values that no two runs share, and what stands for them.
PLACEHOLDERS = {"data_salt": "<salt>", "sign_in_code": "<code>"}


def normalised(value: Any) -> Any:
    """The output without what differs from run to run: the keys of PLACEHOLDERS, nothing else."""
    if isinstance(value, dict):
        return {key: PLACEHOLDERS.get(key, normalised(one)) for key, one in value.items()}
    return [normalised(one) for one in value] if isinstance(value, list) else value


def without_later_items(recorded: Any, now: Any) -> Any:
    """The output without measures and methods that did not exist when it was recorded.

    They are listed, and stand beside the recorded numbers; they may not change one of these.
    """
    if not (isinstance(recorded, dict) and isinstance(now, dict)):
        return now
    kept = {key: value for key, value in now.items() if key in recorded or not _LATER.match(key)}
    for sort in ("metrics", "methods", "attacks"):
        if isinstance(kept.get(sort), list) and isinstance(recorded.get(sort), list):
            known = {_identity(entry) for entry in recorded[sort]}
            kept[sort] = [entry for entry in kept[sort] if _identity(entry) in known]
    return kept


_LATER = re.compile(r"further_|(utility|privacy|attack)\.")


def _identity(entry: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(entry.get(fact) for fact in ("data", "name", "rules"))


def differences(case: Case, recorded: Any, now: Any) -> list[str]:
    """Every path that differs, and how; in the order of the recorded output."""
    now = without_later_items(recorded, now)
    if case.numbers == "exact":
        return list(_walked(recorded, now, "", lambda _: True, ()))
    return list(_walked(recorded, now, "", lambda path: _is_named(path, case.same), case.free))


def _walked(
    recorded: Any, now: Any, path: str, exact: Callable[[str], bool], free: tuple[str, ...]
) -> Iterator[str]:
    if isinstance(recorded, dict) and isinstance(now, dict):
        for key in [*recorded, *(key for key in now if key not in recorded)]:
            below = f"{path}/{key}" if path else key
            if key not in now:
                yield f"{below}: no longer there"
            elif key not in recorded:
                yield f"{below}: new, {now[key]!r}"
            else:
                yield from _walked(recorded[key], now[key], below, exact, free)
    elif isinstance(recorded, list) and isinstance(now, list):
        if len(recorded) != len(now) and not _is_named(path, free):
            yield f"{path}: {len(recorded)} recorded, {len(now)} now"
        for place, (one, other) in enumerate(zip(recorded, now, strict=False)):
            yield from _walked(one, other, f"{path}/{place}", exact, free)
    elif not (_same if exact(path) else _alike)(recorded, now):
        yield f"{path or 'the whole output'}: {recorded!r} recorded, {now!r} now"


def _is_named(path: str, names: tuple[str, ...]) -> bool:
    """Whether a path is one of these, or below one of them."""
    return any(fnmatchcase(path, name) or fnmatchcase(path, f"{name}/*") for name in names)


def _same(recorded: Any, now: Any) -> bool:
    if isinstance(recorded, float) and isinstance(now, float):
        return math.isclose(recorded, now, rel_tol=RELATIVE, abs_tol=NOTHING)
    return type(recorded) is type(now) and recorded == now


def _alike(recorded: Any, now: Any) -> bool:
    """The same sort of value: a number, or a text that differs in its numbers alone."""
    if isinstance(recorded, str) and isinstance(now, str):
        return _without_numbers(recorded) == _without_numbers(now)
    return type(recorded) is type(now)


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+([.,]\d+)*", "#", text)
