"""Files that are named on the command line."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

from tests.fuzz import seeds
from tests.fuzz.readers import RefusedError


def _command(*arguments: object) -> None:
    """`insanonym …` as its script runs it: exit 70 would be something nobody thought of."""
    from insanonym_core.cli import main

    before, out, err = sys.argv, io.StringIO(), io.StringIO()
    sys.argv = ["insanonym", *map(str, arguments)]
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.argv = before
    assert code in (0, 1, 2), f"exit {code}: {err.getvalue()}"
    if code:
        raise RefusedError(out.getvalue() + err.getvalue())


def command_check(path: Path, folder: Path) -> None:
    (folder / "original.tsv").write_bytes(seeds.track())
    _command("check", folder / "original.tsv", path)


def command_anonymise(path: Path, folder: Path) -> None:
    _command("anonymise", path, "-o", folder / "out.csv", "--step", "snap_to_grid decimals=2")
    assert (folder / "out.csv").stat().st_size


def command_look(path: Path, folder: Path) -> None:
    _command("look", path, "--json")


def command_risk(path: Path, folder: Path) -> None:
    _command("table", "risk", path, "--qi", "age,city", "--sensitive", "illness")


def command_suppress(path: Path, folder: Path) -> None:
    _command("table", "suppress-rare", path, "-o", folder / "out.csv", "--k", 2)


def command_build(path: Path, folder: Path) -> None:
    options = ["--id", "student", "--order", "year", "--item", "stage", "--mask", 2]
    _command("traces", "build", path, "-o", folder / "out.csv", *options)


def command_difference(path: Path, folder: Path) -> None:
    (folder / "other.csv").write_bytes(seeds.traces())
    _command("traces", "difference", path, folder / "other.csv")


def command_score_attack(path: Path, folder: Path) -> None:
    (folder / "original.tsv").write_bytes(seeds.track())
    _command("score-attack", folder / "original.tsv", folder / "original.tsv", path)
