"""Avatars scored: how close, how hidden, and beside which baselines a distance means something."""

from __future__ import annotations

from typing import Literal

import numpy as np

from insanonym_core.arrays import Floats, Ints
from insanonym_core.avatars.closeness import closest_distances, hidden_rate, identical_share, local_cloaking
from insanonym_core.avatars.make import Avatars, make_avatars
from insanonym_core.avatars.space import Space, fit_space, imputed
from insanonym_core.errors import DataError
from insanonym_core.scores import Distribution, Score
from insanonym_core.tabular.table import Table

SpaceName = Literal["pca", "columns"]
_BINS = 40


def placed(space: Space, table: Table, which: SpaceName) -> Floats:
    """The rows of a table as points: on the components, or as standardised columns."""
    columns = space.columns(table)
    return space.project(columns) if which == "pca" else columns


def closeness_scores(
    original: Table, synthetic: Table, space: Space, *, owner: Ints | None = None, which: SpaceName = "pca"
) -> dict[str, Score]:
    """DCR, NNDR, hidden rate, local cloaking and identical rows; without the pairing two of them are n/a."""
    real, made = placed(space, original, which), placed(space, synthetic, which)
    dcr, nndr = closest_distances(made, real)
    defined = nndr[~np.isnan(nndr)]
    scores = {
        "dcr_median": Score(float(np.median(dcr)), (_histogram("Distance to the closest real row", dcr),)),
        "nndr_median": Score(
            float(np.median(defined)),
            (_histogram("Closest over second closest real row", defined),),
            {"undefined": len(nndr) - len(defined)},
        )
        if len(defined)
        else Score.undefined("every avatar lies on two real rows at once: 0/0"),
        "identical": Score(identical_share(synthetic, original)),
    }
    if owner is None:
        unknown = "who is behind which row is not known: the pairing is needed"
        return scores | {"hidden_rate": Score.undefined(unknown), "local_cloaking": Score.undefined(unknown)}
    cloaking = local_cloaking(real, made, owner)
    return scores | {
        "hidden_rate": Score(hidden_rate(cloaking)),
        "local_cloaking": Score(
            float(np.median(cloaking)), (_histogram("Avatars that hide each row", cloaking),)
        ),
    }


def _histogram(title: str, values: Floats) -> Distribution:
    counts, edges = np.histogram(values, _BINS)
    return Distribution(title, "rows", "", edges, counts)


def baseline_scores(
    avatars: Avatars, generator: np.random.Generator, *, which: SpaceName = "pca"
) -> dict[str, Score]:
    """What makes a distance readable: held-out people, real people among themselves, and the DCR share.

    The table is split into equal halves; scaler and components are fitted on the training half, avatars are
    made from it alone. held_out: the held-out half against the training half. real: training rows among
    themselves. dcr_share: avatars closer to the training half than to the held-out half (ties ½).
    """
    table = avatars.original
    half = table.rows // 2
    if half < 3:
        raise DataError(f"Baselines need at least 6 rows to split, and the table has {table.rows}.")
    order = generator.permutation(table.rows)
    train, held_out = table.take(np.sort(order[:half])), table.take(np.sort(order[half : 2 * half]))
    made = make_avatars(train, avatars.settings, generator)
    space = made.space
    near, far, own = (placed(space, part, which) for part in (train, held_out, made.published))
    outside, outside_ratio = closest_distances(far, near)
    inside, inside_ratio = _among_themselves(near)
    to_train, to_held_out = closest_distances(own, near)[0], closest_distances(own, far)[0]
    share = float(((to_train < to_held_out) + 0.5 * (to_train == to_held_out)).mean())
    return {
        "held_out_dcr_median": Score(float(np.median(outside)), (_histogram("Held-out rows: DCR", outside),)),
        "held_out_nndr_median": Score(float(np.nanmedian(outside_ratio))),
        "real_dcr_median": Score(float(np.median(inside)), (_histogram("Real rows: DCR", inside),)),
        "real_nndr_median": Score(float(np.nanmedian(inside_ratio))),
        "dcr_share": Score(share),
    }


def _among_themselves(points: Floats) -> tuple[Floats, Floats]:
    from insanonym_core.avatars.generate import neighbours_of_rows

    found = neighbours_of_rows(points, 2).distance
    ratio = np.divide(found[:, 0], found[:, 1], out=np.full(len(found), np.nan), where=found[:, 1] > 0)
    return found[:, 0], ratio


def score_pair(original: Table, synthetic: Table, which: SpaceName = "pca") -> dict[str, Score]:
    """Somebody's synthetic table beside the original, without any pairing."""
    original.named(synthetic.columns, "synthetic table")
    if set(original.columns) != set(synthetic.columns):
        missing = sorted(set(original.columns) - set(synthetic.columns))
        raise DataError(f"The synthetic table lacks the columns {', '.join(missing)}: give the same columns.")
    whole, _ = imputed(original)
    made, _ = imputed(synthetic.select(original.columns))
    return closeness_scores(whole, made, fit_space(whole), which=which)
