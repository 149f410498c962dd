"""A table with direct identifiers that can be recognised wherever they come out."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

from insanonym_core.tabular.roles import Roles, not_published
from insanonym_core.tabular.table import Table

PEOPLE = 120
DIRECT = ("name", "email", "telephone", "ssn")
MARKERS = ("Zzmarker", "zzmail", "+33 6 77", "55-77-99")


def hospital(rows: int = PEOPLE) -> pd.DataFrame:
    """Every person has marker values in the direct identifiers; the other columns are ordinary."""
    draw = np.random.default_rng(5)
    number = np.arange(rows)
    return pd.DataFrame(
        {
            "name": [f"Zzmarker{n:03}" for n in number],
            "email": [f"zzmail{n}@example.org" for n in number],
            "telephone": [f"+33 6 77 {n:02} {n % 97:02} 11" for n in number],
            "ssn": [f"55-77-99-{n:04}" for n in number],
            "town": draw.choice(["Lyon", "Dijon", "Nancy"], rows),
            "age": draw.integers(20, 90, rows),
            "weight": draw.normal(70, 12, rows).round(3),
            "year": draw.integers(2019, 2022, rows),
            "diagnosis": draw.choice(["flu", "asthma", "fracture", "angina"], rows),
        }
    )


def refuse_markers(text: str, where: str) -> None:
    assert [marker for marker in MARKERS if marker in text] == [], where


def everything_in(folder: Path) -> str:
    """The text of every file below a folder, what is packed unpacked."""
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            if zipfile.is_zipfile(io.BytesIO(content)):
                with zipfile.ZipFile(io.BytesIO(content)) as packed:
                    content = b"\n".join(packed.read(name) for name in packed.namelist())
            texts.append(content.decode("utf-8", "replace"))
    return "\n".join(texts)


PERSONS, VISITS = 100, 3
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# One text for each person, that looks like nothing.
TEXTS = [LETTERS[n % 26] * 2 + LETTERS[n // 26] + "or" for n in range(PERSONS)]
NUMBERS = list(range(2001, 2001 + PERSONS))


def visits(name: str, for_each_person: list[object], identifier: str | None = "patient_key") -> Table:
    """Several rows for each person, in a mixed order; one column under test."""
    who = np.random.default_rng(5).permutation(np.repeat(np.arange(PERSONS), VISITS))
    frame = {
        name: [for_each_person[n] for n in who],
        "age": who % 61 + 20,
        "town": [f"t{n % 7}" for n in who],
    }
    if identifier:
        frame[identifier] = [f"P{n:03}" for n in who]
    return Table.from_frame(pd.DataFrame(frame))


def hidden(table: Table, **roles: object) -> set[str]:
    return {name for name, _ in not_published(table, Roles(**roles))}
