"""Scoring two files or two partitioned folders, here, in several processes, or on a cluster."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.cli import show
from insanonym_core.cli.options import pair_of_files
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from insanonym_core.mobility.evaluate import Report, Settings


def scored(
    original: Path,
    release: Path,
    wanted: Settings,
    columns: str | None,
    allow_invalid: bool,
    workers: int,
    cluster: str | None,
) -> Report:
    """The report of a pair, whichever way it is counted: the numbers are the same."""
    from insanonym_core.mobility.evaluate import evaluate
    from insanonym_core.scale import parts, pools
    from insanonym_core.scale.evaluate import evaluate_parts

    folders = original.is_dir()
    if folders != release.is_dir():
        raise UsageError(f"{original} and {release} must both be files, or both folders of parts.")
    if cluster and not folders:
        raise UsageError("A cluster reads folders: make them with 'insanonym partition', then score those.")
    if cluster and workers > 1:
        raise UsageError("Give --workers or --cluster, not both: a cluster has its own workers.")
    with ExitStack() as stack:
        if folders:
            if columns:
                raise UsageError("The columns of parts have names: leave --columns out.")
            some = parts.parts_of_folders(original, release, allow_invalid=allow_invalid)
        else:
            steps = 3 + (len(wanted.metric_entries()) + len(wanted.attack_entries())) * (workers == 1)
            with show.progress(steps) as tell:
                pair = pair_of_files(original, release, columns, allow_invalid, tell)
                if workers == 1 and pair.rows <= parts.IN_ONE_PIECE:
                    return evaluate(pair, wanted, progress=tell)
            some = stack.enter_context(parts.parts_of_pair(pair, least=2 * workers))
        executor = None
        if cluster:
            executor = stack.enter_context(pools.cluster(cluster))
        elif workers != 1:
            executor = stack.enter_context(pools.pool(workers))
        counted = stack.enter_context(show.counting("rows"))
        return evaluate_parts(some, wanted, executor, counted=counted, warned=show.warn)
