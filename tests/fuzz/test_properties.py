"""What hypothesis thinks of: structures drawn piece by piece. The same ones every time."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from insanonym_core.errors import InsanonymError
from insanonym_core.io.sources import source_of_bytes
from insanonym_core.mobility.attack_files import read_guesses, write_guesses
from insanonym_core.recipe_file import recipe_from_text, recipe_to_text
from insanonym_core.tabular.files import read_table, read_texts, write_frame
from tests.fuzz.seeds import SECRET
from tests.fuzz.summary import PROPERTY
from tests.fuzz.tally import Tally, more
from tests.helpers import reading
from tests.levels import at_level

drawn = settings(
    derandomize=True,
    database=None,
    max_examples=at_level(20, 100, 200) * max(1, more()),
    suppress_health_check=list(HealthCheck),
)
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.just(SECRET),
    st.just("2015-10"),
)
NESTED = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
)
CELL_TEXT = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        ["", "NA", "-1", "+1", "=1", "1,5", "1e400", "2015-03-04", '"', "\r", "DEL", "\0", SECRET]
    ),
)
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELL_TEXT, min_size=width, max_size=width), max_size=6)
)


@pytest.fixture
def count(request, record_property):
    """Counts like those of the spoilt files."""
    tally = Tally(request.node.name.removeprefix("test_").replace("_", " "))
    yield lambda outcome: tally.note("drawn by hypothesis", 0, outcome, "", 0.0)
    record_property(PROPERTY, tally.as_json())


def refused(read, *arguments) -> str:
    """Whether a file is refused; the message tells nothing that stood in it."""
    try:
        read(*arguments)
    except InsanonymError as error:
        message = str(error)
    else:
        return "accepted"
    assert SECRET not in message.partition("columns called")[0]  # names of columns may be told
    assert message.strip()
    return "refused"


def as_csv(rows) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


def test_any_json_as_an_attack(tmp_path, count):
    path, again = tmp_path / "a.json", tmp_path / "b.json"

    def sound():
        found = read_guesses(path)
        write_guesses(found, again, force=True)
        assert read_guesses(again) == found

    @drawn
    @given(
        st.one_of(NESTED, st.dictionaries(st.text(max_size=4), st.dictionaries(st.just("2015-10"), NESTED)))
    )
    def check(content):
        path.write_text(json.dumps(content), encoding="utf-8")
        count(refused(sound))

    check()


def test_any_yaml_as_a_recipe(count):
    fields = st.sampled_from(
        ["data", "kind", "seed", "rules", "roles", "reading", "settings", "headline", "steps"]
    )
    step = st.dictionaries(st.sampled_from(["cloak", "mondrian", "pseudonymise", "x"]), NESTED, max_size=2)

    def sound(text):  # a recipe is no data: its settings are told
        found = recipe_from_text(text)
        assert recipe_from_text(recipe_to_text(found)) == found

    @drawn
    @given(st.one_of(NESTED, st.dictionaries(fields, st.one_of(NESTED, st.lists(step, max_size=3)))))
    def check(content):
        count(refused(sound, json.dumps(content).replace(SECRET, "city")))  # JSON is YAML

    check()


def test_any_cells_as_a_table(count):
    @drawn
    @given(ROWS)
    def check(rows):
        source = source_of_bytes("a.csv", as_csv(rows))
        count(refused(read_table, source))

    check()


def test_any_cells_survive_a_table(tmp_path, count):
    """What is written is what is read: formulas, quotation marks and line breaks included."""
    texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)

    @drawn
    @given(st.lists(texts, min_size=1))
    def check(cells):
        frame = pd.DataFrame({"a": [f"{cell}x" for cell in cells], "=b": cells})
        for name, mark in (("a.csv", ","), ("a.tsv", "\t")):
            write_frame(frame, tmp_path / name, force=True)
            found = read_texts(tmp_path / name)
            assert list(found.columns) == ["a", "=b"]
            assert found["=b"].tolist() == cells
            text = io.StringIO((tmp_path / name).read_bytes().decode(), newline="")
            written = [cell for row in csv.reader(text, delimiter=mark) for cell in row]
            assert not [cell for cell in written if cell[:1] in ("=", "@", "\t", "\r")]
        count("accepted")

    check()


def test_any_cells_as_gps_traces(count):
    @drawn
    @given(ROWS)
    def check(rows):
        def problems():
            found = reading(as_csv(rows))
            assert SECRET not in "".join(problem.sentence() for problem in found.problems)
            assert len(found.usable) == len(found.track)

        count(refused(problems))

    check()


def test_a_tally_counts():
    tally = Tally("x")
    tally.note("a", 1, "failed", "why", 0.5)
    assert (tally.kinds, tally.failures) == (Counter(a=1), ["x / a / 1: why"])
