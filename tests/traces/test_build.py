"""Traces from enrolments, and equal ones counted."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError, UsageError
from insanonym_core.traces import build_traces, count_traces
from insanonym_core.traces.renamed import last_names, names_of_lines


def enrolments(*rows):
    return pd.DataFrame(list(rows), columns=["who", "year", "bac", "diploma", "level"])


ROWS = enrolments(
    ("ann", 2007, "ES", "DUT", 2),
    ("bob", 2006, "S", "DUT", 1),
    ("ann", 2006, "ES", "DUT", 1),
    ("cid", 2008, "ES", "DUT", 1),  # the year and the gap that follows are forgotten
    ("cid", 2010, "S", "DUT", 2),  # another bac, later: that of the first year counts
    ("dot", 2009, "L", "Licence", 1),
    ("dot", 2009, "ES", "Master", 4),
)
STEPS = ["diploma", "level"]


def by_person(traces):
    return {who: traces.steps(place) for place, who in enumerate(traces.identifiers)}


def test_traces_by_hand():
    traces = build_traces(ROWS, "who", "year", STEPS)
    assert by_person(traces) == {
        "ann": ("DUT.1", "DUT.2"),
        "bob": ("DUT.1",),
        "cid": ("DUT.1", "DUT.2"),
        "dot": ("Master.4",),
    }
    assert (traces.individuals, len(traces), traces.left_out, traces.prefixed) == (4, 4, 0, False)
    assert traces.items == ("DUT.1", "DUT.2", "Master.4")
    assert "ann" not in repr(traces)


def test_the_prefix_is_that_of_the_first_row_of_the_first_year():
    traces = build_traces(ROWS, "who", "year", STEPS, prefix="bac")
    assert by_person(traces) == {
        "ann": ("ES", "DUT.1", "DUT.2"),
        "bob": ("S", "DUT.1"),
        "cid": ("ES", "DUT.1", "DUT.2"),
        "dot": ("L", "Master.4"),
    }
    assert traces.prefixed


def test_all_of_one_year_in_file_order():
    traces = build_traces(ROWS, "who", "year", STEPS, prefix="bac", several="all")
    assert by_person(traces)["dot"] == ("L", "Licence.1", "Master.4")
    assert build_traces(ROWS[::-1], "who", "year", STEPS, several="all").steps(0) == ("Master.4", "Licence.1")


@pytest.mark.parametrize("since", [2007, "2007", 2006.5])
def test_since_leaves_out_who_was_seen_before(since):
    traces = build_traces(ROWS, "who", "year", ["diploma"], prefix="bac", since=since)
    assert by_person(traces) == {"cid": ("ES", "DUT", "DUT"), "dot": ("L", "Master")}
    assert traces.left_out == 2


@pytest.mark.parametrize(
    ("years", "since"),
    [
        (["9", "10", "011"], "10"),  # texts that are numbers
        (["2006-2007", "2007-2008", "2008-2009"], 2007),  # texts that are not
        (pd.to_datetime(["2006-09-01", "2007-09-01", "2008-09-01"]), 2007),
        (
            pd.to_datetime(["2006-09-01", "2007-09-01", "2008-09-01"]).tz_localize("Europe/Paris"),
            "2007-01-31",
        ),
        (pd.Categorical(["2007", "2008", "2009"], categories=["2009", "2008", "2007"]), 2008),
        (np.array([200, 201, 202], dtype=np.uint8), 201),
        (pd.array([1, 2, 3], dtype="Int64"), 2),
        (pd.Series([9, "10", 11.0], dtype=object), 10),
    ],
)
def test_years_of_every_kind(years, since):
    frame = pd.DataFrame({"who": ["a"] * 3 + ["b"] * 2, "year": pd.Series(years).iloc[[2, 0, 1, 2, 1]]})
    frame["item"] = ["z", "x", "y", "z", "y"]
    assert by_person(build_traces(frame, "who", "year", ["item"])) == {"a": ("x", "y", "z"), "b": ("y", "z")}
    assert by_person(build_traces(frame, "who", "year", ["item"], since=since)) == {"b": ("y", "z")}


def test_missing_values_are_written_and_whole_numbers_stay_whole():
    frame = pd.DataFrame(
        {
            "who": [1, 2, 3, 4],
            "year": 2006,
            "bac": [None, "S", "S", ""],
            "diploma": ["DUT", None, "", "NA"],
            "level": [1, np.nan, 2.5, 3],
        }
    )
    traces = build_traces(frame, "who", "year", STEPS, prefix="bac")
    assert by_person(traces) == {
        "1": ("?", "DUT.1"),
        "2": ("S", "?.?"),
        "3": ("S", "?.2.5"),
        "4": ("?", "NA.3"),
    }
    frame["level"] = frame["level"].astype("float32")
    assert build_traces(frame, "who", "year", STEPS).steps(0) == ("DUT.1",)


def test_items_that_read_the_same_are_the_same():
    mixed = pd.DataFrame({"who": [1, 2, 3], "year": 1, "a": ["x.y", "x", "x"], "b": ["z", "y.z", "y.z"]})
    assert build_traces(mixed, "who", "year", ["a", "b"]).items == ("x.y.z",)
    numbers = pd.DataFrame({"who": [1, 2], "year": 1, "a": pd.Series([1, "1"], dtype=object)})
    assert build_traces(numbers, "who", "year", "a").items == ("1",)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"id": "nobody"}, UsageError, "no column 'nobody'; its columns are: who, year"),
        ({"prefix": "Bac"}, UsageError, "no column 'Bac'"),
        ({"item": []}, UsageError, "at least one column"),
        ({"item": ["level", "level"]}, UsageError, "'level' twice"),
        ({"item": ["who", "level"]}, UsageError, "identifier 'who' cannot be part"),
        ({"prefix": "who"}, UsageError, "identifier 'who' cannot be part"),
        ({"order": "who"}, UsageError, "another column than the identifier"),
        ({"several": "first"}, UsageError, "last or all, got 'first'"),
        ({"since": "soon"}, UsageError, "'since' must be a value such as"),
        ({"since": float("inf")}, UsageError, "'since' must be a value such as"),
        ({"since": 2011}, UsageError, "choose an earlier"),
        ({"frame": ROWS[:0]}, DataError, "empty"),
        ({"frame": pd.concat([ROWS, ROWS[["bac"]]], axis=1), "prefix": "bac"}, DataError, "2 columns named"),
        ({"frame": ROWS.assign(who=[None, "", *"abcde"])}, DataError, "2 rows have no value in 'who'"),
        ({"frame": ROWS.assign(year=[np.nan, *range(6)])}, DataError, "1 row has no value in 'year'"),
        ({"frame": ROWS.assign(year=["", *"abcdef"])}, DataError, "1 row has no value in 'year'"),
        ({"frame": ROWS.assign(year=pd.Timestamp(2006, 1, 1)), "since": "x"}, UsageError, "'since'"),
        ({"frame": ROWS.assign(year=pd.Timestamp(2006, 1, 1)), "since": ""}, UsageError, "'since'"),
    ],
)
def test_calls_and_tables_that_are_refused(changes, error, message):
    call = {"frame": ROWS, "id": "who", "order": "year", "item": STEPS} | changes
    with pytest.raises(error, match=message):
        build_traces(**call)


def literal(rows, several, since):
    """The same, person by person."""
    found = {}
    for who in dict.fromkeys(row[0] for row in rows):
        mine = sorted((row for row in rows if row[0] == who), key=lambda row: row[1])  # a stable sort
        if since is not None and mine[0][1] < since:
            continue
        by_year = {}
        for _, year, _, diploma, level in mine:
            by_year.setdefault(year, []).append(f"{diploma}.{level}")
        steps = [items if several == "all" else items[-1:] for items in by_year.values()]
        found[who] = (mine[0][2], *(item for items in steps for item in items))
    return found


tables = st.lists(
    st.tuples(
        st.sampled_from("abcdef"),
        st.integers(2006, 2009),
        st.sampled_from(["S", "ES"]),
        st.sampled_from(["DUT", "L"]),
        st.integers(1, 2),
    ),
    min_size=1,
    max_size=30,
)


@given(tables, st.sampled_from(["last", "all"]), st.sampled_from([None, 2007]), st.randoms())
def test_traces_and_counts_match_the_literal_way(rows, several, since, random):
    frame = enrolments(*rows)
    expected = literal(rows, several, since)
    frame.index = [random.randrange(3) for _ in rows]  # the index, twins included, says nothing
    before = frame.copy()
    if not expected:
        with pytest.raises(UsageError, match="earlier"):
            build_traces(frame, "who", "year", STEPS, "bac", several, since)
        return
    traces = build_traces(frame, "who", "year", STEPS, "bac", several, since)
    assert by_person(traces) == expected
    assert traces.left_out == frame["who"].nunique() - len(expected)
    table = count_traces(traces)
    counted = Counter(expected.values())
    assert dict(zip(table.traces, table.counts.tolist(), strict=True)) == counted
    assert list(table.traces) == sorted(counted, key=lambda trace: (-counted[trace], trace))
    assert table.individuals == len(expected)
    pd.testing.assert_frame_equal(frame, before)


SEMESTERS = pd.DataFrame(
    [
        ("eve", 2016, 2, "G5PRLS"),
        ("eve", 2016, 1, "G5PLS"),
        ("eve", 2015, 0, "G4INF"),
        ("eve", 2016, 1, "G5ITC"),
        ("fay", 2016, 1, "G5PRLS"),
    ],
    columns=["who", "year", "semester", "step"],
)


def test_one_step_per_semester():
    """By year eve has the last row of 2016; by semester the last of each, in their order."""
    assert by_person(build_traces(SEMESTERS, "who", "year", "step"))["eve"] == ("G4INF", "G5ITC")
    by_semester = build_traces(SEMESTERS, "who", "year", "step", semester="semester")
    assert by_person(by_semester)["eve"] == ("G4INF", "G5ITC", "G5PRLS")
    every = build_traces(SEMESTERS, "who", "year", "step", several="all", semester="semester")
    assert by_person(every)["eve"] == ("G4INF", "G5PLS", "G5ITC", "G5PRLS")
    assert build_traces(SEMESTERS, "who", "year", "step", semester="semester", since=2016).individuals == 1


@pytest.mark.parametrize("semester", ["who", "year"])
def test_a_semester_is_another_column(semester):
    with pytest.raises(UsageError, match="'semester' must be a column that orders the rows of one year"):
        build_traces(SEMESTERS, "who", "year", "step", semester=semester)


def test_a_semester_that_is_missing_is_refused():
    rows = SEMESTERS.assign(semester=[1, 2, None, 1, 1])
    with pytest.raises(DataError, match="1 row has no value in 'semester': it cannot be put in order"):
        build_traces(rows, "who", "year", "step", semester="semester")


def test_renamed_steps_are_one():
    """G5PLS became G5PRLS, as in the source: whoever did one of them did the same."""
    names = {"G5PLS": "G5PRLS", "G4OLD": "G4INF"}
    rows = SEMESTERS[SEMESTERS["step"] != "G5ITC"]
    found = build_traces(rows, "who", "year", "step", several="all", names=names)
    assert by_person(found) == {"eve": ("G4INF", "G5PRLS", "G5PRLS"), "fay": ("G5PRLS",)}
    assert "G5PLS" not in found.items
    joined = build_traces(ROWS, "who", "year", STEPS, names={"DUT.2": "BUT.2", "Licence": "L"}, several="all")
    assert by_person(joined)["ann"] == ("DUT.1", "BUT.2")
    assert "L.1" in joined.items


def test_names_that_changed_several_times():
    assert last_names({"a": "b", "b": "c", "d": "d"}) == {"a": "c", "b": "c", "d": "d"}
    with pytest.raises(DataError, match="in a circle"):
        last_names({"a": "b", "b": "a"})
    assert names_of_lines("G5PLS = G5PRLS\nG5A = G5PLS") == {"G5PLS": "G5PRLS", "G5A": "G5PRLS"}
    with pytest.raises(UsageError, match="renamed twice"):
        names_of_lines("a = b\na = c")
