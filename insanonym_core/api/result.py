"""What the functions give back: the release as a DataFrame, its scores, figures and sentences."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from insanonym_core.api.figure import Figure, no_figure
from insanonym_core.api.inputs import speaking
from insanonym_core.errors import InsanonymWarning, UsageError
from insanonym_core.experiment.report import Report
from insanonym_core.experiment.run import entries_of, run
from insanonym_core.kinds import Data, Made
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.results.threats import as_threat
from insanonym_core.tabular.roles import guesses_text
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.figures.gallery import Drawable

Found = TypeVar("Found", bound="Result")


class Result:
    """A release, and what is known of it.

    It is measured when a score is first asked for; making a release takes less time than attacking it.
    A notebook shows a summary in which nobody can be seen. A pickled result holds the original data, too.

    Attributes
    ----------
    recipe : Recipe
        What was done.
    lang : str
        The language of its sentences, titles and figures.

    """

    def __init__(
        self,
        recipe: Recipe,
        made: Made,
        data: Data | None = None,
        *,
        lang: str = "en",
        only: Collection[str] | None = None,
        report: Report | None = None,
        cautions: Sequence[str] = (),
    ) -> None:
        self.recipe, self.lang = recipe, lang
        self.made, self._data, self._only = made, data, only
        self._cautions = tuple(cautions)
        if report is not None:
            self.__dict__["report"] = report

    # --- the release ------------------------------------------------------------------------------------

    @property
    def release(self) -> pd.DataFrame:
        """What may be published, as it is written to a file: sorted, without what is not published.

        Of GPS traces deleted rows are left out, and coordinates are rounded to what the steps justify. Where
        two tables are published (`bucketise`) it is the first; `tables` has both.
        """
        return next(iter(self._tables.values())).copy()

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Every table that may be published, by name."""
        return {name: frame.copy() for name, frame in self._tables.items()}

    @property
    def aligned(self) -> pd.DataFrame:
        """The release of GPS traces row by row beside the original: to score, **not** to publish."""
        with speaking(self.lang):
            return self._publishing.aligned(self.made.release)

    def lookup(self) -> pd.DataFrame:
        """Who is behind which pseudonym. Keep it secret: it undoes the release.

        Raises
        ------
        UsageError
            If no step gave pseudonyms.

        """
        with speaking(self.lang):
            if not self._publishing.has_lookup(self.recipe):
                raise UsageError(
                    "There is no lookup without a step pseudonymise, of GPS traces or of a table: add one."
                )
            return self._publishing.lookup(self.made.release)

    def write(self, path: str | PathLike[str], *, force: bool = False) -> Path:
        """Write what may be published, as `insanonym anonymise --publish` does.

        Texts that a spreadsheet would run as formulas are made harmless in CSV and TSV.

        Parameters
        ----------
        path : path
            .csv, .tsv or .parquet; a folder or a .zip where two tables are published.
        force : bool
            Overwrite what is there.

        Returns
        -------
        Path
            Where the release is.

        """
        target = Path(path)
        with speaking(self.lang):
            self._publishing.check(self.recipe, target, force=force, sources=())
            self._publishing.write(self.recipe, self.made.release, target, force=force, sources=())
        return target

    @cached_property
    def _tables(self) -> dict[str, pd.DataFrame]:
        with speaking(self.lang):
            return self._publishing.frames(self.recipe, self.made.release)

    @property
    def _publishing(self) -> Any:  # Any: each kind of data has options of its own
        return self.recipe.data_kind.publishing

    # --- the measures -----------------------------------------------------------------------------------

    @cached_property
    def report(self) -> Report:
        """The report of the core: every measure with its evidence."""
        with speaking(self.lang):
            return run(self.recipe, data=self._data, release=self.made, only=self._only)

    @property
    def measured(self) -> bool:
        """Whether the measures are there already."""
        return "report" in self.__dict__

    @property
    def scores(self) -> pd.DataFrame:
        """Every measure by its key, such as utility.poi or attack.join.

        Columns: `value`, the 95 % interval `low` and `high`, `share` (what it means as a threat: the share of
        people or rows), `family`, `title`, `better` (higher or lower) and `undefined_because`.
        """
        import pandas as pd

        rows = {}
        for one in self.report.measures:
            low, high = one.score.interval or (math.nan, math.nan)
            found = as_threat(one)
            rows[one.key] = {
                "value": float(one.score.value),
                "low": low,
                "high": high,
                "share": math.nan if found is None else found.share,
                "family": one.family,
                "title": say(one.entry.title, self.lang),
                "better": one.entry.better or "lower",
                "undefined_because": say(one.score.undefined_because, self.lang),
            }
        columns = ["value", "low", "high", "share", "family", "title", "better", "undefined_because"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("measure")

    @property
    def privacy(self) -> float:
        """The headline of privacy, from 0 to 1: 1 − the worst threat."""
        return self.report.privacy

    @property
    def utility(self) -> float:
        """The headline of utility, from 0 to 1."""
        return self.report.utility

    @property
    def defence(self) -> float:
        """Utility × privacy."""
        return self.report.defence

    @property
    def privacy_at_most(self) -> bool:
        """Whether threats that privacy is about were not measured: with them it may be lower."""
        headline, scores = self.report.headline_of("privacy"), self.report.scores
        about = (one.key for one in entries_of(self.recipe) if headline.is_about(one.key))
        return any(key not in scores for key in about) or bool(self.report.unmeasured)

    @property
    def decided_by(self) -> str:
        """The threat that decides privacy, in a sentence; empty where none does."""
        found = self.report.decided_by
        return "" if found is None else found.sentence(self.lang)

    # --- the sentences ----------------------------------------------------------------------------------

    @property
    def promises(self) -> list[str]:
        """What each step was asked for, and what is measured on the release."""
        return [say(promise.sentence(), self.lang) for promise in self.made.promises]

    @property
    def warnings(self) -> list[str]:
        """What must be known before the release is published."""
        return [say(warning, self.lang) for warning in self._warnings]

    @property
    def _warnings(self) -> list[str]:
        roles = self.made.facts.get("roles")
        guesses = guesses_text(roles, self.lang) if roles is not None else ""
        cautions = self._publishing.cautions(self.made.release)
        return [*self.made.warnings, *cautions, *([guesses] if guesses else []), *self._cautions]

    @property
    def not_published(self) -> dict[str, str]:
        """The columns that are not published, each with the reason."""
        withheld = self.made.facts.get("not_published", ())
        return {name: say(why, self.lang) for name, why in withheld}

    @property
    def not_protected(self) -> list[str]:
        """What the release does not protect: by its methods, and as measured."""
        from insanonym_core.report.ledger import Ledger
        from insanonym_core.report.protection import not_protected

        return [text.striptags() for text in not_protected(self.report, Ledger(self.lang))]

    # --- the figures ------------------------------------------------------------------------------------

    @property
    def figures(self) -> dict[str, str]:
        """The figures there are: name and title."""
        return {one.name: one.title for one in self._drawables()}

    def figure(self, name: str, *, individuals: bool = False) -> Figure:
        """Draw a figure.

        Parameters
        ----------
        name : str
            One of `figures`, or the key of a measure (utility.poi) for its first one.
        individuals : bool
            Also draw a figure in which single people may be seen.

        Returns
        -------
        Figure
            Notebooks show it; `save` writes it.

        Raises
        ------
        UsageError
            If there is no such figure; the message names those there are.

        """
        from insanonym_core.figures.theme import SCREEN

        with speaking(self.lang):
            known = self._drawables(individuals)
            found = next((one for one in known if name in (one.name, one.key) and name), None)
            if found is None:
                hidden = not individuals and any(name in (one.name, one.key) for one in self._drawables(True))
                raise no_figure(name, known, hidden)
            drawn = found.draw(SCREEN)
            if drawn is None:
                raise UsageError("The figure {name} has nothing to show here.", name=name)
            return Figure(found.name, found.title, drawn, found.draw)

    def _drawables(self, individuals: bool = False) -> list[Drawable]:
        from insanonym_core.figures.gallery import drawables

        return list(drawables(self.report, lang=self.lang, individuals=individuals))

    def save_report(self, folder: str | PathLike[str], *, force: bool = False) -> Path:
        """Write the report to hand over: a page, its figures, the scores and the recipe.

        Parameters
        ----------
        folder : path
            The folder to make.
        force : bool
            Overwrite the report that is there.

        Returns
        -------
        Path
            The folder.

        """
        from insanonym_core.report import write_report

        with speaking(self.lang):
            return write_report(self.report, Path(folder), lang=self.lang, force=force)

    # --- how it is shown --------------------------------------------------------------------------------

    @property
    def setting(self) -> str:
        """What was done, in words."""
        return say(self._setting, self.lang)

    @property
    def _setting(self) -> str:
        return self.report.setting if self.measured else recipe_text(self.recipe)

    def __repr__(self) -> str:
        said = [
            f"{self.recipe.kind}: {self._setting}",
            f"{self.made.kept:,} of {self.made.rows:,} rows",
        ]
        if self.measured:
            at_most = "at most " if self.privacy_at_most else ""
            for name, value in (("privacy " + at_most, self.privacy), ("utility ", self.utility)):
                said += [] if math.isnan(value) else [f"{name}{number(value, decimals=2)}"]
        return f"<Result of {', '.join(said)}>"

    def _repr_html_(self) -> str:
        from insanonym_core.api.page import result_html

        return result_html(self)

    def __getstate__(self) -> dict[str, Any]:  # Any: attributes of different types
        """Measured before it is sent away: an attacker who tries the recipe out cannot be sent."""
        measured = {**self.__dict__, "report": replace(self.report, release=self.made.release)}
        return {**measured, "made": replace(self.made, shadow=None)}


def warned(result: Found, level: int = 4) -> Found:
    """Say the warnings of a result where the function that made it was called."""
    for sentence in result.warnings:
        warnings.warn(sentence, InsanonymWarning, stacklevel=level)
    return result
