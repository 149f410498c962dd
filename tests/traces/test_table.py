"""Tables of traces: shown, masked, written and read back."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError, UsageError
from insanonym_core.reading.style import Style
from insanonym_core.traces import (
    TraceTable,
    build_traces,
    count_traces,
    mask_small_counts,
    rare_items,
    read_trace_table,
    write_trace_table,
)


def table(counts):
    return TraceTable.from_counts(list(counts), np.array(list(counts.values())))


SMALL = table({("b", "c"): 460, ("a",): 9, ("z",): 10, ("d",): 2, ("c", "b", "b"): 9})


def contents(found):
    return (found.traces, found.counts.tolist(), found.masked.tolist(), found.threshold, found.style)


def test_counts_first_then_steps_most_frequent_first():
    frame = SMALL.to_frame()
    assert list(frame.columns) == ["count", "step_1", "step_2", "step_3"]
    assert frame["count"].tolist() == [460, 10, 9, 9, 2]
    assert frame.fillna("").to_numpy().tolist() == [
        [460, "b", "c", ""],
        [10, "z", "", ""],
        [9, "a", "", ""],
        [9, "c", "b", "b"],
        [2, "d", "", ""],
    ]
    assert (len(SMALL), SMALL.individuals, SMALL.people) == (5, 490, (490, 490))


@pytest.mark.parametrize(("style", "shown"), [("one", "1"), ("less", "<10")])
def test_small_counts_are_masked_and_their_order_tells_nothing(style, shown):
    masked = mask_small_counts(SMALL, 10, style)
    assert masked.table.traces == (("b", "c"), ("z",), ("a",), ("c", "b", "b"), ("d",))
    assert masked.table.published() == ["460", "10", shown, shown, shown]
    assert masked.table.counts.tolist() == [460, 10, 1, 1, 1]  # the true ones are gone
    assert masked.table.to_frame()["count"].astype(str).tolist() == masked.table.published()
    assert (masked.singular_traces, masked.singular_individuals) == (3, 20)
    assert (masked.counted_traces, masked.counted_individuals) == (2, 470)
    assert (masked.table.individuals, masked.table.people) == (None, (473, 497))
    # The same people otherwise spread over the same singular traces publish the same table.
    other = table({("d",): 9, ("b", "c"): 460, ("a",): 1, ("z",): 10, ("c", "b", "b"): 3})
    assert contents(mask_small_counts(other, 10, style).table) == contents(masked.table)


def test_nothing_to_mask():
    masked = mask_small_counts(table({("a",): 10}))
    assert (masked.singular_traces, masked.singular_individuals, masked.table.individuals) == (0, 0, 10)
    assert mask_small_counts(table({("a",): 1}), 2, "less").table.published() == ["<2"]


@pytest.mark.parametrize("threshold", [1, 0, -3, 2.5, True, "10"])
def test_thresholds_are_whole_numbers_from_two(threshold):
    with pytest.raises(UsageError, match="whole number of 2 or more"):
        mask_small_counts(SMALL, threshold)
    with pytest.raises(UsageError, match="whole number of 2 or more"):
        TraceTable.from_frame(SMALL.to_frame(), threshold)


def test_masking_is_refused():
    with pytest.raises(UsageError, match="one or less, got 'stars'"):
        mask_small_counts(SMALL, 10, "stars")
    with pytest.raises(UsageError, match="masked already, below 10"):
        mask_small_counts(mask_small_counts(SMALL).table, 20)


step = st.text(st.characters(codec="utf-8"), min_size=1, max_size=3)
counted = st.dictionaries(
    st.lists(step, min_size=1, max_size=3).map(tuple), st.integers(1, 20), min_size=1, max_size=6
)


@given(counted, st.sampled_from(["none", "one", "less"]), st.sampled_from(",;|"))
def test_tables_read_back_as_published(tmp_path_factory, counts, style, separator):
    exact = table(counts)
    kept = exact if style == "none" else mask_small_counts(exact, 10, style).table
    threshold = 10 if style == "one" else None
    expected = contents(kept)
    if style == "less" and not kept.masked.any():
        expected = (*expected[:3], None, "one")  # nothing in the file tells of a threshold
    assert contents(TraceTable.from_frame(kept.to_frame(), threshold)) == expected
    path = tmp_path_factory.mktemp("traces") / "t.csv"
    write_trace_table(kept, path, style=Style(separator))
    assert contents(read_trace_table(path, threshold)) == expected


def read(tmp_path, text, threshold=None, **options):
    path = tmp_path / "published.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_trace_table(path, threshold, **options)


def test_files_of_others(tmp_path):
    # As the source shows it: no header, lines as long as their trace; texts other readers would change.
    found = read(tmp_path, "\ufeff12,S,NA,01\n\n  1 ,ES,null\n1,ES,,\n", 10)
    assert contents(found) == (
        (("S", "NA", "01"), ("ES",), ("ES", "null")),
        [12, 1, 1],
        [False, True, True],
        10,
        "one",
    )
    found = read(tmp_path, 'Nombre;Trace;\n< 5;"a;b"\n5;c\n7;d\n', separator=";")
    assert contents(found) == ((("d",), ("c",), ("a;b",)), [7, 5, 1], [False, False, True], 5, "less")
    assert read(tmp_path, "count,step_1\n3,a\n").individuals == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "published.csv: there are no traces"),
        ("count,step_1\n", "published.csv: there are no traces"),
        ("count,step_1\n3,a\nx,b\n0,c\n<1,d\n-2,e\n", "lines 3, 4, 5, 6: a row must begin with a count"),
        ("count/step_1\n3/a\n", "line 2: a row must begin with a count.*separator"),
        ("count,step_1\n3\n4,,b\n", "lines 2, 3: a trace must have at least one step"),
        ("count,step_1\n3,a,\n4,a\n", "line 3: each trace must be in one row"),
        ("count,step_1\n<5,a\n<12,b\n", "<5, <12; a table must have one threshold"),
        ('count,step_1\n3,"a\n', "line 2: this is not CSV"),
        (b"1,\xe9\x00\n", "is not text"),
        (b"PAR1", "is no text"),
    ],
)
def test_files_of_another_shape(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, text)


def test_all_problems_at_once(tmp_path):
    with pytest.raises(DataError) as caught:
        read(tmp_path, "count,step_1\nx,a\n3,\n")
    assert [(problem.code, problem.lines) for problem in caught.value.problems] == [
        ("count", (2,)),
        ("steps", (3,)),
    ]


def test_wrong_calls(tmp_path):
    with pytest.raises(UsageError, match="'threshold' must be 5, got 10"):
        read(tmp_path, "<5,a\n", 10)
    with pytest.raises(UsageError, match="one character"):
        read(tmp_path, "1,a\n", separator=";;")
    with pytest.raises(UsageError, match="exists already"):
        write_trace_table(SMALL, tmp_path / "published.csv")
    with pytest.raises(UsageError, match="cannot be read"):
        read_trace_table(tmp_path / "none.csv")
    with pytest.raises(DataError, match="there are no traces"):
        TraceTable.from_frame(pd.DataFrame(index=range(3)))


def test_rare_items_by_hand():
    exact = table({("S", "a", "b"): 3, ("ES", "a", "a"): 1, ("S", "c"): 4})
    rare = [(one.item, one.min_individuals, one.max_individuals, one.traces) for one in rare_items(exact, 5)]
    assert rare == [("ES", 1, 1, 1), ("b", 3, 3, 1), ("a", 4, 4, 2), ("c", 4, 4, 1)]  # S concerns seven
    assert rare_items(exact, 1) == ()


def test_rare_items_of_a_masked_table_are_those_that_may_be_rare():
    masked = mask_small_counts(table({("S", "a"): 30, ("S", "b"): 3, ("ES", "b"): 9}), 10).table
    rare = [(one.item, one.min_individuals, one.max_individuals) for one in rare_items(masked, 5)]
    assert rare == [("ES", 1, 9), ("b", 2, 18)]


@pytest.mark.parametrize("k", [0, 1.5, True])
def test_rare_items_want_a_whole_number(k):
    with pytest.raises(UsageError, match="whole number of 1 or more"):
        rare_items(SMALL, k)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 3), st.sampled_from("xyz")), min_size=1))
def test_rare_items_count_each_individual_once(rows):
    frame = pd.DataFrame(rows, columns=["who", "year", "item"])
    traces = build_traces(frame, "who", "year", "item", several="all")
    people = frame.groupby("item")["who"].nunique()
    expected = {item: int(number) for item, number in people.items() if number < 3}
    assert {one.item: one.min_individuals for one in rare_items(traces, 3)} == expected
    assert rare_items(traces, 3) == rare_items(count_traces(traces), 3)
