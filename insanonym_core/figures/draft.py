"""A figure in the making, as plain dictionaries.

plotly checks properties one by one, and all annotations again for each one added, which takes
longer than all scores of a release. Here everything is collected, and plotly checks it once, at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go


class Draft:
    """Collects what plotly's figures take; `figure` makes one of it."""

    def __init__(self, template: Any) -> None:
        self.traces: list[dict[str, Any]] = []
        self._layout: dict[str, Any] = {"template": template, "annotations": [], "shapes": []}

    def add_trace(self, trace: Any) -> None:
        """A trace of plotly's, or its properties with their `type`."""
        self.traces.append(trace if isinstance(trace, dict) else trace.to_plotly_json())

    def add_annotation(self, **annotation: Any) -> None:
        """A text on the plane of the plot or of the paper."""
        self._layout["annotations"].append(annotation)

    def add_shape(self, **shape: Any) -> None:
        """A line or a box."""
        self._layout["shapes"].append(shape)

    def add_vline(self, x: float, line: Mapping[str, Any]) -> None:
        """A line from the foot of the plot to its top."""
        self.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="y domain", line=line)

    def add_hline(self, y: float, line: Mapping[str, Any]) -> None:
        """A line across the plot."""
        self.add_shape(type="line", y0=y, y1=y, x0=0, x1=1, xref="x domain", line=line)

    def update_xaxes(self, **properties: Any) -> None:
        """Properties of the x axis."""
        self.update_layout(xaxis=properties)

    def update_yaxes(self, **properties: Any) -> None:
        """Properties of the y axis."""
        self.update_layout(yaxis=properties)

    def update_layout(self, **properties: Any) -> None:
        """Properties of the layout; what is nested is joined with what is there."""
        _join(self._layout, properties)

    def plain(self) -> dict[str, Any]:
        """What plotly.js takes, as it is; `figure` would refuse what it does not know."""
        template = self._layout["template"].to_plotly_json()
        return {"data": self.traces, "layout": {**self._layout, "template": template}}

    def figure(self) -> go.Figure:
        """The figure, checked."""
        return go.Figure({"data": self.traces, "layout": self._layout})


def _join(ours: dict[str, Any], theirs: Mapping[str, Any]) -> None:
    for name, value in theirs.items():
        if isinstance(value, Mapping) and isinstance(ours.get(name), dict):
            _join(ours[name], value)
        else:
            ours[name] = dict(value) if isinstance(value, Mapping) else value
