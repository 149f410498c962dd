"""docs/avatars.md names everything there is, and its figures are those one gets."""

import re
from pathlib import Path

import numpy as np
import pytest

from insanonym_core.demo.named import named_table
from insanonym_core.registry import measured, methods, metrics
from tests.avatars.helpers import avatars_of

TEXT = (Path(__file__).parents[1] / "docs" / "avatars.md").read_text("utf-8")
NAMES = [entry.name for registry in (methods, metrics) for entry in registry.all(data="avatars")]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_documented(name):
    assert f"`{name}`" in TEXT


@pytest.mark.parametrize("weights", ["published", "exponential"])
def test_the_table_of_disagreement(weights):
    table = named_table("demo:breast_cancer")
    names = ["dcr_median", "nndr_median", "hidden_rate", "linkage", "membership_auc", "resemblance"]
    found = []
    for seed in range(5):
        scores = measured("avatars", avatars_of(table, seed, components=5, weights=weights), names=names)
        found.append([scores[name].value for name in names])
    row = re.search(rf"\| {weights} \|(.+)\|", TEXT).group(1)
    for cell, value in zip(row.split("|"), np.mean(found, axis=0), strict=True):
        number, percent = re.match(r"\s*([\d.]+)\s*(%?)", cell).groups()
        shown = value * 100 if percent else value
        decimals = len(number.partition(".")[2])
        assert shown == pytest.approx(float(number), abs=0.6 * 10**-decimals)
