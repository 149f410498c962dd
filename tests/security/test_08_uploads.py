"""8: the name of an upload is never opened as a path; its report works and has no digest of another file."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from insanonym_core.recipe import Recipe, Step
from insanonym_core.report.build import salted_digest
from insanonym_core.runtime.jobs import Job
from insanonym_dashboard.downloads import page
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState
from insanonym_dashboard.uploads import clean_name, read_upload

TABLE = ("age,town\n" + "".join(f"{30 + n % 7},{'ab'[n % 2]}\n" for n in range(60))).encode()
RECIPE = Recipe(
    (Step("mondrian", {"k": 5}),), data="demo:patients", kind="table", roles={"quasi": ("age", "town")}
)


def _reported(name: str) -> str:
    """The report page of an upload of this name, as the dashboard makes it."""
    state = TabState(replace(RECIPE, data="demo:patients"), Session())
    state.worker.submit = lambda work, done, **_: done(work(Job()), None)
    upload = read_upload(clean_name(name), len(TABLE), TABLE, "table")
    state.set_data(upload.name, upload.data)
    state.file_digest = upload.digest
    state.refresh()
    report = state.named_report()
    assert report is not None
    assert report.file_digest == hashlib.sha256(TABLE).hexdigest()
    shown = page(report, "en", salt="a salt")[1].decode()
    assert salted_digest(report.file_digest, "a salt") in shown
    assert report.file_digest not in shown
    return shown


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("clinic.csv", "clinic.csv"),
        ("/etc/passwd", "passwd"),
        ("..\\..\\secret\\clinic.csv", "clinic.csv"),
        ("demo:patients", "demo_patients"),
        ("a\nb\x00.csv", "ab.csv"),
        ("..", "upload"),
        ("", "upload"),
        ("x" * 500 + ".csv", "x" * 40 + "…" + "x" * 36 + ".csv"),
    ],
)
def test_names_are_clean_base_names(given, clean):
    assert clean_name(given) == clean


def test_the_report_of_an_ordinary_upload_can_be_made(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "clinic.csv" in _reported("clinic.csv")


@pytest.mark.slow
def test_a_file_of_the_same_name_does_not_lend_its_digest(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "clinic.csv"
    other.write_text("a file of the server")
    seen = _reported("clinic.csv") + _reported(str(other))
    assert hashlib.sha256(other.read_bytes()).hexdigest() not in seen
    assert str(tmp_path) not in seen


def test_no_file_is_opened_whatever_the_name(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    forbidden = tmp_path / "clinic.csv"
    forbidden.write_text("x")
    opened: list[str] = []
    really = Path.open
    monkeypatch.setattr(
        Path, "open", lambda path, *rest, **more: opened.append(str(path)) or really(path, *rest, **more)
    )
    _reported("clinic.csv")
    assert not [path for path in opened if Path(path).name == "clinic.csv"]
