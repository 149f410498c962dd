"""docs/recipes.md: its recipe is one, and its headlines are those there are."""

import re
from pathlib import Path

from insanonym_core.kinds import all_kinds
from insanonym_core.recipe_file import FIELDS, recipe_from_text

TEXT = (Path(__file__).parents[1] / "docs" / "recipes.md").read_text("utf-8")


def test_the_recipe_uses_every_field():
    recipe = recipe_from_text(re.search(r"```yaml\n(.*?)```", TEXT, re.S).group(1))
    assert set(recipe.plain()) | {"rules"} == set(FIELDS)


def test_every_headline_is_named():
    for kind, parts in ((name, one.headlines) for name, one in all_kinds().items()):
        row = re.search(rf"^\| {kind} \|.*$", TEXT, re.M).group()
        for known in parts.values():
            assert all(f"`{one.name}`" in row for one in known), row
