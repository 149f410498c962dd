"""Of all settings of a method that are tried, none is less private than the data left as they are.

A kind is added by a Base: its data with roles, the recipe that changes nothing, and what a step begins with.
Compared are the threats that apply to both and were measured on both, within the interval, and the headline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import Report, load, run
from insanonym_core.kinds import all_kinds
from insanonym_core.parameters import Choice, Range, Switch
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import Entry, methods

_TRIED = (1, 2, 3, 5, 10, 25, 100)

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Base:
    """Data of a kind: `unchanged` steps leave them as they are, `more` is what a method begins with.

    Data that is `made` takes the place of the demonstration data: smaller, for attacks that cost more.
    """

    data: str
    roles: Mapping[str, Any]
    unchanged: tuple[Step, ...] = ()
    made: Callable[[], Any] | None = None
    more: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)


_YEAR, _DIPLOMA, _BAC = ("ANNEE_INSCRIPTION",), ("LIB_DIPLOME",), ("REGROUPEMENT_BAC",)
_COUNT = {"item": _DIPLOMA, "order": _YEAR, "prefix": _BAC, "mask": 2}
BASES = {
    "mobility": Base(
        "demo:mobility", {}, (Step("pseudonymise", {}),), lambda: make_city(16, 2, seed=3).track
    ),
    "table": Base(
        "demo:patients",
        {"quasi": ("sex", "age", "town"), "sensitive": ("diagnosis",)},
        more={
            "generalise_column": tuple({"column": (name,)} for name in ("sex", "age", "town", "weight_kg")),
            "pseudonymise": ({"column": ("town",)}, {"column": ("diagnosis",)}),
            "suppress_rare_rows": (
                {"columns": ("sex", "town", "diagnosis")},
                {"columns": ("age", "diagnosis")},
            ),
            "grow_projection": ({"start": ("sex",), "candidates": ("town", "diagnosis")},),
            "drop_columns": ({"columns": ("age",)}, {"columns": ("diagnosis",)}),
            "recode": (
                {"rules": "town = Aldermoor, Brackenford > north"},
                {"rules": "diagnosis = Asthma, Diabetes > chronic"},
            ),
        },
    ),
    "traces": Base(
        "demo:enrolments",
        {"identifier": "CODE_INDIVIDU"},
        (Step("count_traces", _COUNT),),
        more={
            "suppress_rare_values": ({"columns": _DIPLOMA},),
            "suppress_rare_rows": ({"columns": (*_DIPLOMA, *_BAC, *_YEAR)},),
            "grow_projection": ({"start": (*_DIPLOMA, *_BAC, *_YEAR), "candidates": ("CONTINENT",)},),
            "drop_columns": ({"columns": ("CONTINENT",)},),
        },
    ),
}
CASES = [
    pytest.param(kind, entry, id=f"{kind}-{entry.name}")
    for kind in BASES
    for data in (kind, *all_kinds()[kind].uses_methods)
    for entry in methods.all(data=data)
    if data == kind or not entry.last
]


def settings_of(entry: Entry, base: Base) -> Iterator[dict[str, Any]]:
    """Each parameter moved by itself, from where a new step begins or from what the base gives."""
    starts = base.more.get(entry.name) or tuple(
        dict(step.parameters) for step in base.unchanged if step.method == entry.name
    )
    for start in starts or ({},):
        yield dict(start)
        for name, parameter in entry.parameters.items():
            match parameter.constraint:
                case Range(low=low, high=high, filled_in=False):
                    values: tuple[Any, ...] = tuple(one for one in _TRIED if low <= one <= high)
                case Choice(values=values):
                    pass
                case Switch():
                    values = (False, True)
                case _:
                    values = ()
            yield from ({**start, name: value} for value in values)


def report_of(kind: str, steps: tuple[Step, ...]) -> Report:
    base = BASES[kind]
    recipe = Recipe(steps, data=base.data, kind=kind, roles=base.roles, seed=1)
    return run(recipe, data=data_of(kind), only=("privacy", "attack"))


@cache
def data_of(kind: str) -> Any:
    base = BASES[kind]
    return base.made() if base.made else load(Recipe((), data=base.data, kind=kind))


@cache
def unchanged(kind: str) -> Report:
    return report_of(kind, BASES[kind].unchanged)


def steps_of(kind: str, entry: Entry, values: Mapping[str, Any]) -> tuple[Step, ...]:
    others = [step for step in BASES[kind].unchanged if step.method != entry.name]
    return (Step(entry.name, dict(values)), *others)


def test_every_kind_is_tried():
    """Avatars, whose every row is new, have a test of their own."""
    assert set(all_kinds()) == {*BASES, "avatars"}


@pytest.mark.parametrize(("kind", "entry"), CASES)
def test_unchanged_data_are_the_least_private(kind, entry):
    plain = unchanged(kind)
    before = {one.measure.key: one for one in plain.threats}
    tried = 0
    for values in settings_of(entry, BASES[kind]):
        try:
            report = report_of(kind, steps_of(kind, entry, values))
        except InsanonymError:
            continue  # no release: a k that deletes everything, an l that the data cannot have
        tried += 1
        for one in report.threats:
            if one.measure.key not in before:
                continue
            ours = before[one.measure.key]
            low = one.interval[0] if one.interval else one.share
            high = ours.interval[1] if ours.interval else ours.share
            assert low <= high + 1e-9, f"{one.measure.key} at {values}: {one.share} > {ours.share} unchanged"
        same = {one.measure.key for one in report.threats} >= {
            one.measure.key for one in plain.headline_of("privacy").threats(plain.measures)
        }
        if same:
            assert report.privacy >= plain.privacy - 1e-9, values
    assert tried, "no setting could be tried"
