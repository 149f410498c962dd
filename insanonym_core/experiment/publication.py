"""What leaves the house, for every kind of data: the release to publish, and apart from it the lookup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from insanonym_core.errors import UsageError
from insanonym_core.recipe import Recipe

if TYPE_CHECKING:
    import pandas as pd

PSEUDONYMS = "pseudonymise"
NO_LOOKUP = "There is no lookup: it needs a step pseudonymise, of GPS traces or of a table."


def publishes_two_tables(recipe: Recipe) -> bool:
    """Whether the release is two tables that belong together."""
    return any(step.method == "bucketise" for step in recipe.steps)


def has_lookup(recipe: Recipe) -> bool:
    """Whether the recipe gives pseudonyms that a lookup can undo."""
    return any(step.method == PSEUDONYMS for step in recipe.steps)


def write_published_table(
    recipe: Recipe, release: Any, path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()
) -> None:
    """Write what may be published of a table, of avatars or of study traces; never the pairing or a lookup.

    Rows are sorted by all their columns, whatever the method did. GPS traces have a resolution besides: see
    mobility.publication.
    """
    from insanonym_core.tabular.files import write_frame
    from insanonym_core.tabular.release import sorted_rows
    from insanonym_core.tabular.two_tables import write_two_tables
    from insanonym_core.traces import write_trace_table

    if recipe.kind == "traces":
        write_trace_table(release.published, path, force=force, sources=sources)
    elif publishes_two_tables(recipe):
        write_two_tables(release, path, force=force, sources=sources)
    else:
        write_frame(sorted_rows(release.published).frame(), path, force=force, sources=sources)


def lookup_of(recipe: Recipe, release: Any) -> pd.DataFrame:
    """Who is behind which pseudonym: as secret as the data, and in no other file."""
    if not has_lookup(recipe):
        raise UsageError(NO_LOOKUP)
    if recipe.kind == "mobility":
        import pandas as pd

        from insanonym_core.mobility.methods.pseudonymise import lookup_table

        return pd.DataFrame(lookup_table(release.release), columns=["id", "week", "pseudonym"])
    frame: pd.DataFrame = release.extra["lookup"]
    return frame


def write_lookup(
    recipe: Recipe, release: Any, path: Path, *, force: bool = False, sources: tuple[Path, ...] = ()
) -> None:
    """Write the lookup as CSV that its owner alone may read."""
    from insanonym_core.tabular.files import write_frame

    write_frame(lookup_of(recipe, release), path, force=force, sources=sources, private=True)
