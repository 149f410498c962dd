"""What a tab knows, without any widget: data, recipe, the last good report, what went wrong."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import traitlets

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import Report, run
from insanonym_core.recipe import Recipe, Step
from insanonym_dashboard.worker import Early, Tell, Worker

log = logging.getLogger("insanonym")


class Session(traitlets.HasTraits):
    """What all tabs share: the language."""

    lang = traitlets.Unicode("en")


class TabState(traitlets.HasTraits):
    """One kind of data: its recipe, and the report that belongs to it.

    Setting anything of the recipe computes anew. When that fails the last report stays and `error` says why.
    """

    recipe = traitlets.Instance(Recipe)
    report = traitlets.Instance(Report, allow_none=True)
    part = traitlets.Instance(Report, allow_none=True)
    """What is known already of the report that is being computed: one family of measures."""
    previous = traitlets.Dict()
    error = traitlets.Unicode("")
    busy = traitlets.Unicode("")
    data_name = traitlets.Unicode("")

    def __init__(self, recipe: Recipe, session: Session) -> None:
        super().__init__(recipe=recipe)
        self.session = session
        self.data: Any = None
        self.worker = Worker(busy=lambda text: self.set_trait("busy", text))
        self.data_name = recipe.data or ""

    def start(self) -> None:
        """Compute the first report."""
        self.refresh()

    def refresh(self) -> None:
        """Compute the report of the recipe as it is now; earlier wishes are dropped."""
        recipe, data = self.recipe, self.data

        def job(tell: Tell, early: Early) -> Report:
            return run(recipe, data=data, tell=tell, early=lambda part: early(lambda: self._came(part)))

        self.worker.submit(job, self._arrived)

    def _came(self, part: Report) -> None:
        self.part = part

    def _arrived(self, report: Report | None, error: Exception | None) -> None:
        if error is not None:
            self.fail(error)
            return
        with self.hold_trait_notifications():
            self.previous = {} if self.report is None else self.report.values()
            self.error = ""
            self.report = report
        self.part = None

    def fail(self, error: Exception) -> None:
        """Say what went wrong; whatever is not ours to say goes to the server's log."""
        if isinstance(error, InsanonymError):
            self.error = str(error)
        else:
            log.error("while computing", exc_info=error)
            self.error = "internal"

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
        self.data = data
        self.data_name = name
        self._change(data=None if data is not None else name, **changes)

    def _change(self, **changes: Any) -> None:
        try:
            self.recipe = replace(self.recipe, **changes)
        except InsanonymError as error:
            self.fail(error)
            return
        self.refresh()
