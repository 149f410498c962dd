"""Broken and hostile files: each is told to its team, and costs nobody else anything."""

import errno
import gzip
import json
import os
from pathlib import Path

import pytest

from insanonym_core.league import new_team


def numbers(league, without=()):
    return {line.team: (line.defence, line.attack) for line in league.table if line.team not in without}


def moved(text: str) -> str:
    """Line 5 leaves its week."""
    lines = text.splitlines(keepends=True)
    who, date, *place = lines[4].split(",")
    lines[4] = ",".join([who, date.replace("2015-", "2013-").replace("2016-", "2013-"), *place])
    return "".join(lines)


def short(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:-3])


RELEASES = {
    "week": (lambda text: moved(text).encode(), "two.csv, line 5: a kept row must stay in its ISO week"),
    "rows": (lambda text: short(text).encode(), "two.csv: the release must have the"),
    "empty": (lambda text: b"", "two.csv is empty"),
    "binary": (lambda text: bytes(range(256)) * 20, "two.csv is not text"),
    "two encodings": (
        lambda text: text.replace("\n", "\néè", 1).encode() + b"\xe9\n",
        "the text is neither UTF-8",
    ),
    "cut utf-16": (lambda text: text.encode("utf-16")[:-1], "two.csv is not in the encoding utf-16"),
    "bomb": (lambda text: gzip.compress(b"x,2015-03-04 00:35:54,1,1\n" * 3_000_000), "is far too large"),
    "torn": (lambda text: gzip.compress(text.encode())[:-50], "two.csv is a damaged or unsupported archive"),
    "zip": (lambda text: b"PK\x03\x04" + b"x" * 99, "two.csv is a damaged zip file"),
    "parquet": (lambda text: b"PAR1" + b"\0" * 99 + b"PAR1", "two.csv is a damaged Parquet file"),
    "header": (lambda text: b"id,date,latitude,longitude\n", "two.csv: the release must have the"),
}


@pytest.mark.parametrize("kind", RELEASES)
def test_a_broken_release_costs_nobody_anything(played, kind):
    room, before = played
    spoil, said = RELEASES[kind]
    home = room.folder / "teams" / "Cleo" / "releases"
    spoiled = spoil((home / "one.csv").read_text())
    (home / "two.csv").write_bytes(spoiled)
    after = room.play()
    assert numbers(after) == numbers(before)
    assert said in room.feedback("Cleo")
    assert (home / "two.csv").read_bytes() == spoiled
    assert str(room.folder) not in room.feedback("Cleo")
    assert [after.problem_count(team) for team in ("Ana", "Ben", "Cleo")] == [0, 0, 1]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_releases_in_other_encodings_count(played, encoding):
    room, _ = played
    home = room.folder / "teams" / "Cleo" / "releases"
    (home / "one.csv").write_text((home / "one.csv").read_text(), encoding=encoding)
    after = room.play()
    assert after.problem_count("Cleo") == 0
    assert [release.name for release in room.line(after, "Cleo").releases] == ["one"]


