"""A sweep in one process and in two, measured in one run by the clock on the wall.

    python -m benchmarks --only sweep

20 radii × 5 seeds on the default demonstration city: six scores and all attacks each, the strongest attack
on the front only. Two sweeps in one process each, at the same time, say what the machine gives two processes
that have nothing to do with each other.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.ratios import Ratio

RECIPE = """
data: demo:mobility
seed: 7
steps:
  - delete_at_random: {share: 0.3}
  - jitter_time: {hours: 12}
  - planar_laplace: {}
  - pseudonymise: {}
"""


def seconds(folder: Path, workers: int, at_once: int = 1) -> tuple[float, bytes]:
    """The whole command, its start included; so many of them at once."""
    recipe = folder / "laplace.yaml"
    outputs = [folder / f"{workers}-{at_once}-{number}.csv" for number in range(at_once)]
    recipe.write_text(RECIPE)
    insanonym = Path(sys.executable).with_name("insanonym")
    options = ["--over", "planar_laplace.radius=10:5000:20", "--seeds", "5", "--workers", str(workers)]
    started = time.perf_counter()
    running = [
        subprocess.Popen([insanonym, "sweep", recipe, "-o", output, *options], stdout=subprocess.DEVNULL)
        for output in outputs
    ]
    codes = [one.wait() for one in running]
    if any(codes):
        raise SystemExit("A sweep failed.")
    return time.perf_counter() - started, outputs[0].read_bytes()


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """One process against two."""
    with tempfile.TemporaryDirectory() as folder:
        one, first = seconds(Path(folder), 1)
        two, second = seconds(Path(folder), 2)
        both, _ = seconds(Path(folder), 1, at_once=2)
    if first != second:
        raise SystemExit("Two processes gave other numbers than one.")
    what = f"time of a sweep in one process: 20 points × 5 seeds, six scores and all attacks ({one:.1f} s)"
    yield Ratio(what, "in two", one / two, "≥ 1.6")
    yield Ratio(
        "two such sweeps, one after the other", "at the same time: what the machine gives", 2 * one / both
    )
