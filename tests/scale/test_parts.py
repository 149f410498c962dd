"""A pair in parts, in a pool or on a cluster: the same numbers as in one piece."""

from __future__ import annotations

import math
import os
import signal
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.errors import UsageError
from insanonym_core.experiment import Report, make_release, run, score_release
from insanonym_core.experiment.run import pair_recipe
from insanonym_core.kinds import kind_named
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import Track
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import attacks, metrics
from insanonym_core.results.threats import by_group
from insanonym_core.scale import OverParts, cluster, parts_of_pair, pool
from insanonym_core.scale.pools import in_worker, process_name

STEPS = (
    Step("delete_at_random", {"share": 0.2}),
    Step("jitter_time", {"hours": 5}),
    Step("planar_laplace", {"radius": 400}),
    Step("pseudonymise"),
)
IN_ONE_PIECE = ("privacy.known_points", "privacy.week_classes")


@dataclass(frozen=True)
class Whole:
    """A part that travels with its pair."""

    pair: Pair

    def load(self):
        return self.pair, ()


@pytest.fixture(scope="module")
def pair() -> Pair:
    city = make_city(40, 3).track
    release = make_release(Recipe(STEPS, seed=3), city).release.release
    # People 3 and 27, who come to stand in different parts, share a pseudonym in their weeks.
    token = release.token.copy()
    theirs = np.flatnonzero((release.individual == 27) & release.is_kept)
    ours = {int(week): int(token[row]) for row, week in _rows_of(release, 3)}
    for row in theirs:
        token[row] = ours.get(int(release.week[row]), token[row])
    return Pair.from_tracks(city, release.changed(token=token))


def _rows_of(track: Track, who: int):
    rows = np.flatnonzero((track.individual == who) & track.is_kept)
    return [(int(row), int(track.week[row])) for row in rows]


def _numbers(report: Report) -> dict[str, object]:
    found = {
        one.key: (one.score.value, one.score.interval or (), dict(one.score.details))
        for one in report.measures
        if one.key not in IN_ONE_PIECE
    }
    found |= {"privacy": report.privacy, "utility": report.utility, "defence": report.defence}
    return found | {"rows": report.rows, "kept": report.kept, "valid": report.release.valid}


def over_parts(parts, executor=None, *, on_rows=lambda _: None, **how) -> Report:
    return run(pair_recipe("mobility", **how), strategy=OverParts(parts, executor, on_rows=on_rows))


def _flat(values: object) -> list[float]:
    if isinstance(values, dict):
        return [number for value in values.values() for number in _flat(value)]
    if isinstance(values, tuple | list):
        return [number for value in values for number in _flat(value)]
    return [float(values)]


def assert_same(ours: Report, theirs: Report) -> None:
    a, b = _numbers(ours), _numbers(theirs)
    assert a.keys() == b.keys()
    for name in a:
        for one, other in zip(_flat(a[name]), _flat(b[name]), strict=True):
            assert math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12), name


@pytest.mark.parametrize("rules", ["v1", "v2"])
@pytest.mark.parametrize("number", [1, 2, 7, 40])
def test_parts_in_turn(pair, rules, number):
    with parts_of_pair(pair, number) as parts:
        assert len(parts) == number or 20 < len(parts) < number == 40  # no more than fill up evenly
        assert_same(over_parts(parts, rules=rules), score_release(pair, rules=rules))


def test_rows_in_any_order(pair):
    order = np.random.default_rng(1).permutation(pair.rows)
    shuffled = Pair.from_tracks(pair.original.take(order), pair.release.take(order))
    with parts_of_pair(shuffled, 3) as parts:
        assert_same(over_parts(parts), score_release(shuffled))


def test_other_settings_travel(pair):
    settings = {"decimals": 3, "meet.share": 0.3, "date.days": 5}
    with parts_of_pair(pair, 3) as parts:
        assert_same(over_parts(parts, settings=settings), score_release(pair, settings=settings))


