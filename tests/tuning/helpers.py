"""A small city, and a method that is made to please the attackers whom a search knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from insanonym_core.demo.city import make_city
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.numeric.randomness import random_tokens
from insanonym_core.parameters import Range
from insanonym_core.registry import methods

CROWDED_HOUR = 3 * 24 + 4  # of the week: everybody's other rows go there
PATH_HOURS, ROWS = 30, 90
SMALL_CITY = make_city(20, 2).track


def register_overfitting(monkeypatch) -> None:
    """Register `please` for one test: to the attackers of a search everybody looks like somebody else.

    Each person keeps one row in some hours of the week that are the same for all, at its place and nearly at
    its time: a path, which only `path` and `everything` look at. Other rows go to one crowded hour, to
    places of another person, as many for each person; the rest is deleted.
    """

    @methods.add("please", data="mobility", title="Pleases the attackers it knows", order=999)
    @dataclass(frozen=True, kw_only=True)
    class Please:
        """Keeps paths, hides everything else."""

        minutes: Annotated[float, Range(1, 29, unit="min")] = 20.0

        def apply(self, track: Track, generator: np.random.Generator) -> Track:
            return _pleased(track, self.minutes, generator)

    key = ("mobility", "please", "")
    entry = methods._entries.pop(key)
    monkeypatch.setitem(methods._entries, key, entry)


def _pleased(track: Track, minutes: float, generator: np.random.Generator) -> Track:
    time, latitude, longitude = (np.array(one) for one in (track.time, track.latitude, track.longitude))
    week = np.asarray(track.week)
    start = (week * 168 - 72) * 3600
    hour = (np.asarray(track.time) - start) // 3600
    token = np.full(len(track), DELETED)
    pairs = np.unique(np.stack([week, track.individual]), axis=1).T
    usual = np.argsort(-np.bincount(hour, minlength=168), kind="stable")[:PATH_HOURS]
    for place, (at, one) in enumerate(pairs):
        rows = np.flatnonzero((track.individual == one) & (week == at))
        others = np.flatnonzero((track.individual == (one + 1) % len(track.individuals)) & (week == at))
        if len(rows) < ROWS:
            continue
        there = {int(hour[row]): row for row in rows if hour[row] in usual}
        spare = [row for row in rows if row not in there.values()]
        for target in usual:
            row = there[int(target)] if int(target) in there else spare.pop()
            time[row] = start[row] + target * 3600 + 1800 + generator.integers(-60 * minutes, 60 * minutes)
            if int(target) not in there:
                taken = generator.choice(others)
                latitude[row], longitude[row] = track.latitude[taken], track.longitude[taken]
            token[row] = place
        rest = np.array(spare[: ROWS - PATH_HOURS])
        taken = generator.choice(others, len(rest))
        latitude[rest], longitude[rest] = track.latitude[taken], track.longitude[taken]
        time[rest] = start[rest] + CROWDED_HOUR * 3600 + np.sort(generator.integers(0, 3600, len(rest)))
        token[rest] = place
    tokens = sorted(random_tokens(generator, len(pairs)))
    shuffled = np.append(generator.permutation(len(pairs)), DELETED)
    changed = {"time": time, "latitude": latitude, "longitude": longitude, "token": shuffled[token]}
    return track.changed(**changed, tokens=tuple(tokens))
