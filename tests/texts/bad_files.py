"""Files that the tests of reading and uploading refuse, by the kind of data and a name."""

from __future__ import annotations

import gzip
import io
import zipfile

import pyarrow as pa
import pyarrow.parquet as parquet

from insanonym_core.errors import InsanonymError
from insanonym_core.kinds import kind_named
from insanonym_dashboard.uploads import checked_source, open_source
from tests.helpers import lines
from tests.mobility.test_file_problems import BAD_DATES, BAD_PLACES, GOOD, UNREADABLE
from tests.reading.files import workbook


def _parquet(**columns: pa.Array) -> bytes:
    raw = io.BytesIO()
    parquet.write_table(pa.table(columns), raw)
    return raw.getvalue()


def _zip(*names: str) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name in names:
            archive.writestr(name, "a\n1\n")
    return raw.getvalue()


TABLES = {
    "empty.csv": b"",
    "binary.csv": bytes(range(256)) * 20,
    "header.csv": b"a,b,c\n",
    "twins.csv": b"a,a\n1,2\n",
    "ragged.csv": b"a,b\n1,2\n1,2,3\n",
    "one_field.csv": b"a\n1\n1,2\n",
    "damaged.zip": b"PK\x03\x04" + b"x" * 100,
    "damaged.gz": gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (n, n * n) for n in range(500)))[:900],
    "damaged.parquet": b"PAR1" + b"x" * 60 + b"PAR1",
    "ambiguous.csv": b"a,b\n01/02/2024,1\n03/04/2024,2\n",
    "far_apart.xlsx": workbook({"A1": "1", "XFD1048576": "2"}),
    "sheets.xlsx": workbook({"A1": "1"}, {"A1": "1"}),
    "damaged.xls": b"\xd0\xcf\x11\xe0" + b"x" * 600,
    "bomb.gpx": b'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a "b">]><gpx version="1.1"><trk/></gpx>',
    "damaged.gpx": b'<?xml version="1.0"?><gpx version="1.1"><trk>',
    "no_times.gpx": b'<gpx version="1.1"><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>',
    "damaged.geojson": b'{"type": "FeatureCollection", "features": [1]}',
    "title.csv": b"Export of today\na;b;c\n1;2;3\n",
    "quote.csv": b'a,b\n"1,2\n3,4\n',
    "two_encodings.csv": "a,b\né,è\n2,".encode() + b"\xe9\n",
    "cut.csv": b"a,b\n1,\xc3",
    "first_line.csv": b"\n\na,b\n1,2\n",
    "no_name.csv": b"a,,c\n1,2,3\n",
    "wide.csv": b"a" + b",a" * 20_000 + b"\n1\n",
    "long_line.csv": b",".join(b"c%d" % n for n in range(300_000)) + b"\n",
    "two_files.zip": _zip("a.csv", "b.csv"),
    "lists.parquet": _parquet(a=pa.array([[1], [2]])),
}
COLUMNS = {  # the sentence names the column and not the file
    "infinite.parquet": _parquet(a=pa.array([1.0, float("inf")])),
    "far_dates.parquet": _parquet(a=pa.array([300_000_000_000_000, 1], pa.timestamp("s"))),
}
MOBILITY = {
    **{
        f"date{number}.tsv": (GOOD + lines(f"x, {date}, 1, 2") + GOOD).encode()
        for number, date in enumerate(BAD_DATES)
    },
    **{
        f"place{number}.tsv": (GOOD + lines(f"x, 2015-03-04 10:00:00, {place}") + GOOD).encode()
        for number, place in enumerate(BAD_PLACES)
    },
    **{f"unreadable{number}.tsv": content for number, (content, _) in enumerate(UNREADABLE)},
    "swapped.tsv": lines("x, 2015-03-04 10:00:00, 139.7, 35.6").encode(),
    "commas_and_points.csv": b"x;2015-03-04 10:00:00;45,7;4,8\nx;2015-03-04 10:00:00;45.7;4.8\n",
    "ambiguous.csv": b"x;03/04/2015 10:00:00;45,7;4,8\n",
    "no_fields.gpx": b'<gpx version="1.1" creator="x"></gpx>',
    "fields.tsv": (GOOD + "x\t2015-03-04 10:00:00\t1\n" + GOOD).encode(),
    "no_id.tsv": (GOOD + "\t2015-03-04 10:00:00\t1\t2\n" + GOOD).encode(),
    "header.csv": ("who,when,one,other\n" + GOOD.replace("\t", ",")).encode(),
    "many.tsv": (GOOD + lines("x, noon, 1, 2") * 30 + lines("x, 2015-03-04 10:00:00, 91, 2")).encode(),
    "other.parquet": _parquet(a=pa.array([1, 2])),
    "numbers.parquet": _parquet(
        id=pa.array([1.5]),
        date=pa.array([1], pa.timestamp("s")),
        latitude=pa.array([1.0]),
        longitude=pa.array([1.0]),
    ),
}
FILES = {
    (kind, name): content
    for kind, files in (
        ("table", TABLES | COLUMNS),
        ("mobility", MOBILITY),
        ("avatars", TABLES | COLUMNS),
        ("traces", TABLES | COLUMNS),
    )
    for name, content in files.items()
}


def asked(kind: str, name: str) -> bool:
    """Whether the page asks about a file instead of refusing it."""
    content = FILES[kind, name]
    try:
        source = checked_source(name, len(content), content)
        return open_source(name, "", source, kind_named(kind), {}).look is not None
    except InsanonymError:
        return False
