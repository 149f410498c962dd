"""A tab for kinds of data that declare no panel of their own: all measures, and the evidence of each."""

from __future__ import annotations

from insanonym_core.experiment import entries_of
from insanonym_dashboard.panels.tab import HALF, TabPanel, evidence, overview
from insanonym_dashboard.state import TabState

_OVERVIEWS = {"utility": "Utility", "privacy": "Privacy", "attack": "Attacks"}


class GenericPanel(TabPanel):
    """Overviews of the families there are; then the first evidence of each measure."""

    def __init__(self, state: TabState, lang: str) -> None:
        entries = entries_of(state.recipe)
        families = dict.fromkeys(entry.family or "attack" for entry in entries)
        overviews = {_OVERVIEWS.get(name, name): (overview(name), HALF) for name in families}
        measures = {
            entry.title: (evidence(f"{entry.family}.{entry.name}"), HALF) for entry in entries if entry.family
        }
        self.pages = {"Overview": overviews} | ({"Measures": measures} if measures else {})
        super().__init__(state, lang)
