"""People are told by the middle of the places they go to."""

from __future__ import annotations

from insanonym_core.arrays import Floats, Ints
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd, guess_nearest
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.registry import attacks


@attacks.add(
    "mean_position", data="mobility", title="Nearest mean position", formula="haversine(mean, mean′)", order=2
)
def mean_position(known: Crowd, seen: Crowd) -> Guesses:
    """Guesses the pseudonym whose mean position in the week is nearest to the person's.

    Noise averages out over many rows, so independent noise hardly disturbs it.
    """
    latitude, longitude = known.mean_position
    seen_latitude, seen_longitude = seen.mean_position

    def costs(people: Ints, candidates: Ints) -> Floats:
        return haversine_km(
            latitude[people][:, None],
            longitude[people][:, None],
            seen_latitude[candidates][None, :],
            seen_longitude[candidates][None, :],
        )

    return guess_nearest(known, seen, costs)
