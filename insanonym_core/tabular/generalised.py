"""A generalised column: an interval or a set of values for each group of rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import PairCounts, count_pairs, expanded
from insanonym_core.tabular.hierarchies import HierarchyColumn
from insanonym_core.tabular.table import MISSING, Column

EMPTY = "*"  # published in an emptied cell


@dataclass(frozen=True, eq=False)
class GeneralisedColumn:
    """The published values of each group: its range of codes, its set of values, and whether one is missing.

    Numbers and dates become the interval [low, high], categories the set of values that occur. `low` and
    `high` are MISSING where a group has no value at all. `names` are what a hierarchy calls them.
    Where `emptied`, nothing is said: anything may be meant.
    """

    column: Column
    groups: int
    low: Ints
    high: Ints
    missing: Bools
    members: PairCounts
    names: Sequence[str] | None = None
    emptied: Bools | None = None

    @classmethod
    def from_groups(cls, column: Column, group: Ints, groups: int) -> GeneralisedColumn:
        """Collect the values of each group; `group` is the group number of each row."""
        present = column.codes != MISSING
        members = count_pairs(group[present], groups, column.codes[present], max(len(column.values), 1))
        low = np.full(groups, MISSING, dtype=np.int64)
        high = np.full(groups, MISSING, dtype=np.int64)
        first = np.searchsorted(members.group, np.arange(groups), "left")
        last = np.searchsorted(members.group, np.arange(groups), "right")
        has_value = last > first
        low[has_value] = members.item[first[has_value]]
        high[has_value] = members.item[last[has_value] - 1]
        missing = np.zeros(groups, dtype=bool)
        missing[group[~present]] = True
        return cls(column, groups, low, high, missing, members)

    @classmethod
    def from_hierarchy(cls, column: HierarchyColumn, group: Ints, groups: int) -> GeneralisedColumn:
        """Publish the lowest node of the hierarchy above the values of each group."""
        found = cls.from_groups(column, group, groups)
        held = np.flatnonzero(found.low != MISSING)
        low, high = np.full(groups, MISSING, dtype=np.int64), np.full(groups, MISSING, dtype=np.int64)
        low[held], high[held], labels = column.spans(found.low[held], found.high[held])
        names = [""] * groups
        for place, label in zip(held.tolist(), labels, strict=True):
            names[place] = label
        # Every value below the node may be meant: they are the members.
        owner, here = expanded(low[held], high[held] + 1, column.back)
        order = np.lexsort((here, owner))
        members = PairCounts(held[owner][order], here[order], np.ones(len(here), dtype=np.int64))
        if column.kind == "category":  # codes of the original are not in the order of the hierarchy
            low[held] = members.item[np.searchsorted(members.group, held, "left")]
            high[held] = members.item[np.searchsorted(members.group, held, "right") - 1]
        return cls(column.original, groups, low, high, found.missing, members, names)

    @cached_property
    def set_size(self) -> Ints:
        """Number of different values of each group, missing included."""
        return np.bincount(self.members.group, minlength=self.groups) + self.missing

    def take(self, groups: Ints) -> GeneralisedColumn:
        """Return some of the groups, each as often as it is named."""
        first, last = (np.searchsorted(self.members.group, groups, side) for side in ("left", "right"))
        owner, place = expanded(first, last, np.arange(len(self.members.group)))
        members = PairCounts(owner, self.members.item[place], self.members.count[place])
        names = None if self.names is None else [self.names[group] for group in groups.tolist()]
        parts = self.low[groups], self.high[groups], self.missing[groups]
        emptied = None if self.emptied is None else self.emptied[groups]
        return GeneralisedColumn(self.column, len(groups), *parts, members, names, emptied)

    def value_labels(self) -> list[str]:
        """Return the text published for the values of each group, without what is said of missing ones."""
        if self.names is not None:
            return list(self.names)
        texts = self.column.texts()
        return self._sets(texts) if self.column.kind == "category" else self._intervals(texts)

    def labels(self) -> list[str]:
        """Return the text published for each group: a value, an interval or a set."""
        labels = [
            "missing" if low == MISSING else f"missing or {label}" if missing else label
            for low, missing, label in zip(
                self.low.tolist(), self.missing.tolist(), self.value_labels(), strict=True
            )
        ]
        if self.emptied is None:
            return labels
        return [
            EMPTY if empty else f'"{EMPTY}"' if label == EMPTY else label
            for label, empty in zip(labels, self.emptied.tolist(), strict=True)
        ]

    def _intervals(self, texts: list[str]) -> list[str]:
        """Return the interval of each group as text; a single value if both ends are equal."""
        return [
            "" if low == MISSING else texts[low] if low == high else f"[{texts[low]}, {texts[high]}]"
            for low, high in zip(self.low.tolist(), self.high.tolist(), strict=True)
        ]

    def _sets(self, texts: list[str]) -> list[str]:
        """Return the set of values of each group as text; a single value without braces."""
        single = [_quote_if_ambiguous(text, _AMBIGUOUS_VALUE) for text in texts]
        in_set = [_quote_if_ambiguous(text, _AMBIGUOUS_IN_SET) for text in texts]
        names = [in_set[code] for code in self.members.item.tolist()]
        ends = np.cumsum(np.bincount(self.members.group, minlength=self.groups)).tolist()
        labels, first = [], 0
        for last in ends:
            if last - first == 1:
                labels.append(single[int(self.members.item[first])])
            else:
                labels.append("{" + ", ".join(names[first:last]) + "}")
            first = last
        return labels

    def loss(self) -> Floats:
        """Normalised certainty penalty of each group: width/range, or (set size − 1)/(domain − 1).

        Missing is one value more of the domain. Beside m different numbers it stands one mean step below the
        lowest: the range is m steps long instead of m − 1, and "missing or 5" costs one of them.
        """
        if self.column.kind == "category":
            return (self.set_size - 1) / max(self.column.domain - 1, 1)
        numbers = self.column.numbers()
        width = np.zeros(self.groups)
        if len(numbers) > 1:
            width = numbers[np.maximum(self.high, 0)] - numbers[np.maximum(self.low, 0)]
            width /= numbers[-1] - numbers[0]
        if not self.column.has_missing or len(numbers) == 0:
            return width
        both = self.missing & (self.low != MISSING)
        return (width * (len(numbers) - 1) + both) / len(numbers)

    def middle(self) -> Floats:
        """Return one number per group: the middle of its interval or of its range of codes; NaN if none."""
        if len(self.column.values) == 0:
            return np.full(self.groups, np.nan)
        numbers = self.column.numbers()
        middle = (numbers[np.maximum(self.low, 0)] + numbers[np.maximum(self.high, 0)]) / 2
        return np.where(self.low == MISSING, np.nan, middle)

    def holds(self, code: Ints, group: Ints) -> Bools:
        """Whether each code lies in the interval or set of its group, element by element."""
        if self.column.kind != "category":
            inside = (self.low[group] <= code) & (code <= self.high[group]) & (code != MISSING)
        else:
            width = max(len(self.column.values), 1)
            keys = self.members.group * width + self.members.item
            requested = group.astype(np.int64) * width + np.maximum(code, 0)
            place = np.minimum(np.searchsorted(keys, requested), max(len(keys) - 1, 0))
            inside = (
                (keys[place] == requested) & (code != MISSING)
                if len(keys)
                else np.zeros(len(code), dtype=bool)
            )
        return inside | (self.missing[group] & (code == MISSING))

    def share_within(self, first: int, last: int) -> Floats:
        """Return the share of each group's values that lies in a span of codes, assuming an even spread."""
        if self.column.kind == "category":
            inside = (self.members.item >= first) & (self.members.item <= last)
            return np.bincount(self.members.group[inside], minlength=self.groups) / np.maximum(
                self.set_size, 1
            )
        overlap = np.minimum(self.high, last) - np.maximum(self.low, first) + 1
        width = self.high - self.low + 1 + self.missing
        return np.where(self.low == MISSING, 0.0, np.maximum(overlap, 0) / np.maximum(width, 1))


_AMBIGUOUS_VALUE = re.compile(r'^(missing|[{\["])')
_AMBIGUOUS_IN_SET = re.compile(r'[,{}\[\]"]|^missing')


def _quote_if_ambiguous(text: str, confusing: re.Pattern[str]) -> str:
    """Quote a value that could be read as a set or as a missing value."""
    return '"' + text.replace('"', '""') + '"' if confusing.search(text) else text
