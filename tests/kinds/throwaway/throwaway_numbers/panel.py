"""The tab of numbers."""

from __future__ import annotations

from insanonym_dashboard.panels.tab import HALF, TabPanel, evidence, overview


class NumbersPanel(TabPanel):
    """Two pages."""

    pages = {  # noqa: RUF012
        "Overview": {"Utility": (overview("utility"), HALF)},
        "Measures": {"Mean distance": (evidence("utility.closeness"), HALF)},
    }
