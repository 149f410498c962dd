"""A pseudonym that can be computed from the id is no pseudonym."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache, partial

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.mobility.competition import Guesses
from insanonym_core.mobility.crowd import Chosen, Crowd, guess_by_week, own_lists
from insanonym_core.mobility.track import week_label
from insanonym_core.registry import attacks

HASHES = tuple(
    partial(function, usedforsecurity=False)
    for function in (hashlib.md5, hashlib.sha1, hashlib.sha256, hashlib.blake2b, hashlib.blake2s)
)
SEPARATORS = ("", "-", "_", ":", "|")
SHORTEST_PREFIX = 6
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
    folded = [token.casefold() for token in seen.names]

    def choose(people: Ints, candidates: Ints) -> list[Chosen]:
        units: dict[str, list[int]] = {}
        for unit, name in zip(candidates.tolist(), seen.name[candidates].tolist(), strict=True):
            units.setdefault(folded[name], []).append(unit)
        hexadecimal = [token for token in units if _HEX.fullmatch(token)]
        beginnings = {bytes.fromhex(token[:SHORTEST_PREFIX]) for token in hexadecimal}
        lengths = {len(token) for token in hexadecimal}
        week = week_label(int(known.week[people[0]]))
        found, nobody = [], np.zeros(0, dtype=np.int64)
        for person in known.name[people].tolist():
            name = known.names[person]
            hits = set(units.get(name.casefold(), ()))
            for digest in _digests(name, week, beginnings):
                for length in lengths:
                    hits.update(units.get(digest[:length], ()) if length <= len(digest) else ())
            found.append(np.array(sorted(hits), dtype=np.int64) if hits else nobody)
        return [own_lists(found)]

    return guess_by_week(known, seen, choose)


def _digests(name: str, week: str, beginnings: set[bytes]) -> list[str]:
    """The hex digests of everything the id and the week can be joined to, if a pseudonym begins alike.

    Nearly all of them are dropped by their first three bytes, before they are written out.
    """
    if not beginnings:
        return []
    digests = _hashed(name, week)
    return [digest.hex() for start in beginnings.intersection(digests) for digest in digests[start]]


@lru_cache(maxsize=8192)
def _hashed(name: str, week: str) -> Mapping[bytes, tuple[bytes, ...]]:
    """By their first three bytes. Kept: while a slider moves, the people and the weeks stay the same."""
    texts = [name, *(text for mark in SEPARATORS for text in (f"{name}{mark}{week}", f"{week}{mark}{name}"))]
    found: dict[bytes, tuple[bytes, ...]] = {}
    for function in HASHES:
        for text in texts:
            digest = function(text.encode()).digest()
            start = digest[: SHORTEST_PREFIX // 2]
            found[start] = (*found.get(start, ()), digest)
    return found
