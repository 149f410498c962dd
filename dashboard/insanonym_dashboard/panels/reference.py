"""What the figures are compared with: the data before anonymisation, or a pinned setting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as widgets

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import Report, run
from insanonym_core.figures.beside import BEFORE
from insanonym_core.recipe import Recipe
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import Phrase, say
from insanonym_dashboard import pieces
from insanonym_dashboard.state import TabState

NOTHING, BEFORE_STEPS = "", "before"
COMPARE = "Compare with…"


class Reference:
    """`menu` chooses it; `found` is its name and its report, or None while there is none.

    The report is computed beside the page, without costly attacks, and again when other data are opened.
    """

    def __init__(self, state: TabState, lang: str, changed: Callable[[], None]) -> None:
        self._state, self._lang, self._changed = state, lang, changed
        self._known: tuple[str, Any, Report] | None = None  # hash of the recipe, data, report
        self._wanted: tuple[str, Any] | None = None
        self.menu = pieces.labelled(widgets.Dropdown(), say(COMPARE, lang))
        self.menu.add_class("insanonym-reference")
        self._offer()
        self.menu.observe(self._chose, "value")

    def _offer(self) -> None:
        """Offer the data before anonymisation, and each pinned setting of the data that is open."""
        state = self._state
        pins = [one for one, visit in state.trail.pinned.items() if visit.data_name == state.data_name]
        options = [
            (say(COMPARE, self._lang), NOTHING),
            (say(BEFORE, self._lang), BEFORE_STEPS),
            *((f"★ {letter}", letter) for letter in pins),
        ]
        if options != list(self.menu.options):
            wanted = state.view.get("reference", NOTHING)
            self.menu.options = options
            self.menu.value = wanted if wanted in [one for _, one in options] else NOTHING

    def _chose(self, change: Any) -> None:
        self._state.view["reference"] = change["new"]
        self.follow()
        self._changed()

    def _recipe(self) -> Recipe | None:
        """The recipe of what is compared with."""
        state, chosen = self._state, self.menu.value
        try:
            if chosen == BEFORE_STEPS:
                return state.kind.before_anonymisation(state.recipe)
        except (InsanonymError, IndexError):
            return None
        visit = state.trail.pinned.get(chosen)
        return None if visit is None else visit.recipe

    @property
    def found(self) -> tuple[str, Report] | None:
        """What to draw beside each figure."""
        recipe = self._recipe() if self.menu.value else None
        if recipe is None or self._known is None or self._known[:2] != (recipe.hash, self._state.data):
            return None
        name = BEFORE if self.menu.value == BEFORE_STEPS else f"★ {self.menu.value}"
        return name, self._known[2]

    def follow(self) -> None:
        """Other pins, data or roles: what is chosen is computed where it is not known."""
        self._offer()
        recipe, state = self._recipe() if self.menu.value else None, self._state
        if recipe is None or self.found is not None or self._wanted == (recipe.hash, state.data):
            return
        data = state.data
        self._wanted = recipe.hash, data

        def work(job: Job) -> Report:
            job.progress(Phrase("the setting to compare with"))
            return run(recipe, data=data, job=Job(job.progress), costly=False, secret=state.session.secret)

        def done(report: Report | None, error: Exception | None) -> None:
            self._wanted = None
            if error is not None:
                state.fail(error)
            elif report is not None:
                self._known = recipe.hash, data, report
                self._changed()

        state.references.submit(work, done, "the setting to compare with")
