"""Our attacks on avatars beside anonymeter's, on the same people; see tests/golden/anonymeter."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from insanonym_core.avatars.generate import Neighbours, nearest
from insanonym_core.avatars.metrics.closeness import identical
from insanonym_core.avatars.metrics.inference import People, guess_success
from insanonym_core.avatars.release import avatars_from_tables
from insanonym_core.avatars.space import fit_space
from insanonym_core.numeric.intervals import difference_interval
from insanonym_core.tabular.table import Table

GOLDEN = Path(__file__).parents[1] / "golden" / "anonymeter"
ANSWERS = json.loads((GOLDEN / "expected.json").read_text("utf-8"))["releases"]
FRAMES = {name: pd.read_csv(GOLDEN / f"{name}.csv") for name in ("train", "held_out", *ANSWERS)}
CASES = [
    pytest.param(release, case, id=f"{release}-{len(case['known'])}-{case['secret']}")
    for release, answers in ANSWERS.items()
    for case in answers["inference"]
]


def theirs(queries: pd.DataFrame, candidates: pd.DataFrame, k: int) -> Neighbours:
    """Our search with anonymeter's distance: |difference| / range over both tables, 1 for another text."""
    parts: list[list[np.ndarray]] = [[], []]
    for name in queries.columns:
        both = pd.concat([queries[name], candidates[name]])
        for part, frame in zip(parts, (queries, candidates), strict=True):
            if pd.api.types.is_numeric_dtype(both):
                part.append(frame[[name]].to_numpy(float) / np.ptp(both))
            else:
                part.append(0.5 * (frame[name].to_numpy()[:, None] == np.unique(both)[None]))
    points, others = (np.hstack(part) for part in parts)
    return nearest(points, others, k, norm=1)


def nearest_sets(queries: pd.DataFrame, candidates: pd.DataFrame) -> list[set[int]]:
    """For each query all candidates that are equally near, in anonymeter's distance."""
    near = theirs(queries, candidates, len(candidates))
    tied = near.distance <= near.distance[:, :1] + 1e-9
    return [set(near.index[row][tied[row]].tolist()) for row in range(len(queries))]


@pytest.mark.parametrize(("release", "case"), CASES)
def test_its_guesses_are_those_of_our_search_at_its_distance(release, case):
    for half in ("train", "held_out"):
        people, rows = FRAMES[half], FRAMES[release]
        sets = nearest_sets(people[case["known"]], rows[case["known"]])
        for guess, near in zip(case["guesses"][half], sets, strict=True):
            assert guess in set(rows[case["secret"]].iloc[sorted(near)])


def interval_of(right):
    """Of people × columns guessed, in the data and not."""
    sums = [np.nansum(part, axis=1) for part in right]
    asked = [(~np.isnan(part)).sum(axis=1) for part in right]
    return difference_interval(sums, asked, np.random.default_rng(0))


def ours(release: str, known: list[str], secret: str) -> list[np.ndarray]:
    """Right guesses of people in the data and not, at our distance."""
    train, held_out, rows = (Table.from_frame(FRAMES[name]) for name in ("train", "held_out", release))
    space = fit_space(train)
    values = pd.concat([FRAMES["train"], FRAMES["held_out"]])[secret]
    number = pd.api.types.is_numeric_dtype(values)
    reach = np.array([0.05 * float(np.diff(np.quantile(values, (0.05, 0.95)))[0]) if number else 0.0])
    released = People.from_table(space, rows, rows)
    return [
        guess_success(space, People.from_table(space, half, half), released, known, [secret], reach)
        for half in (train, held_out)
    ]


@pytest.mark.parametrize("release", ANSWERS)
def test_on_one_known_number_the_right_guesses_are_the_same(release):
    """Where only one column is known, every distance has the same nearest row: the counts are equal."""
    case = ANSWERS[release]["inference"][0]
    assert (case["known"], case["secret"]) == (["weight_kg"], "diagnosis")
    inside, outside = ours(release, case["known"], case["secret"])
    assert inside.mean() == pytest.approx(case["attack"], abs=1e-12)
    assert outside.mean() == pytest.approx(case["control"], abs=1e-12)


def right_by_its_rule(case: dict, half: str) -> np.ndarray:
    """Whether its guesses are right: the same text, or a number within 5 % of the guess."""
    guesses, truth = np.array(case["guesses"][half]), FRAMES[half][case["secret"]].to_numpy()
    if truth.dtype.kind in "if":
        return (np.abs(guesses - truth) <= 0.05 * guesses)[:, None].astype(float)
    return (guesses == truth)[:, None].astype(float)


@pytest.mark.parametrize(("release", "case"), CASES)
def test_at_our_own_distance_the_difference_is_about_as_large(release, case):
    """Texts: its difference lies in our interval. Numbers: right means another thing; the intervals meet."""
    low, high = interval_of(ours(release, case["known"], case["secret"]))
    its = [right_by_its_rule(case, half) for half in ("train", "held_out")]
    assert [part.mean() for part in its] == pytest.approx([case["attack"], case["control"]])
    if case["secret"] == "diagnosis":
        assert low <= case["attack"] - case["control"] <= high
    else:
        its_low, its_high = interval_of(its)
        assert max(low, its_low) <= min(high, its_high)


@pytest.mark.parametrize("release", ANSWERS)
def test_its_links_are_those_of_our_search_at_its_distance(release):
    case = ANSWERS[release]["linkability"]
    for half, rate in (("train", case["attack"]), ("held_out", case["control"])):
        one, other = (nearest_sets(FRAMES[half][names], FRAMES[release][names]) for names in case["columns"])
        surely = np.mean([len(a | b) == 1 for a, b in zip(one, other, strict=True)])
        perhaps = np.mean([bool(a & b) for a, b in zip(one, other, strict=True)])
        assert surely <= rate <= perhaps  # among equally near rows it takes one


def test_copies_are_the_worst_for_both_and_identical_rows_see_nothing_else():
    """Its predicates single people out where no row is a copy: our share of identical rows does not."""
    train = Table.from_frame(FRAMES["train"])
    found = {
        name: identical(avatars_from_tables(train, Table.from_frame(FRAMES[name]))).value for name in ANSWERS
    }
    risks = {name: answers["singling_out"] for name, answers in ANSWERS.items()}
    assert found == {"copies": 1, "avatars": 0, "shuffled": 0}
    assert risks["copies"]["interval"][0] > 0.95
    assert risks["avatars"]["interval"][0] > 0.05
    assert risks["shuffled"]["interval"][0] == 0
