"""The six utility scores of a mobility release, as plain Python csv loops.

This is the baseline of the speed benchmark: what the public platform runs, one program per score that reads
both files line by line, with the standard library alone. It is also the oracle that the tests compare the
fast implementation with: it follows the definitions of the specification word for word and shares no code
with the package. It does not check its input: it assumes a pair of files that passed the checks.

    python benchmarks/plain_python.py ORIGINAL RELEASE [v1|v2]
"""

import csv
import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

Row = tuple[str, datetime, float, float]
Pair = tuple[list[Row], list[Row]]
Cell = tuple[int, int]
Record = tuple[str, datetime, Cell]
StayKey = tuple[str, str, str]
Stays = dict[StayKey, dict[Cell, timedelta]]

DEL = "DEL"
DELETED_ROW: Any = (DEL, None, None, None)
EARTH_RADIUS_KM = 6371.0088
HOUR_SCORES_V1 = [
    1, 0.9, 0.8, 0.6, 0.4, 0.2, 0, 0.1, 0.2, 0.3, 0.4, 0.5,
    0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0, 0.2, 0.4, 0.6, 0.8, 0.9,
]  # fmt: skip
DATE_SPAN_DAYS = {"v1": 3, "v2": 7}
WORK_END_HOUR = {"v1": 16, "v2": 17}
POIS_PER_TYPE = {"v1": 3, "v2": 1}


def read(path: str) -> list[Row]:
    """Rows of a tab-separated file without a header; a DEL row keeps nothing but its id."""
    with Path(path).open(newline="", encoding="utf-8") as file:
        return [
            DELETED_ROW
            if fields[0] == DEL
            else (fields[0], datetime.fromisoformat(fields[1]), float(fields[2]), float(fields[3]))
            for fields in csv.reader(file, delimiter="\t")
        ]


def week_label(date: datetime) -> str:
    year, week, _ = date.isocalendar()
    return f"{year}-{week}"


def cell_of(latitude: float, longitude: float, decimals: int) -> Cell:
    scale = 10**decimals
    return round(latitude * scale), round(longitude * scale)


def haversine_km(lat_1: float, lon_1: float, lat_2: float, lon_2: float) -> float:
    phi_1, phi_2 = math.radians(lat_1), math.radians(lat_2)
    half_dphi = (phi_2 - phi_1) / 2
    half_dlambda = math.radians(lon_2 - lon_1) / 2
    a = math.sin(half_dphi) ** 2 + math.cos(phi_1) * math.cos(phi_2) * math.sin(half_dlambda) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(min(1.0, math.sqrt(a)))


def date_points(original: datetime, released: datetime, rules: str) -> float:
    days = abs(released.toordinal() - original.toordinal())
    return max(0.0, 1 - days / DATE_SPAN_DAYS[rules])


def hour_points(original: datetime, released: datetime, rules: str) -> float:
    shift = released.hour - original.hour
    return HOUR_SCORES_V1[shift % 24] if rules == "v1" else 1 - abs(shift) / 24


def distance_points(original: Row, released: Row, rules: str, dx: float) -> float:
    _, _, lat_o, lon_o = original
    _, _, lat_r, lon_r = released
    if rules == "v1":
        return max(0.0, 1 - (abs(lat_r - lat_o) + abs(lon_r - lon_o)) / dx)
    km = haversine_km(lat_o, lon_o, lat_r, lon_r)
    return 1.0 if km < 1 else 1 / km


def mean_points(pair: Pair, points: Callable[[Row, Row], float]) -> float:
    """The mean over all rows of the original; a deleted row earns nothing."""
    original_rows, release_rows = pair
    total = 0.0
    for original, released in zip(original_rows, release_rows, strict=True):
        if released[0] != DEL:
            total += points(original, released)
    return total / len(original_rows)


def date_score(pair: Pair, rules: str) -> float:
    return mean_points(pair, lambda original, released: date_points(original[1], released[1], rules))


def hour_score(pair: Pair, rules: str) -> float:
    return mean_points(pair, lambda original, released: hour_points(original[1], released[1], rules))


def distance_score(pair: Pair, rules: str, dx: float = 0.1) -> float:
    return mean_points(pair, lambda original, released: distance_points(original, released, rules, dx))


def records(pair: Pair, decimals: int) -> tuple[list[Record], list[Record]]:
    """Individual, date and cell of each row; the individual of a released row is the original's there."""
    original_rows, release_rows = pair
    original = [
        (individual, date, cell_of(latitude, longitude, decimals))
        for individual, date, latitude, longitude in original_rows
    ]
    release = [
        (individual, date, cell_of(latitude, longitude, decimals))
        for (individual, *_), (token, date, latitude, longitude) in zip(
            original_rows, release_rows, strict=True
        )
        if token != DEL
    ]
    return original, release


def window_of(date: datetime, work_end_hour: int) -> tuple[str, int] | None:
    """The type of window the record falls in and the day on which that window opened."""
    hour = date.hour
    if date.weekday() < 5:
        if hour >= 22:
            return "home", date.toordinal()
        if hour < 6:
            return "home", date.toordinal() - 1
        if 9 <= hour < work_end_hour:
            return "work", date.toordinal()
    elif 10 <= hour < 18:
        return "activity", date.toordinal()
    return None


