"""The competition's bookkeeping: who is behind which pseudonym, and guesses about it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from insanonym_core.arrays import Bools, Floats, Ints
from insanonym_core.grouping import (
    combine,
    count_pairs,
    lengths_of_runs,
    positions_in,
    renumber,
    starts_of_runs,
)
from insanonym_core.holders import MIN_HOLDERS
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import DELETED, DELETED_ID, Track, week_label
from insanonym_core.spreadsheets import defused

Guesses = Mapping[str, Mapping[str, tuple[str, ...]]]
"""id → ISO week → the pseudonyms guessed for it."""
_UNKNOWN = -2  # a guess that is no pseudonym of the release: it counts, and is never right


@dataclass(frozen=True, eq=False)
class Units:
    """Every (id, week) of an original, sorted; `name` is a code into `individuals`."""

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

    def named(self, values: Iterable[Any]) -> dict[str, dict[str, Any]]:
        """A value for each unit as id → week → value; whoever has no unit is there with no week."""
        label = {week: week_label(week) for week in np.unique(self.week).tolist()}
        found: dict[str, dict[str, Any]] = {who: {} for who in self.individuals}
        for who, week, value in zip(self.name.tolist(), self.week.tolist(), values, strict=True):
            found[self.individuals[who]][label[week]] = value
        return found


class Tries(Mapping[str, Mapping[str, tuple[str, ...]]]):
    """Guesses as codes: unit i guesses the tokens of list `which[i]`; list j is token[start[j]:start[j+1]].

    Many people may share one long list. Tokens of a list ascend. Texts are only made when asked for. Where
    only some units were `tried`, the others do not count.
    """

    def __init__(
        self,
        units: Units,
        tokens: tuple[str, ...],
        which: Ints,
        start: Ints,
        token: Ints,
        tried: Bools | None = None,
    ) -> None:
        self.units, self.tokens, self.tried = units, tokens, tried
        self.which, self.start, self.token = which, start, token

    @cached_property
    def _named(self) -> Guesses:
        texts = {DELETED: DELETED_ID, **dict(enumerate(self.tokens))}
        token, ends = self.token.tolist(), self.start.tolist()
        lists = [tuple(texts[code] for code in token[begin:end]) for begin, end in itertools.pairwise(ends)]
        return self.units.named(lists[place] for place in self.which.tolist())

    def __getitem__(self, who: str) -> Mapping[str, tuple[str, ...]]:
        return self._named[who]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self.units.individuals)

    def earned(self, answer: Ints) -> Floats:
        """What each unit earns: 1/N when its list of N holds the answer."""
        size = np.diff(self.start)
        width = len(self.tokens) + 2
        # Lists follow each other and their tokens ascend, so these keys do: one search answers for all.
        held = np.repeat(np.arange(len(size)), size) * width + self.token - _UNKNOWN
        hit = positions_in(held, self.which * width + answer - _UNKNOWN) >= 0
        return hit / np.maximum(size[self.which], 1)


@dataclass(frozen=True, eq=False)
class Footprint:
    """The secret: for each (id, week) of the original the code of its pseudonym, DELETED if nothing was kept.

    `candidates` says how many pseudonyms each week of the release shows.
    """

    units: Units
    answer: Ints
    tokens: tuple[str, ...]
    candidates: Mapping[int, int]
    min_holders: int = MIN_HOLDERS

    @property
    def pairs(self) -> int:
        """How many (id, week) there are to find."""
        return len(self.units)

    @cached_property
    def answers(self) -> Mapping[str, Mapping[str, str]]:
        """id → ISO week → pseudonym."""
        texts = {DELETED: DELETED_ID, **dict(enumerate(self.tokens))}
        return self.units.named(texts[code] for code in self.answer.tolist())

    def chance(self, tried: Bools | None = None) -> float:
        """The most that can be scored in the competition without looking at the rows, of the pairs tried.

        That is one candidate of the week at random for everybody, or DEL for everybody.
        """
        some = slice(None) if tried is None else tried
        return max(float(self.blind_guess[some].mean()), float(1 - self.kept[some].mean()))

    def chance_reidentified(self, tried: Bools | None = None) -> float:
        """The share of the pairs tried that one candidate of the week at random re-identifies."""
        some = slice(None) if tried is None else tried
        return float(np.where(self.kept, self.blind_guess, 0)[some].mean())

    @property
    def kept(self) -> Bools:
        """The units of which something was kept."""
        return self.answer != DELETED

    @cached_property
    def blind_guess(self) -> Floats:
        """For each unit the chance to pick its pseudonym among those of the week; 1 where there are none."""
        weeks, place = self.weeks
        return np.array([1 / max(1, self.candidates.get(week, 0)) for week in weeks.tolist()])[place]

    @cached_property
    def weeks(self) -> tuple[Ints, Ints]:
        """The weeks that occur, and the place of each unit's among them."""
        weeks, place = np.unique(self.units.week, return_inverse=True)
        return weeks, place

    def as_guesses(self) -> Guesses:
        """In the shape of an attack that is always right."""
        return {who: {week: (token,) for week, token in weeks.items()} for who, weeks in self.answers.items()}

    def coded(self, guesses: Guesses) -> Tries:
        """Anybody's guesses about these units; what is guessed about others counts for nothing."""
        if isinstance(guesses, Tries) and guesses.tokens == self.tokens and guesses.units.same_as(self.units):
            return guesses
        codes = {text: code for code, text in enumerate(self.tokens)}
        # Whoever reads a release by other means than ours sees its pseudonyms as they are written there.
        codes = {DELETED_ID: DELETED} | {defused(text): code for text, code in codes.items()} | codes
        lists: list[list[int]] = []
        for who, weeks in self.answers.items():
            for week in weeks:
                different = set(guesses.get(who, {}).get(week, ()))
                lists.append(sorted(codes.get(text, _UNKNOWN) for text in different))
        start = np.cumsum([0, *map(len, lists)])
        token = np.fromiter(itertools.chain.from_iterable(lists), dtype=np.int64, count=int(start[-1]))
        return Tries(self.units, self.tokens, np.arange(len(lists)), start, token)


