"""Evidence of two settings in one figure: groups, lines and points of the other one beside those shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from insanonym_core.results.scores import Bars, Cloud, Curve, Distribution, Evidence, Values
from insanonym_core.texts import Phrase

One = TypeVar("One")
THIS = Phrase("this setting")
BEFORE = Phrase("before anonymisation")
_MIN_EDGES = 3  # of classes, where two settings have other ones


def beside(shown: Evidence, other: Evidence, name: str) -> Evidence | None:
    """The evidence with that of another setting in it; None where one figure cannot hold both."""
    match shown, other:
        case Bars(), Bars() if shown.unit == other.unit:
            return _bars(shown, other, name)
        case Distribution(), Distribution() if (shown.what, shown.unit) == (other.what, other.unit):
            return _distribution(shown, other, name)
        case Curve(), Curve():
            return replace(shown, others={**shown.others, name: (other.x, other.y)})
        case Cloud(), Cloud():
            known = shown.groups.items()
            new = {
                group: points
                for group, points in other.groups.items()
                if not any(one == group and _same(points, at) for one, at in known)
            }
            return replace(shown, groups={**shown.groups, **_named(new, shown.groups, name)})
    return None


def _same(some: tuple[Values, Values], others: tuple[Values, Values]) -> bool:
    return all(np.array_equal(one, other, equal_nan=True) for one, other in zip(some, others, strict=True))


def _named(new: Mapping[str, One], known: Mapping[str, object], name: str) -> dict[str, One]:
    """The groups of another setting by its name; with the name of the group too where there are several."""
    if len(known) == 1:
        return dict(zip([name], new.values(), strict=False))
    return {Phrase("{group}, {setting}", group=_say(group), setting=name): one for group, one in new.items()}


def _say(group: str) -> str:
    """A group's name as a text of ours: it is said in the language of the figure."""
    return group if isinstance(group, Phrase) else Phrase(group)


def _bars(shown: Bars, other: Bars, name: str) -> Bars:
    """All labels of both; a label that one of them has not is a gap there."""
    labels = list(dict.fromkeys((*shown.labels, *other.labels)))

    def placed(bars: Bars) -> dict[str, Values]:
        place = {label: index for index, label in enumerate(bars.labels)}
        return {
            group: np.array([values[place[one]] if one in place else np.nan for one in labels], dtype=float)
            for group, values in bars.groups.items()
        }

    now = placed(shown)
    new = _most_changed(placed(other), now)
    groups: dict[str, Values] = {THIS: next(iter(now.values()))} if len(now) == 1 else now
    return replace(shown, labels=tuple(labels), values={**groups, **_named(new, now, name)})


def _distribution(shown: Distribution, other: Distribution, name: str) -> Distribution | None:
    """Both on the edges that both can be counted on; histograms need the same edges, classes some."""
    mine, theirs = np.asarray(shown.edges, float), np.asarray(other.edges, float)
    edges = _common_edges(shown, other)
    histograms = _are_even(mine) and _are_even(theirs)
    if len(edges) < _MIN_EDGES or (histograms and not (len(edges) >= len(mine) and _are_even(edges))):
        return None
    now = {group: _counted(mine, counts, edges) for group, counts in shown.counts.items()}
    new = {group: _counted(theirs, counts, edges) for group, counts in other.counts.items()}
    groups: dict[str, Values] = {THIS: next(iter(now.values()))} if len(now) == 1 else now
    return replace(shown, edges=edges, counts={**groups, **_named(_most_changed(new, now), now, name)})


def _most_changed(new: Mapping[str, Values], now: Mapping[str, Values]) -> dict[str, Values]:
    """Of several groups the one that changes most: the others are what both settings began with."""
    change = {
        group: float(np.nansum(np.abs(values - now[group]))) for group, values in new.items() if group in now
    }
    if len(now) == 1 or not change:
        return dict(new)
    most = max(change, key=lambda group: change[group])
    return {most: new[most]} if change[most] > 0 else {}


def _are_even(edges: Values) -> bool:
    """Whether all bins are equally wide."""
    return bool(np.isfinite(edges).all() and np.allclose(np.diff(edges), edges[1] - edges[0], rtol=1e-3))


def _common_edges(shown: Distribution, other: Distribution) -> Values:
    """Edges on which both can be counted: each is an edge, beyond the ends, or where nothing is, in both."""
    both = np.union1d(shown.edges, other.edges).astype(float)

    def cuts(one: Distribution) -> Values:
        edges = np.asarray(one.edges, dtype=float)
        counts = np.sum([np.nan_to_num(np.asarray(values, float)) for values in one.counts.values()], axis=0)
        inside = np.clip(np.searchsorted(edges, both, "right") - 1, 0, len(counts) - 1)
        near = np.array([np.isclose(edges, edge, rtol=1e-9, atol=1e-12).any() for edge in both], dtype=bool)
        return near | (both < edges[0]) | (both > edges[-1]) | (counts[inside] == 0)

    found: Values = both[cuts(shown) & cuts(other)]
    return found


def _counted(edges: Values, counts: Values, wanted: Values) -> Values:
    """Counts on coarser edges."""
    lower = np.asarray(edges, float)[:-1]
    place = np.searchsorted(wanted, lower + 1e-12, "right") - 1
    found: Values = np.bincount(place, np.asarray(counts, dtype=float), len(wanted) - 1)
    return found
