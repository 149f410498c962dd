"""The list of sweeps on the plot of the trade-off: their colours, and buttons to keep and remove them."""

from __future__ import annotations

import html
from typing import Any

import ipywidgets as widgets

from insanonym_core.texts import label, say
from insanonym_dashboard import pieces
from insanonym_dashboard.panels.sidebar import section
from insanonym_dashboard.panels.sweep_run import Run
from insanonym_dashboard.panels.sweeping import Sweeps
from insanonym_dashboard.tab_names import tabs


class SweepList:
    """A part of the sidebar, `root`. Its panel calls `show` when the sweeps are others."""

    def __init__(self, sweeps: Sweeps, lang: str) -> None:
        self._sweeps, self._lang = sweeps, lang
        self.lines = widgets.VBox()
        self.keep = widgets.Button(description=self._say("Keep for comparison"), layout={"width": "100%"})
        self.keep.on_click(lambda _: sweeps.keep())
        hint = widgets.HTML(f"<small>{self._say('Click a point: the sliders go there.')}</small>")
        self.root = section(self._say("On the plot"), self.lines, self.keep, hint, name="comparing")

    def _say(self, text: str, **values: object) -> str:
        return say(text, self._lang, **values)

    def show(self) -> None:
        """Make the lines anew: the sweeps that are drawn, then kept ones of other data."""
        from insanonym_core.figures.theme import looks

        shown = self._sweeps.shown
        names = [label(run.series, self._lang) for run in shown]
        colours = [look.colour for look in looks(names).values()]
        away = [run for run in self._sweeps.kept if run not in shown]
        lines = [
            self._line(
                run, f"<i style='color:{colour}'>●</i> {html.escape(name)}", len(shown) + len(away) > 1
            )
            for run, name, colour in zip(shown, names, colours, strict=True)
        ]
        for run in away:
            series = label(run.series, self._lang)
            title = self._say("{series}: {setting}", series=self._say(tabs()[run.tab]), setting=series)
            back = widgets.Button(description=title, tooltip=self._say("show this sweep again"))
            back.layout.flex, back.layout.width = "1 1 auto", "auto"
            back.on_click(lambda _, run=run: self._sweeps.show(run))
            lines.append(self._line(run, back, True))
        old, self.lines.children = self.lines.children, lines
        for line in old:
            pieces.close_all(line)
        self.keep.disabled = self._sweeps.now is None or self._sweeps.now in self._sweeps.kept

    def _line(self, run: Run, shown: Any, removable: bool) -> widgets.Widget:
        if isinstance(shown, str):
            shown = widgets.HTML(f"<span data-series='{html.escape(run.series, quote=True)}'>{shown}</span>")
            shown.layout.flex = "1 1 auto"
        away = widgets.Button(description="✕", tooltip=self._say("remove from the plot"))
        away.add_class("insanonym-small")
        away.on_click(lambda _: self._sweeps.remove(run))
        return widgets.HBox([shown, *([away] if removable else [])])
