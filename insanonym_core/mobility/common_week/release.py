"""All weeks: groups, their common weeks, and for each row the record that it is published with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from insanonym_core.mobility.common_week.assign import carriers
from insanonym_core.mobility.common_week.blocks import MAX_PEOPLE, blocks
from insanonym_core.mobility.common_week.content import Coverage, Offer, choose, common_rows, make_offer
from insanonym_core.mobility.common_week.groups import form_groups
from insanonym_core.mobility.common_week.rows import DECIMALS, Rows, rows_by_week, rows_of
from insanonym_core.mobility.common_week.tables import PairTables, Weights, pair_tables
from insanonym_core.mobility.competition import known_units
from insanonym_core.mobility.stays import WINDOWS_V2, stay_totals
from insanonym_core.mobility.track import DELETED, Track
from insanonym_core.numeric.arrays import Ints
from insanonym_core.runtime.jobs import checkpoint

ROUNDS = 2  # over the common weeks of all groups, after the first: each time given those of the other weeks
MAX_KEPT_PAIRS = 2_000_000  # of individuals in blocks, whose tables are kept; about 100 bytes each
MAX_KEPT_ROWS = 1_000_000  # of which the offers of groups are kept between the rounds; about 200 bytes each


@dataclass(frozen=True, eq=False)
class Block:
    """Similar people of a week: the numbers of their rows, and their tables."""

    numbers: Ints
    tables: PairTables


@dataclass(eq=False)
class _Group:
    """A group of a week: the numbers of its rows, what was chosen, and the cells that are published."""

    numbers: Ints
    offer: Callable[[], Offer]
    chosen: Ints
    common: Ints
    cells: Ints


def published_rows(track: Track, mean_size: float, min_size: int) -> Ints:
    """For each row the row whose time and place it is published with, DELETED if it is deleted."""
    source = np.full(len(track), DELETED, dtype=np.int64)
    kept = track.kept
    if not len(kept):
        return source
    weights = _weights(kept)
    published = _PublishedCells(kept)
    groups: list[_Group] = []
    for block in _blocks(kept):
        checkpoint("Forming groups")
        rows = rows_of(kept, block.numbers)
        for members in form_groups(block.tables.weighted(weights), mean_size, min_size):
            groups.append(published.first_choice(rows.select(members), weights))
    for _ in range(ROUNDS):
        for group in groups:
            checkpoint("Choosing common weeks")
            published.improve(group)
    for group in groups:
        checkpoint("Assigning rows")
        rows = rows_of(kept, group.numbers)
        for member in range(len(rows.people)):
            carrier = rows.number[carriers(rows, member, group.common)]
            source[track.kept_row_numbers[carrier]] = track.kept_row_numbers[rows.number[group.common]]
    return source


def _blocks(kept: Track) -> Iterable[Block]:
    """The blocks of all weeks. They do not depend on the sizes of groups, and are kept if they are small."""
    if len(known_units(kept)[0]) * MAX_PEOPLE > MAX_KEPT_PAIRS:
        return _make_blocks(kept)
    return kept.derive("blocks of common weeks", lambda: tuple(_make_blocks(kept)))


def _make_blocks(kept: Track) -> Iterator[Block]:
    for week in rows_by_week(kept):
        for rows in blocks(week):
            checkpoint("Comparing individuals")
            yield Block(rows.number, pair_tables(rows))


def _weights(kept: Track) -> Weights:
    """Weight of a row, of a tick of stay and of an individual-week in the sum of the six scores."""
    stay = float(stay_totals(kept, WINDOWS_V2, DECIMALS).longest().seconds.sum()) * kept.resolution
    return Weights(1 / len(kept), 1 / stay if stay else 0.0, 1 / len(known_units(kept)[0]))


class _PublishedCells:
    """Number of weeks in which each individual publishes each cell, so far."""

    def __init__(self, kept: Track) -> None:
        self._kept = kept
        self._wanted = np.bincount(kept.visits(DECIMALS).group, minlength=len(kept.individuals))
        self._individuals = int((self._wanted > 0).sum())
        self._weeks: dict[int, Counter[int]] = {}

    def first_choice(self, rows: Rows, weights: Weights) -> _Group:
        """The first common week of a group: each member should cover as many cells as in their own week."""
        offer, numbers, kept = make_offer(rows, weights), rows.number, self._kept
        own = np.zeros((len(rows.people), len(offer.cells_of_group)), dtype=bool)
        own[rows.person, offer.cell] = True
        elsewhere = np.zeros(len(rows.people), dtype=np.int64)
        coverage = Coverage(own.sum(axis=1), elsewhere, np.zeros_like(own), weights.pair)
        nothing = np.zeros(0, dtype=np.int64)
        keeps = len(kept) <= MAX_KEPT_ROWS
        group = _Group(
            numbers,
            (lambda: offer) if keeps else (lambda: make_offer(rows_of(kept, numbers), weights)),
            choose(offer, coverage),
            nothing,
            nothing,
        )
        self._publish(group, offer, coverage)
        return group

    def improve(self, group: _Group) -> None:
        """Choose again, given the other weeks of the members."""
        offer = group.offer()
        people, cells = offer.rows.people.tolist(), offer.cells_of_group.tolist()
        self._add(people, group.cells, -1)
        published = np.array([[cell in self._weeks[who] for cell in cells] for who in people])
        elsewhere = np.array([len(self._weeks[who]) for who in people]) - published.sum(axis=1)
        coverage = Coverage(
            self._wanted[offer.rows.people], elsewhere, published, weight=1 / self._individuals
        )
        group.chosen = choose(offer, coverage, group.chosen)
        self._publish(group, offer, coverage)

    def _publish(self, group: _Group, offer: Offer, coverage: Coverage) -> None:
        group.common = common_rows(offer, group.chosen, coverage)
        group.cells = np.unique(offer.rows.cell[group.common])
        self._add(offer.rows.people.tolist(), group.cells, 1)

    def _add(self, people: list[int], cells: Ints, number: int) -> None:
        """Count cells of a common week for its members, or take them away."""
        for who in people:
            weeks = self._weeks.setdefault(who, Counter())
            for cell in cells.tolist():
                weeks[cell] += number
                if not weeks[cell]:
                    del weeks[cell]
