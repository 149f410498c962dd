"""From parts to one report: each part is counted by itself, anywhere, and the counts are added."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.errors import DataError, InsanonymError, Problem, UsageError
from insanonym_core.mobility.competition import Footprint, footprint, score_guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.evaluate import Report, Settings
from insanonym_core.mobility.sums import Sums
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.registry import Entry, values_for
from insanonym_core.scale.crowds import Described, JoinedCrowd, Question, asked_by, describe
from insanonym_core.scale.parts import Part
from insanonym_core.scale.pools import in_worker, this_process
from insanonym_core.scores import Score

Counted = Callable[[int], None]
"""Hears how many rows have been counted when a part is done."""


@dataclass(frozen=True)
class _Task:
    """What to count in each part."""

    settings: Settings
    questions: tuple[Question, ...]


@dataclass(frozen=True, eq=False)
class _Found:
    """What one part gives back: some kilobytes, however many rows it has."""

    rows: int
    deleted: int
    valid: bool
    problems: Sequence[Problem]
    sums: dict[str, Sums]
    answer: tuple[Ints, tuple[str, ...]]
    known: Described | None
    seen: Described | None


def evaluate_parts(
    parts: Sequence[Part],
    settings: Settings | None = None,
    executor: Executor | None = None,
    *,
    counted: Counted = lambda _: None,
    warned: Callable[[Problem], None] = lambda _: None,
) -> Report:
    """What `evaluate` says about the whole pair, from its parts; each must hold whole individuals.

    `executor` is any of concurrent.futures' shape: None counts here, one part after the other. `warned` hears
    what is to be said about a part although it can be scored.
    """
    settings = settings or Settings()
    for entry in settings.metric_entries():
        if entry.sums is None:
            raise UsageError(f"The score {entry.name} needs the file in one piece: it has no sums.")
    attacks = settings.attack_entries()
    questions = dict.fromkeys(
        question
        for entry in attacks
        for question in asked_by(entry.item, dict(values_for(entry, settings.values)))
    )
    task = _Task(settings, tuple(questions))
    found = []
    for part in _mapped(executor, _count, [(part, task) for part in parts]):
        counted(part.rows)
        for problem in part.problems:
            warned(problem)
        found.append(part)
    if not found:
        raise DataError("There is nothing to score: give at least one part.")
    sums = {name: reduce(add, (part.sums[name] for part in found)) for name in found[0].sums}
    utility = {
        entry.name: _finished(entry, sums[entry.name], settings) for entry in settings.metric_entries()
    }
    attacked = _attack(parts, found, settings, task, executor) if attacks else {}
    return Report(
        settings,
        sum(part.rows for part in found),
        sum(part.deleted for part in found),
        utility,
        attacked,
        all(part.valid for part in found),
    )


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
    settings = task.settings
    sums = {}
    for entry in settings.metric_entries():
        values = {name: one.default for name, one in entry.parameters.items()}
        assert entry.sums is not None  # noqa: S101  checked before anything was counted
        counted = entry.sums(pair, **values | dict(values_for(entry, settings.values)))
        sums[entry.name] = Sums(counted.values)  # evidence about single rows would keep the part
    answer: tuple[Ints, tuple[str, ...]] = (np.zeros(0, dtype=np.int64), ())
    known = seen = None
    if settings.attack_entries():
        secret = footprint(pair)
        answer = secret.answer, secret.tokens
        known = describe(Crowd.known(pair.original), task.questions)
        seen = describe(Crowd.seen(pair.release), task.questions)
    return _Found(pair.rows, pair.deleted, pair.valid, problems, sums, answer, known, seen)


def _finished(entry: Entry, sums: Sums, settings: Settings) -> Score:
    assert entry.finish is not None  # noqa: S101  it has sums
    return entry.finish(sums, **values_for(entry, settings.values))


def _attack(
    parts: Sequence[Part], found: Sequence[_Found], settings: Settings, task: _Task, executor: Executor | None
) -> dict[str, Score]:
    known = JoinedCrowd([part.known for part in found if part.known is not None])
    seen = JoinedCrowd([part.seen for part in found if part.seen is not None])
    if known.shared():
        raise UsageError("An individual stands in two parts: make the parts anew with 'insanonym partition'.")
    seen = _with_shared_stays(seen, parts, task, executor)
    secret = _footprint(known, seen, found)
    scores = {}
    for entry in settings.attack_entries():
        guesses = entry.item(known, seen, **values_for(entry, settings.values))
        scores[entry.name] = score_guesses(secret, guesses)
    return scores


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
