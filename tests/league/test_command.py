"""insanonym league on the command line."""

import json


def test_the_table_is_printed_and_saved(run, room):
    found = run("league", room.folder)
    assert found.code == 0, found.err
    assert [word for word in ("Ana", "Ben", "Cleo", "general") if word not in found.out] == []
    assert "Published: 3 new, 0 unchanged, 0 withdrawn." in found.out
    assert (room.folder / "league.csv").exists()
    again = run("league", room.folder, "--closed")
    assert "Published: 0 new, 3 unchanged, 0 withdrawn." in again.out


def test_json_is_one_object_and_the_saved_one(run, room):
    (room.folder / "teams" / "stray.txt").write_text("x")
    found = run("league", room.folder, "--json", "--house-attacks", "--rules", "v1", "--aggregate", "median")
    assert found.json == json.loads((room.folder / "league.json").read_text("utf-8"))
    assert (found.json["rules"], found.json["aggregate"], found.json["house_attacks"]) == (
        "v1",
        "median",
        True,
    )
    assert found.json["problems"][0]["file"] == "stray.txt"
    team = found.json["teams"][0]
    assert team["general"] == team["defence"] + team["attack"]
    assert set(team["releases"][0]["scores"]) == {"date", "hour", "distance", "poi", "tuile", "meet"}


def test_broken_files_are_no_failure_of_the_command(run, room):
    (room.folder / "teams" / "Ana" / "releases" / "one.csv").write_text("x\n")
    found = run("league", room.folder)
    assert found.code == 0
    assert "none that is valid" in found.out


def test_the_original_may_lie_elsewhere(run, room, tmp_path):
    (room.folder / "original.tsv").rename(tmp_path / "secret.tsv")
    assert run("league", room.folder).code == 2
    assert run("league", room.folder, "--original", tmp_path / "secret.tsv").code == 0


def test_wrong_calls(run, room, tmp_path):
    for arguments in (
        [tmp_path / "nowhere"],
        [room.folder, "--rules", "v3"],
        [room.folder, "--aggregate", "sum"],
        [room.folder, "--most-releases", "0"],
        [room.folder, "--columns", "a,b"],
    ):
        found = run("league", *arguments)
        assert (found.code, found.out) == (2, ""), arguments
        assert len(found.err.strip().splitlines()) == 1
