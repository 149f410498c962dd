"""The page of a league over HTTP: what is refused, what is kept apart, and what comes of odd files."""

from __future__ import annotations

import io
import json
import time
import zipfile
from random import Random

import pytest

from insanonym_core.league.room import Room, init_league
from insanonym_core.mobility.writer import write_track
from tests.fuzz import mutations, seeds
from tests.league.conftest import STEPS, Class
from tests.league.league_server import Visitor, served
from tests.levels import at_level

PAGES = [
    "/team",
    "/teacher",
    "/projector",
    "/content/team",
    "/content/teacher",
    "/content/projector",
    "/published/Ana__one.csv",
    "/published.zip",
    "/original",
    "/teacher/room.json",
    "/teams/Ana/releases/one.csv",
    "/..%2fteacher%2froom.json",
    "/static/../handlers.py",
]


@pytest.fixture(scope="module")
def played_room(tmp_path_factory, small_city):
    """Three teams with a release each, and their codes."""
    made = Class(tmp_path_factory.mktemp("league") / "class", small_city)
    for team in STEPS:
        made.hand_in(team)
    write_track(small_city, made.folder / "original.tsv")
    init_league(made.folder)
    made.play()
    return made


@pytest.fixture(scope="module")
def address(played_room):
    with served(played_room.folder) as (found, _):
        yield found


@pytest.fixture(scope="module")
def codes(played_room) -> Room:
    return Room.open(played_room.folder)


def visitor(address: str, code: str) -> Visitor:
    made = Visitor(address)
    assert made.sign_in(code).status == 302
    return made


def content_when(who: Visitor, name: str, wanted: str) -> str:
    """The content of a page, once a text is in it."""
    end = time.monotonic() + 60
    while wanted not in (text := who.ask("GET", f"/content/{name}?version=-1").text):
        assert time.monotonic() < end, text
        time.sleep(0.1)
    return text


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_shown_without_a_code(address, path):
    answer = Visitor(address).ask("GET", path)
    assert answer.status in (302, 403, 404)
    assert answer.headers.get("Location", "/") == "/"
    assert b"Ana" not in answer.body


def test_a_wrong_code_is_a_sentence_and_no_session(address, codes):
    stranger = Visitor(address)
    assert stranger.sign_in("aaaaa-aaaaa").status == 403
    assert not any("lang" not in name and "xsrf" not in name for name in stranger.cookies)
    forged = Visitor(address, {f"insanonym-league-{address.rpartition(':')[2]}": codes.codes["Ana"]})
    assert forged.ask("GET", "/team").status == 302


def test_a_form_of_another_site_is_refused(address, codes):
    team = visitor(address, codes.codes["Ana"])
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
        assert team.ask("PUT", "/handed-in/releases/x.csv", b"", headers).status == 403
    assert team.ask("PUT", "/handed-in/releases/x.csv", b"").status == 403, "without the token of the page"
    assert team.ask("GET", "/", headers={"Host": "evil.example"}).status == 403


def test_a_team_sees_what_attackers_get_and_no_more(address, codes, played_room):
    team, other = visitor(address, codes.codes["Ana"]), visitor(address, codes.codes["Ben"])
    text = content_when(team, "team", "Ben__one.csv")
    page = team.ask("GET", "/team").text
    for secret in [*codes.codes.values(), codes.teacher_code, codes.cookie_secret]:
        assert secret not in text + page
    published = team.ask("GET", "/published/Ben__one.csv")
    assert published.body == (played_room.folder / "published/Ben__one.csv").read_bytes()
    with zipfile.ZipFile(io.BytesIO(team.ask("GET", "/published.zip").body)) as packed:
        assert sorted(packed.namelist()) == [f"{name}__one.csv" for name in ("Ana", "Ben", "Cleo")]
    assert team.ask("GET", "/original").status == 404, "only where the teacher gives it out"
    for path in ("/teacher", "/content/teacher"):
        assert team.ask("GET", path).status in (302, 403)
    assert team.post("/round", name="attacks", minutes="").status == 403
    other.hand_in("releases", "secret plan.csv", b"nonsense")
    assert "secret plan" not in team.ask("GET", "/content/team?version=-1").text


def test_the_teacher_starts_rounds_and_wrong_ones_are_sentences(address, codes):
    teacher = visitor(address, codes.teacher_code)
    assert all(code in content_when(teacher, "teacher", "Cleo") for code in codes.codes.values())
    answer = teacher.post("/round", name="releases", minutes="soon")
    assert answer.status == 400
    assert "must be a number such as 30" in answer.text
    assert teacher.hand_in("releases", "x.csv", b"").status == 403, "a teacher is no team"
    assert teacher.post("/round", name="releases", minutes="30").status == 302
    assert "data-left" in content_when(teacher, "projector", "data-left")
    assert teacher.post("/round", name="releases", minutes="").status == 302
    assert teacher.ask("GET", "/original").status == 200


