"""Answers of a release (which token belongs to which individual-week), and guesses about them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from insanonym_core.io.spreadsheets import defused
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import DELETED, DELETED_ID, Track, week_label
from insanonym_core.numeric.arrays import Bools, Floats, Ints
from insanonym_core.numeric.grouping import (
    combine,
    count_pairs,
    lengths_of_runs,
    positions_in,
    renumber,
    starts_of_runs,
)
from insanonym_core.numeric.holders import MIN_HOLDERS

Guesses = Mapping[str, Mapping[str, tuple[str, ...]]]
"""id → ISO week → the pseudonyms guessed for it."""
_UNKNOWN = -2  # code of a guess that is no token of the release: counted, never right
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Units:
    """All (name, week) of a file, sorted; `name` is an index into `individuals`."""

    individuals: tuple[str, ...]
    name: Ints
    week: Ints

    def __len__(self) -> int:
        return len(self.name)

    def same_as(self, other: Units) -> bool:
        """Whether these are the same people in the same weeks."""
        return self is other or (
            self.individuals == other.individuals
            and np.array_equal(self.name, other.name)
            and np.array_equal(self.week, other.week)
        )

    def to_nested_dict(self, values: Iterable[Value]) -> dict[str, dict[str, Value]]:
        """One value per unit as {id: {week: value}}; ids without units have an empty dict."""
        label = {week: week_label(week) for week in np.unique(self.week).tolist()}
        nested: dict[str, dict[str, Value]] = {who: {} for who in self.individuals}
        for who, week, value in zip(self.name.tolist(), self.week.tolist(), values, strict=True):
            nested[self.individuals[who]][label[week]] = value
        return nested


class CodedGuesses(Mapping[str, Mapping[str, tuple[str, ...]]]):
    """Guesses as codes: unit i guesses the tokens of list `which[i]`; list j is token[start[j]:start[j+1]].

    Units may share a list. The tokens of a list ascend. Texts are only made when the mapping is read. With
    `sampled`, only the units marked there count.
    """

    def __init__(
        self,
        units: Units,
        tokens: tuple[str, ...],
        which: Ints,
        start: Ints,
        token: Ints,
        sampled: Bools | None = None,
    ) -> None:
        self.units, self.tokens, self.sampled = units, tokens, sampled
        self.which, self.start, self.token = which, start, token

    @cached_property
    def _named(self) -> Guesses:
        texts = {DELETED: DELETED_ID, **dict(enumerate(self.tokens))}
        token, ends = self.token.tolist(), self.start.tolist()
        lists = [tuple(texts[code] for code in token[begin:end]) for begin, end in itertools.pairwise(ends)]
        return self.units.to_nested_dict(lists[place] for place in self.which.tolist())

    def __getitem__(self, who: str) -> Mapping[str, tuple[str, ...]]:
        return self._named[who]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self.units.individuals)

    def points(self, answer: Ints) -> Floats:
        """Points of each unit: 1/N if its list of N guesses holds the answer, else 0."""
        size = np.diff(self.start)
        width = len(self.tokens) + 2
        # Tokens ascend within each list, so the keys (list, token) are sorted: one search for all units.
        held = np.repeat(np.arange(len(size)), size) * width + self.token - _UNKNOWN
        hit = positions_in(held, self.which * width + answer - _UNKNOWN) >= 0
        return hit / np.maximum(size[self.which], 1)


@dataclass(frozen=True, eq=False)
class Footprint:
    """The secret: for each (id, week) of the original the code of its token, DELETED if no row was kept.

    `candidates` is the number of tokens in each week of the release.
    """

    units: Units
    answer: Ints
    tokens: tuple[str, ...]
    candidates: Mapping[int, int]
    min_holders: int = MIN_HOLDERS

    @property
    def pairs(self) -> int:
        """Number of (id, week) pairs to find."""
        return len(self.units)

    @cached_property
    def answers(self) -> Mapping[str, Mapping[str, str]]:
        """id → ISO week → pseudonym."""
        texts = {DELETED: DELETED_ID, **dict(enumerate(self.tokens))}
        return self.units.to_nested_dict(texts[code] for code in self.answer.tolist())

    def chance(self, sampled: Bools | None = None) -> float:
        """The best competition score without looking at the rows, over the sampled pairs.

        The better of two guesses: one random candidate of the week for everybody, or DEL for everybody.
        """
        counted = slice(None) if sampled is None else sampled
        return max(float(self.random_guess_chance[counted].mean()), float(1 - self.kept[counted].mean()))

    def chance_reidentified(self, sampled: Bools | None = None) -> float:
        """The share of the sampled pairs that one random candidate of the week re-identifies."""
        counted = slice(None) if sampled is None else sampled
        return float(np.where(self.kept, self.random_guess_chance, 0)[counted].mean())

    @property
    def kept(self) -> Bools:
        """Whether each unit has kept rows."""
        return self.answer != DELETED

    @cached_property
    def random_guess_chance(self) -> Floats:
        """For each unit, the chance to pick its token among those of the week; 1 in a week without tokens."""
        weeks, place = self.weeks
        return np.array([1 / max(1, self.candidates.get(week, 0)) for week in weeks.tolist()])[place]

    @cached_property
    def weeks(self) -> tuple[Ints, Ints]:
        """The distinct weeks, and the index of each unit's week among them."""
        weeks, place = np.unique(self.units.week, return_inverse=True)
        return weeks, place

    def as_guesses(self) -> Guesses:
        """The answers as guesses: an attack that is always right."""
        return {who: {week: (token,) for week, token in weeks.items()} for who, weeks in self.answers.items()}

    def encode(self, guesses: Guesses) -> CodedGuesses:
        """Encode guesses about these units; guesses about other units are ignored."""
        if (
            isinstance(guesses, CodedGuesses)
            and guesses.tokens == self.tokens
            and guesses.units.same_as(self.units)
        ):
            return guesses
        codes = {text: code for code, text in enumerate(self.tokens)}
        # Other programs read the tokens as they are written in the file, defused for spreadsheets.
        codes = {DELETED_ID: DELETED} | {defused(text): code for text, code in codes.items()} | codes
        lists: list[list[int]] = []
        for who, weeks in self.answers.items():
            for week in weeks:
                different = set(guesses.get(who, {}).get(week, ()))
                lists.append(sorted(codes.get(text, _UNKNOWN) for text in different))
        start = np.cumsum([0, *map(len, lists)])
        token = np.fromiter(itertools.chain.from_iterable(lists), dtype=np.int64, count=int(start[-1]))
        return CodedGuesses(self.units, self.tokens, np.arange(len(lists)), start, token)


