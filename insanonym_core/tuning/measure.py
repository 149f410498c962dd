"""One run of a recipe, reduced to what a search compares."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

import numpy as np

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import Report, run
from insanonym_core.experiment.run import entries_of
from insanonym_core.kinds import Data
from insanonym_core.recipe import Recipe
from insanonym_core.results.threats import found_threats
from insanonym_core.runtime.jobs import CancelledError, Job
from insanonym_core.runtime.store import Store
from insanonym_core.sweep.partial import NO_MEMORY
from insanonym_core.sweep.pool import broken, needed_measures
from insanonym_core.tabular.roles import unconfirmed
from insanonym_core.tuning.trials import mean_values
from insanonym_core.tuning.wish import Wish


@dataclass(frozen=True)
class Measures:
    """Which measures a search takes: those that it sees, and all of them."""

    seen: tuple[str, ...]
    every: tuple[str, ...]
    held_out: tuple[str, ...]


@dataclass(frozen=True)
class Draw:
    """One run: its numbers, or why there are none.

    `interval` is that of the threat that decides privacy; `held_out` are the shares that the attackers found
    whom the search has not met.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    failed: str = ""
    decided_by: str = ""
    interval: tuple[float, float] | None = None
    privacy_seen: float = math.nan
    held_out: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What was promised and measured, warnings, and guessed roles."""
    roles_guessed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measured:
    """Means over some draws: privacy by every attacker, and by those that the search knows."""

    values: Mapping[str, float]
    draws: int
    privacy_seen: float
    decided_by: str = ""
    interval: tuple[float, float] | None = None
    held_out: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    roles_guessed: tuple[str, ...] = ()

    @property
    def privacy(self) -> float:
        """The headline of privacy."""
        return self.values.get("privacy", math.nan)

    @property
    def utility(self) -> float:
        """The headline of utility."""
        return self.values.get("utility", math.nan)

    @property
    def worst_held_out(self) -> tuple[str, float] | None:
        """The attacker set apart who found most, and how much; None where none was set apart."""
        return max(self.held_out.items(), key=lambda one: one[1], default=None)


def measures_of(recipe: Recipe, wish: Wish) -> Measures:
    """What is measured in a search and after it; a headline that is about nothing else keeps its measure."""
    wanted = (*needed_measures(recipe), *wish.measured_keys(), *recipe.data_kind.held_out)
    entries = entries_of(recipe, wanted)
    privacy = recipe.data_kind.headline("privacy", recipe.headline.get("privacy"))
    held_out = [key for key in recipe.data_kind.held_out if key not in wish.measured_keys()]
    seen = [entry.key for entry in entries if not entry.costly and entry.key not in held_out]
    if not any(privacy.is_about(key) for key in seen):
        held_out = [key for key in held_out if not privacy.is_about(key)]
        seen = [entry.key for entry in entries if entry.key not in held_out]
    known = {entry.key for entry in entries}
    return Measures(
        tuple(seen), tuple(entry.key for entry in entries), tuple(key for key in held_out if key in known)
    )


def seed_of(root: int, part: str, number: int) -> int:
    """The seed of a draw: each part of a search has draws of its own."""
    digest = hashlib.sha256(f"{root} {part} {number}".encode()).digest()
    return int.from_bytes(digest[:7])


def measure(
    data: Data,
    store: Store | None,
    recipe: Recipe,
    seed: int,
    only: Sequence[str],
    held_out: Sequence[str] = (),
    sample: int = 0,
) -> Draw:
    """Run a recipe once with this seed; `sample` rows of the data, if it is not 0."""
    try:
        used = _sample(recipe, data, store or Store(), sample) if sample else data
        report = run(replace(recipe, seed=seed), data=used, only=only, job=Job(store=store))
        return _reduced(report, held_out)
    except InsanonymError as error:
        return Draw(failed=error.phrase)
    except MemoryError:
        return Draw(failed=NO_MEMORY)
    except CancelledError:
        raise
    except Exception as error:  # one recipe must not stop the search
        return Draw(failed=broken(error))


def _sample(recipe: Recipe, data: Data, store: Store, rows: int) -> Data:
    """The same sample in every run: recipes are compared on it."""
    sample = recipe.data_kind.code("sample")
    key = data.digest(), rows
    chosen: Data = store.get(
        "sample", key, lambda: sample(recipe, data, rows, np.random.default_rng([rows, len(data)]))
    )
    return chosen


def _reduced(report: Report, held_out: Sequence[str]) -> Draw:
    if math.isnan(report.utility) or math.isnan(report.privacy):
        why = next((one.undefined_because for one in report.scores.values() if not one.defined), "")
        return Draw(failed=why or "a headline has no number")
    seen = replace(report, measures=tuple(one for one in report.measures if one.key not in held_out))
    decided = report.decided_by
    interval = decided.interval if decided is not None else None
    return Draw(
        report.values(),
        decided_by=decided.measure.key if decided else "",
        interval=None if interval is None else (1 - interval[1], 1 - interval[0]),
        privacy_seen=seen.privacy,
        held_out={
            one.measure.key: one.share
            for one in found_threats(report.measures)
            if one.measure.key in held_out
        },
        notes=(
            *filter(None, [unconfirmed(report.facts)]),
            *(promise.sentence() for promise in report.promises),
            *report.warnings,
        ),
        roles_guessed=tuple(report.facts.get("roles_guessed", ())),
    )


def joined_draws(draws: Sequence[Draw]) -> Measured:
    """The means of some draws that have numbers.

    The interval is the mean of those of the deciding threats; without them the lowest and highest draw.
    """
    intervals = [draw.interval for draw in draws if draw.interval is not None]
    values = mean_values([draw.values for draw in draws])
    privacies = [draw.values["privacy"] for draw in draws]
    interval = (
        (fmean(low for low, _ in intervals), fmean(high for _, high in intervals))
        if len(intervals) == len(draws)
        else (min(privacies), max(privacies))
    )
    worst = min(draws, key=lambda draw: draw.values["privacy"])
    keys = dict.fromkeys(key for draw in draws for key in draw.held_out)
    return Measured(
        values,
        len(draws),
        fmean(draw.privacy_seen for draw in draws),
        worst.decided_by,
        interval,
        {key: fmean(draw.held_out.get(key, 0.0) for draw in draws) for key in keys},
        worst.notes,
        worst.roles_guessed,
    )
