"""What a tab knows, without any widget: data, recipe, the last good report, what went wrong."""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import replace
from functools import partial
from typing import Any

import traitlets

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import Report, load, run
from insanonym_core.jobs import Job
from insanonym_core.kinds import Kind
from insanonym_core.recipe import Recipe, Step
from insanonym_core.store import Store
from insanonym_dashboard.worker import Worker

log = logging.getLogger("insanonym")
GESTURE = 0.8  # seconds: moves that follow each other sooner belong to one drag


class Session(traitlets.HasTraits):
    """What all tabs share: the language, what is kept between runs, and a secret for draws over own data."""

    lang = traitlets.Unicode("en")

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.secret = secrets.token_bytes(32)
        self.store = Store()


class TabState(traitlets.HasTraits):
    """One kind of data: its recipe, and the report that belongs to it.

    Setting anything of the recipe computes anew. When that fails the last report stays and `error` says why.
    """

    recipe = traitlets.Instance(Recipe)
    report = traitlets.Instance(Report, allow_none=True)
    partial_report = traitlets.Instance(Report, allow_none=True)
    """What is known already of the report that is being computed: one family of measures."""
    previous = traitlets.Dict()
    error = traitlets.Unicode("")
    busy = traitlets.Unicode("")
    data_name = traitlets.Unicode("")

    def __init__(self, recipe: Recipe, session: Session) -> None:
        self.data: Any = None
        super().__init__(recipe=recipe)
        self.session = session
        self._demo_seed = recipe.seed
        self.file_digest = ""  # of an upload
        # Each has a thread of its own, so that a slider never waits for a download or a large file.
        self._lanes = {
            lane: Worker(partial(self._tell_busy, lane), keep_all=lane == "downloads", store=session.store)
            for lane in ("report", "figures", "files", "downloads")
        }
        self._busy_with = dict.fromkeys(self._lanes, "")
        self.data_name = recipe.data or ""

        self.view: dict[str, Any] = {}  # what somebody chose to look at: outlives the widgets
        self._moved = 0.0
        self._good: tuple[str, Any, str] = (self.data_name, None, "")  # what the report is of

    @traitlets.validate("recipe")
    def _without_seed(self, proposal: Any) -> Recipe:
        """Own data never has a seed here, wherever a recipe comes from: a sweep, another file, a way back."""
        recipe: Recipe = proposal["value"]
        return recipe if self.data is None else replace(recipe, seed=None)

    @property
    def kind(self) -> Kind:
        """The kind of its data."""
        return self.recipe.data_kind

    @property
    def worker(self) -> Worker:
        """Computes reports; the latest wish wins."""
        return self._lanes["report"]

    @property
    def figures(self) -> Worker:
        """Computes what a figure or preview of the report needs; dropped when the recipe changes."""
        return self._lanes["figures"]

    @property
    def files(self) -> Worker:
        """Reads data; a moved slider does not drop it, a later file does."""
        return self._lanes["files"]

    @property
    def downloads(self) -> Worker:
        """Makes files to download, one after the other; only Cancel drops one."""
        return self._lanes["downloads"]

    def _tell_busy(self, lane: str, text: str) -> None:
        self._busy_with[lane] = text
        self.busy = next(filter(None, self._busy_with.values()), "")

    def cancel(self) -> None:
        """Forget the work that the page names as under way."""
        lane = next((name for name, text in self._busy_with.items() if text), "report")
        self._lanes[lane].cancel()
        self._tell_busy(lane, "")

    def start(self) -> None:
        """Compute the first report."""
        self.refresh()

    def refresh(self) -> None:
        """Compute the report of the recipe as it is now; earlier wishes are dropped."""
        recipe, data = self.recipe, self.data
        self.figures.cancel()
        self._tell_busy("figures", "")
        now = time.monotonic()
        if self.report is None or self._good[:2] != (self.data_name, self.data):
            self.previous = {}  # numbers of other data are no change
        elif now - self._moved > GESTURE:
            self.previous = self.report.values()  # what a drag began with, not its last frame
        self._moved = now

        def work(job: Job) -> Report:
            return run(recipe, data=data, job=job, secret=self.session.secret)

        self.worker.submit(work, self._arrived, on_partial=self._on_partial)

    def _on_partial(self, report: Report) -> None:
        self.partial_report = report

    def _arrived(self, report: Report | None, error: Exception | None) -> None:
        if error is not None:
            self.fail(error)
            return
        self._good = (self.data_name, self.data, self.file_digest)
        with self.hold_trait_notifications():
            self.error = ""
            self.report = report
        self.partial_report = None

    def fail(self, error: Exception) -> None:
        """Say what went wrong; whatever is not ours to say goes to the server's log."""
        if isinstance(error, InsanonymError):
            self.error = str(error)
        else:
            log.error("while computing", exc_info=error)
            self.error = "internal"

    def original(self) -> Any:
        """The data of the recipe; None where it cannot be had."""
        if self.data is not None:
            return self.data
        try:
            return load(self.recipe, self.session.store)
        except InsanonymError:
            return None

    @property
    def is_stale(self) -> bool:
        """Whether the report is of other settings than those chosen, and nothing is on its way."""
        return self.report is not None and self.report.recipe != self.recipe and self.worker.idle

    def go_back(self) -> None:
        """To the settings and the data of the last report."""
        if self.report is not None:
            name, self.data, self.file_digest = self._good
            self.data_name = name
            self.recipe, self.error = self.report.recipe, ""

    def named_report(self) -> Report | None:
        """The report; its recipe names the file of an upload, so that it can be run beside that file."""
        if self.report is None or self.report.recipe.data is not None:
            return self.report
        name, _, digest = self._good
        return replace(self.report, recipe=replace(self.report.recipe, data=name), file_digest=digest)

    def set_parameter(self, place: int, name: str, value: Any) -> None:
        """Move one slider."""
        try:
            self.recipe = self.recipe.with_parameter(place, name, value)
        except InsanonymError as error:
            self.fail(error)
            return
        self.refresh()

    def set_steps(self, steps: tuple[Step, ...]) -> None:
        """Add, remove or reorder steps."""
        self._change(steps=steps)

    def set_seed(self, seed: int | None) -> None:
        """Repeatable draws, or not."""
        self._change(seed=seed)

    def set_rules(self, rules: str) -> None:
        """v2 or v1."""
        self._change(rules=rules)

    def set_roles(self, roles: dict[str, Any]) -> None:
        """Roles of the columns."""
        self._change(roles=roles)

    def set_data(self, name: str, data: Any = None, **changes: Any) -> None:
        """Other data: a demonstration set by name, or an upload that stays in this kernel's memory."""
        if data is None and self.data is not None:
            changes.setdefault("seed", self._demo_seed)
        self.session.store.clear("steps", "noise", "neighbours")  # made of the data that goes
        self.data, self.file_digest = data, ""
        self.data_name = name
        self._change(data=None if data is not None else name, **changes)

    def _change(self, **changes: Any) -> None:
        try:
            self.recipe = replace(self.recipe, **changes)
        except InsanonymError as error:
            self.fail(error)
            return
        self.refresh()
