"""The dashboard, which begins again in the same kernel when a test asks. Runs in the kernel."""

from __future__ import annotations

import os

import ipywidgets
from IPython.display import display

from insanonym_dashboard.app import App
from insanonym_dashboard.served import LANG, log_errors

BUTTON, COUNT = "renew", "renewed"  # classes of the hidden button, and of how often it was clicked


def show() -> None:
    """The page with a hidden button: a click ends what is there, the next one begins as a page that opens."""
    log_errors()
    place = ipywidgets.VBox()
    place.add_class("insanonym")
    button = ipywidgets.Button(layout={"display": "none"})
    button.add_class(BUTTON)
    count = ipywidgets.HTML("0", layout={"display": "none"})
    count.add_class(COUNT)
    shown: list[App] = []

    def begin() -> None:
        shown.append(App(os.environ.get(LANG, "en")))
        place.children = [*shown[0].root.children, button, count]

    def end() -> None:
        place.children = [button, count]
        shown.pop().close()

    def renew(_: object) -> None:
        if shown:
            end()
        else:
            begin()
        count.value = str(int(count.value) + 1)

    button.on_click(renew)
    begin()
    display(place)
