"""Number 15: two threads that use the same data never get a release of other settings."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from insanonym_core.avatars.generate import Neighbours
from insanonym_core.avatars.methods import mix_neighbours
from insanonym_core.avatars.methods.mix_neighbours import MixNeighbours
from insanonym_core.experiment import make_release
from insanonym_core.mobility import runs
from insanonym_core.mobility.methods import noise
from insanonym_core.mobility.methods.noise import PlanarLaplace
from insanonym_core.mobility.track import Track
from insanonym_core.recipe import Recipe, Step
from insanonym_core.runtime.jobs import Job
from insanonym_core.runtime.store import Store, kept, using
from insanonym_core.tabular.table import Table
from tests.helpers import lines, track

ROUNDS = 3000
ROWS = lines(*(f"{'ab'[i % 2]}, 2015-03-02 10:00:{i:02d}, 45.7, 4.8" for i in range(12)))


@pytest.fixture(autouse=True)
def switch_interval() -> Iterator[None]:
    """Threads take turns after 1 µs."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def digest(release: Track) -> str:
    parts = (release.latitude, release.longitude, release.time, release.token)
    return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


def recipe(share: float, radius: int) -> Recipe:
    return Recipe(
        (
            Step("delete_at_random", {"share": share}),
            Step("planar_laplace", {"radius": radius}),
            Step("snap_to_grid", {"decimals": 5}),
        ),
        seed=7,
    )


RECIPES = [recipe(share, radius) for share in (0.1, 0.5) for radius in (100, 200)]


def wrong_results(jobs: list[Callable[[], Any]], expected: list[Any], threads: int = 2) -> list[Any]:
    """Each thread runs all jobs in its own order, many times; what differs from `expected` or fails."""
    wrong: list[Any] = []
    together = threading.Barrier(threads)

    def work(seed: int) -> None:
        order = np.random.default_rng(seed).integers(len(jobs), size=ROUNDS).tolist()
        together.wait()
        for place in order:
            try:
                found = jobs[place]()
            except Exception as error:
                found = repr(error)
            if found != expected[place]:
                wrong.append((place, found))

    started = [threading.Thread(target=work, args=(seed,)) for seed in range(threads)]
    for one in started:
        one.start()
    for one in started:
        one.join()
    return wrong


@pytest.mark.slow
def test_sliders_moved_by_two_threads_make_the_releases_of_one() -> None:
    shared = track(ROWS)
    expected = [digest(make_release(one, track(ROWS)).release.release) for one in RECIPES]
    assert len(set(expected)) == len(RECIPES)
    jobs = [lambda one=one: digest(make_release(one, shared).release.release) for one in RECIPES]
    assert not wrong_results(jobs, expected)


class Interrupted:
    """Runs a job; before the line event of this number in the code of `inside` another job runs as a whole.

    That is what a second thread can do between two lines, without chance.
    """

    def __init__(self, job: Callable[[], Any], other: Callable[[], Any], inside: Any, event: int) -> None:
        self.other, self.code, self.event = other, inside.__code__, event
        self.seen = 0
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            self.result = job()
        finally:
            sys.settrace(before)

    def _called(self, frame: Any, event: str, argument: Any) -> Any:
        return self._line if frame.f_code is self.code else None

    def _line(self, frame: Any, event: str, argument: Any) -> Any:
        if event == "line":
            self.seen += 1
            if self.seen == self.event:
                sys.settrace(None)
                self.other()
                sys.settrace(self._called)
        return self._line


STORE = Store()


def moved(data: Track, seed: int) -> tuple[str, float]:
    generator = np.random.default_rng(seed)
    with using(STORE):
        return digest(PlanarLaplace(radius=300).apply(data, generator)), float(generator.random())


def released(data: Track, number: int) -> str:
    return digest(make_release(RECIPES[number], data, Job(store=STORE)).release.release)


def neighbours(data: Table, k: int) -> int:
    with using(STORE):
        made = MixNeighbours(k=k).apply(data, np.random.default_rng(3))
    return int(made.facts["neighbours"].index.shape[1])


def numbers() -> Table:
    draws = np.random.default_rng(0).normal(size=(20, 3)).round(3)
    return Table.from_frame(pd.DataFrame(draws, columns=["a", "b", "c"]))


@pytest.mark.parametrize("first", [0, 1], ids=["nothing remembered", "the same remembered"])
@pytest.mark.parametrize(
    ("run", "fresh", "mine", "others", "inside"),
    [
        (released, lambda: track(ROWS), 0, 3, runs.make),
        (released, lambda: track(ROWS), 0, 1, runs.make),
        (moved, lambda: track(ROWS), 1, 2, noise._draw_steps),
        (neighbours, numbers, 9, 2, MixNeighbours._neighbours),
        (neighbours, numbers, 2, 9, MixNeighbours._neighbours),
    ],
    ids=["all steps differ", "the second step differs", "noise", "many neighbours", "few neighbours"],
)
def test_another_run_between_any_two_lines_changes_nothing(
    run: Any, fresh: Callable[[], Any], mine: int, others: int, inside: Any, first: int
) -> None:
    STORE.__init__()
    expected, event = run(fresh(), mine), 1
    while True:
        data = fresh()
        STORE.__init__()
        for _ in range(first):
            run(data, mine)
        tried = Interrupted(
            lambda data=data: run(data, mine), lambda data=data: run(data, others), inside, event
        )
        assert tried.result == expected, f"interrupted before line event {event}"
        assert run(data, mine) == expected
        if tried.seen < event:
            break
        event += 1
    assert event > 5  # the code was found, and interrupted


def test_a_small_search_does_not_replace_a_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    STORE.__init__()
    data, search, asked = numbers(), mix_neighbours.neighbours_of_rows, threading.Event()
    larger = threading.Thread(target=lambda: (asked.set(), neighbours(data, 9)))

    def slow(points: Any, k: int) -> Neighbours:
        monkeypatch.setattr(mix_neighbours, "neighbours_of_rows", search)
        larger.start()  # while two neighbours are searched for
        assert asked.wait(30)
        return search(points, k)

    monkeypatch.setattr(mix_neighbours, "neighbours_of_rows", slow)
    assert neighbours(data, 2) == 2
    larger.join(30)
    monkeypatch.setattr(mix_neighbours, "neighbours_of_rows", _not_again)
    assert neighbours(data, 9) == 9
    assert neighbours(data, 2) == 2


def test_threads_that_want_the_same_wait_for_the_first() -> None:
    store, computed, together = Store(), [], threading.Barrier(8)

    def compute() -> int:
        computed.append(1)
        time.sleep(0.05)
        return 7

    def ask() -> None:
        together.wait()
        assert store.get("numbers", "key", compute) == 7

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert computed == [1]
    assert store._turns == {}


def test_the_least_recently_used_is_dropped() -> None:
    store = Store(max_items=2)
    for key in ("a", "b", "a", "c"):
        store.get("letters", key, key.upper)
    assert [store.peek("letters", key) for key in "abc"] == ["A", None, "C"]


def test_a_session_keeps_its_own() -> None:
    one, other = Store(), Store()
    with using(one):
        assert kept("numbers", 1, lambda: "mine") == "mine"
        with using(other):
            assert kept("numbers", 1, lambda: "theirs") == "theirs"
        assert kept("numbers", 1, lambda: "again") == "mine"
    assert kept("numbers", 1, lambda: "nobody's") == "nobody's"


def _not_again(points: Any, k: int) -> Neighbours:
    raise AssertionError("searched again")
