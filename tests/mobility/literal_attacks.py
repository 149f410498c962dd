"""The footprint and the eight attacks on a mobility release, written out literally.

An oracle for the tests: slow, in plain Python, and sharing no code with the package (only the
definitions of `benchmarks/plain_python.py`). Rows are those of `plain_python.read`. "No guess" is
an empty list. Sums use `math.fsum`, whose result does not depend on the order of the rows.
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from scipy.optimize import linear_sum_assignment

from benchmarks.plain_python import (
    DEL,
    Cell,
    Row,
    busiest,
    cell_of,
    haversine_km,
    longest_stays,
    stay_totals,
    week_label,
)

Record = tuple[datetime, float, float]
Records = list[Record]
Guesses = dict[str, dict[str, list[str]]]
Cost = tuple[float, ...]
People = dict[str, Records]

DECIMALS = 2
TOLERANCE = 1e-9
HASHES = ("md5", "sha1", "sha256", "blake2b", "blake2s")
SEPARATORS = ("", "-", "_", ":", "|")
MIN_PREFIX_LENGTH = 6


def footprint(original_rows: list[Row], release_rows: list[Row]) -> Guesses:
    """The secret answer: the token of each (id, week) of the original."""
    tokens: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (individual, date, *_), (token, *_) in zip(original_rows, release_rows, strict=True):
        kept_tokens = tokens[individual, week_label(date)]
        if token != DEL:
            kept_tokens[token] += 1
    answer: Guesses = defaultdict(dict)
    for (individual, week), kept_tokens in tokens.items():
        ranked = sorted(kept_tokens, key=lambda token: (-kept_tokens[token], token))
        answer[individual][week] = ranked[:1] or [DEL]
    return dict(answer)


def score(footprint: Guesses, guesses: Guesses) -> float:
    """Points per (id, week): N distinct guesses that hold the right one earn 1/N."""
    points = []
    for individual, weeks in footprint.items():
        for week, [answer] in weeks.items():
            distinct = set(guesses.get(individual, {}).get(week, []))
            points.append(1 / len(distinct) if answer in distinct else 0.0)
    return math.fsum(points) / len(points) if points else math.nan


def by_week(rows: list[Row]) -> dict[str, People]:
    """Records of each id in each week, deleted rows left out, in an order the file cannot set."""
    weeks: dict[str, People] = defaultdict(lambda: defaultdict(list))
    for name, date, latitude, longitude in rows:
        if name != DEL:
            weeks[week_label(date)][name].append((date, latitude, longitude))
    for people in weeks.values():
        for records in people.values():
            # Records of the same instant are put in order of cell, then of position.
            records.sort(key=lambda record: (record[0], cell_of(*record[1:], DECIMALS), record))
    return weeks


def mean_position(records: Records) -> tuple[float, float]:
    latitude = math.fsum(record[1] for record in records) / len(records)
    longitude = math.fsum(record[2] for record in records) / len(records)
    return latitude, longitude


def position_cost(mine: tuple[float, float], theirs: tuple[float, float]) -> Cost:
    return (haversine_km(*mine, *theirs),)


def hours_since_midnight(date: datetime) -> float:
    return date.hour + date.minute / 60 + (date.second + date.microsecond / 1e6) / 3600


def mean_hour(records: Records) -> float | None:
    """Circular mean of the time of day, in hours; None when the directions cancel out."""
    angles = [hours_since_midnight(date) * math.tau / 24 for date, _, _ in records]
    x = math.fsum(map(math.cos, angles)) / len(angles)
    y = math.fsum(map(math.sin, angles)) / len(angles)
    if math.hypot(x, y) < TOLERANCE:
        return None
    return math.atan2(y, x) * 24 / math.tau % 24


def hour_cost(mine: float | None, theirs: float | None) -> Cost | None:
    if mine is None or theirs is None:
        return None
    difference = abs(mine - theirs)
    return (min(difference, 24 - difference),)


def cell_counts(records: Records) -> Counter[Cell]:
    return Counter(cell_of(latitude, longitude, DECIMALS) for _, latitude, longitude in records)


def coverage(records: Records) -> tuple[int, tuple[float, float]]:
    """Number of distinct cells, and the position of the most visited one."""
    counts = cell_counts(records)
    [(latitude, longitude)] = busiest(counts, 1)
    return len(counts), (latitude / 10**DECIMALS, longitude / 10**DECIMALS)


def coverage_cost(mine: tuple[int, tuple[float, float]], theirs: tuple[int, tuple[float, float]]) -> Cost:
    return abs(mine[0] - theirs[0]), haversine_km(*mine[1], *theirs[1])


def top_pois(records: Records) -> dict[str, Cell]:
    """The top cell of each type that has a stay; all records are of one person and one week."""
    placed = [("", date, cell_of(lat, lon, DECIMALS)) for date, lat, lon in records]
    pois = {}
    for (_, _, kind), stay_by_cell in stay_totals(placed, "v2").items():
        for cell in longest_stays(stay_by_cell, 1):
            pois[kind] = cell
    return pois


def poi_cost(mine: dict[str, Cell], theirs: dict[str, Cell]) -> Cost | None:
    same = len(mine.items() & theirs.items())
    return (-same,) if same else None


def heatmap(records: Records) -> dict[Cell, float]:
    return {cell: count / len(records) for cell, count in cell_counts(records).items()}


def topsoe(p: dict[Cell, float], q: dict[Cell, float]) -> float:
    terms = []
    for cell in p.keys() | q.keys():
        p_cell, q_cell = p.get(cell, 0.0), q.get(cell, 0.0)
        for share in (p_cell, q_cell):
            if share > 0:
                terms.append(share * math.log(2 * share / (p_cell + q_cell)))
    return math.fsum(terms)


def heatmap_cost(mine: dict[Cell, float], theirs: dict[Cell, float]) -> Cost:
    return (topsoe(mine, theirs),)


def cheapest(costs: dict[str, Cost | None]) -> list[str]:
    """Every candidate within the tolerance of the smallest cost, part by part of the cost.

    A candidate whose cost is None says nothing about the person and cannot be guessed.
    """
    remaining = {token: cost for token, cost in costs.items() if cost is not None}
    parts = max(map(len, remaining.values()), default=0)
    for part in range(parts):
        smallest = min(cost[part] for cost in remaining.values())
        remaining = {token: cost for token, cost in remaining.items() if cost[part] <= smallest + TOLERANCE}
    return sorted(remaining)


PROFILE_AND_COST: dict[str, tuple[Callable[[Records], Any], Callable[[Any, Any], Cost | None]]] = {
    "mean_position": (mean_position, position_cost),
    "mean_hour": (mean_hour, hour_cost),
    "coverage": (coverage, coverage_cost),
    "poi": (top_pois, poi_cost),
    "heatmap": (heatmap, heatmap_cost),
}


def by_cost(name: str, people: People, candidates: People) -> dict[str, list[str]]:
    profile, cost = PROFILE_AND_COST[name]
    theirs = {token: profile(records) for token, records in candidates.items()}
    guesses = {}
    for individual, records in people.items():
        mine = profile(records)
        guesses[individual] = cheapest({token: cost(mine, theirs[token]) for token in theirs})
    return guesses


def by_row_count(people: People, candidates: People) -> dict[str, list[str]]:
    return {
        individual: sorted(token for token, theirs in candidates.items() if len(theirs) == len(records))
        for individual, records in people.items()
    }


def heatmap_cost_matrix(people: People, candidates: People) -> list[list[float]]:
    """Topsøe costs, with the ids (rows) and the tokens (columns) in sorted order."""
    theirs = [heatmap(candidates[token]) for token in sorted(candidates)]
    return [
        [topsoe(heatmap(people[individual]), histogram) for histogram in theirs]
        for individual in sorted(people)
    ]


def by_assignment(people: People, candidates: People) -> dict[str, list[str]]:
    individuals, tokens = sorted(people), sorted(candidates)
    matched = linear_sum_assignment(heatmap_cost_matrix(people, candidates))
    guesses = {individual: [DEL] for individual in individuals}
    for row, column in zip(*matched, strict=True):
        guesses[individuals[row]] = [tokens[column]]
    return guesses


def digests(individual: str, week: str) -> Iterator[str]:
    texts = {individual}
    for separator in SEPARATORS:
        texts |= {individual + separator + week, week + separator + individual}
    for text in texts:
        for name in HASHES:
            yield hashlib.new(name, text.encode()).hexdigest()


def by_dictionary(people: People, candidates: People, week: str) -> dict[str, list[str]]:
    guesses = {}
    for individual in people:
        hexes = list(digests(individual, week))
        found = []
        for token in candidates:
            folded = token.casefold()
            is_digest = len(folded) >= MIN_PREFIX_LENGTH and any(
                digest.startswith(folded) for digest in hexes
            )
            if folded == individual.casefold() or is_digest:
                found.append(token)
        guesses[individual] = sorted(found)
    return guesses


def week_guesses(name: str, people: People, candidates: People, week: str) -> dict[str, list[str]]:
    if name not in ATTACKS:
        raise ValueError(f"unknown attack {name!r}")
    if not candidates:
        return {individual: [DEL] for individual in people}
    if name == "naive":
        return by_row_count(people, candidates)
    if name == "assignment":
        return by_assignment(people, candidates)
    if name == "dictionary":
        return by_dictionary(people, candidates, week)
    return by_cost(name, people, candidates)


ATTACKS = ("naive", *PROFILE_AND_COST, "assignment", "dictionary")


def attack(name: str, original_rows: list[Row], release_rows: list[Row]) -> Guesses:
    """The guesses of one attack for every (id, week) of the original."""
    released = by_week(release_rows)
    guesses: Guesses = defaultdict(dict)
    for week, people in by_week(original_rows).items():
        for individual, tokens in week_guesses(name, people, released.get(week, {}), week).items():
            guesses[individual][week] = tokens
    return dict(guesses)
