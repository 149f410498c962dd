"""What all tabs share: data, steps and scoring on the left; numbers, figures and messages on the right."""

from __future__ import annotations

import html
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import ipywidgets as widgets

from insanonym_core.experiment import Report, load
from insanonym_core.figures import Size
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.data_card import DataCard
from insanonym_dashboard.panels.drawers import evidence, overview, step_evidence
from insanonym_dashboard.panels.figures import Figures
from insanonym_dashboard.state import TabState
from insanonym_dashboard.steps import StepsEditor

__all__ = ["HALF", "WHOLE", "TabPanel", "evidence", "overview", "step_evidence"]
HALF, WHOLE = Size(640, 380), Size(1120, 420)
NO_SEED = "Your own data has no seed: nobody can repeat its draws."
_REST, _NOW_AND_THEN = 0.05, 3.0  # seconds


class TabPanel(Figures):
    """A tab: `pages` are the figures, by page, each with its size.

    Only the page that is open is drawn; the others when they are opened.
    """

    fixed_steps = False

    def __init__(self, state: TabState, lang: str) -> None:
        super().__init__(state, lang)
        self.banner, self.strip, self.card, self.promised, self.table, self.busy = (
            widgets.HTML() for _ in range(6)
        )
        self.cancel = widgets.Button(description=self.say("Cancel"), layout=widgets.Layout(display="none"))
        self.cancel.on_click(lambda _: self._cancelled())
        self.back = widgets.Button(
            description=self.say("Back to them"), layout=widgets.Layout(display="none", width="auto")
        )
        self.back.on_click(lambda _: self._went_back())
        self.editor = StepsEditor(state, lang, columns=self.columns, most=self.most, fixed=self.fixed_steps)
        self.boxes = {page: self._page(page) for page in self.pages}
        self.menu = widgets.ToggleButtons(
            options=[(self.say(page), page) for page in self.pages], value=self.page
        )
        self.menu.add_class("insanonym-pages")
        self.menu.observe(lambda change: self._open(change["new"]), "value")
        self.body = widgets.VBox([self.boxes[self.page]])
        self.data = DataCard(state, lang, adapt=self.adapt, take=self.take)
        self.root = self._layout()
        self._last_shown = 0.0
        self._drawn_partly: set[str] = set()  # figures that a partial report has drawn already
        self._watching = {
            "report": self._show,
            "partial_report": self._show_partial,
            "error": self._tell,
            "busy": self._tell,
            "data_name": self._show_seed,
        }
        for name in self._watching:
            state.observe(self._changed, name)
        if state.report is None:
            state.start()
        else:
            self._show()
        self._tell()

    def _changed(self, change: Mapping[str, Any]) -> None:
        self._watching[change["name"]]()

    def close(self) -> None:
        """Forget the state and take the widgets off the page: another panel takes over."""
        for name in self._watching:
            self.state.unobserve(self._changed, name)
        self.editor.forget()
        pieces.close_all(self.root)

    # --- what a tab may add -------------------------------------------------------------------------

    def extras(self) -> list[widgets.Widget]:
        """More cards on the left."""
        return []

    def below(self, page: str) -> list[widgets.Widget]:
        """More cards below the figures of a page."""
        return []

    def shown(self, report: Report) -> None:
        """Called when a report is there, after the figures."""

    def columns(self) -> Sequence[str]:
        """Columns of the table at hand, for menus of columns."""
        table = self.original()
        return list(getattr(table, "columns", ()) or ())

    def most(self) -> float:
        """The largest k that makes sense."""
        table = self.original()
        return float(len(table)) if table is not None else math.inf

    # --- shared -------------------------------------------------------------------------------------

    def original(self) -> Any:
        """The data of the recipe, where it is known."""
        return self.state.original()

    def _layout(self) -> widgets.Widget:
        left = widgets.VBox(
            [
                self.data.root,
                *self.extras(),
                pieces.card(self.say("Steps"), self.editor, name="recipe"),
                pieces.card(self.say("Scoring"), *self._scoring(), name="scoring"),
            ]
        )
        left.add_class("insanonym-left")
        working = widgets.HBox([self.busy, self.cancel, self.back])
        working.add_class("insanonym-working")
        menu = [self.menu] if len(self.pages) > 1 else []
        measures = widgets.VBox([self.promised, self.table])
        right = widgets.VBox(
            [
                self.banner,
                self.strip,
                pieces.card("", self.card, name="unprotected"),
                working,
                *menu,
                self.body,
                pieces.card(self.say("All measures"), measures, name="measures"),
            ]
        )
        right.add_class("insanonym-right")
        root = widgets.HBox([left, right])
        root.add_class("insanonym-tab")
        root.add_class(f"insanonym-tab-{self.state.recipe.kind}")
        return root

    def again(self, _: Any = None) -> None:
        """Show the last report once more: something chosen beside it has changed."""
        if self.state.report is not None:
            self.shown(self.state.report)

    def _page(self, page: str) -> widgets.Widget:
        cards = []
        for name, (_, size) in self.pages[page].items():
            made = pieces.card("", self.plots[name], name="figure")
            made.add_class("insanonym-whole" if size is WHOLE else "insanonym-half")
            cards.append(made)
        grid = widgets.Box(cards)
        grid.add_class("insanonym-grid")
        whole = widgets.VBox([grid, *self.below(page)])
        whole.add_class("insanonym-sheet")
        return whole

    def adapt(self, name: str, data: Any) -> dict[str, Any]:
        """How the recipe changes for other data. Runs on the worker's thread: no widget is touched."""
        state = self.state
        if data is not None:
            return state.kind.adapted(state.recipe, data)
        return state.kind.adapted(
            state.recipe, load(replace(state.recipe, data=name), state.session.store), name
        )

    def take(self, name: str, data: Any, changes: Mapping[str, Any]) -> None:
        """Other data for this tab, and the changes of the recipe that it needs."""
        self.state.set_data(name, data, **changes)

    def _scoring(self) -> list[widgets.Widget]:
        now = self.state.recipe.seed
        seed = widgets.BoundedIntText(
            value=now or 0, min=0, max=10**9, disabled=now is None, layout=widgets.Layout(width="100%")
        )
        seed.description = self.say("Seed")
        repeatable = widgets.Checkbox(
            value=now is not None,
            indent=False,
            description=self.say("Repeatable draws"),
        )
        repeatable.add_class("insanonym-repeatable")

        def changed(_: Any) -> None:
            seed.disabled = not repeatable.value
            self.state.set_seed(seed.value if repeatable.value else None)

        seed.observe(changed, "value")
        repeatable.observe(changed, "value")
        note = widgets.HTML(f"<small>{self.say(NO_SEED)}</small>")
        self._seed_controls = widgets.VBox([repeatable, seed])
        self._no_seed = widgets.VBox([note])
        self._show_seed()
        return [self._seed_controls, self._no_seed]

    def _show_seed(self) -> None:
        """Only demonstration data has a seed."""
        own = self.state.data is not None
        self._seed_controls.layout.display = "none" if own else ""
        self._no_seed.layout.display = "" if own else "none"

    def _open(self, page: str) -> None:
        self.page = self.state.view["page"] = page
        self.body.children = [self.boxes[page]]
        if self.state.report is not None:
            self._draw()

    def _cancelled(self) -> None:
        self.state.cancel()
        self.data.follow()
        self._back()
        self._tell()

    def _went_back(self) -> None:
        self.state.go_back()
        self.data.follow()
        self.editor.rebuild()
        self._tell()

    def _back(self) -> None:
        """What a part of a report has drawn that never came goes back to the last whole one."""
        if self._drawn_partly:
            self._drawn_partly = set()
            self._draw()

    def _tell(self) -> None:
        if self.state.error:
            self._back()
        self.banner.value = pieces.banner(self.state.error, self.lang, self.state.report)
        busy = self.state.busy
        said = self.say("Computing: {part}", part=self.say(busy))  # it may name columns
        self.busy.value = f"<p>{html.escape(said)}</p>" if busy else "<p>&nbsp;</p>"
        self.cancel.layout.display = "" if busy else "none"
        stale = self.state.is_stale
        self.back.layout.display = "" if stale else "none"
        if stale and not busy:
            self.busy.value = f"<p>{self.say('Shown below: the settings before, which worked.')}</p>"

    def _show_partial(self) -> None:
        """Draw what a family of measures is enough for; the rest waits for the whole report."""
        known = self.state.partial_report
        if known is not None and self.state.report is not None:
            drawn = {name for name in self.pages[self.page] if self._draw_one(name, known, whole=False)}
            self._drawn_partly |= drawn

    def _show(self) -> None:
        report = self.state.report
        if report is None:
            return
        self._draw(but=self._drawn_partly)  # first: the page draws while the rest is made
        self._drawn_partly = set()
        self.strip.value = pieces.strip(report, dict(self.state.previous), self.lang)
        self.card.value = pieces.unprotected(report, self.lang)
        self.promised.value = pieces.promises(report, self.lang)
        self.table.value = pieces.measures_table(report, self.lang)
        self.data.tell_rows(report.rows)
        self.banner.value = pieces.banner(self.state.error, self.lang, report)
        self.state.worker.soon(_REST, lambda: self._rested(report))

    def _rested(self, report: Report) -> None:
        """Maps and previews follow when a slider rests, and now and then while it moves."""
        now = time.monotonic()
        if report is self.state.report and (self.state.worker.idle or now - self._last_shown > _NOW_AND_THEN):
            self._last_shown = now
            self.shown(report)
