"""Forty small files as people have them: read right or refused, and one release whatever the road."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
import yaml

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import make_release
from insanonym_core.experiment import run as run_recipe
from insanonym_core.kinds import kind_named
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import read_recipe
from insanonym_dashboard.uploads import read_upload
from tests.reading.office import (
    BORN,
    CODES,
    FILES,
    ILLNESS,
    MOBILITY,
    NAMES,
    SIZES,
    TABLES,
    TOWNS,
    WAGES,
    WALKS,
)

ROLES = {"identifier": ("nom",), "quasi": ("ville", "naissance", "taille"), "sensitive": ("diagnostic",)}
STEPS = {"table": (Step("mondrian", {"k": 2}),), "mobility": (Step("planar_laplace", {"radius": 200}),)}
READ = [one for one in FILES if not one.refused]
REFUSED = [one for one in FILES if one.refused]


def test_there_are_forty():
    assert len({one.name for one in FILES}) == len(FILES) == 40


@pytest.mark.parametrize("file", [one for one in TABLES if not one.refused], ids=lambda one: one.name)
def test_every_table_is_read_as_the_same(file, tmp_path):
    (tmp_path / file.name).write_bytes(file.content)
    table = kind_named("table").read_data(str(tmp_path / file.name), file.reading)
    rows = {name: [column.texts()[code] for code in column.codes] for name, column in table.columns.items()}
    assert [column.kind for column in table.columns.values()] == [
        "category", "category", "date", "number", "number", "category", "category"
    ]  # fmt: skip
    assert list(rows.values()) == [
        list(NAMES),
        list(TOWNS),
        list(BORN),
        [repr(size) for size in SIZES],
        [str(wage) for wage in WAGES],
        list(CODES),
        list(ILLNESS),
    ]


@pytest.mark.parametrize("file", [one for one in MOBILITY if not one.refused], ids=lambda one: one.name)
def test_every_trace_is_read_as_the_same(file, tmp_path):
    (tmp_path / file.name).write_bytes(file.content)
    track = kind_named("mobility").read_data(str(tmp_path / file.name), file.reading)
    rows = zip(
        [track.tokens[code] for code in track.token],
        pd.to_datetime(track.time, unit="s").strftime("%Y-%m-%d %H:%M:%S"),
        track.latitude.tolist(),
        track.longitude.tolist(),
        strict=True,
    )
    assert list(rows) == [(who, when, round(lat, 4), round(lon, 4)) for who, when, lat, lon in WALKS]


@pytest.mark.parametrize("file", REFUSED, ids=lambda one: one.name)
def test_the_others_are_refused_with_a_sentence_that_says_what_to_do(file, tmp_path, run):
    (tmp_path / file.name).write_bytes(file.content)
    errors = []
    for read in (
        lambda: kind_named(file.kind).read_data(str(tmp_path / file.name), {}),
        lambda: read_upload(file.name, len(file.content), file.content, file.kind),
    ):
        with pytest.raises(InsanonymError, match=file.refused) as caught:
            read()
        errors.append((str(caught.value), caught.value.say("fr")))
    assert errors[0] == errors[1] or not file.content  # of an empty upload nothing is read at all
    english, french = errors[0]
    assert file.name in english
    assert file.name in french
    assert french != english
    assert not any(name in english + french for name in NAMES)
    done = run("look", tmp_path / file.name, "--kind", file.kind, "--lang", "fr")
    said = done.out + done.err
    assert "--type naissance=date:dmy" in said if "ambiguous" in file.name else french in said


def recipe_of(file, seed=7):
    roles = ROLES if file.kind == "table" else {}
    return Recipe(STEPS[file.kind], kind=file.kind, seed=seed, roles=roles, reading=dict(file.reading))


def published(recipe: Recipe, release: Any, folder, name: str = "release.csv") -> bytes:
    recipe.data_kind.publishing.write(recipe, release, folder / name, force=True)
    return (folder / name).read_bytes()


@pytest.mark.parametrize("file", READ, ids=lambda one: one.name)
def test_the_release_is_the_same_from_every_road(file, tmp_path, run):
    path = tmp_path / file.name
    path.write_bytes(file.content)
    recipe = recipe_of(file)
    # Python
    here = replace(recipe, data=str(path))
    python = published(here, make_release(here).release, tmp_path)
    # an upload
    data = read_upload(file.name, len(file.content), file.content, file.kind, file.reading).data
    report = run_recipe(recipe, data=data, only=())
    upload = published(recipe, report.release, tmp_path)
    # a recipe in a file
    content = {"kind": file.kind, "seed": 7, "reading": dict(file.reading)}
    content["roles"] = {role: list(found) for role, found in recipe.roles.items()}
    content["steps"] = [{step.method: dict(step.parameters)} for step in recipe.steps]
    (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(content), "utf-8")
    assert read_recipe(tmp_path / "recipe.yaml") == recipe
    out = tmp_path / "anonymised.csv"
    done = run("anonymise", path, "--recipe", tmp_path / "recipe.yaml", "--publish", out)
    assert done.code == 0, done.err
    assert out.read_bytes() == python == upload
    # the command of its kind
    said = [f"--{name}={value}" for name, value in file.reading.items()]
    if file.kind == "table":
        again = tmp_path / "table.csv"
        roles = ["--id", "nom", "--qi", "ville,naissance,taille", "--sensitive", "diagnostic"]
        done = run("table", "mondrian", path, "-o", again, "--k", 2, "--seed", 7, *roles, *said)
        assert sorted(again.read_bytes().splitlines()) == sorted(python.splitlines())
    else:
        again = tmp_path / "steps.csv"
        step = ["--step", "planar_laplace radius=200", "--seed", 7]
        done = run("anonymise", path, *step, "--publish", again, *said)
        assert again.read_bytes() == python
    assert done.code == 0, done.err


def test_the_release_of_a_french_file_opens_in_a_french_excel(tmp_path, run):
    file = next(one for one in TABLES if one.name == "excel_fr.csv")
    (tmp_path / file.name).write_bytes(file.content)
    out = tmp_path / "out.csv"
    roles = ["--qi", "naissance,taille", "--id", "nom"]
    run("table", "mondrian", tmp_path / file.name, "-o", out, "--k", 3, *roles)
    header, first, *_ = out.read_bytes().decode("cp1252").splitlines()
    assert header == "ville;naissance;taille;salaire;code;diagnostic"
    _, born, size = first.split(";")[:3]
    assert "É" in out.read_bytes().decode("cp1252")
    assert pd.to_datetime(born.strip("[]").split(", ")[0], format="%d/%m/%Y")
    assert "," in size
    frame = pd.read_csv(io.BytesIO(out.read_bytes()), sep=";", decimal=",", encoding="cp1252")
    assert frame["salaire"].sum() == sum(WAGES)
