"""What users hand in, checked and understood: data, steps, roles, recipes, languages."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from insanonym_core.errors import InsanonymError, UsageError, brief, choices
from insanonym_core.experiment.load import data_of_frame, load
from insanonym_core.experiment.run import entries_of
from insanonym_core.kinds import Data, Kind, all_kinds, kind_named
from insanonym_core.recipe import Recipe, Step, method_entry, step_from_text
from insanonym_core.recipe_file import read_recipe
from insanonym_core.texts import LANGUAGES

if TYPE_CHECKING:
    import pandas as pd

Given: TypeAlias = "pd.DataFrame | str | PathLike[str]"
"""A DataFrame, the name of a file, or demonstration data such as demo:patients."""
StepLike: TypeAlias = Step | str | Mapping[str, Mapping[str, object] | None]
"""A Step, or one as it is written on the command line ("cloak k=5") or in a recipe ({"cloak": {"k": 5}})."""
Steps: TypeAlias = StepLike | Iterable[StepLike]
Names: TypeAlias = str | Iterable[str] | None
"""One column, several, or None for those that are guessed."""
Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def in_language(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Say the errors of a function in its `lang`."""

    @functools.wraps(function)
    def call(*values: Parameters.args, **named: Parameters.kwargs) -> Returned:
        __tracebackhide__ = True
        lang = str(named.get("lang", "en"))
        if lang not in LANGUAGES:
            raise UsageError(
                "The language must be {languages}, got {lang}.",
                languages=choices(LANGUAGES),
                lang=brief(lang),
            )
        try:
            return function(*values, **named)
        except InsanonymError as error:
            error.args = (error.say(lang),)
            failed = error.with_traceback(None)  # whoever called wrongly needs the sentence, not our modules
        raise failed from None

    return call


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Errors that leave this context are said in a language."""
    try:
        yield
    except InsanonymError as error:
        error.args = (error.say(lang),)
        raise


def names_of(names: str | Iterable[str], what: str) -> tuple[str, ...]:
    """Names as a tuple; one may stand alone. `what` is the argument that they are."""
    found = (names,) if isinstance(names, str) else names
    listed = tuple(found) if isinstance(found, Iterable) else (found,)
    wrong = [name for name in listed if not isinstance(name, str)]
    if wrong:
        raise UsageError(
            "{what} must be a name or a list of names, got {name} ({type}).",
            what=what,
            name=brief(wrong[0]),
            type=type(wrong[0]).__name__,
        )
    return listed


def roles_of(**given: Names) -> dict[str, tuple[str, ...]]:
    """The roles that were named, as in a recipe; what is None is left to be guessed."""
    return {role: names_of(names, role) for role, names in given.items() if names is not None}


def steps_of(steps: Steps) -> tuple[Step, ...]:
    """Steps however they are written."""
    if isinstance(steps, Step | str | Mapping) or not isinstance(steps, Iterable):
        return (_step_of(steps),)
    return tuple(map(_step_of, steps))


def _step_of(step: object) -> Step:
    if isinstance(step, Step):
        return Step(step.method, {name: _plain(value) for name, value in step.parameters.items()})
    if isinstance(step, str):
        return step_from_text(step)
    if isinstance(step, Mapping) and len(step) == 1:
        ((method, parameters),) = step.items()
        if parameters is None or isinstance(parameters, Mapping):
            return _step_of(Step(str(method), dict(parameters or {})))
    raise UsageError(
        "A step must be a Step, a text such as 'cloak k=5' or a mapping such as {example}, got {step}.",
        example="{'cloak': {'k': 5}}",
        step=type(step).__name__,
    )


def _plain(value: object) -> object:
    """Numbers and columns of pandas and numpy as plain ones."""
    listed = getattr(value, "tolist", None)
    return listed() if callable(listed) else value


def seed_of(seed: object) -> Any:  # Any: whatever it is, the recipe says what it must be
    """A seed as a plain number."""
    return _plain(seed)


def mapping_of(values: object, what: str) -> Mapping[str, Any]:  # Any: values of different types
    """Values by name, such as bounds and settings; none if None. `what` is the argument that they are."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise UsageError(
            "{what} must be values by name, such as {example}, got {type}.",
            what=what,
            example="{'privacy': 0.7}",
            type=type(values).__name__,
        )
    return {str(name): _plain(value) for name, value in values.items()}


