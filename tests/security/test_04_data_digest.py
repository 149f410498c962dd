"""4: a report does not hold the digest of the original, which would tell a missing cell."""

from __future__ import annotations

import hashlib

import pytest

from insanonym_core.report.build import salted_digest

TABLE = "age,town\n" + "".join(f"{30 + n % 7},{'ab'[n % 2]}\n" for n in range(60))
RECIPE = "data: people.csv\nkind: table\nroles: {quasi: [age, town]}\nsteps:\n  - mondrian: {k: 5}\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "people.csv").write_text(TABLE)
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    return tmp_path


def _written(folder) -> str:
    return "".join(path.read_text("utf-8") for path in folder.rglob("*") if path.is_file())


def test_the_digest_of_the_data_is_not_in_a_report(run, folder):
    out = folder / "report"
    found = run("report", folder / "recipe.yaml", "-o", out, "--formats", "none", "--json")
    assert found.code == 0
    digest = hashlib.sha256(TABLE.encode()).hexdigest()
    text = _written(out)
    assert digest not in text
    # A salted one is, which tells the file to who knows the salt; the salt itself is nowhere in the folder.
    salt = found.json["data_salt"]
    assert salted_digest(digest, salt) in text
    assert salt not in text


def test_it_is_there_when_asked_for_by_name(run, folder):
    found = run(
        "report", folder / "recipe.yaml", "-o", folder / "report", "--formats", "none", "--data-digest"
    )
    assert found.code == 0
    assert "The salt is" in found.err
    assert hashlib.sha256(TABLE.encode()).hexdigest() in _written(folder / "report")


def test_two_reports_have_different_salts(run, folder):
    salts = {
        run("report", folder / "recipe.yaml", "-o", folder / f"r{n}", "--formats", "none", "--json").json[
            "data_salt"
        ]
        for n in range(2)
    }
    assert len(salts) == 2
