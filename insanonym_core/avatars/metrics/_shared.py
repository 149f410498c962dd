"""Helpers shared by the measures of avatars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from insanonym_core.avatars.release import Avatars
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.holders import MIN_HOLDERS, common_range, rare_bins, round_edges
from insanonym_core.parameters import Choice
from insanonym_core.results.scores import Distribution
from insanonym_core.texts import Phrase

SpaceName = Annotated[str, Choice("pca", "columns", "latent")]
NO_PAIRING = Phrase("it is not known which avatar was made from which row")
NO_OWN_ROW = Phrase("no synthetic row is made from one person's row")
BINS = 40
VALUE_BINS = 20


def why_unpaired(avatars: Avatars) -> Phrase:
    """Return why nobody has an avatar of their own."""
    return NO_PAIRING if avatars.method is None else NO_OWN_ROW


def histogram(title: str, unit: str, groups: Mapping[str, Floats | Ints]) -> Distribution:
    """Draw the distances of several groups on the same round edges, as shares, with medians marked.

    The few largest of each group are not drawn: the distance of an outlier would reveal its values.
    """
    ends = [_max_without_rare(values) for values in groups.values()]
    low = min(float(values.min()) for values in groups.values())
    whole = all((values % 1 == 0).all() for values in groups.values())
    edges = round_edges(low, max(low, *ends), BINS, whole=whole)
    shares = {name: np.histogram(values, edges)[0] / len(values) for name, values in groups.items()}
    return Distribution(
        title, "share of the rows", unit, edges, shares, _medians(groups), shows_individuals=False
    )


def _max_without_rare(values: Floats | Ints) -> float:
    """Return the largest value that at least MIN_HOLDERS rows reach."""
    return float(np.partition(values, -min(MIN_HOLDERS, len(values)))[-min(MIN_HOLDERS, len(values))])


def values_before_and_after(
    title: str, unit: str, avatars: Avatars, before: Floats, after: Floats, *, medians: bool = False
) -> Distribution:
    """Draw the values of originals and avatars on the same round edges, as shares.

    The edges end at values that several people have; bins with few people are left out. Missing values (NaN)
    are not drawn.
    """
    present = ~np.isnan(before)
    people = tuple(codes[present] for codes in avatars.people)
    before, after = before[present], after[~np.isnan(after)]
    ends = common_range(before, people, avatars.min_holders)
    if ends is None:
        return Distribution(title, "share of the rows", unit, np.zeros(0), {}, shows_individuals=False)
    edges = round_edges(*ends, VALUE_BINS, whole=bool((before % 1 == 0).all() and (after % 1 == 0).all()))
    rare = rare_bins(before, people, edges, avatars.min_holders)
    groups = {"originals": before, "avatars": after}
    shares = {name: np.histogram(values, edges)[0] / len(values) for name, values in groups.items()}
    shares["originals"] = np.where(rare, 0.0, shares["originals"])
    marks = _medians(groups) if medians else {}
    return Distribution(title, "share of the rows", unit, edges, shares, marks, shows_individuals=False)


def _medians(groups: Mapping[str, Floats | Ints]) -> dict[str, float]:
    return {
        Phrase("median, {group}", group=Phrase(name)): float(np.median(values))
        for name, values in groups.items()
    }
