"""The commands that read, at full size, in two trees of the project: is reading slower than before?

    git worktree add /tmp/before REVISION
    python -m benchmarks.reading /tmp/before [--rows 34000000] [--table-rows 1400000] [--times 1]

A table like the enrolments of a university and a pair of GPS traces are made once, by this tree. Each command
runs in both trees, in turns, in a process of its own: CPU seconds of all its threads, and its memory. What
both trees print must be the same numbers.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.ratios import Ratio
from benchmarks.scale import make_files, measured

HERE = Path(__file__).resolve().parents[1]
ROWS_PER_STUDENT = 1.7  # slightly fewer than there are
QUASI = "ANNEE_INSCRIPTION,REGROUPEMENT_BAC,LIBELLE_ACADEMIE_BAC"


def make_table(place: str, wanted: str) -> None:
    """Enrolments of about so many rows, as CSV."""
    from insanonym_core.demo.university import make_enrolments

    rows = int(wanted)
    frame = make_enrolments(math.ceil(rows / ROWS_PER_STUDENT))
    frame.head(rows).to_csv(place, index=False)


def commands(folder: Path) -> dict[str, list[str]]:
    """What is timed, by title."""
    traces = [str(folder / name) for name in ("original.tsv", "release.tsv")]
    table = str(folder / "table.csv")
    return {
        "table risk": ["table", "risk", table, "--id", "CODE_INDIVIDU", "--qi", QUASI, "--json"],
        "check": ["check", *traces, "--json"],
        "score without attacks": ["score", *traces, "--attacks", "none", "--json"],
    }


def ran(tree: Path, command: list[str]) -> tuple[dict[str, object], float, float]:
    """What a command prints in a tree, its CPU seconds and its memory in GB."""
    process = subprocess.Popen(
        [sys.executable, "-m", "insanonym_core", *command],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    out = process.stdout.read() if process.stdout else b""
    _, status, usage = os.wait4(process.pid, 0)
    if not out:
        sys.exit(f"{' '.join(command)} failed in {tree} ({status}).")
    return json.loads(out), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6


def compare(before: Path, folder: Path, times: int) -> None:
    """Print one table."""
    print("| command | CPU before | CPU after | after/before | memory before | memory after | wanted |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for title, command in commands(folder).items():
        found: dict[Path, list[tuple[float, float]]] = {before: [], HERE: []}
        said = {}
        for turn in range(times):
            for tree in (before, HERE) if turn % 2 == 0 else (HERE, before):
                said[tree], *figures = ran(tree, command)
                found[tree].append((figures[0], figures[1]))
        both = {*said[before]} & {*said[HERE]}
        other = [name for name in both if said[before][name] != said[HERE][name]]
        if other:
            print(f"{title}: the trees differ in {', '.join(sorted(other))}", file=sys.stderr)
        (cpu, memory), (cpu_now, memory_now) = (
            [statistics.median(one[place] for one in found[tree]) for place in (0, 1)] for tree in found
        )
        ratio = Ratio(title, "before", cpu_now / cpu, "≤ 1.05")
        shown = ratio.written if ratio.met else f"**{ratio.written}**"
        print(
            f"| {title} | {cpu:.2f} s | {cpu_now:.2f} s | {shown} | {memory:.2f} GB | {memory_now:.2f} GB "
            f"| {ratio.wanted} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path, help="a work tree of the earlier revision")
    parser.add_argument("--rows", type=int, default=34_000_000, help="of the GPS traces")
    parser.add_argument("--table-rows", type=int, default=1_400_000)
    parser.add_argument("--times", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("INSANONYM_BENCH")) as name:
        folder = Path(name)
        measured(make_files, folder, given.rows)  # in a process of its own, whose memory is given back
        make_table(str(folder / "table.csv"), str(given.table_rows))
        compare(given.before.resolve(), folder, given.times)


if __name__ == "__main__":
    main()
