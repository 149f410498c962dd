"""Data small enough to follow an example by eye: four people with a phone, nine patients, nine students."""

from __future__ import annotations

import re
from functools import cache
from io import StringIO
from pathlib import Path

import pandas as pd

DOCS = Path(__file__).resolve().parents[1] / "docs"

_TRACK = """
id   date                 latitude  longitude
ann  2026-03-02 07:40:00  45.7601   4.8301
ann  2026-03-02 12:05:00  45.7832   4.8703
ann  2026-03-02 20:30:00  45.7603   4.8304
ann  2026-03-03 09:10:00  45.7831   4.8701
bob  2026-03-02 07:55:00  45.7602   4.8303
bob  2026-03-02 13:20:00  45.7833   4.8702
bob  2026-03-02 21:10:00  45.7604   4.8302
cat  2026-03-02 08:15:00  45.7604   4.8303
cat  2026-03-02 12:45:00  45.7502   4.8501
cat  2026-03-03 19:50:00  45.7601   4.8302
dan  2026-03-02 08:00:00  45.7503   4.8504
dan  2026-03-03 18:30:00  45.7834   4.8704
"""
_PATIENTS = """
name  sex  age  town   illness
Ann   f    31   Ashby  flu
Bob   m    33   Ashby  flu
Cat   f    34   Ashby  cold
Dan   m    38   Ashby  asthma
Eve   f    52   Brook  flu
Fay   f    55   Brook  cold
Gus   m    58   Brook  cold
Hal   m    61   Brook  asthma
Ida   f    90   Carby  gout
"""
_PEOPLE = """
height  weight  pulse  smokes
158     52      71     no
161     55      74     no
163     60      70     no
165     61      66     yes
168     64      69     no
171     70      63     yes
174     72      65     no
177     80      60     yes
181     79      58     no
186     93      55     no
"""
_STUDENTS = """
student  site   year  course
1        north  2021  bio-1
1        north  2022  bio-2
2        north  2021  bio-1
2        north  2022  bio-2
3        north  2021  bio-1
3        north  2022  bio-2
4        south  2021  bio-1
4        south  2022  bio-2
5        north  2021  bio-1
5        north  2022  law-1
6        south  2021  law-1
6        south  2022  law-2
7        south  2021  law-1
7        south  2022  law-2
8        south  2021  law-1
8        south  2022  law-2
9        south  2021  law-1
9        south  2022  art-1
"""


def _frame(text: str, separator: str = r"\s+") -> pd.DataFrame:
    return pd.read_csv(StringIO(text.strip("\n")), sep=separator, engine="python")


@cache
def track() -> pd.DataFrame:
    """Four people in one week; the time is one column."""
    return _frame(_TRACK, r"\s{2,}")


@cache
def patients() -> pd.DataFrame:
    """Nine patients: sex, age and town may be known, the illness is sensitive."""
    return _frame(_PATIENTS)


@cache
def people() -> pd.DataFrame:
    """Ten people, to mix avatars from."""
    return _frame(_PEOPLE)


@cache
def students() -> pd.DataFrame:
    """Nine students of two sites and their courses in two years."""
    return _frame(_STUDENTS)


def pairs_of_scores() -> dict[str, tuple[str, str]]:
    """From docs/scores.md: heading of a section → its first pair of files and the heading itself."""
    text = (DOCS / "scores.md").read_text("utf-8")
    found = {}
    for heading, section in re.findall(r"^### ([^\n]*)\n(.*?)(?=^##|\Z)", text, re.M | re.S):
        pair = re.search(r"^```pair\n(.*?)^```", section, re.M | re.S)
        if pair:
            for name in re.findall(r"`(\w+)`", heading) or [heading]:
                found[name] = (pair.group(1), heading)
    return found


def sides(pair: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Original and release of a pair as docs/scores.md writes it."""
    columns = ("id", "date", "latitude", "longitude")

    def row(text: str) -> dict[str, object]:
        cells = re.split(r"\s{2,}", text.strip())
        values = [*cells[:2], *map(float, cells[2:])] if len(cells) == 4 else [cells[0], None, None, None]
        return dict(zip(columns, values, strict=True))

    lines = [line.split("→") for line in pair.splitlines()]
    original, release = (pd.DataFrame([row(line[side]) for line in lines]) for side in (0, 1))
    return original, release
