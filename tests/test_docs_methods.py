"""docs/methods.md is true: its examples are run, its table is measured, and it names every default."""

import re
from pathlib import Path

import numpy as np
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import run
from insanonym_core.mobility.track import DELETED, DELETED_ID, Track
from insanonym_core.numeric.randomness import step_generator
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.registry import methods
from tests.helpers import track

DOCUMENT = (Path(__file__).parents[1] / "docs" / "methods.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```example (\w+)(.*?) seed=(\d+)\n(.*?)^```$", DOCUMENT, re.M | re.S)
SECTIONS = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", DOCUMENT, re.M | re.S))
MEASURED = re.findall(r"^\| `([^`]+)` \| (.*) \|$", DOCUMENT, re.M)
COLUMNS = ("utility", "row_count", "hours", "join", "gaps", "heatmap", "path", "open")


def file_of(rows: list[str], side: int) -> str:
    """One side of an example, tab-separated."""
    return "".join("\t".join(re.split(r"\s{2,}", row.split("→")[side].strip())) + "\n" for row in rows)


def written(release: Track) -> list[tuple[object, ...]]:
    """The rows of a release: id, time, place to 5 decimals, or DEL."""
    return [
        (DELETED_ID,)
        if release.token[row] == DELETED
        else (
            release.tokens[release.token[row]],
            int(release.time[row]),
            *np.round((release.latitude[row], release.longitude[row]), 5).tolist(),
        )
        for row in range(len(release))
    ]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example[0])
def test_an_example_is_what_the_method_makes(example):
    name, parameters, seed, text = example
    before, after = (track(file_of(text.splitlines(), side)) for side in (0, 1))
    values = dict(one.split("=") for one in parameters.split())
    method = methods.get(name, data="mobility").item(**values)
    assert written(method.apply(before, step_generator(int(seed), 1, name))) == written(after)


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_has_an_example_and_names_the_defaults(name):
    assert any(name == example[0] for example in EXAMPLES)
    for parameter in methods.get(name, data="mobility").parameters.values():
        assert f"`{parameter.name} = {parameter.written().removesuffix('.0')}`" in SECTIONS[name]


@pytest.fixture(scope="module")
def city() -> Track:
    return make_city().track


@pytest.mark.parametrize(("step", "figures"), MEASURED, ids=[step.split()[0] for step, _ in MEASURED])
def test_the_measured_table_is_measured(city, step, figures):
    assert measured(city, step) == pytest.approx([float(one) for one in figures.split("|")], abs=0.011)


def measured(city: Track, step: str) -> list[float]:
    """The figures of one line, rounded as written."""
    recipe = Recipe((step_from_text(step), step_from_text("pseudonymise")), data="demo:mobility", seed=7)
    keys = ("utility", "privacy.week_in_the_open", *(f"attack.{name}" for name in COLUMNS[1:-1]))
    report = run(recipe, data=city, only=keys)
    shares = [float(report.scores[f"attack.{name}"].details["reidentified"]) for name in COLUMNS[1:-1]]
    return [
        round(one, 2) for one in (report.utility, *shares, report.scores["privacy.week_in_the_open"].value)
    ]


def test_every_method_of_the_page_is_measured():
    assert {step.split()[0] for step, _ in MEASURED} == set(SECTIONS)
