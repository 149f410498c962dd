"""Issue 17, number 18: a full temporary folder is a sentence on the page, without a path of the server."""

from __future__ import annotations

import errno
import logging
import os
import tempfile
from pathlib import Path

import pytest

from insanonym_core.errors import UsageError, WriteError
from insanonym_core.io import output
from insanonym_core.report import build
from insanonym_core.texts import french
from insanonym_dashboard.app import App
from insanonym_dashboard.downloads import MENU, NO_ROOM, TO_PUBLISH, temporary_folder

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def full(*_: object, **__: object) -> None:
    raise FULL


def no_folder(*_: object, **__: object) -> None:
    """As the standard library says it: with every folder that it tried."""
    raise FileNotFoundError(errno.ENOENT, f"No usable temporary directory found in {[tempfile.gettempdir()]}")


@pytest.fixture
def page(at_once) -> App:
    app = App("en")
    app.open("table")
    return app


def failed(app: App, name: str) -> str:
    """What the page says after a download that cannot be written."""
    app.download_menu.chose(name)
    said = app.panels[app.tab].status.banner.value
    for path in (tempfile.gettempdir(), str(Path(__file__).parents[2]), "/"):
        assert path not in said.replace("</p>", "")
    return said


@pytest.mark.slow
@pytest.mark.parametrize("name", [TO_PUBLISH, "Report (HTML)"])
@pytest.mark.parametrize("where", ["no folder", "no file", "no room for a file", "no draft"])
def test_a_download_that_cannot_be_written_names_no_path(page, monkeypatch, caplog, name, where):
    if where == "no folder":
        monkeypatch.setattr(tempfile, "mkdtemp", no_folder)
    elif where == "no file":
        monkeypatch.setattr(output.tempfile, "mkstemp", full)
        monkeypatch.setattr(build, "_temporary_folder", full)
    elif where == "no room for a file":
        monkeypatch.setattr(Path, "replace", full)
        monkeypatch.setattr(build.shutil, "move", full)
    else:
        monkeypatch.setattr(Path, "chmod", full)
        monkeypatch.setattr(Path, "write_text", full)
    with caplog.at_level(logging.WARNING):
        assert "temporary folder is full" in failed(page, name)
    assert "could not be written" in caplog.text  # where the server was started, the path helps


@pytest.mark.slow
def test_what_else_goes_wrong_is_a_sentence_too(page, monkeypatch):
    def broken(*_: object) -> None:
        raise ValueError("something of ours")

    monkeypatch.setitem(MENU, TO_PUBLISH, broken)
    assert "Something went wrong here" in failed(page, TO_PUBLISH)


def test_other_errors_pass_unchanged():
    with pytest.raises(UsageError, match="not this one"), temporary_folder():
        raise UsageError("not this one")
    with pytest.raises(UsageError) as found, temporary_folder():
        raise WriteError("/some/where cannot be written")
    assert str(found.value) == NO_ROOM
    assert NO_ROOM in french()
