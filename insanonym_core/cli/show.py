"""Terminal output: tables on standard output, progress and warnings on standard error."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from insanonym_core.errors import Problem
from insanonym_core.results.scores import as_json
from insanonym_core.runtime.jobs import Job

errors = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)


def output() -> Console:
    """The console of standard output, made when needed so that a redirected stream is seen."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def print_json(value: object) -> None:
    """One JSON object and nothing else."""
    sys.stdout.write(json.dumps(as_json(value), ensure_ascii=not _is_unicode(sys.stdout), indent=1) + "\n")


def _is_unicode(stream: object) -> bool:
    return "utf" in (getattr(stream, "encoding", None) or "utf-8").lower()


def plain(text: str) -> str:
    """Escape square brackets in a text of the user, which rich would take for markup."""
    return escape(text)


def number(value: float) -> str:
    """Four digits, or n/a."""
    return "n/a" if math.isnan(value) else f"{value:.4f}"


def bar(value: float, width: int = 20) -> str:
    """A share as a small bar."""
    if math.isnan(value):
        return ""
    filled = round(max(0.0, min(1.0, value)) * width)
    return "█" * filled + "·" * (width - filled)


def table(title: str, *columns: str) -> Table:
    """An empty table; columns whose name begins with '>' are aligned to the right."""
    made = Table(
        title=title, title_justify="left", title_style="bold", header_style="dim", box=None, pad_edge=False
    )
    for column in columns:
        made.add_column(column.removeprefix(">"), justify="right" if column.startswith(">") else "left")
    return made


def warn(problem: Problem) -> None:
    """Print a problem that does not prevent scoring, on standard error."""
    kind = "Warning" if problem.warning else "Invalid"
    errors.print(f"{kind}: {problem.sentence()}", style="yellow", markup=False)


@contextmanager
def job(steps: int) -> Iterator[Job]:
    """A job whose progress is a bar on standard error; `steps` parts are expected."""
    bar_columns = (
        TextColumn("{task.description:<28}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*bar_columns, console=errors, transient=True, disable=not errors.is_terminal) as shown:
        task = shown.add_task("", total=steps)
        begun = 0

        def begin(name: str) -> None:
            nonlocal begun
            shown.update(task, description=name, completed=min(begun, steps))
            begun += 1

        yield Job(begin)


@contextmanager
def counted(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """A bar on standard error for many equal parts: call the yielded function with how many are done.

    It is drawn from the first call on, so that processes may be forked before its thread starts.
    """
    columns = (TextColumn(f"{{task.completed:,}} of {total:,} {what}"), BarColumn(), TimeRemainingColumn())
    shown = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    task = shown.add_task("", total=total)

    def done(finished: int) -> None:
        if finished and not shown.live.is_started:
            shown.start()
        shown.update(task, completed=finished)

    try:
        yield done
    finally:
        shown.stop()


@contextmanager
def searched(total: int) -> Iterator[Callable[[int, float, float], None]]:
    """A bar on standard error for a search: how many trials are done, and utility and privacy of the best.

    It is drawn from the first call on, so that processes may be forked before its thread starts.
    """
    columns = (
        TextColumn(f"{{task.completed:,}} of {total:,} recipes"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[best]}"),
    )
    shown = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    task = shown.add_task("", total=total, best="")

    def done(finished: int, utility: float, privacy: float) -> None:
        if not shown.live.is_started:
            shown.start()
        best = "" if math.isnan(utility) else f"best so far: utility {utility:.2f}, privacy {privacy:.2f}"
        shown.update(task, completed=finished, best=best)

    try:
        yield done
    finally:
        shown.stop()


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Rows done and rows a second, on standard error: call the yielded function with how many more are done.

    It is drawn from the first call on, so that processes may be forked before its thread starts.
    """
    columns = (
        TextColumn(f"{{task.completed:,}} {what}, {{task.fields[rate]:,.0f}} a second"),
        TimeElapsedColumn(),
    )
    shown = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    task = shown.add_task("", total=None, rate=0.0)
    began = time.monotonic()
    done = 0

    def more(number: int) -> None:
        nonlocal done
        done += number
        shown.start()
        shown.update(task, completed=done, rate=done / max(time.monotonic() - began, 1e-9))

    try:
        yield more
    finally:
        shown.stop()
