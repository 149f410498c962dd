"""Scoring two files or two partitioned folders, here, in several processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.cli import show
from insanonym_core.cli.options import pair_of_files
from insanonym_core.cli.privacy_output import privacy_json
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from insanonym_core.experiment import Report
    from insanonym_core.recipe import Recipe
    from insanonym_core.results.scores import JsonObject


def score_files(
    original: Path,
    release: Path,
    recipe: Recipe,
    only: Collection[str] | None,
    columns: str | None,
    allow_invalid: bool,
    workers: int,
    cluster: str | None,
    made_by: Recipe | None = None,
    reading: Mapping[str, object] | None = None,
) -> Report:
    """Score a pair in one process, in several, or on a cluster: the numbers are the same.

    With the recipe `made_by`, the attacker who learns makes releases of the original, which must then be one
    file.
    """
    from insanonym_core.experiment.run import entries_of, handed_in, run
    from insanonym_core.scale import OverParts, parts, pools

    folders = original.is_dir()
    if folders != release.is_dir():
        raise UsageError(
            "{original} and {release} must both be files, or both folders of parts.",
            original=original,
            release=release,
        )
    if cluster and not folders:
        raise UsageError(
            "A cluster reads folders of parts: make them with 'insanonym partition', then score those."
        )
    if made_by and (folders or workers > 1):
        raise UsageError("With --recipe the release is scored in one piece: give files, and one worker.")
    if cluster and workers > 1:
        raise UsageError("Give --workers or --cluster, not both: a cluster has its own workers.")
    with ExitStack() as stack:
        if folders:
            if columns:
                raise UsageError("The columns of parts have names: leave --columns out.")
            some = parts.parts_of_folders(original, release, allow_invalid=allow_invalid)
        else:
            with show.job(3 + len(entries_of(recipe, only)) * (workers == 1)) as job:
                pair = pair_of_files(original, release, columns, allow_invalid, job, reading or {})
                if workers == 1 and (made_by or pair.rows <= parts.MAX_ROWS_IN_ONE_PIECE):
                    return run(recipe, release=handed_in(pair, recipe.kind, made_by, job), only=only, job=job)
            some = stack.enter_context(parts.parts_of_pair(pair, min_parts=2 * workers))
        executor = None
        if cluster:
            executor = stack.enter_context(pools.cluster(cluster))
        elif workers != 1:
            executor = stack.enter_context(pools.pool(workers))
        on_rows = stack.enter_context(show.counting("rows"))
        strategy = OverParts(some, executor, on_rows=on_rows, on_problem=show.warn)
        return run(recipe, strategy=strategy, only=only)


def score_json(report: Report) -> JsonObject:
    """The report as JSON; its keys must not change. Scores that no rule set counts are `further_scores`."""
    official = report.recipe.data_kind.official(report.recipe.rules) or frozenset()
    utility = [one for one in report.family("utility") if one.key in official]
    others = [one for one in report.family("utility") if one.key not in official]
    further = {one.entry.name: one.score.value for one in others}
    reasons = {one.entry.name: one.score.undefined_because for one in others if not one.score.defined}
    attacks = list(report.family("attack"))
    return {
        "rules": report.recipe.rules,
        "rows": report.rows,
        "deleted": report.rows - report.kept,
        "utility": {one.entry.name: one.score.value for one in utility}
        | {report.headline_of("utility").name: report.utility},
        "utility_details": {
            one.entry.name: dict(one.score.details)
            | ({"undefined_because": one.score.undefined_because} if not one.score.defined else {})
            for one in utility
        },
        **({"further_scores": further} if further else {}),
        **({"further_undefined_because": reasons} if reasons else {}),
        "valid": report.release.valid,
        "attacks": {one.entry.name: one.score.value for one in attacks},
        "attack_details": {
            one.entry.name: {"interval": one.score.interval, **one.score.details} for one in attacks
        },
        "reidentified": {one.entry.name: one.score.details["reidentified"] for one in attacks},
        "privacy_measures": {one.entry.name: one.score.value for one in report.family("privacy")},
        "privacy_details": {one.entry.name: dict(one.score.details) for one in report.family("privacy")},
        "privacy": report.privacy,
        "defence": report.defence,
        **privacy_json(report),
        "competition": competition_json(report),
        "recipe_known": bool(report.facts.get("recipe_known")),
    }


def competition_json(report: Report) -> dict[str, float]:
    """Privacy and defence as the competition counts them: a week that is deleted whole can be guessed."""
    from insanonym_core.results.headlines import defence

    privacy = report.recipe.data_kind.headline("privacy", "best_attack").compute(report.measures)
    return {
        "best_attack": 1 - privacy,
        "privacy": privacy,
        "defence": defence(report.utility, privacy),
    }
