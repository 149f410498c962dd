"""The functions of `import insanonym_core`: each builds a recipe and runs it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from insanonym_core.api.inputs import (
    Given,
    Names,
    Steps,
    cautions_of,
    data_for,
    demonstrations,
    given,
    in_language,
    mapping_of,
    measures_of,
    names_of,
    plan,
    recipe_of,
    roles_of,
    seed_of,
    steps_of,
)
from insanonym_core.api.result import Result, warned
from insanonym_core.errors import UsageError
from insanonym_core.experiment.report import Report
from insanonym_core.experiment.run import make_release
from insanonym_core.experiment.run import run as run_recipe
from insanonym_core.kinds import Made
from insanonym_core.recipe import Recipe, Step

if TYPE_CHECKING:
    import pandas as pd

AVATARS = "mix_neighbours"


@in_language
def read(data: str | PathLike[str], *, kind: str = "", lang: str = "en", **reading: object) -> pd.DataFrame:
    """Read a file as the command line does, as a DataFrame.

    Parameters
    ----------
    data : str or path
        A file, or demonstration data such as ``demo:patients``.
    kind : str
        The kind of data: ``table`` unless it is demonstration data of another kind.
    lang : {"en", "fr"}
        Language of the errors.
    **reading
        How the file is read: the fields of a recipe's ``reading`` (separator, decimal …).

    Returns
    -------
    DataFrame
        The data as they were understood: numbers, dates and texts.

    Raises
    ------
    DataError
        If the file cannot be read; the message names its lines.

    Examples
    --------
    >>> import insanonym_core as insanonym
    >>> insanonym.read("demo:patients").columns[:4].tolist()
    ['sex', 'age', 'height_cm', 'weight_kg']

    """
    kind = kind or ("" if str(data) in demonstrations() else "table")
    recipe = plan(data, (), kind=kind, reading=reading)
    frame: pd.DataFrame = recipe.data_kind.code("to_frame")(data_for(recipe, None))
    return frame


@in_language
def anonymise(
    data: Given,
    steps: Steps,
    *,
    identifier: Names = None,
    quasi: Names = None,
    sensitive: Names = None,
    drop: Names = None,
    publish: Names = None,
    seed: int | None = None,
    kind: str = "",
    lang: str = "en",
) -> Result:
    """Anonymise data by one or more steps.

    Parameters
    ----------
    data : DataFrame or str
        A DataFrame (or an eager one of polars, pyarrow …), a file, or demonstration data. It is not changed.
    steps : Step, str, mapping, or several of them
        ``"cloak k=5"``, ``Step("cloak", {"k": 5})`` and ``{"cloak": {"k": 5}}`` are the same;
        ``insanonym list methods`` names them all.
    identifier : str or list of str, optional
        Columns that name people, never published; the first tells individuals apart.
    quasi : str or list of str, optional
        Quasi-identifiers: what an attacker may know of somebody.
    sensitive : str or list of str, optional
        What nobody should learn of somebody.
    drop, publish : str or list of str, optional
        Columns not to publish, and columns to publish although they look like direct identifiers.
    seed : int, optional
        Repeats the draws, for lessons; pseudonyms of your own data are never repeated.
    kind : {"mobility", "table", "traces", "avatars"}, optional
        The kind of data, where columns and methods leave it open.
    lang : {"en", "fr"}
        Language of sentences, titles and errors.

    Returns
    -------
    Result
        Its ``release`` is a DataFrame; it is measured when a score is first asked for.

    Raises
    ------
    UsageError
        If a step or a role is wrong.
    DataError
        If the data cannot be read or anonymised.

    Warns
    -----
    InsanonymWarning
        If roles were guessed (an empty list says that there is none), original ids are published, a promise
        is broken, or nearly everything was deleted.

    Examples
    --------
    >>> import insanonym_core as insanonym
    >>> patients = insanonym.read("demo:patients")
    >>> safe = insanonym.anonymise(
    ...     patients,
    ...     "mondrian k=5",
    ...     quasi=["sex", "age", "town"],
    ...     sensitive="diagnosis",
    ...     drop="admission_date",
    ... )
    >>> safe.promises[0][:28]
    'Asked k = 5, measured k = 5:'
    >>> safe.not_published
    {'admission_date': 'dropped on request'}

    """
    data = given(data)
    roles = roles_of(identifier=identifier, quasi=quasi, sensitive=sensitive, drop=drop, publish=publish)
    recipe = plan(data, steps_of(steps), kind=kind, roles=roles, seed=seed_of(seed))
    if not recipe.steps:
        raise UsageError(
            "There are no steps: give at least one, as the release would be the original itself."
        )
    return _made(recipe, data, lang)


@in_language
def make_avatars(
    data: Given,
    k: int = 20,
    *,
    identifier: Names = None,
    quasi: Names = None,
    sensitive: Names = None,
    drop: Names = None,
    publish: Names = None,
    seed: int | None = None,
    lang: str = "en",
    **parameters: object,
) -> Result:
    """Make synthetic rows: each a random mix of the nearest rows of an original one.

    Parameters
    ----------
    data : DataFrame or str
        A table, a file, or demonstration data. It is not changed.
    k : int
        Number of neighbours that are mixed.
    identifier, quasi, sensitive, drop, publish : str or list of str, optional
        As in `anonymise`; quasi and sensitive are what an attacker knows and guesses.
    seed : int, optional
        Repeats the draws, for lessons.
    lang : {"en", "fr"}
        Language of sentences, titles and errors.
    **parameters
        The other parameters of the method: ``variance``, ``components``, ``weights``, ``impute`` …

    Returns
    -------
    Result
        Its ``release`` holds the avatars, in an order of their own.

    Raises
    ------
    UsageError
        If a parameter or a role is wrong.
    DataError
        If the data cannot be read or mixed.

    Examples
    --------
    >>> import insanonym_core as insanonym
    >>> tumours = insanonym.read("demo:breast_cancer")
    >>> insanonym.make_avatars(tumours, k=20, components=5).release.shape == tumours.shape
    True

    """
    data = given(data)
    roles = roles_of(identifier=identifier, quasi=quasi, sensitive=sensitive, drop=drop, publish=publish)
    steps = steps_of(Step(AVATARS, {"k": k, **parameters}))
    recipe = plan(data, steps, kind="avatars", roles=roles, seed=seed_of(seed))
    return _made(recipe, data, lang)


@in_language
def risk(
    data: Given,
    quasi: str | Sequence[str],
    sensitive: str | Sequence[str] = (),
    *,
    identifier: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    publish: str | Sequence[str] = (),
    settings: Mapping[str, object] | None = None,
    lang: str = "en",
) -> Result:
    """Measure how exposed the rows of a table are; nothing is done to it and no role is guessed.

    Parameters
    ----------
    data : DataFrame or str
        A table, a file, or demonstration data: an original, or a release.
    quasi : str or list of str
        Quasi-identifiers: what an attacker may know of somebody.
    sensitive : str or list of str
        What nobody should learn of somebody.
    identifier : str or list of str
        Columns that name people; the first tells individuals apart where they have several rows.
    drop, publish : str or list of str
        As in `anonymise`.
    settings : mapping, optional
        Parameters of measures, such as ``{"recursive_c.l": 3}``.
    lang : {"en", "fr"}
        Language of sentences, titles and errors.

    Returns
    -------
    Result
        With the measures of privacy: k, l, t, uniqueness, the attackers' success.

    Raises
    ------
    UsageError
        If a name is no column.

    Examples
    --------
    >>> import insanonym_core as insanonym
    >>> exposed = insanonym.risk("demo:patients", ["sex", "age", "town"], "diagnosis")
    >>> int(exposed.scores.value["privacy.k"])
    1

    """
    data = given(data)
    named = {
        "identifier": identifier,
        "quasi": quasi,
        "sensitive": sensitive,
        "drop": drop,
        "publish": publish,
    }
    roles = {role: names_of(names, role) for role, names in named.items()}
    recipe = plan(data, (), kind="table", roles=roles, settings=mapping_of(settings, "settings"))
    found = data_for(recipe, data)
    report = run_recipe(recipe, data=found, only=("privacy",))
    cautions = cautions_of(data, found)
    return warned(Result(recipe, _of_report(report), found, lang=lang, report=report, cautions=cautions))


@in_language
def run(
    recipe: Recipe | str | PathLike[str],
    data: Given | None = None,
    *,
    only: str | Collection[str] | None = None,
    lang: str = "en",
) -> Result:
    """Run a recipe: make the release, and measure it.

    Parameters
    ----------
    recipe : Recipe or path
        A recipe, or its YAML file.
    data : DataFrame or str, optional
        The data, where the recipe names none, or others. A DataFrame is not changed.
    only : str or list of str, optional
        Keys (utility.poi) or families (utility, privacy, attack) of the measures to take; all by default.
    lang : {"en", "fr"}
        Language of sentences, titles and errors.

    Returns
    -------
    Result
        The release with its scores.

    Raises
    ------
    UsageError
        If the recipe does not fit the data.
    DataError
        If the data cannot be read.

    Examples
    --------
    >>> import insanonym_core as insanonym
    >>> roles = {"quasi": ("sex", "age", "town"), "sensitive": ("diagnosis",)}
    >>> steps = (insanonym.Step("mondrian", {"k": 10}),)
    >>> recipe = insanonym.Recipe(steps, kind="table", roles=roles)
    >>> found = insanonym.run(recipe, insanonym.read("demo:patients"), only=["privacy", "utility.ncp"])
    >>> found.privacy > 0.7
    True

    """
    known = recipe_of(recipe)
    wanted = measures_of(known, only)
    found = data_for(known, data)
    report = run_recipe(known, data=found, only=wanted)
    cautions = cautions_of(data, found)
    made = _of_report(report)
    return warned(Result(known, made, found, lang=lang, only=wanted, report=report, cautions=cautions))


def _made(recipe: Recipe, data: Given, lang: str) -> Result:
    found = data_for(recipe, data)
    made = make_release(recipe, found)
    return warned(Result(recipe, made, found, lang=lang, cautions=cautions_of(data, found)), level=5)


def _of_report(report: Report) -> Made:
    release, evidence, promises = report.release, report.evidence, report.promises
    return Made(release, report.rows, report.kept, evidence, promises, report.warnings, report.facts)
