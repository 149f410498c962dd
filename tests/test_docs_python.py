"""docs/python.md: every block runs, in order, and prints what stands below it; README begins like it."""

import contextlib
import doctest
import inspect
import io
import re
from pathlib import Path

import pytest

import insanonym_core as insanonym

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "python.md").read_text("utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)
BLOCKS = BLOCK.findall(TEXT)


def printed(code: str, names: dict[str, object]) -> str:
    """What a block prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)  # noqa: S102  our own document
    return re.sub(r" +$", "", out.getvalue(), flags=re.M)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Roles guessed:insanonym_core.errors.InsanonymWarning")
def test_the_page_prints_what_it_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    assert len(BLOCKS) == TEXT.count("```python")
    for code, shown in BLOCKS:
        found = printed(code, names)
        if shown or not found:
            assert found == shown, code


def test_the_readme_begins_like_the_page():
    (code,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    assert code == BLOCKS[0][0]


FUNCTIONS = [name for name in insanonym.__all__ if inspect.isfunction(getattr(insanonym, name))]


@pytest.mark.parametrize("name", ["insanonym_core", *FUNCTIONS])
def test_the_examples_of_docstrings_are_true(name):
    found = insanonym if name == "insanonym_core" else getattr(insanonym, name)
    examples = doctest.DocTestParser().get_doctest(inspect.getdoc(found), {}, name, None, None)
    assert examples.examples
    told = io.StringIO()
    assert doctest.DocTestRunner().run(examples, out=told.write).failed == 0, told.getvalue()


def test_the_page_names_everything():
    members = {name for name, _ in inspect.getmembers(insanonym.Result) if not name.startswith("_")}
    shown = TEXT.partition("## What a result has")[2]
    assert [name for name in members - {"measured", "privacy_at_most"} if f"`{name}" not in shown] == []
    assert [name for name in FUNCTIONS if f"{name}" not in TEXT] == []
