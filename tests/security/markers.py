"""Data in which everything that concerns one person is a marker, and a search for markers.

A marker that turns up in a report, a download, a log or an error tells of a person.
"""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
from plotly.offline import get_plotlyjs
from pypdf import PdfReader

from insanonym_core.mobility.track import Track
from insanonym_core.tabular.table import Table

ID = "ZQMARKERID"
RARE = "ZQRARETOWN"
RARE_ILLNESS = "ZQRAREILLNESS"
RARE_STAGE = "ZQRARESTAGE"
TEXTS = (ID, RARE, RARE_ILLNESS, RARE_STAGE)
DATE = "1907-03-09"
WEEK = "2031-29"
NUMBER = 987654.321
PLACE = (61.4321, 17.8765)  # where one person went once
YEAR_OF_DATE = 1907.185


def people(number: int) -> list[str]:
    """Long, unusual ids."""
    return [f"{ID}-{place:04d}-ÿ中-{'x' * 40}" for place in range(number)]


def track(number: int = 24) -> Track:
    """GPS traces of people with marker ids; one of them was once far away, in a week of their own."""
    draw = np.random.default_rng(5)
    rows = []
    for place, who in enumerate(people(number)):
        home = 45.7 + 0.02 * (place % 6), 4.8 + 0.02 * (place // 6)
        for hour in range(0, 14 * 24, 5):
            when = pd.Timestamp("2015-03-02") + pd.Timedelta(hours=hour, minutes=int(draw.integers(60)))
            rows.append((who, when, home[0] + draw.normal(0, 0.004), home[1] + draw.normal(0, 0.004)))
    rows.append((people(number)[3], pd.Timestamp("2031-07-16 10:00"), *PLACE))
    return Track.from_frame(pd.DataFrame(rows, columns=["id", "date", "latitude", "longitude"]))


def hospital(rows: int = 240) -> Table:
    """Patients with marker ids; one has a rare town, illness, income and date of birth."""
    draw = np.random.default_rng(6)
    born = pd.to_datetime("1950-01-01") + pd.to_timedelta(draw.integers(0, 20_000, rows), unit="D")
    frame = pd.DataFrame(
        {
            "patient": people(rows),
            "age": draw.integers(20, 80, rows),
            "town": draw.choice(["Lyon", "Nantes", "Bourges"], rows),
            "born": born,
            "income": draw.normal(30_000, 4_000, rows).round(3),
            "diagnosis": draw.choice(["flu", "cold", "asthma", "none"], rows),
        }
    )
    frame.loc[7, ["town", "diagnosis"]] = RARE, RARE_ILLNESS
    frame.loc[7, "income"] = NUMBER
    frame.loc[7, "born"] = pd.Timestamp(DATE)
    return Table.from_frame(frame)


ROLES = {"identifier": "patient", "quasi": ("age", "town"), "sensitive": ("diagnosis",)}


def studies(students: int = 120) -> Table:
    """Enrolments with marker ids; one student took a rare stage."""
    draw = np.random.default_rng(7)
    rows = [
        (who, 2010 + year, draw.choice(["BSc", "MSc", "PhD"]), draw.choice(["S", "ES"]))
        for who in people(students)
        for year in range(int(draw.integers(1, 4)))
    ]
    frame = pd.DataFrame(rows, columns=["who", "year", "stage", "bac"])
    frame.loc[3, "stage"] = RARE_STAGE
    frame.loc[3, "year"] = 1907
    return Table.from_frame(frame)


def markers_in(text: str) -> list[str]:
    """The markers that stand in a text, in any of the ways it may be written."""
    seen = html.unescape(text.replace(get_plotlyjs(), ""))  # the library itself says nothing of anybody
    seen = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), seen)
    found = [marker for marker in (*TEXTS, DATE, "09/03/1907", "2031-07", WEEK) if marker in seen]
    found += ["the year 1907"] if re.search(r"(?<![\w.])1907(?![\w.])", seen) else []
    numbers = _numbers(seen)
    for name, value, near in (
        ("income", NUMBER, 0.5),
        ("latitude", PLACE[0], 0.0061),
        ("longitude", PLACE[1], 0.0061),
        ("born", YEAR_OF_DATE, 0.05),
    ):
        if np.any(np.abs(numbers - value) < near):
            found.append(f"{name} {value}")
    return found


def _numbers(text: str) -> np.ndarray:
    """All numbers of figures: those written out, and those that plotly packs."""
    found = [np.array([float(one) for one in re.findall(r"(?<![\w.])-?\d+\.\d+", text)])]
    for kind, packed in re.findall(r'"dtype":\s*"(\w+)",\s*"bdata":\s*"([^"]+)"', text):
        found.append(np.frombuffer(base64.b64decode(json.loads(f'"{packed}"')), dtype=kind).astype(float))
    return np.concatenate(found)


def markers_in_folder(folder: Path) -> list[str]:
    """The markers in every file below a folder, by file: texts, SVG, PDF with what it says of itself."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".pdf":
            pdf = PdfReader(path)
            text = "\n".join([*(page.extract_text() for page in pdf.pages), *map(str, pdf.metadata.values())])
        elif path.is_file():
            text = path.read_bytes().decode("utf-8", errors="ignore")
        else:
            continue
        found += [f"{path.name}: {marker}" for marker in markers_in(text)]
    return found
