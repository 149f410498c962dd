"""Choosing the next recipe: the only module that imports optuna."""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import Trial, TrialState

from insanonym_core.recipe import Recipe
from insanonym_core.tuning.space import Space
from insanonym_core.tuning.values import Option

_RANDOM_TRIALS = 10
_NEAR = 0.6  # so many recipes are like one of the best, with few choices made anew; others are optuna's,
_ANYWHERE = 0.1  # so many are drawn at random: those that look best may fall when they are measured again
_KEPT_BEST = 10  # where bounds are given: so many of those that keep them, or nearly do
_NUMBERS = 0.6  # so many of these keep all choices and only move numbers
_ANEW = 0.15  # the chance of each choice to be made anew, besides one that always is
_WIDTH = 0.5  # of a range: the longest usual way to a value near another
_SHORTER = 50.0  # the shortest is so many times shorter
_TOLD = (TrialState.COMPLETE,)
logging.getLogger("optuna").setLevel(logging.ERROR)


class Study:
    """Asks optuna for recipes of a space and tells it how good they are: `aims` numbers to maximise.

    With `random` each recipe is drawn independently of all others: what a search is compared with. Otherwise
    optuna's estimator (TPE) chooses, and in between come recipes like one of the best: the estimator looks at
    one choice after the other, and does not see which of them belong together.
    """

    def __init__(self, space: Space, aims: int, seed: int, random: bool = False) -> None:
        self._space, self._nothing = space, [0.0] * aims
        samplers = optuna.samplers
        self._anything = samplers.RandomSampler(seed=seed)
        self._estimator = samplers.TPESampler(seed=seed, n_startup_trials=_RANDOM_TRIALS)
        self._study = optuna.create_study(sampler=self._anything, directions=["maximize"] * aims)
        self._generator = None if random else np.random.default_rng(seed)
        self._best: list[_Good] = []
        if not random:
            for start in space.starts():
                self._study.enqueue_trial(start)

    def ask(self) -> Trial:
        """The next trial."""
        generator = self._generator
        told = len(self._study.get_trials(deepcopy=False, states=_TOLD))
        if generator is not None and told >= _RANDOM_TRIALS:
            way = generator.random()
            self._study.sampler = self._anything if way < _ANYWHERE else self._estimator
            if self._best and way >= 1 - _NEAR:
                self._study.enqueue_trial(_near(self._best[self._worth_a_look(generator)], generator))
        return self._study.ask()

    def _worth_a_look(self, generator: np.random.Generator) -> int:
        """One of the best recipes: where there are two aims, good in both, and beside a gap of the front."""
        if len(self._nothing) > 1:
            front = np.array([one.numbers[:2] for one in self._best]).clip(0)
            gaps = np.abs(np.diff(front, axis=0)).prod(axis=1)
            worth = front.prod(axis=1) * (np.append(gaps, 0) + np.append(0, gaps))
            if worth.sum() > 0:
                return int(generator.choice(len(front), p=worth / worth.sum()))
        return int(generator.integers(len(self._best)))

    def recipe(self, trial: Trial) -> Recipe:
        """The recipe of its choices."""
        with warnings.catch_warnings():
            # A start that names a choice outside the range of this data is left to the sampler.
            warnings.simplefilter("ignore", UserWarning)
            return self._space.recipe(_Asked(trial))

    def choices(self, trial: Trial) -> dict[str, Any]:  # Any: see Sampler
        """The choices that were made for a trial, by name."""
        return dict(trial.params)

    def tell(self, trial: Trial, values: Sequence[float] | None, margins: Mapping[str, float]) -> None:
        """The numbers of a recipe, None where it has none, and the margin of each bound by its name."""
        for name, margin in margins.items():
            trial.set_constraint(name, -margin)
        self._study.tell(trial, list(values) if values else self._nothing)
        self._compare(trial.params, trial.distributions, values, margins)

    def add(
        self,
        choices: Mapping[str, Any],  # Any: see Sampler
        values: Sequence[float] | None,
        margins: Mapping[str, float],
    ) -> None:
        """A recipe that was tried earlier, by its choices."""
        known = _Known(choices)
        self._space.recipe(known)
        self._study.add_trial(
            optuna.trial.create_trial(
                params={name: choices[name] for name in known.distributions},
                distributions=known.distributions,
                values=list(values) if values else self._nothing,
                constraints={name: -margin for name, margin in margins.items()},
            )
        )
        self._compare(choices, known.distributions, values, margins)

    def _compare(
        self,
        choices: Mapping[str, Any],  # Any: see Sampler
        distributions: Mapping[str, BaseDistribution],
        values: Sequence[float] | None,
        margins: Mapping[str, float],
    ) -> None:
        """Keep a recipe if no other is better in everything: its aims, and how far it misses the bounds."""
        if not values:
            return
        numbers = (*values, min(0.0, *margins.values())) if margins else tuple(values)
        if any(one.beats(numbers) for one in self._best):
            return
        new = _Good(dict(choices), dict(distributions), numbers)
        rest = [one for one in self._best if not new.beats(one.numbers)]
        self._best = sorted([new, *rest], key=lambda one: -one.numbers[-1])
        if margins:
            del self._best[_KEPT_BEST:]


