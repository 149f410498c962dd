"""A league in Chromium: three teams and a projector, English and French, and a folder edited by hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from insanonym_core.league.room import init_league
from insanonym_core.mobility.writer import write_track
from tests.browser import open_page
from tests.league.conftest import STEPS, Class
from tests.league.league_server import served


@pytest.fixture
def prepared(tmp_path, small_city):
    """An original and three teams that have handed in nothing."""
    made = Class(tmp_path / "class", small_city)
    made.folder.mkdir()
    write_track(small_city, made.folder / "original.tsv")
    return made, init_league(made.folder, [*STEPS])


def test_three_teams_and_a_projector(browser, prepared, tmp_path):
    made, room = prepared
    with (
        served(made.folder) as (address, _),
        open_page(browser, address) as ana,
        open_page(browser, f"{address}/?lang=fr") as ben,
        open_page(browser, address) as cleo,
        open_page(browser, address, 1366, 768) as projector,
    ):
        everybody = {"Ana": ana, "Ben": ben, "Cleo": cleo}
        for name, watch in {**everybody, "teacher": projector}.items():
            watch.page.fill("#code", room.codes.get(name, room.teacher_code))
            watch.page.click("main button[type=submit]")
            expect(watch.page.locator("h1")).to_have_text("Teacher" if name == "teacher" else name)
        projector.page.goto(f"{address}/projector")
        for name, watch in everybody.items():
            path = tmp_path / f"{name} first.csv"
            write_track(made.made(name).release, path)
            hand_in(watch.page, "button[data-sort=releases]", path)
            said = "est rendu" if name == "Ben" else "is handed in"
            expect(watch.page.locator("#message.accepted")).to_contain_text(said)
        for name in everybody:
            expect(projector.page.locator("table.leaderboard")).to_contain_text(name)
        expect(projector.page.locator("table.matrix tbody tr")).to_have_count(3)
        expect(projector.page.locator("table.matrix")).not_to_contain_text("%")  # nobody has tried
        assert projector.page.evaluate("document.documentElement.scrollHeight <= innerHeight")

        # A wrong file is told with its lines, in the language of the page, and changes nothing.
        broken = tmp_path / "broken.csv"
        broken.write_text("<img src=x onerror=alert(1)>,2015-03-04 00:00:00,45,4\na,b,c\n")
        hand_in(ben.page, "button[data-sort=releases]", broken)
        expect(ben.page.locator("#message.refused")).to_contain_text("ligne 2")
        assert ben.page.locator("img").count() == 0

        # Put into the folder by hand, as the command line does.
        made.hand_in("Cleo", "by hand.csv")
        expect(ana.page.locator("#content")).to_contain_text("Cleo__by hand.csv")

        attack = made.attack("Ana", "Ben__Ben first", "mean_position", name="elsewhere.json")
        moved = attack.rename(tmp_path / "attack.json")
        hand_in(ana.page, "button[data-target='Ben__Ben first']", moved)
        expect(ana.page.locator("#message.accepted")).to_contain_text("Ben__Ben first.json is handed in.")
        expect(ben.page.locator("#content")).to_contain_text("Ana")

        projector.page.goto(f"{address}/teacher")
        projector.page.select_option("#name", "attacks")
        projector.page.fill("#minutes", "5")
        projector.page.click(".round-form button")
        expect(projector.page.locator(".clock")).to_contain_text("04:5")
        expect(ben.page.locator(".round")).to_contain_text("les versions sont closes")
        hand_in(cleo.page, "button[data-sort=releases]", tmp_path / "Cleo first.csv")
        expect(cleo.page.locator("#message.refused")).to_contain_text("came too late")
        for watch in (*everybody.values(), projector):
            watch.assert_quiet()


def hand_in(page, button: str, path) -> None:
    """Choose a file as a person does."""
    with page.expect_file_chooser() as chooser:
        page.click(button)
    chooser.value.set_files(path)
