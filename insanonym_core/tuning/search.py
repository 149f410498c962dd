"""The search: recipes are chosen, run and compared; the best are measured again."""

from __future__ import annotations

import math
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from insanonym_core.errors import InsanonymError, UsageError
from insanonym_core.experiment import load
from insanonym_core.kinds import Data
from insanonym_core.recipe import Recipe
from insanonym_core.results.headlines import WHAT
from insanonym_core.runtime.store import Store
from insanonym_core.sweep.workers import Workers
from insanonym_core.tuning.confirm import confirmed
from insanonym_core.tuning.measure import Draw, measure, measures_of, seed_of
from insanonym_core.tuning.result import Tuned, ceiling_of
from insanonym_core.tuning.space import AllMethods, Space
from insanonym_core.tuning.trials import Tried, distance_to_front, front_of_trials, mean_values
from insanonym_core.tuning.wish import Wish

MAX_TRIALS = 100_000
DRAWS = 3  # of a recipe that may be the best; one of the others
SAMPLE_ABOVE = 200_000  # rows; larger data is looked at in a sample first,
SAMPLE_ROWS = 50_000  # of about so many rows
_NEAR = 0.02  # so far from the front or from a bound a recipe may still be the best
_NEAR_IN_SAMPLE = 0.1
_MAX_REPEATS = 200  # choices in a row that only repeat recipes: nothing new is left


@dataclass(frozen=True)
class Search:
    """What is searched: recipes like `base` (its data, roles and headlines), for a wish.

    Without a `space` all methods of the kind. `minutes` end the search early. `seed` repeats it. `random`
    draws recipes independently of each other, for comparison. `known` are trials of an earlier search.
    """

    base: Recipe
    wish: Wish
    space: Space | None = None
    trials: int = 300
    minutes: float = math.inf
    workers: int = 1
    seed: int | None = None
    random: bool = False
    known: Sequence[Tried] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.trials <= MAX_TRIALS:
            raise UsageError(
                "The number of trials must be from 1 to {max_trials:,}, got {trials}.",
                max_trials=MAX_TRIALS,
                trials=self.trials,
            )
        if self.seed is not None and self.seed < 0:
            raise UsageError("The seed must be a whole number of 0 or more, got {seed}.", seed=self.seed)
        if not self.minutes > 0:
            raise UsageError("The minutes must be above 0, got {minutes:g}.", minutes=self.minutes)


Listener = Callable[[Tried], None]


