"""The trail of a tab, without widgets: its earlier settings, undo and redo, and pins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import traitlets

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import Report
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import recipe_from_content
from insanonym_dashboard.links import without_file

MAX_VISITS = 200
LETTERS = "ABCDEFGH"
SHARE = "share."


@dataclass(frozen=True, eq=False)
class Visit:
    """A setting that came to rest, with its numbers.

    `parent` is the number of the visit before it, −1 for the first. `hollow`: who is who may be hidden, where
    somebody was is not.
    """

    number: int
    parent: int
    recipe: Recipe
    values: Mapping[str, float]
    data_name: str
    hollow: bool = False

    @property
    def utility(self) -> float:
        """The headline of utility."""
        return self.values.get("utility", math.nan)

    @property
    def privacy(self) -> float:
        """The headline of privacy."""
        return self.values.get("privacy", math.nan)

    def plain(self) -> dict[str, Any]:
        """The visit as JSON values, for the browser's storage."""
        values = {name: round(value, 6) for name, value in self.values.items() if math.isfinite(value)}
        return {
            "number": self.number,
            "parent": self.parent,
            "recipe": self.recipe.plain(),
            "values": values,
            "data": self.data_name,
            "hollow": self.hollow,
        }


class Trail(traitlets.HasTraits):
    """Visits in the order they came, which one is current, and letters of pinned ones.

    Going back leaves every visit on the plane: a setting after that is a child of the one gone back to.
    """

    visits = traitlets.Tuple()
    current = traitlets.Int(-1)
    """Number of the visit that the sliders show; −1 before the first."""
    pins = traitlets.Dict()
    """Letter → number of a visit."""

    def __getitem__(self, number: int) -> Visit:
        found: Visit = next(one for one in self.visits if one.number == number)
        return found

    def get(self, number: int) -> Visit | None:
        """The visit of this number, if it is still kept."""
        return next((one for one in self.visits if one.number == number), None)

    def arrive(self, report: Report, data_name: str) -> None:
        """Add a setting; if it is the current one, update its numbers."""
        now = self.get(self.current)
        hollow = report.hollow
        if now is not None and (now.recipe.hash, now.data_name) == (report.recipe.hash, data_name):
            renewed = replace(now, values=numbers_of(report), hollow=hollow)
            self.visits = tuple(renewed if one is now else one for one in self.visits)
            return
        number = 1 + max((one.number for one in self.visits), default=-1)
        visit = Visit(number, self.current, report.recipe, numbers_of(report), data_name, hollow)
        with self.hold_trait_notifications():
            self.visits = self._bounded((*self.visits, visit))
            self.current = number

    def _bounded(self, visits: tuple[Visit, ...]) -> tuple[Visit, ...]:
        """The newest visits; pinned ones stay."""
        too_many = len(visits) - MAX_VISITS
        old = [one for one in visits if one.number not in self.pins.values()][: max(0, too_many)]
        return tuple(one for one in visits if one not in old)

    def previous(self) -> Visit | None:
        """The visit that undo goes to."""
        now = self.get(self.current)
        return self.get(now.parent) if now is not None else None

    def following(self) -> Visit | None:
        """The visit that redo goes to: the newest one that came after the current one."""
        return next((one for one in reversed(self.visits) if one.parent == self.current), None)

    def pin(self) -> str:
        """Pin the current visit, or take its pin away; return its letter, empty where there is none."""
        known = next((letter for letter, number in self.pins.items() if number == self.current), "")
        if known:
            self.unpin(known)
            return ""
        free = next((letter for letter in LETTERS if letter not in self.pins), "")
        if not free or self.get(self.current) is None:
            return ""
        self.pins = dict(sorted({**self.pins, free: self.current}.items()))
        return free

    def unpin(self, letter: str) -> None:
        """Take a pin away."""
        self.pins = {one: number for one, number in self.pins.items() if one != letter}

    def clear(self) -> None:
        """Forget everything but the current visit and the pins."""
        keep = {self.current, *self.pins.values()}
        kept = tuple(one for one in self.visits if one.number in keep)
        self.visits = tuple(replace(one, parent=-1) for one in kept)

    @property
    def pinned(self) -> dict[str, Visit]:
        """Pinned visits by letter."""
        return {letter: visit for letter, number in self.pins.items() if (visit := self.get(number))}

    def plain(self) -> dict[str, Any]:
        """The trail as JSON values, for the browser's storage or a file."""
        return {"visits": [one.plain() for one in self.visits], "current": self.current, "pins": self.pins}

    def restore(self, content: Any, kind: str) -> None:
        """Load visits from JSON values; invalid ones are ignored."""
        fields = content if isinstance(content, dict) else {}
        found = fields.get("visits")
        visits: dict[int, Visit] = {}
        for one in (found if isinstance(found, list) else [])[-MAX_VISITS:]:
            visit = _visit(one, kind)
            if visit is not None:
                visits[visit.number] = visit
        pins = fields.get("pins")
        with self.hold_trait_notifications():
            self.visits = tuple(visits.values())
            self.current = number if (number := fields.get("current")) in list(visits) else -1
            self.pins = {
                letter: number
                for letter, number in (pins if isinstance(pins, dict) else {}).items()
                if letter in tuple(LETTERS) and type(number) is int and number in visits
            }


def numbers_of(report: Report) -> dict[str, float]:
    """Every number of a report; for threats also the share that they stand for, as `share.<key>`."""
    shares = {f"{SHARE}{found.measure.key}": found.share for found in report.threats}
    return {**report.values(), **shares}


def _visit(content: Any, kind: str) -> Visit | None:
    try:
        recipe = without_file(recipe_from_content(content["recipe"]))  # it may come from anybody
        values = {str(name): float(value) for name, value in content["values"].items()}
        visit = Visit(
            int(content["number"]),
            int(content["parent"]),
            recipe,
            values,
            str(content["data"]),
            bool(content["hollow"]),
        )
    except (InsanonymError, KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    of_this_data = recipe.data in (None, visit.data_name) and (
        recipe.data is not None or visit.data_name not in recipe.data_kind.demos
    )
    return visit if recipe.kind == kind and of_this_data else None
