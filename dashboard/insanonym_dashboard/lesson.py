"""Sliders for a lesson: a recipe, some of its parameters, and figures that follow. In JupyterLab, offline."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets

from insanonym_core.errors import UsageError, brief
from insanonym_core.experiment import Report
from insanonym_core.figures import Size
from insanonym_core.recipe import Recipe, method_entry
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number
from insanonym_dashboard import pieces
from insanonym_dashboard.look import style_sheet
from insanonym_dashboard.plot import Plot
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState
from insanonym_dashboard.steps import StepsEditor

_WIDTH, _HEIGHT = 900, 400


def show(figure: Any) -> Plot:
    """A plotly figure in a notebook, without asking any server for its script."""
    drawn = figure if isinstance(figure, dict) else figure.to_dict()
    title = drawn["layout"].get("title", {}).get("text", "")
    plot = Plot(label=title.replace("<b>", "").replace("</b>", ""))
    plot.show(drawn)
    return plot


class Live(widgets.VBox):  # type: ignore[misc]
    """Sliders for `parameters` ("planar_laplace.radius", …) of a recipe; figures and numbers that follow.

    `figures` are drawers, (report, lang, size) → figure, such as those of the dashboard's panels; `numbers`
    are keys of measures, such as "attack.poi", shown below the headlines.
    """

    def __init__(
        self,
        recipe: Recipe,
        parameters: Sequence[str],
        figures: Sequence[Any] = (),
        *,
        numbers: Sequence[str] = (),
        data: Any = None,
        lang: str = "en",
        size: tuple[int, int] = (_WIDTH, _HEIGHT),
    ) -> None:
        self.state = TabState(recipe, Session(lang=lang))
        self.state.data = data
        self._figures, self._numbers, self._lang, self._size = (
            tuple(figures),
            tuple(numbers),
            lang,
            Size(*size),
        )
        self._plots = [Plot() for _ in figures]
        self._strip, self._told, self._banner = (widgets.HTML() for _ in range(3))
        for one in parameters:
            self._check(recipe, one)
        self.sliders = StepsEditor(self.state, lang, fixed=True, only=frozenset(parameters))
        shown = [self._banner, self.sliders.rows, self._strip, self._told, *self._plots]
        super().__init__([*style_sheet(), *shown])
        self.add_class("insanonym")
        self.state.observe(lambda _: self._show(), "report")
        self.state.observe(
            lambda _: setattr(self._banner, "value", pieces.banner(self.state.error, lang)), "error"
        )
        self.state.start()

    @property
    def report(self) -> Report | None:
        """The report for the current positions of the sliders."""
        return self.state.report

    def __repr__(self) -> str:
        return "Live()"

    def _check(self, recipe: Recipe, dotted: str) -> None:
        """Refuse a parameter that the recipe does not have."""
        method, _, name = dotted.partition(".")
        used = any(step.method == method for step in recipe.steps)
        if not used or name not in method_entry(method, recipe.kind).parameters:
            raise UsageError(
                "The recipe has no parameter {dotted}: write it as step.parameter.", dotted=brief(dotted)
            )

    def _show(self) -> None:
        report = self.state.report
        if report is None:
            return
        self._strip.value = pieces.strip(report, report, dict(self.state.previous), self._lang)
        loud = "".join(f"<p class='loud'>{html.escape(say(one, self._lang))}</p>" for one in report.warnings)
        titles = {one.key: one.entry.title for one in report.measures}
        colon = "\u00a0: " if self._lang == "fr" else ": "
        self._told.value = loud + " · ".join(
            f"{say(titles[key], self._lang)}{colon}<b>{number(report.scores[key].value, self._lang)}</b>"
            for key in self._numbers
        )
        for plot, draw in zip(self._plots, self._figures, strict=True):
            figure = draw(report, self._lang, self._size)
            if figure is not None:
                plot.show(figure)
