"""A recipe: which data, which steps with which parameters, which seed. Data in a file, never code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from insanonym_core.errors import DataError, UsageError
from insanonym_core.mobility.track import Track
from insanonym_core.randomness import step_generator
from insanonym_core.registry import Entry, methods

_FIELDS = ("data", "seed", "rules", "steps")
_LARGEST_SEED = 2**63 - 1
_LONGEST = 100_000
_MOST_BRACKETS = 1000


@dataclass(frozen=True)
class Step:
    """A method and the parameters that differ from its defaults."""

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the numbers. Without a seed, draws come from the operating system."""

    steps: tuple[Step, ...]
    data: str | None = None
    seed: int | None = None
    rules: str = "v2"

    def __post_init__(self) -> None:
        for number, step in enumerate(self.steps, start=1):
            try:
                build_method(step)
            except UsageError as error:
                raise UsageError(f"Step {number}: {error}") from None
        if self.rules not in ("v1", "v2"):
            raise UsageError(f"The rules of a recipe must be v1 or v2, got {self.rules!r}.")
        if self.seed is not None and (
            isinstance(self.seed, bool)
            or not isinstance(self.seed, int)
            or not 0 <= self.seed <= _LARGEST_SEED
        ):
            raise UsageError(
                f"The seed of a recipe must be a whole number from 0 to 2^63 - 1, got {self.seed!r}."
            )

    def apply(self, track: Track) -> Track:
        """The release this recipe makes of a track."""
        for step, generator in self.draws():
            track = build_method(step).apply(track, generator)
        return track

    def draws(self) -> Iterable[tuple[Step, np.random.Generator]]:
        """Each step with its own generator; a step more leaves the draws of the others as they were."""
        seen: dict[str, int] = {}
        for step in self.steps:
            seen[step.method] = seen.get(step.method, 0) + 1
            yield step, step_generator(self.seed, seen[step.method], step.method)


def method_entry(name: str) -> Entry:
    """The registered method of this name."""
    return methods.get(name, data="mobility")


def build_method(step: Step) -> Any:
    """The method with its parameters, checked."""
    return method_entry(step.method).item(**step.parameters)


def step_from_text(text: str) -> Step:
    """A step as written on the command line: 'planar_laplace radius=200'."""
    name, *settings = text.split() or [""]
    if not name:
        raise UsageError("A step reads 'method name=value …', such as 'cloak k=5'; an empty one came.")
    parameters: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key or not value:
            raise UsageError(f"A step reads 'method name=value …', got {setting!r} in {text!r}.")
        if key in parameters:
            raise UsageError(f"The step {text!r} sets {key} twice: leave one out.")
        parameters[key] = value
    return Step(name, parameters)


def read_recipe(path: Path | str) -> Recipe:
    """Load a recipe from a YAML file."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror or error}): check the name.") from None
    except UnicodeDecodeError:
        raise DataError(f"{path.name} is not UTF-8 text: a recipe is a YAML file.") from None
    try:
        return recipe_from_text(text)
    except UsageError as error:
        raise DataError(f"{path.name}: {error}") from None


def recipe_from_text(text: str) -> Recipe:
    """A recipe from YAML text; every error says which step or field, and what is allowed."""
    content = _safely_loaded(text)
    if not isinstance(content, dict):
        raise UsageError(f"a recipe must have the fields {', '.join(_FIELDS)}; see the README for one.")
    unknown = [str(name) for name in content if name not in _FIELDS]
    if unknown:
        raise UsageError(f"a recipe has no field {unknown[0]!r}; its fields are {', '.join(_FIELDS)}.")
    steps = content.get("steps") or []
    if not isinstance(steps, list):
        raise UsageError("steps must be a list, such as '- pseudonymise: {}'.")
    data = content.get("data")
    if data is not None and not isinstance(data, str):
        raise UsageError(f"data must be a file name or demo:mobility, got {data!r}.")
    return Recipe(
        steps=tuple(_step(number, step) for number, step in enumerate(steps, start=1)),
        data=data,
        seed=content.get("seed"),
        rules=content.get("rules", "v2"),
    )


def _safely_loaded(text: str) -> object:
    """YAML as plain data. Aliases are refused: a few lines of them can unfold to gigabytes."""
    import yaml

    if len(text) > _LONGEST or text.count("[") + text.count("{") > _MOST_BRACKETS:
        raise UsageError("a recipe is a short file of steps; this one is too long or too deeply nested.")
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text, Loader=yaml.SafeLoader)):
            raise UsageError("a recipe cannot use YAML aliases (*name): write the values out.")
        _refuse_twins(yaml.compose(text, Loader=yaml.SafeLoader))
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        raise UsageError(f"{place}this is not YAML; see the README for a recipe.") from None


def _refuse_twins(node: Any) -> None:
    """A key that stands twice would silently win over the first."""
    for key, value in getattr(node, "value", ()) if getattr(node, "id", "") == "mapping" else ():
        names = [other.value for other, _ in node.value]
        if names.count(key.value) > 1:
            raise UsageError(f"line {key.start_mark.line + 1}: {key.value!r} stands twice; leave one out.")
        _refuse_twins(value)
    for value in getattr(node, "value", ()) if getattr(node, "id", "") == "sequence" else ():
        _refuse_twins(value)


def _step(number: int, step: object) -> Step:
    if isinstance(step, str):
        return Step(step)
    if isinstance(step, dict) and len(step) == 1:
        name, parameters = next(iter(step.items()))
        if isinstance(name, str) and (parameters is None or isinstance(parameters, dict)):
            return Step(name, {str(key): value for key, value in (parameters or {}).items()})
    raise UsageError(f"Step {number} must read 'method: {{name: value}}', such as 'cloak: {{k: 5}}'.")
