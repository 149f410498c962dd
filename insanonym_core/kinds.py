"""Kinds of data: one declaration each, found through the entry points of the group `insanonym.kinds`.

A Kind says everything that the rest of the project needs to know about one kind of data. Code is named as
"module:attribute" and imported when it is first used, so that a declaration costs nothing to load; an object
itself may be given instead. Nothing else asks which kind it deals with.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from insanonym_core.errors import UsageError, brief
from insanonym_core.texts import Phrase, add_french

if TYPE_CHECKING:
    from insanonym_core.experiment.report import Report
    from insanonym_core.io.publication import Publication
    from insanonym_core.io.sources import Source
    from insanonym_core.numeric.randomness import Draws
    from insanonym_core.parameters import Parameter, ParameterValues
    from insanonym_core.recipe import Recipe
    from insanonym_core.registry import Entry
    from insanonym_core.results.headlines import Headline
    from insanonym_core.results.promises import Promise
    from insanonym_core.results.scores import Evidence, Score
    from insanonym_core.results.sentences import Sentence
    from insanonym_core.results.threats import Threat
    from insanonym_core.runtime.jobs import Job

log = logging.getLogger("insanonym")
GROUP, _OURS = "insanonym.kinds", "insanonym_core."
Code: TypeAlias = str | Callable[..., Any]  # Any: each field of a Kind has its own signature
"""An object, or where it is: "module:attribute"."""
Release: TypeAlias = Any  # Any: each kind of data has a class of its own for its releases
Facts: TypeAlias = Mapping[str, Any]  # Any: written and read by the code of one kind only


class Data(Protocol):
    """What data of any kind must offer; it is never changed after it was read."""

    @property
    def demonstration(self) -> bool:
        """Whether it is generated or public data: then a seed repeats everything, pseudonyms too."""

    def __len__(self) -> int: ...

    def digest(self) -> bytes:
        """A digest of the content."""


@dataclass(frozen=True)
class Demo:
    """Demonstration data: its title, what makes it, and the roles of its columns.

    `make` takes the recipe's `reading`. What is not `offered` on the tab can still be named in a recipe.
    """

    title: str
    make: Code
    roles: ParameterValues = field(default_factory=dict)
    offered: bool = True


@dataclass(frozen=True, eq=False)
class Made:
    """A release before it is measured: made by the steps of a recipe, or given by somebody.

    `evidence` and `promises` are those of the steps; `facts` are what the kind's own report needs. `shadow`
    makes another release of the same data by the same recipe with draws of its own, for an attacker who
    knows the recipe; None where it is not known.
    """

    release: Release
    rows: int
    kept: int
    evidence: tuple[Evidence, ...] = ()
    promises: tuple[Promise, ...] = ()
    warnings: tuple[str, ...] = ()
    facts: Facts = field(default_factory=dict)
    shadow: Callable[[int], Made] | None = None


@dataclass(frozen=True, eq=False)
class Kind:
    """One kind of data. What is not declared the rest does without: a kind needs the fields without default.

    `title` names its tab, `data_title` the data in sentences, `aliases` are further names of its tab in an
    address. `methods`, `measures` and `attacks` are packages whose modules register items; `uses_methods` are
    kinds whose methods may come before its own.
    """

    name: str
    title: str
    data_title: str
    methods: str
    measures: str | tuple[str, ...]
    demos: Mapping[str, Demo]
    presets: str
    """The package whose folder `presets` holds recipes worth starting from (presets.py)."""
    headlines: Mapping[str, tuple[Headline, ...]]
    """By privacy and utility; the first of each is the default."""
    read: Code
    """(Source or path, reading) → Data."""
    make: Code
    """(recipe, data, draws, job) → Made."""
    publication: Code
    """A Publication."""
    formats: str = "CSV, Excel, Parquet, GPX, zip"
    """What `read` takes, as the page says it beside the upload button."""
    french: Mapping[str, str] = field(default_factory=dict)
    """Translations of its texts, keyed by the English ones; a kind of another package needs them."""
    order: int = 100
    aliases: tuple[str, ...] = ()
    attacks: str = ""
    uses_methods: tuple[str, ...] = ()
    score_attack: Code | None = None
    """(entry, made, values) → Score: run an attack on a Made and score its guesses."""
    guess: Code | None = None
    """(entry, release, values, shadow) → the guesses of an attack: who is behind which pseudonym."""
    attack_threat: Threat | None = None
    """How the score of an attack is read as a threat."""
    rules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Rule set → the names of its utility scores, a closed list: others are shown and not counted."""
    reading: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    from_frame: Code | None = None
    """(DataFrame, reading) → Data: the data of a frame, as if it had been read from a file."""
    to_frame: Code | None = None
    """(data) → DataFrame: the data as they were read."""
    frame_fits: Code | None = None
    """(names of columns) → whether a frame with these columns is taken for this kind; any is without it."""
    release_from_frame: Code | None = None
    """(DataFrame, data, allow_invalid) → Made: a release of this data that was made elsewhere."""
    handed_in: Code | None = None
    """(release) → Made: wrap a release made elsewhere, with its original, so that it can be measured."""
    read_release: Code | None = None
    """(source, data, allow_invalid=False) → Made: read a release of this data that was made elsewhere."""
    read_guesses: Code | None = None
    """(source, made) → Measure: read guesses made elsewhere and score them like an attack."""
    aligned: Code | None = None
    """(release, path, **options): write the release with its rows aligned with the original, to be scored."""
    unprotected: Code | None = None
    """(report) → sentences on what was measured and is not protected."""
    look: Code | None = None
    """(source, reading, roles) → Look: what is understood of a file, without a value of anybody."""
    about_columns: Code | None = None
    """(recipe, data) → facts about roles and columns that are not published, where data has columns."""
    adapt: Code | None = None
    """(recipe, data, name of a demo or "") → fields of the recipe that fit other data: roles and steps."""
    new_step: Code | None = None
    """(method, recipe, data, place, end) → a Step with parameters that suit the data."""
    largest: Code | None = None
    """(parameter, recipe, data) → the largest number worth trying in a sweep."""
    sections: Code | None = None
    """(report, ledger) → sections of a report's page about this kind."""
    map: Code | None = None
    """(report, ledger, individuals) → a map for the page, and what is hidden of it."""
    map_figures: Code | None = None
    """(report) → maps for print that show something: name, title and (report, language, size) → a figure."""
    individual_map: Code | None = None
    """(report, individual, language, size) → the map of one individual, as a figure."""
    person_losses: Code | None = None
    """(report) → PersonLosses: what each person's data lose; None where that is not known."""
    final_methods: tuple[str, ...] = ()
    """Methods that may end a recipe of a search, with default parameters, besides those that are `last`."""
    held_out: tuple[str, ...] = ()
    """Keys of the measures that a search does not see: what it finds is measured by them afterwards."""
    ceiling: Code | None = None
    """(recipe, data) → Ceiling: how much privacy the data allow at all."""
    sample: Code | None = None
    """(recipe, data, rows, generator) → data: about so many rows, for a first look of a search."""
    before: Code | None = None
    """(recipe) → the steps that publish the data before anonymisation, where no steps at all do not."""
    comparison: Code | None = None
    """A Comparison: further runs that a figure of its own needs."""
    chosen_settings: tuple[str, ...] = ()
    """Parameters of its measures, each a Choice, that its tab offers beside the seed."""
    commands: Code | None = None
    """(typer app): add its own commands to `insanonym`."""
    panel: str = "insanonym_dashboard.panels.generic:GenericPanel"

    def __repr__(self) -> str:
        return f"<Kind {self.name}>"

    def code(self, field_name: str) -> Any:  # Any: each field holds an object of its own type
        """Import the object that a field names; None if the field is not declared."""
        return resolve(getattr(self, field_name))

    def read_data(self, source: Source | str, reading: ParameterValues) -> Data:
        """The data of a file."""
        return self.code("read")(source, reading)

    def make_demo(self, name: str, reading: ParameterValues) -> Data:
        """Demonstration data by name; `reading` may leave columns out."""
        if name not in self.demos:
            known = ", ".join(self.demos)
            raise UsageError(
                "There is no data called {name} for {data_title}; choose from: {known}.",
                name=brief(name),
                data_title=Phrase(self.data_title),
                known=known,
            )
        return resolve(self.demos[name].make)(reading)

    def make_release(self, recipe: Recipe, data: Data, draws: Draws, job: Job) -> Made:
        """Apply the steps of a recipe."""
        made: Made = self.code("make")(recipe, data, draws, job)
        return made

    def run_attack(self, entry: Entry, made: Made, values: Mapping[str, object]) -> Score:
        """The score of an attack on a release."""
        return self.code("score_attack")(entry, made, values)

    @property
    def publishing(self) -> Publication:
        """The Publication of this kind, which writes its releases."""
        return self.code("publication")

    def official(self, rules: str) -> frozenset[str] | None:
        """The keys of the utility scores that a rule set counts; None where there are no rule sets."""
        return frozenset(f"utility.{name}" for name in self.rules[rules]) if self.rules else None

    def headline(self, what: str, name: str | None = None) -> Headline:
        """The headline of this name for privacy or utility; the first of its list unless one is named."""
        known = self.headlines[what]
        found = known[0] if name is None else next((one for one in known if one.name == name), None)
        if found is None:
            names = ", ".join(one.name for one in known)
            raise UsageError(
                "The {what} headline of {kind} data must be one of {names}, got {name}.",
                what=Phrase(what),
                kind=self.name,
                names=names,
                name=brief(name),
            )
        return found

    def before_anonymisation(self, recipe: Recipe) -> Recipe:
        """The recipe that publishes the data as they are: what a release is compared with."""
        steps = self.code("before")
        return replace(recipe, steps=() if steps is None else steps(recipe))

    def sentences(self, report: Report) -> Iterator[Sentence]:
        """What was measured on a release and is not protected."""
        say = self.code("unprotected")
        return iter(()) if say is None else say(report)

    def adapted(
        self, recipe: Recipe, data: Data, demo: str = ""
    ) -> dict[str, Any]:  # Any: fields of Recipe, each of its own type
        """Fields of the recipe that change for other data."""
        adapt = self.code("adapt")
        return {} if adapt is None else adapt(recipe, data, demo)

    def largest_value(self, parameter: Parameter, recipe: Recipe, data: Data) -> float:
        """The largest number of a parameter that is worth a run on this data."""
        largest = self.code("largest")
        return float(parameter.constraint.high if largest is None else largest(parameter, recipe, data))  # type: ignore[attr-defined]

    def columns(self, recipe: Recipe, data: Data) -> Facts:
        """Facts about roles and columns; empty where the data has none."""
        about = self.code("about_columns")
        return {} if about is None else about(recipe, data)


