"""State of a tab, without widgets: data, recipe, last successful report, error."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import Any

import traitlets

from insanonym_core.errors import InsanonymError, UsageError
from insanonym_core.experiment import Report, load, run
from insanonym_core.figures.trail_points import Spread
from insanonym_core.io.sources import Source
from insanonym_core.kinds import Kind, Made
from insanonym_core.recipe import Recipe, Step
from insanonym_core.runtime.jobs import Job
from insanonym_dashboard.lanes import Lanes
from insanonym_dashboard.session import Session
from insanonym_dashboard.spread import spread_of
from insanonym_dashboard.trail import Trail, Visit
from insanonym_dashboard.uploads import Upload

log = logging.getLogger("insanonym")
GESTURE = 0.8  # seconds: moves that follow each other sooner belong to one drag
NO_DATA = "This setting belongs to {name}, which is not open any more: upload it again, then go back to it."


class TabState(Lanes):
    """One kind of data: its recipe, and the report that belongs to it.

    Setting anything of the recipe computes anew. When that fails the last report stays and `error` says why.
    """

    recipe = traitlets.Instance(Recipe)
    report = traitlets.Instance(Report, allow_none=True)
    partial_report = traitlets.Instance(Report, allow_none=True)
    """The part of the report that has been computed so far: one family of measures."""
    live = traitlets.Instance(Report, allow_none=True)
    """The report of the current settings as far as computed: it grows family by family to the full report."""
    spread = traitlets.Instance(Spread, allow_none=True)
    """Range of privacy and utility of the current setting over fresh draws; None until computed."""
    previous = traitlets.Dict()
    error = traitlets.Unicode("")
    data_name = traitlets.Unicode("")
    release_name = traitlets.Unicode("")
    """File name of a release made elsewhere; empty if the steps make the release."""

    def __init__(self, recipe: Recipe, session: Session) -> None:
        self.data: Any = None
        self.upload: Upload | None = None  # the file of `data`, to read it again in another way
        super().__init__(session.store, recipe=recipe)
        self.session = session
        self._demo_seed = recipe.seed
        self.file_digest = ""  # of an upload
        self.handed_in: Made | None = None  # a release that somebody made: measured instead of the steps
        self.guesses: Source | None = None  # guesses that somebody made, scored among the attacks
        self.data_name = recipe.data or ""

        self.view: dict[str, Any] = {}  # what somebody chose to look at: outlives the widgets
        self.trail = Trail()
        self._first = recipe
        self._moved = 0.0
        self._good: tuple[str, Any, str] = (self.data_name, None, "")  # what the report is of

    @traitlets.validate("recipe")
    def _without_seed(self, proposal: Any) -> Recipe:
        """For an upload: no seed, and the reading by which it was read, wherever the recipe comes from."""
        recipe: Recipe = proposal["value"]
        if self.data is None:
            return recipe
        mine = self.upload is not None and self.upload.data is self.data
        reading = self.upload.merged(recipe.reading) if mine and self.upload else recipe.reading
        return replace(recipe, seed=None, reading=reading)

    @property
    def kind(self) -> Kind:
        """The kind of its data."""
        return self.recipe.data_kind

    def start(self) -> None:
        """Compute the first report."""
        self.refresh()

    def refresh(self) -> None:
        """Compute the report of the current recipe; earlier jobs are dropped."""
        recipe, data = self.recipe, self.data
        self.drop("figures")
        self.spreads.cancel()
        self.spread = None
        now = time.monotonic()
        if self.report is None or not self.shows_open_data:
            self.previous = {}  # numbers of other data are no change
        elif now - self._moved > GESTURE:
            self.previous = self.report.values()  # what a drag began with, not its last frame
        self._moved = now

        handed_in, guesses, said = self.handed_in, self.guesses, self.error

        def work(job: Job) -> Report:
            report = run(recipe, data=data, release=handed_in, job=job, secret=self.session.secret)
            if guesses is None:
                return report
            made = Made(report.release, report.rows, report.kept)
            measure = recipe.data_kind.code("read_guesses")(guesses, made)
            return replace(report, measures=(*report.measures, measure))

        def done(report: Report | None, error: Exception | None) -> None:
            # What went wrong meanwhile, in reading a file, stays on the page.
            self._arrived(report, error, stays=self.error != said)

        self.worker.submit(work, done, on_partial=self._on_partial)

    def _on_partial(self, report: Report) -> None:
        self.partial_report = report
        if report.measures:
            known = (
                self.live.measures if self.live is not None and self.live.release is report.release else ()
            )
            new = {one.key for one in report.measures}
            measures = (*(one for one in known if one.key not in new), *report.measures)
            self.live = replace(report, measures=measures)

    def _arrived(self, report: Report | None, error: Exception | None, *, stays: bool = False) -> None:
        if error is not None:
            self.fail(error)
            return
        self._good = (self.data_name, self.data, self.file_digest)
        with self.hold_trait_notifications():
            self.error = self.error if stays else ""
            self.report = self.live = report
        self.partial_report = None
        self.worker.soon(GESTURE, lambda: self._rested(report))

    def _rested(self, report: Report | None) -> None:
        """Add the setting to the trail once it has not changed for a while."""
        if report is not None and report is self.report and self.worker.idle:
            self.trail.arrive(report, self.data_name)
            self._measure_spread(report)

    def _measure_spread(self, report: Report) -> None:
        """Run the recipe some more times with fresh draws, without costly attacks."""
        recipe, data = report.recipe, self.data

        def done(spread: Spread | None, error: Exception | None) -> None:
            if error is None and report is self.report:
                self.spread = spread

        def work(job: Job) -> Spread | None:
            self.spreads.wait_until_idle(job)
            return spread_of(recipe, data, job)

        self.spreads.submit(work, done)

    def fail(self, error: Exception) -> None:
        """Show an error message; the details of an unexpected error go to the server's log."""
        if isinstance(error, InsanonymError):
            self.error = error.phrase
        else:
            log.error("while computing", exc_info=error)
            self.error = "internal"

    def original(self) -> Any:
        """The data of the recipe; None if it cannot be loaded."""
        if self.data is not None:
            return self.data
        try:
            return load(self.recipe, self.session.store)
        except InsanonymError:
            return None

    def columns(self) -> list[str]:
        """Columns of the data; none where it has none."""
        return list(getattr(self.original(), "columns", ()) or ())

    @property
    def is_stale(self) -> bool:
        """Whether the report belongs to other settings than the current ones and no job is running."""
        return self.report is not None and self.report.recipe != self.recipe and self.worker.idle

    @property
    def shows_open_data(self) -> bool:
        """Whether the report is of the data that is open, and not of data before it."""
        return self.report is not None and self._good[:2] == (self.data_name, self.data)

    def go_back(self) -> None:
        """Restore the settings and the data of the last report."""
        if self.report is not None:
            name, self.data, self.file_digest = self._good
            self.data_name = name
            self.recipe, self.error = self.report.recipe, ""

    def go_to(self, visit: Visit | None) -> None:
        """Restore a setting of the trail, if its data is still open."""
        if visit is None:
            return
        if visit.data_name == self.data_name:
            self.trail.current = visit.number
            self._change_to(visit.recipe)
        elif visit.data_name in self.kind.demos:
            self.data, self.file_digest, self.data_name = None, "", visit.data_name
            self.trail.current = visit.number
            self._change_to(visit.recipe)
        else:
            self.fail(UsageError(NO_DATA, name=visit.data_name))

    def undo(self) -> None:
        """Restore the previous setting."""
        self.go_to(self.trail.previous())

    def redo(self) -> None:
        """Restore the next setting."""
        self.go_to(self.trail.following())

    def reset(self) -> None:
        """Restore the steps that the tab opened with, for the data that is open."""
        self._change(steps=self._first.steps)

    def _change_to(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.refresh()

    def named_report(self) -> Report | None:
        """The report; its recipe names the file of an upload, so that it can be run beside that file."""
        if self.report is None or self.report.recipe.data is not None:
            return self.report
        name, _, digest = self._good
        return replace(self.report, recipe=replace(self.report.recipe, data=name), file_digest=digest)

    def set_parameter(self, place: int, name: str, value: Any) -> None:
        """Set a parameter of the step at `place`."""
        try:
            self.recipe = self.recipe.with_parameter(place, name, value)
        except InsanonymError as error:
            self.fail(error)
            return
        self.refresh()

    def set_steps(self, steps: tuple[Step, ...]) -> None:
        """Add, remove or reorder steps; a release that was made elsewhere is left for them."""
        self.handed_in, self.release_name = None, ""
        self._change(steps=steps)

    def set_seed(self, seed: int | None) -> None:
        """Set the seed; None for fresh draws."""
        self._change(seed=seed)

    def set_rules(self, rules: str) -> None:
        """Set the rules: "v2" or "v1"."""
        self._change(rules=rules)

    def set_setting(self, name: str, value: Any) -> None:
        """Set a parameter of the measures, such as the space of distances."""
        self._change(settings={**self.recipe.settings, name: value})

    def set_roles(self, roles: dict[str, Any]) -> None:
        """Set the roles of the columns."""
        self._change(roles=roles)

    def set_release(self, name: str, made: Made | None) -> None:
        """Measure a release that somebody made of this data, without steps; None: the steps again."""
        self.handed_in, self.release_name = made, name
        self._change(steps=() if made is not None else self._first.steps)

    def set_guesses(self, source: Source | None) -> None:
        """Score guesses that somebody made among the attacks."""
        self.guesses = source
        self.refresh()

    def set_data(self, name: str, data: Any = None, **changes: Any) -> None:
        """Use other data: a demonstration set by name, or an upload that stays in this kernel's memory."""
        self.handed_in, self.guesses, self.release_name = None, None, ""
        if data is None and self.data is not None:
            changes.setdefault("seed", self._demo_seed)
        self.session.store.clear("steps", "noise", "neighbours")  # made of the data that goes
        self.data, self.file_digest, self.upload = data, "", None
        self.data_name = name
        self._change(data=None if data is not None else name, **changes)

    def _change(self, **changes: Any) -> None:
        try:
            self.recipe = replace(self.recipe, **changes)
        except InsanonymError as error:
            self.fail(error)
            return
        self.refresh()