def measures_of(recipe: Recipe, only: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """The keys or families of measures to take, checked; None for all."""
    if only is None:
        return None
    named = names_of(only, "only")
    entries = entries_of(recipe)
    known = dict.fromkeys([*(one.family or "attack" for one in entries), *(one.key for one in entries)])
    unknown = [name for name in named if name not in known]
    if unknown:
        raise UsageError(
            "There is no measure {name} for {kind} data; choose from: {known}.",
            name=brief(unknown[0]),
            kind=recipe.kind,
            known=", ".join(known),
        )
    return named


def given(data: Given) -> Given:
    """Data as they were handed in: a name as it is, a frame of any library as one of pandas."""
    from insanonym_core.io.frames import frame_of

    return data if isinstance(data, str | PathLike) else frame_of(data)


def cautions_of(data: Given | None, read: Data) -> tuple[str, ...]:
    """What should be looked at in a frame that was read."""
    from insanonym_core.tabular.frames import doubtful_columns
    from insanonym_core.tabular.table import Table

    in_memory = data is not None and not isinstance(data, str | PathLike)
    return tuple(doubtful_columns(read)) if in_memory and isinstance(read, Table) else ()


def recipe_of(recipe: Recipe | str | PathLike[str]) -> Recipe:
    """A recipe, or that of a file."""
    if isinstance(recipe, Recipe):
        return recipe
    if isinstance(recipe, str | PathLike):
        return read_recipe(Path(recipe))
    raise UsageError(
        "The recipe must be a Recipe or the name of its file, got {type}.", type=type(recipe).__name__
    )


def plan(
    data: Given,
    steps: Sequence[Step],
    *,
    kind: str = "",
    roles: Mapping[str, tuple[str, ...]] | None = None,
    **more: Any,  # Any: further fields of Recipe, each of its own type
) -> Recipe:
    """The recipe for these data and steps; its kind follows from them unless it is given."""
    roles = roles or {}
    if kind:
        kind_named(kind)
    if isinstance(data, str | PathLike):
        if not kind and roles and str(data) not in demonstrations():
            kind = _fitting(steps, roles)[0].name
        return Recipe(tuple(steps), data=data_name(data), kind=kind, roles=roles, **more)
    return Recipe(tuple(steps), kind=kind or kind_of(data, steps, roles), roles=roles, **more)


def kind_of(data: object, steps: Sequence[Step] = (), roles: Iterable[str] = ()) -> str:
    """The first kind of data that a frame with these columns can be, with these methods and roles."""
    from insanonym_core.io.frames import frame_of

    names = [str(name) for name in frame_of(data).columns]
    possible = _fitting(steps, roles)
    fitting = [kind for kind in possible if kind.frame_fits is None or kind.code("frame_fits")(names)]
    return (fitting or possible)[0].name


def _fitting(steps: Sequence[Step], roles: Iterable[str]) -> list[Kind]:
    """The kinds that have all these methods, those that have the roles first; all if none has the methods."""
    known = [kind for kind in all_kinds().values() if kind.from_frame is not None]
    having = [kind for kind in known if all(_has(kind, step) for step in steps)] or known
    with_roles = [kind for kind in having if set(roles) <= set(kind.roles)]
    return with_roles or having


def _has(kind: Kind, step: Step) -> bool:
    try:
        method_entry(step.method, kind.name)
    except UsageError:
        return False
    return True


def demonstrations() -> set[str]:
    """The names of all demonstration data."""
    return {name for kind in all_kinds().values() for name in kind.demos}


def data_name(data: str | PathLike[str]) -> str:
    """The `data` of a recipe for a file, also if its name looks like demonstration data."""
    name = str(data)
    return f"./{name}" if name.startswith("demo:") and name not in demonstrations() else name


def data_for(recipe: Recipe, data: Given | None) -> Data:
    """The data of a recipe: those handed in, else those that it names."""
    if data is None:
        return load(recipe)
    if isinstance(data, str | PathLike):
        return load(replace(recipe, data=data_name(data), folder=""))
    return data_of_frame(data, recipe.kind, recipe.reading)
