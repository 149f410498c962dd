"""Our attacks on tables beside anonymeter's, on the same people; see tests/golden/anonymeter."""

import json
import operator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from insanonym_core.experiment import run, score_release
from insanonym_core.results.scores import Score
from insanonym_core.tabular.table import Table
from tests.avatars.test_anonymeter import nearest_sets
from tests.golden.anonymeter.tables import make_tables
from tests.golden.anonymeter.tables.make_tables import QUASI, RELEASES, SECRET

ROOT = Path(__file__).parents[2]
GOLDEN = Path(make_tables.__file__).parent
ANSWERS = json.loads((GOLDEN / "expected.json").read_text("utf-8"))["releases"]
FRAMES = {path.stem: pd.read_csv(path) for path in GOLDEN.glob("*.csv")}
HALVES = ("train", "held_out")


def difference(answer: dict) -> float:
    return answer["attack"] - answer["control"]


@pytest.fixture(scope="module")
def ours() -> dict[str, Score]:
    """`inference` of each release, as everybody gets it."""
    table = Table.from_frame(make_tables.patients())
    return {
        name: run(make_tables.recipe(name), data=table, only=("privacy.inference",)).scores[
            "privacy.inference"
        ]
        for name in RELEASES
    }


@pytest.fixture(scope="module")
def on_half() -> dict[str, dict[str, Score]]:
    """All measures of the releases that anonymeter was given."""
    patients = make_tables.patients()
    return {
        name: score_release(make_tables.rehearsed(name, patients)[0], "table", only=("privacy",)).scores
        for name in RELEASES
    }


def test_the_files_are_the_halves_and_releases_of_inference():
    """If this fails, draws have changed: make the files and the numbers anew (README.md)."""
    patients = make_tables.patients()
    for name in RELEASES:
        release, halves = make_tables.rehearsed(name, patients)
        for half, rows in zip(HALVES, halves, strict=True):
            pd.testing.assert_frame_equal(
                FRAMES[half], patients.iloc[rows].reset_index(drop=True), check_dtype=False
            )
        tables = {name: make_tables.representatives(release), f"{name}_published": release.frame}
        for file in tables.keys() & FRAMES.keys():
            made, kept = ([*map(tuple, one.to_numpy().tolist())] for one in (tables[file], FRAMES[file]))
            assert sorted(made) == sorted(kept)


@pytest.mark.parametrize("release", RELEASES)
def test_its_guesses_are_those_of_the_nearest_rows(release):
    case = ANSWERS[release]["inference"][0]
    assert (case["known"], case["secret"]) == ([*QUASI], SECRET)
    for half, rate in zip(HALVES, (case["attack"], case["control"]), strict=True):
        sets = nearest_sets(FRAMES[half][[*QUASI]], FRAMES[release][[*QUASI]])
        for guess, near in zip(case["guesses"][half], sets, strict=True):
            assert guess in set(FRAMES[release][SECRET].iloc[sorted(near)])
        assert np.mean(np.array(case["guesses"][half]) == FRAMES[half][SECRET].to_numpy()) == pytest.approx(
            rate
        )


@pytest.mark.parametrize("release", RELEASES)
def test_with_our_guess_it_counts_what_we_count(release, ours):
    """Among equally frequent values it takes the first and we each with its share: that alone may differ."""
    case, score = ANSWERS[release]["inference"][1], ours[release]
    assert case["attack"] == pytest.approx(score.details["in_the_data"], abs=1e-12)
    assert case["control"] == pytest.approx(score.details["not_in_the_data"], abs=0.005)
    low, high = score.interval
    assert low <= difference(case) <= high


def test_its_own_guess_finds_no_more_than_ours(ours):
    """One nearest row instead of all that fit: the same for rows published as they are, less elsewhere."""
    for release, score in ours.items():
        nearest = difference(ANSWERS[release]["inference"][0])
        low, high = score.interval
        assert nearest <= high
        assert (low <= nearest) == (release == "unchanged")
    for values in (
        [difference(ANSWERS[name]["inference"][0]) for name in RELEASES],
        [ours[name].value for name in RELEASES],
    ):
        assert values == sorted(values, reverse=True), "both fall as k grows"


@pytest.mark.parametrize("release", RELEASES)
def test_its_links_are_rows_nearest_to_both_parts(release):
    case = ANSWERS[release]["linkability"]
    for half, rate in zip(HALVES, (case["attack"], case["control"]), strict=True):
        one, other = (nearest_sets(FRAMES[half][names], FRAMES[release][names]) for names in case["columns"])
        surely = np.mean([len(a | b) == 1 for a, b in zip(one, other, strict=True)])
        perhaps = np.mean([bool(a & b) for a, b in zip(one, other, strict=True)])
        assert surely <= rate <= perhaps


def predicates(released: pd.DataFrame) -> list[dict]:
    """For each different row: its texts, and its numbers as "at least" above the median, "at most" below."""
    median = released.median(numeric_only=True)

    def predicate(row: dict) -> dict:
        return {
            name: (operator.eq, value)
            if isinstance(value, str)
            else (operator.ge if value > median[name] else operator.le, value)
            for name, value in row.items()
        }

    made = [predicate(row) for row in released.to_dict("records")]
    return [one for one in {str(one): one for one in made}.values() if isolates(one, released)]


def isolates(predicate: dict, frame: pd.DataFrame) -> bool:
    """Whether exactly one row fits."""
    fits = [how(frame[name], value) for name, (how, value) in predicate.items()]
    return int(np.logical_and.reduce(fits).sum()) == 1


@pytest.mark.parametrize("release", RELEASES)
def test_what_it_singles_out(release):
    """Its predicates are made from classes, equal rows counted once, and hold for one original or not."""
    case = ANSWERS[release]["singling_out"]
    released, *halves = (FRAMES[name][[*QUASI]].drop_duplicates() for name in (release, *HALVES))
    found = predicates(released)
    assert len(found) == case["attacks"]
    for frame, rate in zip(halves, (case["attack"], case["control"]), strict=True):
        assert np.mean([isolates(one, frame) for one in found]) == pytest.approx(rate, abs=1e-12)


def test_who_is_singled_out_by_both(on_half):
    """Unchanged: everybody, for both. Generalised: no class of one row, and its predicates find some."""
    for release, scores in on_half.items():
        case, unique = ANSWERS[release]["singling_out"], scores["privacy.unique_share"].value
        assert unique == (release == "unchanged")
        assert (case["interval"][0] > 0.95) == (release == "unchanged")
        assert case["attack"] >= unique


def test_the_docs_show_these_numbers(ours, on_half):
    text = (ROOT / "docs" / "tables.md").read_text("utf-8")
    for release, score in ours.items():
        title = "published unchanged" if release == "unchanged" else f"Mondrian, k = {release.split('_')[1]}"
        answer, scores = ANSWERS[release], on_half[release]
        nearest, same = map(difference, answer["inference"])
        linked, singled = difference(answer["linkability"]), difference(answer["singling_out"])
        low, high = score.interval
        cells = [
            title,
            f"{score.value:.2f} ({low:.2f}–{high:.2f})",
            f"{same:.2f}",
            f"{nearest:.2f}",
            f"{scores['privacy.linkage'].value:.2f}",
            f"{linked:.2f}",
            f"{scores['privacy.unique_share'].value:.2f}",
            f"{singled:.2f}",
        ]
        assert f"| {' | '.join(cells)} |" in text
