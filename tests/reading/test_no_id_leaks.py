"""Files with long, unusual ids, sound and spoilt: no id stands in any output that was not asked for by "
"name."""

from __future__ import annotations

import io
import zipfile
from random import Random

import pandas as pd
import pytest

from insanonym_core.experiment import run as run_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_dashboard.downloads import LOOKUP, MAPPING, MENU, TO_PUBLISH, TO_SCORE, entries
from insanonym_dashboard.uploads import read_upload
from tests.fuzz.formats import file_spoilt
from tests.fuzz.mutations import TEXT
from tests.reading.files import gpx, grid, workbook, zipped
from tests.reading.office import WALKS

SIGNS = "éÀßøΩж日本🜂¿§~^°"
TIMES = 6  # spoilt files of each sort


def ids(count: int) -> list[str]:
    """Ids that cannot stand anywhere by chance; some look like formulas, paths, markup or numbers."""
    random = Random("ids")  # noqa: S311  the same every time
    odd = ("", "=", "@", "<b>", "../", "{}", "%s", "[red]", "-", "'")
    return [
        f"{odd[number % len(odd)]}QX{number}{''.join(random.choices(SIGNS, k=3))}"
        + "".join(random.choices("KWVZJ7", k=60))
        for number in range(count)
    ]


IDS = ids(60)
MARKS = [who[-30:] for who in IDS]
ROWS = [
    [who, 20 + n % 7, "LB"[n % 2], 1.5 + n / 100, f"{n % 27 + 1:02d}/0{n % 9 + 1}/1980", "fu"[n % 2]]
    for n, who in enumerate(IDS)
]
HEADER = ["dossier", "age", "ville", "taille", "né", "diagnostic"]


def table_text() -> bytes:
    return pd.DataFrame(ROWS, columns=HEADER).to_csv(index=False, sep=";", decimal=",").encode("utf-8")


def book() -> bytes:
    cells = [HEADER, *([str(who).replace("<", "&lt;"), float(age), *rest] for who, age, *rest in ROWS)]
    return workbook(grid(cells))


def traces_text() -> bytes:
    lines = [f"{IDS[n % 6]};{when};{lat:.4f};{lon:.4f}" for n, (_, when, lat, lon) in enumerate(WALKS)]
    return ("id;date;lat;lon\n" + "\n".join(lines) + "\n").encode()


def tracks() -> bytes:
    names = [who.replace("/", "_") for who in IDS[:3]]
    points = [(when.replace(" ", "T") + "Z", lat, lon) for _, when, lat, lon in WALKS]
    return zipped({f"{who}.gpx": gpx(points[n::3]) for n, who in enumerate(names)})


FILES = {
    "t.csv": ("table", table_text()),
    "t.xlsx": ("table", book()),
    "m.csv": ("mobility", traces_text()),
    "m.zip": ("mobility", tracks()),
}


def assert_nobody(text: str | bytes, where: str) -> None:
    raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    parts = [raw]
    if raw.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            parts = [archive.read(name) for name in archive.namelist()]
    assert not any(mark.encode() in part for part in parts for mark in MARKS), where


def recipe_of(kind: str) -> Recipe:
    if kind == "mobility":
        return Recipe((Step("planar_laplace", {"radius": 300}), Step("pseudonymise")))
    return Recipe((Step("mondrian", {"k": 5}),), kind="table", roles={"quasi": ("age", "taille")})


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_no_id_is_in_any_output(name, run, tmp_path):
    kind, content = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    calls = [["look", path], ["look", path, "--json", "--lang", "fr"]]
    if kind == "table":
        options = ["--qi", "age,taille", "--json"]
        calls += [
            ["table", "risk", path, *options],
            ["table", "mondrian", path, "-o", tmp_path / "o.csv", *options],
        ]
        calls += [["table", "risk", path, "--qi", "nothing"], ["look", path, "--type", "dossier=date"]]
    else:
        steps = ["--step", "planar_laplace radius=300", "--step", "pseudonymise"]
        calls += [["anonymise", path, "--publish", tmp_path / "o.csv", "-o", tmp_path / "o.tsv", *steps]]
        calls += [["check", path, path, "--json"], ["check", path, path, "--type", "date=date:mdy"]]
    for call in calls:
        done = run(*call)
        assert done.code in (0, 1, 2)
        assert_nobody(done.out + done.err, " ".join(map(str, call)))
    for written in tmp_path.glob("o.*"):
        assert_nobody(written.read_bytes(), written.name)
    data = read_upload(name, len(content), content, kind).data
    report = run_recipe(recipe_of(kind), data=data)
    made = {entry: MENU[entry](report, "fr")[1] for entry in entries(report.recipe) if entry in MENU}
    assert TO_PUBLISH in made
    for entry, raw in made.items():
        if entry not in (TO_SCORE, LOOKUP, MAPPING):
            assert_nobody(raw, entry)
    if LOOKUP in made:
        assert any(mark.encode() in made[LOOKUP] for mark in MARKS), "the search finds what is there"


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_no_id_is_in_any_error(name, run, tmp_path):
    kind, content = FILES[name]
    ways = [file_spoilt] if content.startswith(b"PK") else [*TEXT.values()]
    for number, way in enumerate(ways * (TIMES if len(ways) == 1 else 1)):
        if way.__name__ == "huge_field":
            continue
        path = tmp_path / f"{number}{name}"
        path.write_bytes(way(Random(number), content))  # noqa: S311
        for call in (
            ["look", path, "--kind", kind],
            ["look", path, "--kind", kind, "--lang", "fr", "--json"],
        ):
            done = run(*call)
            assert done.code in (0, 1, 2), done.err
            said = done.out + done.err
            assert_nobody(said, f"{way.__name__}: {said[:2000]}")
