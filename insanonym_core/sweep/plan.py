"""The plan of a sweep: every combination of values, for every seed and every recipe."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from insanonym_core.errors import UsageError
from insanonym_core.recipe import Recipe
from insanonym_core.sweep.axis import Axis, axis_from_text
from insanonym_core.texts import Phrase

MAX_POINTS = 100_000
MAX_AXES = 2
MAX_SEEDS = 1000


@dataclass(frozen=True)
class Point:
    """One run: a recipe with its axes set, and its seed."""

    series: str
    values: Mapping[str, object]
    recipe: Recipe

    @property
    def key(self) -> tuple[str, tuple[tuple[str, object], ...]]:
        """Tells settings apart, whatever the seed."""
        return self.series, tuple(self.values.items())


@dataclass(frozen=True)
class Outcome:
    """The result of a run, or why it failed; `decided_by` is the key of the threat that decides privacy."""

    point: Point
    values: Mapping[str, float] = field(default_factory=dict)
    failed: str = ""
    decided_by: str = ""


@dataclass(frozen=True)
class Plan:
    """All runs in their order; `labels` name the axes, `units` what they count."""

    points: tuple[Point, ...]
    labels: tuple[str, ...]
    units: Mapping[str, str]
    seeds: int

    @property
    def kind(self) -> str:
        """The kind of data all recipes share."""
        return self.points[0].recipe.kind

    @property
    def recipe(self) -> Recipe:
        """The first recipe: headlines, data and kind are the same in all of them."""
        return self.points[0].recipe

    @property
    def hash(self) -> str:
        """Identifies the plan: an interrupted sweep is only resumed by the same plan."""
        text = "\n".join(f"{point.series} {point.recipe.hash}" for point in self.points)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def plan_sweep(recipes: Mapping[str, Recipe], over: Sequence[str | Axis], seeds: int = 1) -> Plan:
    """Each recipe over the axes whose method it has: one or two of them.

    Seeds count up from the recipe's own (0 where it has none): a sweep must repeat.
    """
    axes = [axis_from_text(axis) if isinstance(axis, str) else axis for axis in over]
    labels = [axis.label for axis in axes]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice:
        raise UsageError("{twice} is swept twice: leave one axis out.", twice=twice)
    if not recipes or not axes:
        raise UsageError(
            "A sweep needs at least one recipe and one axis, such as planar_laplace.radius=10:2000:20."
        )
    if not 1 <= seeds <= MAX_SEEDS:
        raise UsageError(
            "The number of seeds must be from 1 to {max_seeds}, got {seeds}.",
            max_seeds=MAX_SEEDS,
            seeds=seeds,
        )
    if not comparable(recipes.values()):
        raise UsageError(
            "Recipes of one sweep must have the same data, kind, rules, roles, reading, settings "
            "and headline, to be compared in one figure: sweep them one by one."
        )
    for axis in axes:
        if all(axis.place(recipe) is None for recipe in recipes.values()):
            steps = ", ".join(dict.fromkeys(step.method for r in recipes.values() for step in r.steps))
            raise UsageError(
                "No recipe has a step for {label}; their steps are: {steps}.",
                label=axis.label,
                steps=steps or Phrase("none"),
            )
    points: list[Point] = []
    for series, recipe in recipes.items():
        own = [axis for axis in axes if axis.place(recipe) is not None]
        if not 1 <= len(own) <= MAX_AXES:
            raise UsageError(
                "The recipe {series} must be swept over one or two parameters, got {count}.",
                series=series,
                count=len(own),
            )
        points += _points(series, recipe, own, seeds)
        if len(points) > MAX_POINTS:
            raise UsageError(
                "A sweep must have at most {max_points:,} runs: take fewer values or seeds.",
                max_points=MAX_POINTS,
            )
    units = {
        axis.label: getattr(axis.declared(recipe).constraint, "unit", "")
        for axis in axes
        for recipe in recipes.values()
        if axis.place(recipe) is not None
    }
    return Plan(tuple(points), tuple(labels), units, seeds)


def _points(series: str, recipe: Recipe, axes: Sequence[Axis], seeds: int) -> list[Point]:
    first = recipe.seed or 0
    points = []
    for values in itertools.product(*(axis.values(recipe) for axis in axes)):
        moved = recipe
        for axis, value in zip(axes, values, strict=True):
            place = axis.place(recipe)
            if place is not None:
                moved = moved.with_parameter(place, axis.parameter, value)
        named = {axis.label: value for axis, value in zip(axes, values, strict=True)}
        points += [Point(series, named, replace(moved, seed=first + number)) for number in range(seeds)]
    return points


def comparable(recipes: Iterable[Recipe]) -> bool:
    """Whether one plot can compare their releases: of one data set, by one pair of headlines."""
    facts = {
        (
            str(recipe.place or recipe.data),
            recipe.kind,
            recipe.rules,
            *(
                str(sorted(part.items()))
                for part in (recipe.roles, recipe.reading, recipe.settings, recipe.headline)
            ),
        )
        for recipe in recipes
    }
    return len(facts) <= 1
