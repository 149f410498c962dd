"""A search for the best recipe of a tab, beside the page: what was tried so far, and what was found."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace
from typing import Any

import traitlets

from insanonym_core.errors import InsanonymError
from insanonym_core.figures.trail_points import Background, FoundPoint
from insanonym_core.runtime.jobs import Job
from insanonym_core.runtime.store import Store
from insanonym_core.tuning import Search, Tried, Tuned, Wish, front_of_trials, tune, wish_of
from insanonym_dashboard.state import TabState
from insanonym_dashboard.worker import Worker

log = logging.getLogger("insanonym")
MAX_TRIALS = 1000
_REDRAWN = 0.4  # seconds: points are drawn in groups
BEST = 0
"""The number of the recipe that was found, among those of the trials."""


class Searching(traitlets.HasTraits):
    """The search of a tab; it outlives the widgets, so that another tab or language changes nothing."""

    tried: tuple[Tried, ...] = traitlets.Any(())  # type: ignore[assignment]
    tuned = traitlets.Any(None)
    """The result, a Tuned; None while there is none."""
    running = traitlets.Bool(False)
    confirming = traitlets.Bool(False)
    """Whether the best is being measured again."""
    error = traitlets.Any("")
    """What went wrong; a Phrase where it is ours to say."""

    def __init__(self, state: TabState, store: Store | None = None) -> None:
        super().__init__()
        self._state = state
        self._worker = Worker(store=store)
        self._stop = threading.Event()
        self.wish = Wish()
        self.form: dict[str, Any] = {}  # what was wished for
        self.opened = False
        self.data_name = ""
        self.began = 0.0

    def start(self, at_least: dict[str, float], maximise: str, minutes: float) -> None:
        """Search among the recipes for the data and roles that are open now."""
        if self.running:
            return
        state = self._state
        base, data = replace(state.recipe, seed=None), state.data
        try:
            wish = wish_of(base, at_least, maximise=maximise)
            search = Search(base, wish, trials=MAX_TRIALS, minutes=minutes)
        except InsanonymError as error:
            self.error = error.phrase
            return
        self._stop, self.wish = threading.Event(), wish
        self.data_name, self.began = state.data_name, time.monotonic()
        with self.hold_trait_notifications():
            self.error, self.tuned, self.tried = "", None, ()
            self.running, self.confirming = True, False

        def work(job: Job) -> Tuned:
            tried: list[Tried] = []
            drawn = 0.0

            def on_trial(one: Tried) -> None:
                nonlocal drawn
                tried.append(one)
                if time.monotonic() - drawn > _REDRAWN:
                    drawn = time.monotonic()
                    job.partial(tuple(tried))

            return tune(
                search,
                data=data,
                store=job.store,
                on_trial=on_trial,
                on_part=lambda part: job.partial(part),
                cancelled=self._stop.is_set,
            )

        self._worker.submit(work, self._arrived, on_partial=self._progressed)

    def cancel(self) -> None:
        """Stop after the recipe under way; what was tried stays on the plane."""
        self._stop.set()

    def _progressed(self, found: tuple[Tried, ...] | str) -> None:
        if isinstance(found, str):
            self.confirming = True
        else:
            self.tried = found

    def _arrived(self, tuned: Tuned | None, error: Exception | None) -> None:
        with self.hold_trait_notifications():
            self.running = self.confirming = False
            if tuned is not None:
                self.tuned, self.tried = tuned, tuned.trials
            elif isinstance(error, InsanonymError):
                self.error = error.phrase
            else:
                log.error("while searching", exc_info=error)
                self.error = "internal"

    # --- on the plane -------------------------------------------------------------------------------

    def background(self) -> Background | None:
        """The points of the search, where the tab still shows the data that was searched."""
        if not self.tried or self.data_name != self._state.data_name:
            return None
        points = [
            FoundPoint(one.utility, one.privacy, one.recipe.written(), one.number)
            for one in self.tried
            if one.counts
        ]
        front = [(one.utility, one.privacy) for one in front_of_trials(self.tried)]
        tuned: Tuned | None = self.tuned
        best = None
        if tuned is not None and tuned.recipe is not None:
            best = FoundPoint(tuned.utility, tuned.privacy, tuned.recipe.written(), BEST)
        return Background(points, front, best)

    def take(self, number: int) -> None:
        """Set the sliders to a recipe of the search."""
        tuned: Tuned | None = self.tuned
        recipe = next((one.recipe for one in self.tried if one.number == number), None)
        if number == BEST and tuned is not None:
            recipe = tuned.recipe
        if recipe is not None and self.data_name == self._state.data_name:
            self._state.set_steps(recipe.steps)
