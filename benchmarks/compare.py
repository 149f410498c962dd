"""Two trees of the project measured in turns, in one run: is a change slower?

    git worktree add /tmp/before REVISION
    python -m benchmarks.compare /tmp/before [--only mobility tables …] [--times 3]

Every benchmark runs in both trees, one after the other, so many times; the medians of its ratios stand side
by side. Peers are not installed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

from benchmarks.__main__ import NAMES
from benchmarks.ratios import Ratio

HERE = Path(__file__).resolve().parents[1]


def ratios_of(tree: Path, name: str) -> list[Ratio]:
    """The ratios of one benchmark in one tree."""
    path = os.pathsep.join((str(tree), str(tree / "dashboard")))
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--without-peers", "--only", "__one__", name],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [Ratio(**json.loads(line)) for line in done.stdout.splitlines()]


def compare(before: Path, names: list[str], times: int) -> None:
    """Print one table."""
    print("| what | against | before | after | wanted |\n|---|---|---:|---:|---|")
    for name in names:
        found: dict[str, list[list[Ratio]]] = {"before": [], "after": []}
        for turn in range(times):
            trees = [("before", before), ("after", HERE)]
            for which, tree in trees if turn % 2 == 0 else reversed(trees):
                found[which].append(ratios_of(tree, name))
        for place, first in enumerate(found["after"][0]):
            medians = [
                statistics.median(run[place].value for run in found[which]) for which in ("before", "after")
            ]
            shown = [Ratio(first.what, first.against, value).written for value in medians]
            against = re.sub(r" \([\d.,]+ m?s\)", "", first.against)
            print(f"| {first.what} | {against} | {shown[0]} | {shown[1]} | {first.wanted} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path, help="a work tree of the earlier revision")
    parser.add_argument("--only", nargs="+", default=[name for name in NAMES if name != "scale"])
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args()
    compare(given.before.resolve(), given.only, given.times)


if __name__ == "__main__":
    main()
