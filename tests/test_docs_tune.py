"""docs/tune.md: every command runs, and prints the numbers that stand below it."""

import re
import shlex
from pathlib import Path

import pytest

from insanonym_core.kinds import all_kinds
from insanonym_core.registry import metrics

TEXT = (Path(__file__).parents[1] / "docs" / "tune.md").read_text("utf-8")
# An example is a command, indented, and the block of text that it prints.
EXAMPLES = re.findall(r"^    insanonym ([^\n]*)\n\n```text\n(.*?)```", TEXT, re.M | re.S)
TITLES = [shlex.split(command)[1] + ", none" * ("None was" in shown) for command, shown in EXAMPLES]
TOLERANCE = 0.03
OF_FEW = 0.09  # of 30 people: pseudonyms are never repeated, and break ties of some attacks


@pytest.fixture
def where_commands_run(run, tmp_path, monkeypatch):
    """A folder with what the commands before an example have written."""
    monkeypatch.chdir(tmp_path)
    demo = re.search(r"^    insanonym (demo .*)$", TEXT, re.M).group(1)
    assert run(*shlex.split(demo)).code == 0


def test_there_is_an_example_of_each_kind_and_one_that_fails():
    data = {shlex.split(command)[1] for command, _ in EXAMPLES}
    assert data == {"small.tsv", "demo:patients", "demo:enrolments", "demo:breast_cancer"}
    assert sum("None was found" in shown for _, shown in EXAMPLES) == 1


def _tried(command, shown):
    """Avatars take longest."""
    long = "demo:breast_cancer" in command
    return pytest.param(command, shown, marks=pytest.mark.long if long else pytest.mark.slow)


@pytest.mark.parametrize(("command", "shown"), [_tried(*one) for one in EXAMPLES], ids=TITLES)
def test_an_example_prints_what_it_shows(run, command, shown, where_commands_run):
    done = run(*shlex.split(command))
    assert done.code == 0, done.err
    printed, wanted = (" ".join(text.split()) for text in (done.out, shown))
    pattern = r"(\d+(?:\.\d+)?)".join(map(re.escape, re.split(r"\d+(?:\.\d+)?", wanted)))
    if "small.tsv" in command:  # ties: another attack may decide, another candidate be first
        pattern = re.sub(r"“.*?”", "“.*?”", pattern)
        pattern = re.sub(r"candidates?\\ w\w+", r"candidates?\\ w\\w+", pattern)
        pattern = pattern.replace(r"individuals\ Privacy", r"individuals(?:\ →\ Pseudonyms)?\ Privacy")
    found = re.search(pattern, printed)
    assert found, (pattern, printed)
    numbers = [float(one) for one in re.findall(r"\d+(?:\.\d+)?", wanted)]
    near = OF_FEW if "small.tsv" in command else TOLERANCE
    for told, number in zip(map(float, found.groups()), numbers, strict=True):
        assert told == pytest.approx(number, abs=near if number < 1 else 100 * near), number


@pytest.mark.slow
def test_a_search_goes_on_as_it_is_told(run, where_commands_run):
    for command in re.findall(r"^    insanonym (tune .*--front trials\.csv.*)$", TEXT, re.M):
        fewer = re.sub(r"--trials (\d+)0", r"--trials \1", command)
        done = run(*shlex.split(fewer))
        assert done.code == 0, done.err
    assert len(Path("trials.csv").read_text().splitlines()) == 1 + 40


@pytest.mark.slow
def test_the_first_command_runs(run, where_commands_run):
    command = re.search(r"^    insanonym (tune traces\.tsv .*)$", TEXT, re.M).group(1)
    Path("small.tsv").rename("traces.tsv")
    done = run(*shlex.split(command), "--trials", 20, "--json")
    assert done.code == 0, done.err
    assert [one["name"] for one in done.json["wish"]["bounds"]] == ["privacy", "utility.poi"]
    assert Path("best.yaml").exists() == done.json["found"]


def test_what_is_set_apart_is_named():
    for kind in all_kinds().values():
        row = re.search(rf"^\| {kind.name} \| (.*) \|$", TEXT, re.M).group(1)
        for key in kind.held_out:
            assert f"`{key.partition('.')[2]}`" in row
        assert kind.held_out or "none" in row
    assert {"linkage", "inference"} <= {entry.name for entry in metrics.all(data="table")}
