"""What the trade-off knows, without any widget: the sweep under way, the last one, those kept, the point."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import traitlets

from insanonym_core.errors import InsanonymError
from insanonym_core.jobs import Job
from insanonym_core.parameters import Range
from insanonym_core.recipe import Recipe, method_entry
from insanonym_core.recipe_file import text_to_share
from insanonym_core.store import Store
from insanonym_core.sweep import (
    Axis,
    Setting,
    Sweep,
    comparable,
    joined,
    plan_sweep,
    run_sweep,
    sweep_to_text,
)
from insanonym_core.texts import Phrase, label
from insanonym_dashboard.controls import round_numbers
from insanonym_dashboard.state import TabState
from insanonym_dashboard.worker import Worker

log = logging.getLogger("insanonym")
File = tuple[str, bytes, str]
FAILED = "{failed} of {total} runs failed: {reason}"
_EVEN = 200  # more positions than these are round numbers, growing by factors
_NOW_AND_THEN = 0.1  # seconds: each number is a message to the page


@dataclass(frozen=True, eq=False)
class Run:
    """A sweep, the tab whose recipe it moved, and the name of the data it was made on."""

    sweep: Sweep
    tab: str
    data: str

    @property
    def series(self) -> str:
        """Its name on the plot."""
        return self.sweep.plan.points[0].series

    def beside(self, other: Run) -> bool:
        """Whether both can stand on one plot."""
        return self.data == other.data and comparable((self.sweep.plan.recipe, other.sweep.plan.recipe))

    def reachable(self, state: TabState) -> bool:
        """Whether the tab still has the data, roles and rules that were swept."""
        return self.data == state.data_name and comparable((self.sweep.plan.recipe, state.recipe))

    def recipe_of(self, setting: Setting) -> Recipe:
        """The recipe of a point, with the first of its seeds."""
        return next(
            point.recipe for point in self.sweep.plan.points if dict(point.values) == dict(setting.values)
        )

    def drawn(self, lang: str) -> Sweep:
        """To be drawn: the runs that have an answer, under the name of the series in a language."""
        name = label(self.series, lang)
        points = [replace(point, series=name) for point in self.sweep.plan.points]
        if points[0].recipe.data is None:  # an upload: the card below the figure names it
            points[0] = replace(points[0], recipe=replace(points[0].recipe, data=self.data))
        outcomes = tuple(
            replace(one, point=replace(one.point, series=name))
            for one in self.sweep.outcomes
            if not one.failed
        )
        return Sweep(replace(self.sweep.plan, points=tuple(points)), outcomes)


class Sweeps(traitlets.HasTraits):
    """Outlives the widgets of its panel: another language, or a tab opened again, finds all of it."""

    now = traitlets.Any(None)
    """The last sweep, a Run."""
    kept: tuple[Run, ...] = traitlets.Any(())  # type: ignore[assignment]
    """To be compared with it."""
    point = traitlets.Any(None)
    """The Setting that is looked at."""
    moved = traitlets.Unicode("")
    """'set' when the sliders stand at it, 'other' when they could not go there, '' when nobody asked."""
    error = traitlets.Any("")
    """What went wrong; a Phrase where it is ours to say."""
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

    def start(self, tab: str, state: TabState, axis: Axis, seeds: int) -> None:
        """Sweep in the background; an error of the wish itself is told at once."""
        if self.running:
            return
        recipe, data, data_name = state.recipe, state.data, state.data_name
        series = self._free_name(Phrase(method_entry(axis.method, recipe.kind).title))
        try:
            plan = plan_sweep({series: recipe}, [axis], seeds)
        except InsanonymError as error:
            self.error = str(error)
            return
        self.error, self._stop, self._began = "", threading.Event(), time.monotonic()
        self.total, self.done, self.running = len(plan.points), 0, True

        def work(job: Job) -> Run:
            last = 0.0

            def progress(done: int, of: int) -> None:
                nonlocal last
                if time.monotonic() - last > _NOW_AND_THEN or done == of:
                    last = time.monotonic()
                    job.partial((done, of))

            stop = self._stop
            swept = run_sweep(plan, data=data, progress=progress, cancelled=stop.is_set, store=job.store)
            return Run(swept, tab, data_name)

        self.worker.submit(work, self._arrived, on_partial=self._progressed)

    def _progressed(self, runs: tuple[int, int]) -> None:
        """Points of the front are run again: their number is known when all others are done."""
        with self.hold_trait_notifications():
            self.done, self.total = runs

    def _free_name(self, title: Phrase) -> Phrase:
        name, number = title, 2
        while name in {run.series for run in self.kept}:
            name, number = Phrase("{name} ({number})", name=title, number=number), number + 1
        return name

    def cancel(self) -> None:
        """Stop after the run under way; what is done is shown."""
        self._stop.set()

    @property
    def seconds_left(self) -> float:
        """As far as the runs so far tell."""
        if not self.done:
            return 0.0
        return (time.monotonic() - self._began) / self.done * (self.total - self.done)

    def _arrived(self, run: Run | None, error: Exception | None) -> None:
        self.running = False
        if run is None:
            if not isinstance(error, InsanonymError):
                log.error("while sweeping", exc_info=error)
            self.error = str(error) if isinstance(error, InsanonymError) else "internal"
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
        """The last sweep and those kept that can stand beside it."""
        if self.now is None:
            return ()
        beside = tuple(run for run in self.kept if run is not self.now and run.beside(self.now))
        return (*beside, self.now)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """All points of the plot."""
        return tuple(setting for run in self.shown for setting in run.sweep.settings)

    def keep(self) -> None:
        """Leave the last sweep on the plot when another one comes."""
        if self.now is not None and self.now not in self.kept:
            self.kept = (*self.kept, self.now)

    def remove(self, run: Run) -> None:
        """Take a sweep off the plot; the last one only when another is kept."""
        kept = tuple(one for one in self.kept if one is not run)
        with self.hold_trait_notifications():
            self.kept = kept
            if run is self.now and kept:
                self.now = next((one for one in reversed(kept) if one.beside(run)), kept[-1])
            if self.point not in self.settings:
                self.point, self.moved = self.now.sweep.suggested(), ""

    def show(self, run: Run) -> None:
        """Back to a kept sweep of other data."""
        with self.hold_trait_notifications():
            self.now, self.point, self.moved = run, run.sweep.suggested(), ""

    def run_of(self, setting: Setting) -> Run:
        """The sweep a point belongs to."""
        return next(run for run in self.shown if setting in run.sweep.settings)

    # --- the sliders go there -----------------------------------------------------------------------

    def go_to(self, setting: Setting, states: Mapping[str, TabState]) -> None:
        """Choose a point: its tab gets the steps that were measured there."""
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
        """A recipe has changed elsewhere: its sliders may no longer stand at the point."""
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
        """The recipe of the point that is looked at.

        An upload is named, to be run beside its file, and the seed that its sweep had is left out: with one
        a release could be replayed.
        """
        if self.point is None:
            return None
        run = self.run_of(self.point)
        recipe = run.recipe_of(self.point)
        named = recipe if recipe.data is not None else replace(recipe, data=run.data, seed=None)
        return "recipe.yaml", text_to_share(named).encode(), "text/yaml"


def positions(allowed: Any, low: float, high: float) -> list[float]:
    """Where the ends of a span can be: even steps over a short range, round numbers over a long one."""
    assert isinstance(allowed, Range)  # noqa: S101  sweepable() has seen to it
    step = allowed.step or (1 if allowed.whole else (high - low) / 100)
    if allowed.scale == "linear" and (high - low) / step <= _EVEN:
        even = np.linspace(low, high, round((high - low) / step) + 1)
        return [int(value) if allowed.whole else float(f"{value:.6g}") for value in even]
    return round_numbers(allowed, int(high) if allowed.whole else high, low)


def clicked_setting(settings: tuple[Setting, ...], clicked: Mapping[str, Any]) -> Setting | None:
    """The point that was clicked: its number comes with the click."""
    told = clicked.get("customdata")
    number = told[1] if isinstance(told, list) and len(told) == 2 else None
    return settings[number] if isinstance(number, int) and 0 <= number < len(settings) else None
