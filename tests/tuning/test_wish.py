"""Wishes: names, levels, and what keeps them."""

import math

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.recipe import Recipe
from insanonym_core.tuning import Bound, Wish, bound_from_text, wish_of

MOBILITY, TABLE = Recipe((), kind="mobility"), Recipe((), kind="table")


def test_a_bound_is_a_headline_or_a_measure():
    wish = wish_of(MOBILITY, {"privacy": 0.7, "utility.poi": 0.3, "tuile": 0.2}, {"week_in_the_open": 0.1})
    assert [(one.key, one.level, one.upper) for one in wish.bounds] == [
        ("privacy", 0.7, False),
        ("utility.poi", 0.3, False),
        ("utility.tuile", 0.2, False),
        ("privacy.week_in_the_open", 0.1, True),
    ]
    assert wish_of(TABLE, at_most={"table.ncp": 0.2}).bounds == (Bound("utility.ncp", 0.2, upper=True),)


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ({"privcy": 0.5}, "There is no headline or measure 'privcy' of GPS traces"),
        ({"poi": 0.5}, "'poi' can mean several measures: choose one of utility.poi, attack.poi"),
        ({"privacy": 1.5}, "A bound on privacy must be a number from 0 to 1, got 1.5"),
        ({"privacy": math.nan}, "A bound on privacy must be a number from 0 to 1"),
        ({"privacy": True}, "A bound on privacy must be a number from 0 to 1"),
    ],
)
def test_what_is_wrong_is_said(bounds, said):
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        wish_of(MOBILITY, bounds)


def test_what_is_maximised_is_a_headline():
    with pytest.raises(UsageError, match="must be one of privacy, utility, defence, got 'speed'"):
        wish_of(MOBILITY, maximise="speed")


def test_a_bound_as_it_is_typed():
    assert bound_from_text("privacy=0.7", "--at-least") == ("privacy", 0.7)
    for text in ("privacy", "privacy=", "=0.7", "privacy=much", "privacy=nan"):
        with pytest.raises(UsageError, match="--at-least must be NAME=NUMBER"):
            bound_from_text(text, "--at-least")


def test_a_rounding_error_breaks_no_bound():
    """Means of one and of five draws of the same release differ in the last digits."""
    bound = Bound("privacy", 0.9198045415349239)
    assert bound.holds({"privacy": 0.9198045415349237})
    assert not bound.holds({"privacy": 0.9198})


def test_margins_by_hand():
    wish = Wish((Bound("privacy", 0.7), Bound("utility.ncp", 0.2, upper=True)))
    values = {"privacy": 0.75, "utility.ncp": 0.18, "utility": 0.82}
    assert wish.holds(values)
    assert wish.worst_margin(values) == pytest.approx(0.02)
    assert wish.binding(values) == wish.bounds[1]
    assert not wish.holds({**values, "privacy": 0.69})
    assert not wish.holds({"privacy": 0.9}), "a bound on what has no number is not kept"
    assert wish.objective({}) == -math.inf
    assert wish.phrase == "Privacy ≥ 0.7, utility.ncp ≤ 0.2"
