"""Scoring over parts: each part is counted on its own, in any process, and the counts are added."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TypeVar

import numpy as np

from insanonym_core.errors import DataError, InsanonymError, Problem, UsageError
from insanonym_core.kinds import Made
from insanonym_core.mobility.competition import Footprint, footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.sums import Sums
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.numeric.arrays import Ints
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Entry, Measure, metrics, values_for
from insanonym_core.results.scores import Score
from insanonym_core.runtime.jobs import Job
from insanonym_core.scale.crowds import JoinedCrowd, PartDescription, Query, describe, queries_of
from insanonym_core.scale.parts import Part
from insanonym_core.scale.pools import in_worker, process_name

KIND = "mobility"
Value = TypeVar("Value")


@dataclass(frozen=True)
class _Task:
    """What to count in each part. It is sent to other processes, so scores are given by name."""

    rules: str
    scores: tuple[str, ...]
    settings: Mapping[str, object]
    queries: tuple[Query, ...]
    needs_crowds: bool

    def entries(self) -> list[Entry]:
        """The scores to count."""
        return [metrics.get(name, data=KIND, rules=self.rules) for name in self.scores]


@dataclass(frozen=True, eq=False)
class _PartResult:
    """The counts of one part: some kilobytes, plus eight bytes per row for attacks on times."""

    rows: int
    deleted: int
    valid: bool
    problems: Sequence[Problem]
    sums: dict[str, Sums]
    answer: tuple[Ints, tuple[str, ...]]
    known: PartDescription | None
    seen: PartDescription | None


@dataclass(frozen=True, eq=False)
class CountedParts:
    """The counts of all parts: takes the place of the release in a report."""

    results: Sequence[_PartResult]
    task: _Task
    valid: bool


class OverParts:
    """A strategy of `run`: count each part, and add the counts. Each individual must be in one part only.

    `executor` is any concurrent.futures executor; None counts the parts in this process, one after the
    other. `on_rows` is called with the number of rows of each finished part, `on_problem` with each problem
    that does not prevent scoring.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        executor: Executor | None = None,
        *,
        on_rows: Callable[[int], None] = lambda _: None,
        on_problem: Callable[[Problem], None] = lambda _: None,
    ) -> None:
        self._parts, self._executor = parts, executor
        self._on_rows, self._on_problem = on_rows, on_problem
        self._crowds: tuple[JoinedCrowd, JoinedCrowd] | None = None

    def make(self, recipe: Recipe, entries: Sequence[Entry], job: Job) -> Made:
        """Count all parts."""
        self._crowds = None
        scores = [entry for entry in entries if entry.sums is not None]
        of_crowds = [(entry, item) for entry in entries if (item := _item_of_crowds(entry)) is not None]
        queries = dict.fromkeys(
            query
            for entry, item in of_crowds
            for query in queries_of(item, dict(values_for(entry, recipe.settings)))
        )
        names = tuple(entry.name for entry in scores)
        task = _Task(recipe.rules, names, recipe.settings, tuple(queries), bool(of_crowds))
        results = []
        for part in _map_in_order(self._executor, _count, [(part, task) for part in self._parts]):
            job.progress("Counting")
            self._on_rows(part.rows)
            for problem in part.problems:
                self._on_problem(problem)
            results.append(part)
        if not results:
            raise DataError("There is nothing to score: give at least one part.")
        rows, deleted = sum(part.rows for part in results), sum(part.deleted for part in results)
        return Made(CountedParts(results, task, all(part.valid for part in results)), rows, rows - deleted)

    def measure(self, recipe: Recipe, made: Made, entries: Sequence[Entry], job: Job) -> list[Measure]:
        """Compute scores from the added sums; run attacks on the joined crowds."""
        counted: CountedParts = made.release
        return [
            Measure(entry, self._finish_score(entry, counted, recipe))
            if entry.family
            else Measure(entry, self._score_attack(entry, counted, recipe))
            for entry in entries
        ]

    def _score_attack(self, entry: Entry, counted: CountedParts, recipe: Recipe) -> Score:
        known, seen = self._join_crowds(counted)
        secret = known.derive("footprint", lambda: _footprint(known, seen, counted.results))
        return score_guesses(secret, entry.item(known, seen, **values_for(entry, recipe.settings)))

    def _finish_score(self, entry: Entry, counted: CountedParts, recipe: Recipe) -> Score:
        values = values_for(entry, recipe.settings)
        if entry.of_crowds is not None:
            return entry.of_crowds(*self._join_crowds(counted), **values)
        if entry.finish is None:
            return Score.undefined("this score needs the file in one piece")
        return entry.finish(reduce(add, (part.sums[entry.name] for part in counted.results)), **values)

    def _join_crowds(self, counted: CountedParts) -> tuple[JoinedCrowd, JoinedCrowd]:
        """The individuals and the tokens of all parts, joined once."""
        if self._crowds is None:
            known = JoinedCrowd([part.known for part in counted.results if part.known is not None])
            seen = JoinedCrowd([part.seen for part in counted.results if part.seen is not None])
            if known.shared_names():
                raise UsageError(
                    "An individual is in two parts: make the parts again with 'insanonym partition'."
                )
            self._crowds = known, _with_shared_stays(seen, self._parts, counted.task, self._executor)
        return self._crowds


