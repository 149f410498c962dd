"""Other people's programs, each in an environment of its own, timed on the same CSV files as ours.

    python -m benchmarks.peers

Peers pin versions that we do not want, so each lives in FOLDER/NAME (by default .venv-peers/NAME beside
.venv), is built once and is run as a subprocess. The CPU seconds are those of the peer's own call, measured
inside the subprocess: starting Python, imports and reading the file do not count.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / ".venv-peers"
MARK = "installed.txt"

NUMBERS = ("age", "weight", "hours", "income")
CATEGORIES = ("sex", "region", "job", "diploma")
QUASI_IDENTIFIERS = (*NUMBERS, *CATEGORIES)
SENSITIVE = "illness"


class PeerUnavailableError(RuntimeError):
    """The peer could not be installed (no network, no wheel for this Python) or its script failed."""


@dataclass(frozen=True)
class Peer:
    """A script beside this module and what it needs. These versions were tried on Python 3.11."""

    script: str
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class PeerRun:
    """CPU seconds in the peer's call (and per measure where there are several), and what it answered."""

    cpu: float
    result: dict[str, Any]
    cpu_by_measure: dict[str, float] = field(default_factory=dict)


PEERS: Mapping[str, Peer] = {
    # anonypy names no dependency at all; these are pycanon's pins, so all stand on the same pandas.
    "anonypy": Peer("peer_anonypy.py", ("anonypy==0.2.1", "pandas==2.3.3", "numpy==2.0.2")),
    "pycanon": Peer("peer_pycanon.py", ("pycanon==1.3.5", "pandas==2.3.3", "numpy==2.0.2")),
    "sdmetrics": Peer("peer_sdmetrics.py", ("sdmetrics==0.32.0", "pandas==2.3.3", "numpy==2.0.2")),
}


def _call(command: Sequence[str | Path], what: str, timeout: float) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerUnavailableError(f"{what}: {error}") from error
    if done.returncode:
        raise PeerUnavailableError(f"{what} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def environment(name: str, folder: Path = FOLDER, base: str = sys.executable, timeout: float = 900) -> Path:
    """The interpreter of a peer's environment, built first if it is absent or was made for other versions."""
    place = folder / name
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    wanted = "\n".join(PEERS[name].requirements)
    mark = place / MARK
    if mark.is_file() and mark.read_text(encoding="utf-8") == wanted and python.exists():
        return python
    if place.exists() and any(place.iterdir()) and not (place / "pyvenv.cfg").is_file():
        raise PeerUnavailableError(f"{place} is not an environment; it is left as it is")
    _call([base, "-m", "venv", "--clear", place], f"making the environment of {name}", timeout)
    (place / ".gitignore").write_text("*\n", encoding="utf-8")
    pip: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary",
        ":all:",
    ]
    _call([*pip, *PEERS[name].requirements], f"installing {name}", timeout)
    mark.write_text(wanted, encoding="utf-8")
    return python


def run(
    name: str,
    tables: Sequence[Path],
    options: Mapping[str, Any],
    folder: Path = FOLDER,
    timeout: float = 1800,
) -> PeerRun:
    """Run a peer's script on CSV files; how many, and the options, are those its module names."""
    python = environment(name, folder)
    command: list[str | Path] = [python, "-I", HERE / PEERS[name].script, *tables, json.dumps(dict(options))]
    answer = json.loads(_call(command, f"running {name}", timeout))
    return PeerRun(answer["cpu"], answer["result"], answer.get("cpu_by_measure", {}))


def anonypy_mondrian(
    table: Path,
    k: int,
    numbers: Sequence[str] = NUMBERS,
    categories: Sequence[str] = CATEGORIES,
    sensitive: str = SENSITIVE,
    folder: Path = FOLDER,
) -> PeerRun:
    """Result: k measured on the release, its classes and rows, and what it lost (NCP)."""
    options = {
        "quasi_identifiers": [*numbers, *categories],
        "categories": list(categories),
        "sensitive": sensitive,
        "k": k,
    }
    return run("anonypy", [table], options, folder)


def pycanon_measures(
    table: Path,
    measures: Sequence[str] = ("k", "l", "t"),
    quasi_identifiers: Sequence[str] = QUASI_IDENTIFIERS,
    sensitive: str = SENSITIVE,
    folder: Path = FOLDER,
) -> PeerRun:
    """Result: one answer per measure. The table must be complete: pycanon mishandles missing values."""
    options = {
        "quasi_identifiers": list(quasi_identifiers),
        "sensitive": sensitive,
        "measures": list(measures),
    }
    return run("pycanon", [table], options, folder)


def sdmetrics_dcr(
    train: Path,
    held_out: Path,
    synthetic: Path,
    folder: Path = FOLDER,
    *,
    measures: Sequence[str] = ("overfitting",),
) -> PeerRun:
    """Result: SDMetrics' version and one breakdown per measure.

    The files hold the same columns, all numbers, complete. "overfitting" gives the share of synthetic rows
    closer to training; "baseline", which costs as much again, the median distance to training. Its score is
    against random rows that SDMetrics does not let us seed.
    """
    return run("sdmetrics", [train, held_out, synthetic], {"measures": list(measures)}, folder)


def example_table(rows: int, seed: int = 1, values: int | None = None) -> pd.DataFrame:
    """Eight quasi-identifiers, four of them numbers, and a sensitive category.

    With `values`, each quasi-identifier keeps at most that many values: 2 gives up to 256 large classes, 3 up
    to 4,374, and without it almost every row is a class of its own.
    """
    draw = np.random.default_rng(seed)

    def code(width: int) -> np.ndarray:
        return draw.integers(0, width if values is None else min(width, values), rows)

    return pd.DataFrame(
        {
            "age": 17 + code(74),
            "weight": 40 + code(80),
            "hours": 1 + code(60),
            "income": 900 + 10 * code(500),
            "sex": np.array(["f", "m"])[code(2)],
            "region": np.array([f"region {number:02}" for number in range(13)])[code(13)],
            "job": np.array([f"job {number:02}" for number in range(14)])[code(14)],
            "diploma": np.array([f"diploma {number:02}" for number in range(16)])[code(16)],
            "illness": np.array([f"illness {number}" for number in range(8)])[draw.integers(0, 8, rows)],
        }
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        example_table(10_000).to_csv(table, index=False)
        done = anonypy_mondrian(table, k=5)
        print(f"anonypy, 10,000 rows, k = 5: {done.cpu:.2f} CPU s, {10_000 / done.cpu:,.0f} rows/s")
        print(f"  {done.result}")
        for values, label in (
            (None, "almost every row unique"),
            (3, "about 4,400 classes"),
            (2, "256 classes"),
        ):
            example_table(30_000, values=values).to_csv(table, index=False)
            alone = pycanon_measures(table, ["k"])
            every = pycanon_measures(table)
            print(f"pycanon, 30,000 rows, {label}: k {alone.cpu:.3f} CPU s; k, l and t {every.cpu:.2f} CPU s")
            print(f"  {every.cpu_by_measure}, {every.result}")


if __name__ == "__main__":
    main()
