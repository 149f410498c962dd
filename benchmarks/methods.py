"""What a move of a slider costs for each mobility method, beside planar_laplace. Times are CPU seconds.

    python -m benchmarks --only methods

On the demo city of 74,648 rows. The first release is made before the moves are timed: what does not depend
on the slider is kept, with the data or in the store of the session.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.mobility import cpu
from benchmarks.ratios import Ratio
from insanonym_core.demo.city import make_city
from insanonym_core.mobility.track import Track
from insanonym_core.registry import methods
from insanonym_core.runtime.memory import keep_freed_memory
from insanonym_core.runtime.store import Store, using

FLOOR = "planar_laplace"
GROUPS = range(2, 22)
HOURS, SHARES = np.linspace(1, 12, 20).tolist(), np.linspace(0.05, 0.5, 20).tolist()
MOVES: dict[str, tuple[str, Sequence[float]]] = {
    "cloak": ("k", GROUPS),
    "borrow_weeks": ("k", GROUPS),
    "swap_places": ("k", GROUPS),
    "partner_places": ("k", GROUPS),
    "shift_time": ("hours", HOURS),
    "equalise_rows": ("k", GROUPS),
    "delete_identifying": ("share", SHARES),
}


def seconds_of_a_move(track: Track, name: str, parameter: str, values: Sequence[float]) -> float:
    """Median over the values, after a first release."""
    method = methods.get(name, data="mobility").item

    def release(value: float) -> Track:
        made: Track = method(**{parameter: value}).apply(track, np.random.default_rng(1))
        return made

    with using(Store()):
        release(values[-1])
        return statistics.median(cpu(lambda value=value: release(value))[0] for value in values)


def ratios(*, peers: bool = True) -> Iterator[Ratio]:
    """One for each method."""
    keep_freed_memory()
    track = make_city().track
    floor = seconds_of_a_move(track, FLOOR, "radius", np.linspace(100, 2000, 20).tolist())
    against = f"{FLOOR}, a move of radius ({floor * 1e3:.1f} ms)"
    for name, (parameter, values) in MOVES.items():
        first, _ = cpu(
            lambda name=name: (
                methods.get(name, data="mobility")
                .item()
                .apply(track.changed(token=track.token), np.random.default_rng(1))
            )
        )
        move = seconds_of_a_move(track, name, parameter, values)
        what = f"{name}, a move of {parameter} ({move * 1e3:.0f} ms; the first release {first * 1e3:.0f} ms)"
        yield Ratio(f"{what}, {len(track):,} rows", against, move / floor, "≤ 10")
