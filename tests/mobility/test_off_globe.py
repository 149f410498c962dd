"""Positions that are on no globe: refused, or by --allow-invalid deleted, and how many is said."""

from __future__ import annotations

import pytest

from insanonym_core.errors import DataError
from insanonym_core.mobility.checks import check_files

ROWS = [("ann", 8, 45.70), ("ann", 9, 45.71), ("bob", 8, 45.80), ("bob", 9, 45.81), ("bob", 10, 45.82)]


def write(path, bad=(), gone=()):
    path.write_text(
        "".join(
            f"{who}\t2015-03-02 {hour:02}:00:00\t{latitude + 100 * (row in bad)}\t4.8\n"
            for row, (who, hour, latitude) in enumerate(ROWS)
            if row not in gone
        )
    )
    return path


def test_rows_of_the_release_count_as_deleted_and_those_of_the_original_are_left_out(tmp_path, run):
    original, release = write(tmp_path / "o.tsv", bad=(0,)), write(tmp_path / "r.tsv", bad=(3,))
    checked = check_files(original, release)
    with pytest.raises(DataError, match="a latitude must lie within"):
        checked.pair()
    pair = checked.pair(allow_invalid=True)
    assert (pair.rows, pair.deleted, pair.valid) == (4, 1, False)
    assert pair.original.latitude.tolist() == [45.71, 45.80, 45.81, 45.82]

    assert run("check", original, release).code == 1
    found = run("check", original, release, "--allow-invalid", "--json")
    assert found.code == 0
    assert found.json["valid"] is True
    said = [(one["role"], one["count"], one["warning"]) for one in found.json["problems"]]
    assert said == [("original", 1, True), ("release", 1, True)]
    assert "counts as deleted" in found.json["problems"][1]["message"]

    assert run("score", original, release, "--attacks", "none").code == 1
    scored = run("score", original, release, "--attacks", "none", "--allow-invalid", "--json")
    assert scored.code == 0, scored.err
    assert (scored.json["rows"], scored.json["deleted"], scored.json["valid"]) == (4, 1, False)
    assert "1 row has no position on the globe and is left out of both files" in scored.err
    # The same as if somebody had left the row out and marked the other one.
    clean = write(tmp_path / "clean.tsv", gone=(0,))
    lines = clean.read_text().splitlines(keepends=True)
    (tmp_path / "marked.tsv").write_text("".join([*lines[:2], "DEL\n", lines[3]]))
    plain = run("score", clean, tmp_path / "marked.tsv", "--attacks", "none", "--json")
    assert plain.json["utility"] == scored.json["utility"]


def test_other_problems_stay(tmp_path):
    original, release = write(tmp_path / "o.tsv"), write(tmp_path / "r.tsv", bad=(1,))
    release.write_text(release.read_text().replace("2015-03-02 10", "2015-03-02 99"))
    checked = check_files(original, release)
    assert checked.lenient() is checked
    with pytest.raises(DataError, match="an hour that does not exist"):
        checked.pair(allow_invalid=True)
