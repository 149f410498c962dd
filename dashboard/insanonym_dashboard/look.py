"""The style sheet for JupyterLab, where the server's template does not supply it."""

from __future__ import annotations

from pathlib import Path

import ipywidgets

from insanonym_dashboard.served import is_served

STYLE = Path(__file__).parent / "share/jupyter/voila/templates/insanonym/static/insanonym.css"


def style_sheet() -> list[ipywidgets.HTML]:
    """A list with a widget that adds our style sheet; empty if the page has it already."""
    if is_served():
        return []
    return [
        ipywidgets.HTML(f"<style>{STYLE.read_text(encoding='utf-8')}</style>", layout={"display": "none"})
    ]
