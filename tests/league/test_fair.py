"""What a team does to its own files costs nobody else anything, and no score gives single answers away."""

import json
import os
import re
import shutil
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.league import judge, new_team
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.writer import to_table, write_track
from tests.league.test_broken import numbers

# --- Breaking one's own file


@pytest.fixture
def home(room) -> Path:
    return room.folder / "teams" / "Cleo" / "releases"


def broken_by(how: str, path: Path) -> None:
    text = path.read_text()
    path.unlink()
    if how == "text":
        path.write_text(text.replace("2015-", "2013-"))
    elif how == "link":
        path.symlink_to(path.parent.parent / "attacks")
    elif how == "folder":
        path.mkdir()
    elif how == "capitals":
        path.with_name("ONE.tsv").write_text("garbage")
    else:
        path.parent.rmdir()
        path.parent.write_text("no folder")


@pytest.mark.parametrize("how", ["text", "link", "folder", "capitals", "releases"])
def test_breaking_an_accepted_release_costs_nobody_anything(played, home, how):
    room, before = played
    public = before.published("Cleo", "one").read_bytes()
    broken_by(how, home / "one.csv")
    for _ in range(2):
        after = room.play()
        assert numbers(after) == numbers(before)
        assert after.publisher.withdrawn == []
        assert after.published("Cleo", "one").read_bytes() == public
        assert after.problem_count("Cleo") > 0
        assert [after.problem_count(team) for team in ("Ana", "Ben")] == [0, 0]
        assert "what was accepted before counts in its place" in room.feedback("Cleo")
    if how == "text":
        assert re.search("one.csv, lines 2, 3.*: a kept row must stay in its ISO week", room.feedback("Cleo"))


def test_a_mended_release_takes_the_place_of_the_accepted_one(played, home):
    room, _ = played
    text = (home / "one.csv").read_text()
    (home / "one.csv").write_text("garbage")
    room.play()
    lines = text.splitlines(keepends=True)
    (home / "one.csv").write_text("".join([lines[0], "DEL,,,\n", *lines[2:]]))
    after = room.play()
    assert after.publisher.written == ["Cleo__one"]
    assert after.problem_count("Cleo") == 0


def test_attacks_on_what_is_gone_are_no_fault(played, home):
    room, _ = played
    (home / "one.csv").unlink()
    (home / "new.csv").write_text("garbage")
    shutil.copy(
        room.folder / "teams/Ana/attacks/Cleo__one.json", room.folder / "teams/Ana/attacks/Cleo__new.json"
    )
    (room.folder / "teams/Ana/attacks/Cleo__two.json").write_text("{}")
    for _ in range(2):  # it is remembered
        after = room.play()
        said = room.feedback("Ana")
        assert "Cleo__one.json: attacks Cleo__one, which was withdrawn or is not valid" in said
        assert "Cleo__new.json: attacks Cleo__new, which was withdrawn or is not valid" in said
        assert "Cleo__two.json: attacks nothing" in said
        assert after.problem_count("Ana") == 1
        assert after.problem_count("Ben") == 0
    room.hand_in("Cleo")
    assert "Cleo__one, which was withdrawn" not in (room.play(), room.feedback("Ana"))[1]


def test_an_older_state_is_understood(played):
    room, _ = played
    state = room.folder / "teacher" / "accepted.json"
    state.write_text(json.dumps(json.loads(state.read_text())["accepted"]))
    assert room.play().publisher.kept == ["Ana__one", "Ben__one", "Cleo__one"]


# --- Sizes, and odd pseudonyms


def test_parquet_is_measured_before_it_is_read(played, home, monkeypatch):
    room, before = played
    rows = 5 * len(room.city)
    table = pa.table({"id": ["x"] * rows, "date": ["2015-12-30 00:00:00"] * rows, "lat": [1.0] * rows})
    parquet.write_table(table, home / "two.parquet")
    monkeypatch.setattr(judge, "read", _only(judge.read, "two.parquet"))
    assert numbers(room.play()) == numbers(before)
    expected = len(room.city)
    assert f"two.parquet: the release must have the {expected} rows of original.tsv and has {rows}" in (
        room.feedback("Cleo")
    )


