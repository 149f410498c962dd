"""Whole leagues: what is published, what is scored, what is said."""

import csv
import json
import os

import numpy as np
import pytest

from insanonym_core.errors import DataError, UsageError
from insanonym_core.experiment import score_release
from insanonym_core.league import Rules, new_team, play
from insanonym_core.mobility.attack_files import write_guesses
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.files import read_track
from insanonym_core.mobility.publication import Resolution, write_published_track
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.writer import write_track
from insanonym_core.registry import attacks


def test_scores_are_those_of_score_and_score_attack(room):
    room.play()
    room.attack("Ben", "Ana__one", "heatmap")
    room.attack("Ben", "Ana__one", "naive", "Ana__one__2.json")
    league = room.play()
    pair = room.made("Ana")
    report = score_release(pair, attacks=("heatmap", "naive"))
    ana = room.line(league, "Ana")
    assert ana.releases[0].utility == pytest.approx(report.utility, abs=1e-12)
    best = max(one.score.value for one in report.family("attack"))
    assert ana.releases[0].best_attack == best > 0
    assert ana.defence == pytest.approx(report.defence)
    assert room.line(league, "Ben").against == {"Ana": best, "Cleo": 0.0}
    assert room.line(league, "Ben").attack == best
    assert "no valid attack yet, counts 0: Cleo__one" in room.feedback("Ben")


def test_what_is_published_has_no_order_and_nothing_deleted(room):
    league = room.play()
    own, public = room.made("Ana").release, read_track(league.published("Ana", "one"))
    kept = own.kept
    assert len(public) == len(kept) < len(own)

    def rows(track):
        return list(zip(track.token.tolist(), track.time, track.latitude, track.longitude, strict=True))

    assert public.tokens == own.tokens
    assert sorted(rows(public)) == sorted(rows(kept))
    # Sorted by what is published: the file is the same whatever the order of the rows that were handed in.
    assert rows(public) == sorted(rows(public))
    mixed = own.take(np.random.default_rng(2).permutation(len(own)))
    write_published_track(mixed, room.folder / "mixed.csv", Resolution(7))
    assert (room.folder / "mixed.csv").read_bytes() == league.published("Ana", "one").read_bytes()
    assert "DEL" not in league.published("Ana", "one").read_text()


def test_publishing_changes_no_attack(room):
    league = room.play()
    for method in ("naive", "assignment"):
        entry = attacks.get(method, data="mobility")
        pair, known = room.made("Ana"), Crowd.known(room.city)
        on_own = entry.item(known, Crowd.seen(pair.release))
        on_public = entry.item(known, Crowd.seen(read_track(league.published("Ana", "one"))))
        secret = footprint(pair)
        assert score_guesses(secret, on_public).value == score_guesses(secret, on_own).value


def test_what_a_team_left_in_deleted_rows_is_not_published(room):
    path = room.hand_in("Ana")
    original = (room.folder / "original.tsv").read_text().splitlines()
    lines = path.read_text().splitlines()
    lines = [
        lines[0],
        *(
            line if not line.startswith("DEL") else "DEL," + ",".join(before.split("\t")[1:])
            for line, before in zip(lines[1:], original, strict=True)
        ),
    ]
    path.write_text("\n".join(lines) + "\n")
    league = room.play()
    assert len(read_track(league.published("Ana", "one"))) == len(room.made("Ana").release.kept)


def test_a_copy_stays_while_its_release_stays(room):
    league = room.play()
    before = {path.name: path.read_bytes() for path in (room.folder / "published").iterdir()}
    assert sorted(before) == ["Ana__one.csv", "Ben__one.csv", "Cleo__one.csv"]
    assert sorted(league.publisher.written) == ["Ana__one", "Ben__one", "Cleo__one"]
    path = room.hand_in("Ben")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(["DEL,,,\n" if number == 1 else line for number, line in enumerate(lines)]))
    again = room.play()
    after = {path.name: path.read_bytes() for path in (room.folder / "published").iterdir()}
    assert again.publisher.written == ["Ben__one"]
    assert {name for name in before if before[name] != after[name]} == {"Ben__one.csv"}
    assert room.play().publisher.written == []


def test_running_again_changes_nothing(room):
    room.play()
    room.attack("Ana", "Ben__one")
    room.play()

    def files():
        return {path: path.read_bytes() for path in room.folder.rglob("*") if path.is_file()}

    before = files()
    again = room.play()
    after = files()
    assert again.publisher.kept == ["Ana__one", "Ben__one", "Cleo__one"]
    assert before.pop(room.folder / "league.json") is not None
    assert {path: after[path] for path in before} == before


def test_a_copy_that_was_lost_or_changed_is_written_again(room):
    league = room.play()
    league.published("Ana", "one").unlink()
    league.published("Ben", "one").write_text("id,date,latitude,longitude\n")
    assert sorted(room.play().publisher.written) == ["Ana__one", "Ben__one"]
    assert len(read_track(league.published("Ben", "one"))) == len(room.city)


def test_the_same_release_is_published_as_the_same_file(room):
    first = room.play().published("Ana", "one").read_bytes()
    (room.folder / "published" / "Ana__one.csv").unlink()
    assert room.play().published("Ana", "one").read_bytes() == first


def test_what_is_not_handed_in_any_more_is_withdrawn(room):
    league = room.play()
    (room.folder / "teams" / "Cleo" / "releases" / "one.csv").unlink()
    again = room.play()
    assert again.publisher.withdrawn == ["Cleo__one"]
    assert not league.published("Cleo", "one").exists()
    assert not list((room.folder / "teacher").glob("Cleo*"))
    assert "no valid release yet: your defence is 0" in room.feedback("Cleo")


