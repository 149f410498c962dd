"""What is tried: every reader with every way to spoil the files that it takes.

An input is named by reader, kind and number, and is the same every time: the number seeds the generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from tests.fuzz import commands, readers, seeds
from tests.fuzz.formats import GEOJSON, IN_ZIP, XML
from tests.fuzz.mutations import TEXT, Mutation
from tests.fuzz.packed import PACKED
from tests.fuzz.structures import JSON, PARQUET, YAML, large

Make = Callable[[Random], bytes]


@dataclass(frozen=True)
class Way:
    """A reader, the endings of its files, what it is fed, and how often: slow readers get fewer."""

    read: readers.Reader
    sound: tuple[Callable[[], bytes], ...]
    mutations: dict[str, Mutation]
    times: int = 3
    large: str = ""


TRACKS = (seeds.track, lambda: seeds.track(",", True), lambda: seeds.track(";", True))
TABLES = (seeds.table, lambda: seeds.table(";", ","), lambda: seeds.table("\t"))
_TEXT = {**TEXT, **PACKED}

WAYS: dict[str, Way] = {
    "mobility": Way(readers.mobility, TRACKS, _TEXT, 10, "mobility"),
    "mobility, large": Way(readers.mobility_large, TRACKS, _TEXT, 10),
    "mobility, Parquet": Way(readers.mobility, (lambda: seeds.parquet(True),), PARQUET, 25),
    "mobility release": Way(readers.mobility_release, TRACKS, _TEXT, 5),
    "mobility upload": Way(readers.mobility_upload, TRACKS, _TEXT, 4),
    "partition": Way(readers.partition, TRACKS, _TEXT, 4, "mobility"),
    "partition, Parquet": Way(readers.partition, (lambda: seeds.parquet(True),), PARQUET, 8),
    "league release": Way(readers.league_release, TRACKS, _TEXT, 4, "mobility"),
    "league release, Parquet": Way(readers.league_release, (lambda: seeds.parquet(True),), PARQUET, 8),
    "attack file": Way(readers.guesses, (seeds.guesses,), JSON, 30),
    "league attack": Way(readers.league_attack, (seeds.guesses,), JSON, 8),
    "table": Way(readers.table, TABLES, _TEXT, 8, "table"),
    "table, Parquet": Way(readers.table, (seeds.parquet,), PARQUET, 25),
    "table, workbook": Way(readers.table, (seeds.workbook,), IN_ZIP, 10),
    "mobility, GPX": Way(readers.mobility, (seeds.gpx,), XML, 25),
    "mobility, GeoJSON": Way(readers.mobility, (seeds.geojson,), GEOJSON, 25),
    "mobility, zip of tracks": Way(readers.mobility, (seeds.geolife,), IN_ZIP, 15),
    "insanonym look": Way(commands.command_look, TABLES, _TEXT, 1),
    "table as text": Way(readers.table_as_text, (seeds.enrolments, *TABLES), _TEXT, 6),
    "table upload": Way(readers.table_upload, TABLES, _TEXT, 4),
    "table upload, Parquet": Way(readers.table_upload, (seeds.parquet,), PARQUET, 8),
    "table by recipe": Way(readers.table_release, TABLES, _TEXT, 3),
    "avatars score": Way(readers.avatars, TABLES, _TEXT, 4),
    "avatars make": Way(readers.make_avatars, TABLES, _TEXT, 3),
    "trace table": Way(readers.trace_table, (seeds.traces,), _TEXT, 10, "traces"),
    "recipe": Way(readers.recipe, tuple(lambda one=one: one for one in seeds.RECIPES), YAML, 40),
    "half-done sweep": Way(readers.half_done_sweep, (readers.half_done,), TEXT, 3),
    "insanonym check": Way(commands.command_check, TRACKS, _TEXT, 1),
    "insanonym anonymise": Way(commands.command_anonymise, TRACKS, _TEXT, 1),
    "insanonym table risk": Way(commands.command_risk, TABLES, _TEXT, 1),
    "insanonym table suppress-rare": Way(commands.command_suppress, TABLES, _TEXT, 1),
    "insanonym traces build": Way(commands.command_build, (seeds.enrolments,), _TEXT, 1),
    "insanonym traces difference": Way(commands.command_difference, (seeds.traces,), _TEXT, 1),
    "insanonym score-attack": Way(commands.command_score_attack, (seeds.guesses,), JSON, 3),
}


def inputs(more: int) -> Iterator[tuple[str, str, int]]:
    """Reader, kind and number of each input, the large ones of a reader last; with 0 a quarter."""
    for name, way in WAYS.items():
        for kind in way.mutations:
            for number in range(way.times * more or (way.times + 3) // 4):
                yield name, kind, number
        if way.large:
            for kind in large(way.large):
                yield name, kind, 0


def made(name: str, kind: str, number: int) -> bytes:
    """The bytes of an input."""
    way = WAYS[name]
    if kind not in way.mutations:
        return large(way.large)[kind]()
    random = Random(f"{name}/{kind}/{number}")  # noqa: S311  the same every time
    return way.mutations[kind](random, random.choice(way.sound)())