def test_a_pool_of_processes(pair):
    told: list[int] = []
    with parts_of_pair(pair, 5) as parts, pool(2) as workers:
        assert_same(over_parts(parts, workers, on_rows=told.append), score_release(pair))
    assert sum(told) == pair.rows


def test_any_executor_will_do(pair):
    threads = pa.cpu_count()
    with parts_of_pair(pair, 4) as parts, ThreadPoolExecutor(2) as workers:
        assert_same(over_parts(parts, workers), score_release(pair))
    assert pa.cpu_count() == threads  # what suits a worker is not done to the caller's own process


def test_a_worker_reads_in_one_thread():
    with pool(1) as worker:
        assert worker.submit(in_worker, process_name(), pa.cpu_count).result() == 1
        assert worker.submit(pa.cpu_count).result() == pa.cpu_count()  # it is somebody else's, perhaps


@pytest.fixture(scope="module")
def workers():
    """A real scheduler and two worker processes on this machine."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as found:
        yield found


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.slow
def test_a_dask_cluster(pair, workers):
    with parts_of_pair(pair, 3) as parts:
        wholes = [Whole(part.load()[0]) for part in parts]
    with cluster(workers.scheduler_address) as executor:
        assert_same(over_parts(wholes, executor), score_release(pair))


@pytest.mark.slow
def test_no_scheduler_is_one_sentence():
    with pytest.raises(UsageError, match="No dask scheduler answers"), cluster("tcp://127.0.0.1:9"):
        pass


@dataclass(frozen=True)
class Deadly:
    """Kills the process that loads it."""

    pair: Pair

    def load(self):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_ends_the_run_with_a_sentence(pair):
    message = "A worker ended before its part was counted"
    with parts_of_pair(pair, 3) as parts, pool(2) as workers, pytest.raises(UsageError, match=message):
        over_parts([*parts, Deadly(pair)], workers)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.slow
def test_a_worker_of_a_cluster_that_dies_ends_the_run_with_a_sentence(pair, workers):
    message = "A worker ended before its part was counted"
    with cluster(workers.scheduler_address) as executor, pytest.raises(UsageError, match=message):
        over_parts([Whole(pair), Deadly(pair)], executor)


def test_what_is_wrong_inside_a_part_is_told_as_it_is(pair):
    class Wrong:
        def load(self):
            raise UsageError("this part cannot be read")

    with pytest.raises(UsageError, match="this part cannot be read"):
        over_parts([Wrong()])


def test_an_individual_in_two_parts_is_refused(pair):
    with pytest.raises(UsageError, match="is in two parts"):
        over_parts([Whole(pair), Whole(pair)])


def test_every_score_and_attack_of_ours_can_be_done_in_parts():
    for rules, six in kind_named("mobility").rules.items():
        assert all(metrics.get(name, data="mobility", rules=rules).sums for name in six)
    assert len(list(attacks.all(data="mobility"))) >= 8


def test_what_needs_the_file_in_one_piece_says_so(pair):
    with parts_of_pair(pair, 3) as parts:
        report = over_parts(parts)
    undefined = {one.key: one.score.undefined_because for one in report.measures if not one.score.defined}
    assert undefined == dict.fromkeys(IN_ONE_PIECE, "this score needs the file in one piece")
    groups = by_group(report.measures)
    assert groups["singling out"] == "not measured"
    assert groups["inference"].measure.key == "privacy.week_in_the_open"


def test_a_measure_of_crowds_needs_no_attacks(pair):
    recipe = pair_recipe("mobility")
    with parts_of_pair(pair, 3) as parts:
        report = run(recipe, strategy=OverParts(parts), only=("privacy.week_in_the_open",))
    whole = score_release(pair, attacks=()).scores["privacy.week_in_the_open"]
    found = report.scores["privacy.week_in_the_open"]
    assert (found.value, found.interval) == (whole.value, whole.interval)
    assert 0 < found.value < 1


def test_workers_must_be_at_least_one():
    with pytest.raises(UsageError, match="at least 1"):
        pool(0)


def test_the_executor_is_the_standard_one():
    with pool(1) as found:
        assert isinstance(found, Executor)
