"""docs/performance.md: its tables are those that `make bench` writes; what misses its limit is bold."""

import re

import pytest

from benchmarks import __main__ as bench
from benchmarks.ratios import Ratio, table
from benchmarks.subjects import SUBJECTS, section
from tests.docs.reading import DOCS, text_of

TEXT = text_of("docs/performance.md")
TABLES = TEXT.partition(bench.BEGIN)[2].partition(bench.END)[0]
ROWS = re.findall(r"^\| (?!what |---)(.*) \|$", TABLES, re.M)


@pytest.mark.parametrize("row", ROWS)
def test_what_misses_its_limit_is_bold(row):
    what, _, ratio, wanted = row.split(" | ")
    value = float(ratio.strip("*×").replace(",", ""))
    assert ratio.startswith("**") == (not Ratio(what, "", value, wanted.strip()).met), row


def test_it_is_grouped_by_subject_each_with_a_sentence():
    titles = re.findall(r"^## (.*)$", TABLES, re.M)
    known = dict(SUBJECTS.values())
    assert titles == [title for title, _ in SUBJECTS.values() if title in titles]
    assert len(titles) >= 6
    for title in titles:
        assert f"## {title}\n\n{known[title]}\n\n| what |" in TABLES
    assert len(ROWS) > 50


def test_the_writer_puts_its_tables_between_the_marks(tmp_path):
    page = tmp_path / "performance.md"
    page.write_text(TEXT, "utf-8")
    slow = Ratio("something", "something else", 3.5, "≤ 2")
    bench.write({"tables": [slow], "sweep": [Ratio("a sweep", "in two", 1.9, "≥ 1.6")]}, page)
    written = page.read_text("utf-8")
    before, after = TEXT.partition(bench.BEGIN)[0], TEXT.partition(bench.END)[2]
    assert written.startswith(before)
    assert written.endswith(after)
    assert section("tables", [slow]) in written
    assert "| something | something else | **3.5×** | ≤ 2 |" in written
    assert all(row not in written for row in ROWS)
    assert written.count(table([]).splitlines()[0]) == 2


def test_a_page_without_marks_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing", "utf-8")
    with pytest.raises(SystemExit, match="needs the lines"):
        bench.write({}, page)


def test_every_benchmark_has_a_subject():
    files = {
        one.stem
        for one in (DOCS.parent / "benchmarks").glob("*.py")
        if "def ratios(" in one.read_text("utf-8")
    }
    assert files == set(bench.NAMES)
