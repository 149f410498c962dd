"""Releases that were made elsewhere: `score` and `attack`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.api.calls import read
from insanonym_core.api.inputs import (
    Given,
    data_for,
    given,
    in_language,
    kind_of,
    mapping_of,
    names_of,
    recipe_of,
)
from insanonym_core.api.result import Result, warned
from insanonym_core.errors import DataError, UsageError
from insanonym_core.experiment.run import handed_in, pair_recipe
from insanonym_core.experiment.run import run as run_recipe
from insanonym_core.kinds import Data, Kind, Made, all_kinds, kind_named
from insanonym_core.parameters import check_values
from insanonym_core.recipe import Recipe
from insanonym_core.registry import attacks as known_attacks
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    import pandas as pd

NOT_ALIGNED = Phrase(
    "Each row must be that of the original in the same place: of a Result that is aligned, and not release."
)
_UNALIGNED = frozenset({"week-changed", "two-pseudonyms", "row-count"})


class AttackResult(Result):
    """What an attack found on a release."""

    def __init__(
        self, result: Result, method: str, guess: Callable[[], Mapping[str, Mapping[str, tuple[str, ...]]]]
    ) -> None:
        self.__dict__.update(result.__dict__)
        self.method, self._guess = method, guess

    @property
    def share(self) -> float:
        """The share of the people in a week whom it re-identifies."""
        return float(self.scores["share"].iloc[0])

    def guesses(self) -> pd.DataFrame:
        """The guesses, with the columns id, week and guess. They name people: keep them secret."""
        import pandas as pd

        rows = [
            (who, week, one)
            for who, weeks in self._guess().items()
            for week, some in weeks.items()
            for one in some
        ]
        return pd.DataFrame(rows, columns=["id", "week", "guess"])


@in_language
def score(
    original: Given,
    release: Given,
    *,
    attacks: str | Sequence[str] = "all",
    rules: str = "",
    aggregate: str | None = None,
    settings: Mapping[str, object] | None = None,
    recipe: Recipe | str | PathLike[str] | None = None,
    allow_invalid: bool = False,
    kind: str = "",
    lang: str = "en",
) -> Result:
    """Score a release that was made elsewhere: GPS traces row by row, or a synthetic table.

    Parameters
    ----------
    original, release : DataFrame or str
        The data and their release. Of GPS traces each row of the release is that of the original, and
        deleted ones have the id ``DEL``: ``Result.aligned`` is one, ``Result.release`` is not.
    attacks : "all", "none" or list of str
        Which attacks to try on GPS traces; without "all" the other measures of privacy are not taken.
    rules : {"v2", "v1"}, optional
        The rule set of the scores of GPS traces.
    aggregate : {"mean", "median", "min", "max"}, optional
        How the scores of GPS traces are combined.
    settings : mapping, optional
        Parameters of measures, such as ``{"decimals": 3, "meet.share": 0.2}``.
    recipe : Recipe or path, optional
        The recipe that made the release, where it is known: the strongest attacker learns from it.
    allow_invalid : bool
        Accept rows that left their week, and ids with several pseudonyms in a week.
    kind : {"mobility", "avatars"}, optional
        The kind of data; by default what the columns look like.
    lang : {"en", "fr"}
        Language of sentences, titles and errors.

    Returns
    -------
    Result
        Its ``scores`` hold every measure.

    Raises
    ------
    DataError
        If the release does not fit its original; the message names the rows.

    Examples
    --------
    >>> import insanonym_core as insanonym
    >>> city = insanonym.read("demo:mobility").query("id < '0060'")
    >>> moved = insanonym.anonymise(city, ["planar_laplace radius=300", "pseudonymise"])
    >>> found = insanonym.score(city, moved.aligned, attacks=["naive"])
    >>> bool(found.utility == insanonym.score(city, moved.aligned, attacks="none").utility)
    True

    """
    original, release = given(original), given(release)
    kind = _kind_to_pair(original, kind)
    plain = pair_recipe(kind, rules=rules, aggregate=aggregate, settings=mapping_of(settings, "settings"))
    data, made = _pair(plain, original, release, recipe, allow_invalid)
    only = None
    if attacks != "all":
        named = () if attacks == "none" else names_of(attacks, "attacks")
        entries = [known_attacks.get(name, data=kind) for name in named]
        only = ("utility", *(f"attack.{entry.name}" for entry in entries))
    report = run_recipe(plain, data=data, release=made, only=only)
    return warned(Result(plain, made, data, lang=lang, only=only, report=report))


@in_language
def attack(
    original: Given,
    release: Given,
    method: str,
    *,
    settings: Mapping[str, object] | None = None,
    recipe: Recipe | str | PathLike[str] | None = None,
    allow_invalid: bool = False,
    lang: str = "en",
) -> AttackResult:
    """Attack a release of GPS traces: who is behind which pseudonym?

    Parameters
    ----------
    original, release : DataFrame or str
        What the attacker knows, and what was published, row by row as in `score`.
    method : str
        The attack; ``insanonym list attacks`` names them.
    settings : mapping, optional
        Its parameters, such as ``{"decimals": 3}``.
    recipe : Recipe or path, optional
        The recipe of the release, for an attack that learns from it (everything).
    allow_invalid : bool
        As in `score`.
    lang : {"en", "fr"}
        Language of sentences, titles and errors.

    Returns
    -------
    AttackResult
        ``share`` is the share of the people that it re-identifies; ``guesses()`` names them.

    Raises
    ------
    UsageError
        If there is no such attack.
    DataError
        If the release does not fit its original.

    Examples
    --------
    >>> import insanonym_core as insanonym
    >>> city = insanonym.read("demo:mobility").query("id < '0060'")
    >>> hidden = insanonym.anonymise(city, "pseudonymise")
    >>> insanonym.attack(city, hidden.aligned, "poi").share > 0.5
    True

    """
    original, release = given(original), given(release)
    kind = kind_named(_kind_to_pair(original, ""))
    if kind.code("guess") is None:
        raise UsageError("Attacks by name are tried on GPS traces: for a table, measure its risk.")
    entry = known_attacks.get(method, data=kind.name)
    if recipe is not None and not entry.given:
        raise UsageError(
            "The attack {method} learns nothing from a recipe: leave the recipe out.", method=method
        )
    plain = pair_recipe(kind.name, settings=mapping_of(settings, "settings"))
    data, made = _pair(plain, original, release, recipe, allow_invalid)
    report = run_recipe(plain, data=data, release=made, only=(entry.key,))
    values = check_values(entry.name, entry.parameters, mapping_of(settings, "settings"))
    guess = partial(kind.code("guess"), entry, made.release, values, made.shadow)
    only = (entry.key,)
    found = Result(plain, made, data, lang=lang, only=only, report=report)
    return warned(AttackResult(found, method, guess))


def _kind_to_pair(original: Given, kind: str) -> str:
    """The kind of a release that was made elsewhere; it must be one that can be paired with its original."""
    known = [one for one in all_kinds().values() if one.release_from_frame is not None]
    if not kind:
        kind = _first_kind(original, known)
    if kind_named(kind) not in known:
        raise UsageError(
            "A release of {kind} data cannot be scored without its recipe: run the recipe, or measure the "
            "risk of the release.",
            kind=kind,
        )
    return kind


def _first_kind(original: Given, known: Sequence[Kind]) -> str:
    if isinstance(original, str | PathLike):
        offering = [one.name for one in known if str(original) in one.demos]
        return (offering or [one.name for one in known])[0]
    found = kind_of(original)
    return found if kind_named(found) in known else known[-1].name


def _pair(
    plain: Recipe,
    original: Given,
    release: Given,
    recipe: Recipe | str | PathLike[str] | None,
    allow_invalid: bool,
) -> tuple[Data, Made]:
    """The original, and its release that was made elsewhere, checked against it."""
    from insanonym_core.io.frames import frame_of
    from insanonym_core.io.sources import source_of

    kind, data = plain.data_kind, data_for(plain, original)
    if isinstance(release, str | PathLike) and kind.aligned is not None:
        paired: Made = kind.code("read_release")(source_of(Path(release)), data, allow_invalid)
    else:
        frame = read(release, kind=kind.name) if isinstance(release, str | PathLike) else frame_of(release)
        try:
            paired = kind.code("release_from_frame")(frame, data, allow_invalid)
        except DataError as error:
            if not _UNALIGNED.isdisjoint(one.code for one in error.problems):
                raise DataError("{error}\n{hint}", error.problems, error=error, hint=NOT_ALIGNED) from None
            raise
    made_by = None if recipe is None else recipe_of(recipe)
    made = handed_in(paired.release, kind.name, made_by)
    return data, replace(made, warnings=paired.warnings)