def _only(really, never):
    def read(path, *arguments, **options):
        assert path.name != never, "it must be refused unread"
        return really(path, *arguments, **options)

    return read


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["text", "lists", "fixed"])
def test_parquet_with_few_long_values_is_not_spread_out(played, home, monkeypatch, kind):
    room, before = played
    table = to_table(room.made("Cleo").release)
    rows = len(table)
    ids = {
        "text": pa.array(["x" * 100_000] * rows),
        "lists": pa.array([["x"] * 50] * rows),
        "fixed": pa.array([b"x" * 100_000] * rows, pa.binary(100_000)),
    }[kind]
    parquet.write_table(table.set_column(0, "id", ids), home / "two.parquet", compression="zstd")
    assert (home / "two.parquet").stat().st_size < 1_000_000
    monkeypatch.setattr(judge, "read", _only(judge.read, "two.parquet"))
    assert numbers(room.play()) == numbers(before)
    said = {"lists": "two.parquet: the column 'id' holds lists or records"}.get(
        kind, "two.parquet is far too large"
    )
    assert said in room.feedback("Cleo")


def test_a_whole_parquet_release_is_accepted(room, home):
    room.hand_in("Cleo", "two.parquet")
    table = to_table(room.made("Cleo").release)
    coded = table.set_column(0, "id", table.column("id").dictionary_encode())
    parquet.write_table(coded, home / "three.parquet")
    league = room.play()
    assert [one.name for one in room.line(league, "Cleo").releases] == ["one", "three", "two"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("x" * 101, "a pseudonym must have at most 100 characters"),
        *((start, "must not begin with =, +, @ or a tab") for start in ("=1+1", "+x", "@x", "\tx", " =x")),
        *((start, "") for start in ("-abc", "x" * 100, "a=b")),
    ],
)
def test_odd_pseudonyms(room, home, ending, start, said):
    release = room.made("Cleo").release
    table = to_table(release)
    first = table.column("id")[0].as_py()
    ids = [start if who == first else who for who in table.column("id").to_pylist()]
    table = table.set_column(0, "id", pa.array(ids))
    (home / "one.csv").unlink()
    if ending == "parquet":
        parquet.write_table(table, home / "one.parquet")
    else:
        joint = "," if ending == "csv" else "\t"
        lines = [
            joint.join([f'"{row["id"]}"', str(row["date"]), str(row["latitude"]), str(row["longitude"])])
            for row in table.to_pylist()
        ]
        (home / f"one.{ending}").write_text("\n".join(lines) + "\n")
    league = room.play()
    assert league.problem_count("Cleo") == bool(said), room.feedback("Cleo")
    assert said in room.feedback("Cleo")
    assert not said or f"one.{ending}, lines 1," in room.feedback("Cleo")


def test_pseudonyms_are_guessed_as_published_or_as_they_are(room, home):
    """A published file may be read by pandas: a token that begins with a dash has an apostrophe there."""
    release = room.made("Cleo").release
    write_track(
        release.changed(tokens=tuple(f"-{token}" for token in release.tokens)), home / "one.csv", force=True
    )
    room.play()
    public = pd.read_csv(room.folder / "published" / "Cleo__one.csv")
    assert public["id"].str.startswith("'-").all()
    room.attack("Ben", "Cleo__one", "mean_position")
    path = room.folder / "teams" / "Ben" / "attacks" / "Cleo__one.json"
    assert '"-' in path.read_text()
    (path.parent / "Cleo__one__2.json").write_text(path.read_text().replace('"-', "\"'-"))
    league = room.play()
    one, other = [score for _, _, score in league.teams["Ben"].attacks]
    assert one == other > 0
    assert league.problem_count("Ben") == 0


# --- What the numbers tell


def test_the_feedback_has_two_decimals_and_only_the_best(room):
    room.play()
    room.attack("Ben", "Ana__one", "heatmap")
    room.attack("Ben", "Ana__one", "naive", "Ana__one__2.json")
    league = room.play()
    best = max(score for _, _, score in league.teams["Ben"].attacks)
    attacks = room.feedback("Ben").partition("Your attacks")[2]
    assert f"Ana__one: found {best:.2f} (the best of 2 attacks)\n" in attacks
    assert attacks.count("found") == 1
    assert not re.search(r"\d\.\d{3}", attacks)
    assert re.search(r"best attack \d\.\d\d by Ben", room.feedback("Ana"))


