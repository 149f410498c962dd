"""insanonym lessons."""

from insanonym_core.lessons import LESSONS


def test_lessons_are_copied_once(run, tmp_path):
    first = run("lessons", tmp_path / "mine", "--no-open", "--lang", "fr")
    assert first.code == 0
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == [one.file("fr") for one in LESSONS]
    again = run("lessons", tmp_path / "mine", "--no-open")
    assert "7 that were there stay as they are" in again.err


def test_wrong_calls_are_one_sentence(run, tmp_path):
    assert "The lessons are in en and fr" in run("lessons", tmp_path, "--lang", "de", "--no-open").err
    (tmp_path / "file").write_text("")
    refused = run("lessons", tmp_path / "file", "--no-open")
    assert refused.code == 2
    assert "cannot be made" in refused.err
