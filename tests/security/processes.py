"""The command as a real process, and a machine that is busy meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.levels import at_level

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "from insanonym_core.cli import main; main()")
_AT_ONCE = 4


def environment(**more: str) -> dict[str, str]:
    """Variables for a process that runs the code beside these tests, wherever it is started."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "dashboard"))), **more}


def start(*arguments: object, **options: str) -> subprocess.Popen[str]:
    """Begin `insanonym …`; whoever starts it waits for it."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        env=environment(**options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(*arguments: object) -> tuple[int, str]:
    """Run `insanonym …`: its exit code and what it wrote to standard error."""
    process = start(*arguments)
    _, errors = process.communicate(timeout=300)
    return process.returncode, errors


def finish_many(times: int, *arguments: object) -> list[tuple[int, str]]:
    """Run the same command many times, some of them at once."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(lambda _: finish(*arguments), range(times)))


@contextmanager
def busy_machine(loops: int = at_level(3, 3, 6)) -> Iterator[None]:
    """Processes that do nothing but compute, and end with the block."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()
