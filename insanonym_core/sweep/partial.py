"""The file of a half-done sweep: results as they come, so that the same plan goes on from there."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from insanonym_core import __version__
from insanonym_core.errors import UsageError
from insanonym_core.io.output import unwritable
from insanonym_core.results.threats import DEFINITION
from insanonym_core.sweep.plan import Plan
from insanonym_core.texts import Phrase

Result = tuple[dict[str, float], str, str]
"""Every number by name; why there is none; which threat decides privacy."""
NO_MEMORY = Phrase("not enough memory")
_MAX_LOCK_TRIES = 10
_BAD_ROW = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


@contextmanager
def partial_results(
    plan: Plan, path: Path | None, data: str, everything: bool
) -> Iterator[tuple[dict[int, Result], Callable[[int, Result], None]]]:
    """Yield the results of an earlier, interrupted run, and a function that appends a result."""
    if path is None:
        yield {}, lambda number, result: None
        return
    plan_id = f"{plan.hash} {data} {__version__} {DEFINITION} {'all' if everything else 'headlines'}"
    with _locked_file(path) as file:
        before = _read_partial(file, path, plan_id)

        def keep(number: int, result: Result) -> None:
            if result[1] != NO_MEMORY:  # another time there may be more
                _write_line(
                    file,
                    {
                        "point": number,
                        "values": result[0],
                        "failed": result[1],
                        "decided_by": result[2],
                    },
                )

        yield before, keep


@contextmanager
def _locked_file(path: Path) -> Iterator[TextIO]:
    """The partial file, locked: a second sweep with the same output would mix its lines in."""
    with _open_file(path) as file:
        # Workers of a killed sweep hold on for a moment before they end by themselves.
        for _ in range(_MAX_LOCK_TRIES):
            if _try_lock(file):
                break
            time.sleep(0.5)
        else:
            raise UsageError(
                "{path} is being written by another sweep: wait for it, or choose another output.", path=path
            )
        yield file


@contextmanager
def _open_file(path: Path) -> Iterator[TextIO]:
    """Open the partial file for appending; an OSError, also a later one (full disk), becomes one sentence."""
    try:
        path.touch(mode=0o600)  # results may tell about single rows: only for the owner
        with path.open("a+", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        raise unwritable(path, error) from None


def _try_lock(file: TextIO) -> bool:
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _not_a_partial_file(path: Path) -> UsageError:
    return UsageError("{path} is not an unfinished sweep: delete it, or choose another output.", path=path)


def _write_line(file: TextIO, content: dict[str, object]) -> None:
    file.write(json.dumps(content) + "\n")
    file.flush()


def _read_partial(file: TextIO, path: Path, plan_id: str) -> dict[int, Result]:
    """Results of an earlier run of the same plan and data; an incomplete last line is dropped."""
    file.seek(0)
    try:
        lines = file.read().split("\n")
    except ValueError:  # no UTF-8
        raise _not_a_partial_file(path) from None
    if len(lines) == 1:  # empty, or cut off in its first line
        if lines[0]:
            _check_first_line(lines[0], path, plan_id)
        file.truncate(0)
        _write_line(file, {"plan": plan_id})
        return {}
    _check_first_line(lines[0], path, plan_id)
    results: dict[int, Result] = {}
    whole = [lines[0]]
    for line in lines[1:-1]:
        try:
            row = json.loads(line)
            values = {str(name): float(value) for name, value in row["values"].items()}
            results[int(row["point"])] = values, str(row["failed"]), str(row["decided_by"])
        except _BAD_ROW:
            break
        whole.append(line)
    file.truncate(
        len("".join(f"{line}\n" for line in whole).encode())
    )  # not written anew: the disk may be full
    return results


def _check_first_line(line: str, path: Path, plan_id: str) -> None:
    try:
        head = json.loads(line)["plan"]
    except _BAD_ROW:
        raise _not_a_partial_file(path) from None
    if head != plan_id:
        raise UsageError(
            "{path} belongs to another sweep or other data: delete it, or choose another output.", path=path
        )
