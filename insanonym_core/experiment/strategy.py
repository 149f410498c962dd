"""How a run is carried out: directly, in this process. `scale` adds up parts instead, to the same numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from insanonym_core.experiment.load import draws_of
from insanonym_core.kinds import Data, Kind, Made
from insanonym_core.numeric.randomness import Draws
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Entry, Measure, values_for
from insanonym_core.results.threats import applies
from insanonym_core.runtime.jobs import Job, working_for
from insanonym_core.runtime.store import Store


class Strategy(Protocol):
    """Makes the release and measures it."""

    def make(self, recipe: Recipe, entries: Sequence[Entry], job: Job) -> Made:
        """The release; `entries` are the measures that will be asked for."""

    def measure(self, recipe: Recipe, made: Made, entries: Sequence[Entry], job: Job) -> list[Measure]:
        """The measures of one family."""


class Direct:
    """Apply the steps to data in memory, unless the release is there already, and measure it."""

    def __init__(
        self, data: Data | None = None, secret: bytes | None = None, release: Made | None = None
    ) -> None:
        self._data, self._secret, self._release = data, secret, release

    def make(self, recipe: Recipe, entries: Sequence[Entry], job: Job) -> Made:
        """The release."""
        if self._release is not None:
            return self._release
        if self._data is None:
            raise TypeError("data or a release is needed")
        draws = draws_of(recipe.seed, self._data, self._secret)
        made = recipe.data_kind.make_release(recipe, self._data, draws, job)
        return replace(made, shadow=shadow_maker(recipe, self._data, job))

    def measure(self, recipe: Recipe, made: Made, entries: Sequence[Entry], job: Job) -> list[Measure]:
        """The measures of one family, one after the other."""
        measures = []
        for entry in entries:
            job.progress(entry.title)
            with working_for(job):
                measures.append(_measured(recipe.data_kind, entry, made, recipe))
        return measures


def shadow_maker(recipe: Recipe, data: Data, job: Job) -> Callable[[int], Made]:
    """What makes shadow releases of a recipe: their draws are derived from its steps and a number.

    They have a store of their own: what a moving slider reuses stays in the job's.
    """

    def make(number: int) -> Made:
        # Written out, 12 and 12.0 or a default that is left out are the same steps.
        steps = recipe.complete().written()
        digest = hashlib.sha256(f"shadow {number} {steps}".encode(errors="surrogatepass")).digest()
        own = job.with_store(Store())
        return recipe.data_kind.make_release(recipe, data, Draws(int.from_bytes(digest[:8])), own)

    return make


def _measured(kind: Kind, entry: Entry, made: Made, recipe: Recipe) -> Measure:
    values = values_for(entry, recipe.settings)
    if entry.family:
        return Measure(entry, entry.item(made.release, **values), applies(entry.threat, made.release))
    return Measure(entry, kind.run_attack(entry, made, values))
