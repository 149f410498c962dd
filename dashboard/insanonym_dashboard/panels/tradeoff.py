"""The trade-off: a parameter of any tab's recipe swept in the background; a clicked point sets sliders."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import ipywidgets as widgets

from insanonym_core.errors import InsanonymError
from insanonym_core.figures import Size
from insanonym_core.parameters import Range
from insanonym_core.recipe import Recipe, method_entry
from insanonym_core.sweep import Axis, Setting, Sweep, plan_sweep, run_sweep
from insanonym_core.texts import parameter_label, say
from insanonym_dashboard import pieces
from insanonym_dashboard.controls import round_numbers
from insanonym_dashboard.plot import Plot
from insanonym_dashboard.state import TabState
from insanonym_dashboard.worker import Early, Tell, Worker

SIZE = Size(1120, 620)
KINDS = {"mobility": "Mobility", "table": "Tables", "traces": "Study traces", "avatars": "Avatars"}
_MOST_SPAN = 5000


class TradeoffPanel:
    """Trade-off. `states` are those of the other tabs, by kind."""

    def __init__(self, states: Mapping[str, TabState], lang: str, goto: Any) -> None:
        self.states, self.lang, self._goto = states, lang, goto
        self.kept: dict[str, Sweep] = {}
        self.sweep: Sweep | None = None
        self.worker = Worker()
        self._stop = False
        wide = widgets.Layout(width="100%")
        self.kind = widgets.Dropdown(
            options=[(self.say(title), kind) for kind, title in KINDS.items()], layout=wide
        )
        self.parameter = widgets.Dropdown(layout=wide)
        self.span = widgets.SelectionRangeSlider(options=[0, 1], layout=wide)
        self.points = widgets.IntSlider(value=8, min=2, max=40, layout=wide)
        self.seeds = widgets.IntSlider(value=3, min=1, max=20, layout=wide)
        self.start = widgets.Button(description=self.say("Run"), button_style="primary")
        self.cancel = widgets.Button(description=self.say("Cancel"), disabled=True)
        self.keep = widgets.Button(description=self.say("Keep for comparison"), disabled=True)
        self.progress = widgets.IntProgress(min=0, max=1, layout=wide)
        self.told, self.banner, self.selected, self.comparing = (widgets.HTML() for _ in range(4))
        self.go = widgets.Button(description=self.say("Set sliders"), disabled=True)
        self.plot = Plot(label=self.say("Privacy against utility"))
        self.point: Setting | None = None
        self._bind()
        self._offer()
        self.root = self._layout()

    def say(self, text: str, **values: object) -> str:
        """A text in the language of the page."""
        return say(text, self.lang, **values)

    def _bind(self) -> None:
        self.kind.observe(lambda _: self._offer(), "value")
        self.parameter.observe(lambda _: self._offer_span(), "value")
        self.start.on_click(lambda _: self._run())
        self.cancel.on_click(lambda _: setattr(self, "_stop", True))
        self.keep.on_click(lambda _: self._keep())
        self.go.on_click(lambda _: self._set_sliders())
        self.plot.observe(self._clicked, "clicked")

    def _layout(self) -> widgets.Widget:
        def labelled(text: str, box: widgets.Widget) -> list[widgets.Widget]:
            box.description = self.say(text)
            box.style.description_width = "0px"
            return [widgets.HTML(f"<label>{self.say(text)}</label>"), box]

        left = widgets.VBox(
            [
                pieces.card(
                    self.say("Sweep"),
                    *labelled("Tab", self.kind),
                    *labelled("Parameter", self.parameter),
                    *labelled("From – to", self.span),
                    *labelled("Points", self.points),
                    *labelled("Seeds", self.seeds),
                    widgets.HBox([self.start, self.cancel]),
                    self.progress,
                    self.told,
                    name="sweep",
                ),
                pieces.card(self.say("On the plot"), self.comparing, self.keep, name="comparing"),
            ]
        )
        left.add_class("insanonym-left")
        selected = pieces.card(self.say("Selected point"), self.selected, self.go, name="selected")
        right = widgets.VBox([self.banner, pieces.card("", self.plot, name="figure"), selected])
        right.add_class("insanonym-right")
        root = widgets.HBox([left, right])
        root.add_class("insanonym-tab")
        root.add_class("insanonym-tab-tradeoff")
        return root

    @property
    def recipe(self) -> Recipe:
        """The recipe of the chosen tab, as its sliders stand."""
        return self.states[self.kind.value].recipe

    def _offer(self) -> None:
        """Every number of every step can be swept."""
        recipe, options = self.recipe, []
        seen: dict[str, int] = {}
        for step in recipe.steps:
            seen[step.method] = seen.get(step.method, 0) + 1
            entry = method_entry(step.method, recipe.kind)
            for name, parameter in entry.parameters.items():
                if isinstance(parameter.constraint, Range):
                    title = f"{say(entry.title, self.lang)} · {parameter_label(name, self.lang)}"
                    options.append((title, (step.method, name, seen[step.method])))
        preferred = [one for one in options if one[1][1] in ("radius", "k", "mask")]
        self.parameter.options = [*preferred, *(one for one in options if one not in preferred)]
        self.parameter.index = 0 if options else None
        self._offer_span()

    def _offer_span(self) -> None:
        if self.parameter.value is None:
            return
        method, name, _ = self.parameter.value
        allowed = method_entry(method, self.recipe.kind).parameters[name].constraint
        if not isinstance(allowed, Range):
            return
        high = min(allowed.high, _MOST_SPAN if allowed.whole else allowed.high)
        options = round_numbers(allowed, high, allowed.low)
        self.span.options = [(f"{value:g}", value) for value in options]
        self.span.index = (0, len(options) - 1)

    def save_figures(self, kind: str) -> None:
        """Have the page save the front."""
        self.plot.save(kind)

    def _run(self) -> None:
        method, name, nth = self.parameter.value
        low, high = self.span.value
        state = self.states[self.kind.value]
        axis = Axis(method, name, f"{low}:{high}:{self.points.value}", nth)
        series = f"{say(method_entry(method, state.recipe.kind).title, self.lang)}"
        self.banner.value, self._stop = "", False
        try:
            plan = plan_sweep({series: state.recipe}, [axis], self.seeds.value)
        except InsanonymError as error:
            self.banner.value = pieces.banner(str(error), self.lang)
            return
        self.start.disabled, self.cancel.disabled = True, False
        self.progress.max, self.progress.value = len(plan.points), 0

        def job(tell: Tell, _: Early) -> Sweep:
            def progress(finished: int, of: int) -> None:
                tell(str(finished))

            return run_sweep(plan, data=state.data, progress=progress, cancelled=lambda: self._stop)

        self.worker = Worker(busy=lambda text: self._progressed(text, len(plan.points)))
        self.worker.submit(job, self._arrived)

    def _progressed(self, text: str, total: int) -> None:
        if text.isdigit():
            self.progress.value = int(text)
            self.told.value = f"<small>{self.say('{done} of {total} runs', done=text, total=total)}</small>"

    def _arrived(self, sweep: Sweep | None, error: Exception | None) -> None:
        self.start.disabled, self.cancel.disabled = False, True
        try:
            if error is not None:
                raise error
            assert sweep is not None  # noqa: S101  no error, so there is one
            sweep.suggested()
        except InsanonymError as caught:
            self.banner.value = pieces.banner(str(caught), self.lang)
            return
        self.sweep, self.keep.disabled = sweep, False
        if not sweep.complete:
            self.told.value += f" <small>{self.say('stopped')}</small>"
        self._draw()
        suggested = sweep.suggested()
        if suggested is None:
            self.selected.value = f"<p data-selected=''>{html.escape(sweep.reason(self.lang))}</p>"
        else:
            self._choose(suggested)

    def _draw(self) -> None:
        from insanonym_core.figures.sweeps import front_of_all

        if self.sweep is not None:
            self.plot.show(front_of_all([*self._comparable(), self.sweep], lang=self.lang, size=SIZE))
        names = "".join(f"<li>{html.escape(name)}</li>" for name in self.kept)
        self.comparing.value = (
            f"<ul>{names}</ul><small>{self.say('Click a point: the sliders can go there.')}</small>"
        )

    def _comparable(self) -> list[Sweep]:
        assert self.sweep is not None  # noqa: S101
        return [one for one in self.kept.values() if one.plan.kind == self.sweep.plan.kind]

    def _keep(self) -> None:
        if self.sweep is not None:
            name = self.sweep.plan.points[0].series
            number = 2
            while name in self.kept:
                name, number = f"{self.sweep.plan.points[0].series} ({number})", number + 1
            points = tuple(replace(point, series=name) for point in self.sweep.plan.points)
            outcomes = tuple(
                replace(one, point=replace(one.point, series=name)) for one in self.sweep.outcomes
            )
            self.kept[name] = Sweep(replace(self.sweep.plan, points=points), outcomes)
            self._draw()

    def _clicked(self, change: Mapping[str, Any]) -> None:
        x, y = change["new"].get("x"), change["new"].get("y")
        if self.sweep is None or not isinstance(x, int | float) or not isinstance(y, int | float):
            return
        settings = [one for sweep in [*self._comparable(), self.sweep] for one in sweep.settings]
        self._choose(min(settings, key=lambda one: abs(one.utility[0] - x) + abs(one.privacy[0] - y)))

    def _choose(self, setting: Setting) -> None:
        self.point, self.go.disabled = setting, False
        numbers = " · ".join(
            f"{self.say(title)} {band[0]:.2f} ({band[1]:.2f}–{band[2]:.2f})"
            for title, band in (
                ("utility", setting.utility),
                ("privacy", setting.privacy),
                ("defence", setting.defence),
            )
        )
        text = f"{html.escape(setting.series)}: {html.escape(setting.written(self.lang))} · {numbers}"
        self.selected.value = f"<p data-selected='{html.escape(setting.written())}'>{text}</p>"

    def _set_sliders(self) -> None:
        if self.point is None:
            return
        state = self.states[self.kind.value]
        for label, value in self.point.values.items():
            method, _, name = label.partition(".")
            method, _, nth = method.partition("#")
            places = [place for place, step in enumerate(state.recipe.steps) if step.method == method]
            state.set_parameter(places[int(nth or 1) - 1], name, value)
        self._goto(self.kind.value)
