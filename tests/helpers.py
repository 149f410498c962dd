"""Small makers that the tests share."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import strategies as st

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import score_release
from insanonym_core.io.sources import Source
from insanonym_core.mobility.checks import CheckedPair, check
from insanonym_core.mobility.files import Reading, interpret
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.reader import read_columns
from insanonym_core.mobility.track import ROW_COLUMNS, Track
from insanonym_core.parameters import (
    Choice,
    ColumnNames,
    Constraint,
    HourSpan,
    Lines,
    Range,
    Switch,
    Weekdays,
)
from insanonym_core.results.scores import Score

Row = tuple[str, datetime | None, float | None, float | None]


def reading(text: str | bytes, *, original: bool = False, columns: tuple[str, ...] | None = None) -> Reading:
    """A file with this content, read; as a large file it must come out the same."""
    raw = text.encode() if isinstance(text, str) else text

    def read_as(*, large: bool) -> Reading:
        source = Source("file.tsv", lambda: io.BytesIO(raw), large=large)
        return interpret(read_columns(source, columns), original=original)

    try:
        found = read_as(large=False)
    except InsanonymError as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            read_as(large=True)
        raise
    assert contents(read_as(large=True)) == contents(found)
    return found


def contents(found: Reading) -> dict[str, object]:
    """All of a reading, comparable. A number that was read says 485.0 where its text says 485."""
    columns = {name: getattr(found.track, name).tolist() for name in ROW_COLUMNS}
    held = found.track.tokens, found.track.resolution, found.usable.tolist()
    problems = [
        replace(problem, message=re.sub(r"'[-9.ea]+'", "a number", problem.message))
        for problem in found.problems
    ]
    return columns | {"held": held, "problems": problems, "file": (found.first_line, found.order)}


def track(text: str) -> Track:
    """The track of a clean file with this content."""
    found = reading(text)
    assert not found.problems, found.problems
    return found.track


def checked(original: str, release: str) -> CheckedPair:
    """Two files with these contents, checked."""
    return check(reading(original, original=True), reading(release))


def pair(original: str, release: str) -> Pair:
    """The pair of two clean files with these contents."""
    return checked(original, release).pair()


def lines(*rows: str) -> str:
    """A file of rows written with commas, for readability: 'a, 2015-03-04 00:35:54, 45.7, 4.8'."""
    return "".join("\t".join(field.strip() for field in row.split(",")) + "\n" for row in rows)


def as_text(rows: list[Row]) -> str:
    """Rows as a tab-separated file."""
    return "".join(
        "DEL\t\t\t\n" if date is None else f"{who}\t{date.isoformat(' ')}\t{lat!r}\t{lon!r}\n"
        for who, date, lat, lon in rows
    )


MONDAY = datetime(2015, 12, 21)


def random_pair(seed: int, *, fractions: bool = False, shared: bool = False) -> tuple[list[Row], list[Row]]:
    """A small original and a legal release of it, full of ties, halves and window edges.

    `shared`: people may have the same pseudonym in a week.
    """
    draw = np.random.default_rng(seed)
    people = [f"{number:03d}" for number in range(draw.integers(1, 7))]
    weeks = int(draw.integers(1, 4))
    minutes = draw.choice([1, 10, 60])
    tokens = {(who, week): f"{draw.integers(2**32):08x}" for who in people for week in range(weeks)}
    if shared:
        tokens = {(who, week): f"{week}-{draw.integers(2)}" for who, week in tokens}
    deletion, shift = draw.choice([0, 0.2, 0.9]), draw.choice([0, 1, 30])
    original: list[Row] = []
    release: list[Row] = []
    for _ in range(draw.integers(1, 160)):
        who, week = str(draw.choice(people)), int(draw.integers(weeks))
        start = MONDAY + timedelta(weeks=week)
        place = draw.integers(4, size=2) / draw.choice([100, 200, 1000])
        lat, lon = 45.7 + float(place[0]), -0.01 + float(place[1])

        def moment() -> timedelta:
            step = int(draw.integers(0, 7 * 24 * 60 // minutes)) * int(minutes)
            fraction = float(draw.integers(1000)) / 1000 if fractions else 0.0
            return timedelta(minutes=step, seconds=fraction)

        when = moment()
        original.append((who, start + when, lat, lon))
        if draw.random() < deletion:
            release.append(("DEL", None, None, None))
            continue
        later = when + timedelta(hours=int(draw.integers(-shift, shift + 1)))
        later = moment() if not timedelta(0) <= later < timedelta(weeks=1) else later
        noise = draw.normal(0, draw.choice([0, 0.003, 0.2]), 2)
        release.append((tokens[who, week], start + later, lat + float(noise[0]), lon + float(noise[1])))
    return original, release


def random_release(seed: int) -> Track:
    """A small track in the middle of a recipe: some rows deleted, pseudonyms given."""
    original, release = random_pair(seed)
    return checked(as_text(original), as_text(release)).pair().release


def values_of(constraint: Constraint) -> st.SearchStrategy[object]:
    """Every value that a declared parameter may take: the test strategy of the declaration."""
    match constraint:
        case Range(low=low, high=high, whole=True):
            return st.integers(int(low), int(high))
        case Range(low=low, high=high):
            return st.floats(low, high)
        case Choice(values=values):
            return st.sampled_from(values)
        case Switch():
            return st.booleans()
        case HourSpan():
            return st.tuples(st.integers(0, 23), st.integers(0, 24)).filter(lambda span: span[0] != span[1])
        case Weekdays():
            return st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days)))
        case Lines(example=example):
            return st.sampled_from(["", example])
        case ColumnNames(single=single):
            return st.lists(st.text(max_size=9), max_size=1 if single else 4).map(tuple)
    raise TypeError(f"no test strategy for {constraint}: add one")


def scores_of(release: object, kind: str, *names: str, **options: object) -> dict[str, Score]:
    """Measures of a release by their plain name: all, or some."""
    keys = [f"{family}.{name}" for name in names for family in ("utility", "privacy")]
    report = score_release(release, kind, only=keys or None, **options)
    return {measure.entry.name: measure.score for measure in report.measures}
