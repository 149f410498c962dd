"""How a release is published: the base class that kinds of data extend."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from insanonym_core.errors import UsageError
from insanonym_core.io.output import check_writable
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.kinds import Made, Release
    from insanonym_core.reading.style import Style
    from insanonym_core.recipe import Recipe

Option: TypeAlias = Any  # Any: each option of a kind has its own type


class Publication(ABC):
    """The file to publish, and apart from it a lookup of pseudonyms. A kind writes `file` and `write`."""

    options: tuple[str, ...] = ()
    """What `write` takes besides: options of `insanonym anonymise`."""

    @abstractmethod
    def file(self, recipe: Recipe) -> tuple[str, str]:
        """Name and media type of the file to publish."""

    def frames(self, recipe: Recipe, release: Release) -> dict[str, pd.DataFrame]:
        """The tables that may be published, by name: what `write` writes."""
        raise UsageError("The releases of this kind of data are no tables: write them to a file.")

    def aligned(self, release: Release) -> pd.DataFrame:
        """The release row by row beside the original: to score, not to publish."""
        raise UsageError(
            "Only releases of GPS traces have rows that stand beside those of the original: use the release."
        )

    def cautions(self, release: Release) -> list[Phrase]:
        """What must be known of a release before it is published."""
        return []

    @abstractmethod
    def write(self, recipe: Recipe, release: Release, path: Path, **options: Option) -> list[str]:
        """Write what may be published; what to say of it, warnings after it (empty: `describe` says it).

        `options` are `force` and `sources`, as in `output.writing`, and those of the kind.
        """

    def check(
        self, recipe: Recipe, path: Path, *, force: bool, sources: tuple[Path, ...], **options: Option
    ) -> None:
        """Raise an error before the run if the file could not be written; `options` are those of the kind."""
        check_writable(path, force=force, sources=sources)

    def describe(self, made: Made) -> str:
        """What was written, for a sentence."""
        return f"{made.kept:,} of {made.rows:,} rows"

    def has_lookup(self, recipe: Recipe) -> bool:
        """Whether the recipe gives pseudonyms that a lookup can undo."""
        return False

    def has_mapping(self, recipe: Recipe) -> bool:
        """Whether steps of the recipe may replace values by coarser ones."""
        return False

    def mapping(self, release: Release) -> pd.DataFrame:
        """Which original values became which: as secret as the data."""
        raise UsageError("This kind of data has no mapping of values: do not ask for one.")

    def style(self, release: Release) -> Style | None:
        """How the original is written, for the tables that go with a release; None where nothing is known."""
        return None

    def lookup(self, release: Release) -> pd.DataFrame:
        """Who is behind which pseudonym: as secret as the data, and in no other file."""
        raise UsageError("This kind of data has no pseudonyms, and so no lookup: do not ask for one.")
