"""The competition's bookkeeping: who is behind which pseudonym, guesses about it, and their score."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from insanonym_core.arrays import Ints
from insanonym_core.errors import DataError, UsageError, shape_of
from insanonym_core.grouping import combine, count_pairs, starts_of_runs
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import DELETED, DELETED_ID, Track, week_label
from insanonym_core.output import writing
from insanonym_core.scores import Bars, Score, wilson_interval

Guesses = Mapping[str, Mapping[str, tuple[str, ...]]]
"""id → ISO week → the pseudonyms guessed for it."""


@dataclass(frozen=True, eq=False)
class Footprint:
    """The secret answer: for each (id, week) of the original its pseudonym, DEL when nothing was kept."""

    answers: Mapping[str, Mapping[str, str]]
    candidates: Mapping[str, int]

    @property
    def pairs(self) -> int:
        """How many (id, week) there are to find."""
        return sum(len(weeks) for weeks in self.answers.values())

    def chance(self) -> float:
        """What guessing one candidate of the week at random would score."""
        tries = [
            1 / max(1, self.candidates.get(week, 0)) for weeks in self.answers.values() for week in weeks
        ]
        return float(np.mean(tries)) if tries else 0.0

    def as_guesses(self) -> Guesses:
        """In the shape of an attack that is always right."""
        return {who: {week: (token,) for week, token in weeks.items()} for who, weeks in self.answers.items()}


def footprint(pair: Pair) -> Footprint:
    """The answers of a release, by the weeks of the original.

    When one (id, week) has two pseudonyms (an invalid release), the more frequent one counts; ties go to the
    smaller text.
    """
    original, release = pair.original, pair.release
    since = original.week - original.week.min()
    weeks = int(since.max()) + 1
    owner = combine((original.individual, len(original.individuals)), (since, weeks))
    answers: dict[int, int] = dict.fromkeys(np.unique(owner).tolist(), DELETED)
    kept = np.flatnonzero(release.is_kept)
    pairs = count_pairs(
        owner[kept], len(original.individuals) * weeks, release.token[kept], max(len(release.tokens), 1)
    )
    # Tokens are numbered in the order of their texts, so of equal counts the smaller text comes first.
    order = np.lexsort((pairs.item, -pairs.count, pairs.group))
    best = order[starts_of_runs(pairs.group[order])]
    answers.update(zip(pairs.group[best].tolist(), pairs.item[best].tolist(), strict=True))

    label = [week_label(int(original.week.min()) + week) for week in range(weeks)]
    named: dict[str, dict[str, str]] = {}
    for code, token in answers.items():
        who, week = divmod(code, weeks)
        text = DELETED_ID if token == DELETED else release.tokens[token]
        named.setdefault(original.individuals[who], {})[label[week]] = text
    return Footprint(named, candidates_per_week(release.kept))


def candidates_per_week(release: Track) -> dict[str, int]:
    """How many different pseudonyms each week of a release shows."""
    if len(release) == 0:
        return {}
    since = release.week - release.week.min()
    key = combine((since, int(since.max()) + 1), (release.token, len(release.tokens)))
    weeks: Ints = np.unique(key) // max(len(release.tokens), 1) + release.week.min()
    return {
        week_label(int(week)): int(number)
        for week, number in zip(*np.unique(weeks, return_counts=True), strict=True)
    }


def score_guesses(secret: Footprint, guesses: Guesses) -> Score:
    """The share found: a list of N different guesses that holds the right one earns 1/N."""
    points: dict[str, list[float]] = {}
    different: dict[int, frozenset[str]] = {}
    for who, weeks in secret.answers.items():
        for week, answer in weeks.items():
            tried = guesses.get(who, {}).get(week, ())
            if id(tried) not in different:  # attacks share one list among many people
                different[id(tried)] = frozenset(tried)
            hit = answer in different[id(tried)]
            points.setdefault(week, []).append(1 / len(different[id(tried)]) if hit else 0.0)
    points = dict(sorted(points.items(), key=lambda item: tuple(map(int, item[0].split("-")))))
    pairs = secret.pairs
    value = sum(map(sum, points.values())) / pairs
    return Score(
        value,
        (
            Bars(
                "Share found in each week",
                "share of the individuals",
                tuple(points),
                np.array([float(np.mean(earned)) for earned in points.values()]),
            ),
        ),
        {"chance": secret.chance(), "pairs": pairs},
        wilson_interval(value, pairs),
    )


def write_guesses(guesses: Guesses, path: Path | str, *, force: bool = False, private: bool = False) -> None:
    """Save guesses as an attack file; a footprint is `private`: for its owner's eyes only."""
    with writing(Path(path), force=force, private=private) as beside:
        text = json.dumps(
            {who: {week: list(tried) for week, tried in weeks.items()} for who, weeks in guesses.items()},
            ensure_ascii=False,
            indent=1,
        )
        beside.write_text(text + "\n", encoding="utf-8")


def read_guesses(path: Path | str) -> Guesses:
    """Load an attack file; what does not have its shape is said, with the place."""
    path = Path(path)
    form = 'an attack file reads {"id": {"2015-10": ["guess", …]}}'
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_without_twins)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror or error}): check the name.") from None
    except UnicodeDecodeError:
        raise DataError(f"{path.name} is not UTF-8 text: {form}.") from None
    except json.JSONDecodeError as error:
        raise DataError(f"{path.name}, line {error.lineno}: not JSON ({error.msg}); {form}.") from None
    except ValueError:  # a number of thousands of digits
        raise DataError(f"{path.name} holds a number that is too long: {form}.") from None
    except RecursionError:
        raise DataError(f"{path.name} is nested too deeply: {form}.") from None
    except _TwinKeyError as twin:
        raise DataError(f"{path.name} names {twin} twice: join its entries.") from None
    if not isinstance(content, dict):
        raise DataError(f"{path.name} must be one JSON object: {form}.")
    guesses: dict[str, dict[str, tuple[str, ...]]] = {}
    for number, (who, weeks) in enumerate(content.items(), start=1):
        if not isinstance(weeks, dict):
            raise DataError(f"{path.name}, entry {number}: weeks must be a JSON object; {form}.")
        for week, tried in weeks.items():
            if not re.fullmatch(r"[0-9]{4}-([1-9]|[1-4][0-9]|5[0-3])", week):
                raise DataError(
                    f"{path.name}, entry {number}: a week reads 2015-10 or 2016-1, got '{shape_of(week)}'."
                )
            if not isinstance(tried, list) or not all(isinstance(guess, str) for guess in tried):
                raise DataError(
                    f"{path.name}, entry {number}, week {week}: guesses must be a list of texts; {form}."
                )
            guesses.setdefault(who, {})[week] = tuple(tried)
    return guesses


class _TwinKeyError(Exception):
    """A key that stands twice in one JSON object."""


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise _TwinKeyError("an id or a week")
    return content