def stay_totals(all_records: Iterable[Record], rules: str) -> Stays:
    """Total stay on each cell, by (individual, week, type of window)."""
    trajectories: dict[tuple[str, str], list[tuple[datetime, Cell]]] = defaultdict(list)
    for individual, date, cell in all_records:
        trajectories[individual, week_label(date)].append((date, cell))

    totals: Stays = defaultdict(lambda: defaultdict(timedelta))
    work_end_hour = WORK_END_HOUR[rules]
    for (individual, week), trajectory in trajectories.items():
        trajectory.sort(key=lambda record: record[0])
        current_window = current_cell = previous_date = None
        for date, cell in trajectory:
            window = window_of(date, work_end_hour)
            # A stay's length is the sum of the gaps between its consecutive records.
            if window is not None and window == current_window and cell == current_cell:
                totals[individual, week, window[0]][cell] += date - previous_date
            current_window, current_cell, previous_date = window, cell, date
    return totals


def longest_stays(stay_by_cell: dict[Cell, timedelta], how_many: int) -> list[Cell]:
    stayed = [(-stay, cell) for cell, stay in stay_by_cell.items() if stay > timedelta(0)]
    return [cell for _, cell in sorted(stayed)[:how_many]]


def poi_score(pair: Pair, rules: str, decimals: int = 2) -> float:
    original, release = records(pair, decimals)
    original_stays = stay_totals(original, rules)
    release_stays = stay_totals(release, rules)
    pairs = []
    for key, stay_by_cell in original_stays.items():
        found = release_stays.get(key, {})
        for cell in longest_stays(stay_by_cell, POIS_PER_TYPE[rules]):
            stay_o = stay_by_cell[cell].total_seconds()
            stay_r = found[cell].total_seconds() if cell in found else 0.0
            pairs.append((stay_o, stay_r))
    if not pairs:
        return math.nan
    if rules == "v1":
        return sum(min(pair) / max(pair) for pair in pairs) / len(pairs)
    lost = sum(abs(stay_o - stay_r) for stay_o, stay_r in pairs)
    return max(0.0, 1 - lost / sum(stay_o for stay_o, _ in pairs))


def tuile_score(pair: Pair, rules: str, decimals: int = 2) -> float:
    original, release = records(pair, decimals)
    if rules == "v1":
        records_o = Counter((individual, cell) for individual, _, cell in original)
        records_r = Counter((individual, cell) for individual, _, cell in release)
        smaller, larger = records_o & records_r, records_o | records_r
        ratios = [smaller[key] / larger[key] for key in larger]
        return sum(ratios) / len(ratios)
    cells_o, cells_r = cells_by_individual(original), cells_by_individual(release)
    total = 0.0
    for individual, cells in cells_o.items():
        counts = len(cells), len(cells_r.get(individual, ()))
        total += min(counts) / max(counts)
    return total / len(cells_o)


def cells_by_individual(all_records: list[Record]) -> dict[str, set[Cell]]:
    cells: dict[str, set[Cell]] = defaultdict(set)
    for individual, _, cell in all_records:
        cells[individual].add(cell)
    return cells


def busiest(records_by_cell: Counter[Cell], how_many: int) -> list[Cell]:
    ranked = sorted(records_by_cell, key=lambda cell: (-records_by_cell[cell], cell))
    return ranked[:how_many]


def meet_scores(pair: Pair, rules: str, decimals: int = 2, share: float = 0.1) -> tuple[float, float]:
    """The score, and the source's literal ratio."""
    original, release = records(pair, decimals)
    records_o = Counter(cell for _, _, cell in original)
    records_r = Counter(cell for _, _, cell in release)
    m = max(1, math.floor(share * len(records_o) + 1e-9))
    top_o = busiest(records_o, m)
    common = set(top_o) & set(busiest(records_r, m))
    found = sum(records_r[cell] for cell in common)
    kept = min(1.0, found / sum(records_o[cell] for cell in top_o))
    return len(common) / m if rules == "v1" else kept, found / (share * len(original))


PROGRAMS: dict[str, Callable[[Pair, str], float]] = {
    "date": date_score,
    "hour": hour_score,
    "distance": distance_score,
    "poi": poi_score,
    "tuile": tuile_score,
    "meet": lambda pair, rules: meet_scores(pair, rules)[0],
}


def as_on_the_platform(original_path: str, release_path: str, rules: str = "v2") -> dict[str, float]:
    """The public platform has one program per score, each of which reads both files."""
    return {
        name: program((read(original_path), read(release_path)), rules) for name, program in PROGRAMS.items()
    }


def six_scores(
    original_rows: list[Row], release_rows: list[Row], rules: str = "v2", decimals: int = 2
) -> dict[str, float]:
    """The six scores of rows read once, and `meet_literal_ratio`; `poi` is NaN when there is no POI."""
    pair = original_rows, release_rows
    meet, literal_ratio = meet_scores(pair, rules, decimals)
    return {
        "date": date_score(pair, rules),
        "hour": hour_score(pair, rules),
        "distance": distance_score(pair, rules),
        "poi": poi_score(pair, rules, decimals),
        "tuile": tuile_score(pair, rules, decimals),
        "meet": meet,
        "meet_literal_ratio": literal_ratio,
    }


def main(arguments: list[str]) -> None:
    if len(arguments) not in (2, 3):
        sys.exit("usage: python benchmarks/plain_python.py ORIGINAL RELEASE [v1|v2]")
    scores = as_on_the_platform(*arguments)
    print(
        json.dumps({name: None if math.isnan(score) else score for name, score in scores.items()}, indent=1)
    )


if __name__ == "__main__":
    main(sys.argv[1:])
