"""Files are written whole or not at all, and nobody's work is overwritten."""

import os
import stat

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.io.output import writing


def test_a_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(RuntimeError), writing(tmp_path / "a.txt") as beside:
        beside.write_text("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_needs_force(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("mine")
    with pytest.raises(UsageError, match="--force"), writing(path):
        pass
    with pytest.raises(RuntimeError), writing(path, force=True) as beside:
        beside.write_text("half")
        raise RuntimeError
    assert path.read_text() == "mine"
    with writing(path, force=True) as beside:
        beside.write_text("whole")
    assert path.read_text() == "whole"


def test_a_source_is_never_overwritten(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("mine")
    (tmp_path / "link").symlink_to(path)
    with (
        pytest.raises(UsageError, match="also read"),
        writing(tmp_path / "link", force=True, sources=(path,)),
    ):
        pass


def test_folders(tmp_path):
    with pytest.raises(UsageError, match="is a folder"), writing(tmp_path):
        pass
    with pytest.raises(UsageError, match="does not exist"), writing(tmp_path / "none" / "a.txt"):
        pass


def test_usual_rights(tmp_path):
    with writing(tmp_path / "a.txt") as beside:
        beside.write_text("x")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o666 & ~mask


def test_private_files_and_kept_rights(tmp_path):
    with writing(tmp_path / "lookup.csv", private=True) as beside:
        beside.write_text("x")
    assert stat.S_IMODE((tmp_path / "lookup.csv").stat().st_mode) == 0o600
    (tmp_path / "a.txt").write_text("mine")
    (tmp_path / "a.txt").chmod(0o640)
    with writing(tmp_path / "a.txt", force=True) as beside:
        beside.write_text("x")
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_what_is_no_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="not a regular file"), writing(tmp_path / "pipe", force=True):
        pass
    with pytest.raises(UsageError, match="cannot be written"), writing(tmp_path / ("x" * 300)):
        pass
