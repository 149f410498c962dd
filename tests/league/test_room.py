"""Codes, rounds and files handed in on the page of a league, without a server."""

from __future__ import annotations

import json
import stat
import time

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.league import Rules, new_team
from insanonym_core.league.house_bots import (
    ATTACKER,
    HOUSE_ATTACKS,
    NOISE,
    SWAP,
    TUNED,
    hand_in_house_attacks,
    hand_in_house_releases,
)
from insanonym_core.league.live import LiveLeague
from insanonym_core.league.room import ATTACKS_ROUND, RELEASES_ROUND, Room, Round, init_league, minutes_of
from insanonym_core.mobility.writer import write_track


@pytest.fixture
def live(room) -> LiveLeague:
    init_league(room.folder)
    return LiveLeague(room.folder, Rules())


def file_of(tmp_path, room, team: str, name: str = "new.csv"):
    path = tmp_path / name
    write_track(room.made(team).release, path, force=True)
    return path


def test_init_keeps_what_is_there_and_adds_what_is_new(tmp_path):
    first = init_league(tmp_path / "class", teams=3)
    assert list(first.codes) == ["Team 1", "Team 2", "Team 3"]
    again = init_league(tmp_path / "class", ["Ana", "team 1"])
    assert list(again.codes) == ["Ana", "Team 1", "Team 2", "Team 3"]
    assert {name: again.codes[name] for name in first.codes} == first.codes
    assert again.teacher_code == first.teacher_code
    assert len({*again.codes.values(), again.teacher_code}) == 5
    assert stat.S_IMODE((tmp_path / "class" / "teacher" / "room.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "class" / "teacher").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "has no teams: say how many"),
        ({"teams": 0}, "must be from 1 to 100, got 0"),
        ({"teams": 101}, "must be from 1 to 100, got 101"),
        ({"names": ["a__b"]}, "cannot be called"),
        ({"names": ["../x"]}, "cannot be called"),
    ],
)
def test_wrong_teams_are_refused(tmp_path, options, said):
    with pytest.raises(UsageError, match=said):
        init_league(tmp_path / "class", **options)
    assert not (tmp_path / "x").exists()


def test_codes_are_found_however_they_are_typed(tmp_path):
    room = init_league(tmp_path / "class", ["Ana", "Ben"])
    code = room.codes["Ben"]
    for typed in (code, code.upper(), code.replace("-", ""), f"  {code.replace('-', ' ')} "):
        assert room.team_of(typed) == "Ben"
    assert room.is_teacher(room.teacher_code)
    assert not room.is_teacher(code)
    for wrong in ("", "-", code[:-1], code + "a", room.teacher_code, "é" * 30):
        assert room.team_of(wrong) is None


def test_a_spoilt_room_file_is_one_sentence(tmp_path):
    init_league(tmp_path / "class", ["Ana"])
    path = tmp_path / "class" / "teacher" / "room.json"
    for content in ("", "[]", "{", '{"codes": 3}', json.dumps({"teacher_code": "x", "codes": {}})):
        path.write_text(content)
        with pytest.raises(UsageError, match="cannot be read: remove it"):
            Room.open(tmp_path / "class")
        with pytest.raises(UsageError, match="cannot be read: remove it"):
            init_league(tmp_path / "class", ["Ana"])
    with pytest.raises(UsageError, match="insanonym league init"):
        Room.open(tmp_path)


@pytest.mark.parametrize(
    ("current", "at", "releases", "attacks"),
    [
        (Round(), 10, True, True),
        (Round(RELEASES_ROUND, 20), 10, True, True),
        (Round(RELEASES_ROUND, 20), 20, False, True),
        (Round(ATTACKS_ROUND), 10, False, True),
        (Round(ATTACKS_ROUND, 20), 10, False, True),
        (Round(ATTACKS_ROUND, 20), 21, False, False),
    ],
)
def test_what_a_round_accepts(current, at, releases, attacks):
    assert current.accepts_releases(at) is releases
    assert current.accepts_attacks(at) is attacks


@pytest.mark.parametrize(
    ("text", "minutes"), [("", None), (" ", None), ("30", 30), ("0,5", 0.5), ("0.5", 0.5)]
)
def test_minutes(text, minutes):
    assert minutes_of(text) == minutes


@pytest.mark.parametrize("text", ["soon", "1 h", "-1", "nan", "inf", "1441"])
def test_wrong_minutes(tmp_path, text):
    room = init_league(tmp_path / "class", ["Ana"])
    with pytest.raises(UsageError, match="round must"):
        room.with_round(RELEASES_ROUND, minutes_of(text))
    assert Room.open(tmp_path / "class").round == Round()


def test_a_release_is_checked_before_it_replaces_another_one(live, room, tmp_path):
    before = (room.folder / "teams/Ana/releases/one.csv").read_bytes()
    broken = tmp_path / "one.csv"
    broken.write_text("a,2015-13-01 00:00:00,45,4\n")
    refused = live.hand_in("Ana", "releases", broken)
    assert not refused.accepted
    assert any(problem.lines == (1,) for problem in refused.problems)
    assert (room.folder / "teams/Ana/releases/one.csv").read_bytes() == before
    good = file_of(tmp_path, room, "Ben", "ONE.tsv")
    assert live.hand_in("Ana", "releases", good).accepted
    assert [path.name for path in (room.folder / "teams/Ana/releases").iterdir()] == ["ONE.tsv"]
    assert live.refresh()
    assert [line.releases[0].name for line in live.league.table if line.team == "Ana"] == ["ONE"]


