"""Make a release and measure it, in the same way for every kind of data and every caller."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from insanonym_core.errors import UsageError
from insanonym_core.experiment.load import as_data, load
from insanonym_core.experiment.report import Report
from insanonym_core.experiment.strategy import Direct, Strategy, shadow_maker
from insanonym_core.kinds import Data, Made, Release, kind_named
from insanonym_core.numeric.arrays import one_thread
from insanonym_core.recipe import Recipe
from insanonym_core.registry import Entry, Measure, attacks, check_settings, is_wanted, metrics
from insanonym_core.results.headlines import WHAT
from insanonym_core.runtime.jobs import Job
from insanonym_core.runtime.store import using
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    import pandas as pd


def run(
    recipe: Recipe,
    *,
    data: Data | pd.DataFrame | None = None,
    release: Made | None = None,
    job: Job | None = None,
    only: Collection[str] | None = None,
    costly: bool = True,
    secret: bytes | None = None,
    strategy: Strategy | None = None,
) -> Report:
    """Make the release of a recipe and measure it.

    `data` that is not given is loaded, a DataFrame is read; with a `release` nothing is made. `job` hears of
    progress and of each family of measures (those of the headlines first, costly ones last), and can cancel.
    `only` keeps to the measures with these keys or families (a sweep needs its headlines alone); costly ones
    can be left out. Without a seed, draws come from the operating system, anew each time; with the `secret`
    of a session, the same settings give the same release again in that session.
    """
    job = job or Job()
    check_recipe(recipe)
    entries = [entry for entry in entries_of(recipe, only) if costly or not entry.costly]
    file = None
    if strategy is None:
        if data is None and release is None:
            file, data = recipe.place, load(recipe, job.store)
        elif data is not None:
            data = as_data(recipe, data)
        strategy = Direct(data, secret, release)
    with using(job.store), one_thread():
        made = strategy.make(recipe, entries, job)
        whole = Report(
            recipe,
            data,
            made.release,
            made.rows,
            made.kept,
            (),
            made.evidence,
            made.promises,
            made.warnings,
            {
                **made.facts,
                "recipe_known": made.shadow is not None and any(one.given for one in entries),
                "made_elsewhere": release is not None and not recipe.steps,
            },
            file,
        )
        stages = list(dict.fromkeys((entry.costly, entry.family) for entry in sorted(entries, key=_costly)))
        measured: dict[tuple[bool, str], list[Measure]] = {}
        for stage in _headlines_first(stages, recipe):
            if stage[0]:
                job.before_costly()
            some = [entry for entry in entries if (entry.costly, entry.family) == stage]
            measured[stage] = strategy.measure(recipe, made, some, job)
            job.partial(replace(whole, measures=_in_order(stages, measured, stage[1])))
    return replace(whole, measures=_in_order(stages, measured))


def _costly(entry: Entry) -> bool:
    return entry.costly


def _headlines_first(stages: Sequence[tuple[bool, str]], recipe: Recipe) -> list[tuple[bool, str]]:
    """The order of measuring: families that the headlines are about come first, costly ones last."""
    headlines = [recipe.data_kind.headline(what, recipe.headline.get(what)) for what in WHAT]
    wanted = {need.partition(".")[0] for headline in headlines for need in headline.needs}
    return sorted(stages, key=lambda stage: (stage[0], (stage[1] or "attack") not in wanted))


def _in_order(
    stages: Sequence[tuple[bool, str]],
    measured: Mapping[tuple[bool, str], list[Measure]],
    family: str | None = None,
) -> tuple[Measure, ...]:
    """The measures so far, of one family or of all, in the order of a report."""
    return tuple(
        measure
        for stage in stages
        if family is None or stage[1] == family
        for measure in measured.get(stage, ())
    )


def make_release(
    recipe: Recipe,
    data: Data | pd.DataFrame | None = None,
    job: Job | None = None,
    *,
    secret: bytes | None = None,
) -> Made:
    """Make the release of a recipe without measuring it; `data` and `secret` as in `run`."""
    job = job or Job()
    data = load(recipe, job.store) if data is None else as_data(recipe, data)
    with using(job.store), one_thread():
        return Direct(data, secret).make(recipe, (), job)


def score_release(
    release: Release,
    kind: str = "mobility",
    *,
    rules: str = "",
    aggregate: str | None = None,
    attacks: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
    only: Collection[str] | None = None,
    made_by: Recipe | None = None,
) -> Report:
    """Measure a release made elsewhere, such as a Pair, with all attacks or some by name.

    `made_by` is the recipe of the release, where it is known: an attacker who learns can try it out.
    """
    recipe = pair_recipe(kind, rules=rules, aggregate=aggregate, settings=settings)
    if attacks is not None:
        only = ("utility", "privacy", *(f"attack.{name}" for name in attacks))
    made = handed_in(release, kind, made_by)
    return run(recipe, release=made, only=only)


def handed_in(release: Release, kind: str, made_by: Recipe | None = None, job: Job | None = None) -> Made:
    """Wrap a release made elsewhere so that it can be measured; with its recipe, if that is known."""
    made: Made = kind_named(kind).code("handed_in")(release)
    if made_by is None:
        return made
    check_kind(made_by, kind)
    return replace(made, shadow=shadow_maker(made_by, release.original, job or Job()))


def check_kind(recipe: Recipe, kind: str) -> None:
    """Refuse a recipe of another kind of data than the release has."""
    if recipe.kind != kind:
        raise UsageError(
            "The recipe must be for {kind} data and is for {other}: choose another recipe.",
            kind=kind,
            other=recipe.kind,
        )


def pair_recipe(
    kind: str,
    *,
    rules: str = "",
    aggregate: str | None = None,
    settings: Mapping[str, object] | None = None,
) -> Recipe:
    """The recipe by which a pair of files is measured: no steps."""
    headline = {} if aggregate is None else {"utility": aggregate}
    return Recipe((), kind=kind, rules=rules, headline=headline, settings=settings or {})


def entries_of(recipe: Recipe, only: Collection[str] | None = None) -> list[Entry]:
    """The measures and attacks of a recipe under its rules, all or some."""
    kind = recipe.data_kind
    known = list(metrics.all(data=kind.name, rules=recipe.rules if kind.rules else None))
    known += attacks.all(data=kind.name) if kind.attacks else ()
    return [entry for entry in known if is_wanted(entry, only)]


def check_recipe(recipe: Recipe) -> None:
    """Refuse headlines that the kind does not have, and settings that no measure has."""
    entries = entries_of(recipe)
    families = {entry.family or "attack" for entry in entries}
    known = {entry.key for entry in entries} | families
    for what in WHAT:
        headline = recipe.data_kind.headline(what, recipe.headline.get(what))
        missing = [need for need in headline.needs if need not in known]
        if missing:
            raise UsageError(
                "The {what} headline {headline} of {kind} data needs {missing}, which is no "
                "registered measure; choose from: {known}.",
                what=Phrase(what),
                headline=headline.name,
                kind=recipe.kind,
                missing=missing[0],
                known=", ".join(sorted(known - families)),
            )
    check_settings(entries, recipe.settings)