def test_padding_a_list_changes_nothing(room):
    room.play()
    secret = footprint(room.made("Ana"))
    right = secret.as_guesses()
    (who, weeks), *_ = right.items()
    (week, (token,)), (other, _), *_ = weeks.items()
    elsewhere = next(text for text in secret.tokens if text not in _in_week(room, week))
    path = room.folder / "teams" / "Ben" / "attacks" / "Ana__one.json"
    found = []
    for padding in ([], ["nonsense"] * 3, [f"nonsense {number}" for number in range(7)], [elsewhere]):
        path.write_text(json.dumps({who: {week: [token, *padding]}}))
        found.append(room.play().teams["Ben"].attacks[0][2])
        if padding:
            count = len(set(padding))
            assert f"{count} of its {count + 1} guesses are pseudonyms that the published" in (
                room.feedback("Ben")
            )
    assert set(found) == {1 / secret.pairs}
    path.write_text(json.dumps({who: {week: [token, "DEL"]}}))
    assert room.play().teams["Ben"].attacks[0][2] == 0.5 / secret.pairs
    assert other != week


def _in_week(room, week):
    pair = room.made("Ana")
    return {weeks[week] for weeks in footprint(pair).answers.values() if week in weeks}


@pytest.mark.parametrize("content", ["{}", '{"001": {}}', '{"001": {"2015-53": []}}'])
def test_an_attack_without_guesses(room, content):
    room.play()
    (room.folder / "teams" / "Ben" / "attacks" / "Ana__one.json").write_text(content)
    assert room.play().problem_count("Ben") == 0
    assert "Ana__one.json: it holds no guesses" in room.feedback("Ben")


# --- Each file is opened once


def test_each_file_of_a_team_is_opened_once(played, monkeypatch):
    room, before = played
    teams = str(room.folder / "teams")
    opened = []
    really, really_path = os.open, Path.open

    def count(place, *arguments, **options):
        opened.append(str(place))
        return really(place, *arguments, **options)

    def count_path(self, *arguments, **options):
        opened.append(str(self))
        return really_path(self, *arguments, **options)

    monkeypatch.setattr(os, "open", count)
    monkeypatch.setattr(Path, "open", count_path)
    assert numbers(room.play()) == numbers(before)
    own = [place for place in opened if place.startswith(teams) and place.endswith((".csv", ".json"))]
    assert len(own) == len(set(own)) == 3 + 6
    assert not list((room.folder / "teacher").glob(".*"))


@pytest.mark.parametrize("what", ["gone", "link", "pipe"])
def test_a_file_that_changes_during_the_run(played, monkeypatch, tmp_path, what):
    room, before = played
    release = new_team(room.folder, "Ben") / "releases" / "two.csv"
    attack = room.folder / "teams" / "Ben" / "attacks" / "Ana__one__2.json"
    shutil.copy(release.with_name("one.csv"), release)
    attack.write_text("{}")
    really = os.open

    def change(place, *arguments, **options):
        if Path(place) in (release, attack):
            Path(place).unlink()
            if what == "link":
                Path(place).symlink_to(room.folder / "teacher" / "Ana__one.release")
            elif what == "pipe":
                os.mkfifo(place)
        return really(place, *arguments, **options)

    monkeypatch.setattr(os, "open", change)
    after = room.play()
    monkeypatch.undo()
    assert numbers(after) == numbers(before)
    assert after.problem_count("Ben") == 2
    for path in (release, attack):
        assert f"{path.name}{' is not a regular' if what == 'pipe' else ': cannot be read'}" in (
            room.feedback("Ben")
        )


def test_an_error_of_the_footprint_stays_with_its_team(room, monkeypatch):
    really = judge.footprint

    def fail(pair):
        if len(pair.release.kept) < len(pair.release):
            raise ZeroDivisionError
        return really(pair)

    monkeypatch.setattr(judge, "footprint", fail)
    league = room.play()
    assert [league.problem_count(team) for team in ("Ana", "Ben", "Cleo")] == [1, 0, 0]


def test_a_full_disk_is_no_fault_of_a_team(room, monkeypatch):
    really = Path.open

    def full(self, *arguments, **options):
        if ".incoming-" in str(self) and "wb" in arguments:
            raise OSError(28, "No space left on device")
        return really(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(UsageError, match="No space left"):
        room.play()
