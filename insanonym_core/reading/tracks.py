"""Tracks of devices: GPX, GeoJSON points and Geolife's .plt, one file or a zip; zips of CSV."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from insanonym_core.errors import LINES_SHOWN, DataError, Problem
from insanonym_core.io.sources import Source
from insanonym_core.reading.delimited import read_delimited
from insanonym_core.reading.encodings import as_utf8
from insanonym_core.reading.grids import Grid
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.texts import Phrase

COLUMNS = ("id", "date", "latitude", "longitude")
_PLT_HEADER = 6  # lines
_PLT_LINE = re.compile(r"(-?[\d.]+),(-?[\d.]+),[^,]*,[^,]*,[^,]*,(\d{4}-\d\d-\d\d),(\d\d:\d\d:\d\d)\s*")
_NO_NAME = re.compile(r"[-+]?\d+([.,]\d+)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*")
_DECLARED = re.compile(r"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)
_UTC = Phrase("The times are UTC; a time zone can be said.")
Points = list[tuple[str, str, str]]
"""Time, latitude and longitude of each point, as texts."""


def track_format(start: bytes) -> str:
    """Which format of tracks a text begins like; empty for any other."""
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"Geolife trajectory"):
        return "plt"
    if text.startswith(b"<") and b"<gpx" in text:
        return "gpx"
    if text.startswith(b"{") and re.search(rb'"(FeatureCollection|Feature)"', text):
        return "geojson"
    return ""


def read_tracks(source: Source, options: ReadingOptions) -> Grid:
    """Read one file of tracks, or a zip of them: each is one person, named by the file or its folder."""
    if not source.tracks:
        kind = _kind(source)
        if kind == "geojson":
            return _features(source, options)
        points = _POINTS[kind](source, options)
        note = Phrase("All points are of one person: the file does not tell people apart.")
        return _grid(source.name, kind, [(_stem(source.name), points)], (note, _UTC))
    names = people_of([one.name for one in source.tracks])
    if source.several_texts:
        return _texts(source, options, names)
    found: list[tuple[str, Points]] = []
    kinds = set()
    for number, (one, name) in enumerate(zip(source.tracks, names, strict=True), start=1):
        # The names in the zip are people: an error names a number.
        one = replace(one, name=f"{source.name}, {number}/{len(names)}")
        kind = _kind(one)
        if kind not in _POINTS:
            raise DataError(
                "{file} holds files that are no GPX and no Geolife tracks: put only such files into the zip.",
                file=source.name,
            )
        kinds.add(kind)
        found.append((name, _POINTS[kind](one, options)))
    return _grid(source.name, "+".join(sorted(kinds)), found, (_people_note(names), _UTC))


def _people_note(names: list[str]) -> Phrase:
    return Phrase.plural(
        "{n:,} person, from the names in the zip.",
        "{n:,} people, from the names in the zip.",
        n=len({*names}),
    )


def _texts(source: Source, options: ReadingOptions, people: list[str]) -> Grid:
    """Texts with the same columns, one below the other, with a column that says whose file it was."""
    tables: list[pa.Table] = []
    for number, one in enumerate(source.tracks, start=1):
        grid = read_delimited(replace(one, name=f"{source.name}, {number}/{len(people)}"), options)
        names = grid.table.column_names
        if any(_NO_NAME.fullmatch(name) for name in names):
            raise DataError(
                "{file}: line 1 looks like values; write the names of the columns above it.", file=grid.name
            )
        if tables and names != tables[0].column_names:
            raise DataError(
                "{file}: the columns must be those of the first file in the zip, under the same names; make "
                "them alike.",
                file=grid.name,
            )
        tables.append(grid.table)
    column = "file"
    while column in tables[0].column_names:
        column += "_"
    of = [name for name, table in zip(people, tables, strict=True) for _ in range(table.num_rows)]
    table = pa.concat_tables(tables).append_column(column, pa.array(of, pa.string()))
    numbering = frozenset(
        name
        for name in tables[0].column_names
        if all(pc.count_distinct(one[name], mode="all").as_py() == one.num_rows for one in tables)
    )
    note = Phrase(
        "{n:,} files of the zip are put one below the other, with their names in the column {column}.",
        n=len(people),
        column=column,
    )
    return replace(
        grid, name=source.name, table=table, notes=(note,), first_line=1, people=column, numbering=numbering
    )


def people_of(paths: list[str]) -> list[str]:
    """Who each file of a zip is of: the first folder that differs, or the name of the file.

    >>> people_of(["Data/000/Trajectory/1.plt", "Data/000/Trajectory/2.plt", "Data/001/Trajectory/1.plt"])
    ['000', '000', '001']
    >>> people_of(["ann.gpx", "bob.gpx"])
    ['ann', 'bob']
    """
    parts = [PurePosixPath(path.replace("\\", "/")).parts for path in paths]
    folders = [one[:-1] for one in parts]
    if all(one and one[-1] == "Trajectory" for one in folders):  # of Geolife: its folder above is the person
        folders = [one[:-1] for one in folders]
        if all(folders):
            return [_clean(one[-1]) for one in folders]
    for level in range(min(map(len, folders), default=0)):
        different = {one[level] for one in folders}
        if len(different) > 1:
            return [_clean(one[level]) for one in folders]
    names = [_clean(_stem(one[-1] if one else "")) for one in parts]
    if len({*names}) < len(names):  # equal names in folders of different depth
        return [_clean("/".join(one)) for one in parts]
    return names


def _clean(name: str) -> str:
    """A name as an id: printable, and no longer than a line."""
    return "".join(sign if sign.isprintable() else "_" for sign in name)[:80] or "_"


def _stem(name: str) -> str:
    return re.sub(r"\.(gpx|plt|geojson|json|csv|tsv|txt|gz|zip)$", "", name, flags=re.IGNORECASE) or name


def _kind(source: Source) -> str:
    with source.open() as stream:
        return track_format(bytes(stream.read(4096)))


def _grid(name: str, kind: str, found: list[tuple[str, Points]], notes: tuple[Phrase, ...]) -> Grid:
    ids = [person for person, points in found for _ in points]
    if not ids:
        raise DataError("{file} has no points with a time: record a track with times.", file=name)
    times, latitudes, longitudes = zip(*(point for _, points in found for point in points), strict=True)
    columns = dict(zip(COLUMNS, (ids, times, latitudes, longitudes), strict=True))
    table = pa.table({column: pa.array(list(values), pa.string()) for column, values in columns.items()})
    return Grid(name, table, kind, notes=notes, first_line=1)


def _text(source: Source, options: ReadingOptions) -> str:
    source, _ = as_utf8(source, options.encoding)
    with source.open() as stream:
        text = bytes(stream.read()).decode(errors="replace")
    return text.removeprefix("\ufeff")


def _gpx(source: Source, options: ReadingOptions) -> Points:
    """The points of all tracks; entities are refused, because they can stand for gigabytes."""
    text = _text(source, options)
    if _DECLARED.search(text):
        raise DataError(
            "{file} declares a document type or entities, which no GPX file needs: export it again.",
            file=source.name,
        )
    import gpxpy

    try:
        tracks = gpxpy.parse(text).tracks
    except Exception:  # of the XML parser, of gpxpy, of a number that is none
        raise DataError("{file} is a damaged GPX file: export it again.", file=source.name) from None
    points = [point for track in tracks for segment in track.segments for point in segment.points]
    missing = sum(point.time is None for point in points)
    if missing:
        raise DataError(
            "{file} has {missing:,} points without a time: record the track with times.",
            file=source.name,
            missing=missing,
        )
    return [
        (point.time.isoformat(" ").replace("+00:00", "Z"), repr(point.latitude), repr(point.longitude))
        for point in points
        if point.time is not None
    ]


def _plt(source: Source, options: ReadingOptions) -> Points:
    """The points of a Geolife file: six lines of header, then seven fields; times are GMT."""
    points, bad = [], []
    for number, line in enumerate(_text(source, options).splitlines()[_PLT_HEADER:], start=_PLT_HEADER + 1):
        match = _PLT_LINE.fullmatch(line)
        if match:
            points.append((f"{match[3]} {match[4]}Z", match[1], match[2]))
        elif line.strip():
            bad.append(number)
    if bad:
        message = Phrase("a line of a Geolife file must have seven fields, with date and time last; fix it.")
        lines = tuple(bad[:LINES_SHOWN])
        raise DataError(Problem("columns", message, len(bad), lines, source.name).sentence())
    return points


_POINTS: dict[str, Callable[[Source, ReadingOptions], Points]] = {"gpx": _gpx, "plt": _plt}


def _features(source: Source, options: ReadingOptions) -> Grid:
    """The points of GeoJSON: the properties of each as columns, with longitude and latitude."""
    try:
        content = json.loads(_text(source, options), parse_constant=lambda _: None)
        features = content["features"] if content.get("type") == "FeatureCollection" else [content]
        rows = [_feature(one) for one in features]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise DataError("{file} is damaged GeoJSON: export it again.", file=source.name) from None
    kept = [row for row in rows if row is not None]
    if not kept:
        raise DataError("{file} has no points: give GeoJSON with a point for each row.", file=source.name)
    names = list(dict.fromkeys(name for row in kept for name in row))
    table = pa.table({name: pa.array([row.get(name) for row in kept], pa.string()) for name in names})
    notes: tuple[Phrase, ...] = ()
    if len(kept) < len(rows):
        notes = (
            Phrase.plural(
                "{n:,} shape that is no point is left out.",
                "{n:,} shapes that are no points are left out.",
                n=len(rows) - len(kept),
            ),
        )
    return Grid(source.name, table, "geojson", notes=notes, first_line=1)


def _feature(feature: dict[str, Any]) -> dict[str, str | None] | None:  # Any: fields of JSON
    geometry = feature.get("geometry") or {}
    if geometry.get("type") != "Point":
        return None
    longitude, latitude = geometry["coordinates"][:2]
    plain = {str(name): _scalar(value) for name, value in (feature.get("properties") or {}).items()}
    return plain | {"longitude": _scalar(longitude), "latitude": _scalar(latitude)}


def _scalar(value: object) -> str | None:
    if value is None or isinstance(value, list | dict):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