@dataclass(frozen=True)
class _Good:
    """One of the best recipes: its choices, what they were made from, and the numbers to maximise."""

    choices: Mapping[str, Any]  # Any: see Sampler
    distributions: Mapping[str, BaseDistribution]
    numbers: tuple[float, ...]

    def beats(self, numbers: tuple[float, ...]) -> bool:
        """Whether it is at least as good in everything."""
        return all(mine >= other for mine, other in zip(self.numbers, numbers, strict=True))


def _near(one: _Good, generator: np.random.Generator) -> dict[str, Any]:  # Any: see Sampler
    """Its choices but for a few: numbers move a way of any length, all others are left to the sampler."""
    names = [name for name in one.choices if not one.distributions[name].single()]
    if not names:
        return dict(one.choices)
    ranges = {
        name: allowed
        for name in names
        if isinstance(allowed := one.distributions[name], IntDistribution | FloatDistribution)
    }
    if ranges and generator.random() < _NUMBERS:
        names = list(ranges)
    anew = {names[generator.integers(len(names))]}
    anew |= {name for name in names if generator.random() < _ANEW}
    chosen = {name: value for name, value in one.choices.items() if name not in anew}
    moved = {
        name: _moved(float(one.choices[name]), allowed, generator)
        for name, allowed in ranges.items()
        if name in anew
    }
    return chosen | moved


def _moved(
    value: float, allowed: IntDistribution | FloatDistribution, generator: np.random.Generator
) -> float:
    """A number near another, by factors where the range is logarithmic."""
    low, high = float(allowed.low), float(allowed.high)
    if allowed.log:
        low, high, value = math.log(low), math.log(high), math.log(value)
    width = (high - low) * _WIDTH * _SHORTER ** -generator.random()
    moved = min(high, max(low, value + width * generator.standard_normal()))
    if allowed.log:
        moved = math.exp(moved)
    moved = min(float(allowed.high), max(float(allowed.low), moved))
    return round(moved) if isinstance(allowed, IntDistribution) else moved


class _Asked:
    """Choices by optuna."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def choice(self, name: str, options: Sequence[Option]) -> Option:
        chosen: Option = self._trial.suggest_categorical(name, list(options))
        return chosen

    def number(self, name: str, low: float, high: float, *, whole: bool, log: bool) -> float:
        if whole:
            return self._trial.suggest_int(name, int(low), int(high), log=log)
        return self._trial.suggest_float(name, low, high, log=log)


class _Known:
    """Choices that were made before; what they were made from is noted for optuna."""

    def __init__(self, choices: Mapping[str, Any]) -> None:  # Any: what was chosen
        self._choices = choices
        self.distributions: dict[str, BaseDistribution] = {}

    def choice(self, name: str, options: Sequence[Option]) -> Option:
        self.distributions[name] = CategoricalDistribution(list(options))
        chosen: Option = self._choices[name]
        return chosen

    def number(self, name: str, low: float, high: float, *, whole: bool, log: bool) -> float:
        self.distributions[name] = (
            IntDistribution(int(low), int(high), log=log) if whole else FloatDistribution(low, high, log=log)
        )
        return float(self._choices[name])
