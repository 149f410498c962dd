"""DataFrames as people have them: understood by their types, or refused in one sentence; never changed."""

from __future__ import annotations

import datetime
import decimal
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import insanonym_core as insanonym
from insanonym_core.demo.city import make_city
from insanonym_core.errors import DataError, InsanonymError, UsageError
from insanonym_core.experiment import make_release, run
from insanonym_core.mobility.frames import data_from_frame
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tabular.files import read_frame
from insanonym_core.tabular.frames import table_from_frame
from insanonym_core.tabular.table import Table

CITY = make_city(6, 1).track.to_frame()
ROWS = pd.DataFrame({"a": [1, 2, 2, 3], "b": ["x", "y", "x", "y"]})
TWO_DATES = pd.Series([pd.Timestamp("2020-01-01"), pd.NaT, pd.Timestamp("2020-01-02 10:00")])
DAY, NEXT = datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)


def arrow(values: list[object], kind: pa.DataType) -> pd.Series:
    return pd.Series(values, dtype=pd.ArrowDtype(kind))


# Column → kind, its values as texts, the code of each row (-1 is missing).
COLUMNS: dict[str, tuple[pd.Series, str, list[str], list[int]]] = {
    "int64": (pd.Series([1, 2, 2]), "number", ["1", "2"], [0, 1, 1]),
    "Int64": (pd.Series([1, None, 2], dtype="Int64"), "number", ["1", "2"], [0, -1, 1]),
    "float64": (pd.Series([1.5, None, 2]), "number", ["1.5", "2"], [0, -1, 1]),
    "whole floats": (pd.Series([1.0, None, 2.0]), "number", ["1", "2"], [0, -1, 1]),
    "Float64": (pd.Series([1.5, None, 2], dtype="Float64"), "number", ["1.5", "2"], [0, -1, 1]),
    "bool": (pd.Series([True, False, True]), "category", ["False", "True"], [1, 0, 1]),
    "boolean": (pd.Series([True, None, False], dtype="boolean"), "category", ["False", "True"], [1, -1, 0]),
    "string": (pd.Series(["a", None, "b"], dtype="string"), "category", ["a", "b"], [0, -1, 1]),
    "objects": (pd.Series(["a", None, "b"], dtype=object), "category", ["a", "b"], [0, -1, 1]),
    "empty text": (pd.Series(["a", "", "b"]), "category", ["a", "b"], [0, -1, 1]),
    "codes": (pd.Series(["01", "7", "7"]), "category", ["01", "7"], [0, 1, 1]),
    "numbers as texts": (pd.Series(["10", "9", "9"]), "category", ["10", "9"], [0, 1, 1]),
    "category": (pd.Series(["b", None, "a"], dtype="category"), "category", ["a", "b"], [1, -1, 0]),
    "category of numbers": (pd.Series([30, 4, 30]).astype("category"), "number", ["4", "30"], [1, 0, 1]),
    "unused category": (pd.Series(pd.Categorical(["a"] * 3, ["a", "z"])), "category", ["a"], [0, 0, 0]),
    "intervals": (pd.cut(pd.Series([1, 2, 9]), [0, 5, 10]), "category", ["(0, 5]", "(5, 10]"], [0, 0, 1]),
    "dates": (TWO_DATES, "date", ["2020-01-01 00:00:00", "2020-01-02 10:00:00"], [0, -1, 1]),
    "dates with a zone": (
        TWO_DATES.dt.tz_localize("Europe/Paris"),
        "date",
        ["2020-01-01 00:00:00", "2020-01-02 10:00:00"],
        [0, -1, 1],
    ),
    "days": (pd.Series([DAY, None, NEXT], dtype=object), "date", ["2020-01-01", "2021-01-01"], [0, -1, 1]),
    "ISO texts": (
        pd.Series(["2020-01-01", None, "2021-01-01"]),
        "date",
        ["2020-01-01", "2021-01-01"],
        [0, -1, 1],
    ),
    "some ISO": (pd.Series(["2020-01-01", "no", "no"]), "category", ["2020-01-01", "no"], [0, 1, 1]),
    "day first": (
        pd.Series(["31/12/2024", "01/12/2024", None]),
        "category",
        ["01/12/2024", "31/12/2024"],
        [1, 0, -1],
    ),
    "periods": (
        pd.Series(pd.period_range("2020", periods=2, freq="M")),
        "category",
        ["2020-01", "2020-02"],
        [0, 1],
    ),
    "integer objects": (pd.Series([7, None, 8], dtype=object), "number", ["7", "8"], [0, -1, 1]),
    "boolean objects": (
        pd.Series([True, None, False], dtype=object),
        "category",
        ["False", "True"],
        [1, -1, 0],
    ),
    "decimals": (pd.Series([decimal.Decimal("1.5"), None], dtype=object), "number", ["1.5"], [0, -1]),
    "mixed": (pd.Series([1, "a", None], dtype=object), "category", ["1", "a"], [0, 1, -1]),
    "nothing": (pd.Series([None, None], dtype=object), "category", [], [-1, -1]),
    "sparse": (pd.Series(pd.arrays.SparseArray([0, 0, 1])), "number", ["0", "1"], [0, 0, 1]),
    "arrow integers": (arrow([1, None, 2], pa.int64()), "number", ["1", "2"], [0, -1, 1]),
    "arrow decimals": (arrow([decimal.Decimal("1.50")], pa.decimal128(5, 2)), "number", ["1.5"], [0]),
    "arrow texts": (arrow(["a", None, "b"], pa.string()), "category", ["a", "b"], [0, -1, 1]),
    "arrow dates": (arrow([DAY, None], pa.date32()), "date", ["2020-01-01"], [0, -1]),
    "arrow truth": (arrow([True, None, False], pa.bool_()), "category", ["False", "True"], [1, -1, 0]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_what_its_type_says(name):
    series, kind, texts, codes = COLUMNS[name]
    frame = pd.DataFrame({"x": series})
    before = frame.copy(deep=True)
    column = table_from_frame(frame, {})["x"]
    assert (column.kind, column.texts(), column.codes.tolist()) == (kind, texts, codes)
    pd.testing.assert_frame_equal(frame, before)


AS_PARQUET = [
    name for name in COLUMNS if name not in ("mixed", "intervals", "periods", "sparse", "ISO texts")
]


@pytest.mark.parametrize("name", AS_PARQUET)
def test_a_frame_is_as_its_parquet_file(name, tmp_path):
    frame = pd.DataFrame({"x": COLUMNS[name][0]})
    frame.to_parquet(tmp_path / "frame.parquet")
    from_file = Table.from_frame(read_frame(tmp_path / "frame.parquet"))
    assert table_from_frame(frame, {}).digest() == from_file.digest()


def sentence(call) -> str:
    """The one sentence of an error, which has a French form and holds nothing of a cell."""
    with pytest.raises(InsanonymError) as raised:
        call()
    said = str(raised.value)
    assert "\n" not in said
    assert said.endswith(".")
    assert raised.value.say("fr") != said
    return said


WRONG: dict[str, tuple[object, str]] = {
    "no frame": ([1, 2], "The data must be a DataFrame or the name of a file, got list"),
    "a series": (ROWS["a"], "got Series"),
    "no rows": (ROWS.head(0), "The frame has no rows"),
    "no columns": (pd.DataFrame(index=range(3)), "frame.reset_index"),
    "twins": (ROWS.set_axis(["a", "a"], axis=1), "two columns called 'a'"),
    "levels": (ROWS.set_axis(pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]), axis=1), "have 2 levels"),
    "numbers for names": (ROWS.set_axis([0, 1], axis=1), r"must be texts, got 0 \(int\)"),
    "a missing name": (ROWS.set_axis(["a", None], axis=1), r"must be texts, got (None|nan)"),
    "a blank name": (ROWS.set_axis(["a", " "], axis=1), "Column 2 of the frame has no name"),
    "complex": (ROWS.assign(a=[1j, 2, 3, 4]), "'a' holds complex numbers"),
    "bytes": (ROWS.assign(b=[b"x"] * 4), "'b' holds bytes"),
    "lists": (ROWS.assign(b=[[1]] * 4), "'b' holds lists"),
    "infinite": (ROWS.assign(a=[np.inf, 1, 2, 3]), "'a' holds an infinite number"),
    "far dates": (ROWS.assign(a=np.array(["20000-01-01"] * 4, "M8[s]")), "beyond the years 1 to 9999"),
    "arrow twins": (
        pa.table([[1], [2]], ["a", "a"]),
        "have the same name|called 'a'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_frame_is_refused_in_one_sentence(name):
    frame, why = WRONG[name]
    assert re.search(why, sentence(lambda: insanonym.risk(frame, "a")))


def city(**columns: object) -> pd.DataFrame:
    return CITY.assign(**columns)


def spoilt(column: str, value: object) -> pd.DataFrame:
    frame = CITY.astype({column: object})
    frame.loc[frame.index[[2, 5]], column] = value
    return frame


WRONG_CITIES: dict[str, tuple[pd.DataFrame, str]] = {
    "no date": (CITY.drop(columns="date"), "no columns date: rename yours to id, date, latitude, longitude"),
    "two ids": (CITY.assign(user=1), "several columns that could be id"),
    "a zone": (city(date=CITY["date"].dt.tz_localize("UTC")), r"tz_convert\('Europe/Paris'\)"),
    "decimal ids": (city(id=1.5), "The ids of the frame are decimal numbers"),
    "no number": (spoilt("latitude", "45,7"), r"the frame, rows 2, 5 \(from 0\): .*'99,9'"),
    "no date at all": (
        spoilt("date", "yesterday"),
        r"rows 2, 5 \(from 0\): a date must be written .*'aaaaaaaaa'",
    ),
    "off the globe": (spoilt("latitude", 200.0), r"rows 2, 5 \(from 0\): latitude must be"),
    "swapped": (city(latitude=139.0, longitude=35.0), r"exchange their names"),
    "no id": (spoilt("id", None), r"rows 2, 5 \(from 0\): every row needs an id"),
    "deleted": (spoilt("id", "DEL"), r"rows 2, 5 \(from 0\): an original cannot hold the id DEL"),
}


@pytest.mark.parametrize("name", WRONG_CITIES)
def test_wrong_gps_traces_are_refused_in_one_sentence(name):
    frame, why = WRONG_CITIES[name]
    found = sentence(lambda: insanonym.anonymise(frame, "planar_laplace"))
    assert re.search(why, found), found
    assert not any(who in found for who in CITY["id"].unique())


def test_traces_in_other_words():
    """Columns in another order and under other names, with others beside, any index, categories, texts."""
    again = CITY.rename(columns={"id": "user_id", "date": "timestamp", "latitude": "LAT", "longitude": "lon"})
    again = again[["lon", "LAT", "timestamp", "user_id"]].assign(
        speed=3.0, user_id=again["user_id"].astype("category")
    )
    again = again.set_index(pd.Index(range(7, 7 + len(again))[::-1]))
    wanted = data_from_frame(CITY, {}).digest()
    assert data_from_frame(again, {}).digest() == wanted
    assert data_from_frame(again.assign(timestamp=again["timestamp"].astype(str)), {}).digest() == wanted
    floats = {name: again[name].astype("Float64") for name in ("LAT", "lon")}
    assert data_from_frame(again.assign(**floats), {}).digest() == wanted
    whole = CITY.assign(id=CITY["id"].astype("category").cat.codes)
    texts = whole.assign(id=whole["id"].astype(str))
    assert data_from_frame(whole.astype({"id": "Int64"}), {}).digest() == data_from_frame(texts, {}).digest()


def test_a_frame_handed_to_the_core():
    """One of the failures that began this: it ended in an AttributeError."""
    recipe = Recipe((Step("round_numbers"),), kind="table", roles={"quasi": ("a",)})
    assert run(recipe, data=ROWS).rows == len(ROWS)
    assert make_release(recipe, ROWS).kept == len(ROWS)
    assert make_release(Recipe((Step("pseudonymise"),), kind="mobility"), CITY).rows == len(CITY)
    with pytest.raises(UsageError, match="must be a DataFrame"):
        run(recipe, data=3)


def test_the_index_is_not_published():
    frame = ROWS.set_index(pd.Index(["Ann", "Bob", "Cy", "Di"], name="name"))
    found = insanonym.anonymise(frame, "round_numbers", identifier=(), quasi="a", sensitive=())
    assert found.release.columns.tolist() == ["a", "b"]
    assert found.release.index.tolist() == [0, 1, 2, 3]


def test_frames_of_other_libraries():
    found = insanonym.risk(pa.Table.from_pandas(ROWS), "a", "b")
    pd.testing.assert_frame_equal(found.scores, insanonym.risk(ROWS, "a", "b").scores)


def test_reading_of_a_recipe_applies_to_a_frame():
    recipe = Recipe(
        (Step("round_numbers"),), kind="table", roles={"quasi": ("a",)}, reading={"without": ("b",)}
    )
    assert insanonym.run(recipe, ROWS, only=()).release.columns.tolist() == ["a"]
    texts = Recipe(
        (Step("count_traces", {"item": ("b",), "order": ("a",)}),), kind="traces", reading={"texts": "all"}
    )
    assert "astype(str)" in sentence(lambda: insanonym.run(texts, ROWS))


@pytest.mark.parametrize(
    "call",
    [
        lambda frame: insanonym.anonymise(frame, "mondrian k=2", quasi=["a"], sensitive="b", identifier=()),
        lambda frame: insanonym.risk(frame, "a", "b"),
        lambda frame: insanonym.make_avatars(frame, 3, identifier=()).privacy,
    ],
)
def test_the_frame_is_never_changed(call):
    frame = pd.concat([ROWS] * 4, ignore_index=True).assign(c=pd.Series([1.5, None] * 8, dtype="Float64"))
    before, flags = frame.copy(deep=True), frame.flags.allows_duplicate_labels
    call(frame)
    pd.testing.assert_frame_equal(frame, before)
    assert frame.flags.allows_duplicate_labels == flags


CELLS = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats()),
    *(st.text(max_size=6), st.dates(), st.binary(max_size=3)),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12))
def test_any_objects_are_read_or_refused(rows):
    frame = pd.DataFrame(rows, columns=["a", "b"], dtype=object)
    try:
        table = table_from_frame(frame, {})
    except DataError:
        return
    assert len(table) == len(frame)
    assert [column.has_missing for column in table.columns.values()] == [
        bool((frame[name].isna() | (frame[name] == "")).any()) for name in frame
    ]
