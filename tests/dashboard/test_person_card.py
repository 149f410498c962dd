"""The card of one person and their avatar shows what was observed and what is published, nothing imputed."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from insanonym_core.recipe import Recipe, Step
from insanonym_dashboard.app import App
from insanonym_dashboard.links import pack
from insanonym_dashboard.state import TabState


@pytest.mark.usefixtures("at_once")
def test_gaps_are_shown_as_gaps(monkeypatch):
    monkeypatch.setattr(TabState, "_measure_spread", lambda *_: None)
    recipe = Recipe((Step("mix_neighbours", {"k": 5}),), data="demo:patients", kind="avatars", seed=1)
    app = App("en")
    with app.shell.hold_trait_notifications():
        app.shell.tab, app.shell.page, app.shell.fragment = "avatars", "One person", pack(recipe)
        app.shell.stored, app.shell.known = "", True
    panel = app.panels["avatars"]
    made = panel.state.report.release
    assert panel.state.error == ""
    observed, published = made.source.frame(), made.published.frame()
    gaps = observed["glucose_mmol_l"].isna().to_numpy()
    avatar_gaps = np.empty(len(gaps), dtype=bool)
    avatar_gaps[made.owner] = published["glucose_mmol_l"].isna().to_numpy()
    full = ~gaps & ~avatar_gaps
    for row in (int(np.flatnonzero(where)[0]) for where in (gaps, avatar_gaps, full)):
        panel.row.value = row + 1
        person, avatar = glucose_shown(panel.person.value)
        assert (person == "") == gaps[row]
        assert (avatar == "") == avatar_gaps[row]
        if not gaps[row]:
            assert float(person) == pytest.approx(observed["glucose_mmol_l"][row], abs=1e-3)


def glucose_shown(page: str) -> tuple[str, str]:
    """The cells of the person and of the avatar."""
    rows = (
        [cell.text or "" for cell in row]
        for row in ElementTree.fromstring(f"<page>{page}</page>").iter("tr")  # noqa: S314  our own
    )
    _, person, avatar, *_ = next(row for row in rows if row[0] == "glucose_mmol_l")
    return person, avatar
