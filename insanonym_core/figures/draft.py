"""A figure under construction, as plain dictionaries.

plotly checks properties one by one, and all annotations again for each one added, which takes
longer than all scores of a release. Here everything is collected, and plotly checks it once, at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

if TYPE_CHECKING:
    from insanonym_core.results.scores import JsonObject


class Draft:
    """Collects traces and layout of a plotly figure; `figure` builds it."""

    def __init__(self, template: object) -> None:
        self.traces: list[dict[str, Any]] = []
        self._layout: dict[str, Any] = {"template": template, "annotations": [], "shapes": []}

    def add_trace(self, trace: Any) -> None:  # Any: an object of plotly, which has no types
        """Add a plotly trace, or a dictionary of its properties including `type`."""
        self.traces.append(trace if isinstance(trace, dict) else trace.to_plotly_json())

    def add_annotation(self, **annotation: object) -> None:
        """Add a text, in plot or paper coordinates."""
        self._layout["annotations"].append(annotation)

    def add_shape(self, **shape: object) -> None:
        """Add a line or a rectangle."""
        self._layout["shapes"].append(shape)

    def add_vline(self, x: float, line: Mapping[str, object]) -> None:
        """Add a vertical line over the height of the plot."""
        self.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="y domain", line=line)

    def add_hline(self, y: float, line: Mapping[str, object]) -> None:
        """Add a horizontal line over the width of the plot."""
        self.add_shape(type="line", y0=y, y1=y, x0=0, x1=1, xref="x domain", line=line)

    def update_xaxes(self, **properties: object) -> None:
        """Set properties of the x axis."""
        self.update_layout(xaxis=properties)

    def update_yaxes(self, **properties: object) -> None:
        """Set properties of the y axis."""
        self.update_layout(yaxis=properties)

    def update_layout(self, **properties: object) -> None:
        """Set properties of the layout; nested mappings are merged."""
        _merge(self._layout, properties)

    def as_dict(self) -> JsonObject:
        """The figure as plotly.js reads it, not validated."""
        template = self._layout["template"].to_plotly_json()
        return {"data": self.traces, "layout": {**self._layout, "template": template}}

    def figure(self) -> go.Figure:
        """The figure, validated by plotly."""
        return go.Figure({"data": self.traces, "layout": self._layout})


def _merge(target: JsonObject, updates: Mapping[str, object]) -> None:
    """Update `target` recursively."""
    for name, value in updates.items():
        if isinstance(value, Mapping) and isinstance(target.get(name), dict):
            _merge(target[name], value)
        else:
            target[name] = dict(value) if isinstance(value, Mapping) else value
