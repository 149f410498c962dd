"""Numbers and dates in every usual form, against what wrote them."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import DataError, UsageError
from insanonym_core.io.sources import source_of_bytes
from insanonym_core.reading.columns import read_types
from insanonym_core.reading.dates import dates_of
from insanonym_core.reading.delimited import separator_of
from insanonym_core.reading.encodings import as_utf8
from insanonym_core.reading.files import read_file
from insanonym_core.reading.options import ReadingOptions

TIMES = st.lists(
    st.datetimes(dt.datetime(1931, 1, 1), dt.datetime(2029, 12, 31, 23, 59, 59)), min_size=1, max_size=30
)
FORMS = [
    "%d/%m/%Y",
    "%d-%m-%Y",
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d/%m/%y",
    "%d %b %Y",
]
CLOCKS = ["", " %H:%M", " %H:%M:%S", "T%H:%M:%S", " %Hh%M", " %I:%M %p", " %H:%M:%S.%f"]


@given(times=TIMES, form=st.sampled_from(FORMS), clock=st.sampled_from(CLOCKS))
def test_dates_are_what_was_written(times, form, clock):
    times = [*times, dt.datetime(1988, 11, 27, 15, 45, 13, 250_000)]  # a day above 12
    form += clock
    found = dates_of(pa.array([time.strftime(form) for time in times]))
    assert found is not None
    assert found.complete
    assert not found.form.ambiguous
    written = [dt.datetime.strptime(time.strftime(form), form) for time in times]
    assert found.values.to_pylist() == [
        one.replace(year=time.year) for one, time in zip(written, times, strict=True)
    ]
    if "%y" not in form and "%b" not in form and "%f" not in form and "%p" not in form and "h" not in form:
        assert times[-1].strftime(found.form.strftime()) == times[-1].strftime(form)


@given(
    days=st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=20),
    order=st.sampled_from(["dmy", "mdy"]),
)
def test_dates_whose_order_nobody_can_tell_are_ambiguous_until_it_is_said(days, order):
    texts = pa.array([f"{first:02d}/{second:02d}/2024" for first, second in days])
    assert dates_of(texts).form.ambiguous
    said = dates_of(texts, order)
    parts = [(day, month) if order == "dmy" else (month, day) for day, month in days]
    assert [(value.day, value.month) for value in said.values.to_pylist()] == parts


@pytest.mark.parametrize(
    "texts",
    [
        ["31/12/2024", "12/31/2024"],  # one of them is none
        ["2024-02-30", "2024-01-01"],
        ["31/04/2024"],
        ["2024-01-01 10:00:00Z", "2024-01-01 10:00:00"],  # what is the hour of the second?
        ["24:00", "10:00"],
        ["1/2", "3/4"],
    ],
)
def test_what_is_no_column_of_dates(texts):
    found = dates_of(pa.array(texts))
    assert found is None or not found.complete


@pytest.mark.parametrize(
    ("texts", "hours"),
    [
        (["2024-01-01T10:00:00Z", "2024-07-01T10:00:00+02:00"], [10, 8]),
        (["31/12/2024 23:30:00+0100", "01/01/2025 00:30:00-0500"], [22, 5]),
    ],
)
def test_offsets_are_read_and_zones_convert_them(texts, hours):
    columns = {"t": pa.chunked_array([texts])}
    (column,), _ = read_types(columns, ReadingOptions())
    assert [value.hour for value in column.values.to_pylist()] == hours
    assert "UTC" in str(column.why)
    (paris,), _ = read_types(columns, ReadingOptions(zone="Europe/Paris"))
    summer = [value.month in (7,) for value in column.values.to_pylist()]
    assert [value.hour for value in paris.values.to_pylist()] == [
        (hour + 1 + late) % 24 for hour, late in zip(hours, summer, strict=True)
    ]


@given(
    numbers=st.lists(st.integers(-(10**9), 10**9).map(lambda cents: cents / 100), min_size=2, max_size=20),
    mark=st.sampled_from([",", "."]),
    group=st.sampled_from(["", " ", "\u00a0", "\u202f", "other"]),
)
def test_numbers_are_what_was_written(numbers, mark, group):
    numbers = [*numbers, 0.25, -1234567.75]
    other = "." if mark == "," else ","

    def written(number: float) -> str:
        text = f"{number:,.2f}".replace(",", "#").replace(".", mark)
        return text.replace("#", other if group == "other" else group)

    text = "a;b\n" + "".join(f"{written(number)};x\n" for number in numbers)
    found = read_file(source_of_bytes("a.csv", text.encode()))
    assert found.decimal == mark
    assert found.columns[0].values.to_pylist() == numbers


def test_codes_stay_texts_or_are_proposed_as_texts():
    text = "zip;siren;number;wage\n" + "".join(
        f"0{n:04d};552 100 {500 + n};{10_000_019 + 97 * n};{900 + n * n}\n" for n in range(30)
    )
    found = read_file(source_of_bytes("a.csv", text.encode())).columns
    assert [column.kind for column in found] == ["text", "text", "number", "number"]
    assert [column.proposal for column in found] == ["", "", "text", ""]
    said = read_file(source_of_bytes("a.csv", text.encode()), ReadingOptions(types={"number": "text"}))
    assert said.columns[2].values.to_pylist()[0] == "10000019"


def test_a_type_that_does_not_fit_names_the_line_and_the_outline_of_the_value():
    source = source_of_bytes("a.csv", b"a;b\n1;x\n2;x\nSecret;x\n")
    with pytest.raises(DataError, match=r"line 4: the column 'a' was said to be number.*'aaaaaa'") as caught:
        read_file(source, ReadingOptions(types={"a": "number"}))
    assert "Secret" not in str(caught.value)
    with pytest.raises(UsageError, match="must name columns of the file"):
        read_file(source, ReadingOptions(types={"c": "number"}))


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "utf-32"]
)
def test_encodings_are_found(encoding):
    text = "nom;né;prix\nÈve Noël;31/12/2024;3 €\n" + "Zoé;01/01/2024;4 €\n" * 50
    source, found = as_utf8(source_of_bytes("a.csv", text.encode(encoding)))
    assert source.open().read().decode("utf-8-sig") == text
    assert text.encode(found).removeprefix(b"\xff\xfe").removeprefix(b"\xef\xbb\xbf")


@pytest.mark.parametrize("encoding", ["cp1250", "cp1251", "iso8859-7"])
def test_other_alphabets_are_guessed_and_can_be_said(encoding):
    text = {
        "cp1250": "imię;miasto\nŁukasz Wójcik;Łódź\nStanisław Żurek;Kraków\nZbigniew Śliwiński;Gdańsk\n",
        "cp1251": "имя;город\nИван Петров;Москва\nАнна Кузнецова;Казань\nСергей Смирнов;Пермь\n",
        "iso8859-7": "όνομα;πόλη\nΓιώργος Παπαδόπουλος;Αθήνα\nΜαρία Νικολάου;Πάτρα\nΕλένη Ιωάννου;Βόλος\n",
    }[encoding]
    source = source_of_bytes("a.csv", (text * 4).encode(encoding))
    said, _ = as_utf8(source, encoding)
    assert said.open().read().decode() == text * 4
    _, found = as_utf8(source)
    assert found not in ("utf-8", "cp1252")


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("a,b\n1,2\n", ","),
        ("nom, prénom;âge;ville\nDupont, Ève;3;Lyon\nNoël, Al;4;Lyon\n", ";"),
        ("a\tb;c\n1\t2\n3\t4\n", "\t"),
        ("prix;poids\n1,5;2,5\n3,5;4,5\n", ";"),
        ("a|b|c\n1|2|3\n", "|"),
        ('"a,b";c\n"1,2";3\n', ";"),
    ],
)
def test_separators_are_found(text, mark):
    assert separator_of(text.encode()) == mark
