"""Recipes in YAML: precise errors on the way in, a short readable file on the way out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.io.output import writing
from insanonym_core.io.small_texts import small_text
from insanonym_core.kinds import all_kinds
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.recipe import Recipe, Step
from insanonym_core.results.headlines import WHAT
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    import yaml

FIELDS = (
    "data",
    "kind",
    "seed",
    "rules",
    "roles",
    "reading",
    "settings",
    "headline",
    "descriptions",
    "steps",
)
_LISTS_OF_ROLES = ("quasi", "sensitive", "drop", "publish", "guessed")
_ALLOWED = {
    "identifier": Phrase("the name of a column or a list of names"),
    "by": Phrase("the name of a column"),
}
_GUESSES = ("identifier", "quasi", "sensitive")
_LONGEST = 100_000
_MAX_BRACKETS = 1000
_YAML_BREAKS = frozenset("\n\r\x85\u2028\u2029")
_LONGEST_NAME = 4096  # no system has longer names of files


def read_recipe(path: Path | str) -> Recipe:
    """Load a recipe from a YAML file; a data file named in it is looked for beside it."""
    path = Path(path)
    text = small_text(path, _LONGEST, "a recipe, a short YAML file")
    try:
        return replace(recipe_from_text(text), folder=str(path.parent))
    except UsageError as error:
        raise DataError("{file}: {error}", file=path.name, error=error) from None


def write_recipe(recipe: Recipe, path: Path | str, *, force: bool = False) -> None:
    """Save a recipe."""
    with writing(Path(path), force=force) as beside:
        beside.write_text(recipe_to_text(recipe), encoding="utf-8")


def recipe_to_text(recipe: Recipe) -> str:
    """A recipe as YAML, a line for each field and each step; read back it is the same recipe."""
    content = recipe.plain()
    steps = content.pop("steps")
    lines = [f"{name}: {_in_one_line(value)}" for name, value in content.items()]
    lines += ["steps:" if steps else "steps: []"]
    lines += [f"  - {name}: {_in_one_line(values)}" for step in steps for name, values in step.items()]
    return "\n".join(lines) + "\n"


def text_to_share(recipe: Recipe) -> str:
    """A recipe as it is handed over: every parameter written out, the data file without its folders."""
    return recipe_to_text(recipe.complete().without_folders())


def _in_one_line(value: object) -> str:
    import yaml

    text: str = yaml.dump(
        value, Dumper=_dumper(), sort_keys=False, allow_unicode=True, default_flow_style=True, width=10**9
    )
    return text.removesuffix("\n").removesuffix("\n...")


@cache
def _dumper() -> type[yaml.SafeDumper]:
    """Writes texts with line breaks in double quotes, where each break is escaped.

    For YAML, U+0085, U+2028 and U+2029 are line breaks: in any other style they are read back as a space.
    """
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    def represent(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = '"' if set(text) & _YAML_BREAKS else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent)
    return Dumper


def recipe_from_text(text: str) -> Recipe:
    """A recipe from YAML text; every error says which step or field, and what is allowed."""
    return recipe_from_content(content_from_text(text))


def content_from_text(text: str) -> dict[str, Any]:  # Any: what a YAML file may hold
    """The fields of a YAML text, not checked yet."""
    return _fields_of(_safely_loaded(text))


def _fields_of(content: object) -> dict[str, Any]:  # Any: what a YAML file may hold
    if not isinstance(content, dict):
        raise UsageError(
            "a recipe must have the fields {fields}; the README shows one.", fields=", ".join(FIELDS)
        )
    return content


def recipe_from_content(fields: object) -> Recipe:
    """A recipe from its fields as plain values; every error says which step or field, and what is allowed."""
    content = _fields_of(fields)
    unknown = [str(name) for name in content if name not in FIELDS]
    if unknown:
        raise UsageError(
            "a recipe has no field {unknown}; its fields are {fields}.",
            unknown=brief(unknown[0]),
            fields=", ".join(FIELDS),
        )
    steps = content.get("steps") or []
    if not isinstance(steps, list):
        raise UsageError("steps must be a list, such as '- pseudonymise: {}'.")
    data = content.get("data")
    if data is not None and (not isinstance(data, str) or "\0" in data or len(data) > _LONGEST_NAME):
        raise UsageError("data must be a file name or demo:mobility, got {data}.", data=brief(data))
    kind = content.get("kind", "")
    if not isinstance(kind, str) or (kind and kind not in all_kinds()):
        raise UsageError(
            "kind must be one of {all_kinds}, got {kind}.", all_kinds=", ".join(all_kinds()), kind=brief(kind)
        )
    return Recipe(
        steps=tuple(_step(number, step) for number, step in enumerate(steps, start=1)),
        data=data,
        kind=kind,
        seed=content.get("seed"),
        rules=content.get("rules", ""),
        roles=_roles(_fields(content, "roles", _of_all_kinds("roles"))),
        reading=_reading(_fields(content, "reading", _of_all_kinds("reading"))),
        settings=_fields(content, "settings", None),
        headline=_texts("headline", _fields(content, "headline", WHAT)),
        descriptions=_texts("descriptions", _fields(content, "descriptions", None)),
    )


def _of_all_kinds(field: str) -> tuple[str, ...]:
    """The names that `roles` or `reading` may have in a recipe of some kind."""
    return tuple(dict.fromkeys(name for kind in all_kinds().values() for name in getattr(kind, field)))


def _fields(content: dict[str, object], name: str, known: tuple[str, ...] | None) -> dict[str, object]:
    found = content.get(name) or {}
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise UsageError(
            "{name} must be fields with values, such as '{name}: {{{known}: …}}'.",
            name=name,
            known=(known or ("share",))[0],
        )
    for key in found:
        if known is not None and key not in known:
            raise UsageError(
                "{name} has no field {key}; its fields are {known}.",
                name=name,
                key=brief(key),
                known=", ".join(known),
            )
    return found


def _roles(found: dict[str, object]) -> dict[str, object]:
    roles: dict[str, object] = {}
    for name in ("identifier", "by"):
        if name == "identifier" and isinstance(found.get(name), list):
            roles[name] = _names(name, found[name])
            continue
        if name in found and not isinstance(found[name], str):
            raise UsageError(
                "{name} must be {allowed}, got {found}.",
                name=name,
                allowed=_ALLOWED[name],
                found=brief(found[name]),
            )
        roles |= {name: found[name]} if name in found else {}
    lists = {name: _names(name, found[name]) for name in _LISTS_OF_ROLES if name in found}
    for name in lists.get("guessed", ()):
        if name not in _GUESSES:
            raise UsageError(
                "guessed must be among {guesses}, got {name}.", guesses=", ".join(_GUESSES), name=brief(name)
            )
    return roles | lists


def _names(name: str, value: object) -> tuple[str, ...]:
    # A name in a list is taken as it is: a header may begin with a space.
    names = [one.strip() for one in value.split(",")] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise UsageError(
            "{name} must be names of columns, such as [a, b], got {value}.", name=name, value=brief(value)
        )
    return tuple(names)


def _reading(found: dict[str, object]) -> dict[str, object]:
    plain = {name: value for name, value in found.items() if name not in ("without", "types")}
    reading: dict[str, object] = {**_texts("reading", plain)}
    if "without" in found:
        reading["without"] = _names("without", found["without"])
    if "types" in found:
        reading["types"] = _texts("types", _fields(found, "types", None))
    ReadingOptions.of(reading)
    return reading


def _texts(name: str, found: dict[str, object]) -> dict[str, str]:
    for key, value in found.items():
        if not isinstance(value, str):
            raise UsageError(
                "{key} in {name} must be a text, got {value}.", key=key, name=name, value=brief(value)
            )
    return cast(dict[str, str], found)


def _safely_loaded(text: str) -> object:
    """YAML as plain data. Aliases are refused: a few lines of them can unfold to gigabytes."""
    import yaml

    if len(text) > _LONGEST or text.count("[") + text.count("{") > _MAX_BRACKETS:
        raise UsageError(
            "a recipe is a short file of steps, and this one is too long or too deeply nested: shorten it."
        )
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text, Loader=yaml.SafeLoader)):
            raise UsageError("a recipe cannot use YAML aliases (*name): write the values out.")
        _refuse_twins(yaml.compose(text, Loader=yaml.SafeLoader))
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        if mark is None:
            raise UsageError("this is not YAML; the README shows a recipe.") from None
        raise UsageError(
            "line {line}: this is not YAML; the README shows a recipe.", line=mark.line + 1
        ) from None


def _refuse_twins(node: Any) -> None:  # Any: a node of YAML, told apart by its `id`
    """A key that stands twice would silently win over the first."""
    for key, value in getattr(node, "value", ()) if getattr(node, "id", "") == "mapping" else ():
        names = [other.value for other, _ in node.value]
        if names.count(key.value) > 1:
            raise UsageError(
                "line {line}: {value} is written twice; leave one out.",
                line=key.start_mark.line + 1,
                value=brief(key.value),
            )
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
    raise UsageError(
        "Step {number} must be written as 'method: {{name: value}}', such as 'cloak: {{k: 5}}'.",
        number=number,
    )
