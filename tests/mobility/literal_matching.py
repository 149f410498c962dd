"""The attackers who match one-to-one, the intervals and two measures beside them, written out literally.

An oracle for the tests, as `literal_attacks.py`: slow, in plain Python (numpy's draws apart), and sharing no
code with the package.
"""

import hashlib
import math
from collections import Counter, defaultdict
from datetime import timedelta
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.plain_python import DEL, Row, cell_of, haversine_km
from tests.mobility.literal_attacks import (
    DECIMALS,
    Guesses,
    People,
    Records,
    by_week,
    heatmap,
    mean_position,
    topsoe,
)

HOURS = 168


def hour_of_week(date):
    return date.weekday() * 24 + date.hour


def row_count_cost(mine: Records, theirs: Records) -> float:
    return abs(math.log(len(mine)) - math.log(len(theirs)))


def smoothed_hours(records: Records) -> list[float]:
    counts = Counter(hour_of_week(date) for date, _, _ in records)
    smooth = [
        counts[hour - 1] * 0.25 * (hour > 0) + counts[hour] * 0.5 + counts[hour + 1] * 0.25
        for hour in range(HOURS)
    ]
    length = math.sqrt(math.fsum(value * value for value in smooth))
    return [value / length for value in smooth]


def hours_cost(mine: Records, theirs: Records) -> float:
    both = zip(smoothed_hours(mine), smoothed_hours(theirs), strict=True)
    return 1 - math.fsum(a * b for a, b in both)


def join_cost(mine: Records, theirs: Records) -> float:
    common = Counter(date for date, _, _ in mine) & Counter(date for date, _, _ in theirs)
    return -common.total() / max(len(mine), len(theirs))


def gaps(records: Records) -> Counter[timedelta]:
    return Counter(later - earlier for earlier, later in pairwise(sorted(date for date, _, _ in records)))


def gaps_cost(mine: Records, theirs: Records) -> float:
    return -(gaps(mine) & gaps(theirs)).total() / (1 + (gaps(mine) | gaps(theirs)).total())


def by_hour(records: Records) -> dict[int, tuple[float, float]]:
    hours: dict[int, Records] = defaultdict(list)
    for record in records:
        hours[hour_of_week(record[0])].append(record)
    return {hour: mean_position(some) for hour, some in hours.items()}


def path_cost(mine: Records, theirs: Records) -> float:
    ours, others = by_hour(mine), by_hour(theirs)
    near = []
    for hour in ours.keys() & others.keys():
        km = haversine_km(*ours[hour], *others[hour])
        near.append(1.0 if km <= 1 else 1 / km)
    return -math.fsum(near) / len(ours)


def position_cost(mine: Records, theirs: Records) -> float:
    return haversine_km(*mean_position(mine), *mean_position(theirs))


def heatmap_cost(mine: Records, theirs: Records) -> float:
    return max(0.0, topsoe(heatmap(mine), heatmap(theirs)))


COSTS = {
    "assignment": heatmap_cost,
    "row_count": row_count_cost,
    "hours": hours_cost,
    "join": join_cost,
    "gaps": gaps_cost,
    "path": path_cost,
}
TOGETHER = (position_cost, heatmap_cost, row_count_cost, hours_cost, join_cost, gaps_cost, path_cost)


def billionths(cost: float) -> int:
    return round(cost * 1e9)


def ranked(costs: list[int]) -> list[float]:
    """Mean ranks from 0 to 1."""
    if len(costs) == 1:
        return [0.0]
    ordered = sorted(costs)
    found = []
    for cost in costs:
        places = [place for place, other in enumerate(ordered) if other == cost]
        found.append(sum(places) / len(places) / (len(costs) - 1))
    return found


def matrix(name: str, people: People, candidates: People, tokens: list[str]) -> list[list[int]]:
    table = []
    for individual in sorted(people):
        mine = people[individual]
        if name != "everything":
            table.append([billionths(COSTS[name](mine, candidates[token])) for token in tokens])
            continue
        total = [0.0] * len(tokens)
        for cost in TOGETHER:
            ranks = ranked([billionths(cost(mine, candidates[token])) for token in tokens])
            total = [sum(both) for both in zip(total, ranks, strict=True)]
        table.append([billionths(one) for one in total])
    return table


def matched(name: str, people: People, candidates: People, week: str) -> dict[str, list[str]]:
    if not candidates or name == "deleted":
        return {individual: [DEL] for individual in people}
    tokens = sorted(candidates, key=lambda token: hashlib.sha256(f"{week}\t{token}".encode()).hexdigest())
    individuals = sorted(people)
    table = matrix(name, people, candidates, tokens)
    guesses: dict[str, list[str]] = {individual: [DEL] for individual in individuals}
    if name == "join":
        silent = {who for who, row in zip(individuals, table, strict=True) if not any(row)}
        guesses |= {who: [] for who in silent}
        table = [row for who, row in zip(individuals, table, strict=True) if who not in silent]
        individuals = [who for who in individuals if who not in silent]
    if individuals:
        for row, column in zip(*linear_sum_assignment(table), strict=True):
            guesses[individuals[row]] = [tokens[column]]
    return guesses