def units_of(names: tuple[str, ...], name: Ints, week: Ints) -> tuple[Units, Ints]:
    """The (name, week) that occur, sorted, and each row's place among them."""
    if len(name) == 0:
        return Units(names, name, name), name
    starts = starts_of_runs(name, week)  # rows of a unit often follow each other: one of each run is enough
    length = lengths_of_runs(starts, len(name))
    name, week = name[starts], week[starts]
    first = int(week.min())
    weeks = int(week.max()) - first + 1
    found, unit = renumber(combine((name, len(names)), (week - first, weeks)), len(names) * weeks)
    return Units(names, found // weeks, found % weeks + first), np.repeat(unit, length)


def known_units(original: Track) -> tuple[Units, Ints]:
    """The units of an original and each row's, once."""
    return original.derive(
        "known units", lambda: units_of(original.individuals, original.individual, original.week)
    )


def seen_units(release: Track) -> tuple[Units, Ints]:
    """The (pseudonym, week) of a release without deleted rows and each row's, once."""
    return release.derive("seen units", lambda: units_of(release.tokens, release.token, release.week))


def footprint(pair: Pair) -> Footprint:
    """The answers of a release, computed once."""
    return pair.derive("footprint", lambda: _footprint(pair))


def _footprint(pair: Pair) -> Footprint:
    """The answers of a release, by the weeks of the original.

    When one (id, week) has two pseudonyms (an invalid release), the more frequent one counts; ties go to the
    smaller text.
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
        # Tokens are numbered in the order of their texts, so of equal counts the smaller text comes first.
        order = np.lexsort((pairs.item, -pairs.count, pairs.group))
        best = order[starts_of_runs(pairs.group[order])]
        answer[pairs.group[best]] = pairs.item[best]
    weeks, number = np.unique(seen_units(release.kept)[0].week, return_counts=True)
    candidates = dict(zip(weeks.tolist(), number.tolist(), strict=True))
    return Footprint(units, answer, release.tokens, candidates, pair.min_holders)