def test_both_languages_and_the_choice_is_kept(address, codes):
    team = visitor(address, codes.codes["Ben"])
    assert "Rendre une version" in team.ask("GET", "/team?lang=fr").text
    assert "Rendre une version" in team.ask("GET", "/team").text
    refused = team.hand_in("releases", "rien.csv", b"")
    assert "est vide" in refused.lines[0]
    assert "Hand in a release" in team.ask("GET", "/team?lang=en").text


ODD_FILES = {
    "empty": b"",
    "text": b"hello",
    "nul": b"\0" * 1000,
    "html": b"<script>alert(1)</script>,2015-03-04 00:00:00,45,4\n",
    "wide": b"," * 100_000,
    "half a zip": b"PK\x03\x04" + b"\0" * 20,
    "half a parquet": b"PAR1" + b"\0" * 20,
    "gz": b"\x1f\x8b" + b"\0" * 20,
    "latin": "é;2015;45;4".encode("latin-1"),
    "json": b"[" * 100_000,
}


def assert_refused(played_room: Class, team: Visitor, sort: str, content: bytes) -> None:
    """A file is refused in sentences that name no path, and leaves nothing behind."""
    before = sorted(path.name for path in played_room.folder.rglob("*") if "Cleo" in str(path))
    name, target = ("x.csv", "") if sort == "releases" else ("x.json", "Ana__one")
    answer = team.hand_in(sort, name, content, target)
    assert answer.status == 200
    told = json.loads(answer.body)
    assert not told["accepted"]
    assert told["lines"]
    assert all(str(played_room.folder) not in line for line in told["lines"])
    assert sorted(path.name for path in played_room.folder.rglob("*") if "Cleo" in str(path)) == before
    assert not list((played_room.folder / "teacher").glob(".upload-*"))


@pytest.mark.parametrize("sort", ["releases", "attacks"])
@pytest.mark.parametrize("content", ODD_FILES.values(), ids=ODD_FILES)
def test_odd_files_are_refused_in_sentences(address, codes, played_room, sort, content):
    assert_refused(played_room, visitor(address, codes.codes["Cleo"]), sort, content)


@pytest.mark.slow
@pytest.mark.parametrize("kind", mutations.TEXT)
def test_hostile_files_are_refused_in_sentences(address, codes, played_room, kind):
    """Those of the fuzz tests: of another length than the original, none of them can be accepted."""
    team = visitor(address, codes.codes["Cleo"])
    for number in range(at_level(1, 1, 10)):
        draw = Random(f"{kind} {number}")  # noqa: S311
        assert_refused(played_room, team, "releases", mutations.TEXT[kind](draw, seeds.track()))


@pytest.mark.parametrize("name", ["../one.csv", "..", "a/b.csv", "a\\b.csv", "\r\nx.csv", "x" * 200 + ".csv"])
def test_names_that_are_paths_are_refused(address, codes, name):
    team = visitor(address, codes.codes["Cleo"])
    assert team.hand_in("releases", name, b"x").status in (403, 404)


def test_handed_in_scored_attacked_and_taken_back(address, codes, played_room, tmp_path):
    ana, ben = visitor(address, codes.codes["Ana"]), visitor(address, codes.codes["Ben"])
    path = tmp_path / "two.csv"
    write_track(played_room.made("Ben").release, path)
    assert ana.hand_in("releases", "two.csv", path.read_bytes()).lines[0] == "two.csv is handed in."
    content_when(ben, "team", "Ana__two.csv")
    attack = played_room.attack("Ben", "Ana__two")
    guesses = attack.read_bytes()
    attack.unlink()
    assert ben.hand_in("attacks", "guess.json", guesses, "Ana__two").lines == ["Ana__two.json is handed in."]
    content_when(ana, "team", "<td>Ben</td>")
    assert ben.take_back("attacks", "Ana__two.json").lines == ["Ana__two.json is taken back."]
    assert ana.take_back("releases", "two.csv").lines == ["two.csv is taken back."]
    assert "two.csv" not in ben.ask("GET", "/content/team?version=-1").text


@pytest.mark.slow
def test_too_large_is_refused_before_it_is_sent(address, codes):
    team = visitor(address, codes.codes["Ana"])
    answer = team.ask(
        "PUT", "/handed-in/releases/x.csv", None, {"X-XSRFToken": team.xsrf, "Content-Length": str(10**9)}
    )
    assert answer.status == 413
