"""Bucketisation: two tables that keep their promise, or a sentence that says why not."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError, UsageError
from insanonym_core.tabular.roles import Roles
from tests.levels import examples
from tests.tabular.helpers import QUASI, apply, frames, shown

ROLES = Roles(QUASI, ("illness",), "who")


@given(frame=frames(min_rows=4), k=st.integers(1, 8), wanted=st.integers(1, 4))
@examples(80)
def test_buckets_hold_k_rows_and_l_values_or_say_why_not(frame, k, wanted):
    counts = Counter(shown(frame["illness"]))
    most = max(counts.values())
    if k < wanted:
        with pytest.raises(UsageError, match="k < l"):
            apply("bucketise", frame, ROLES, k=k, l=wanted)
        return
    if len(frame) < k or most * wanted > len(frame):
        with pytest.raises(DataError) as caught:
            apply("bucketise", frame, ROLES, k=k, l=wanted)
        assert len(frame) < k or f"choose l = {len(frame) // most} or less" in str(caught.value)
        return
    release = apply("bucketise", frame, ROLES, k=k, l=wanted)
    second = release.extra["sensitive"]
    assert list(release.frame.columns) == [*QUASI, "group"]
    assert list(second.columns) == ["group", "illness", "count"]
    sizes = release.frame["group"].value_counts().sort_index()
    totals = second.groupby("group")["count"]
    assert totals.sum().tolist() == sizes.tolist()
    assert sizes.min() >= k
    assert totals.size().min() >= wanted
    assert (totals.max() * wanted <= sizes).all()
    assert sorted(set(release.frame["group"])) == list(range(1, len(sizes) + 1))
    original = shown(frame["illness"].reset_index(drop=True).iloc[release.rows])
    paired = Counter(zip(release.frame["group"], original, strict=True))
    assert paired == Counter({(g, "∅" if pd.isna(v) else v): c for g, v, c in second.itertuples(index=False)})


def test_impossible_l_names_the_largest_l_and_no_value():
    frame = pd.DataFrame({"q": range(10), "s": ["a"] * 4 + ["b"] * 6})
    with pytest.raises(DataError, match=r"one value stands in 6 of 10 rows of 's', .* choose l = 1"):
        apply("bucketise", frame, Roles(("q",), ("s",)), k=2, l=2)


def test_group_numbers_do_not_tell_who_came_first():
    frame = pd.DataFrame({"q": ["same"] * 60, "s": list("abcde") * 12})
    first = [int(apply("bucketise", frame, Roles(("q",), ("s",)), seed=seed, k=5, l=5).group[
        np.flatnonzero(apply("bucketise", frame, Roles(("q",), ("s",)), seed=seed, k=5, l=5).rows == 0)[0]
    ]) for seed in range(60)]  # fmt: skip
    assert np.mean(np.array(first) == 0) < 0.4
    assert len(set(first)) > 5


def test_columns_named_like_ours_are_not_overwritten():
    frame = pd.DataFrame({"group": list("xyxyxy"), "count": list("ababab")})
    release = apply("bucketise", frame, Roles(("group",), ("count",)), k=2, l=2)
    assert list(release.frame.columns) == ["group", "group_"]
    assert list(release.extra["sensitive"].columns) == ["group_", "count", "count_"]
    lookup = apply(
        "pseudonymise", frame.rename(columns={"group": "pseudonym"}), Roles(), column="pseudonym"
    ).extra["lookup"]
    assert list(lookup.columns) == ["pseudonym", "pseudonym_"]


def test_an_identifier_is_never_sensitive():
    frame = pd.DataFrame({"q": [1, 2], "who": ["a", "b"]})
    with pytest.raises(UsageError, match="sensitive and identifier at once"):
        apply("bucketise", frame, Roles(("q",), ("who",), "who"), k=2, l=2)
