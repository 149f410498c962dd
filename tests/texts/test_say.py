"""Texts are filled in the way of their language, also after a journey to another process."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from insanonym_core.errors import DataError, Problem, UsageError, brief, choices, listed
from insanonym_core.texts import Phrase, join_texts, say

NARROW = "\u202f"


def test_say():
    assert say("Rows kept", "fr") == "Lignes conservées"
    assert say("Rows kept") == "Rows kept"
    assert say("a column", "fr") == "a column"
    assert say("{days} or more", "fr", days=7) == "7 ou plus"
    phrase = Phrase("median, {group}", group=Phrase("originals"))
    assert phrase == say(phrase) == "median, originals"
    assert say(phrase, "fr") == "médiane, originaux"


@pytest.mark.parametrize(
    ("template", "value", "english", "french"),
    [
        ("{x}", 12345, "12345", "12345"),
        ("{x:,}", 1234567, "1,234,567", f"1{NARROW}234{NARROW}567"),
        ("{x:.1f}", 2.25, "2.2", "2,2"),
        ("{x:,}", np.int64(1234), "1,234", f"1{NARROW}234"),
        ("{x:.0%}", 0.5, "50%", f"50{NARROW}%"),
        ("{x}", "1.5", "1.5", "1.5"),
        ("{x}", True, "True", "True"),
    ],
)
def test_numbers_are_written_in_the_way_of_the_language(template, value, english, french):
    phrase = Phrase(template, x=value)
    assert (phrase, say(phrase, "fr")) == (english, french)
    assert say(template, "fr", x=value) == french or isinstance(value, np.generic)


@pytest.mark.parametrize(
    ("n", "english", "french"), [(0, "0 rows", "0 ligne"), (1, "1 row", "1 ligne"), (2, "2 rows", "2 lignes")]
)
def test_plurals(n, english, french):
    phrase = Phrase.plural("{n:,} row", "{n:,} rows", n=n)
    assert (phrase, say(phrase, "fr")) == (english, french)


def test_a_phrase_survives_another_process():
    phrase = Phrase.plural("{n:,} row", "{n:,} rows", n=1200)
    for again in (pickle.loads(pickle.dumps(phrase)), copy.copy(phrase), copy.deepcopy(phrase)):  # noqa: S301
        assert isinstance(again, Phrase)
        assert say(again, "fr") == f"1{NARROW}200 lignes"


def test_an_error_survives_another_process():
    problem = Problem("bad-date", Phrase("Rows kept"), 30, (1, 2), "f.csv")
    for error in (UsageError("Step {number}: {error}", number=2, error=DataError.of([problem])),):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301
        assert type(again) is type(error)
        assert str(again) == str(error) == "Step 2: f.csv, lines 1, 2 and 28 more: Rows kept"
        assert again.say("fr") == "Étape 2\u00a0: f.csv, lignes 1, 2 et 28 autres\u00a0: Lignes conservées"
    again = pickle.loads(pickle.dumps(DataError.of([problem])))  # noqa: S301
    assert again.problems == (problem,)
    assert say(again.problems[0].message, "fr") == "Lignes conservées"


def test_a_problem_names_its_place_in_both_languages():
    alone = Problem("x", Phrase("Rows kept"), 1, (7,))
    assert alone.sentence() == "line 7: Rows kept"
    assert say(alone.sentence(), "fr") == "ligne 7\u00a0: Lignes conservées"
    assert say(Problem("x", Phrase("Rows kept")).sentence(), "fr") == "Lignes conservées"
    assert say(Problem("x", "theirs", file="f").sentence(), "fr") == "f\u00a0: theirs"


def test_lists_of_names():
    assert say(choices(["v2", "v1"]), "fr") == "v2 ou v1"
    assert say(choices(["v2"]), "fr") == "v2"
    assert say(listed(f"c{place}x" for place in range(31)), "fr").endswith("c29x et 1 autre")
    assert say(listed(f"c{place}x" for place in range(32)), "fr").endswith("c29x et 2 autres")
    assert say(join_texts(", ", [Phrase("Rows kept"), "b"]), "fr") == "Lignes conservées, b"
    assert brief("x") == "'x'"


def test_english_needs_no_babel():
    code = (
        "import sys; from insanonym_core.cli import main; from insanonym_core.errors import UsageError;"
        "str(UsageError('{x:,}', x=1)); sys.exit('babel' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
