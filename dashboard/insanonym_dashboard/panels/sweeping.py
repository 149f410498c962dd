"""State of the trade-off tab, without widgets: running, last and kept sweeps, and the selected point."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import traitlets

from insanonym_core.errors import InsanonymError
from insanonym_core.recipe import method_entry
from insanonym_core.recipe_file import text_to_share
from insanonym_core.runtime.jobs import Job
from insanonym_core.runtime.store import Store
from insanonym_core.sweep import (
    Axis,
    Setting,
    Sweep,
    joined,
    plan_sweep,
    run_sweep,
    sweep_to_text,
)
from insanonym_core.texts import Phrase
from insanonym_dashboard.panels.sweep_run import Run
from insanonym_dashboard.state import TabState
from insanonym_dashboard.worker import Worker

log = logging.getLogger("insanonym")
File = tuple[str, bytes, str]
FAILED = "{failed} of {total} runs failed: {reason}"
_REDRAWN = 0.5  # seconds between two pictures of a sweep under way
_NOW_AND_THEN = 0.1  # seconds: each number is a message to the page


class Sweeps(traitlets.HasTraits):
    """The sweeps of the trade-off tab; kept when its widgets are rebuilt, as in another language."""

    now = traitlets.Any(None)
    """The last sweep, a Run."""
    growing = traitlets.Any(None)
    """The sweep under way with the points it has so far, a Run; None when none is."""
    kept: tuple[Run, ...] = traitlets.Any(())  # type: ignore[assignment]
    """To be compared with it."""
    point = traitlets.Any(None)
    """The selected Setting."""
    moved = traitlets.Unicode("")
    """'set' if the sliders are at the selected point, 'other' if they cannot be, '' if not requested."""
    error = traitlets.Any("")
    """Error message: a Phrase, or "internal" for an unexpected error."""
    running = traitlets.Bool(False)
    done = traitlets.Int(0)
    total = traitlets.Int(0)

    def __init__(self, store: Store | None = None) -> None:
        super().__init__()
        self.worker = Worker(store=store)
        self.form: dict[str, Any] = {}  # what was chosen: tab, parameter, span, points, seeds
        self.begun = False  # whether the first, small sweep was asked for
        self.small = False  # whether the last sweep is that one
        self.moving = False  # a recipe is being changed from here
        self._stop = threading.Event()
        self._began = 0.0

    # --- sweeping -----------------------------------------------------------------------------------

    def start(self, tab: str, state: TabState, axes: Axis | Sequence[Axis], seeds: int) -> None:
        """Start a sweep of one or two parameters in the background; an invalid plan sets `error` at once."""
        axes = [axes] if isinstance(axes, Axis) else list(axes)
        if self.running:
            return
        recipe, data, data_name = state.recipe, state.data, state.data_name
        series = self._free_name(Phrase(method_entry(axes[0].method, recipe.kind).title))
        try:
            plan = plan_sweep({series: recipe}, axes, seeds)
        except InsanonymError as error:
            self.error = error.phrase
            return
        self.error, self._stop, self._began = "", threading.Event(), time.monotonic()
        self.total, self.done, self.running = len(plan.points), 0, True

        def work(job: Job) -> Run:
            last = drawn = 0.0

            def progress(done: int, of: int) -> None:
                nonlocal last
                if time.monotonic() - last > _NOW_AND_THEN or done == of:
                    last = time.monotonic()
                    job.partial((done, of))

            def so_far(sweep: Sweep) -> None:
                nonlocal drawn
                if time.monotonic() - drawn > _REDRAWN and sweep.settings:
                    drawn = time.monotonic()
                    job.partial(Run(sweep, tab, data_name))

            swept = run_sweep(
                plan,
                data=data,
                progress=progress,
                cancelled=self._stop.is_set,
                store=job.store,
                so_far=so_far,
            )
            return Run(swept, tab, data_name)

        self.worker.submit(work, self._arrived, on_partial=self._progressed)

    def _progressed(self, found: tuple[int, int] | Run) -> None:
        """Show finished runs of a growing sweep, or update the numbers of finished and planned runs."""
        if isinstance(found, Run):
            self.growing = found
            return
        runs = found
        with self.hold_trait_notifications():
            self.done, self.total = runs

    def _free_name(self, title: Phrase) -> Phrase:
        name, number = title, 2
        while name in {run.series for run in self.kept}:
            name, number = Phrase("{name} ({number})", name=title, number=number), number + 1
        return name

    def cancel(self) -> None:
        """Stop after the current run; finished runs are shown."""
        self._stop.set()

    @property
    def seconds_left(self) -> float:
        """Estimated remaining time, from the finished runs."""
        if not self.done:
            return 0.0
        return (time.monotonic() - self._began) / self.done * (self.total - self.done)

    def _arrived(self, run: Run | None, error: Exception | None) -> None:
        self.running, self.growing = False, None
        if run is None:
            if not isinstance(error, InsanonymError):
                log.error("while sweeping", exc_info=error)
            self.error = error.phrase if isinstance(error, InsanonymError) else "internal"
            return
        failed = run.sweep.failures
        if failed:
            self.error = Phrase(
                FAILED,
                failed=len(failed),
                total=len(run.sweep.outcomes),
                reason=failed[0].failed,
            )
        if run.sweep.settings:
            with self.hold_trait_notifications():
                self.now, self.moved, self.point = run, "", run.sweep.suggested()

    # --- on the plot --------------------------------------------------------------------------------

    @property
    def shown(self) -> tuple[Run, ...]:
        """The last sweep, and the kept ones that can be drawn in the same plot."""
        if self.now is None:
            return ()
        beside = tuple(run for run in self.kept if run is not self.now and run.shares_plot_with(self.now))
        return (*beside, self.now)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """All points of the plot."""
        return tuple(setting for run in self.shown for setting in run.sweep.settings)

    def keep(self) -> None:
        """Keep the last sweep on the plot when the next one is run."""
        if self.now is not None and self.now not in self.kept:
            self.kept = (*self.kept, self.now)

    def remove(self, run: Run) -> None:
        """Remove a sweep from the plot; the last one only if another is kept."""
        kept = tuple(one for one in self.kept if one is not run)
        with self.hold_trait_notifications():
            self.kept = kept
            if run is self.now and kept:
                self.now = next((one for one in reversed(kept) if one.shares_plot_with(run)), kept[-1])
            if self.point not in self.settings:
                self.point, self.moved = self.now.sweep.suggested(), ""

    def show(self, run: Run) -> None:
        """Show a kept sweep of other data as the last one."""
        with self.hold_trait_notifications():
            self.now, self.point, self.moved = run, run.sweep.suggested(), ""

    def run_of(self, setting: Setting) -> Run:
        """The sweep a point belongs to."""
        return next(run for run in self.shown if setting in run.sweep.settings)

    # --- the sliders go there -----------------------------------------------------------------------

    def go_to(self, setting: Setting, states: Mapping[str, TabState]) -> None:
        """Select a point: the recipe of its tab is set to the steps measured there."""
        run = self.run_of(setting)
        state = states[run.tab]
        if run.reachable(state):
            steps = run.recipe_of(setting).steps
            if steps != state.recipe.steps:
                with self._from_here():
                    # Without steps first: an open editor makes its sliders anew only when methods change.
                    state.recipe = replace(state.recipe, steps=())
                    state.set_steps(steps)
        with self.hold_trait_notifications():
            self.point, self.moved = setting, "set" if run.reachable(state) else "other"

    @contextmanager
    def _from_here(self) -> Iterator[None]:
        self.moving = True
        try:
            yield
        finally:
            self.moving = False

    def follow(self, states: Mapping[str, TabState]) -> None:
        """Reset `moved` if the recipe of the point's tab was changed elsewhere."""
        if self.moved == "set" and self.point is not None:
            run = self.run_of(self.point)
            if states[run.tab].recipe.steps != run.recipe_of(self.point).steps:
                self.moved = ""

    # --- to take along ------------------------------------------------------------------------------

    def scores(self) -> File | None:
        """Every run on the plot, as CSV."""
        if self.now is None:
            return None
        text = sweep_to_text(joined([run.sweep for run in self.shown]))
        return "sweep.csv", text.encode(), "text/csv"

    def recipe(self) -> File | None:
        """The recipe of the selected point.

        An upload is named, to be run beside its file, and the seed that its sweep had is left out: with one
        a release could be replayed.
        """
        if self.point is None:
            return None
        run = self.run_of(self.point)
        recipe = run.recipe_of(self.point)
        named = recipe if recipe.data is not None else replace(recipe, data=run.data, seed=None)
        return "recipe.yaml", text_to_share(named).encode(), "text/yaml"


def clicked_setting(settings: tuple[Setting, ...], clicked: Mapping[str, Any]) -> Setting | None:
    """The point that was clicked: its number comes with the click."""
    told = clicked.get("customdata")
    number = told[1] if isinstance(told, list) and len(told) == 2 else None
    return settings[number] if isinstance(number, int) and 0 <= number < len(settings) else None
