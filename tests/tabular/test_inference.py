"""Guessing the sensitive value: by hand, against a slow version, and with people who are not in the data."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.experiment import run, score_release
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import metrics
from insanonym_core.tabular.metrics.inference import guess_success
from insanonym_core.tabular.release import TableRelease, unchanged
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import MISSING, Table
from tests.levels import examples
from tests.tabular.helpers import apply, frames


def measured(frame: pd.DataFrame, *steps: Step, roles: dict, **settings: object):
    recipe = Recipe(steps, kind="table", roles=roles, seed=1, settings=settings)
    return run(recipe, data=Table.from_frame(frame), only=("privacy.inference",)).scores["privacy.inference"]


def slow_guess(release: TableRelease, name: str, known: dict[str, int]) -> set[int]:
    """The codes of the most frequent values among the compatible rows, row by row; of all where none fits."""

    def fits(row: int) -> bool:
        for column, code in known.items():
            if column in release.generalised:
                made, group = release.generalised[column], int(release.group[row])
                if code == MISSING:
                    inside = bool(made.missing[group])
                elif made.column.kind == "category":
                    rows = release.original[column].codes[release.rows[release.group == group]]
                    inside = code in rows.tolist()
                else:
                    inside = made.low[group] != MISSING and made.low[group] <= code <= made.high[group]
            else:
                inside = code == release.original[column].codes[release.rows[row]]
            if not inside:
                return False
        return True

    def values(row: int) -> Counter:
        mine = int(release.original[name].codes[release.rows[row]])
        if name not in release.sensitive_by_group:
            return Counter({mine: Fraction(1)})
        others = release.original[name].codes[release.rows[release.group == release.group[row]]].tolist()
        return Counter({value: Fraction(count, len(others)) for value, count in Counter(others).items()})

    rows = range(len(release.rows))
    total: Counter = Counter()
    for row in [row for row in rows if fits(row)] or rows:
        for value, weight in values(row).items():
            total[value] += weight
    return {value for value, weight in total.items() if weight == max(total.values())}


@pytest.mark.parametrize("method", ["unchanged", "mondrian", "bucketise", "generalise_column"])
@given(frame=frames(min_rows=6, max_rows=30), seed=st.integers(0, 1000))
@examples(25)
def test_guesses_are_those_of_the_slow_version(method, frame, seed):
    roles = Roles(("age", "town", "seen"), ("illness",))
    table = Table.from_frame(frame)
    inside = np.sort(np.random.default_rng(seed).choice(len(frame), max(4, len(frame) // 2), replace=False))
    if method == "unchanged":
        release = unchanged(table.take(inside), roles)
    else:
        more = {"bucketise": {"k": 2, "l": 1}, "generalise_column": {"column": "age", "k": 2}}
        release = apply_to(table.take(inside), method, roles, **more.get(method, {"k": 2}))
    known = {name: table[name].codes for name in roles.quasi}
    found = guess_success(release, "illness", known, table["illness"].codes)
    for row in range(len(frame)):
        best = slow_guess(release, "illness", {name: int(codes[row]) for name, codes in known.items()})
        expected = 1 / len(best) if int(table["illness"].codes[row]) in best else 0
        assert found[row] == pytest.approx(expected)


def apply_to(table: Table, name: str, roles: Roles, **parameters: object) -> TableRelease:
    from insanonym_core.registry import methods

    return methods.get(name, data="table").item(**parameters).apply(table, roles, np.random.default_rng(1))


def test_guesses_by_hand():
    frame = pd.DataFrame({"q": list("aaabbc"), "s": ["x", "x", "y", "x", "y", "z"]})
    release = unchanged(Table.from_frame(frame), Roles(("q",), ("s",)))
    table = Table.from_frame(
        pd.DataFrame({"q": ["a", "a", "b", "b", "c", "c"], "s": ["x", "y", "x", "z", "z", "x"]})
    )
    right = guess_success(release, "s", {"q": table["q"].codes}, table["s"].codes)
    # a: x by 2 to 1. b: x and y are as frequent. c: z.
    assert right.tolist() == [1, 0, 1 / 2, 0, 1, 0]
    # Nobody is called d: the guess is the most frequent of all, x (3 of 6).
    assert guess_success(release, "s", {"q": np.array([99, 99])}, np.array([0, 1])).tolist() == [1, 0]


def test_whoever_is_unique_gives_the_value_away_and_strangers_do_not():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"q": np.arange(400), "s": rng.choice(list("abcd"), 400)})
    roles = {"quasi": ("q",), "sensitive": ("s",), "identifier": ()}
    exact = measured(frame, roles=roles)
    assert exact.details["in_the_data"] == 1
    assert 0.1 < exact.details["not_in_the_data"] < 0.4
    assert exact.value == exact.details["in_the_data"] - exact.details["not_in_the_data"]
    low, high = exact.interval
    assert low < exact.value < high
    coarse = measured(frame, Step("mondrian", {"k": 100}), roles=roles)
    assert coarse.value < 0.25
    assert measured(frame, Step("bucketise", {"k": 20, "l": 2}), roles=roles).value < 0.25


def test_what_statistics_tell_is_not_counted():
    frame = pd.DataFrame({"q": list("ab") * 100, "s": list("xy") * 100})
    score = measured(frame, roles={"quasi": ("q",), "sensitive": ("s",), "identifier": ()})
    assert (score.details["in_the_data"], score.details["not_in_the_data"], score.value) == (1, 1, 0)
    assert score.interval == pytest.approx((-0.037, 0.037), abs=1e-3), "100 people each: nobody is sure"


def test_chance_is_within_the_interval_on_random_data():
    inside = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"q": rng.integers(0, 2, 600), "s": rng.choice(list("abc"), 600)})
        roles = {"quasi": ("q",), "sensitive": ("s",), "identifier": ()}
        low, high = measured(frame, roles=roles).interval
        inside.append(low <= 0.03 and high >= -0.03)  # classes of 150 rows: a member weighs next to nothing
    assert sum(inside) >= 18


def test_halves_are_of_people_not_of_rows():
    """Eight rows each: if rows were halved, everybody would be in both halves."""
    rng = np.random.default_rng(1)
    who = np.repeat(np.arange(50), 8)
    frame = pd.DataFrame(
        {"who": [f"w{one}" for one in who], "q": who, "s": rng.choice(list("abcdef"), 50)[who]}
    )
    score = measured(frame, roles={"quasi": ("q",), "sensitive": ("s",), "identifier": "who"})
    assert score.details["in_the_data"] == 1
    assert score.details["not_in_the_data"] < 0.5
    assert score.details["people"] == 50


def test_undefined_with_a_reason():
    frame = pd.DataFrame({"q": range(19), "s": ["x", "y"] * 9 + ["x"]})
    roles = {"quasi": ("q",), "sensitive": ("s",), "identifier": ()}
    assert "fewer than 20" in measured(frame, roles=roles).undefined_because
    assert "no sensitive column" in measured(frame, roles={**roles, "sensitive": ()}).undefined_because
    forty = pd.concat([frame, frame, frame], ignore_index=True)
    half = measured(forty, Step("mondrian", {"k": 40}), roles=roles)
    assert "cannot be applied to half" in half.undefined_because
    gone = measured(forty, Step("suppress_rare_rows", {"columns": ("q",), "k": 1}), roles=roles)
    assert "no sensitive column is published" in gone.undefined_because
    handed = score_release(apply("mondrian", forty, Roles(("q",), ("s",)), k=2), "table")
    assert "was made elsewhere" in handed.scores["privacy.inference"].undefined_because


def test_a_sample_of_people_is_told(monkeypatch):
    monkeypatch.setattr("insanonym_core.tabular.metrics.inference.MAX_PEOPLE", 30)
    frame = pd.DataFrame({"q": range(200), "s": list("xy") * 100})
    score = measured(frame, roles={"quasi": ("q",), "sensitive": ("s",), "identifier": ()})
    assert score.details["people_tried"] == 60
    assert "on a sample of 60 of 200 people" in score.evidence[0].title


def test_the_worst_of_several_sensitive_columns_counts():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"q": range(200), "flat": ["same"] * 200, "s": rng.choice(list("abcd"), 200)})
    roles = {"quasi": ("q",), "sensitive": ("flat", "s"), "identifier": ()}
    score = measured(frame, roles=roles)
    assert score.value > 0.5
    assert score.evidence[0].title == "Guesses of s that are right"


def test_it_is_a_threat_of_inference_and_never_below_zero():
    threat = metrics.get("inference", data="table").threat
    assert threat.group == "inference"
    frame = pd.DataFrame({"q": list("ab") * 100, "s": list("xy") * 100})
    score = measured(frame, roles={"quasi": ("q",), "sensitive": ("s",), "identifier": ()})
    from dataclasses import replace

    below = replace(score, value=-0.1, interval=(-0.2, 0.05))
    assert (threat.share(below), threat.interval(below)) == (0, (0, 0.05))
