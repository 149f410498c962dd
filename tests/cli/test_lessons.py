"""insanonym lessons."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

from insanonym_core.lessons import LESSONS


def test_lessons_are_copied_once(run, tmp_path):
    first = run("lessons", tmp_path / "mine", "--no-open", "--lang", "fr")
    assert first.code == 0
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == [one.file("fr") for one in LESSONS]
    again = run("lessons", tmp_path / "mine", "--no-open")
    assert "7 that were there stay as they are" in again.err


def test_wrong_calls_are_one_sentence(run, tmp_path):
    assert (
        "The language of the lessons must be en or fr"
        in run("lessons", tmp_path, "--lang", "de", "--no-open").err
    )
    (tmp_path / "file").write_text("")
    refused = run("lessons", tmp_path / "file", "--no-open")
    assert refused.code == 2
    assert "cannot be made" in refused.err


def test_jupyterlab_is_opened_here_and_asks_nobody_for_news_or_updates(run, tmp_path, monkeypatch):
    asked: list[str] = []
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", SimpleNamespace(main=asked.extend))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "")
    monkeypatch.chdir(tmp_path)  # JupyterLab is started in the folder of the lessons
    assert run("lessons", tmp_path / "mine").code == 0
    assert "--ServerApp.ip=127.0.0.1" in asked
    assert "--LabApp.news_url=" in asked
    assert "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate" in asked
    from jupyter_core.paths import jupyter_config_path

    settings = Path(jupyter_config_path()[0]) / "labconfig" / "default_setting_overrides.json"
    known = json.loads(settings.read_text(encoding="utf-8"))["@jupyterlab/apputils-extension:notification"]
    assert known == {"checkForUpdates": False, "fetchNews": "false"}
