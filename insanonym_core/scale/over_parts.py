"""A run over parts: each part is counted by itself, anywhere, and the counts are added."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.errors import DataError, InsanonymError, Problem, UsageError
from insanonym_core.jobs import Job
from insanonym_core.kinds import Made
from insanonym_core.mobility.competition import Footprint, footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.sums import Sums
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Entry, Measure, metrics, values_for
from insanonym_core.scale.crowds import Described, JoinedCrowd, Question, asked_by, describe
from insanonym_core.scale.parts import Part
from insanonym_core.scale.pools import in_worker, this_process
from insanonym_core.scores import Score

KIND = "mobility"


@dataclass(frozen=True)
class _Task:
    """What to count in each part: it travels to other processes, so scores go by name."""

    rules: str
    scores: tuple[str, ...]
    settings: Mapping[str, Any]
    questions: tuple[Question, ...]
    attacked: bool

    def entries(self) -> list[Entry]:
        """The scores to count."""
        return [metrics.get(name, data=KIND, rules=self.rules) for name in self.scores]


@dataclass(frozen=True, eq=False)
class _Found:
    """What one part gives back: some kilobytes, and for attacks on times eight bytes a row."""

    rows: int
    deleted: int
    valid: bool
    problems: Sequence[Problem]
    sums: dict[str, Sums]
    answer: tuple[Ints, tuple[str, ...]]
    known: Described | None
    seen: Described | None


@dataclass(frozen=True, eq=False)
class Counted:
    """All parts, counted: what stands for the release in a report."""

    found: Sequence[_Found]
    task: _Task
    valid: bool


class OverParts:
    """A strategy of `run`: count each part anywhere, and add the counts. Parts must hold whole individuals.

    `executor` is any of concurrent.futures' shape: None counts here, one part after the other. `on_rows`
    hears how many rows were counted when a part is done, `on_problem` what is to be said about a part
    although it can be scored.
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

    def make(self, recipe: Recipe, entries: Sequence[Entry], job: Job) -> Made:
        """Count every part."""
        scores = [entry for entry in entries if entry.sums is not None]
        attacks = [entry for entry in entries if not entry.family]
        questions = dict.fromkeys(
            question
            for entry in attacks
            for question in asked_by(entry.item, dict(values_for(entry, recipe.settings)))
        )
        names = tuple(entry.name for entry in scores)
        task = _Task(recipe.rules, names, recipe.settings, tuple(questions), bool(attacks))
        found = []
        for part in _mapped(self._executor, _count, [(part, task) for part in self._parts]):
            job.progress("Counting")
            self._on_rows(part.rows)
            for problem in part.problems:
                self._on_problem(problem)
            found.append(part)
        if not found:
            raise DataError("There is nothing to score: give at least one part.")
        rows, deleted = sum(part.rows for part in found), sum(part.deleted for part in found)
        return Made(Counted(found, task, all(part.valid for part in found)), rows, rows - deleted)

    def measure(self, recipe: Recipe, made: Made, entries: Sequence[Entry], job: Job) -> list[Measure]:
        """Scores from added sums; attacks on what all parts tell together."""
        counted: Counted = made.release
        scores = [entry for entry in entries if entry.family]
        if scores:
            return [Measure(entry, _finished(entry, counted, recipe)) for entry in scores]
        return self._attack(recipe, counted, entries)

    def _attack(self, recipe: Recipe, counted: Counted, entries: Sequence[Entry]) -> list[Measure]:
        known = JoinedCrowd([part.known for part in counted.found if part.known is not None])
        seen = JoinedCrowd([part.seen for part in counted.found if part.seen is not None])
        if known.shared():
            raise UsageError(
                "An individual stands in two parts: make the parts anew with 'insanonym partition'."
            )
        seen = _with_shared_stays(seen, self._parts, counted.task, self._executor)
        secret = _footprint(known, seen, counted.found)
        measures = []
        for entry in entries:
            guesses = entry.item(known, seen, **values_for(entry, recipe.settings))
            measures.append(Measure(entry, score_guesses(secret, guesses)))
        return measures


