"""Attacks on small cases, and the one-to-one matching by its total cost."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.mobility.attacks import everything
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.registry import attacks
from tests.helpers import as_text, checked, lines, pair, random_pair
from tests.levels import examples
from tests.mobility import literal_attacks

ORIGINAL = lines(
    "a, 2015-03-02 10:00:00, 45.70, 4.8",
    "a, 2015-03-02 11:00:00, 45.70, 4.8",
    "b, 2015-03-02 22:00:00, 45.80, 4.8",
)


def guess(name: str, original: str, release: str):
    found = pair(original, release)
    guesses = attacks.get(name, data="mobility").item(Crowd.known(found.original), Crowd.seen(found.release))
    return {who: tried for who, weeks in guesses.items() for tried in weeks.values()}


def renamed(a: str, b: str, text: str = ORIGINAL) -> str:
    return text.replace("a\t", f"{a}\t").replace("b\t", f"{b}\t")


@pytest.mark.parametrize("name", ["naive", "mean_position", "mean_hour", "heatmap", "assignment"])
def test_plain_renaming_hides_nobody(name):
    assert guess(name, ORIGINAL, renamed("p", "q")) == {"a": ("p",), "b": ("q",)}


def test_poi_guesses_only_who_has_a_place():
    assert guess("poi", ORIGINAL, renamed("p", "q")) == {"a": ("p",), "b": ()}


def test_naive_without_an_equal_count_does_not_guess():
    release = renamed("p", "q").replace("p\t2015-03-02 11:00:00\t45.70\t4.8", "DEL\t\t\t")
    assert guess("naive", ORIGINAL, release) == {"a": (), "b": ("p", "q")}


def test_coverage_lets_the_distance_break_ties_only():
    assert guess("coverage", ORIGINAL, renamed("p", "q")) == {"a": ("p",), "b": ("q",)}


def test_opposite_times_have_no_mean():
    original = lines(
        "a, 2015-03-02 03:17:00, 45.7, 4.8",
        "a, 2015-03-02 15:17:00, 45.7, 4.8",
        "b, 2015-03-02 03:00:00, 45.7, 4.8",
    )
    assert guess("mean_hour", original, renamed("p", "q", original)) == {"a": (), "b": ("q",)}


def test_midnight_is_next_to_midnight():
    original = lines("a, 2015-03-02 23:50:00, 45.7, 4.8", "b, 2015-03-02 12:00:00, 45.7, 4.8")
    release = lines("p, 2015-03-02 00:10:00, 45.7, 4.8", "q, 2015-03-02 14:00:00, 45.7, 4.8")
    assert guess("mean_hour", original, release) == {"a": ("p",), "b": ("q",)}


def test_those_without_a_pseudonym_left_are_matched_with_del():
    release = renamed("p", "q").replace("q\t2015-03-02 22:00:00\t45.80\t4.8", "DEL\t\t\t")
    assert guess("assignment", ORIGINAL, release) == {"a": ("p",), "b": ("DEL",)}


@pytest.mark.parametrize(
    "token",
    [
        "A",
        hashlib.md5(b"a").hexdigest(),
        hashlib.sha256(b"a").hexdigest()[:6].upper(),
        hashlib.sha1(b"a2015-10").hexdigest()[:8],
        hashlib.blake2b(b"a|2015-10").hexdigest(),
        hashlib.blake2s(b"2015-10_a").hexdigest()[:12],
    ],
)
def test_dictionary_finds_hashes(token):
    assert guess("dictionary", ORIGINAL, renamed(token, "zz")) == {"a": (token,), "b": ()}


@pytest.mark.parametrize(
    "token", [hashlib.md5(b"a").hexdigest()[:5], hashlib.md5(b"salt-a").hexdigest(), "aa"]
)
def test_dictionary_finds_nothing_else(token):
    assert guess("dictionary", ORIGINAL, renamed(token, "zz")) == {"a": (), "b": ()}


@given(seed=st.integers(0, 2**32))
@examples(40)
def test_the_matching_is_one_to_one_and_as_cheap_as_the_literal_one(seed):
    original, release = random_pair(seed)
    found = checked(as_text(original), as_text(release)).pair()
    guesses = attacks.get("assignment", data="mobility").item(
        Crowd.known(found.original), Crowd.seen(found.release)
    )
    rows = [row for row in release if row[1] is not None]
    expected = literal_attacks.attack("assignment", original, [*rows])
    for week in {week for weeks in guesses.values() for week in weeks}:
        ours = {who: weeks[week][0] for who, weeks in guesses.items() if week in weeks}
        theirs = {who: weeks[week][0] for who, weeks in expected.items() if week in weeks}
        named = [token for token in ours.values() if token != "DEL"]
        assert len(set(named)) == len(named)
        assert _total(ours, week, original, rows) == pytest.approx(
            _total(theirs, week, original, rows), abs=1e-6
        )


def _total(matching, week, original, release) -> float:
    people = literal_attacks.by_week(original)[week]
    candidates = literal_attacks.by_week(release).get(week, {})
    costs = literal_attacks.heatmap_cost_matrix(people, candidates)
    row, column = sorted(people).index, sorted(candidates).index
    return sum(costs[row(who)][column(token)] for who, token in matching.items() if token != "DEL")


def test_records_of_one_moment_are_noticed_wherever_they_stand():
    from insanonym_core.mobility.stays import _has_no_ties

    def tied(*rows: str) -> bool:
        return not _has_no_ties(pair(lines(*rows), lines(*rows)).original)

    first, second = "a, 2016-01-04 10:00:00, 45.7, 4.8", "a, 2016-01-04 11:00:00, 45.7, 4.8"
    other = "b, 2016-01-04 09:00:00, 45.7, 4.8"
    assert not tied(first, second, other)
    assert tied(first, first, other)
    assert tied(first, other, first), "another person stands between them"
    assert tied(second, first), "not in order: not known"


def test_everything_looks_for_a_sample_of_a_large_week(monkeypatch):
    """Chance and intervals are of those who are looked for, and the sample does not change."""
    original, release = random_pair(5)
    found = checked(as_text(original), as_text(release)).pair()
    known, seen = Crowd.known(found.original), Crowd.seen(found.release)
    largest = max(np.bincount(np.unique(known.week, return_inverse=True)[1]))
    assert largest > 2
    monkeypatch.setattr(everything, "MAX_PEOPLE", 2)
    attack = attacks.get("everything", data="mobility").item
    first, again = (score_guesses(footprint(found), attack(known, seen)) for _ in range(2))
    tried = everything.sample_people(known)
    assert 0 < first.details["sampled_pairs"] == tried.sum() < first.details["pairs"]
    assert first.value == again.value
    secret = footprint(found)
    assert first.details["chance"] == secret.chance(tried)
    assert first.details["chance_reidentified"] == pytest.approx(
        float((secret.random_guess_chance * secret.kept)[tried].mean())
    )
