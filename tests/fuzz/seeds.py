"""Valid files to spoil: one of each sort that a user can hand us, with a secret in every text cell.

The secret must never come back in an error message: what is in a cell may be somebody's.
"""

from __future__ import annotations

import io
import json
from functools import cache

import pandas as pd

SECRET = "Zqx7Secret"
MOVED = [
    (person, f"2015-03-{day:02d} {hour:02d}:15:30", 45.75 + person / 100, 4.85 - day / 1000)
    for person in range(4)
    for day in (2, 3, 11)
    for hour in (3, 9, 14, 22)
]


@cache
def track(separator: str = "\t", header: bool = False, secret: str = SECRET) -> bytes:
    """GPS traces, as in the competition or with a header."""
    rows = [
        f"{secret}{who}{separator}{when}{separator}{lat!r}{separator}{lon!r}" for who, when, lat, lon in MOVED
    ]
    first = [separator.join(("id", "date", "latitude", "longitude"))] if header else []
    return ("\n".join([*first, *rows]) + "\n").encode()


@cache
def frame() -> pd.DataFrame:
    """A table of every type that we read."""
    rows = range(24)
    return pd.DataFrame(
        {
            "name": [f"{SECRET} n°{row}" for row in rows],
            "age": [20 + row % 7 for row in rows],
            "city": [f"{SECRET}-{'ABC'[row % 3]}" for row in rows],
            "height": [1.5 + row / 50 for row in rows],
            "since": pd.to_datetime([f"2015-0{1 + row % 9}-11" for row in rows]),
            "illness": [f"{SECRET} {'été'[row % 3]}" if row % 5 else None for row in rows],
        }
    )


@cache
def table(separator: str = ",", decimal: str = ".") -> bytes:
    """The table as text."""
    return frame().to_csv(index=False, sep=separator, decimal=decimal, lineterminator="\n").encode()


@cache
def workbook() -> bytes:
    """The table as a workbook."""
    from tests.reading.files import grid
    from tests.reading.files import workbook as book

    texts = frame().astype({"since": str}).astype(object).where(frame().notna(), "")
    return book(grid([list(texts.columns), *(list(row) for row in texts.itertuples(index=False))]))


def _points(person: int) -> list[tuple[str, float, float]]:
    return [(when.replace(" ", "T") + "Z", lat, lon) for who, when, lat, lon in MOVED if who == person]


@cache
def gpx() -> bytes:
    """The track of one person."""
    from tests.reading.files import gpx as track_of

    return track_of(_points(0)).replace(b"<trk>", f"<trk><name>{SECRET}</name>".encode())


@cache
def geojson() -> bytes:
    """The traces as points."""
    features = [
        {
            "type": "Feature",
            "properties": {"id": f"{SECRET}{who}", "date": when},
            "geometry": {"type": "Point", "coordinates": [lon, lat]},
        }
        for who, when, lat, lon in MOVED
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


@cache
def geolife() -> bytes:
    """A zip of tracks, a folder for each person."""
    from tests.reading.files import plt, zipped

    return zipped({f"Data/{SECRET}{who}/Trajectory/1.plt": plt(_points(who)) for who in range(4)})


@cache
def zip_of_csv() -> bytes:
    """A zip of CSV, a file for each person."""
    from tests.reading.files import zipped

    def text(person: int) -> str:
        lines = [f"{when};{lat};{lon}" for when, lat, lon in _points(person)]
        return "\n".join(["when;lat;lon", *lines]) + "\n"

    return zipped({f"{SECRET}{who}.csv": text(who) for who in range(4)})


@cache
def parquet(of_tracks: bool = False) -> bytes:
    """The table, or the traces, as Parquet."""
    raw = io.BytesIO()
    if of_tracks:
        found = pd.DataFrame(MOVED, columns=["id", "date", "latitude", "longitude"])
        found["id"] = SECRET + found["id"].astype(str)
        found.assign(date=pd.to_datetime(found["date"])).to_parquet(raw, index=False)
    else:
        frame().to_parquet(raw, index=False)
    return raw.getvalue()


@cache
def traces() -> bytes:
    """A published table of study traces."""
    rows = [f"{40 - n},{SECRET}.L1,{SECRET}.L2{',' + SECRET + str(n) if n else ''}" for n in range(8)]
    return ("count,step_1,step_2,step_3\n" + "\n".join(rows) + "\n").encode()


@cache
def enrolments() -> bytes:
    """Who was where in which year: what study traces are built from."""
    rows = [
        f"{SECRET}{who},{2010 + year},{SECRET}-{(who + year) % 3}" for who in range(9) for year in range(3)
    ]
    return ("student,year,stage\n" + "\n".join(rows) + "\n").encode()


@cache
def guesses() -> bytes:
    """An attack on the traces."""
    weeks = {"2015-10": [f"{SECRET}1", f"{SECRET}2"], "2015-11": [f"{SECRET}3"]}
    return json.dumps({f"{SECRET}{who}": weeks for who in range(4)}, indent=1).encode()


RECIPES = (
    b"data: demo:mobility\nkind: mobility\nseed: 7\nrules: v2\nsettings: {meet.share: 0.2}\n"
    b"steps:\n  - planar_laplace: {radius: 200}\n  - pseudonymise: {per: week}\n",
    b"data: table.csv\nkind: table\nroles: {quasi: [age, city], sensitive: [illness], identifier: name}\n"
    b"reading: {separator: ';', decimal: ','}\ndescriptions: {age: how old}\nsteps:\n  - mondrian: {k: 5}\n",
    b"data: demo:patients\nkind: avatars\nseed: 3\nheadline: {}\nsteps:\n  - mix_neighbours: {k: 10}\n",
)
