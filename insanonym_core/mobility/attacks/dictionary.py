"""Find tokens that are the id itself or an unsalted hash of it."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache, partial

import numpy as np

from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import GuessLists, guess_by_week
from insanonym_core.mobility.track import week_label
from insanonym_core.numeric.arrays import Ints
from insanonym_core.registry import attacks

HASHES = tuple(
    partial(function, usedforsecurity=False)
    for function in (hashlib.md5, hashlib.sha1, hashlib.sha256, hashlib.blake2b, hashlib.blake2s)
)
SEPARATORS = ("", "-", "_", ":", "|")
DIGESTS = len(HASHES) * (1 + 2 * len(SEPARATORS))  # number of digests for a person in a week
MIN_PREFIX_LENGTH = 6
_MAX_CACHED_NAMES = 10_000  # people in a week: 4 MB
_HEX = re.compile(r"[0-9a-f]{6,}")


@attacks.add(
    "dictionary",
    data="mobility",
    title="Hashed ids",
    formula="token = id or a prefix of hash(id, week)",
    order=8,
)
def dictionary(known: Crowd, seen: Crowd) -> Guesses:
    """Guesses the pseudonyms that are the id itself or its plain hash, alone or joined with the week.

    Finds nothing when pseudonyms are random, and everybody when they are unsalted hashes.
    """
    ids, folded = known.names, [token.casefold() for token in seen.names]

    def choose(people: Ints, candidates: Ints) -> list[GuessLists]:
        units: dict[str, list[int]] = {}
        for unit, name in zip(candidates.tolist(), seen.name[candidates].tolist(), strict=True):
            units.setdefault(folded[name], []).append(unit)
        names = tuple(ids[person] for person in known.name[people].tolist())
        hits = {
            place: set(units[name]) for place, name in enumerate(map(str.casefold, names)) if name in units
        }
        hexadecimal = [token for token in units if _HEX.fullmatch(token)]
        if hexadecimal:
            week = week_label(int(known.week[people[0]]))
            lengths = {len(token) for token in hexadecimal}
            for place in _candidate_names(names, week, {token[:MIN_PREFIX_LENGTH] for token in hexadecimal}):
                for digest in _digests(names[place], week):
                    text = digest.hex()
                    for length in lengths:
                        matches = units.get(text[:length], ()) if length <= len(text) else ()
                        hits.setdefault(place, set()).update(matches)
        size = np.zeros(len(people), dtype=np.int64)
        size[list(hits)] = [len(matches) for matches in hits.values()]
        chosen = [unit for place in sorted(hits) for unit in sorted(hits[place])]
        return [GuessLists(np.arange(len(people)), size, np.array(chosen, dtype=np.int64))]

    return guess_by_week(known, seen, choose)


def _digests(name: str, week: str) -> list[bytes]:
    """Digests of the id alone and joined with the week, for all hashes and separators."""
    texts = [name, *(text for mark in SEPARATORS for text in (f"{name}{mark}{week}", f"{week}{mark}{name}"))]
    written = [text.encode() for text in texts]
    return [function(text).digest() for function in HASHES for text in written]


def _candidate_names(names: tuple[str, ...], week: str, prefixes: set[str]) -> list[int]:
    """Indices of the names with a digest that begins like a token: hardly any if tokens are random."""
    prefix_codes = np.array([int(text, 16) for text in prefixes], dtype=np.int32)
    hash_names = _cached_first_bytes if len(names) <= _MAX_CACHED_NAMES else _first_bytes
    first_bytes, place = hash_names(names, week)
    start, end = (np.searchsorted(first_bytes, prefix_codes, side) for side in ("left", "right"))
    return sorted(
        {name for run in np.flatnonzero(end > start) for name in place[start[run] : end[run]].tolist()}
    )


def _first_bytes(names: tuple[str, ...], week: str) -> tuple[Ints, Ints]:
    """The first three bytes of all digests as sorted integers, and the index of the name of each."""
    start = MIN_PREFIX_LENGTH // 2
    to_int = int.from_bytes
    prefixes = (to_int(digest[:start]) for name in names for digest in _digests(name, week))
    numbers = np.fromiter(prefixes, dtype=np.int32, count=len(names) * DIGESTS)
    order = np.argsort(numbers)
    return numbers[order], (order // DIGESTS).astype(np.int32)


# Cached: while a slider moves, the people and the weeks stay the same.
_cached_first_bytes = lru_cache(maxsize=32)(_first_bytes)
