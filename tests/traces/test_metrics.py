"""Measures of traces by hand: four people, two of them alone."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.figures import draw
from insanonym_core.registry import methods, metrics
from insanonym_core.results.scores import may_be_handed_over
from insanonym_core.texts import french
from insanonym_core.traces.release import TraceRelease
from tests.levels import examples

PEOPLE = pd.DataFrame({"who": list("1234"), "year": [2020] * 4, "bac": list("SSLL"), "diploma": list("XXXY")})


def released(mask: int) -> TraceRelease:
    method = methods.get("count_traces", data="traces").item(
        item=("diploma",), order=("year",), prefix=("bac",), mask=mask
    )
    return method.apply(PEOPLE, "who")


def test_below_two_the_mask_itself_gives_every_count_away():
    """S X: 2, and L X, L Y and (without the bac) Y stand below 2: they can only be 1."""
    score = metrics.get("pinned", data="traces").item(released(2))
    assert score.value == 1
    assert score.details == {"masked": 3, "narrowed": 0, "people_pinned": 2, "pinned_by_the_mask": 3}
    bars, table = score.evidence
    assert bars.labels == ("masked", "narrowed", "pinned by the mask itself")
    assert bars.values.tolist() == [3, 0, 3]
    assert table.title in french()
    assert "mask itself" in table.title
    assert set(table.columns["trace"]) == {"L → X", "L → Y", "Y"}
    assert set(table.columns["true count"]) == {1}
    assert set(table.columns["published"]) == {"<2"}
    assert not may_be_handed_over(table)


def test_above_two_only_what_both_tables_fix_counts():
    """Below 3: S X and L X are 1 or 2 each and X is 3: either may be the 2. L Y is Y, 1 or 2."""
    score = metrics.get("pinned", data="traces").item(released(3))
    assert score.value == 0
    assert score.details == {"masked": 4, "narrowed": 0, "people_pinned": 0, "pinned_by_the_mask": 0}
    assert score.evidence[0].labels[-1] == "pinned"


@pytest.mark.parametrize(("k", "rare"), [(2, 1), (3, 3), (4, 4)])
def test_the_rarest_steps_are_shown_whether_rare_or_not(k, rare):
    score = metrics.get("rare_items", data="traces").item(released(2), k=k)
    assert score.value == rare / 4
    assert score.details == {"rare": rare, "items": 4}
    (bars,) = score.evidence
    assert bars.labels == ("Y", "L", "S", "X")
    assert bars.values.tolist() == [1, 2, 2, 3]
    assert bars.references == {"k": k}
    assert not may_be_handed_over(bars), "true counts, below the mask too: nothing for a report"
    assert draw(bars).data


@pytest.mark.parametrize(
    ("mask", "small", "known"),
    [
        (2, 10, 4),  # S X: 2 is published; below 2 a masked count is 1: L X and L Y
        (2, 2, 2),  # only L X and L Y are that small
        (3, 10, 1),  # S X, L X and L Y are masked; X is 3 in the second table, of 4 people: L Y is 1
    ],
)
def test_people_in_small_traces_by_hand(mask, small, known):
    score = metrics.get("small_traces", data="traces").item(released(mask), small=small)
    assert score.value == known / 4
    few = 2 if small == 2 else 4
    assert score.details == {"known": known, "in_small_traces": few, "individuals": 4}
    assert score.evidence[0].values.tolist() == [known, few - known, 4 - few]


def test_a_count_that_a_second_table_fixes_is_known():
    """X is 4 in all and S X is 3, both published: L X, masked below 3, can only be 1."""
    people = pd.DataFrame(
        {"who": list("1234"), "year": [2020] * 4, "bac": list("SSSL"), "diploma": list("XXXX")}
    )
    method = methods.get("count_traces", data="traces").item(
        item=("diploma",), order=("year",), prefix=("bac",), mask=3
    )
    score = metrics.get("small_traces", data="traces").item(method.apply(people, "who"))
    assert score.value == 1
    alone = methods.get("count_traces", data="traces").item(item=("bac",), order=("year",), mask=3)
    assert metrics.get("small_traces", data="traces").item(alone.apply(people, "who")).value == 1, "4 − 3"


def test_two_masked_counts_hide_each_other():
    """40 people, 33 of them in one trace: the others are 3 and 4, and 7 could be 1 + 6 too."""
    people = pd.DataFrame(
        {"who": [f"w{n}" for n in range(40)], "year": 2020, "diploma": ["X"] * 33 + ["Y"] * 3 + ["Z"] * 4}
    )
    method = methods.get("count_traces", data="traces").item(item=("diploma",), order=("year",), mask=10)
    score = metrics.get("small_traces", data="traces").item(method.apply(people, "who"))
    assert score.details == {"known": 0, "in_small_traces": 7, "individuals": 40}
    without = people[people["diploma"] != "Z"]
    assert metrics.get("small_traces", data="traces").item(method.apply(without, "who")).details["known"] == 3


def slow_share(release: TraceRelease, small: int) -> float:
    """Person by person: the ways to fill in the masked counts that agree with all that is published."""
    paths = [release.traces.steps(who) for who in range(release.traces.individuals)]
    tables = [release.published, *([release.second.table] if release.second else [])]
    shown = [dict(zip(one.traces, one.published(), strict=True)) for one in tables]

    def options(text: str) -> list[int]:
        return list(range(1, int(text[1:]))) if text.startswith("<") else [int(text)]

    possible: dict[tuple[str, ...], set[int]] = {trace: set() for trace in shown[0]}
    for counts in product(*(options(text) for text in shown[0].values())):
        filled = dict(zip(shown[0], counts, strict=True))
        if sum(counts) != len(paths):  # the number of individuals is known
            continue
        if release.second and any(
            sum(count for trace, count in filled.items() if trace[1:] == tail) not in options(text)
            for tail, text in shown[1].items()
        ):
            continue
        for trace, count in filled.items():
            possible[trace].add(count)
    return sum(paths.count(path) < small and len(possible[path]) == 1 for path in paths) / len(paths)


@given(seed=st.integers(0, 2**32), mask=st.integers(2, 5), small=st.integers(2, 8), prefix=st.booleans())
@examples(60)
def test_people_in_small_traces_are_those_of_the_slow_version(seed, mask, small, prefix):
    rng = np.random.default_rng(seed)
    number = int(rng.integers(1, 25))
    people = pd.DataFrame(
        {
            "who": [f"w{one}" for one in range(number)],
            "year": 2020,
            "bac": rng.choice(list("SL"), number),
            "diploma": rng.choice(list("XYZ"), number, p=[0.6, 0.3, 0.1]),
        }
    )
    method = methods.get("count_traces", data="traces").item(
        item=("diploma",), order=("year",), prefix=("bac",) if prefix else (), mask=mask
    )
    release = method.apply(people, "who")
    found = metrics.get("small_traces", data="traces").item(release, small=small)
    assert found.value == pytest.approx(slow_share(release, small))


def test_protected_tables_are_not_given_away_by_sums_in_a_report():
    """What is handed over beside them: no sum of small counts, and how many values are left."""
    draw = np.random.default_rng(2)
    people = pd.DataFrame(
        {
            "who": [f"w{n}" for n in range(400)],
            "year": 2020,
            "bac": draw.choice([*"STL"], 400, p=[0.7, 0.27, 0.03]),
            "diploma": draw.choice([*"VWXYZ"], 400, p=[0.5, 0.3, 0.15, 0.03, 0.02]),
        }
    )
    method = methods.get("count_traces", data="traces").item(
        item=("diploma",), order=("year",), prefix=("bac",), mask=10, protect=4
    )
    release = method.apply(people, "who")
    scores = {one.name: one.item(release) for one in metrics.all(data="traces")}
    assert release.masked.rounded_individuals > 0
    assert scores["values_left"].value >= 4
    assert scores["pinned"].value == scores["small_traces"].value == 0
    handed_over = [
        piece for score in scores.values() for piece in score.evidence if may_be_handed_over(piece)
    ]
    told = {float(number) for piece in handed_over for number in np.ravel(getattr(piece, "values", []))}
    small = release.counted.counts[release.counted.counts < 10].sum()
    told |= {float(value) for score in scores.values() for value in score.details.values() if value}
    secret = {
        float(small),
        float(release.masked.singular_individuals),
        float(release.masked.rounded_individuals),
    }
    assert not told & secret
