"""The data of a recipe, and where the draws over it come from."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from insanonym_core.errors import UsageError
from insanonym_core.kinds import Data
from insanonym_core.randomness import Draws
from insanonym_core.recipe import Recipe
from insanonym_core.store import PROCESS_STORE, Store


def load(recipe: Recipe, store: Store | None = None) -> Data:
    """The data that a recipe names, made or read; kept in the store while the file is unchanged."""
    if recipe.data is None:
        raise UsageError(
            "The recipe names no data: set 'data' to a file or to demo:mobility, or hand it over."
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


def draws_of(seed: int | None, data: Data, secret: bytes | None = None) -> Draws:
    """Where the draws of a run over this data come from. Only draws over demonstration data ignore it."""
    own = not data.demonstration and (seed is not None or secret is not None)
    return Draws(seed, data.digest() if own else None, secret if seed is None else None)


def file_digest(path: Path) -> str:
    """The SHA-256 of a file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror or error}): check the name.") from None


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _stamp(place: Path | None) -> tuple[int, int] | None:
    """When a file was written last, and its size: a changed file is read again."""
    if place is None:
        return None
    try:
        state = place.stat()
    except OSError:
        return None  # the reader says what is wrong with it
    return state.st_mtime_ns, state.st_size