@pytest.mark.parametrize("name", ["a__b.csv", ".csv", "x.exe", "a" * 60 + ".csv", "-x.csv"])
def test_odd_names_are_refused(live, room, tmp_path, name):
    assert not live.hand_in("Ana", "releases", file_of(tmp_path, room, "Ben", name)).accepted
    assert [path.name for path in (room.folder / "teams/Ana/releases").iterdir()] == ["one.csv"]


def test_no_more_than_count(live, room, tmp_path):
    for name in ("two.csv", "three.csv"):
        assert live.hand_in("Ana", "releases", file_of(tmp_path, room, "Ana", name)).accepted
    refused = live.hand_in("Ana", "releases", file_of(tmp_path, room, "Ana", "four.csv"))
    assert "one release too many, 3 count" in refused.problems[0].message
    live.take_back("Ana", "releases", "two.csv")
    assert live.hand_in("Ana", "releases", file_of(tmp_path, room, "Ana", "four.csv")).accepted
    with pytest.raises(UsageError, match="not a file that you handed in"):
        live.take_back("Ana", "releases", "../../Ben/releases/one.csv")
    assert (room.folder / "teams/Ben/releases/one.csv").exists()


def test_attacks_get_a_free_name_and_their_target_must_be_published(live, room, tmp_path):
    live.refresh()

    def attack(target: str):
        path = tmp_path / "mine.json"
        path.write_text('{"x": {"2015-10": ["a"]}}')
        return live.hand_in("Ana", "attacks", path, target)

    assert [attack("Ben__one").name for _ in range(2)] == ["Ben__one.json", "Ben__one__2.json"]
    for target, said in {
        "Ana__one": "of your own",
        "Ben__two": "not published",
        "../x": "not published",
    }.items():
        assert said in attack(target).problems[0].message
    for _ in range(8):
        attack("Ben__one")
    assert "one attack too many" in attack("Ben__one").problems[0].message
    bad = tmp_path / "bad.json"
    bad.write_text('{"x": 3}')
    assert not live.hand_in("Ben", "attacks", bad, "Ana__one").accepted


def test_rounds_close_the_league_and_the_folder_stays_the_truth(live, room, tmp_path):
    assert live.refresh()
    assert not live.refresh(), "nothing changed"
    room.hand_in("Cleo", "two.csv")
    assert live.refresh()
    assert {release for line in live.league.table for release in [line.team] * len(line.releases)} == {
        "Ana",
        "Ben",
        "Cleo",
    }
    assert len(live.league.teams["Cleo"].judged) == 2
    live.start_round(ATTACKS_ROUND, None)
    assert live.refresh()
    assert live.league.rules.closed
    late = live.hand_in("Ana", "releases", file_of(tmp_path, room, "Ana", "late.csv"))
    assert "too late" in late.problems[0].message
    live.start_round(ATTACKS_ROUND, 0)
    time.sleep(0.01)
    assert "too late" in live.hand_in("Ana", "attacks", tmp_path / "late.csv", "Ben__one").problems[0].message
    new_team(room.folder, "Dora")
    live.refresh()
    assert live.room.team_of(live.room.codes["Dora"]) == "Dora"


def test_unchanged_files_are_judged_once(live, room, monkeypatch):
    from insanonym_core.league import judge

    scored = []
    really = judge.run
    monkeypatch.setattr(judge, "run", lambda *given, **options: scored.append(1) or really(*given, **options))
    live.refresh()
    assert len(scored) == 3
    numbers = [(line.team, line.general) for line in live.league.table]
    room.hand_in("Cleo", "two.csv")
    live.refresh()
    assert len(scored) == 4
    (room.folder / "teams/Cleo/releases/two.csv").unlink()
    live.refresh()
    assert len(scored) == 4
    assert [(line.team, line.general) for line in live.league.table] == numbers


def test_a_broken_original_keeps_the_last_table(live, room):
    live.refresh()
    version = live.version
    (room.folder / "original.tsv").write_text("nonsense\n")
    assert not live.refresh()
    assert live.error
    assert live.league is not None
    live.refresh()
    assert live.version == version + 1, "told once"


def test_the_original_handed_in_is_told(live, room, tmp_path):
    path = tmp_path / "same.tsv"
    path.write_bytes((room.folder / "original.tsv").read_bytes())
    handed_in = live.hand_in("Ana", "releases", path)
    assert handed_in.accepted
    assert any(problem.code == "unchanged" for problem in handed_in.problems)


@pytest.mark.slow
def test_house_bots_play_like_teams(room):
    for team in ("Ana", "Ben", "Cleo"):
        (room.folder / "teams" / team / "releases" / "one.csv").unlink()
    hand_in_house_releases(room.folder, trials=4)
    league = room.play()
    assert all(len(league.teams[bot].judged) == 1 for bot in (NOISE, SWAP, TUNED))
    assert hand_in_house_attacks(room.folder) == 3
    assert hand_in_house_attacks(room.folder) == 0, "only what is new"
    league = room.play()
    assert len(league.teams[ATTACKER].attacks) == 3 * len(HOUSE_ATTACKS)
    assert league.teams[ATTACKER].problems == []
    assert room.line(league, ATTACKER).attack > 0
