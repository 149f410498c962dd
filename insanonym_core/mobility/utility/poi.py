"""POI: whether the places where people spend their nights, working hours and weekends are still there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from insanonym_core.mobility.cells import Decimals
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.stays import (
    WEEKEND,
    WORKING_DAYS,
    StayTotals,
    Window,
    seconds_at,
    stay_totals,
)
from insanonym_core.mobility.sums import Sums
from insanonym_core.mobility.track import Track, week_label
from insanonym_core.mobility.utility._declare import utility_score
from insanonym_core.parameters import HourSpan, Range, Weekdays
from insanonym_core.results.scores import PoiMap, Score

Hours = Annotated[tuple[int, int], HourSpan()]
Days = Annotated[tuple[int, ...], Weekdays()]
Number = Annotated[int, Range(1, 10, whole=True, unit="places")]


def windows(
    home_hours: Hours,
    work_hours: Hours,
    activity_hours: Hours,
    home_days: Days,
    work_days: Days,
    activity_days: Days,
) -> tuple[Window, ...]:
    """The three types of place as windows of the week."""
    return (
        Window("home", home_days, *home_hours),
        Window("work", work_days, *work_hours),
        Window("activity", activity_days, *activity_hours),
    )


def places_of(original: Track, wanted: tuple[Window, ...], decimals: int, number: int) -> StayTotals:
    """Points of interest of a track: the `number` longest stays of each individual, week and type."""
    return original.derive(
        ("pois", wanted, decimals, number),
        lambda: stay_totals(original, wanted, decimals).longest(number),
    )


def labelled(
    places: StayTotals, track: Track, wanted: tuple[Window, ...], decimals: int
) -> dict[str, Any]:  # Any: fields of PoiMap
    """Columns individual, week, kind and position of the places, in texts and degrees instead of codes."""
    weeks, week = np.unique(places.week, return_inverse=True)
    return {
        "individual": np.array(track.individuals, dtype=object)[places.owner],
        "week": np.array([week_label(number) for number in weeks], dtype=object)[week],
        "kind": np.array([window.kind for window in wanted], dtype=object)[places.kind],
        "latitude": places.latitude / 10.0**decimals,
        "longitude": places.longitude / 10.0**decimals,
    }


def _compare(pair: Pair, wanted: tuple[Window, ...], decimals: int, number: int) -> PoiMap | None:
    places = places_of(pair.original, wanted, decimals, number)
    if len(places.owner) == 0:
        return None
    return PoiMap(
        "Stay at each point of interest",
        **labelled(places, pair.original, wanted, decimals),
        stay_original=places.seconds,
        stay_release=seconds_at(stay_totals(pair.release.kept, wanted, decimals), places),
        shows_individuals=True,
    )


def _sums(pair: Pair, decimals: int, number: int, **hours: Any) -> Sums:  # Any: see `windows`
    pois = _compare(pair, windows(**hours), decimals, number)
    if pois is None:
        return Sums({"places": 0, "stay": 0.0, "lost": 0.0, "alike": 0.0})
    before, after = pois.stay_original, pois.stay_release
    return Sums(
        {
            "places": len(before),
            "stay": float(before.sum()),
            "lost": float(np.abs(before - after).sum()),
            "alike": float((np.minimum(before, after) / np.maximum(before, after)).sum()),
        },
        lambda: (pois,),
    )


_NO_POI = "no individual stays anywhere within the hours of home, work or activity"


def _score(sums: Sums, value: Callable[[], float]) -> Score:
    if sums["places"] == 0:
        return Score.undefined(_NO_POI)
    return Score(value(), sums.row_level_evidence(), {"places": sums["places"]})


@utility_score(
    "poi",
    rules="v2",
    title="Points of interest",
    order=4,
    formula="max(0, 1 − Σ|s − s′| / Σ s)",
    sums=_sums,
)
def poi_v2(
    sums: Sums,
    *,
    decimals: Decimals = 2,
    number: Number = 1,
    home_hours: Hours = (22, 6),
    work_hours: Hours = (9, 17),
    activity_hours: Hours = (10, 18),
    home_days: Days = WORKING_DAYS,
    work_days: Days = WORKING_DAYS,
    activity_days: Days = WEEKEND,
) -> Score:
    """How much of the stay at each person's weekly home, work and activity place is found again."""
    return _score(sums, lambda: max(0.0, 1 - sums["lost"] / sums["stay"]))


@utility_score(
    "poi",
    rules="v1",
    title="Points of interest",
    order=4,
    formula="mean over POIs of min(s, s′)/max(s, s′)",
    sums=_sums,
)
def poi_v1(
    sums: Sums,
    *,
    decimals: Decimals = 2,
    number: Number = 3,
    home_hours: Hours = (22, 6),
    work_hours: Hours = (9, 16),
    activity_hours: Hours = (10, 18),
    home_days: Days = WORKING_DAYS,
    work_days: Days = WORKING_DAYS,
    activity_days: Days = WEEKEND,
) -> Score:
    """How alike the stays at each person's three main weekly places of each type are, on average."""
    return _score(sums, lambda: sums["alike"] / sums["places"])