def test_after_the_close_what_was_published_counts(room):
    room.play()
    room.attack("Ana", "Ben__one")
    open_league = room.play()
    public = open_league.published("Ben", "one").read_bytes()
    (room.folder / "teams" / "Ben" / "releases" / "one.csv").write_text("garbage")
    room.hand_in("Cleo", "late.csv")
    closed = room.play(closed=True)
    assert room.line(closed, "Ana").attack == room.line(open_league, "Ana").attack > 0
    assert room.line(closed, "Ben").defence == room.line(open_league, "Ben").defence > 0
    assert closed.published("Ben", "one").read_bytes() == public
    assert "late.csv: was not accepted before the league was closed" in room.feedback("Cleo")
    assert not closed.published("Cleo", "late").exists()
    # Open again, the garbage is told, and what was accepted still counts.
    assert room.line(room.play(), "Ben").defence == room.line(open_league, "Ben").defence


def test_a_release_of_deleted_rows_alone_can_be_played(room):
    path = room.hand_in("Ben")
    path.write_text("DEL,,,\n" * len(room.city))
    room.play()
    guess = {who: dict.fromkeys(("2015-52", "2015-53", "2016-1"), ("DEL",)) for who in room.city.individuals}
    write_guesses(guess, room.folder / "teams" / "Ana" / "attacks" / "Ben__one.json")
    league = room.play()
    assert room.line(league, "Ana").against["Ben"] == 1
    assert room.line(league, "Ben").defence == 0


def test_only_so_many_releases_and_attacks_count(room):
    for name in ("b.csv", "c.tsv", "d.csv.gz"):
        room.hand_in("Ana", name)
    league = room.play(max_releases=2)
    assert [one.name for one in room.line(league, "Ana").releases] == ["b", "c"]
    assert room.feedback("Ana").count("is one release too many: 2 count") == 2
    for number in range(3):
        room.attack("Ben", "Ana__b", name=f"Ana__b__{number}.json")
    league = room.play(max_releases=2, max_attacks=2)
    assert len(league.teams["Ben"].attacks) == 2
    assert "Ana__b__2.json: is one attack too many on Ana__b: 2 count" in room.feedback("Ben")


def test_house_attacks(room):
    league = room.play(house=True)
    report = score_release(room.made("Cleo"))
    assert room.line(league, "Cleo").defence == pytest.approx(report.defence)
    assert all(line.attack == 0 for line in league.table)


def test_an_attack_on_oneself_does_not_count(room):
    room.play()
    room.attack("Ana", "Ana__one")
    league = room.play()
    assert room.line(league, "Ana").releases[0].best_attack == 0
    assert room.line(league, "Ana").attack == 0
    assert "Ana__one.json: attacks a release of your own: it does not count." in room.feedback("Ana")


def test_the_table_is_saved(room):
    room.play()
    room.attack("Ben", "Ana__one")
    league = room.play()
    with (room.folder / "league.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["team"] for row in rows] == [line.team for line in league.table]
    assert [row["general"] for row in rows] == [f"{line.general:.4f}" for line in league.table]
    assert all(len(row[name]) == 6 for row in rows for name in ("general", "defence", "attack"))
    assert (room.folder / "league.json").stat().st_mode & 0o777 == 0o600
    saved = json.loads((room.folder / "league.json").read_text())
    assert [team["general"] for team in saved["teams"]] == [line.general for line in league.table]
    assert saved["published"] == {"new": [], "kept": ["Ana__one", "Ben__one", "Cleo__one"], "withdrawn": []}
    frame = league.frame()
    assert list(frame["team"]) == [line.team for line in league.table]
    assert list(frame.columns) == ["team", "general", "defence", "attack", "problems"]


def test_what_the_teacher_keeps_is_the_teachers_alone(room):
    home = room.folder / "teacher"
    home.mkdir()
    home.chmod(0o755)
    room.play()
    assert home.stat().st_mode & 0o777 == 0o700
    files = list(home.iterdir())
    assert len(files) == 4
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


@pytest.mark.skipif(os.name == "nt", reason="the rights of other systems")
def test_names_may_have_accents_and_spaces(room):
    new_team(room.folder, "Équipe n° 1".replace("°", "o"))
    write_track(room.made("Ana").release, room.folder / "teams" / "Équipe no 1" / "releases" / "été 1.tsv")
    league = room.play()
    assert league.published("Équipe no 1", "été 1").exists()
    path = room.folder / "teams" / "Ben" / "attacks" / "équipe NO 1__e\u0301te\u0301 1__x.json"
    path.write_text("{}")
    league = room.play()
    assert league.teams["Ben"].attacks == [(path.name, ("Équipe no 1", "été 1"), 0.0)]


def test_the_teachers_own_mistakes(room, tmp_path):
    with pytest.raises(UsageError, match="is not a folder"):
        play(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="holds none; or name it by --original"):
        play(tmp_path)
    write_track(room.city, tmp_path / "original.csv")
    with pytest.raises(UsageError, match="has no folder 'teams'"):
        play(tmp_path)
    (tmp_path / "teams").mkdir()
    with pytest.raises(UsageError, match="holds no team"):
        play(tmp_path)
    with pytest.raises(UsageError, match="cannot be called"):
        new_team(tmp_path, "../Ana")
    with pytest.raises(UsageError, match="largest number of attacks of a team"):
        Rules(max_attacks=0)
    (room.folder / "original.tsv").write_text("a\t2015-03-04 00:35:54\t95\t4\n")
    with pytest.raises(DataError, match="line 1"):
        room.play()
    write_track(room.city, room.folder / "original.tsv", force=True)
    room.play()
    (room.folder / "teacher" / "accepted.json").write_text("[")
    with pytest.raises(UsageError, match="remove it"):
        room.play()
