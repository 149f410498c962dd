"""docs/avatars.md names everything there is, and its figures are those one gets."""

import re
from pathlib import Path

import numpy as np
import pytest

from insanonym_core.experiment import run
from insanonym_core.kinds import kind_named
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods, metrics

TEXT = (Path(__file__).parents[1] / "docs" / "avatars.md").read_text("utf-8")
NAMES = [entry.name for registry in (methods, metrics) for entry in registry.all(data="avatars")]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_documented(name):
    assert f"`{name}`" in TEXT


NEEDED = kind_named("avatars").headline("privacy").needs
KEYS_SHOWN = [
    f"privacy.{name}" for name in ("dcr_median", "nndr_median", "hidden_rate", "linkage", "membership_auc")
]
KEYS_SHOWN += ["utility.resemblance"]
BESIDE = ["avatars_of_half", "real_rows", "held_out_rows"]


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["published", "exponential"])
def test_the_tables_of_disagreement(weights):
    found = []
    for seed in range(5):
        step = Step("mix_neighbours", {"components": 5, "weights": weights})
        report = run(Recipe((step,), data="demo:breast_cancer", kind="avatars", seed=seed))
        scores = report.scores
        beside = [scores["privacy.dcr_median"].details[name] for name in BESIDE]
        found.append([*(scores[key].value for key in KEYS_SHOWN), report.privacy, *beside])
    *values, of_half, real, held_out = np.mean(found, axis=0)
    _shows(weights, values)
    _shows(f"avatars, {weights}", [values[0], of_half])
    _shows("real people who are not themselves in it", [real, held_out])
    assert values[0] < real
    assert of_half < held_out


def test_one_neighbour_as_it_is_told():
    """Hidden rate, membership inference and headline of k = 1, seed 1."""
    said = re.search(
        r"\(seed 1\) it says ([\d.]+);.* AUC of ([\d.]+), and the headline is ([\d.]+)\.", TEXT
    ).groups()
    recipe = Recipe((Step("mix_neighbours", {"k": 1}),), data="demo:breast_cancer", kind="avatars", seed=1)
    report = run(recipe, only=["privacy"])
    found = (report.scores["privacy.hidden_rate"].value, report.scores["privacy.membership_auc"].value)
    assert [f"{value:.2f}" for value in (*found, report.privacy)] == list(said)


@pytest.mark.parametrize("name", ["mix_neighbours", "gaussian_copula", "independent_columns"])
def test_what_avatars_are_compared_with(name):
    cells = []
    for data in ("breast_cancer", "diabetes", "patients"):
        recipe = Recipe((Step(name, {}),), data=f"demo:{data}", kind="avatars", seed=1)
        report = run(recipe, only=[*NEEDED, "utility.resemblance"])
        cells.append(f"{report.utility:.2f}, {report.privacy:.2f}")
    assert f"| `{name}` | {' | '.join(cells)} |" in TEXT


def _shows(name: str, values: list[float]) -> None:
    """The row of this name has these figures, rounded as they are written."""
    row = re.search(rf"^\| {name} \|(.+)\|$", TEXT, re.MULTILINE).group(1)
    for cell, value in zip(row.split("|"), values, strict=True):
        number, percent = re.match(r"\s*([\d.]+)\s*(%?)", cell).groups()
        shown = value * 100 if percent else value
        decimals = len(number.partition(".")[2])
        assert shown == pytest.approx(float(number), abs=0.6 * 10**-decimals)