ATTACKS = {
    "no json": (b'{"001": {\n"2015-53": ["x"\n', "Ana__one.json, line 3: this is not JSON"),
    "list": (b"[]", "Ana__one.json must be one JSON object"),
    "week": (b'{"001": {"2015-W53": ["x"]}}', "a week must be written as 2015-10"),
    "guess": (b'{"001": {"2015-53": "x"}}', "guesses must be a list"),
    "numbers": (b'{"001": {"2015-53": [1]}}', "guesses must be a list"),
    "twice": (b'{"001": {}, "001": {}}', "names an id or a week twice"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "latin": ('{"é": {}}'.encode("latin-1"), "is not UTF-8"),
    "empty": (b"", "not JSON"),
    "long number": (b"9" * 10_000, "too long"),
    "huge": (b" " * 50_000_001, "has more than 50,000,000 bytes"),
}


@pytest.mark.parametrize("kind", ATTACKS)
def test_a_broken_attack_costs_its_team_alone(played, kind):
    room, before = played
    content, said = ATTACKS[kind]
    path = room.folder / "teams" / "Ben" / "attacks" / "Ana__one.json"
    path.write_bytes(content)
    after = room.play()
    assert said in room.feedback("Ben")
    assert room.line(after, "Ben").against["Ana"] == 0
    # Cleo's attack on Ana was the same: Ana's defence stays.
    assert numbers(after, {"Ben"}) == numbers(before, {"Ben"})
    assert room.line(after, "Ben").defence == room.line(before, "Ben").defence
    assert path.read_bytes() == content


def test_guesses_about_nobody_count_for_nothing_and_are_told(played):
    room, before = played
    path = room.folder / "teams" / "Ben" / "attacks" / "Ana__one.json"
    content = json.loads(path.read_text())
    units = sum(map(len, content.values()))
    path.write_text(json.dumps(content | {"stranger": {"2015-53": ["x"]}, "\ud800": {"1999-1": ["DEL"]}}))
    after = room.play()
    assert numbers(after) == numbers(before)
    assert f"2 of its {units + 2} (id, week) are not in the original" in room.feedback("Ben")
    assert after.problem_count("Ben") == 0


def test_links_are_not_followed(played, tmp_path):
    room, before = played
    secret = room.folder / "teacher" / "Ana__one.release"
    home = room.folder / "teams" / "Ben"
    (home / "releases" / "stolen.csv").symlink_to(secret)
    (home / "attacks" / "Ana__one__2.json").symlink_to(tmp_path / "anything.json")
    (room.folder / "teams" / "Dora").symlink_to(room.folder / "teams" / "Ana")
    new_team(room.folder, "Eve")
    (room.folder / "teams" / "Eve" / "releases").rmdir()
    (room.folder / "teams" / "Eve" / "releases").symlink_to(room.folder / "teams" / "Ana" / "releases")
    after = room.play()
    assert numbers(after, {"Eve"}) == numbers(before)
    assert room.line(after, "Eve").releases == ()
    assert room.feedback("Ben").count("is a link: hand in the file itself") == 2
    assert "must be a folder of its own, not a link" in room.feedback("Eve")
    assert any(problem.file == "Dora" for problem in after.problems)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_does_not_hang_the_league(played):
    room, before = played
    os.mkfifo(room.folder / "teams" / "Ben" / "attacks" / "Ana__one__2.json")
    (room.folder / "teams" / "Ben" / "releases" / "folder.csv").mkdir()
    after = room.play()
    assert numbers(after) == numbers(before)
    assert "is a special file" in room.feedback("Ben")
    assert "folder.csv: is a folder" in room.feedback("Ben")


@pytest.mark.parametrize(
    "name",
    ["a__b", "_a", "a b ", "-x", "x" * 41, "a\nb", "a\x1b[31mb", b"caf\xe9".decode(errors="surrogateescape")],
)
def test_odd_names_are_no_teams(played, name):
    room, before = played
    home = room.folder / "teams" / name
    (home / "releases").mkdir(parents=True)
    after = room.play()
    assert numbers(after) == numbers(before)
    (problem,) = after.problems
    assert "cannot be a team" in problem.message
    assert problem.sentence().isprintable()


def test_odd_names_of_files(played):
    room, before = played
    home = room.folder / "teams" / "Ben"
    text = (home / "releases" / "one.csv").read_text()
    for name in ("a__b.csv", "notes.md", "x\x1b.csv", "ONE.tsv", ".DS_Store"):
        (home / "releases" / name).write_text(text)
    for name in ("Nobody__one.json", "Ana.json", "guess.txt", "__.json"):
        (home / "attacks" / name).write_text("{}")
    after = room.play()
    assert numbers(after) == numbers(before)
    said = room.feedback("Ben")
    for part in (
        "a__b.csv: is not a possible name",
        "notes.md: is not a release: hand in .tsv",
        "x?.csv: is not a possible name",
        "one.csv: has the same name as ONE.tsv, which counts instead",
        "Nobody__one.json: attacks nothing",
        "Ana.json: attacks nothing",
        "__.json: attacks nothing",
        "guess.txt: is not .json",
    ):
        assert part in said
    assert "DS_Store" not in said


def test_a_file_of_a_student_is_never_overwritten(room):
    mine = room.folder / "teams" / "Ana" / "league-feedback.txt"
    mine.write_text("my notes")
    link = room.folder / "teams" / "Ben" / "league-feedback.txt"
    link.symlink_to(room.folder / "original.tsv")
    original = (room.folder / "original.tsv").read_bytes()
    league = room.play()
    assert mine.read_text() == "my notes"
    assert link.is_symlink()
    assert (room.folder / "original.tsv").read_bytes() == original
    assert [problem.code for problem in league.problems] == ["feedback", "feedback"]
    assert len(league.table) == 3


def test_a_file_that_breaks_us_breaks_its_team_alone(played, monkeypatch):
    """Even an error nobody thought of stays with its team."""
    from insanonym_core.league import judge_attacks

    room, before = played
    (room.folder / "teams" / "Ben" / "attacks" / "Ana__one__2.json").write_text("{}")
    really = judge_attacks.read_guesses

    def fail(path):
        if path.name == "Ana__one__2.json":
            raise ZeroDivisionError
        return really(path)

    monkeypatch.setattr(judge_attacks, "read_guesses", fail)
    after = room.play()
    assert numbers(after) == numbers(before)
    assert "Ana__one__2.json: cannot be read (ZeroDivisionError)" in room.feedback("Ben")


def test_unreadable_files(played, monkeypatch):
    room, before = played
    path = room.folder / "teams" / "Ben" / "releases" / "two.csv"
    path.write_text("")
    really = os.open

    def refused(place, *arguments, **options):  # by hand, because nothing is unreadable to root
        if Path(place) == path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return really(place, *arguments, **options)

    monkeypatch.setattr(os, "open", refused)
    assert numbers(room.play()) == numbers(before)
    monkeypatch.undo()
    assert "two.csv: cannot be read (Permission denied)" in room.feedback("Ben")
