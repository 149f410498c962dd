"""Registries of metrics, methods and attacks: a new file in the right folder is found by itself.

Each registry knows the packages whose modules register items; they are imported when somebody first asks.
"""

from __future__ import annotations

import copyreg
import functools
import importlib
import inspect
import logging
import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from typing import Any, TypeAlias, TypeVar, cast

from insanonym_core.errors import UsageError, brief
from insanonym_core.kinds import all_kinds
from insanonym_core.parameters import Parameter, check_values, parameters_of
from insanonym_core.results.scores import Score
from insanonym_core.results.threats import Threat
from insanonym_core.texts import Phrase

log = logging.getLogger("insanonym")
Item = TypeVar("Item", bound=Callable[..., Any])  # Any: what an item takes and returns depends on its sort
Method: TypeAlias = Any  # Any: a registered dataclass; each kind of data calls `apply` in its own way


@dataclass(frozen=True)
class Entry:
    """A registered item with its facts.

    `rules` tells variants of one score apart (v1, v2); `ideal` is what an unchanged release scores. A score
    that can be added up over parts of a file says how: `finish(sums(part 1) + sums(part 2) + …)`, or
    `of_crowds(known, seen)`, as an attack, where it needs no more than the crowds.
    After a method that is `last` no other can come: it publishes groups, pseudonyms, two tables or counts.
    A `costly` measure waits until a slider rests, and is taken on the front of a sweep alone. `given` names
    arguments that the run hands over and no user sets.
    """

    name: str
    item: Callable[..., Any]  # Any: see Item
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
    sums: Callable[..., Any] | None = None  # Any: sums of the score's own type, which `finish` takes
    finish: Callable[..., Score] | None = None
    of_crowds: Callable[..., Score] | None = None
    last: bool = False
    threat: Threat | None = None
    costly: bool = False
    given: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A name of its own: a score and an attack may both be called poi."""
        return f"{self.family or 'attack'}.{self.name}"

    @property
    def counted(self) -> bool:
        """Whether a rule set of its kind counts this score; where there are no rule sets, all count."""
        rules = all_kinds()[self.data].rules if self.data in all_kinds() else {}
        return self.family != "utility" or not rules or any(self.name in names for names in rules.values())

    def facts(self) -> dict[str, object]:
        """The entry as printed by `insanonym list --json`."""
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
            **({"group": self.threat.group} if self.threat else {}),
            **({"bounds": list(self.bounds)} if self.bounds else {}),
            "parameters": {
                name: {"default": parameter.default, "allowed": parameter.constraint.allowed()}
                for name, parameter in self.parameters.items()
            },
        }

    def __reduce__(self) -> tuple[Any, ...]:  # Any: as pickle wants it
        """Sent elsewhere by its name: a registered function cannot be pickled itself."""
        for registry in (metrics, methods, attacks):
            if registry.holds(self):
                return _registered, (registry.sort, self.data, self.name, self.rules)
        return copyreg.__newobj__, (Entry,), self.__dict__  # type: ignore[attr-defined]


def _registered(sort: str, data: str, name: str, rules: str) -> Entry:
    """An entry by its name."""
    registry = next(one for one in (metrics, methods, attacks) if one.sort == sort)
    return registry.get(name, data=data, rules=rules)


@dataclass(frozen=True)
class Measure:
    """A score with the facts of what measured it; what is not `applicable` is no threat to the release."""

    entry: Entry
    score: Score
    applicable: bool = True

    @property
    def family(self) -> str:
        """privacy, utility, or attack."""
        return self.entry.family or "attack"

    @property
    def key(self) -> str:
        """The key of its entry."""
        return self.entry.key

    @property
    def threat(self) -> Threat | None:
        """The Threat declared by its entry, or by its kind for all attacks; None if it is not a threat."""
        if not self.applicable:
            return None
        kind = all_kinds().get(self.entry.data)
        return self.entry.threat or (kind.attack_threat if kind and not self.entry.family else None)


@dataclass
class Registry:
    """Items of one sort. `homes` gives for each kind of data the package whose modules register items."""

    sort: str
    homes: Callable[[], Mapping[str, tuple[str, ...]]]
    _entries: dict[tuple[str, str, str], Entry] = field(default_factory=dict)
    _loaded: set[str] = field(default_factory=set)

    def add(
        self, name: str, *, data: str, title: str, rules: str = "", **facts: Any
    ) -> Callable[[Item], Item]:  # Any: further fields of Entry
        """Decorator: register a dataclass or function; its parameters are checked on each call."""

        def register(item: Item) -> Item:
            key = (data, name, rules)
            if key in self._entries:
                raise ValueError(f"{self.sort} '{name}' is registered twice for {data} {rules}")
            declared = parameters_of(item)
            for parameter, argument in inspect.signature(item).parameters.items():
                known = parameter in declared or parameter in facts.get("given", ())
                if not known and argument.default is not inspect.Parameter.empty:
                    raise TypeError(
                        f"{name}: '{parameter}' needs a declaration, such as Annotated[float, Range(0, 1)]"
                    )
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

    def holds(self, entry: Entry) -> bool:
        """Whether this very entry is registered here."""
        return self._entries.get((entry.data, entry.name, entry.rules)) is entry

    def get(self, name: str, *, data: str, rules: str = "") -> Entry:
        """One entry, or a sentence that lists the names there are."""
        self._load(data)
        entry = self._entries.get((data, name, rules)) or self._entries.get((data, name, ""))
        if entry is None:
            known = ", ".join(dict.fromkeys(found.name for found in self.all(data=data)))
            raise UsageError(
                "There is no {sort} {name} for {data} data; choose from: {known}.",
                sort=Phrase(self.sort),
                name=brief(name),
                data=data,
                known=known,
            )
        return entry

    def _load(self, data: str | None) -> None:
        """Import the modules of one kind of data, or of all: who scores GPS traces needs no pandas."""
        for kind, homes in self.homes().items():
            if kind in self._loaded or data not in (None, kind):
                continue
            named = ", ".join(homes)
            try:
                for home in homes:
                    package = importlib.import_module(home)
                    for module in pkgutil.iter_modules(package.__path__, f"{home}."):
                        importlib.import_module(module.name)
            except Exception as error:
                if named.startswith("insanonym_core."):
                    raise
                unusable = UsageError(
                    "The package {named} of {kind} data cannot be loaded ({reason}): install it again, "
                    "or remove it.",
                    named=named,
                    kind=kind,
                    reason=f"{type(error).__name__}: {error}",
                )
                if data == kind:
                    raise unusable from error
                log.warning(unusable)  # one plug-in does not take the others away
                continue
            self._loaded.add(kind)
            if not any(entry.data == kind for entry in self._entries.values()):
                log.warning("The package %s registers no %s with data=%r.", named, self.sort, kind)


def _checked(name: str, item: Item, declared: dict[str, Parameter]) -> Item:
    """The item, refusing values outside its declaration however it is called."""
    target: Callable[..., Any] = item.__init__ if inspect.isclass(item) else item

    @functools.wraps(target)
    def call(*args: object, **values: object) -> Any:  # Any: what the item returns
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


def _packages(sort: str) -> Mapping[str, tuple[str, ...]]:
    """Kind of data → its packages of methods, measures or attacks, as far as it has some."""
    found = {name: getattr(kind, sort) for name, kind in all_kinds().items()}
    return {name: (home,) if isinstance(home, str) else home for name, home in found.items() if home}


metrics = Registry("metric", lambda: _packages("measures"))
methods = Registry("method", lambda: _packages("methods"))
attacks = Registry("attack", lambda: _packages("attacks"))


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
                "No score or attack has a parameter {name}; choose from: {known}.",
                name=brief(name),
                known=", ".join(known),
            )
    for entry in entries:
        for name, value in values_for(entry, values).items():
            entry.parameters[name].check(value, entry.name)


def is_wanted(entry: Entry, only: Collection[str] | None) -> bool:
    """Whether a measure is among some keys ('utility.poi') or families ('attack'); None: all are."""
    return only is None or (entry.family or "attack") in only or entry.key in only


def _names(entry: Entry) -> set[str]:
    return {*entry.parameters, *(f"{entry.name}.{name}" for name in entry.parameters)}
