"""A tab for kinds of data that declare no panel of their own: all measures, and the evidence of each."""

from __future__ import annotations

from typing import Any

from insanonym_core.experiment import entries_of
from insanonym_dashboard.panels.tab import PLANE, TabPanel, evidence, overview
from insanonym_dashboard.state import TabState

_OVERVIEWS = {"utility": "Utility", "privacy": "Privacy", "attack": "Attacks"}


class GenericPanel(TabPanel):
    """The plane and overviews of the families; then the first evidence of each measure, four a page."""

    def __init__(self, state: TabState, lang: str, *more: Any) -> None:
        entries = entries_of(state.recipe)
        families = dict.fromkeys(entry.family or "attack" for entry in entries)
        first = {"Where you are": PLANE} | {_OVERVIEWS.get(name, name): overview(name) for name in families}
        measures = [
            (entry.title, evidence(f"{entry.family}.{entry.name}")) for entry in entries if entry.family
        ]
        self.pages = {"Overview": first} | {
            f"Measures {start // 4 + 1}" if len(measures) > 4 else "Measures": dict(
                measures[start : start + 4]
            )
            for start in range(0, len(measures), 4)
        }
        super().__init__(state, lang, *more)
