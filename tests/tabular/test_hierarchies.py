"""Hierarchies: what is published is a node of them, k holds, and the loss is that of the values below it."""

import csv
import io
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import UsageError
from insanonym_core.registry import metrics
from insanonym_core.tabular import searched_cuts
from insanonym_core.tabular.hierarchies import with_hierarchies
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table
from tests.levels import examples
from tests.tabular.helpers import apply, frames, literal_k

ARX = "Austria;Europe;*\nFrance;Europe;*\nJapan;Asia;*\nSpain;Europe;*\nVietnam;Asia;*"
LINES = "\n".join(f"country = {line}" for line in ARX.splitlines())


def ncp(release: TableRelease) -> float:
    return metrics.get("ncp", data="table").item(release).value


def test_arx_lines_by_hand():
    """Six rows, k = 3: by the alphabet Japan and Spain would be one set; by continent nothing is mixed.

    Europe stands for 3 of 5 countries: (3 - 1)/(5 - 1) = 0.5; Asia for 2: 0.25.
    """
    frame = pd.DataFrame({"country": ["Spain", "Japan", "France", "Vietnam", "Austria", "Japan"]})
    release = apply("mondrian", frame, Roles(("country",)), k=3, hierarchies=LINES)
    assert Counter(release.frame["country"]) == {"Europe": 3, "Asia": 3}
    assert ncp(release) == pytest.approx((0.5 + 0.25) / 2)
    alphabet = apply("mondrian", frame, Roles(("country",)), k=3)
    assert len(set(alphabet.frame["country"])) == 1
    # One group of all: the root.
    whole = apply("mondrian", frame, Roles(("country",)), k=4, hierarchies=LINES)
    assert set(whole.frame["country"]) == {"*"}
    assert ncp(whole) == 1


def test_dates_by_month_quarter_and_year():
    days = ["2020-01-05", "2020-01-09", "2020-02-01", "2020-03-30", "2021-07-01", "2021-07-01"]
    frame = pd.DataFrame({"seen": pd.to_datetime(days)})

    def published(k: int) -> set[str]:
        release = apply("mondrian", frame, Roles(("seen",)), k=k, hierarchies="seen = date")
        return set(release.frame["seen"])

    assert published(2) == {"2020-01", "2020-Q1", "2021-07-01"}
    assert published(4) == {"*"}
    # k = 3: four rows of 2020's first quarter and two of 2021 cannot be told apart but in the middle.
    assert published(3) == {"2020-Q1", "*"}


def test_numbers_by_steps():
    frame = pd.DataFrame({"age": [21, 23, 24, 31, 38, 62, 63]})
    release = apply("mondrian", frame, Roles(("age",)), k=2, hierarchies="age = 5, 10, 50")
    assert Counter(release.frame["age"]) == {"[20, 25)": 3, "[30, 40)": 2, "[60, 65)": 2}
    # Loss as of intervals: the values in the table below the node, over the range 42.
    assert ncp(release) == pytest.approx((3 * 3 + 2 * 7 + 2 * 1) / 42 / 7)


def test_an_order_is_not_the_alphabet():
    frame = pd.DataFrame({"stage": ["low", "low", "mid", "high", "top", "top"]})
    release = apply("mondrian", frame, Roles(("stage",)), k=2, hierarchies="stage = low < mid < high < top")
    assert Counter(release.frame["stage"]) == {"[low, mid]": 3, "[high, top]": 3}
    assert ncp(release) == pytest.approx(1 / 3)
    by_alphabet = apply("mondrian", frame, Roles(("stage",)), k=2)
    assert set(by_alphabet.frame["stage"]) == {"{high, low}", "{mid, top}"}


def test_missing_values_are_named():
    frame = pd.DataFrame({"country": ["Spain", None, "France", "Japan", "Japan"]})
    release = apply("mondrian", frame, Roles(("country",)), k=2, hierarchies=LINES)
    assert set(release.frame["country"]) == {"missing or Europe", "Japan"}


@pytest.mark.parametrize("choice", ["best", "widest", "random"])
@given(frame=frames(min_rows=4), k=st.integers(1, 5), compiled=st.booleans())
@examples(25)
def test_published_values_are_nodes_and_k_holds(choice, frame, k, compiled):
    if len(frame) < k:
        return
    towns = sorted({str(town) for town in frame["town"].dropna()})
    rows = [(town, f"region {number % 3}", f"half {number % 3 // 2}") for number, town in enumerate(towns)]
    lines = [f"town = {';'.join(row)}" for row in rows] + ["seen = date"]
    numbers = frame["age"].dropna()
    lines += ["age = 0.5, 10, 100"] if len(numbers) and pd.api.types.is_numeric_dtype(frame["age"]) else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searched_cuts, "MIN_COMPILED_STEPS", 0 if compiled else 10**9)
        if Table.from_frame(frame)["seen"].kind != "date":
            lines.remove("seen = date")
        names = ("age", "town", "seen")
        release = apply("mondrian", frame, Roles(names), k=k, choice=choice, hierarchies="\n".join(lines))
    assert literal_k(release.frame, list(names)) >= k
    nodes = {*towns, *(row[1] for row in rows), *(row[2] for row in rows), "*", "missing"}
    nodes |= {f"missing or {node}" for node in nodes}
    assert {*release.frame["town"]} <= nodes
    # What is published stands above the value that it stands for, and the attacker's table agrees.
    for row, published in zip(release.rows, release.frame["town"], strict=True):
        value = frame["town"].iloc[row]
        if pd.isna(value):
            assert published.startswith("missing")
            continue
        above = {*rows[towns.index(value)], "*"}
        assert published.removeprefix("missing or ") in above
    for name in names:
        code = release.original[name].codes[release.rows]
        assert release.generalised[name].holds(code, release.group).all()
    assert 0 <= ncp(release) <= 1