def tune(
    search: Search,
    *,
    data: Data | None = None,
    store: Store | None = None,
    on_trial: Listener = lambda tried: None,
    on_part: Callable[[str], None] = lambda part: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Tuned:
    """Search, then measure the best again on fresh draws with every attacker.

    `on_trial` hears of each recipe that was tried, `on_part` of what is done after the search. Where
    `cancelled` says so, what was tried by then comes back, and nothing is measured again.
    """
    data = load(search.base, store) if data is None else data
    space = search.space or AllMethods(search.base, data)
    ceiling = ceiling_of(search.base, data)
    root = secrets.randbits(62) if search.seed is None else search.seed
    with Workers(data, search.workers, store) as workers:
        under_way = _UnderWay(search, data, space, root, on_trial, cancelled)
        for key, draw in workers.results(measure, under_way, ahead=0):
            under_way.take(key, draw)
        trials = under_way.tried
        if cancelled():
            return Tuned(search.base, search.wish, tuple(trials), None, ceiling, stopped=True)
        on_part("Measuring the best again")
        found = confirmed(search.base, search.wish, trials, workers, root)
    return Tuned(search.base, search.wish, tuple(trials), found, ceiling)


_Run: TypeAlias = tuple[int, tuple[Any, ...]]  # Any: the arguments of `measure`
"""A run to do: the number of its trial, and the arguments of `measure`."""


def _without_chance(draws: Sequence[Draw]) -> bool:
    """Whether two draws gave the same numbers: a third one would as well."""
    return len(draws) > 1 and draws[0].values == draws[1].values


@dataclass
class _Trial:
    """A recipe under way."""

    number: int
    recipe: Recipe
    handle: Any  # Any: optuna's trial
    draws: list[Draw] = field(default_factory=list)
    sampled: bool = False


class _UnderWay(Iterator[_Run]):
    """The runs to do next, as an iterator that has more to give when results have come."""

    def __init__(
        self,
        search: Search,
        data: Data,
        space: Space,
        root: int,
        on_trial: Listener,
        cancelled: Callable[[], bool],
    ) -> None:
        from insanonym_core.tuning.study import Study  # optuna takes half a second to import

        self._search, self._root, self._on_trial, self._cancelled = search, root, on_trial, cancelled
        self._measures = measures_of(search.base, search.wish)
        self._study = Study(space, 1 if search.wish.bounds else len(WHAT), root % 2**32, search.random)
        self._sample = len(data) > SAMPLE_ABOVE and search.base.data_kind.sample is not None
        self._again: deque[_Trial] = deque()
        self._open: dict[int, _Trial] = {}
        self._seen: set[str] = set()
        self._known: dict[str, Tried] = {}
        self._end = time.monotonic() + 60 * search.minutes
        self.tried: list[Tried] = list(search.known)
        for one in search.known:
            self._seen.add(one.recipe.hash)
            self._known[one.recipe.hash] = one
            self._study.add(one.choices, *self._told(one))
        self._asked = len(search.known)

    def __next__(self) -> _Run:
        if self._again:
            return self._run(self._again.popleft())
        late = time.monotonic() > self._end
        for _ in range(_MAX_REPEATS):
            if self._asked >= self._search.trials or late or self._cancelled():
                raise StopIteration
            trial = self._next_trial()
            if trial is not None:
                return self._run(trial)
        raise StopIteration

    def _next_trial(self) -> _Trial | None:
        """A recipe that was not tried yet; None where the choices made one that was, or that cannot be."""
        handle = self._study.ask()
        try:
            recipe = self._study.recipe(handle)
        except InsanonymError:
            self._study.tell(handle, None, self._margins({}))
            return None
        if recipe.hash in self._seen:
            same = self._known.get(recipe.hash)
            self._study.tell(handle, *(self._told(same) if same else (None, self._margins({}))))
            return None
        self._seen.add(recipe.hash)
        self._asked += 1
        trial = self._open[self._asked] = _Trial(self._asked, recipe, handle, sampled=self._sample)
        return trial

    def _run(self, trial: _Trial) -> _Run:
        seed = seed_of(self._root, "search", len(trial.draws))
        sample = SAMPLE_ROWS if trial.sampled else 0
        return trial.number, (trial.recipe, seed, self._measures.seen, (), sample)

    def take(self, number: int, draw: Draw) -> None:
        """A run is done: the recipe is run again if it may be the best, else its trial ends."""
        trial = self._open[number]
        if trial.sampled and not draw.failed and self._promising(draw.values, _NEAR_IN_SAMPLE, sampled=True):
            trial.sampled = False
            self._again.append(trial)
            return
        trial.draws.append(draw)
        if (
            not draw.failed
            and not trial.sampled
            and len(trial.draws) < DRAWS
            and not _without_chance(trial.draws)
            and self._promising(mean_values([one.values for one in trial.draws]), _NEAR)
        ):
            self._again.append(trial)
            return
        self._finish(trial)

    def _promising(self, values: Mapping[str, float], near: float, sampled: bool = False) -> bool:
        wish = self._search.wish
        if wish.worst_margin(values) < -near:
            return False
        best = max((wish.objective(one.values) for one in self.tried if wish.holds(one.values)), default=-1.0)
        if wish.objective(values) >= best - near:
            return True
        if wish.bounds or not min(values["utility"], values["privacy"]) > near:
            return False  # without bounds nobody asks how good exactly a release is that protects nobody
        return distance_to_front(values, front_of_trials(self.tried)) <= near / 2

    def _finish(self, trial: _Trial) -> None:
        del self._open[trial.number]
        failed = next((draw.failed for draw in trial.draws if draw.failed), "")
        values = {} if failed else mean_values([draw.values for draw in trial.draws])
        tried = Tried(
            trial.number,
            trial.recipe,
            values,
            len(trial.draws),
            trial.draws[-1].decided_by,
            failed,
            trial.sampled,
            self._study.choices(trial.handle),
        )
        self._study.tell(trial.handle, *self._told(tried))
        self.tried.append(tried)
        self._known[tried.recipe.hash] = tried
        self._on_trial(tried)

    def _told(self, one: Tried) -> tuple[tuple[float, ...] | None, dict[str, float]]:
        """What the study is told: with bounds the number to maximise, else utility and privacy."""
        if not math.isfinite(one.utility + one.privacy):
            return None, self._margins({})
        wish = self._search.wish
        aims = (wish.objective(one.values),) if wish.bounds else (one.utility, one.privacy)
        return aims, self._margins(one.values)

    def _margins(self, values: Mapping[str, float]) -> dict[str, float]:
        """The margin of each bound; −1 where the recipe has no number for it."""
        bounds = self._search.wish.bounds
        return {f"{place} {one.key}": max(-1.0, one.margin(values)) for place, one in enumerate(bounds)}
