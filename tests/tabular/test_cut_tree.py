"""The tree of cuts: sizes add up, and what is refused is refused for its numbers."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.registry import methods
from insanonym_core.scores import Tree
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table
from insanonym_core.texts import say


def tree_of(frame: pd.DataFrame, k: int, choice: str = "widest", seed: int = 0) -> Tree:
    method = methods.get("mondrian", data="table").item(k=k, choice=choice)
    release = method.apply(Table.from_frame(frame), Roles(tuple(frame.columns)), np.random.default_rng(seed))
    (found,) = release.evidence
    return found


def test_nine_rows_by_hand():
    """Ages 1 to 9, k = 4: one cut after 4 rows (nearest the median, the lower), then 2 < 4 on both sides."""
    tree = tree_of(pd.DataFrame({"age": range(1, 10), "town": ["a"] * 9}), 4)
    assert list(tree.labels) == ["all rows", "age: 1 … 4", "age: 5 … 9"]
    assert tree.parent.tolist() == [-1, 0, 0]
    assert tree.size.tolist() == [9, 4, 5]
    # A leaf of fewer than 2k rows cannot be cut whatever is tried.
    assert tree.notes[0] == ()
    assert say(tree.labels[0], "fr") == "toutes les lignes"


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
