"""What a study asks for, as YAML: the data, its columns, the projections and the traces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.io.small_texts import small_text
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import content_from_text, recipe_from_content
from insanonym_core.registry import methods

FIELDS = (
    "data",
    "name",
    "identifier",
    "year",
    "k",
    "max_loss",
    "without",
    "projections",
    "traces",
    "descriptions",
)
_NEEDED = ("data", "identifier", "year", "projections", "traces")
_LONGEST = 100_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_TRACES = ("item", "prefix", "mask", "style", "several", "protect")
ALL, DEFAULT_PROTECT = "all", 4
_RESERVED = ("cleaned", "loss_by_year", "traces", "differences")


@dataclass(frozen=True)
class Study:
    """A study of enrolments: rows of individuals with a year.

    `projections` are tables by name: the columns that each starts from, None for all columns. `traces` are
    parameters of count_traces. `folder` is where a relative data file is looked for.
    """

    data: str
    name: str
    identifier: str
    year: str
    projections: Mapping[str, tuple[str, ...] | None]
    traces: Mapping[str, Any]  # Any: as count_traces declares its parameters
    k: int = 5
    max_loss: float = 0.05
    without: tuple[str, ...] = ()
    descriptions: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""

    def cleaning(self) -> Recipe:
        """The recipe of the cleaned table: rows with rare values are deleted, pass by pass."""
        return self._table(())

    def projection(self, name: str) -> Recipe:
        """The recipe of a projection: columns are added while few rows are lost, rare rows deleted."""
        start = self.projections[name]
        if start is None:
            return self._table((Step("suppress_rare_rows", {"k": self.k}),))
        parameters = {"start": start, "k": self.k, "max_loss": self.max_loss}
        return self._table((Step("grow_projection", parameters),))

    def counted(self, *, protect: bool = False) -> Recipe:
        """The recipe of the traces, masked, or protected as well; without a prefix if the study has none."""
        parameters = {"order": (self.year,), **self.traces}
        wanted = parameters.pop("protect", DEFAULT_PROTECT)
        if protect:
            parameters["protect"] = wanted
        return self._recipe("traces", (Step("count_traces", parameters),))

    @property
    def protects(self) -> bool:
        """Whether traces can be protected here, and the study wants it."""
        parameters = methods.get("count_traces", data="traces").parameters
        return "protect" in parameters and self.traces.get("protect", DEFAULT_PROTECT) != 0

    def _table(self, steps: tuple[Step, ...]) -> Recipe:
        """A recipe of tables, which counts losses by year."""
        return self._recipe("table", steps, by=self.year)

    def _recipe(self, kind: str, steps: tuple[Step, ...], **more_roles: object) -> Recipe:
        roles: dict[str, object] = {"identifier": (self.identifier,), "drop": self.without, **more_roles}
        return Recipe(
            (Step("suppress_rare_values", {"k": self.k}), *steps),
            data=self.data,
            kind=kind,
            roles=roles,
            descriptions=self.descriptions,
            folder=self.folder,
        )


def read_study(path: Path | str) -> Study:
    """Load a study from a YAML file; a data file named in it is looked for beside it."""
    path = Path(path)
    text = small_text(path, _LONGEST, "a study, a short YAML file")
    try:
        return replace(study_from_text(text), folder=str(path.parent))
    except UsageError as error:
        raise DataError("{file}: {error}", file=path.name, error=error) from None


def study_from_text(text: str) -> Study:
    """A study from YAML text; every error says which field, and what is allowed."""
    content = content_from_text(text)
    unknown = [name for name in content if name not in FIELDS]
    if unknown:
        raise UsageError(
            "a study has no field {unknown}; its fields are {fields}.",
            unknown=brief(unknown[0]),
            fields=", ".join(FIELDS),
        )
    lacking = [name for name in _NEEDED if name not in content]
    if lacking:
        raise UsageError("a study needs the field {name}.", name=lacking[0])
    for name in ("data", "identifier", "year"):
        if not isinstance(content[name], str):
            raise UsageError("{name} must be a text, got {value}.", name=name, value=brief(content[name]))
    stem = Path(content["data"].removeprefix("demo:")).stem
    study = Study(
        content["data"],
        _file_name(content.get("name", re.sub(r"[^A-Za-z0-9_-]", "_", stem) or "study")),
        content["identifier"],
        content["year"],
        _projections(content["projections"]),
        _traces(content["traces"]),
        content.get("k", 5),
        content.get("max_loss", 0.05),
        _columns("without", content.get("without", [])),
        recipe_from_content({"descriptions": content.get("descriptions")}).descriptions,
    )
    for name in study.projections:  # the parameters are checked as those of a recipe are
        study.projection(name)
    study.counted()
    return study


def _projections(value: object) -> dict[str, tuple[str, ...] | None]:
    if not isinstance(value, dict) or not value:
        raise UsageError(
            "projections must be tables by name, such as '{example}'.", example="bac: [REGROUPEMENT_BAC]"
        )
    found: dict[str, tuple[str, ...] | None] = {}
    for name, start in value.items():
        if name in _RESERVED or str(name).startswith("traces_"):
            raise UsageError("A projection cannot be called {name}: another file has that name.", name=name)
        found[_file_name(name)] = None if start == ALL else _columns(str(name), start)
        if found[str(name)] == ():
            raise UsageError(
                "The projection {name} needs the columns that it starts from, or the word all.",
                name=brief(name),
            )
    if len({name.lower() for name in found}) < len(found):
        raise UsageError("Two projections would have the same file name: rename one of them.")
    return found


def _traces(value: object) -> dict[str, Any]:  # Any: as count_traces declares its parameters
    if not isinstance(value, dict) or "item" not in value:
        raise UsageError("traces must have an item: the columns that make up a step of a trace.")
    for name in value:
        if name not in _TRACES:
            raise UsageError(
                "traces has no field {name}; its fields are {fields}.",
                name=brief(name),
                fields=", ".join(_TRACES),
            )
    columns = {name: _columns(name, value[name]) for name in ("item", "prefix") if name in value}
    protect = value.get("protect", DEFAULT_PROTECT)
    if isinstance(protect, bool) or not isinstance(protect, int) or protect == 1 or not 0 <= protect <= 100:
        raise UsageError(
            "protect must be 0 for no protection, or a number of values from 2 to 100, got {value}.",
            value=brief(protect),
        )
    return {**value, **columns}


def _columns(name: str, value: object) -> tuple[str, ...]:
    names = [one.strip() for one in value.split(",")] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise UsageError(
            "{name} must be names of columns, such as [a, b], got {value}.", name=name, value=brief(value)
        )
    return tuple(names)


def _file_name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise UsageError(
            "{value} names files: write it in plain letters, digits, _ and -, a letter or digit first.",
            value=brief(value),
        )
    return value
