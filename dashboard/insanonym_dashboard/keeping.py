"""State that survives a reload: the recipe in the address, and trails in the browser's storage."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from insanonym_core.recipe import Recipe
from insanonym_dashboard.links import pack, unpack
from insanonym_dashboard.shell import Shell
from insanonym_dashboard.state import TabState

MAX_KEPT = 1_000_000  # characters of all trails together, as JSON
FORMAT = 1


class Keeping:
    """Writes the states of the tabs to the address and the browser's storage, and reads them back."""

    def __init__(self, shell: Shell, states: Mapping[str, TabState]) -> None:
        self._shell, self._states = shell, states
        self._stored: dict[str, Any] | None = None

    def stored(self, tab: str) -> Any:
        """What the browser kept of a tab before this page was opened; None if nothing."""
        if self._stored is None:
            self._stored = _read(self._shell.stored)
        return self._stored.get(tab)

    def recipe_of_address(self) -> Recipe | None:
        """The recipe encoded in the page's address, None without one; raises an error for a broken link."""
        return unpack(self._shell.fragment) if self._shell.fragment else None

    def restore(self, state: TabState) -> None:
        """Take over the trail that the browser kept for a tab."""
        content = self.stored(state.kind.name)
        if content is not None:
            state.trail.restore(content, state.kind.name)

    def write(self, tab: str) -> None:
        """Write the open tab's recipe to the address, and all trails to the browser."""
        state = self._states.get(tab)
        self._shell.fragment = pack(state.recipe) if state is not None else ""
        kept = dict(self._stored or {}) | {
            name: one.trail.plain() for name, one in self._states.items() if one.trail.visits
        }
        text = json.dumps({"format": FORMAT, "trails": kept}, separators=(",", ":"))
        if len(text) <= MAX_KEPT:
            self._shell.kept = text


def fitted(recipe: Recipe, state: TabState) -> Recipe:
    """Adapt an imported recipe to the data that is open, unless it names demonstration data.

    One that was made for a file of somebody's own takes the columns of the demonstration data instead.
    """
    if recipe.data is not None:
        return recipe
    if state.data is not None:
        return replace(recipe, seed=None)
    fitting = replace(recipe, data=state.recipe.data, seed=state.recipe.seed)
    changes = state.kind.adapted(fitting, state.original(), state.data_name)
    return replace(fitting, **changes)


def adopt(recipe: Recipe, state: TabState) -> None:
    """Apply an imported recipe to a tab, on its demonstration data or on the data that is open."""
    fitting = fitted(recipe, state)
    if recipe.data is not None:
        state.data, state.file_digest = None, ""
    state.recipe = fitting
    if recipe.data is not None:
        state.data_name = recipe.data


def session_text(state: TabState) -> str:
    """Recipe, trail and pins of a tab as a file."""
    content = {"format": FORMAT, "kind": state.kind.name, "trail": state.trail.plain()}
    return json.dumps(content, indent=1, ensure_ascii=False)


def trail_of_session(text: str) -> Any:
    """The trail that a file of `session_text` holds; None if it is no such file."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content.get("trail") if isinstance(content, dict) and content.get("format") == FORMAT else None


def _read(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text) if text and len(text) <= MAX_KEPT else {}
        trails = content["trails"] if isinstance(content, dict) and content.get("format") == FORMAT else {}
    except (ValueError, RecursionError, KeyError):
        return {}
    return trails if isinstance(trails, dict) else {}