def factorise_units(names: tuple[str, ...], name: Ints, week: Ints) -> tuple[Units, Ints]:
    """The distinct (name, week), sorted, and the index of each row's unit among them."""
    if len(name) == 0:
        return Units(names, name, name), name
    starts = starts_of_runs(name, week)  # rows of a unit are often consecutive: factorise one row per run
    length = lengths_of_runs(starts, len(name))
    name, week = name[starts], week[starts]
    first = int(week.min())
    weeks = int(week.max()) - first + 1
    keys, unit = renumber(combine((name, len(names)), (week - first, weeks)), len(names) * weeks)
    return Units(names, keys // weeks, keys % weeks + first), np.repeat(unit, length)


def known_units(original: Track) -> tuple[Units, Ints]:
    """The units of an original and the unit of each row (cached)."""
    return original.derive(
        "known units", lambda: factorise_units(original.individuals, original.individual, original.week)
    )


def seen_units(release: Track) -> tuple[Units, Ints]:
    """The (token, week) units of a release without deleted rows, and the unit of each row (cached)."""
    return release.derive("seen units", lambda: factorise_units(release.tokens, release.token, release.week))


def footprint(pair: Pair) -> Footprint:
    """The answers of a release (cached)."""
    return pair.derive("footprint", lambda: _footprint(pair))


def _footprint(pair: Pair) -> Footprint:
    """Compute the answers of a release, by the weeks of the original.

    If an (id, week) has several tokens (an invalid release), the most frequent counts; ties go to the smaller
    text.
    """
    release = pair.release
    units, unit = known_units(pair.original)
    unit, token = unit[pair.kept_rows], release.token[pair.kept_rows]
    answer = np.full(len(units), DELETED, dtype=np.int64)
    runs = starts_of_runs(unit, token)
    answer[unit[runs]] = token[runs]
    torn = np.zeros(len(units), dtype=bool)
    torn[unit[runs][token[runs] != answer[unit[runs]]]] = True
    if torn.any():
        rows = np.flatnonzero(torn[unit])
        pairs = count_pairs(unit[rows], len(units), token[rows], max(len(release.tokens), 1))
        # Token codes are in the order of their texts, so the smaller text wins ties.
        order = np.lexsort((pairs.item, -pairs.count, pairs.group))
        best = order[starts_of_runs(pairs.group[order])]
        answer[pairs.group[best]] = pairs.item[best]
    weeks, number = np.unique(seen_units(release.kept)[0].week, return_counts=True)
    candidates = dict(zip(weeks.tolist(), number.tolist(), strict=True))
    return Footprint(units, answer, release.tokens, candidates, pair.min_holders)