def resolve(code: object) -> Any:  # Any: each field of a Kind names an object of its own type
    """Import the object named by "module:attribute"; anything else is returned as it is."""
    if not isinstance(code, str):
        return code
    module, _, name = code.partition(":")
    return getattr(importlib.import_module(module), name)


@cache
def all_kinds() -> Mapping[str, Kind]:
    """Every kind that is installed, by name, in the order of the tabs.

    A plug-in that cannot be loaded is logged and left out.
    """
    found: list[Kind] = []
    points = sorted(entry_points(group=GROUP), key=lambda one: (not one.value.startswith(_OURS), one.name))
    for point in points:
        kind = _loaded(point)
        if kind is not None and kind.name in (one.name for one in found):
            log.warning("There is a kind of data called %s already: %s is left out.", kind.name, point.value)
        elif kind is not None:
            found.append(kind)
    if not found:
        raise UsageError(
            "No kind of data is installed: install insanonym again (in a clone: pip install -e .)."
        )
    for kind in found:
        add_french(kind.french)
    return {kind.name: kind for kind in sorted(found, key=lambda kind: (kind.order, kind.name))}


def _loaded(point: EntryPoint) -> Kind | None:
    try:
        kind = point.load()
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    else:
        if isinstance(kind, Kind) and kind.name == point.name:
            return kind
        why = f"{point.value} is no Kind called {point.name}"
    log.warning("The kind of data %s cannot be used and is left out (%s).", point.name, why)
    return None


def kind_named(name: str) -> Kind:
    """The kind of this name, or a sentence that lists the names there are."""
    known = all_kinds()
    if name not in known:
        raise UsageError(
            "The kind of a recipe must be one of {known}, got {name}.",
            known=", ".join(known),
            name=brief(name),
        )
    return known[name]
