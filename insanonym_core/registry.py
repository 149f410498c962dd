"""Where metrics, methods and attacks are found: a new file in the right folder is all it takes.

Each registry knows the packages whose modules register items; they are imported when somebody first asks.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from typing import Any, TypeVar, cast

from insanonym_core.errors import UsageError, brief
from insanonym_core.parameters import Parameter, check_values, parameters_of
from insanonym_core.scores import Score

Item = TypeVar("Item", bound=Callable[..., Any])


@dataclass(frozen=True)
class Entry:
    """A registered item with its facts.

    `rules` tells variants of one score apart (v1, v2); `ideal` is what an unchanged release scores. A score
    that can be added up over parts of a file says how: `finish(sums(part 1) + sums(part 2) + …)`.
    After a method that is `last` no other can come: it publishes groups, pseudonyms, two tables or counts.
    """

    name: str
    item: Callable[..., Any]
    data: str
    title: str
    help: str
    parameters: dict[str, Parameter]
    family: str = ""
    rules: str = ""
    better: str = ""
    bounds: tuple[float, float] | None = None
    ideal: float | None = None
    formula: str = ""
    order: int = 100
    sums: Callable[..., Any] | None = None
    finish: Callable[..., Score] | None = None
    last: bool = False

    def facts(self) -> dict[str, object]:
        """What `insanonym list --json` prints."""
        return {
            "name": self.name,
            "data": self.data,
            "title": self.title,
            "help": self.help,
            **{
                fact: value
                for fact in ("family", "rules", "better", "formula")
                if (value := getattr(self, fact))
            },
            **({"bounds": list(self.bounds)} if self.bounds else {}),
            "parameters": {
                name: {"default": parameter.default, "allowed": parameter.constraint.allowed()}
                for name, parameter in self.parameters.items()
            },
        }


@dataclass(frozen=True)
class Measure:
    """A score with the facts of what measured it."""

    entry: Entry
    score: Score

    @property
    def family(self) -> str:
        """privacy, utility, or attack."""
        return self.entry.family or "attack"

    @property
    def key(self) -> str:
        """A name of its own: a score and an attack may both be called poi."""
        return f"{self.family}.{self.entry.name}"


@dataclass
class Registry:
    """Items of one sort. `homes` names for each kind of data the package whose modules register items."""

    sort: str
    homes: Mapping[str, str]
    _entries: dict[tuple[str, str, str], Entry] = field(default_factory=dict)
    _loaded: set[str] = field(default_factory=set)

    def add(
        self, name: str, *, data: str, title: str, rules: str = "", **facts: Any
    ) -> Callable[[Item], Item]:
        """Decorator: register a dataclass or function; its parameters are checked on each call."""

        def register(item: Item) -> Item:
            key = (data, name, rules)
            if key in self._entries:
                raise ValueError(f"{self.sort} '{name}' is registered twice for {data} {rules}")
            declared = parameters_of(item)
            checked = _checked(name, item, declared)
            help_text = inspect.cleandoc(item.__doc__ or "")
            self._entries[key] = Entry(
                name=name,
                item=checked,
                data=data,
                title=title,
                help=help_text,
                parameters=declared,
                rules=rules,
                **facts,
            )
            return checked

        return register

    def all(self, *, data: str | None = None, rules: str | None = None) -> Iterator[Entry]:
        """The entries in their declared order; new ones come last."""
        self._load(data)
        for entry in sorted(self._entries.values(), key=lambda entry: (entry.data, entry.order, entry.name)):
            if data in (None, entry.data) and (rules is None or entry.rules in ("", rules)):
                yield entry

    def get(self, name: str, *, data: str, rules: str = "") -> Entry:
        """One entry, or a sentence that lists the names there are."""
        self._load(data)
        entry = self._entries.get((data, name, rules)) or self._entries.get((data, name, ""))
        if entry is None:
            known = ", ".join(dict.fromkeys(found.name for found in self.all(data=data)))
            raise UsageError(f"There is no {self.sort} {brief(name)} for {data} data; choose from: {known}.")
        return entry

    def _load(self, data: str | None) -> None:
        """Import the modules of one kind of data, or of all: who scores GPS traces needs no pandas."""
        for kind, home in self.homes.items():
            if kind in self._loaded or data not in (None, kind):
                continue
            package = importlib.import_module(home)
            for module in pkgutil.iter_modules(package.__path__, f"{home}."):
                importlib.import_module(module.name)
            self._loaded.add(kind)


def _checked(name: str, item: Item, declared: dict[str, Parameter]) -> Item:
    """The item, refusing values outside its declaration however it is called."""
    target: Callable[..., Any] = item.__init__ if inspect.isclass(item) else item

    @functools.wraps(target)
    def call(*args: Any, **values: Any) -> Any:
        by_place = dict(zip(places, args[own:], strict=False))
        named = {key: value for key, value in (by_place | values).items() if key in declared}
        unknown = {key: value for key, value in values.items() if key not in accepted}
        clean = check_values(name, declared, named | unknown)
        kept = [clean.pop(place, value) for place, value in by_place.items()]
        return target(*args[:own], *kept, *args[own + len(kept) :], **values | clean)

    places = list(inspect.signature(item).parameters)
    own = int(inspect.isclass(item))  # self
    check_values(name, declared, {key: parameter.default for key, parameter in declared.items()})
    accepted = set(inspect.signature(item).parameters)
    if inspect.isclass(item):
        if not is_dataclass(item):
            raise TypeError(f"{name}: a registered class must be a dataclass")
        item.__init__ = call  # type: ignore[method-assign]
        return item
    return cast(Item, call)


_PACKAGES = {"mobility": "mobility", "table": "tabular", "traces": "traces", "avatars": "avatars"}
_HOMES = {kind: f"insanonym_core.{package}" for kind, package in _PACKAGES.items()}
metrics = Registry(
    "metric",
    {kind: f"{home}.{'utility' if kind == 'mobility' else 'metrics'}" for kind, home in _HOMES.items()},
)
methods = Registry("method", {kind: f"{home}.methods" for kind, home in _HOMES.items()})
attacks = Registry("attack", {"mobility": f"{_HOMES['mobility']}.attacks"})


def values_for(entry: Entry, values: Mapping[str, object]) -> dict[str, object]:
    """The values that concern one measure: 'share' wherever there is one; 'meet.share' by name wins."""
    bare = {name: values[name] for name in entry.parameters if name in values}
    own = {
        name: values[f"{entry.name}.{name}"] for name in entry.parameters if f"{entry.name}.{name}" in values
    }
    return bare | own


def check_settings(entries: Sequence[Entry], values: Mapping[str, object]) -> None:
    """Refuse a name that no measure has, and a value that the measure does not take."""
    for name in values:
        if not any(name in _names(entry) for entry in entries):
            known = sorted({full for entry in entries for full in _names(entry) if "." in full})
            raise UsageError(
                f"No score or attack has a parameter {brief(name)}; there are: {', '.join(known)}."
            )
    for entry in entries:
        for name, value in values_for(entry, values).items():
            entry.parameters[name].check(value, entry.name)


def _names(entry: Entry) -> set[str]:
    return {*entry.parameters, *(f"{entry.name}.{name}" for name in entry.parameters)}


def measured(
    data: str,
    release: object,
    *,
    family: str | None = None,
    names: Collection[str] | None = None,
    values: Mapping[str, object] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, Score]:
    """A release by all measures of its kind, those of a `family`, or some `names`; `values` sets parameters.

    `tell` is told the name of each measure before it begins.
    """
    scores: dict[str, Score] = {}
    for entry in metrics.all(data=data):
        if family in (None, entry.family) and (names is None or entry.name in names):
            tell(entry.name)
            scores[entry.name] = entry.item(release, **values_for(entry, values or {}))
    return scores
