"""Reading tables: typed columns, missing values, and a proposal for the roles."""

import pandas as pd
import pytest

from insanonym_core.errors import DataError
from insanonym_core.reading.options import ReadingOptions
from insanonym_core.tabular.files import read_frame, read_table, write_frame
from insanonym_core.tabular.roles import guess_roles
from insanonym_core.tabular.table import Table


def table(tmp_path, text: str, **options: str) -> Table:
    (tmp_path / "t.csv").write_text(text, "utf-8")
    return read_table(tmp_path / "t.csv", ReadingOptions(**options))


def test_types_and_missing_values(tmp_path):
    found = table(tmp_path, "n,x,d,c,b\n1,1.5,2020-02-29,a,true\n,,,,\n3,NA,2020-03-01,NA,false\n")
    kinds = {name: column.kind for name, column in found.columns.items()}
    assert kinds == {"n": "number", "x": "number", "d": "date", "c": "category", "b": "category"}
    assert [column.has_missing for column in found.columns.values()] == [True] * 5
    assert found["n"].texts() == ["1", "3"]  # whole numbers stay whole beside a missing one
    assert found["c"].texts() == ["NA", "a"]  # a text that looks like nothing is still a text
    assert found["d"].texts() == ["2020-02-29", "2020-03-01"]


def test_separators_and_decimals(tmp_path):
    french = table(tmp_path, "taille;ville\n1,75;Évry\n1,80;Évry\n", decimal=",")
    assert french["taille"].kind == "number"
    assert french["taille"].numbers().tolist() == [1.75, 1.8]
    assert list(table(tmp_path, "a\tb\n1\t2\n").columns) == ["a", "b"]
    assert table(tmp_path, "a|b\n1|2\n", separator="|")["b"].texts() == ["2"]


def test_a_decimal_comma_is_seen(tmp_path):
    found = table(tmp_path, "prix;n;ville;code\n1234,56;1;Évry;1,2,3\n-7;2;Brest;4,5\nNA;3;;6\n")
    assert found["prix"].numbers().tolist() == [-7, 1234.56]
    assert [column.kind for column in found.columns.values()] == ["number", "number", "category", "category"]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a;b\n1,5;2\n", {"decimal": "."}),  # who says so is believed
        ("a;b\n1,5;2\nx;3\n", {}),
        ('a,b\n"1,5",2\n', {}),
    ],
)
def test_other_commas_are_texts(tmp_path, text, options):
    assert table(tmp_path, text, **options)["a"].kind == "category"


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz", "a.csv.zip", "a.parquet"])
def test_written_tables_read_back(tmp_path, name):
    frame = pd.DataFrame(
        {
            "n": pd.array([1, None, 3], "Int64"),
            "c": ['x,"y"', None, "é"],
            "d": pd.to_datetime(["2020-01-01"] * 3),
        }
    )
    write_frame(frame, tmp_path / name)
    again = read_frame(tmp_path / name)
    assert again["n"].tolist()[0] == 1
    assert again["n"].isna().tolist() == [False, True, False]
    assert again["c"].tolist()[0] == 'x,"y"'
    assert again["c"].isna().tolist() == [False, True, False]
    assert Table.from_frame(again)["d"].kind == "date"


def test_all_broken_lines_are_named(tmp_path):
    with pytest.raises(DataError, match="lines 3, 5: a line must have the 2 fields"):
        table(tmp_path, "a,b\n1,2\n1\n1,2\n1,2,3\n")


def test_latin_1_is_read_and_a_damaged_utf_8_is_named_with_its_line(tmp_path):
    (tmp_path / "t.csv").write_bytes("a,b\n1,x\n2,é\n".encode("latin-1"))
    assert read_table(tmp_path / "t.csv")["b"].texts() == ["x", "é"]
    (tmp_path / "t.csv").write_bytes("a,b\né,è\n2,".encode() + b"\xe9\n")
    with pytest.raises(DataError, match="line 3: the text is neither UTF-8"):
        read_table(tmp_path / "t.csv")


def test_roles_are_guessed_from_names_and_values(tmp_path):
    found = table(
        tmp_path,
        "patient_id,age,town,diagnosis,note_text\n"
        + "".join(f"p{i},{i % 7},t{i % 3},d{i % 2},free {i}\n" for i in range(60)),
    )
    roles = guess_roles(found)
    assert roles.identifier == "patient_id"
    assert roles.quasi == ("age", "town")
    assert set(roles.sensitive) >= {"diagnosis"}
    assert roles.checked(found) is roles


@pytest.mark.parametrize(
    "values",
    [
        ["01000", "1000"],
        ["12345678901234567890", "12345678901234567891"],
        ["1", "true"],
        ["+", "1"],
        ["2020-13-01", "2020-01-01"],
    ],
)
def test_different_texts_never_become_one_value(tmp_path, values):
    found = table(tmp_path, "a,b\n" + "".join(f"{value},x\n" for value in values))
    assert found["a"].domain == 2
    assert sorted(found["a"].texts()) == sorted(values)


def test_the_other_mark_groups_digits(tmp_path):
    assert table(tmp_path, "a;b\n1,234;2.5\n12,345;3.5\n")["a"].numbers().tolist() == [1234, 12345]
    assert table(tmp_path, "a;b\n1.234;2,5\n12.345;3,5\n")["a"].numbers().tolist() == [1234, 12345]
    assert table(tmp_path, "a;b\n1,5;2.5\n2,5;3.5\n")["a"].kind == "category"  # nobody can tell


def test_an_open_quotation_mark_is_refused_with_its_line(tmp_path):
    with pytest.raises(DataError, match="line 3: a quotation mark is opened"):
        table(tmp_path, 'a,b\n1,x\n1,"x\n2,y\n3,z\n')
    assert table(tmp_path, 'a,b\n1,"x\ny"\n2,z\n').rows == 2


def test_quoted_line_breaks_in_the_header_and_blank_lines_of_a_single_column(tmp_path):
    assert list(table(tmp_path, '"a\nx",b\n1,2\n').columns) == ["a\nx", "b"]
    assert table(tmp_path, "a\n1\n\n2\n").rows == 3


def test_the_index_of_a_frame_is_not_read(tmp_path):
    pd.DataFrame({"a": [1, 2]}, index=[17, 3]).to_parquet(tmp_path / "t.parquet")
    assert list(read_table(tmp_path / "t.parquet").columns) == ["a"]


def test_a_lone_carriage_return_reads_back(tmp_path):
    write_frame(pd.DataFrame({"a": ["x\ry", "z"], "b": [1, 2]}), tmp_path / "t.csv")
    assert read_frame(tmp_path / "t.csv")["a"].tolist() == ["x\ry", "z"]


def test_large_whole_numbers_keep_their_order():
    values = [2**63 - 1, -(2**63) + 1, 5, -5]
    assert Table.from_frame(pd.DataFrame({"a": values}))["a"].values.tolist() == sorted(values)
    huge = pd.DataFrame({"a": pd.array([2**64 - 1, 2**64 - 2], "UInt64")})
    assert Table.from_frame(huge)["a"].texts() == [str(2**64 - 2), str(2**64 - 1)]


def test_an_empty_text_is_missing():
    assert Table.from_frame(pd.DataFrame({"a": ["", "x"]}))["a"].has_missing
