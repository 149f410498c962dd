"""Options that changed their name: the old one still works and is not shown."""

import pytest

RENAMED = (
    (("league", "play"), "most-releases", "max-releases", "0"),
    (("league", "play"), "most-attacks", "max-attacks", "0"),
    (("avatars", "make"), "without", "drop", "nothing"),
    (("avatars", "score"), "without", "drop", "nothing"),
)


@pytest.mark.parametrize(("command", "old", "new", "refused"), RENAMED)
def test_the_old_name_works_and_is_hidden(run, tmp_path, command, old, new, refused):
    shown = run(*command, "--help").out
    assert f"--{new}" in shown
    assert f"--{old}" not in shown
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "".join(f"{row},{row % 7}\n" for row in range(20)))
    files = {("league", "play"): [tmp_path], ("avatars", "score"): [table, table]}
    arguments = files.get(command, [table, "-o", tmp_path / "made.csv"])
    by_old, by_new = (run(*command, *arguments, f"--{name}", refused) for name in (old, new))
    assert by_old.code == by_new.code == 2
    assert by_old.err == by_new.err
    assert "No such option" not in by_old.err
