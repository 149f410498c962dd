"""The tab of numbers."""

from __future__ import annotations

from insanonym_dashboard.panels.tab import PLANE, TabPanel, evidence, overview


class NumbersPanel(TabPanel):
    """Two pages."""

    pages = {  # noqa: RUF012
        "Overview": {"Where you are": PLANE, "Utility": overview("utility")},
        "Measures": {"Mean distance": evidence("utility.closeness")},
    }
