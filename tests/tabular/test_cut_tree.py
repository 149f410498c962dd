"""The tree of cuts: sizes add up, and what is refused is refused for its numbers."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.registry import methods
from insanonym_core.results.scores import Tree
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table
from insanonym_core.texts import say


def tree_of(frame: pd.DataFrame, k: int, choice: str = "widest", seed: int = 0) -> Tree:
    method = methods.get("mondrian", data="table").item(k=k, choice=choice)
    release = method.apply(Table.from_frame(frame), Roles(tuple(frame.columns)), np.random.default_rng(seed))
    return release.evidence[0]


def test_nine_rows_by_hand():
    """Ages 1 to 9, k = 4: one cut after 4 rows (nearest the median, the lower), then 2 < 4 on both sides."""
    tree = tree_of(pd.DataFrame({"age": range(1, 10), "town": ["a"] * 9}), 4)
    assert list(tree.labels) == ["all rows", "age: 1 … 4", "age: 5 … 9"]
    assert tree.parent.tolist() == [-1, 0, 0]
    assert tree.size.tolist() == [9, 4, 5]
    # A leaf of fewer than 2k rows cannot be cut whatever is tried.
    assert tree.notes[0] == ()
    assert say(tree.labels[0], "fr") == "toutes les lignes"


def test_a_leaf_says_which_cuts_were_refused():
    """Five ages: at best 2 rows stay on the smaller side, and 2 < 4; the town has nothing to cut."""
    tree = tree_of(pd.DataFrame({"age": range(1, 10), "town": ["a"] * 9}), 4)
    assert tree.notes[1] == tree.notes[2] == ("age: 2 < 4", "town: a single value")
    assert say(tree.notes[1][0], "fr") == "age\u00a0: 2 < 4"


def test_missing_values_are_named():
    """Missing sorts first: the four rows below 'b' are two without a town and two of a."""
    tree = tree_of(pd.DataFrame({"town": [None, "a", None, "a", *"bcbc"]}), 4)
    assert list(tree.labels) == ["all rows", "town: missing or a", "town: b … c"]
    assert say(tree.labels[1], "fr") == "town\u00a0: manquant ou a"
    alone = tree_of(pd.DataFrame({"town": [None] * 4 + ["a"] * 4}), 4)
    assert list(alone.labels)[1:] == ["town: missing", "town: a"]


def test_one_branch_goes_to_its_end():
    """64 ages, k = 4: 32, 16, 8 (where the first cuts end), 4; a group of 4 cannot be halved: 2 < 4."""
    method = methods.get("mondrian", data="table").item(k=4, choice="widest")
    frame = pd.DataFrame({"age": range(1, 65)})
    first, branch = method.apply(Table.from_frame(frame), Roles(("age",)), np.random.default_rng(0)).evidence
    assert first.size.tolist() == [64, 32, 32, *[16] * 4, *[8] * 8]
    assert set(first.notes[7:]) == {("→ 2 groups",)}
    assert branch.branch
    assert not first.branch
    assert branch.size.tolist() == [64, 32, 32, 16, 16, 8, 8, 4, 4]
    assert branch.parent.tolist() == [-1, 0, 0, 1, 1, 3, 3, 5, 5]
    assert list(branch.labels)[-2:] == ["age: 1 … 4", "age: 5 … 8"]
    assert branch.notes[-2:] == (("age: 2 < 4",), ("age: 2 < 4",))
    assert not any(branch.notes[:-2])


@pytest.mark.parametrize("seed", range(8))
def test_a_branch_takes_the_larger_side_and_ends_where_nothing_can_be_cut(seed):
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": draw.integers(0, 90, 500), "b": draw.choice([*"xyz", None], 500)})
    method = methods.get("mondrian", data="table").item(k=5, choice="random")
    branch = method.apply(Table.from_frame(frame), Roles(("a", "b")), draw).evidence[1]
    going_on = set(branch.parent.tolist())
    for place in range(1, len(branch.labels), 2):
        pair = branch.size[place : place + 2]
        assert pair.sum() == branch.size[branch.parent[place]]
        assert not {place, place + 1} <= going_on
        for child in {place, place + 1} & going_on:
            assert branch.size[child] == pair.max()
    last = len(branch.labels) - 2 + int(np.argmax(branch.size[-2:]))
    assert len(branch.notes[last]) == 2, "both attributes are refused"


def test_a_refused_attribute_says_its_best_cut():
    """12 rows, k = 5: 'side' splits 2 to 10, so 2 < 5; then 'age' cuts."""
    frame = pd.DataFrame({"side": ["l"] * 2 + ["r"] * 10, "age": range(12)})
    notes = {tree_of(frame, 5, "random", seed).notes[0] for seed in range(6)}
    assert notes == {(), ("side: 2 < 5",)}


@pytest.mark.parametrize("seed", range(8))
def test_children_make_up_their_parent_and_nobody_is_below_k(seed):
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"a": draw.integers(0, 9, 200), "b": draw.integers(0, 40, 200), "c": draw.choice(list("xyz"), 200)}
    )
    tree = tree_of(frame, 7, "random", seed)
    assert tree.size[0] == 200
    assert (tree.size >= 7).all()
    for place in range(len(tree.labels)):
        children = tree.size[tree.parent == place]
        assert len(children) in (0, 2)
        assert children.sum() in (0, tree.size[place])