def _mapped(
    executor: Executor | None, work: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]
) -> Iterator[Any]:
    """The results in order. A worker that dies ends the run: no part is left out of a number."""
    if executor is None:
        for task in tasks:
            yield work(*task)
        return
    own = [this_process()] * len(tasks), [work] * len(tasks)
    try:
        # As one order, not one by one: a cluster's scheduler has less to do, and what is left is cancelled.
        yield from executor.map(in_worker, *own, *zip(*tasks, strict=True))
    except InsanonymError:
        raise
    except (BrokenExecutor, CancelledError, OSError) as error:
        raise _lost(error) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] in ("distributed", "dask"):  # KilledWorker and its like
            raise _lost(error) from None
        raise


def _lost(error: BaseException) -> UsageError:
    return UsageError(
        f"A worker ended before its part was counted ({type(error).__name__}; out of memory, perhaps): "
        "nothing is reported. Use fewer workers or smaller parts, and start again."
    )


def _count(part: Part, task: _Task) -> _Found:
    pair, problems = part.load()
    sums = {}
    for entry in task.entries():
        values = {name: one.default for name, one in entry.parameters.items()}
        assert entry.sums is not None  # noqa: S101  checked before anything was counted
        counted = entry.sums(pair, **values | dict(values_for(entry, task.settings)))
        sums[entry.name] = Sums(counted.values)  # evidence about single rows would keep the part
    answer: tuple[Ints, tuple[str, ...]] = (np.zeros(0, dtype=np.int64), ())
    known = seen = None
    if task.attacked:
        secret = footprint(pair)
        answer = secret.answer, secret.tokens
        known = describe(Crowd.known(pair.original), task.questions)
        seen = describe(Crowd.seen(pair.release), task.questions)
    return _Found(pair.rows, pair.deleted, pair.valid, problems, sums, answer, known, seen)


def _finished(entry: Entry, counted: Counted, recipe: Recipe) -> Score:
    if entry.finish is None:
        return Score.undefined("this score needs the file in one piece")
    sums = reduce(add, (part.sums[entry.name] for part in counted.found))
    return entry.finish(sums, **values_for(entry, recipe.settings))


def _footprint(known: JoinedCrowd, seen: JoinedCrowd, found: Sequence[_Found]) -> Footprint:
    token = {name: place for place, name in enumerate(seen.names)}
    answer = np.full(len(known), DELETED, dtype=np.int64)
    for unit, part in zip(known.unit_of, found, strict=True):
        codes, texts = part.answer
        # A text that no kept row has any more is never an answer: it may be missing here.
        own = np.array([*(token.get(text, DELETED) for text in texts), DELETED], dtype=np.int64)
        answer[unit] = own[codes]
    weeks, number = np.unique(seen.week, return_counts=True)
    return Footprint(known.units, answer, seen.names, dict(zip(weeks.tolist(), number.tolist(), strict=True)))


def _with_shared_stays(
    seen: JoinedCrowd, parts: Sequence[Part], task: _Task, executor: Executor | None
) -> JoinedCrowd:
    """Stays of a pseudonym that people of several parts share cannot be added: its rows are asked for."""
    wanted = [question for question in task.questions if question[0] == "longest_stays"]
    shared = seen.shared()
    if not shared or not wanted:
        return seen
    track = _together(list(_mapped(executor, _rows_of, [(part, shared) for part in parts])))
    return seen.with_together(describe(Crowd.seen(track), wanted))


def _rows_of(part: Part, tokens: tuple[str, ...]) -> Track:
    """The kept rows under these pseudonyms."""
    release = part.load()[0].release.kept
    wanted = set(tokens)
    codes = [code for code, text in enumerate(release.tokens) if text in wanted]
    return release.take(np.flatnonzero(np.isin(release.token, codes)))


def _together(tracks: Sequence[Track]) -> Track:
    """Rows of several tracks as one; whose they are is not told."""
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
