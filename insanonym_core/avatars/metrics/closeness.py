"""Privacy by distance: DCR, NNDR, hidden rate, cloaking, identical rows, and what to read them against."""

from __future__ import annotations

import numpy as np

from insanonym_core.avatars.closeness import (
    closest_distances,
    distances_among,
    identical_share,
    local_cloaking,
    other_is_closer,
)
from insanonym_core.avatars.metrics._shared import SpaceName, histogram, why_unpaired
from insanonym_core.avatars.release import (
    Avatars,
    Rehearsal,
    get_rehearsal,
    halves,
    score_rehearsal,
    to_points,
)
from insanonym_core.errors import DataError
from insanonym_core.numeric.arrays import Floats, Ints
from insanonym_core.numeric.intervals import wilson_interval
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Distribution, Score
from insanonym_core.results.threats import LINKABILITY, SINGLING_OUT, Threat
from insanonym_core.texts import Phrase


@metrics.add(
    "dcr_median",
    data="avatars",
    family="privacy",
    title="Distance to the closest record (DCR)",
    better="higher",
    bounds=(0, np.inf),
    order=1,
    formula="median over avatars of the distance to the closest original",
)
def dcr_median(avatars: Avatars, *, space: SpaceName = "pca") -> Score:
    """How far avatars are from real rows; to be compared with the distances between real rows (baselines)."""
    dcr, _ = _closest_distances(avatars, space)
    groups, medians = _with_baselines(avatars, dcr, space, 0)
    return Score(
        float(np.median(dcr)), (histogram("Distance to the closest real row", "distance", groups),), medians
    )


@metrics.add(
    "nndr_median",
    data="avatars",
    family="privacy",
    title="Nearest-neighbour distance ratio (NNDR)",
    better="higher",
    bounds=(0, 1),
    order=2,
    formula="median over avatars of closest / second closest original",
)
def nndr_median(avatars: Avatars, *, space: SpaceName = "pca") -> Score:
    """Near 1, an avatar lies between several people; near 0, it points at one of them."""
    _, nndr = _closest_distances(avatars, space)
    defined = nndr[~np.isnan(nndr)]
    if len(defined) == 0:
        return Score.undefined("every avatar lies on two real rows at once, or there is only one: 0/0")
    groups, medians = _with_baselines(avatars, defined, space, 1)
    return Score(
        float(np.median(defined)),
        (histogram("Closest over second closest real row", "ratio", groups),),
        {"undefined": len(nndr) - len(defined), **medians},
    )


@metrics.add(
    "hidden_rate",
    data="avatars",
    family="privacy",
    title="Hidden rate",
    better="higher",
    bounds=(0, 1),
    order=3,
    formula="share of originals with local cloaking > 0",
    threat=Threat(
        LINKABILITY,
        "{share} of the people have their own avatar as the single closest one",
        share=lambda score: 1 - score.value,
        interval=lambda score: score.interval and (1 - score.interval[1], 1 - score.interval[0]),
    ),
)
def hidden_rate(avatars: Avatars, *, space: SpaceName = "pca") -> Score:
    """The share of people whose own avatar is not the single closest one to them.

    With another avatar at the same distance a person counts as hidden here, and as found in the strict rate.
    If the identifier is known, all avatars of a person are their own. The interval is Wilson's.
    """
    cloaking = _cloaking(avatars, space)
    if cloaking is None:
        return Score.undefined(why_unpaired(avatars))
    value = float((cloaking > 0).mean())
    return Score(
        value,
        (_hiding_bars(cloaking), _cloaking_histogram(cloaking)),
        {"found": int((cloaking == 0).sum()), "hidden": int((cloaking > 0).sum())},
        wilson_interval(value, len(cloaking)),
    )


@metrics.add(
    "hidden_rate_strict",
    data="avatars",
    family="privacy",
    title="Hidden rate, strict",
    better="higher",
    bounds=(0, 1),
    order=3,
    formula="share of originals with another avatar closer than their own",
)
def hidden_rate_strict(avatars: Avatars, *, space: SpaceName = "pca") -> Score:
    """The share of people to whom another avatar is strictly closer than their own.

    Without ties it is the hidden rate. Where several avatars are equal, an attacker who takes one of the
    closest at random may well take the right one.
    """
    owner = avatars.owner
    if owner is None:
        return Score.undefined(why_unpaired(avatars))
    value = float(other_is_closer(*avatars.points(space), owner, avatars.person).mean())
    return Score(value, interval=wilson_interval(value, len(owner)))


@metrics.add(
    "local_cloaking",
    data="avatars",
    family="privacy",
    title="Local cloaking",
    better="higher",
    bounds=(0, np.inf),
    order=4,
    formula="median over originals of the other avatars at least as close as the own",
)
def cloaking_median(avatars: Avatars, *, space: SpaceName = "pca") -> Score:
    """The number of other avatars that are at least as close to a person as their own."""
    cloaking = _cloaking(avatars, space)
    if cloaking is None:
        return Score.undefined(why_unpaired(avatars))
    return Score(float(np.median(cloaking)), (_cloaking_histogram(cloaking),))


