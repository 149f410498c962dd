"""Forty small files as people have them: tables and traces, each with what it must be read as, or refused
for.

The same eight patients and three walkers are written in every way; what is read must be the same each time.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from tests.reading.files import gpx, grid, plt, workbook, zipped

NAMES = ("Ève Dupont", "Al Noël", "Bo Durand", "Cléa Petit", "Dan Roux", "Ed Brun", "Fé Blanc", "Gus Leroy")
TOWNS = ("Évry", "Lyon", "Évry", "Lyon", "Évry", "Lyon", "Brest", "Brest")
BORN = (
    "1980-12-31",
    "1990-02-01",
    "1985-06-05",
    "1981-01-09",
    "1979-11-30",
    "1983-05-04",
    "1984-08-07",
    "1986-10-11",
)
SIZES = (1.75, 1.8, 1.65, 1.7, 1.82, 1.91, 1.6, 1.55)
WAGES = (1234, 2345, 1800, 2100, 15000, 1950, 2250, 3100)
ILLNESS = ("grippe", "rhume", "grippe", "asthme", "rhume", "asthme", "grippe", "rhume")
CODES = ("01000", "02000", "03000", "04000", "05000", "06000", "07000", "08000")
HEADER = ("nom", "ville", "naissance", "taille", "salaire", "code", "diagnostic")
WALKS = [
    (who, f"2023-12-{day} {hour:02d}:15:30", 45.75 + place / 100, 4.85 - hour / 1000)
    for place, who in enumerate(("ann", "bob", "cléo"))
    for day in (14, 15, 28)
    for hour in (8, 12, 19)
]


@dataclass(frozen=True)
class Office:
    """A file: its name, bytes, kind, what must be said about it, and a part of the error if it is refused."""

    name: str
    content: bytes
    kind: str = "table"
    reading: Mapping[str, object] = field(default_factory=dict)
    refused: str = ""


def rows(date: str = "%Y-%m-%d", decimal: str = ".", thousands: str = "") -> list[list[str]]:
    def number(value: float) -> str:
        whole, point, rest = repr(value).partition(".")
        if len(whole) > 3:
            whole = f"{whole[:-3]}{thousands}{whole[-3:]}"
        return whole + (decimal + rest if point else "")

    return [
        [name, town, pd.Timestamp(born).strftime(date), number(size), number(wage), code, ill]
        for name, town, born, size, wage, code, ill in zip(
            NAMES, TOWNS, BORN, SIZES, WAGES, CODES, ILLNESS, strict=True
        )
    ]


def text(found: list[list[str]], mark: str = ",", header: tuple[str, ...] = HEADER, end: str = "\r\n") -> str:
    raw = io.StringIO()
    csv.writer(raw, delimiter=mark, lineterminator=end).writerows([header, *found])
    return raw.getvalue()


def traces(
    date: str = "%Y-%m-%d %H:%M:%S",
    mark: str = ";",
    decimal: str = ".",
    header: tuple[str, ...] = ("id", "date", "latitude", "longitude"),
    *,
    more: tuple[str, ...] = (),
) -> str:
    lines = [mark.join(header)] if header else []
    for who, when, latitude, longitude in WALKS:
        places = [repr(round(value, 4)).replace(".", decimal) for value in (latitude, longitude)]
        lines.append(mark.join((who, pd.Timestamp(when).strftime(date), *places, *more)))
    return "\n".join(lines) + "\n"


def _cells() -> list[list[str | float]]:
    days = [f"date:{(pd.Timestamp(born) - pd.Timestamp('1899-12-30')).days}" for born in BORN]
    typed = zip(NAMES, TOWNS, days, SIZES, map(float, WAGES), CODES, ILLNESS, strict=True)
    return [list(HEADER), *map(list, typed)]


def _points(who: str) -> list[tuple[str, float, float]]:
    return [
        (when.replace(" ", "T") + "Z", round(lat, 4), round(lon, 4))
        for one, when, lat, lon in WALKS
        if one == who
    ]


def _geojson() -> bytes:
    features = [
        {
            "type": "Feature",
            "properties": {"user": who, "time": when},
            "geometry": {"type": "Point", "coordinates": [round(lon, 4), round(lat, 4)]},
        }
        for who, when, lat, lon in WALKS
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def _frame() -> pd.DataFrame:
    frame = pd.DataFrame(rows(), columns=list(HEADER))
    return frame.assign(naissance=pd.to_datetime(frame["naissance"]), taille=list(SIZES), salaire=list(WAGES))


def _parquet(frame: pd.DataFrame) -> bytes:
    raw = io.BytesIO()
    frame.to_parquet(raw)
    return raw.getvalue()


FRENCH = text(rows("%d/%m/%Y", ","), ";")
_TWO = workbook(grid(_cells()), grid([["a", "b"], [1.0, 2.0]]))
_DEVICE = traces("%Y-%m-%dT%H:%M:%SZ", ",", ".", ("device", "when", "y", "x"))
_GPX = {f"{who}.gpx": gpx(_points(who)) for who in ("ann", "bob", "cléo")}
_BOMB = b'<!DOCTYPE g [<!ENTITY a "aaaa">]><gpx><trk>&a;</trk></gpx>'
TABLES = [
    Office("plain.csv", text(rows()).encode()),
    Office("bom.csv", text(rows()).encode("utf-8-sig")),
    Office("excel_fr.csv", FRENCH.encode("cp1252")),
    Office("excel_fr_utf8.csv", FRENCH.encode("utf-8-sig")),
    Office("utf16.txt", text(rows("%d/%m/%Y", ","), "\t").encode("utf-16")),
    Office("mac.csv", FRENCH.replace("\r\n", "\r").encode()),
    Office("tabs.tsv", text(rows(), "\t").encode()),
    Office("bars.txt", text(rows(), "|").encode()),
    Office("thousands.csv", text(rows("%d/%m/%Y", ",", "\u202f"), ";").encode()),
    Office("thousands_nbsp.csv", text(rows("%d/%m/%Y", ",", "\u00a0"), ";").encode("cp1252")),
    Office("german.csv", text(rows("%d.%m.%Y", ",", "."), ";").encode()),
    Office("american.csv", text(rows("%m/%d/%Y")).encode()),
    Office("short_years.csv", text(rows("%d/%m/%y", ","), ";").encode()),
    Office("months.csv", text(rows("%d %b %Y")).encode()),
    Office("sep_line.csv", b"sep=;\r\n" + FRENCH.encode()),
    Office("quoted.csv", text([[f" {cell}" for cell in row] for row in rows()]).encode()),
    Office("trailing.csv", FRENCH.replace("\r\n", ";\r\n").encode()),
    Office("pandas_index.csv", _frame().to_csv().encode()),
    Office("packed.csv.gz", gzip.compress(FRENCH.encode("cp1252"), mtime=0)),
    Office("packed.zip", zipped({"inner.csv": FRENCH.encode("cp1252")})),
    Office("frame.parquet", _parquet(_frame())),
    Office("book.xlsx", workbook(grid(_cells()))),
    Office("book_title.xlsx", workbook(grid([["Export du service", ""], *_cells()]))),
    Office(
        "book_two.xlsx",
        workbook(grid(_cells()), grid([["a", "b"], [1.0, 2.0]])),
        reading={"sheet": "Sheet 1"},
    ),
    Office("book_two_asked.xlsx", _TWO, refused="--sheet"),
    Office("latin_said.csv", FRENCH.encode("latin-1"), reading={"encoding": "latin-1"}),
    Office(
        "ambiguous.csv",
        text([[*row[:2], "03/04/1980", *row[3:]] for row in rows()]).encode(),
        refused="nobody can tell day from month",
    ),
    Office("ragged.csv", (FRENCH + "one;two\r\n").encode(), refused="line 10"),
    Office("title.csv", ("Export du service\r\n" + FRENCH).encode(), refused="above the names"),
    Office("empty.csv", b"", refused="is empty"),
]
MOBILITY = [
    Office("traces.csv", traces().encode(), "mobility"),
    Office("competition.tsv", traces(mark="\t", header=()).encode(), "mobility"),
    Office("traces_fr.csv", traces("%d/%m/%Y %H:%M:%S", ";", ",").encode("cp1252"), "mobility"),
    Office(
        "device.csv",
        traces("%Y-%m-%dT%H:%M:%SZ", ",", ".", ("device", "when", "y", "x")).encode(),
        "mobility",
    ),
    Office(
        "more.csv",
        traces(header=("user", "time", "lat", "lng", "speed"), more=("3.5",)).encode(),
        "mobility",
    ),
    Office(
        "parts.csv",
        traces("%d/%m/%Y;%H:%M:%S", header=("id", "jour", "heure", "lat", "lon")).encode(),
        "mobility",
    ),
    Office("points.geojson", _geojson(), "mobility"),
    Office(
        "people.zip", zipped({f"{who}.gpx": gpx(_points(who)) for who in ("ann", "bob", "cléo")}), "mobility"
    ),
    Office(
        "geolife.zip",
        zipped(
            {
                f"Data/{who}/Trajectory/{day}.plt": plt([one for one in _points(who) if one[0][8:10] == day])
                for who in ("ann", "bob", "cléo")
                for day in ("14", "15", "28")
            }
        ),
        "mobility",
    ),
    Office(
        "bomb.gpx",
        b'<!DOCTYPE g [<!ENTITY a "aaaa">]><gpx><trk>&a;</trk></gpx>',
        "mobility",
        refused="entities",
    ),
]
FILES = [*TABLES, *MOBILITY]
