"""docs/report.md: every command and the Python example run, and write what the page says."""

import re
import shlex
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1] / "docs"
TEXT = (HERE / "report.md").read_text("utf-8")
FILES = dict(re.findall(r"^```yaml\n# (\S+)\n(.*?)```", TEXT, re.M | re.S))
COMMANDS = re.findall(r"^    insanonym ([^\n]*)$", TEXT, re.M)
WRITTEN = {
    "report light.yaml -o report": ("report/index.html", "report/figures/who-pays.svg", "report/scores.csv"),
    "report light.yaml strong.yaml": ("comparison/recipe-2/index.html", "comparison/figures/plane.svg"),
    "report light.yaml -o column": (
        "column/figures/rows-deleted-in-each-pass.pdf",
        "column/figures/who-pays.caption.txt",
        "column/figures/figures.tex",
        "column/figures/figures-word.html",
    ),
    "sweep light.yaml": ("front.pdf", "front.caption.txt", "sweep.csv"),
    "study enrolments.yaml": ("study/publish/up13_text.fr.html", "study/working/up13_cleaned.csv"),
}


@pytest.fixture
def with_files(tmp_path, monkeypatch):
    """A folder with the files that the page shows."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_text(content, encoding="utf-8")
    Path("enrolments.yaml").write_text((HERE / "enrolments.yaml").read_text("utf-8"), encoding="utf-8")


def test_every_command_is_tried():
    assert {*FILES} == {"light.yaml", "strong.yaml"}
    assert len(COMMANDS) == len(WRITTEN)
    assert all(any(command.startswith(begin) for begin in WRITTEN) for command in COMMANDS)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_writes_what_the_page_says(run, command, with_files):
    done = run(*shlex.split(command))
    assert done.code == 0, done.err
    for name in next(names for begin, names in WRITTEN.items() if command.startswith(begin)):
        assert Path(name).stat().st_size > 0, name


@pytest.mark.slow
@pytest.mark.browser
def test_the_python_examples_run(with_files):
    code = "\n".join(re.findall(r"^```python\n(.*?)```", TEXT, re.M | re.S))
    exec(compile(code, "report.md", "exec"), {})  # noqa: S102  our own page
    assert {"places.caption.txt", "one.caption.txt"} <= {path.name for path in Path().iterdir()}
    assert Path("fig.pdf").read_bytes().startswith(b"%PDF")
    assert 'width="170mm"' in Path("figure.svg").read_text("utf-8")


def test_every_field_of_a_study_is_named():
    from insanonym_core.study.plan import FIELDS

    paragraph = TEXT[TEXT.index("A study has the fields") :]
    assert all(f"`{name}`" in paragraph for name in FIELDS)