@metrics.add(
    "identical",
    data="avatars",
    family="privacy",
    title="Identical rows",
    better="lower",
    bounds=(0, 1),
    order=5,
    formula="share of avatars equal to an original in every column",
    threat=Threat(SINGLING_OUT, "{share} of the avatars are copies of a real row"),
)
def identical(avatars: Avatars) -> Score:
    """The share of avatars that copy a real row. Some arise by chance with few categories, none with numbers.

    A missing value equals a missing one.
    """
    return Score(identical_share(avatars.published, avatars.source))


@metrics.add(
    "dcr_share",
    data="avatars",
    family="privacy",
    title="DCR share",
    better="lower",
    bounds=(0, 1),
    order=6,
    formula="share of avatars closer to the training half than to the held-out half (ties ½)",
)
def dcr_share(avatars: Avatars, *, space: SpaceName = "pca") -> Score:
    """Above one half, avatars lie closer to the people they were made from than to others like them."""

    def score(rehearsal: Rehearsal) -> Score:
        train, held_out, synthetic = rehearsal.points(space)
        to_train, to_held_out = (
            closest_distances(synthetic, train)[0],
            closest_distances(synthetic, held_out)[0],
        )
        return Score(
            float(((to_train < to_held_out) + 0.5 * (to_train == to_held_out)).mean()),
            (
                histogram(
                    "Avatars of the training half",
                    "distance",
                    {"to the training half": to_train, "to the held-out half": to_held_out},
                ),
            ),
        )

    return score_rehearsal(avatars, score)


def _closest_distances(avatars: Avatars, space: str) -> tuple[Floats, Floats]:
    """Return DCR and NNDR of each avatar; cached."""

    def search() -> tuple[Floats, Floats]:
        real, synthetic = avatars.points(space)
        return closest_distances(synthetic, real)

    return avatars.derive(("closest", space), search)


def _cloaking(avatars: Avatars, space: str) -> Ints | None:
    """Return the local cloaking of each original; cached, None without a pairing."""
    owner = avatars.owner
    if owner is None:
        return None
    return avatars.derive(
        ("cloaking", space), lambda: local_cloaking(*avatars.points(space), owner, avatars.person)
    )


def _cloaking_histogram(cloaking: Ints) -> Distribution:
    return histogram("Avatars that hide each person", "other avatars", {"people": cloaking})


def _hiding_bars(cloaking: Ints) -> Bars:
    """Draw the shares of people by the number of avatars that hide them; 0 means found."""
    edges = np.array([0, 1, 2, 6, 21, np.inf])
    counts, _ = np.histogram(cloaking, edges)
    return Bars(
        "People found, and people hidden behind other avatars",
        "share of the people",
        (
            Phrase("found by their avatar"),
            Phrase("hidden behind 1 avatar"),
            Phrase("hidden behind {low} to {high}", low=2, high=5),
            Phrase("hidden behind {low} to {high}", low=6, high=20),
            Phrase("hidden behind more than {low}", low=20),
        ),
        counts / len(cloaking),
        share=True,
        shows_individuals=False,
    )


_HALF_AVATARS = "avatars of half"


def _with_baselines(
    avatars: Avatars, values: Floats, space: str, index: int
) -> tuple[dict[str, Floats], dict[str, float | int | None]]:
    """Return the values of avatars, held-out rows and real rows, and the medians of these baselines.

    Held-out rows show how close a person who was *not* in the data comes to the training half. Half of the
    people are less dense than all of them, so they compare with the avatars of the training half.
    """
    groups = {"avatars": values}
    medians: dict[str, float | int | None] = {}
    for name, distances in _baselines(avatars, space).items():
        defined = distances[index][~np.isnan(distances[index])]
        if len(defined):
            medians[name.replace("-", "_").replace(" ", "_")] = float(np.median(defined))
            if name != _HALF_AVATARS:
                groups[name] = defined
    return groups, medians


def _baselines(avatars: Avatars, space: str) -> dict[str, tuple[Floats, Floats]]:
    """Return DCR and NNDR of the baselines, as far as there are enough rows."""
    components = avatars.space.variance, avatars.space.requested_components
    baselines: dict[str, tuple[Floats, Floats]] = {}
    try:
        baselines["held-out rows"] = _held_out_distances(avatars, space)
        train, _, synthetic = get_rehearsal(avatars).points(space)
        baselines[_HALF_AVATARS] = avatars.derive(
            (_HALF_AVATARS, space), lambda: closest_distances(synthetic, train)
        )
    except DataError:
        pass  # too few rows, a half with equal rows only, or no method to rehearse
    baselines["real rows"] = avatars.original.derive(
        ("real rows", space, *components), lambda: distances_among(avatars.points(space)[0])
    )
    return baselines


def _held_out_distances(avatars: Avatars, space: str) -> tuple[Floats, Floats]:
    """Return DCR and NNDR of held-out rows to the training half; cached."""
    train, held_out = (half.imputed for half in halves(avatars))
    components = avatars.space.variance, avatars.space.requested_components
    train_space = train.derive(("space", *components), lambda: avatars.space.refitted(train))
    return train.derive(
        ("held-out rows", space, *components),
        lambda: closest_distances(
            to_points(train_space, held_out, space), to_points(train_space, train, space)
        ),
    )