@given(frame=frames(min_rows=6), compiled=st.booleans())
@examples(25)
def test_the_search_counts_the_loss_that_is_measured(frame, compiled):
    """The score of the first cut is the loss of its two groups as they are published."""
    towns = sorted({str(town) for town in frame["town"].dropna()})
    text = "\n".join(f"town = {town};r{number % 2}" for number, town in enumerate(towns))
    flags = "flag = False < True" if Table.from_frame(frame)["flag"].kind == "category" else ""
    table, names = Table.from_frame(frame), ("town", "flag", "seen")
    if len(table["flag"].values) < 2:
        flags = ""
    roles = Roles(names)
    release = apply("mondrian", frame, roles, k=max(1, len(frame) // 2), hierarchies=f"{text}\n{flags}")
    columns = with_hierarchies(table, names, f"{text}\n{flags}")
    if len(np.unique(release.group)) != 2:
        return
    search = searched_cuts.CutSearch(columns, searched_cuts.Limits(max(1, len(frame) // 2)))
    search._compiled = compiled
    lost = search.score
    search._kernel(searched_cuts.cut_kernels.losses_of_cuts)(
        lost,
        search.codes,
        search.sorted_rows,
        search.start,
        search.end,
        search.limits.k,
        0.25,
        *search._losses,
    )
    assert lost.min() / len(frame) / len(names) == pytest.approx(ncp(release), abs=1e-12)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("town = a;x", "leaves out 1 of its 2 values"),
        ("town = a;x\ntown = b;y;z", "Line 2 of the hierarchy of 'town' has 3 parts, and the first line 2"),
        ("town = a;x\ntown = a;y\ntown = b;y", "Line 2 of the hierarchy of 'town' repeats a value"),
        ("town = a;x;p\ntown = b;x;q", "Line 2 .* puts a node of level 1 below another node"),
        ("town = date", "needs a column of dates"),
        ("town = 5, 10", "must be 'date', values in order"),
        ("age = 5, 12", "each a multiple of the one before"),
        ("age = 10, 5", "each a multiple of the one before"),
        ("age = 0", "each a multiple of the one before"),
        ("age = nan", "each a multiple of the one before"),
        ("town = a < b < a", "names a value twice"),
        ("town = a < c", "leaves out 1 of its 2 values"),
        ("age = 1 < 2 < 3", "has an order of its own"),
        ("town = date\ntown = date", "needs one line, or lines of values"),
        ("nowhere = date", "'nowhere', which is not among the columns to cut: age, town"),
        ("age = 1;odd\nage = 2;even\nage = 3;odd", "under one node that are not next to each other"),
        ("town", "must be lines such as 'country = France;Europe'"),
    ],
)
def test_hierarchies_that_cannot_be_used(lines, message):
    frame = pd.DataFrame({"age": [1, 2, 3], "town": ["a", "b", "a"]})
    with pytest.raises(UsageError, match=message):
        apply("mondrian", frame, Roles(("age", "town")), k=1, hierarchies=lines)


def test_the_command_reads_arx_files(run, tmp_path):
    file, table = tmp_path / "country.csv", tmp_path / "t.csv"
    file.write_text(
        '\ufeff"Austria";Europe;*\nFrance;Europe;*\nJapan;Asia;*\nSpain;Europe;*\nVietnam;Asia;*\n'
    )
    table.write_text("country,age\nSpain,20\nJapan,21\nFrance,24\nVietnam,33\n")
    options = ("--qi", "country,age", "--hierarchy", f"country={file}", "--hierarchy", "age=5,10")
    out = tmp_path / "o.csv"
    report = run("table", "mondrian", table, *options, "--k", 2, "-o", out, "--json").json
    assert report["k"] == 2
    published = list(csv.DictReader(io.StringIO(out.read_text())))
    nodes = {cell for line in ARX.splitlines() for cell in line.split(";")}
    assert {row["country"] for row in published} <= nodes
    assert [row["country"] for row in published].count("Europe") == 2
    wrong = run("table", "mondrian", table, "--qi", "age", "--hierarchy", "age", "-o", out, "--force")
    assert wrong.code == 2
    assert "COLUMN=FILE" in wrong.err
