"""Load the data of a recipe, and choose the random generator for it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from insanonym_core.errors import UsageError
from insanonym_core.kinds import Data, kind_named
from insanonym_core.numeric.randomness import Draws
from insanonym_core.parameters import ParameterValues
from insanonym_core.recipe import Recipe
from insanonym_core.runtime.store import PROCESS_STORE, Store


def load(recipe: Recipe, store: Store | None = None) -> Data:
    """Generate or read the data that a recipe names; cached in the store while the file is unchanged."""
    if recipe.data is None:
        raise UsageError(
            "The recipe names no data: set 'data' to a file or to demo:mobility, or give the data itself."
        )
    kind, place = recipe.data_kind, recipe.place
    reading = tuple(sorted((name, _hashable(value)) for name, value in recipe.reading.items()))
    # Kinds that share a reader share what it read.
    reader = kind.read if place else kind.demos[recipe.data].make if recipe.data in kind.demos else kind.name
    key = reader, str(place or recipe.data), _stamp(place), reading

    def read() -> Data:
        if place is None:
            return kind.make_demo(recipe.data or "", recipe.reading)
        return kind.read_data(str(place), recipe.reading)

    return (store or PROCESS_STORE).get("data", key, read)


def as_data(recipe: Recipe, given: object) -> Data:
    """Data that were handed over: as they are, or those of a DataFrame by what the recipe says of reading."""
    if hasattr(type(given), "digest") and hasattr(type(given), "demonstration"):
        return cast(Data, given)
    return data_of_frame(given, recipe.kind, recipe.reading)


def data_of_frame(given: object, kind: str, reading: ParameterValues) -> Data:
    """The data of a DataFrame, for a kind of data."""
    from insanonym_core.io.frames import frame_of

    frame = frame_of(given)
    read = kind_named(kind).code("from_frame")
    if read is None:
        raise UsageError("{kind} data cannot be given as a DataFrame: give the name of a file.", kind=kind)
    return read(frame, reading)


def draws_of(seed: int | None, data: Data, secret: bytes | None = None) -> Draws:
    """The origin of the random draws of a run; draws over a user's own data also depend on that data."""
    own = not data.demonstration and (seed is not None or secret is not None)
    return Draws(seed, data.digest() if own else None, secret if seed is None else None)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(
            "{path} cannot be read ({reason}): check the name.", path=path, reason=error.strerror or error
        ) from None


def _hashable(value: object) -> object:
    if isinstance(value, Mapping):
        return tuple(sorted(value.items()))
    return tuple(value) if isinstance(value, list) else value


def _stamp(place: Path | None) -> tuple[int, int] | None:
    """Modification time and size of a file, to notice changes."""
    if place is None:
        return None
    try:
        state = place.stat()
    except OSError:
        return None  # the reader says what is wrong with it
    return state.st_mtime_ns, state.st_size
