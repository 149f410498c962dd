"""Recipes as people read them: titles instead of slugs, numbers with their units, in both languages."""

from __future__ import annotations

import pytest

from insanonym_core.figures.card import Card
from insanonym_core.kinds import all_kinds
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_texts import quantity, recipe_text, step_text
from insanonym_core.registry import methods
from insanonym_core.texts import parameter_label, say

NARROW = "\u202f"


@pytest.mark.parametrize(
    ("value", "unit", "english", "french"),
    [
        (1, "rows", "1 row", "1 ligne"),
        (0, "rows", "0 rows", "0 ligne"),
        (2, "rows", "2 rows", "2 lignes"),
        (1200, "individuals", "1,200 individuals", f"1{NARROW}200 individus"),
        (1.5, "days", "1.5 days", "1,5 jour"),
        (310.0, "m", "310 m", "310 m"),
        (0.25, "", "0.25", "0,25"),
        (1, "runs", "1 run", "1 exécution"),
    ],
)
def test_a_number_with_its_unit(value, unit, english, french):
    assert (quantity(value, unit), say(quantity(value, unit), "fr")) == (english, french)


def test_steps_by_the_titles_of_their_methods():
    recipe = Recipe((Step("planar_laplace", {"radius": 310.0}), Step("pseudonymise")), kind="mobility")
    assert recipe_text(recipe) == "Planar Laplace, radius = 310 m → Pseudonyms"
    french = say(recipe_text(recipe), "fr")
    assert french.endswith(f", {parameter_label('radius', 'fr')} = 310 m → Pseudonymes")
    assert "planar_laplace" not in recipe_text(recipe) + french
    assert say(recipe_text(Recipe((), kind="mobility")), "fr") == "inchangé"


def test_the_range_of_a_swept_parameter():
    said = step_text(Step("mondrian", {"k": 1}), "table", {"k": 20})
    assert said == "Mondrian (multidimensional), k = 1 row … 20 rows"
    assert say(said, "fr").endswith(", k = 1 ligne … 20 lignes")


@pytest.mark.parametrize("kind", all_kinds())
def test_every_method_at_its_defaults(kind):
    for entry in methods.all(data=kind):
        defaults = {name: one.default for name, one in entry.parameters.items()}
        said = step_text(Step(entry.name, defaults), kind)
        assert said.startswith(entry.title)
        assert say(said, "fr").startswith(say(entry.title, "fr"))
        assert said.count(" = ") == len(defaults)
        assert all(parameter_label(name, "fr") in say(said, "fr") for name in defaults)


def test_the_card_of_a_figure_counts_in_its_language():
    card = Card(recipe_text(Recipe((Step("mondrian", {"k": 1}),), kind="table")), 7, 1)
    assert card.text() == "Mondrian (multidimensional), k = 1 row · seed 7 · n = 1 row"
    assert card.text("fr").endswith(", k = 1 ligne · graine 7 · n = 1 ligne")
