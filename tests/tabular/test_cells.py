"""Local suppression: k holds, what is shown is true, and the greedy stands beside the exact optimum."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from insanonym_core.errors import DataError, UsageError
from insanonym_core.registry import metrics
from insanonym_core.tabular.emptying import emptied_cells
from insanonym_core.tabular.roles import Roles
from tests.levels import examples
from tests.tabular.helpers import QUASI, apply, frames, literal_k

ROLES = Roles(QUASI, ("illness",), "who")


def fewest_cells(codes: list[np.ndarray], k: int) -> int:
    """The exact optimum: how many rows of each combination are emptied in which columns."""
    rows = Counter(zip(*(column.tolist() for column in codes), strict=True))
    patterns = [
        pattern for size in range(len(codes) + 1) for pattern in combinations(range(len(codes)), size)
    ]
    assigned = [(values, pattern) for values in rows for pattern in patterns]
    published = [
        (pattern, tuple(value for place, value in enumerate(values) if place not in pattern))
        for values, pattern in assigned
    ]
    classes = {one: number for number, one in enumerate(dict.fromkeys(published))}
    numbers, used = len(assigned), len(classes)
    cost = np.array([len(pattern) for _, pattern in assigned] + [0] * used, dtype=float)
    entries: list[tuple[int, int, float]] = []
    low, high = [], []
    for line, values in enumerate(rows):  # every row is published somehow
        entries += [(line, place, 1) for place, (one, _) in enumerate(assigned) if one == values]
        low.append(rows[values])
        high.append(rows[values])
    for one, number in classes.items():  # a class that is used holds k rows, and no row is in one that is not
        members = [place for place, other in enumerate(published) if other == one]
        line = len(low)
        entries += [(line, place, 1) for place in members] + [(line, numbers + number, -k)]
        low.append(0)
        high.append(np.inf)
        line = len(low)
        entries += [(line, place, 1) for place in members]
        entries.append((line, numbers + number, -sum(rows.values())))
        low.append(-np.inf)
        high.append(0)
    places, columns, values = zip(*entries, strict=True)
    matrix = coo_array((values, (places, columns)), shape=(len(low), numbers + used)).tocsr()
    bounds = Bounds(0, np.append(np.full(numbers, np.inf), np.ones(used)))
    found = milp(
        cost, constraints=LinearConstraint(matrix, low, high), integrality=np.ones(len(cost)), bounds=bounds
    )
    assert found.success, found.message
    return round(found.fun)


def small_tables() -> list[list[np.ndarray]]:
    draw = np.random.default_rng(5)
    return [
        [draw.geometric(0.4, rows) for _ in range(width)]
        for rows, width in ((30, 2), (60, 3), (120, 3), (200, 3))
    ]


def test_by_hand():
    """k = 2: the lone (1, b) shares a = 1 with one row of (1, a), which would be alone then; so both lose b.

    Four rows: (1, a) (1, a) (1, b) (2, b). Emptying 'town' of (1, b) alone leaves a class of one, and so does
    emptying 'age' of one of the last two; emptying 'age' of both makes (*, b) twice: two cells.
    """
    frame = pd.DataFrame({"age": [1, 1, 1, 2], "town": [*"aabb"]})
    release = apply("suppress_cells", frame, Roles(("age", "town")), k=2)
    assert Counter(zip(release.frame["age"], release.frame["town"], strict=True)) == {
        ("1", "a"): 2,
        ("*", "b"): 2,
    }
    assert release.facts["cells_emptied"] == 2
    # Two cells of eight, each worth 1.
    assert metrics.get("ncp", data="table").item(release).value == pytest.approx(2 / 8)
    assert fewest_cells([np.array([1, 1, 1, 2]), np.array([0, 0, 1, 1])], 2) == 2


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 5])
def test_beside_the_exact_optimum(k):
    ratios = []
    for codes in small_tables():
        greedy, exact = int(emptied_cells(codes, k).sum()), fewest_cells(codes, k)
        assert greedy >= exact
        ratios.append(greedy / max(exact, 1))
    assert np.mean(ratios) <= 1.5


@given(frame=frames(), k=st.integers(1, 8))
@examples(60)
def test_k_holds_and_what_is_shown_is_true(frame, k):
    if len(frame) < k:
        with pytest.raises(DataError, match=f"k = {k} needs at least {k} rows"):
            apply("suppress_cells", frame, ROLES, k=k)
        return
    release = apply("suppress_cells", frame, ROLES, k=k)
    assert literal_k(release.frame, list(QUASI)) >= k
    assert len(release.frame) == len(frame)
    stars = 0
    for name in QUASI:
        one = release.generalised[name]
        code = release.original[name].codes[release.rows]
        assert one.holds(code, release.group).all()
        texts = np.array([*release.original[name].texts(), "missing"], dtype=object)
        for published, true in zip(release.frame[name], texts[code], strict=True):
            assert published in ("*", true)
            stars += published == "*"
        assert set(one.loss()[one.emptied]) <= {1.0, 0.0}
        assert (one.loss()[~one.emptied] == 0).all()
    assert stars == release.facts["cells_emptied"]
    if k == 1:
        assert stars == 0


@given(frame=frames(min_rows=8), seed=st.integers(0, 99))
@examples(15)
def test_nothing_tells_the_original_order(frame, seed):
    one, other = (
        apply("suppress_cells", each, ROLES, k=3).frame
        for each in (frame, frame.sample(frac=1, random_state=seed))
    )
    assert sorted(map(tuple, one[list(QUASI)].values)) == sorted(map(tuple, other[list(QUASI)].values))


def test_too_many_columns():
    frame = pd.DataFrame({f"c{number}": [1, 2] for number in range(13)})
    with pytest.raises(UsageError, match="13 quasi-identifiers are too many: name 12 or fewer"):
        apply("suppress_cells", frame, Roles(tuple(frame.columns)), k=2)