def attack(name: str, original_rows: list[Row], release_rows: list[Row]) -> Guesses:
    """The guesses of one attack for every (id, week) of the original."""
    released = by_week(release_rows)
    guesses: Guesses = defaultdict(dict)
    for week, people in by_week(original_rows).items():
        for individual, tokens in matched(name, people, released.get(week, {}), week).items():
            guesses[individual][week] = tokens
    return dict(guesses)


def reidentified(answers: Guesses, guesses: Guesses) -> tuple[float, float, float]:
    """The share of pairs whose pseudonym is found, and its interval."""
    points: dict[str, list[float]] = defaultdict(list)
    for individual, weeks in answers.items():
        for week, [answer] in weeks.items():
            tried = set(guesses[individual][week])
            points[individual].append(1 / len(tried) if answer != DEL and answer in tried else 0.0)
    return share_with_interval(points)


def share_with_interval(points: dict[str, list[float]]) -> tuple[float, float, float]:
    people = sorted(points)
    total = sum(math.fsum(points[who]) for who in people)
    value = total / sum(len(points[who]) for who in people)
    if value in (0, 1):
        bound = 0.025 ** (1 / len(people))
        return (value, 0.0, 1 - bound) if value == 0 else (value, bound, 1.0)
    shares = []
    for drawn in np.random.default_rng(0).integers(0, len(people), size=(1000, len(people))):
        some = [points[people[place]] for place in drawn]
        shares.append(math.fsum(map(math.fsum, some)) / sum(map(len, some)))
    low, high = np.percentile(shares, (2.5, 97.5))
    return value, float(low), float(high)


def chances(answers: Guesses, release_rows: list[Row]) -> tuple[float, float]:
    """The best blind guess in the competition, and of a pseudonym."""
    released = by_week(release_rows)
    pairs = [(week, answer) for weeks in answers.values() for week, [answer] in weeks.items()]
    one_of = [1 / max(1, len(released.get(week, {}))) for week, _ in pairs]
    deleted = sum(answer == DEL for _, answer in pairs)
    kept = math.fsum(one for one, (_, answer) in zip(one_of, pairs, strict=True) if answer != DEL)
    return max(math.fsum(one_of) / len(pairs), deleted / len(pairs)), kept / len(pairs)


def known_points(original_rows: list[Row], release_rows: list[Row], answers: Guesses) -> list[float]:
    """Of p = 1…5 known records (cell, date and hour): the share of pairs that only their own token fits."""

    def record(row):
        date, latitude, longitude = row
        return (date.date(), date.hour), cell_of(latitude, longitude, DECIMALS)

    released = {
        week: {token: {record(row) for row in records} for token, records in people.items()}
        for week, people in by_week(release_rows).items()
    }
    original = by_week(original_rows)
    draw = np.random.default_rng(0)
    found = [0.0] * 5
    pairs = sorted((who, week) for week, people in original.items() for who in people)
    pairs.sort(key=lambda pair: (pair[0], monday(original[pair[1]][pair[0]])))
    for who, week in pairs:
        ordered = sorted(original[week][who], key=lambda row: (row[0], cell_of(*row[1:], DECIMALS)))
        rows = [record(row) for row in ordered]
        for _ in range(20):
            order = draw.permutation(len(rows))
            for p in range(1, 6):
                some = {rows[place] for place in order[: min(p, len(rows))]}
                fits = [token for token, shown in released.get(week, {}).items() if some <= shown]
                found[p - 1] += fits == answers[who][week]
    return [one / 20 / len(pairs) for one in found]


def monday(records: Records):
    date = records[0][0]
    return (date - timedelta(days=date.weekday())).date()


def week_in_the_open(original_rows: list[Row], release_rows: list[Row]) -> float:
    """The share of person-weeks whose heat map some token of the week overlaps by at least 0.8."""
    released = by_week(release_rows)
    shown = []
    for week, people in by_week(original_rows).items():
        for records in people.values():
            mine = heatmap_counts(records)
            shown.append(
                any(
                    5 * sum(min(mine[c] * len(theirs), seen[c] * len(records)) for c in mine)
                    >= 4 * len(records) * len(theirs)
                    for theirs in released.get(week, {}).values()
                    for seen in [heatmap_counts(theirs)]
                )
            )
    return sum(shown) / len(shown)


def heatmap_counts(records: Records) -> Counter:
    return Counter(cell_of(latitude, longitude, DECIMALS) for _, latitude, longitude in records)


def week_classes(original_rows: list[Row], release_rows: list[Row], answers: dict) -> tuple:
    """1 − Σ 1 / class size over person-weeks, the smallest class, and the share that are alone."""

    def published(records: Records) -> Counter:
        return Counter((date, *cell_of(latitude, longitude, 7)) for date, latitude, longitude in records)

    released = by_week(release_rows)
    sizes = []
    pairs = [(who, week) for week, people in by_week(original_rows).items() for who in people]
    for who, week in pairs:
        (token,) = answers[who][week]
        if token != "DEL":
            mine = published(released[week][token])
            sizes.append(sum(published(theirs) == mine for theirs in released[week].values()))
    smallest = min(sizes) if sizes else None
    return 1 - sum(1 / size for size in sizes) / len(pairs), smallest, sizes.count(1) / len(pairs)
