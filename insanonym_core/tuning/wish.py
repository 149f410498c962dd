"""What somebody wishes for: bounds on headlines and measures, and the headline to maximise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from insanonym_core.errors import UsageError, brief
from insanonym_core.experiment.run import entries_of
from insanonym_core.kinds import Kind
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Entry
from insanonym_core.results.headlines import WHAT
from insanonym_core.texts import Phrase, join_texts

HEADLINES = (*WHAT, "defence")
_ROUNDING = 1e-9  # the same numbers, added up in another order, differ by less


@dataclass(frozen=True)
class Bound:
    """At least (or, if `upper`, at most) `level` of a headline or of a measure, by its key."""

    key: str
    level: float
    upper: bool = False

    def margin(self, values: Mapping[str, float]) -> float:
        """How far the value is on the right side of the level; −infinity where it is undefined.

        Less than rounding errors is 0.
        """
        value = values.get(self.key, math.nan)
        if math.isnan(value):
            return -math.inf
        margin = self.level - value if self.upper else value - self.level
        return 0.0 if abs(margin) < _ROUNDING else margin

    def holds(self, values: Mapping[str, float]) -> bool:
        """Whether the value is within the bound."""
        return self.margin(values) >= 0

    @property
    def phrase(self) -> Phrase:
        """Privacy ≥ 0.70."""
        name = Phrase(self.key.capitalize()) if self.key in HEADLINES else self.key
        text = "{name} ≤ {level:.4g}" if self.upper else "{name} ≥ {level:.4g}"
        return Phrase(text, name=name, level=self.level)


@dataclass(frozen=True)
class Wish:
    """Bounds that a release must keep, and the headline that should be as high as possible."""

    bounds: tuple[Bound, ...] = ()
    maximise: str = "utility"

    def holds(self, values: Mapping[str, float]) -> bool:
        """Whether all bounds are kept."""
        return all(bound.holds(values) for bound in self.bounds)

    def worst_margin(self, values: Mapping[str, float]) -> float:
        """The smallest margin of all bounds; infinity without bounds."""
        return min((bound.margin(values) for bound in self.bounds), default=math.inf)

    def objective(self, values: Mapping[str, float]) -> float:
        """The number to maximise; −infinity where it is undefined."""
        value = values.get(self.maximise, math.nan)
        return -math.inf if math.isnan(value) else value

    def binding(self, values: Mapping[str, float]) -> Bound | None:
        """The bound with the least room; None without bounds."""
        return min(self.bounds, key=lambda bound: bound.margin(values), default=None)

    def measured_keys(self) -> tuple[str, ...]:
        """The keys of the measures that bounds are about, besides the headlines."""
        return tuple(bound.key for bound in self.bounds if bound.key not in HEADLINES)

    @property
    def phrase(self) -> Phrase:
        """The bounds in one line."""
        return join_texts(", ", [bound.phrase for bound in self.bounds])


def wish_of(
    recipe: Recipe,
    at_least: Mapping[str, float] | None = None,
    at_most: Mapping[str, float] | None = None,
    maximise: str = "utility",
) -> Wish:
    """A wish for recipes like this one, its names and numbers checked."""
    if maximise not in HEADLINES:
        raise UsageError(
            "What is maximised must be one of {known}, got {name}.",
            known=", ".join(HEADLINES),
            name=brief(maximise),
        )
    bounds = [_bound(recipe, name, level, False) for name, level in (at_least or {}).items()]
    bounds += [_bound(recipe, name, level, True) for name, level in (at_most or {}).items()]
    return Wish(tuple(bounds), maximise)


def bound_from_text(text: str, option: str) -> tuple[str, float]:
    """A bound as written on the command line: privacy=0.7."""
    name, equals, level = text.partition("=")
    try:
        found = float(level)
    except ValueError:
        found = math.nan
    if not equals or not name.strip() or math.isnan(found):
        raise UsageError(
            "{option} must be NAME=NUMBER, such as {option} privacy=0.7, got {text}.",
            option=option,
            text=brief(text),
        )
    return name.strip(), found


def _bound(recipe: Recipe, name: str, level: float, upper: bool) -> Bound:
    key, limits = _key_of(recipe, name)
    low, high = limits or (-math.inf, math.inf)
    if isinstance(level, bool) or not isinstance(level, int | float) or not low <= level <= high:
        raise UsageError(
            "A bound on {name} must be a number from {low:g} to {high:g}, got {level}.",
            name=name,
            low=low,
            high=high,
            level=brief(level),
        )
    return Bound(key, float(level), upper)


def _key_of(recipe: Recipe, name: str) -> tuple[str, tuple[float, float] | None]:
    """The key behind a name: a headline, family.name, kind.name, or a name that only one measure has."""
    if name in HEADLINES:
        return name, (0.0, 1.0)
    known = entries_of(recipe)
    found = [entry for entry in known if name in _names(entry, recipe.data_kind)]
    if len(found) == 1:
        return found[0].key, found[0].bounds
    names: Sequence[str] = [*HEADLINES, *(entry.key for entry in found or known)]
    if found:
        raise UsageError(
            "{name} can mean several measures: choose one of {names}.",
            name=brief(name),
            names=", ".join(names[len(HEADLINES) :]),
        )
    raise UsageError(
        "There is no headline or measure {name} of {data}; choose from: {names}.",
        name=brief(name),
        data=Phrase(recipe.data_kind.data_title),
        names=", ".join(names),
    )


def _names(entry: Entry, kind: Kind) -> tuple[str, ...]:
    return entry.key, entry.name, f"{kind.name}.{entry.name}"