def _item_of_crowds(entry: Entry) -> Callable[..., object] | None:
    """What is computed from the crowds of all parts: attacks, and scores that say so."""
    return entry.of_crowds if entry.family else entry.item


def _map_in_order(
    executor: Executor | None, work: Callable[..., Value], tasks: Sequence[tuple[object, ...]]
) -> Iterator[Value]:
    """Yield the results in the order of the tasks. A worker that dies aborts the run: no part is left out."""
    if executor is None:
        for task in tasks:
            yield work(*task)
        return
    fixed = [process_name()] * len(tasks), [work] * len(tasks)
    try:
        # One call of map, not many of submit: less work for the scheduler, and an error cancels the rest.
        yield from executor.map(in_worker, *fixed, *zip(*tasks, strict=True))
    except InsanonymError:
        raise
    except (BrokenExecutor, CancelledError, OSError) as error:
        raise _lost_worker_error(error) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] in ("distributed", "dask"):  # such as KilledWorker
            raise _lost_worker_error(error) from None
        raise


def _lost_worker_error(error: BaseException) -> UsageError:
    return UsageError(
        "A worker ended before its part was counted ({reason}; out of memory, perhaps), so "
        "nothing is reported: use fewer workers or smaller parts, and start again.",
        reason=type(error).__name__,
    )


def _count(part: Part, task: _Task) -> _PartResult:
    pair, problems = part.load()
    sums = {}
    for entry in task.entries():
        values = {name: parameter.default for name, parameter in entry.parameters.items()}
        assert entry.sums is not None  # noqa: S101  checked before anything was counted
        counted = entry.sums(pair, **values | dict(values_for(entry, task.settings)))
        # Without row-level evidence, which would keep the part in memory.
        sums[entry.name] = Sums(counted.values)
    answer: tuple[Ints, tuple[str, ...]] = (np.zeros(0, dtype=np.int64), ())
    known = seen = None
    if task.needs_crowds:
        secret = footprint(pair)
        answer = secret.answer, secret.tokens
        known = describe(Crowd.known(pair.original), task.queries)
        seen = describe(Crowd.seen(pair.release), task.queries)
    return _PartResult(pair.rows, pair.deleted, pair.valid, problems, sums, answer, known, seen)


def _footprint(known: JoinedCrowd, seen: JoinedCrowd, results: Sequence[_PartResult]) -> Footprint:
    token = {name: place for place, name in enumerate(seen.names)}
    answer = np.full(len(known), DELETED, dtype=np.int64)
    for unit, part in zip(known.unit_of, results, strict=True):
        codes, texts = part.answer
        # A token without kept rows is never an answer, and may be missing from `seen`.
        joint_code = np.array([*(token.get(text, DELETED) for text in texts), DELETED], dtype=np.int64)
        answer[unit] = joint_code[codes]
    weeks, number = np.unique(seen.week, return_counts=True)
    return Footprint(known.units, answer, seen.names, dict(zip(weeks.tolist(), number.tolist(), strict=True)))


def _with_shared_stays(
    seen: JoinedCrowd, parts: Sequence[Part], task: _Task, executor: Executor | None
) -> JoinedCrowd:
    """Describe tokens that occur in several parts from their rows, because longest stays are not additive."""
    wanted = [query for query in task.queries if query[0] == "longest_stays"]
    shared = seen.shared_names()
    if not shared or not wanted:
        return seen
    track = _concatenate_tracks(list(_map_in_order(executor, _rows_of, [(part, shared) for part in parts])))
    return seen.with_shared_units(describe(Crowd.seen(track), wanted))


def _rows_of(part: Part, tokens: tuple[str, ...]) -> Track:
    """The kept rows of a part with these tokens."""
    release = part.load()[0].release.kept
    wanted = set(tokens)
    codes = [code for code, text in enumerate(release.tokens) if text in wanted]
    return release.take(np.flatnonzero(np.isin(release.token, codes)))


def _concatenate_tracks(tracks: Sequence[Track]) -> Track:
    """Concatenate tracks; the individuals are replaced by the tokens."""
    texts = tuple(sorted({text for track in tracks for text in track.tokens}))
    code = {text: place for place, text in enumerate(texts)}
    resolution = max(track.resolution for track in tracks)
    token = np.concatenate(
        [np.array([code[text] for text in track.tokens], dtype=np.int32)[track.token] for track in tracks]
    )
    return Track(
        token,
        texts,
        token,
        texts,
        np.concatenate([track.time * (resolution // track.resolution) for track in tracks]),
        np.concatenate([track.latitude for track in tracks]),
        np.concatenate([track.longitude for track in tracks]),
        resolution,
    )
