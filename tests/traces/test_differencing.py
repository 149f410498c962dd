"""What two tables give away together."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError, UsageError
from insanonym_core.traces import TraceTable, differencing, mask_small_counts


def table(counts):
    return TraceTable.from_counts(list(counts), np.array(list(counts.values())))


def shown(result):
    return {(one.table, one.trace): (one.low, one.high) for one in result.disclosures}


MASTER = ("IG.Master.4.G4INF", "IG.Master Rec.5.G5PLS")


def bacs(number):
    """As the source publishes it: the same trace after so many bacs, 1 for each, and 1 for all of them."""
    return table({(f"bac {place}", *MASTER): 1 for place in range(number)}), table({MASTER: 1})


def test_the_example_of_the_source():
    # "la même ligne avec 8 autres Bac … on pourrait déduire qu'une seule personne correspond à ce parcours"
    with_bac, without = bacs(9)
    found = differencing(with_bac, without, threshold=10)
    assert shown(found) == {("A", trace): (1, 1) for trace in with_bac.traces} | {("B", MASTER): (9, 9)}
    assert (found.prefixed, found.masked, found.narrowed, found.pinned) == (("A",), 10, 10, 10)
    assert (found.people_pinned, found.people) == (9, (9, 9))
    assert {one.published for one in found.disclosures} == {"1"}


def test_eight_bacs_leave_one_person_open():
    with_bac, without = bacs(8)
    found = differencing(without, with_bac, threshold=10)  # whichever way round
    assert shown(found) == {("B", trace): (1, 2) for trace in with_bac.traces} | {("A", MASTER): (8, 9)}
    assert (found.prefixed, found.pinned, found.people_pinned, found.people) == (("B",), 0, 0, (8, 9))
    assert differencing(without, with_bac, 10, width=0).disclosures == ()
    assert differencing(without, with_bac, 10, width=0).people == (0, 0)


def test_ten_bacs_cannot_be():
    with pytest.raises(DataError, match="do not come from the same data"):
        differencing(*bacs(10), threshold=10)


def test_an_exact_total_pins_what_is_masked_beside_exact_counts():
    with_bac = table({("S", "x"): 20, ("ES", "x"): 1, ("S", "y"): 1, ("ES", "y"): 1, ("L", "z"): 1})
    without = table({("x",): 27, ("y",): 16, ("z",): 1})
    found = differencing(with_bac, without, 10)
    # x: 27 − 20 = 7. y: 16 = 9 + 7 at the most uneven. z: one bac alone says nothing, 1 to 9 twice.
    assert shown(found) == {("A", ("ES", "x")): (7, 7), ("A", ("S", "y")): (7, 9), ("A", ("ES", "y")): (7, 9)}
    assert [one.pinned for one in found.disclosures] == [True, False, False]
    assert (found.masked, found.narrowed, found.pinned) == (5, 3, 1)
    assert (found.people_pinned, found.people) == (7, (23, 23))  # 7 and the 16 who did y
    assert len(differencing(with_bac, without, 10, width=1).disclosures) == 1
    assert found.to_frame().to_dict("list") == {
        "table": ["A"] * 3,
        "published": ["1"] * 3,
        "low": [7, 7, 7],
        "high": [7, 9, 9],
        "step_1": ["ES", "ES", "S"],
        "step_2": ["x", "y", "y"],
    }


def test_a_single_bac_carries_an_exact_count_over():
    found = differencing(table({("L", "z"): 12}), table({("z",): 12}), 10)
    assert (found.disclosures, found.masked) == ((), 0)
    assert found.to_frame().empty


def test_a_narrow_range_that_each_table_states_by_itself_is_no_disclosure():
    # Below 3 means 1 or 2: that is published, not found by subtracting.
    assert differencing(table({("L", "z"): 1}), table({("z",): 1}), 3).disclosures == ()


def test_tables_that_know_their_thresholds():
    with_bac = mask_small_counts(table({("S", "x"): 4, ("ES", "x"): 3}), 5, "less").table
    without = mask_small_counts(table({("x",): 7}), 8, "less").table
    found = differencing(with_bac, without)
    assert shown(found) == {}  # 2 to 8 from the parts, 1 to 7 as published: 2 to 7
    assert found.narrowed == 1
    assert shown(differencing(with_bac, without, width=5)) == {("B", ("x",)): (2, 7)}
    assert {one.published for one in differencing(with_bac, without, width=5).disclosures} == {"<8"}
    assert differencing(with_bac, without, width=5).people == (2, 7)  # its parts, 1 to 4, are no narrower
    with pytest.raises(UsageError, match="'threshold' must be 8"):
        differencing(without, with_bac, 10)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({("S", "x"): 20}, {("y",): 20}),  # another trace
        ({("S", "x"): 20, ("S", "y"): 20}, {("x",): 20}),  # absent: counts 0
        ({("S", "x"): 20}, {("x",): 20, ("y",): 20}),
        ({("S", "x"): 20}, {("S", "x"): 20}),  # neither has a step more
        ({("S", "x"): 20, ("S",): 10}, {("x",): 20}),  # nothing is left without the prefix
        ({("S", "x"): 20}, {("x",): 21}),
        ({("S", "x"): 20, ("L", "x"): 1}, {("x",): 20}),
        ({("S", "x"): 20, ("L", "x"): 1}, {("x",): 30}),
    ],
)
def test_tables_of_different_data(a, b):
    for first, second in ((a, b), (b, a)):
        with pytest.raises(DataError, match="do not come from the same data"):
            differencing(table(first), table(second), 10)


@pytest.mark.parametrize("width", [-1, 0.5, True])
def test_widths_that_are_none(width):
    with pytest.raises(UsageError, match="whole number of 0 or more"):
        differencing(*bacs(9), 10, width)


def every_truth(with_bac, without, threshold):
    """All true counts that publish these two tables, by trying them all out."""

    def possible(count):
        return range(1, threshold) if count < threshold else (count,)

    for counts in product(*(possible(count) for count in with_bac.values())):
        totals = dict.fromkeys(without, 0)
        for trace, count in zip(with_bac, counts, strict=True):
            totals[trace[1:]] += count
        if all(total in possible(without[trace]) for trace, total in totals.items()):
            yield dict(zip(with_bac, counts, strict=True)) | totals


@st.composite
def published(draw):
    """Two small tables; mostly of one truth, sometimes bent so that there may be none."""
    threshold = draw(st.integers(2, 5))
    pairs = st.tuples(st.sampled_from("STLE"), st.sampled_from("xy"))
    truth = draw(st.dictionaries(pairs, st.integers(1, threshold + 2), min_size=1, max_size=5))
    totals = {}
    for trace, count in truth.items():
        totals[trace[1:]] = totals.get(trace[1:], 0) + count
    if draw(st.booleans()):
        bent = draw(st.sampled_from(sorted(totals)))
        totals[bent] = max(1, totals[bent] + draw(st.integers(-3, 3)))

    def mask(counts):
        return {trace: 1 if count < threshold else count for trace, count in counts.items()}

    return mask(truth), mask(totals), threshold


@given(published(), st.integers(0, 3), st.booleans())
def test_ranges_are_exactly_what_trying_everything_out_gives(case, width, swapped):
    with_bac, without, threshold = case
    tables = [table(with_bac), table(without)]
    truths = list(every_truth(with_bac, without, threshold))
    if not truths:
        with pytest.raises(DataError, match="same data"):
            differencing(*tables, threshold)
        return
    found = differencing(*(reversed(tables) if swapped else tables), threshold, width)
    expected = {}
    for trace in with_bac | without:
        values = {truth[trace] for truth in truths}
        masked = (with_bac | without)[trace] < threshold
        if masked and len(values) < threshold - 1 and max(values) - min(values) <= width:
            expected[trace] = (min(values), max(values))
    assert {one.trace: (one.low, one.high) for one in found.disclosures} == expected
    assert found.prefixed == (("B",) if swapped else ("A",))

    # People: everybody who left one of these traces, with or without the prefix, counted once.
    def people(disclosed):
        return {
            sum(truth[trace] for trace in with_bac if trace in disclosed or trace[1:] in disclosed)
            for truth in truths
        }

    assert found.people == (min(people(expected)), max(people(expected)))
    assert people({trace for trace, (low, high) in expected.items() if low == high}) == {found.people_pinned}
