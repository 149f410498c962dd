"""The dashboard with a city of twelve people: a sweep takes a seventh of the time. Runs in the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from insanonym_core.demo import city
from insanonym_core.mobility.track import Track
from insanonym_core.runtime.store import PROCESS_STORE

USERS, WEEKS = 12, 2
SMALL = "from tests.browser_dashboard.small_city import use_small_city; use_small_city()"
"""The first line of a page."""


def small_track(reading: Mapping[str, Any] | None = None) -> Track:
    """What takes the place of `city.demo_track`."""
    return city.make_city(USERS, WEEKS).track


def use_small_city() -> None:
    """The demonstration city of this kernel from now on."""
    city.demo_track = small_track
    PROCESS_STORE.clear("data")  # a forked kernel begins with the large one
