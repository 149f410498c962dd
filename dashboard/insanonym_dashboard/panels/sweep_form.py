"""The form of a sweep: tab, parameter, range, number of points and seeds; run button and progress bar."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets
import numpy as np

from insanonym_core.parameters import Range
from insanonym_core.recipe import method_entry
from insanonym_core.sweep import Axis, sweepable, worth_sweeping
from insanonym_core.texts import parameter_label, say
from insanonym_core.texts.numbers import number
from insanonym_dashboard import pieces
from insanonym_dashboard.controls import round_numbers
from insanonym_dashboard.panels.sidebar import section
from insanonym_dashboard.panels.sweeping import Sweeps
from insanonym_dashboard.state import TabState
from insanonym_dashboard.tab_names import TRADEOFF, tabs

_SECOND_VALUES = 5
_EVEN = 200  # more positions than these are round numbers, growing by factors
NO_PARAMETER = ()  # a menu shows nothing for None
_PREFERRED = ("radius", "sigma", "k", "mask")


class SweepForm:
    """A card, `root`. What is chosen is kept in `sweeps`, where a form in another language finds it.

    It listens to its own widgets only: its panel, which is closed one day, tells it of recipes and progress.
    """

    def __init__(self, states: Mapping[str, TabState], lang: str, sweeps: Sweeps) -> None:
        self.states, self.lang, self.sweeps = states, lang, sweeps
        self._filling = False
        self._make()
        self.fill()
        self.root = self._layout()
        self._bind()

    def say(self, text: str, **values: object) -> str:
        """A text in the language of the page."""
        return say(text, self.lang, **values)

    @property
    def state(self) -> TabState:
        """State of the chosen tab."""
        return self.states[self.kind.value]

    # --- made once ----------------------------------------------------------------------------------

    def _make(self) -> None:
        wide = widgets.Layout(width="100%")
        form = self.sweeps.form
        titles = [(self.say(title), tab) for tab, title in tabs().items() if tab != TRADEOFF]
        self.kind = widgets.Dropdown(options=titles, value=form.get("kind", titles[0][1]), layout=wide)
        self.parameter = widgets.Dropdown(layout=wide)
        self.second = widgets.Dropdown(layout=wide)
        self.span, self.span_box = widgets.SelectionRangeSlider(options=[0, 1]), widgets.VBox()
        self.points = widgets.IntSlider(value=form.get("points", 8), min=2, max=40, layout=wide)
        self.seeds = widgets.IntSlider(value=form.get("seeds", 3), min=1, max=20, layout=wide)
        self.start = widgets.Button(description=self.say("Run"), button_style="primary")
        self.cancel = widgets.Button(description=self.say("Cancel"), disabled=True)
        self.progress = widgets.IntProgress(min=0, max=1, layout={"width": "100%", "height": "18px"})
        self.told = widgets.HTML()

    def _layout(self) -> widgets.Widget:
        def labelled(text: str, box: widgets.Widget) -> list[widgets.Widget]:
            box.description = self.say(text)
            box.style.description_width = "0px"
            return [widgets.HTML(f"<label>{self.say(text)}</label>"), box]

        return section(
            self.say("Sweep"),
            *labelled("Tab", self.kind),
            *labelled("Parameter", self.parameter),
            widgets.HTML(f"<label>{self.say('From – to')}</label>"),
            self.span_box,
            *labelled("Points", self.points),
            *labelled("Second parameter (5 values)", self.second),
            *labelled("Seeds", self.seeds),
            widgets.HBox([self.start, self.cancel]),
            self.progress,
            self.told,
            name="sweep",
        )

    def _bind(self) -> None:
        self.kind.observe(self._chose_kind, "value")
        self.parameter.observe(self._chose_parameter, "value")
        for box in (self.points, self.seeds):
            box.observe(self._remember, "value")
        self.start.on_click(lambda _: self.run(self.points.value, self.seeds.value))
        self.cancel.on_click(lambda _: self.sweeps.cancel())

    # --- what can be swept --------------------------------------------------------------------------

    def _remember(self, _: Any = None) -> None:
        if not self._filling:
            names = ("kind", "parameter", "span", "points", "seeds")
            self.sweeps.form = {name: getattr(self, name).value for name in names}

    def _chose_kind(self, _: Any) -> None:
        self.fill()
        self._remember()

    def _chose_parameter(self, _: Any) -> None:
        if not self._filling:
            self._filling = True
            self._fill_span()
            self._fill_second(list(self.parameter.options))
            self._filling = False
            self._remember()

    def fill(self) -> None:
        """List every numeric parameter of every step; keep the choice if it is still in the list."""
        recipe, options = self.state.recipe, []
        seen: dict[str, int] = {}
        for step in recipe.steps:
            seen[step.method] = seen.get(step.method, 0) + 1
            entry = method_entry(step.method, recipe.kind)
            nth = f" ({seen[step.method]})" if seen[step.method] > 1 else ""
            for name, parameter in entry.parameters.items():
                if sweepable(parameter):
                    title = f"{say(entry.title, self.lang)}{nth} · {parameter_label(name, self.lang)}"
                    options.append((title, (step.method, name, seen[step.method])))
        rank = {name: place for place, name in enumerate(_PREFERRED)}
        options.sort(key=lambda one: rank.get(one[1][1], len(rank)))
        before = self.parameter.value or self.sweeps.form.get("parameter")
        self._filling = True
        if tuple(self.parameter.options) != tuple(options):
            self.parameter.options = options
            values = [value for _, value in options]
            self.parameter.index = (values.index(before) if before in values else 0) if options else None
        self._fill_second(options)
        self._fill_span()
        self._filling = False
        self.start.disabled = self.sweeps.running or self.parameter.value is None
        if not options:
            said = self.say("This recipe has no number to sweep: add a step on its tab.")
            self.told.value = f"<small>{said}</small>"

    def _fill_second(self, options: list[tuple[str, Any]]) -> None:
        """The other parameters, none at first: two parameters are swept over a grid."""
        others = [(title, value) for title, value in options if value != self.parameter.value]
        offered, before = [("–", NO_PARAMETER), *others], self.second.value
        if tuple(self.second.options) != tuple(offered):
            self.second.options = offered
            self.second.value = before if before in [value for _, value in offered] else NO_PARAMETER

    def _fill_span(self) -> None:
        if self.parameter.value is None:
            return
        method, name, _ = self.parameter.value
        parameter = method_entry(method, self.state.recipe.kind).parameters[name]
        low, high = worth_sweeping(parameter, self.state.recipe, self.state.original())
        options = [(number(value, self.lang), value) for value in positions(parameter.constraint, low, high)]
        if tuple(self.span.options) == tuple(options):
            return
        values = [value for _, value in options]
        form = self.sweeps.form
        chosen = form.get("span") if form.get("parameter") == self.parameter.value else None
        ends = [end for end in chosen or () if end in values]
        # Made anew: a slider on the page does not take other positions and ends at once.
        old = self.span
        self.span = widgets.SelectionRangeSlider(
            options=options,
            value=tuple(ends) if len(ends) == 2 else (values[0], values[-1]),
            layout=widgets.Layout(
                width="calc(100% - 8px)", margin="2px 0 2px 8px", overflow="visible"
            ),  # room for the handle
        )
        pieces.labelled(self.span, self.say("From – to"))
        self.span.observe(self._remember, "value")
        self.span_box.children = [self.span]
        old.close()

    def run(self, points: int, seeds: int, *, small: bool = False) -> None:
        """Start a sweep of the chosen parameter; `small` marks the first one, which starts by itself."""
        if self.parameter.value is not None:
            method, name, nth = self.parameter.value
            low, high = self.span.value
            self.sweeps.small = small
            axes = [Axis(method, name, f"{low}:{high}:{points}", nth)]
            if self.second.value and not small:
                axes.append(self._second_axis())
            self.sweeps.start(self.kind.value, self.state, axes, seeds)

    def _second_axis(self) -> Axis:
        """A few values over the span that is worth sweeping."""
        method, name, nth = self.second.value
        parameter = method_entry(method, self.state.recipe.kind).parameters[name]
        low, high = worth_sweeping(parameter, self.state.recipe, self.state.original())
        return Axis(method, name, f"{low}:{high}:{_SECOND_VALUES}", nth)

    def show_progress(self) -> None:
        """Show the progress of the sweep, and enable the buttons that apply."""
        sweeps = self.sweeps
        self.start.disabled = sweeps.running or self.parameter.value is None
        self.cancel.disabled = not sweeps.running
        if not sweeps.total:
            return
        self.progress.max, self.progress.value = sweeps.total, sweeps.done
        said = self.say("{done} of {total} runs", done=sweeps.done, total=sweeps.total)
        left = math.ceil(sweeps.seconds_left)
        if sweeps.running and sweeps.done and left > 1:
            said += " · " + self.say("about {seconds} s left", seconds=left)
        elif not sweeps.running and sweeps.done < sweeps.total:
            said += " · " + self.say("stopped")
        self.told.value = f"<small>{said}</small>"


def positions(allowed: Any, low: float, high: float) -> list[float]:
    """Where the ends of a span can be: even steps over a short range, round numbers over a long one."""
    assert isinstance(allowed, Range)  # noqa: S101  sweepable() has seen to it
    step = allowed.step or (1 if allowed.whole else (high - low) / 100)
    if allowed.scale == "linear" and (high - low) / step <= _EVEN:
        even = np.linspace(low, high, round((high - low) / step) + 1)
        return [int(value) if allowed.whole else float(f"{value:.6g}") for value in even]
    return round_numbers(allowed, int(high) if allowed.whole else high, low)
