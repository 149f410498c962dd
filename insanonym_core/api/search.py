"""Find a recipe: `insanonym_core.tune`, and what it gives back."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property, partial
from os import PathLike
from typing import TYPE_CHECKING

from insanonym_core.api.figure import Figure
from insanonym_core.api.inputs import (
    Given,
    Names,
    data_for,
    data_name,
    given,
    in_language,
    kind_of,
    mapping_of,
    names_of,
    recipe_of,
    roles_of,
    seed_of,
    speaking,
)
from insanonym_core.api.result import Result
from insanonym_core.errors import UsageError
from insanonym_core.experiment.run import make_release
from insanonym_core.kinds import Data
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.texts import say
from insanonym_core.tuning import Tried, Tuned, search_for
from insanonym_core.tuning import tune as search_recipes

if TYPE_CHECKING:
    import pandas as pd


class SearchResult:
    """What a search found: a recipe, or why there is none.

    Attributes
    ----------
    tuned : Tuned
        The result of the core, with every trial.
    lang : str
        The language of its sentences.

    """

    def __init__(self, tuned: Tuned, data: Data, lang: str = "en") -> None:
        self.tuned, self._data, self.lang = tuned, data, lang

    @property
    def found(self) -> bool:
        """Whether a recipe kept the bounds on fresh draws, against every attacker."""
        return self.tuned.found

    @property
    def recipe(self) -> Recipe | None:
        """The recipe that was found; None without one."""
        return self.tuned.recipe

    @property
    def privacy(self) -> float:
        """Its privacy, the mean of draws that decided nothing; NaN without one."""
        return self.tuned.privacy

    @property
    def utility(self) -> float:
        """Its utility, in the same way."""
        return self.tuned.utility

    @property
    def reason(self) -> str:
        """What was found and what the search had believed, or which bound could not be kept."""
        return self.tuned.reason(self.lang)

    @property
    def trials(self) -> pd.DataFrame:
        """Every recipe that was tried, as the search measured it; `front` marks those that no other beats."""
        import pandas as pd

        front = {one.number for one in self.tuned.front}
        rows = [
            {
                "trial": one.number,
                "steps": one.recipe.written(),
                "privacy": one.privacy,
                "utility": one.utility,
                "front": one.number in front,
                "failed": say(one.failed, self.lang),
            }
            for one in self.tuned.trials
        ]
        columns = ["trial", "steps", "privacy", "utility", "front", "failed"]
        return pd.DataFrame(rows, columns=columns).set_index("trial")

    @cached_property
    def result(self) -> Result:
        """A release by the recipe that was found, with draws of its own.

        Raises
        ------
        UsageError
            If none was found; the message says what binds.

        """
        with speaking(self.lang):
            if self.recipe is None:
                raise UsageError("There is no release: {reason}", reason=self.reason)
            return Result(self.recipe, make_release(self.recipe, self._data), self._data, lang=self.lang)

    @property
    def release(self) -> pd.DataFrame:
        """The release of `result`, a DataFrame."""
        return self.result.release

    @property
    def scores(self) -> pd.DataFrame:
        """The scores of `result`: of this one release, where `privacy` and `utility` are means of several."""
        return self.result.scores

    @property
    def figures(self) -> dict[str, str]:
        """The figures there are: name and title."""
        return {"search": say("Trials of the search", self.lang)}

    def figure(self, name: str = "search") -> Figure:
        """Draw every recipe that was tried and the one that was found.

        Parameters
        ----------
        name : str
            search, the only figure there is; `result` has more.

        Returns
        -------
        Figure
            Notebooks show it; `save` writes it.

        """
        from insanonym_core.figures.tuning import search_figure

        with speaking(self.lang):
            if name not in self.figures:
                raise UsageError(
                    "There is no figure called {name}; choose from: {names}.", name=name, names="search"
                )
        draw = partial(search_figure, self.tuned, lang=self.lang)
        return Figure("search", self.figures["search"], draw(), lambda size: draw(size=size))

    def __repr__(self) -> str:
        said = "none was found" if self.recipe is None else recipe_text(self.recipe)
        return f"<SearchResult of {len(self.tuned.trials)} trials: {said}>"

    def _repr_html_(self) -> str:
        from insanonym_core.api.page import search_html

        return search_html(self)


@in_language
def tune(
    data: Given,
    *,
    at_least: Mapping[str, float] | None = None,
    at_most: Mapping[str, float] | None = None,
    maximise: str = "",
    identifier: Names = None,
    quasi: Names = None,
    sensitive: Names = None,
    drop: Names = None,
    publish: Names = None,
    methods: str | Collection[str] = (),
    around: Recipe | str | PathLike[str] | None = None,
    trials: int = 300,
    minutes: float = math.inf,
    workers: int = 1,
    seed: int | None = None,
    kind: str = "",
    on_trial: Callable[[Tried], None] = lambda tried: None,
    lang: str = "en",
) -> SearchResult:
    """Find a recipe that keeps some bounds with as much utility as possible.

    Parameters
    ----------
    data : DataFrame or str
        A DataFrame, a file, or demonstration data. It is not changed.
    at_least, at_most : mapping, optional
        Bounds by name, such as ``{"privacy": 0.7, "utility.poi": 0.3}``.
    maximise : {"utility", "privacy", "defence"}, optional
        By default the utility if there are bounds, else the defence.
    identifier, quasi, sensitive, drop, publish : str or list of str, optional
        As in `anonymise`.
    methods : str or list of str, optional
        The only methods to use.
    around : Recipe or path, optional
        Try only recipes like this one: its steps, other values.
    trials : int
        How many recipes to try.
    minutes : float
        Stop trying after so many.
    workers : int
        Processes that share the work.
    seed : int, optional
        Search the same way again.
    kind : {"mobility", "table", "traces", "avatars"}, optional
        The kind of data, where the columns leave it open.
    on_trial : callable, optional
        Hears of each recipe that was tried.
    lang : {"en", "fr"}
        Language of sentences, titles and errors.

    Returns
    -------
    SearchResult
        The recipe, or which bound could not be kept.

    Raises
    ------
    UsageError
        If a bound, a method or a role is wrong.

    Examples
    --------
    >>> import insanonym_core as insanonym
    >>> best = insanonym.tune(
    ...     "demo:patients", at_least={"privacy": 0.5}, methods="mondrian", trials=3, seed=1
    ... )
    >>> best.found
    True

    """
    roles = roles_of(identifier=identifier, quasi=quasi, sensitive=sensitive, drop=drop, publish=publish)
    known = None if around is None else recipe_of(around)
    data, name, table = given(data), None, None
    if isinstance(data, str | PathLike):
        name = data_name(data)
    else:
        chosen = kind or (kind_of(data, roles=roles) if known is None else known.kind)
        table = data_for(Recipe((), kind=chosen), data)
        kind = kind or chosen
    search, found = search_for(
        name,
        at_least=mapping_of(at_least, "at_least"),
        at_most=mapping_of(at_most, "at_most"),
        maximise=maximise,
        kind=kind,
        roles=roles,
        methods=names_of(methods, "methods"),
        around=known,
        table=table,
    )
    search = replace(search, trials=trials, minutes=minutes, workers=workers, seed=seed_of(seed))
    return SearchResult(search_recipes(search, data=found, on_trial=on_trial), found, lang)
