"""The arithmetic of a league, worked out by hand."""

import pytest

from insanonym_core.league import standings
from insanonym_core.league.scoring import HOUSE_TEAM

# Ana has two valid releases, Ben one, Cleo none.
UTILITIES = {("Ana", "one"): 0.8, ("Ana", "two"): 0.5, ("Ben", "one"): 0.6}
ATTACKS = {
    "Ana": {("Ben", "one"): [0.2, 0.5]},
    "Ben": {("Ana", "one"): [0.5], ("Ben", "one"): [1.0]},  # nothing on Ana's second; his own does not count
    "Cleo": {("Ana", "one"): [0.25], ("Ana", "two"): [0.1, 0.0], ("Ben", "one"): [0.75]},
}


def by_team(*arguments):
    return {line.team: line for line in standings(["Ana", "Ben", "Cleo"], *arguments)}


def test_the_worked_example():
    """docs/league.md shows this table."""
    table = by_team(UTILITIES, ATTACKS)
    ana, ben, cleo = table["Ana"], table["Ben"], table["Cleo"]
    # one: 0.8 × (1 − 0.5) = 0.4; two: 0.5 × (1 − 0.1) = 0.45
    assert [one.defence for one in ana.releases] == pytest.approx([0.4, 0.45])
    assert (ana.defence, ana.best_release) == (pytest.approx(0.45), "two")
    assert ben.defence == pytest.approx(0.6 * (1 - 0.75))
    assert cleo.defence == 0
    assert cleo.best_release == ""
    assert ana.against == {"Ben": 0.5}  # the best of two; Cleo has nothing to attack
    assert ben.against == {"Ana": 0.0}  # min(0.5, no attack on the second)
    assert cleo.against == {"Ana": 0.1, "Ben": 0.75}  # min(0.25, best of 0.1 and 0)
    assert [table[team].attack for team in table] == pytest.approx([0.5, 0.85, 0])
    assert {team: line.general for team, line in table.items()} == pytest.approx(
        {"Ana": 0.95, "Cleo": 0.85, "Ben": 0.15}
    )
    assert [(line.rank, team) for team, line in table.items()] == [(1, "Ana"), (2, "Cleo"), (3, "Ben")]


def test_who_attacked_best_is_named():
    table = by_team(UTILITIES, ATTACKS)
    assert [one.best_attackers for one in table["Ana"].releases] == [("Ben",), ("Cleo",)]
    nobody = by_team(UTILITIES, {"Ben": {("Ana", "one"): [0.0]}})
    assert [one.best_attackers for one in nobody["Ana"].releases] == [(), ()]


def test_nothing_is_lost_without_attackers():
    table = by_team(UTILITIES, {})
    assert (table["Ana"].defence, table["Ana"].attack) == (0.8, 0)


def test_house_attacks_weaken_a_defence_and_earn_nobody_anything():
    house = {("Ana", "one"): 0.9, ("Ana", "two"): 0.8, ("Ben", "one"): 0.1}
    with_house, without = by_team(UTILITIES, ATTACKS, house), by_team(UTILITIES, ATTACKS)
    assert with_house["Ana"].defence == pytest.approx(0.5 * (1 - 0.8))
    assert with_house["Ana"].releases[0].best_attackers == (HOUSE_TEAM,)
    assert with_house["Ben"].defence == pytest.approx(0.15)
    assert [line.attack for line in with_house.values()] == [without[team].attack for team in with_house]


def test_equal_scores_share_a_place():
    table = standings(
        ["d", "c", "b", "a"],
        {("a", "x"): 0.5, ("b", "x"): 0.5, ("c", "x"): 0.75},
        {},
    )
    assert [(line.rank, line.team) for line in table] == [(1, "c"), (2, "a"), (2, "b"), (4, "d")]


def test_one_more_release_is_one_more_to_attack():
    more = UTILITIES | {("Ben", "two"): 0.01}
    table = by_team(more, ATTACKS)
    assert table["Ana"].against == {"Ben": 0.0}
    assert table["Ben"].defence == pytest.approx(0.15)
