"""Footprints, attack files and their score."""

import json

import pytest

from insanonym_core.errors import DataError, UsageError
from insanonym_core.mobility.attack_files import read_guesses, write_guesses
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.scoring import score_guesses
from tests.helpers import checked, lines, pair

ORIGINAL = lines(
    "a, 2015-12-28 10:00:00, 45.7, 4.8",
    "a, 2016-01-04 10:00:00, 45.7, 4.8",
    "b, 2015-12-28 10:00:00, 45.8, 4.9",
    "b, 2015-12-29 10:00:00, 45.8, 4.9",
)
RELEASE = lines(
    "p, 2015-12-28 10:00:00, 45.7, 4.8",
    "DEL, , ,",
    "q, 2015-12-28 10:00:00, 45.8, 4.9",
    "q, 2015-12-29 10:00:00, 45.8, 4.9",
)
SECRET = {"a": {"2015-53": "p", "2016-1": "DEL"}, "b": {"2015-53": "q"}}


def test_footprint():
    secret = footprint(pair(ORIGINAL, RELEASE))
    assert secret.answers == SECRET
    assert secret.pairs == 3
    # Two candidates in the first week; in the second none is left, so DEL is certain.
    assert secret.chance() == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)


def test_the_footprint_as_an_attack_scores_one():
    secret = footprint(pair(ORIGINAL, RELEASE))
    assert score_guesses(secret, secret.as_guesses()).value == 1


def test_an_invalid_release_counts_its_more_frequent_pseudonym():
    rows = [f"a, 2015-12-28 10:00:0{i}, 45.7, 4.8" for i in range(5)]
    tokens = ["z", "y", "y", "x", "x"]
    release = [row.replace("a,", f"{token},") for row, token in zip(rows, tokens, strict=True)]
    found = checked(lines(*rows), lines(*release)).pair(allow_invalid=True)
    assert footprint(found).answers == {"a": {"2015-53": "x"}}


@pytest.mark.parametrize(
    ("guesses", "points"),
    [
        ({}, 0),
        ({"a": {"2015-53": ("p",)}}, 1),
        ({"a": {"2015-53": ("p", "q")}}, 1 / 2),
        ({"a": {"2015-53": ("p", "p", "q", "p")}}, 1 / 2),  # duplicates count once
        ({"a": {"2015-53": ()}}, 0),
        ({"a": {"2015-53": ("q",)}}, 0),
        ({"a": {"2016-1": ("DEL",)}}, 1),
        ({"a": {"2016-1": ("DEL", "p", "q")}}, 1 / 3),
        ({"a": {"2016-2": ("p",)}, "nobody": {"2015-53": ("p",)}}, 0),  # not in the original: ignored
        ({"a": {"2015-53": ("p",), "2016-1": ("DEL",)}, "b": {"2015-53": ("p", "q")}}, 2.5),
    ],
)
def test_one_over_n(guesses, points):
    score = score_guesses(footprint(pair(ORIGINAL, RELEASE)), guesses)
    assert score.value == pytest.approx(points / 3)
    low, high = score.interval
    assert 0 <= low <= score.value <= high <= 1


def test_attack_files_read_back(tmp_path):
    guesses = {"007": {"2015-53": ("p", "é"), "2016-1": ()}}
    write_guesses(guesses, tmp_path / "a.json")
    assert read_guesses(tmp_path / "a.json") == guesses
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == {
        "007": {"2015-53": ["p", "é"], "2016-1": []}
    }
    with pytest.raises(UsageError, match="exists already"):
        write_guesses(guesses, tmp_path / "a.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: this is not JSON"),
        ('{"a": \n {"2015-53": ["p"],}}', "line 2: this is not JSON"),
        ("[]", "one JSON object"),
        ('{"a": ["p"]}', "entry 1: weeks must be"),
        ('{"a": {"2015-W53": ["p"]}}', "a week must be written as 2015-10"),
        ('{"a": {"2016-01": ["p"]}}', "a week must be written as 2015-10"),
        ('{"a": {"2015-53": "p"}}', "list of texts"),
        ('{"a": {"2015-53": [7]}}', "list of texts"),
        ('{"a": {}, "a": {}}', "twice"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "too long"),
    ],
)
def test_attack_files_of_another_shape(tmp_path, text, message):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_guesses(path)


def test_attack_files_that_are_no_files(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_guesses(tmp_path / "none.json")
    (tmp_path / "a.json").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="not UTF-8"):
        read_guesses(tmp_path / "a.json")


def test_weeks_in_order_and_small_weeks_together():
    """Weeks of fewer than five people are merged: a week of one person would name that person."""
    rows = [
        f"{who}, {day} 10:00:00, 45.7, 4.8"
        for day, people in (("2016-03-14", "abcde"), ("2016-01-04", "bcdef"), ("2016-03-07", "abcdefg"))
        for who in people
    ]
    rows.append("a, 2016-05-02 10:00:00, 45.7, 4.8")
    secret = footprint(pair(lines(*rows), lines(*rows)))
    assert score_guesses(secret, {}).evidence[0].labels == ("2016-1", "2016-10", "2016-11", "(other weeks)")


def test_a_name_in_the_place_of_a_week_is_not_repeated(tmp_path):
    (tmp_path / "a.json").write_text('{"2015-10": {"Jean Dupont": ["x"]}}')
    with pytest.raises(DataError, match="got 'aaaa aaaaaa'"):
        read_guesses(tmp_path / "a.json")
