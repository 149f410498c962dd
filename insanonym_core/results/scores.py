"""A score, and the evidence from which its figures are drawn.

Evidence is plain data that a figure, a map or a table can show; its *kind* (the class) decides how it is
drawn, never the name of the score it belongs to. Each piece must say whether single people can be seen in it:
only what says no goes into a report or a download, unless somebody asks for the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Values: TypeAlias = NDArray[Any]  # Any: numbers of any type
JsonObject: TypeAlias = dict[str, Any]  # Any: a value of JSON, nested at will


@dataclass(frozen=True, eq=False, kw_only=True)
class EvidenceBase:
    """What all evidence has: `shows_individuals` where a line, bar, point or cell may be a single person.

    It has no default: whoever adds evidence decides, and a test looks for people in what says no. `name` is
    set where somebody looks for this piece among those of a step.
    """

    shows_individuals: bool
    name: str = ""


@dataclass(frozen=True, eq=False)
class Distribution(EvidenceBase):
    """How many of `what` fall between successive edges, for one or several groups on the same edges.

    `marks` are values on the axis at which a line is drawn, such as a median.
    """

    title: str
    what: str
    unit: str
    edges: Values
    counts: Mapping[str, Values]
    marks: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Bars(EvidenceBase):
    """One value per label, or one per label and group; `references` are levels to read them against.

    `why_empty` is said where there is no bar to draw. `share`: values are shares, drawn on an axis from 0 to
    100 %, so that a longer bar is always a larger share. `lowest`: where there is no room for all, the lowest
    bars are those to show.
    """

    title: str
    unit: str
    labels: tuple[str, ...]
    values: Values | Mapping[str, Values]
    references: Mapping[str, float] = field(default_factory=dict)
    why_empty: str = ""
    share: bool = False
    lowest: bool = False

    @property
    def groups(self) -> Mapping[str, Values]:
        """The values by group; a single group has no name."""
        return self.values if isinstance(self.values, Mapping) else {"": self.values}


@dataclass(frozen=True, eq=False)
class Matrix(EvidenceBase):
    """A value for each pair of labels: rows against columns."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Values


@dataclass(frozen=True, eq=False)
class Table(EvidenceBase):
    """Named columns of equal length."""

    title: str
    columns: Mapping[str, Values]


@dataclass(frozen=True, eq=False)
class CellMap(EvidenceBase):
    """Cells of a grid (side = `size` degrees, given by their centres) with named values for each."""

    title: str
    size: float
    latitude: Values
    longitude: Values
    values: Mapping[str, Values]


@dataclass(frozen=True, eq=False)
class PoiMap(EvidenceBase):
    """Points of interest: whose, when, of which type, where, and the stay in original and release."""

    title: str
    individual: Values
    week: Values
    kind: Values
    latitude: Values
    longitude: Values
    stay_original: Values
    stay_release: Values


@dataclass(frozen=True, eq=False)
class Curve(EvidenceBase):
    """A line of y against x; `references` are y values and `marks` x values at which a line is drawn.

    `share`: y is a share, drawn on an axis from 0 to 100 %. `others` are lines to compare it with, by name.
    """

    title: str
    x_label: str
    y_label: str
    x: Values
    y: Values
    references: Mapping[str, float] = field(default_factory=dict)
    marks: Mapping[str, float] = field(default_factory=dict)
    share: bool = False
    others: Mapping[str, tuple[Values, Values]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Cloud(EvidenceBase):
    """Points of several groups in one plane."""

    title: str
    x_label: str
    y_label: str
    groups: Mapping[str, tuple[Values, Values]]


@dataclass(frozen=True, eq=False)
class Flow(EvidenceBase):
    """How many go from each source to each target: three columns of equal length."""

    title: str
    what: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    count: Values


@dataclass(frozen=True, eq=False)
class Tree(EvidenceBase):
    """Nodes below each other: `parent` is a node's place here (-1 for the root); `notes` belong to each.

    `branch`: at most one child of each node goes on, so that every level has the whole width to itself.
    """

    title: str
    what: str
    labels: tuple[str, ...]
    parent: Values
    size: Values
    notes: tuple[tuple[str, ...], ...]
    branch: bool = False


def may_be_handed_over(evidence: object) -> bool:
    """Whether the evidence declares that it shows no individuals; undeclared evidence is not handed over."""
    return getattr(evidence, "shows_individuals", True) is False


Evidence = Distribution | Bars | Matrix | Table | CellMap | PoiMap | Curve | Cloud | Flow | Tree


@dataclass(frozen=True)
class Score:
    """A number, why it is what it is, and how sure we are. Undefined is neither 0 nor an error."""

    value: float
    evidence: tuple[Evidence, ...] = ()
    details: Mapping[str, float | int | None] = field(default_factory=dict)
    interval: tuple[float, float] | None = None
    undefined_because: str = ""

    @classmethod
    def undefined(cls, because: str) -> Score:
        """No number, and the reason."""
        return cls(math.nan, undefined_because=because)

    @property
    def defined(self) -> bool:
        """Whether there is a number."""
        return not math.isnan(self.value)


def mean_of(scores: Sequence[Score]) -> float:
    """The mean of the scores that are defined; NaN without any."""
    values = [score.value for score in scores if score.defined]
    return fmean(values) if values else math.nan


def as_json(value: object) -> Any:  # Any: a value of JSON, nested at will
    """Plain JSON values: NaN becomes null, numpy's numbers become Python's."""
    if isinstance(value, Mapping):
        return {str(key): as_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(inner) for inner in value]
    if isinstance(value, np.ndarray):
        return as_json(value.tolist())
    if isinstance(value, np.generic):
        return as_json(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
