"""Numbers from elsewhere: the specification's own literal program, and ours."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import plain_python
from insanonym_core.experiment import score_release
from insanonym_core.mobility.checks import check_files
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.registry import attacks, metrics
from tests.helpers import as_text, checked, random_pair
from tests.levels import examples
from tests.mobility import literal_attacks, literal_matching

GOLDEN = Path(__file__).parents[1] / "golden" / "mobility"
EXPECTED = json.loads((GOLDEN / "expected.json").read_text())
ATTACKERS = json.loads((GOLDEN / "attackers.json").read_text())
MATCHED = {*literal_matching.COSTS, "everything", "deleted"}
SIX = ("date", "hour", "distance", "poi", "tuile", "meet")


@pytest.fixture(scope="module")
def golden():
    return check_files(GOLDEN / "original.tsv", GOLDEN / "release.tsv").pair()


@pytest.mark.parametrize("rules", ["v1", "v2"])
@pytest.mark.parametrize("name", SIX)
def test_golden_scores(golden, rules, name):
    value = metrics.get(name, data="mobility", rules=rules).item(golden).value
    assert value == pytest.approx(EXPECTED[rules][name], abs=1e-9)


def test_golden_rest(golden):
    report = score_release(golden, attacks=("naive",))
    assert report.rows == EXPECTED["rows"]
    assert report.rows - report.kept == EXPECTED["deleted"]
    assert report.scores["utility.meet"].details["literal_ratio"] == pytest.approx(
        EXPECTED["meet_literal_ratio"], abs=1e-9
    )
    assert footprint(golden).pairs == EXPECTED["pairs"]
    assert report.scores["attack.naive"].value == pytest.approx(EXPECTED["naive_attack"], abs=1e-9)


@pytest.mark.parametrize("name", ATTACKERS["attacks"])
def test_golden_attackers(golden, name):
    attack = attacks.get(name, data="mobility")
    score = score_guesses(
        footprint(golden), attack.item(Crowd.known(golden.original), Crowd.seen(golden.release))
    )
    assert score.value == pytest.approx(ATTACKERS["attacks"][name], abs=1e-9)
    assert score.details["reidentified"] == pytest.approx(ATTACKERS["reidentified"][name], abs=1e-9)
    assert score.details["chance"] == pytest.approx(ATTACKERS["chance"], abs=1e-9)
    assert score.details["chance_reidentified"] == pytest.approx(ATTACKERS["chance_reidentified"], abs=1e-9)
    assert score.details["pairs"] == ATTACKERS["pairs"]


def _rows(rows):
    return [plain_python.DELETED_ROW if row[1] is None else row for row in rows]


@pytest.mark.parametrize("rules", ["v1", "v2"])
@given(seed=st.integers(0, 2**32), decimals=st.sampled_from([-1, 1, 2, 3]), fractions=st.booleans())
@examples(120)
def test_random_pairs_score_as_in_the_literal_program(rules, seed, decimals, fractions):
    original, release = random_pair(seed, fractions=fractions)
    found = score_release(
        checked(as_text(original), as_text(release)).pair(),
        rules=rules,
        attacks=(),
        settings={"decimals": decimals},
    )
    expected = plain_python.six_scores(_rows(original), _rows(release), rules, decimals)
    for name in SIX:
        value = found.scores[f"utility.{name}"].value
        assert (math.isnan(value) and math.isnan(expected[name])) or value == pytest.approx(
            expected[name], abs=1e-9
        ), name
    ratio = found.scores["utility.meet"].details["literal_ratio"]
    assert ratio == pytest.approx(expected["meet_literal_ratio"], abs=1e-9)


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), fractions=st.booleans(), shared=st.booleans())
@examples(80)
def test_random_pairs_are_attacked_as_in_the_literal_program(seed, fractions, shared):
    original, release = random_pair(seed, fractions=fractions, shared=shared)
    pair = checked(as_text(original), as_text(release)).pair()
    known, seen = Crowd.known(pair.original), Crowd.seen(pair.release)
    rows, released = _rows(original), _rows(release)
    secret = footprint(pair)
    answers = {who: {week: [token] for week, token in weeks.items()} for who, weeks in secret.answers.items()}
    assert answers == literal_attacks.footprint(rows, released)
    for attack in attacks.all(data="mobility"):
        literal = literal_matching if attack.name in MATCHED else literal_attacks
        guesses = attack.item(known, seen)
        expected = literal.attack(attack.name, rows, released)
        tried = {who: {week: sorted(t) for week, t in weeks.items()} for who, weeks in guesses.items()}
        assert tried == expected, attack.name
        found = score_guesses(secret, guesses)
        assert found.value == pytest.approx(literal_attacks.score(answers, expected), abs=1e-9)
        details = [found.details[name] for name in ("reidentified", "reidentified_low", "reidentified_high")]
        assert details == pytest.approx(literal_matching.reidentified(answers, expected), abs=1e-9)
        chances = found.details["chance"], found.details["chance_reidentified"]
        assert chances == pytest.approx(literal_matching.chances(answers, released), abs=1e-9)


@pytest.mark.parametrize("rules", ["v1", "v2"])
def test_large_files_take_other_roads_to_the_same_numbers(monkeypatch, rules):
    """What only millions of rows would reach (sorts instead of tables, pieces, keys past 63 bits)."""
    monkeypatch.setattr("insanonym_core.numeric.grouping.SMALL_TABLE", 2)
    monkeypatch.setattr("insanonym_core.numeric.grouping.LARGE_TABLE", 2)
    monkeypatch.setattr("insanonym_core.numeric.grouping.LARGEST_KEY", 20_000)
    monkeypatch.setattr("insanonym_core.numeric.grouping.PIECE", 7)
    monkeypatch.setattr("insanonym_core.mobility.guessing._MAX_TABLE_SIZE", 7)
    monkeypatch.setattr("insanonym_core.mobility.overlap._MAX_PAIRS_PER_PIECE", 5)
    monkeypatch.setattr("insanonym_core.mobility.overlap._DENSE_COLUMNS", 2)
    monkeypatch.setattr("insanonym_core.mobility.attacks.join._MAX_TABLE_SIZE", 1)
    monkeypatch.setattr("insanonym_core.mobility.matching.MAX_CACHED_COSTS", 0)
    monkeypatch.setattr("insanonym_core.mobility.stays.PACKED_BITS", 20)
    small_keys = score_release(
        check_files(GOLDEN / "original.tsv", GOLDEN / "release.tsv").pair(), rules=rules
    )
    monkeypatch.undo()
    usual = score_release(check_files(GOLDEN / "original.tsv", GOLDEN / "release.tsv").pair(), rules=rules)
    for name in SIX:
        assert small_keys.scores[f"utility.{name}"].value == pytest.approx(EXPECTED[rules][name], abs=1e-9)
    for measure in usual.family("attack"):
        found = small_keys.scores[measure.key].value
        assert found == pytest.approx(measure.score.value), measure.key


@pytest.mark.parametrize("name", ["known_points", "week_in_the_open"])
def test_golden_measures_beside_the_attacks(golden, name):
    score = metrics.get(name, data="mobility").item(golden)
    if name == "week_in_the_open":
        assert score.value == ATTACKERS[name]
    else:
        assert list(score.details.values()) == pytest.approx(ATTACKERS[name], abs=1e-9)
        assert score.value == pytest.approx(max(ATTACKERS[name][:4]), abs=1e-9)


@given(seed=st.integers(0, 2**32), fractions=st.booleans(), shared=st.booleans())
@examples(60)
def test_measures_beside_the_attacks_as_in_the_literal_program(seed, fractions, shared):
    original, release = random_pair(seed, fractions=fractions, shared=shared)
    pair = checked(as_text(original), as_text(release)).pair()
    rows, released = _rows(original), _rows(release)
    known = metrics.get("known_points", data="mobility").item(pair)
    expected = literal_matching.known_points(rows, released, literal_attacks.footprint(rows, released))
    assert list(known.details.values()) == pytest.approx(expected, abs=1e-9)
    shown = metrics.get("week_in_the_open", data="mobility").item(pair)
    assert shown.value == pytest.approx(literal_matching.week_in_the_open(rows, released), abs=1e-12)
