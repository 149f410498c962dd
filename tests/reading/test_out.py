"""What comes out: in the style of the user, or in the one asked for; zips of many CSV come in."""

from __future__ import annotations

import csv
import io

import pytest

from insanonym_core.errors import DataError
from insanonym_core.io.sources import source_of_bytes
from insanonym_core.kinds import kind_named
from insanonym_core.traces.files import read_with_style
from tests.reading.files import zipped
from tests.reading.office import FRENCH, WALKS, text

ENROLMENTS = [
    [f"é{person}", str(2018 + year), f"Licence {'ÀB'[(person + year) % 2]}", "1,5"]
    for person in range(60)
    for year in range(1 + person % 3)
]
STUDY = ("--id", "étudiant", "--order", "année", "--item", "diplôme")


def enrolments(folder, mark=";", encoding="cp1252"):
    path = folder / "inscriptions.csv"
    header = ("étudiant", "année", "diplôme", "note")
    path.write_bytes(text(ENROLMENTS, mark, header).encode(encoding))
    return path


def test_study_traces_are_written_as_the_enrolments_are(run, tmp_path):
    path = enrolments(tmp_path)
    done = run("traces", "build", path, *STUDY, "-o", tmp_path / "traces.csv", "--mask", 5, "--json")
    assert done.code == 0, done.err
    raw = (tmp_path / "traces.csv").read_bytes()
    rows = list(csv.reader(io.StringIO(raw.decode("cp1252")), delimiter=";"))
    assert rows[0] == ["count", "step_1", "step_2", "step_3"]
    assert sum(int(row[0]) for row in rows[1:]) == 60
    assert read_with_style(tmp_path / "traces.csv", 5)[1].encoding == "cp1252"
    again = tmp_path / "again"
    assert run("traces", "protect", tmp_path / "traces.csv", "-o", again, "--threshold", 5).code == 0
    assert (again / "traces.csv").read_bytes().startswith(b"count;step_1")


def test_a_recipe_writes_study_traces_in_the_same_style_and_as_a_workbook(run, tmp_path):
    path = enrolments(tmp_path)
    (tmp_path / "recipe.yaml").write_text(
        "kind: traces\nroles: {identifier: étudiant}\nsteps:\n"
        "- count_traces: {item: [diplôme], order: [année], mask: 5}\n",
        "utf-8",
    )
    for name in ("t.csv", "t.xlsx", "t.tsv"):
        done = run("anonymise", path, "--recipe", tmp_path / "recipe.yaml", "--publish", tmp_path / name)
        assert done.code == 0, done.err
    assert (tmp_path / "t.csv").read_bytes().startswith(b"count;step_1")
    assert (tmp_path / "t.tsv").read_bytes().startswith(b"count\tstep_1")
    assert (tmp_path / "t.xlsx").read_bytes().startswith(b"PK")


def test_a_style_can_be_asked_for(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        text([[f"n{n}", f"{n % 9 + 0.5}", f"v{n % 2}"] for n in range(40)], ",", ("nom", "taille", "v"))
    )
    roles = ("--id", "nom", "--qi", "taille", "--k", 4)
    mapping = tmp_path / "mapping.csv"
    done = run(
        "table",
        "mondrian",
        path,
        "-o",
        tmp_path / "f.csv",
        *roles,
        "--output-style",
        "french",
        "--mapping",
        mapping,
    )
    assert done.code == 0, done.err
    french = (tmp_path / "f.csv").read_bytes()
    assert french.startswith(b"\xef\xbb\xbftaille;v")
    assert b"0,5" in french
    assert mapping.read_bytes().startswith(b"\xef\xbb\xbfcolumn;value;published;rows")
    (tmp_path / "fr.csv").write_bytes(FRENCH.encode("cp1252"))
    done = run("table", "suppress-rare", tmp_path / "fr.csv", "-o", tmp_path / "p.csv", "--columns", "ville",
               "--k", 2, "--output-style", "plain")  # fmt: skip
    assert done.code == 0, done.err
    plain = (tmp_path / "p.csv").read_text("utf-8")
    assert plain.startswith("ville,naissance,taille")
    assert "31/12/1980,1.75," in plain, "the form of dates stays"
    refused = run("table", "mondrian", path, "-o", tmp_path / "g.csv", *roles, "--output-style", "german")
    assert (refused.code, (tmp_path / "g.csv").exists()) == (2, False)
    assert "original, french, plain" in refused.err


def walks(who: str, header=("id", "date", "lat", "lon"), ids=None) -> str:
    lines = [
        (ids or str(number), when, repr(round(latitude, 4)), repr(round(longitude, 4)))
        for number, (one, when, latitude, longitude) in enumerate(WALKS, 1)
        if one == who
    ]
    return text([list(line) for line in lines], ";", header)


def read(members):
    return kind_named("mobility").read_data(source_of_bytes("people.zip", zipped(members)), {})


def test_a_zip_of_csv_is_many_people_by_the_names_of_the_files():
    track = read({f"{who}.csv": walks(who) for who in ("ann", "bob", "cléo")})
    assert [track.tokens[code] for code in track.token] == [who for who, *_ in WALKS]
    assert len(track) == len(WALKS)
    nested = read({f"{who}/{day}.csv": walks(who) for who in ("ann", "bob") for day in (1, 2)})
    assert nested.tokens == ("ann", "bob")


def test_an_id_that_tells_people_apart_stays():
    track = read(
        {f"day{day}.csv": walks("ann", ids="x7") + walks("bob", ids="y8").split("\n", 1)[1] for day in (1, 2)}
    )
    assert track.tokens == ("x7", "y8")


def test_files_of_a_zip_are_not_counted_as_people_where_ids_tell_them_apart():
    days = {f"day{day}.csv": walks("ann", ids="x7") for day in (1, 2, 3)}
    found = kind_named("mobility").code("look")(source_of_bytes("days.zip", zipped(days)), {}, {})
    assert found.people == 1
    assert (
        "3 files of the zip are put one below the other, with their names in the column file." in found.notes
    )
    assert not any("people" in note for note in found.notes)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (walks("bob", ("id", "when", "lat", "lon")), "2/2: the columns must be those of the first file"),
        (walks("bob").split("\n", 1)[1], "2/2: line 1 looks like values"),
        ("", "is empty"),
    ],
)
def test_other_zips_of_csv_are_refused_without_a_name(second, message):
    with pytest.raises(DataError, match=message) as caught:
        read({"ann.csv": walks("ann"), "bob.csv": second})
    assert "bob" not in str(caught.value)
    with pytest.raises(DataError, match="exactly one file"):
        kind_named("table").read_data(
            source_of_bytes("two.zip", zipped({"ann.csv": walks("ann"), "bob.csv": walks("bob")})), {}
        )


def test_decimal_commas_do_not_pass_for_separators():
    lines = [f"p{n % 4};2024-01-{n % 9 + 1:02d} 08:15:00;45,7{n:02d};4,8{n:02d};1,5" for n in range(40)]
    content = "\n".join(["who;when;y;x;more", *lines]) + "\n"
    track = kind_named("mobility").read_data(source_of_bytes("t.csv", content.encode()), {})
    assert len(track) == 40
    assert track.latitude.max() == pytest.approx(45.739)
