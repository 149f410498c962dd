"""The dialog about the columns of an upload, without a browser: asked, changed, confirmed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from insanonym_core.texts import say
from insanonym_dashboard.app import App
from insanonym_dashboard.opening import Opening
from insanonym_dashboard.pieces import strip
from insanonym_dashboard.state import TabState
from tests.reading.office import FRENCH, TABLES, traces

AMBIGUOUS = "name;visit;age;illness\n" + "".join(
    f"A{n} B{n};{n % 12 + 1:02d}/{n * 5 % 12 + 1:02d}/2024;{n % 9};i{n % 3}\n" for n in range(60)
)
PATIENTS = "nom;ville;taille;diagnostic\n" + "".join(
    f"P{n} Dupont;v{n % 4};1,{50 + n % 9};d{n % 3}\n" for n in range(80)
)


@pytest.fixture
def panel(at_once, monkeypatch):
    monkeypatch.setattr(TabState, "_measure_spread", lambda *_: None)

    def opened(tab, lang="en"):
        app = App(lang)
        app.open(tab)
        return app.panels[tab]

    return opened


def upload(panel, name, content):
    raw = content if isinstance(content, bytes) else content.encode()
    panel.data._uploaded(name, len(raw), raw)


def row(panel, name):
    return next(one for one in panel.data.dialog.table.rows if one["name"] == name)


def choose(panel, name, what, value):
    table = panel.data.dialog.table
    place = [one["name"] for one in table.rows].index(name)
    table._came(None, {"place": place, "what": what, "value": value}, [])


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_order_of_dates_is_asked_for_on_the_page(panel, lang):
    page = panel("table", lang)
    upload(page, "visits.csv", AMBIGUOUS)
    assert page.state.error == ""
    assert page.state.data is None, "nothing is open before it is said"
    dialog = page.data.dialog
    assert page.overlay.children == (dialog.root,)
    assert row(page, "visit")["asked"]
    assert "visit" in dialog.error.value
    assert ("Jour" in dialog.error.value) == (lang == "fr")
    assert dialog.use.disabled
    choose(page, "visit", "type", "date:mdy")
    assert not dialog.use.disabled
    assert dialog.error.value == ""
    dialog._use()
    assert page.data.dialog is None
    assert page.state.data["visit"].kind == "date"
    assert page.state.data["visit"].texts()[0].startswith("2024-01-")
    page.state.set_roles(dict(page.state.recipe.roles))
    page.state.recipe = replace(page.state.recipe, reading={})  # as by undo: the data stay as they were read
    assert page.state.recipe.reading["types"] == {"visit": "date:mdy"}
    assert page.state.error == ""


def test_guessed_roles_are_said_beside_the_headline_until_they_are_confirmed(panel):
    page = panel("table")
    upload(page, "patients.csv", PATIENTS)
    state = page.state
    assert state.report.facts["roles_guessed"]
    shown = strip(state.report, state.report, {}, "fr")
    assert "unconfirmed" in shown
    assert say("Roles not confirmed", "fr") in shown
    page.data.open_dialog()
    one = row(page, "nom")
    assert (one["role"], one["distinct"], one["missing"]) == ("identifier", "80", "0")
    assert "names of people" in one["why"]
    choose(page, "taille", "role", "drop")
    assert "as you said" in row(page, "taille")["why"]
    assert "as you said" not in row(page, "ville")["why"]
    page.data.dialog._use()
    assert state.recipe.roles["drop"] == ("taille",)
    assert state.recipe.roles["identifier"] == ("nom",)
    assert state.report.facts["roles_guessed"] == ()
    assert "unconfirmed" not in strip(state.report, state.report, {}, "en")
    assert "taille" not in state.report.release.frame.columns
    # What was confirmed holds for a newer file with these columns, and for no other.
    upload(page, "newer.csv", PATIENTS + "X Y;v1;1,55;d1\n")
    assert state.report.facts["roles_guessed"] == ()
    upload(page, "other.csv", FRENCH)
    assert state.report.facts["roles_guessed"]


def test_a_type_that_does_not_fit_is_refused_and_the_one_before_stays(panel):
    page = panel("table")
    upload(page, "patients.csv", PATIENTS)
    page.data.open_dialog()
    choose(page, "nom", "type", "number")
    assert "said to be number" in page.data.dialog.error.value
    assert "Dupont" not in page.data.dialog.error.value
    assert row(page, "nom")["type"] == "text"
    choose(page, "taille", "type", "text")
    assert row(page, "taille")["type"] == "text"
    page.data.dialog._use()
    assert page.state.data["taille"].kind == "category"
    upload(page, "other.csv", FRENCH.replace("taille", "height"))
    assert page.state.error == "", "a type of a column that this file does not have is forgotten"


def test_traces_of_other_columns_are_shown_with_a_map_and_can_be_changed(panel):
    page = panel("mobility")
    upload(page, "device.csv", traces("%Y-%m-%dT%H:%M:%SZ", ",", ".", ("device", "when", "y", "x")))
    dialog = page.data.dialog
    assert dialog is not None, "columns found by their values are shown at once"
    assert [one["role"] for one in dialog.table.rows] == ["id", "date", "latitude", "longitude"]
    assert "<svg" in dialog.map.value
    assert dialog.zone.layout.display == ""
    before = page.state.data.latitude[0]
    choose(page, "y", "role", "longitude")
    assert [one["role"] for one in dialog.table.rows] == ["id", "date", "longitude", "latitude"]
    dialog.zone.value = "Europe/Paris"
    dialog._use()
    assert page.state.data.longitude[0] == before
    assert page.state.data.clock == "Europe/Paris"
    assert page.state.recipe.reading["columns"] == "id=device,date=when,longitude=y,latitude=x"
    upload(page, "plain.csv", traces())
    assert page.data.dialog is None
    assert page.state.error == ""


def test_traces_whose_columns_nobody_can_tell_are_asked_for(panel):
    page = panel("mobility", "fr")
    lines = [f"p{n % 4};2024-01-{n % 28 + 1:02d} 08:15:00;45.{700 + n};44.{800 + n}" for n in range(80)]
    upload(page, "unknown.csv", "\n".join(["a;b;c;d", *lines]) + "\n")
    assert page.state.error == ""
    assert page.data.dialog.use.disabled
    choose(page, "c", "role", "latitude")
    assert not page.data.dialog.use.disabled
    page.data.dialog._use()
    assert len(page.state.data) == 80


@pytest.mark.parametrize("kind", ["traces", "avatars"])
def test_the_other_kinds_show_their_columns_too(panel, kind):
    page = panel(kind)
    study = "who;year;course\n" + "".join(f"p{n // 3};{2015 + n % 3};c{n % 2}\n" for n in range(300))
    upload(page, "mine.csv", PATIENTS if kind == "avatars" else study)
    page.data.open_dialog()
    known = [role for role, _ in page.data.dialog.table.rows[0]["roles"]]
    assert known[:2] == ["", "identifier"]
    assert ("quasi" in known) == (kind == "avatars")
    page.data.dialog._use()
    assert page.state.error == ""
    assert page.state.recipe.roles["guessed"] == ()


def test_a_bad_file_is_an_error_and_no_dialog(panel):
    page = panel("table")
    bad = next(one for one in TABLES if one.name == "ragged.csv")
    upload(page, bad.name, bad.content)
    assert "line 10" in say(page.state.error, "en")
    assert page.data.dialog is None


def test_the_sheet_of_a_workbook_is_asked_for_on_the_page(panel):
    page = panel("table", "fr")
    book = next(one for one in TABLES if one.name == "book_two_asked.xlsx")
    upload(page, book.name, book.content)
    dialog = page.data.dialog
    assert page.state.error == ""
    assert "feuilles" in dialog.error.value
    assert dialog.use.disabled
    dialog.sheet.value = "Sheet 1"
    assert [one["name"] for one in dialog.table.rows][:2] == ["nom", "ville"]
    dialog._use()
    assert page.state.recipe.reading["sheet"] == "Sheet 1"
    assert page.state.data.rows == 8


def test_guesses_given_with_a_file_that_has_questions_are_opened_after_them(panel, tmp_path):
    """`insanonym dashboard FILE --guesses` on a file whose columns cannot be told."""
    page = panel("mobility")
    lines = [f"p{n % 4};2024-01-{n % 28 + 1:02d} 08:15:00;45.{700 + n};44.{800 + n}" for n in range(80)]
    file, guesses = tmp_path / "unknown.csv", tmp_path / "guesses.json"
    file.write_text("\n".join(["a;b;c;d", *lines]) + "\n")
    guesses.write_text("{}")
    page.data.open_files(Opening(str(file), "mobility", guesses=str(guesses)))
    assert page.state.data is None
    choose(page, "c", "role", "latitude")
    page.data.dialog._use()
    assert page.state.guesses is not None


def test_a_file_that_cannot_be_opened_stays_told_while_the_demonstration_is_shown(panel, tmp_path):
    """`insanonym dashboard photo.csv`: the numbers of the made-up data are not taken for one's own."""
    page = panel("table")
    photo = tmp_path / "photo.csv"
    photo.write_bytes(bytes(range(256)) * 40)
    work, arrived = page.state.worker.submit, []
    page.state.worker.submit = lambda job, done, **more: arrived.append(done)
    page.state.refresh()  # the first report is under way
    page.state.worker.submit = work
    page.data.open_files(Opening(str(photo), "table"))
    assert "photo.csv" in str(page.state.error)
    arrived[0](page.state.report, None)
    assert "photo.csv" in str(page.state.error)
    page.state.refresh()  # a slider moved: somebody has seen it
    assert page.state.error == ""


def test_a_demonstration_set_is_not_read_as_the_upload_before_it(panel):
    """The columns of somebody's file are not named in a recipe that is shared afterwards."""
    page = panel("table")
    upload(page, "visits.csv", AMBIGUOUS)
    choose(page, "visit", "type", "date:mdy")
    page.data.dialog._use()
    assert page.state.recipe.reading
    page.data._chose({"new": "demo:patients"})
    assert page.state.data_name == "demo:patients"
    assert page.state.recipe.reading == {}
    assert page.state.report.recipe.reading == {}
