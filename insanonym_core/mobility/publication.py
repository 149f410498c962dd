"""Write the file to publish of a release, which does not depend on the order of the original's rows.

A release is aligned with its original row by row for scoring, and must not be published like that: the rows
of an individual are consecutive, so that tokens that change every week could be linked by their order. The
published file depends on the set of rows only: deleted rows are left out, the others are sorted by token,
time and position. Long decimals would distinguish noise from original digits, so coordinates and times are
rounded to a declared resolution.

A method that changes positions declares `published_digits`, the decimals of a degree that it justifies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from insanonym_core.errors import UsageError, brief
from insanonym_core.io.publication import Option, Publication
from insanonym_core.mobility.geometry import METRE_DIGITS, PUBLISHED_DECIMALS
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import refuse_workbook, write_track
from insanonym_core.numeric.grouping import combine
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.kinds import Made
    from insanonym_core.mobility.pair import Pair
    from insanonym_core.recipe import Recipe

TIME_STEPS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
ORIGINAL_IDS = Phrase(
    "The published ids are the original ones: add the step pseudonymise before you publish."
)


@dataclass(frozen=True)
class Resolution:
    """Decimals of published coordinates in degrees, and the step of published times."""

    digits: int = METRE_DIGITS
    time: str = "second"

    def __post_init__(self) -> None:
        if self.digits > PUBLISHED_DECIMALS:
            raise UsageError(
                "The digits of coordinates must be at most {most}, got {digits}.",
                most=PUBLISHED_DECIMALS,
                digits=self.digits,
            )
        if self.time not in TIME_STEPS:
            raise UsageError(
                "The time resolution must be one of {time_steps}, got {time}.",
                time_steps=", ".join(TIME_STEPS),
                time=brief(self.time),
            )

    def sentence(self) -> str:
        """Describe the resolution in words, for the person who publishes."""
        return f"coordinates with {self.digits} decimals, times to the {self.time}"


def declared_resolution(steps: Iterable[object]) -> Resolution:
    """Resolution that the steps justify: the last one that changed positions decides."""
    digits = METRE_DIGITS
    for method in steps:
        digits = getattr(method, "published_digits", digits)
    return Resolution(digits)


def chosen_resolution(steps: Iterable[object], digits: int | None, time: str | None) -> Resolution:
    """The declared resolution, with `digits` and `time` replaced where they are given."""
    declared = declared_resolution(steps)
    if digits is not None and digits < 0:
        raise UsageError("The digits of coordinates must be 0 or more, got {digits}.", digits=digits)
    return replace(
        declared,
        digits=declared.digits if digits is None else digits,
        time=declared.time if time is None else time,
    )


def published_track(track: Track, resolution: Resolution) -> Track:
    """The rows to publish, independent of the order of the rows of the release."""
    kept = track.kept
    step = TIME_STEPS[resolution.time]
    time = kept.time // (step * track.resolution) * step
    # + 0.0 turns -0.0 into 0.0: they compare equal but are written differently, which would show the order.
    latitude = np.round(kept.latitude, resolution.digits) + 0.0
    longitude = np.round(kept.longitude, resolution.digits) + 0.0
    rank = np.empty(len(kept.tokens), dtype=np.int64)
    rank[sorted(range(len(kept.tokens)), key=kept.tokens.__getitem__)] = np.arange(len(kept.tokens))
    order = np.lexsort((longitude, latitude, time, rank[kept.token]))
    token = kept.token[order]
    return Track(  # without the individuals: nothing here pairs it with the original
        token, kept.tokens, token, kept.tokens, time[order], latitude[order], longitude[order]
    )


def has_original_ids(track: Track) -> bool:
    """Whether the token of any row is the id of its individual."""
    kept = track.kept
    if len(kept) == 0:
        return False
    tokens = len(kept.tokens)
    pairs = np.unique(combine((kept.individual, len(kept.individuals)), (kept.token, tokens)))
    return any(
        kept.individuals[individual] == kept.tokens[token]
        for individual, token in zip((pairs // tokens).tolist(), (pairs % tokens).tolist(), strict=True)
    )


def write_published_track(
    track: Track,
    path: Path | str,
    resolution: Resolution,
    *,
    order: Sequence[str] = (),
    style: str = "",
    force: bool = False,
    sources: tuple[Path, ...] = (),
) -> int:
    """Write the file to publish, in the format of the suffix of `path` and in the style of its original.

    With `style`, in the one of this name instead (reading/style.py).

    Return the number of rows.
    """
    rows = published_track(track, resolution)
    order = order or track.order
    write_track(rows, path, order=order, style=track.style.asked(style), force=force, sources=sources)
    return len(rows)


def write_aligned(pair: Pair, path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()) -> None:
    """Write a release row by row beside its original: to score, not to publish."""
    write_track(pair.release, path, force=force, sources=sources)


class TrackPublication(Publication):
    """How GPS traces are published: at a resolution, sorted, without deleted rows."""

    options = ("digits", "time_resolution", "style")

    def file(self, recipe: Recipe) -> tuple[str, str]:
        """Default name and media type: tab-separated text."""
        return "release_to_publish.tsv", "text/tab-separated-values"

    def check(
        self, recipe: Recipe, path: Path, *, force: bool, sources: tuple[Path, ...], **options: Option
    ) -> None:
        """Raise a UsageError before the run if the file cannot be written or the resolution is invalid."""
        super().check(recipe, path, force=force, sources=sources)
        refuse_workbook(path)
        chosen_resolution(recipe.methods(), options.get("digits"), options.get("time_resolution"))

    def write(self, recipe: Recipe, release: Pair, path: Path, **options: Option) -> list[str]:
        """Write the file to publish with the options `digits` and `time_resolution`; return messages."""
        digits_and_time = options.pop("digits", None), options.pop("time_resolution", None)
        resolution = chosen_resolution(recipe.methods(), *digits_and_time)
        rows = write_published_track(release.release, path, resolution, **options)
        messages = [f"{rows:,} rows written to {path}, to publish: sorted, {resolution.sentence()}."]
        return [*messages, *self.cautions(release)]

    def frames(self, recipe: Recipe, release: Pair) -> dict[str, pd.DataFrame]:
        """The rows to publish, at the resolution that the steps justify."""
        rows = published_track(release.release, declared_resolution(recipe.methods()))
        return {"release": rows.to_frame()}

    def aligned(self, release: Pair) -> pd.DataFrame:
        """The release row by row beside the original: to score, not to publish."""
        return release.release.to_frame()

    def cautions(self, release: Pair) -> list[Phrase]:
        """Say so if ids of the original are published."""
        return [ORIGINAL_IDS] if has_original_ids(release.release) else []

    def describe(self, made: Made) -> str:
        """Number of rows and of deleted rows, in words."""
        return f"{made.rows:,} rows, {made.rows - made.kept:,} of them deleted,"

    def has_lookup(self, recipe: Recipe) -> bool:
        """Whether a step gives pseudonyms."""
        return any(step.method == "pseudonymise" for step in recipe.steps)

    def lookup(self, release: Pair) -> pd.DataFrame:
        """Lookup table with the columns id, week and pseudonym."""
        import pandas as pd

        from insanonym_core.mobility.methods.pseudonymise import lookup_table

        return pd.DataFrame(lookup_table(release.release), columns=["id", "week", "pseudonym"])


PUBLICATION = TrackPublication()
