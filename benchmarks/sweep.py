"""A sweep in one process and in two, measured in one run by the clock on the wall.

    python -m benchmarks --only sweep

20 radii × 5 seeds on the default demonstration city: six scores and all attacks each, the strongest attack
on the front only.
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


def seconds(folder: Path, workers: int) -> tuple[float, bytes]:
    """The whole command, its start included."""
    recipe, output = folder / "laplace.yaml", folder / f"{workers}.csv"
    recipe.write_text(RECIPE)
    command = [Path(sys.executable).with_name("insanonym"), "sweep", recipe, "-o", output]
    options = ["--over", "planar_laplace.radius=10:5000:20", "--seeds", "5", "--workers", str(workers)]
    started = time.perf_counter()
    subprocess.run([*command, *options], check=True, capture_output=True)
    return time.perf_counter() - started, output.read_bytes()


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """One process against two."""
    with tempfile.TemporaryDirectory() as folder:
        one, first = seconds(Path(folder), 1)
        two, second = seconds(Path(folder), 2)
    if first != second:
        raise SystemExit("Two processes gave other numbers than one.")
    what = f"time of a sweep in one process: 20 points × 5 seeds, six scores and all attacks ({one:.1f} s)"
    yield Ratio(what, "in two", one / two, "≥ 1.6")
