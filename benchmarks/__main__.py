"""Every benchmark, one after the other, as tables of ratios; with --write they become docs/performance.md's.

    python -m benchmarks [--write] [--only mobility tables …] [--without-peers]

Each runs in a process of its own, on cores that should have nothing else to do meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from benchmarks.ratios import Ratio, show
from benchmarks.subjects import SUBJECTS, sections

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- begin: make bench -->", "<!-- end: make bench -->"
NAMES = tuple(SUBJECTS)
_ONE = "__one__"


def measured(name: str, peers: bool) -> Iterator[Ratio]:
    """The ratios of one module, from a process of its own."""
    command = [
        sys.executable,
        "-m",
        "benchmarks",
        "--only",
        _ONE,
        name,
        *([] if peers else ["--without-peers"]),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield Ratio(**json.loads(line))
    if process.returncode:
        sys.exit(f"The benchmark {name} failed.")


def machine() -> str:
    """What the figures were measured with, as far as it matters to ratios."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "pyarrow", "scikit-learn", "plotly"))
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, {packages}"


def write(ratios: Mapping[str, Sequence[Ratio]], page: Path = PAGE) -> None:
    """Into the page, between its marks."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        sys.exit(f"{page.name} has no place for the tables: it needs the lines {BEGIN} and {END}.")
    text = f"{before}{BEGIN}\nMeasured with {machine()}.\n\n{sections(ratios)}{END}{after}"
    page.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    parser.add_argument("--only", nargs="+", default=NAMES, metavar="NAME", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--without-peers", action="store_true", help="nothing is installed")
    given = parser.parse_args()
    if given.only[0] == _ONE:
        for ratio in import_module(f"benchmarks.{given.only[1]}").ratios(peers=not given.without_peers):
            print(json.dumps(ratio.as_dict()), flush=True)
        return
    unknown = set(given.only) - set(NAMES)
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    if given.write and (set(given.only) != set(NAMES) or given.without_peers):
        parser.error("--write needs every benchmark: leave --only and --without-peers out")
    found: dict[str, list[Ratio]] = {}

    def every() -> Iterator[Ratio]:
        for name in given.only:
            for ratio in measured(name, not given.without_peers):
                found.setdefault(name, []).append(ratio)
                yield ratio

    show(every())
    if given.write:
        write(found)


if __name__ == "__main__":
    main()
