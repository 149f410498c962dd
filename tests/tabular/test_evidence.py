"""What is drawn of tables: class sizes beside k, columns before and after, deletions, growth. By hand."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.experiment.report import Promise
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Distribution
from insanonym_core.tabular.metrics.classes import size_edges
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from insanonym_core.texts import french, say
from tests.tabular.helpers import apply

OPEN = 10**9


def evidence(release: TableRelease, name: str) -> tuple:
    return metrics.get(name, data="table").item(release).evidence


@pytest.mark.parametrize(
    ("sizes", "asked", "edges"),
    [
        ([5, 6, 9], 5, [*range(1, 11), OPEN]),  # a bar for each size up to the largest
        ([1, 1, 2], 1, [1, 2, 3, OPEN]),
        ([2] * 9 + [700], 1, [1, 2, 3, 15, 20, 30, 50, 100, 200, 500, OPEN]),  # a long tail in round steps
        ([3] * 5 + [40] * 5, 3, [*range(1, 12), 15, 20, 30, OPEN]),
        ([100, 190, 199], 100, [1, *range(100, 201, 10), OPEN]),  # nothing below k: one bar
        ([4, 4], 5, [1, 2, 3, 4, 5, OPEN]),
    ],
)
def test_edges_of_class_sizes(sizes, asked, edges):
    found = size_edges(np.array(sizes), asked).tolist()
    assert found == edges
    assert {1, min(sizes), asked} <= set(found)
    assert max(sizes) < OPEN == found[-1]
    assert found == sorted(set(found))
    assert len(found) <= 25


def test_class_sizes_stand_beside_k():
    frame = pd.DataFrame({"a": ["x"] * 5 + ["y"] * 7 + ["z"] * 5})
    (shown,) = evidence(apply("suppress_rare_rows", frame, Roles(("a",)), columns=("a",), k=5), "k")
    assert shown.marks == {"k": 5.0}
    assert shown.edges.tolist() == [*range(1, 9), OPEN]
    assert shown.counts["classes"].tolist() == [0, 0, 0, 0, 2, 0, 1, 0]
    (shown,) = evidence(apply("suppress_rare_rows", frame, Roles(("a",)), columns=("a",), k=6), "k")
    assert shown.marks == {"k": 7.0, "asked k": 6.0}


def test_a_set_is_spread_over_its_values():
    """a, a, a, b as one group {a, b}: half and half. (Five times: what fewer hold is not named.)"""
    release = apply("mondrian", pd.DataFrame({"town": list("aaab") * 5}), Roles(("town",)), k=20)
    table, bars = evidence(release, "distribution")
    assert table.title == "Distance of each column"
    assert isinstance(bars, Bars)
    assert bars.title == "town, before and after"
    assert say(bars.title, "fr") == "town, avant et après"
    assert bars.labels == ("a", "b")
    assert {name: part.tolist() for name, part in bars.groups.items()} == {
        "original": [0.75, 0.25],
        "release": [0.5, 0.5],
    }


def test_a_deleted_value_is_not_named():
    release = apply("suppress_rare_values", pd.DataFrame({"town": list("aaab") * 5}), Roles(("town",)), k=6)
    bars = evidence(release, "distribution")[1]
    assert bars.labels == ("a", "(other values)")
    assert bars.groups["original"].tolist() == [0.75, 0.25]
    assert bars.groups["release"].tolist() == [1.0, 0.0]


def test_many_values_end_with_the_others_together():
    towns = [name for count, name in enumerate("abcdefghijkl", start=2) for _ in range(count)]
    release = apply("suppress_rare_values", pd.DataFrame({"town": towns}), Roles(("town",)), k=1)
    bars = evidence(release, "distribution")[1]
    assert bars.labels == (*"lkjihgfe", "(other values)")
    assert bars.groups["original"][-1] == pytest.approx((2 + 3 + 4 + 5) / len(towns))


def test_an_interval_is_spread_over_the_values_in_it():
    """1, 1, 1, 4 as one interval [1, 4]: half of it at 1, half at 4; bins around whole numbers."""
    release = apply("mondrian", pd.DataFrame({"age": [1, 1, 1, 4] * 5}), Roles(("age",)), k=20)
    shown = evidence(release, "distribution")[1]
    assert isinstance(shown, Distribution)
    assert shown.edges.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert shown.counts["original"].tolist() == [0.75, 0, 0, 0.25]
    assert shown.counts["release"].tolist() == [0.5, 0, 0, 0.5]
    assert shown.unit == ""


def test_missing_numbers_are_told():
    """'missing or 1' for twenty rows: ten of them without a value, if it is spread evenly."""
    release = apply("mondrian", pd.DataFrame({"age": [1, 1, 1, None] * 5}), Roles(("age",)), k=20)
    shown = evidence(release, "distribution")[1]
    assert shown.unit == "not drawn: 5 rows before, 10 after"
    assert shown.counts["original"].tolist() == [0.75]
    assert shown.counts["release"].tolist() == [0.5]


def test_a_deleted_extreme_is_not_on_the_axis():
    ages = pd.DataFrame({"age": [1, 1, 2, 2, 99] * 5})
    release = apply("suppress_rare_values", ages, Roles(("age",)), k=6)
    shown = evidence(release, "distribution")[1]
    assert shown.edges.tolist() == [0.5, 1.5, 2.5]
    assert shown.unit == "not drawn: 5 rows before, 0 after"
    assert shown.counts["original"].tolist() == [0.4, 0.4]
    assert shown.counts["release"].tolist() == [0.5, 0.5]


def test_dates_stand_in_years_and_a_column_without_values_is_left_out():
    frame = pd.DataFrame(
        {"seen": pd.to_datetime(["2020-01-01", "2020-01-01", "2024-01-01"] * 5), "none": [None] * 15}
    )
    shown = evidence(apply("suppress_rare_values", frame, Roles(("seen",)), k=1), "distribution")[1:]
    assert [one.title for one in shown] == ["seen, before and after"]
    assert shown[0].unit == "year"
    assert shown[0].edges[[0, -1]] == pytest.approx([2020, 2024], abs=0.51), "round numbers, nobody's date"
    assert shown[0].counts["original"].sum() == pytest.approx(1)
    gone = evidence(
        apply("suppress_rare_values", pd.DataFrame({"a": [1, 2, 3, None, None]}), Roles(("a",)), k=2),
        "distribution",
    )
    assert len(gone[1].edges) == 0, "only missing values are left: nothing to draw, and no error"


def test_the_column_that_moved_most_comes_first_and_six_are_drawn():
    frame = pd.DataFrame({f"c{n}": ["a"] * (20 - n) + ["b"] * n for n in (1, 4, 2, 3, 0, 5, 6, 7)})
    release = apply("mondrian", frame, Roles(tuple(frame.columns)), k=20)
    titles = [one.title.split(",")[0] for one in evidence(release, "distribution")[1:]]
    assert titles == ["c1", "c2", "c3", "c4", "c5", "c6"], "{a, b} is farthest from 19 a and 1 b"


def test_the_cascade_tells_rows_by_pass_and_column():
    """Pass 1: one row with x = b. Pass 2: then only one row has y = v."""
    frame = pd.DataFrame({"x": list("aaab"), "y": list("uuvv")})
    (bars,) = apply("suppress_rare_values", frame, Roles(("x",)), k=2).evidence
    assert bars.title == "Rows deleted in each pass"
    assert bars.labels == ("all rows deleted", "rare x", "rare y")
    assert {name: part.tolist() for name, part in bars.groups.items()} == {
        "pass 1": [1, 1, 0],
        "pass 2": [1, 0, 1],
    }
    assert [say(name, "fr") for name in bars.groups] == ["passe 1", "passe 2"]


def test_a_row_may_be_rare_in_two_columns_and_take_its_person_along():
    """b and v stand in one row of q; with all rows of q gone, a and u are left to p alone: 1 < 2."""
    frame = pd.DataFrame({"who": list("pqq"), "x": list("aab"), "y": list("uuv")})
    roles = Roles(("x",), identifier="who")
    (bars,) = apply("suppress_rare_values", frame, roles, k=2, scope="individual").evidence
    assert {name: part.tolist() for name, part in bars.groups.items()} == {
        "pass 1": [2, 1, 1],
        "pass 2": [1, 1, 1],
    }


def test_many_passes_end_with_the_later_ones_together():
    """A staircase: each pass takes a row at either end, seven passes for fourteen rows."""
    stairs = pd.DataFrame({"x": [n // 2 for n in range(14)], "y": [(n + 1) // 2 + 50 for n in range(14)]})
    frame = pd.concat([stairs, pd.DataFrame({"x": [99, 99], "y": [99, 99]})]).astype(str)
    release = apply("suppress_rare_values", frame, Roles(("x",)), k=2)
    assert len(release.facts["passes"]) == 7
    (bars,) = release.evidence
    assert list(bars.groups) == [*(f"pass {n}" for n in range(1, 6)), "later passes"]
    assert [int(part[0]) for part in bars.groups.values()] == [2, 2, 2, 2, 2, 4]


def test_nothing_rare_is_said():
    (bars,) = apply("suppress_rare_values", pd.DataFrame({"x": list("aab")}), Roles(("x",)), k=1).evidence
    assert bars.groups == {}
    assert bars.why_empty in french()


@pytest.mark.parametrize(("budget", "label"), [(0.2, "+ c"), (0.1, "+ c: refused")])
def test_growth_names_its_columns_and_what_it_refused(budget, label):
    """With c two of ten rows stand in a combination of two, and 2 < 5."""
    frame = pd.DataFrame({"s": ["x"] * 10, "c": ["a"] * 8 + ["b"] * 2})
    release = apply(
        "grow_projection", frame, Roles(("s",)), start=("s",), candidates=("c",), k=5, max_loss=budget
    )
    (bars,) = release.evidence
    assert bars.title == "Rows lost as columns are added"
    assert bars.labels == ("s", label)
    assert bars.values.tolist() == [0, 2]
    assert bars.references == {"budget": pytest.approx(10 * budget)}
    assert len(release.facts["steps"]) == (2 if budget == 0.2 else 1)


@pytest.mark.parametrize("cleaned", [False, True])
def test_a_promise_of_individuals_speaks_of_them(cleaned):
    promise = Promise(
        "suppress_rare_values", "Delete rare values", 5, 7, ("town",), "values", cleaned, individuals=True
    )
    assert "shared by at least 7 individuals: [town]" in promise.sentence()
    assert (
        "7 rows"
        in Promise(
            "suppress_rare_values", "Delete rare values", 5, 7, ("town",), "values", cleaned
        ).sentence()
    )
    assert promise.text.template in french()
