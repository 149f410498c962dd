"""A page with all that the shell offers, and things that go wrong. Runs in the kernel."""

from __future__ import annotations

import threading
import warnings

import ipywidgets
import numpy as np
import plotly.graph_objects as go
from IPython.display import display

from insanonym_core.figures.maps import side_by_side
from insanonym_core.results.scores import CellMap
from insanonym_dashboard.look import style_sheet
from insanonym_dashboard.maps import LinkedMaps
from insanonym_dashboard.plot import Plot
from insanonym_dashboard.served import log_errors

PLOTS = 3
START = 10
OTHER_DATA = 30  # positions of the slider past this show other data


def heights(value: int) -> list[int]:
    """What the figures show for a value of the slider."""
    return [value, 2 * value, 3 * value]


def cells(number: int, rows: int) -> CellMap:
    """A block of cells."""
    place = np.arange(number)
    counts = rows + place % 40
    return CellMap(
        "cells",
        0.01,
        45.0 + (place // 40) * 0.01,
        4.0 + (place % 40) * 0.01,
        {"rows": counts, "individuals": counts // 3},
        shows_individuals=True,
    )


def show() -> None:
    log_errors()
    warnings.warn("a warning while the page is made", stacklevel=1)
    slider = ipywidgets.IntSlider(value=START, min=1, max=40, description="k")
    plots = [Plot(label=f"Figure {place}") for place in range(PLOTS)]
    said = ipywidgets.HTML("nothing clicked")
    said.add_class("said")
    maps = LinkedMaps(height=300)
    tiles = ipywidgets.Checkbox(description="tiles")
    whole = ipywidgets.Button(description="show all")
    other = ipywidgets.Button(description="other data, all deleted")
    fail = ipywidgets.Button(description="fail")
    fail_thread = ipywidgets.Button(description="fail in a thread")
    again = ipywidgets.Button(description="begin again")
    begun = ipywidgets.HTML("0")
    begun.add_class("begun")

    def moved(_: object = None) -> None:
        for place, plot in enumerate(plots):
            bars = go.Bar(x=np.arange(3), y=np.array(heights(slider.value)), customdata=["a", "b", "c"])
            layout = {"height": 200 + 20 * place, "width": 3000, "margin": {"t": 20, "b": 20}}
            shown = "other data" if slider.value > OTHER_DATA else "data"
            plot.show(go.Figure([bars], layout), of=f"{shown} {begun.value}")
        maps.update(side_by_side(cells(400, 1), cells(400 + 40 * slider.value, 1)))

    def emptied(_: object) -> None:
        maps.forget()
        maps.update(side_by_side(cells(0, 1), cells(0, 1)))

    def anew(_: object) -> None:
        begun.value = str(int(begun.value) + 1)
        maps.forget()
        tiles.value = False
        slider.value = START
        moved()

    def clicked(change: dict) -> None:
        point = change["new"]
        said.value = f"clicked {point['pointIndex']} {point['customdata']} {point['y']} ({point['count']})"

    def failed(_: object) -> None:
        raise RuntimeError("a secret of the server")

    slider.observe(moved, "value")
    plots[0].observe(clicked, "clicked")
    tiles.observe(lambda change: setattr(maps, "tiles", change["new"]), "value")
    whole.on_click(lambda _: maps.fit())
    other.on_click(emptied)
    again.on_click(anew)
    fail.on_click(failed)
    fail_thread.on_click(lambda button: threading.Thread(target=failed, args=(button,)).start())
    moved()
    buttons = [whole, other, fail, fail_thread, again]
    page = ipywidgets.VBox([*style_sheet(), slider, said, *plots, maps, tiles, *buttons, begun])
    page.add_class("insanonym")
    # The dashboard fills one screen; this page is a column that scrolls.
    page.layout = {"display": "block", "height": "auto", "overflow": "visible"}
    display(page)
