"""Cuts that lose least, and limits at every cut, beside a plain Mondrian that looks at every row."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.adult_like import QUASI_IDENTIFIERS, SENSITIVE, adult_like
from insanonym_core.errors import DataError, InsanonymError, UsageError
from insanonym_core.experiment import run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods, metrics
from insanonym_core.tabular import searched_cuts
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.step_defaults import adapt_steps
from insanonym_core.tabular.table import Table
from insanonym_core.texts import say
from tests.levels import examples
from tests.tabular.helpers import QUASI, apply, frames
from tests.tabular.plain_mondrian import PlainMondrian, as_mixed_as, at_least, near_the_table

ROLES = Roles(QUASI, ("illness",), "who")
ANONYPY = json.loads((Path(__file__).parents[1] / "golden" / "anonypy" / "expected.json").read_text())["by_k"]


def measured(release: TableRelease, *names: str) -> list[float]:
    return [metrics.get(name, data="table").item(release).value for name in names]


def grouped(release: TableRelease) -> set[frozenset[int]]:
    return {frozenset(rows) for rows in pd.Series(release.rows).groupby(release.group).apply(list)}


def plain(frame: pd.DataFrame, k: int, **limits: float) -> PlainMondrian:
    table = Table.from_frame(frame)
    illness, who = (table[name].codes.tolist() for name in ("illness", "who"))
    tests = {
        "individuals": lambda number: at_least(who, number),
        "l": lambda number: at_least(illness, number),
        "entropy_l": lambda number: as_mixed_as(illness, number),
        "t": lambda number: near_the_table(illness, number, ordered=False),
    }
    made = PlainMondrian(table, QUASI, k, [tests[name](number) for name, number in limits.items()])
    made.run()
    return made


@pytest.mark.parametrize("compiled", [False, True])
@given(frame=frames(), k=st.integers(1, 6))
@examples(40)
def test_the_groups_are_those_of_the_plain_one(compiled, frame, k):
    if len(frame) < k:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searched_cuts, "MIN_COMPILED_STEPS", 0 if compiled else 10**9)
        release = apply("mondrian", frame, ROLES, k=k)
    expected = plain(frame, k)
    assert grouped(release) == {frozenset(rows) for rows in expected.groups}
    assert measured(release, "ncp")[0] == pytest.approx(expected.ncp(), abs=1e-12)


LIMITS = [
    {"individuals": 3},
    {"l": 2},
    {"entropy_l": 1.7},
    {"t": 0.3},
    {"individuals": 2, "l": 2, "t": 0.5},
]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
@given(frame=frames(min_rows=8), k=st.integers(1, 4))
@examples(20)
def test_limits_are_checked_at_every_cut(compiled, limits, frame, k):
    given_ = dict(limits)
    if "entropy_l" in given_:
        given_ |= {"l": given_.pop("entropy_l"), "diversity": "entropy"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searched_cuts, "MIN_COMPILED_STEPS", 0 if compiled else 10**9)
        try:
            release = apply("mondrian", frame, ROLES, k=k, **given_)
        except DataError:  # so many values or people are not in the table
            whole = plain(frame, len(frame), **limits)
            assert not all(test(list(range(len(frame)))) for test in whole.extra)
            return
    expected = plain(frame, k, **limits)
    assert grouped(release) == {frozenset(rows) for rows in expected.groups}
    found = dict(zip(("l", "entropy_l", "t"), measured(release, "l", "entropy_l", "t"), strict=True))
    found["individuals"] = metrics.get("k", data="table").item(release).details["individuals"]
    for name, asked in limits.items():
        assert found[name] <= asked + 1e-9 if name == "t" else found[name] >= asked - 1e-9


@given(frame=frames(min_rows=8), seed=st.integers(0, 100), choice=st.sampled_from(["widest", "random"]))
@examples(20)
def test_the_other_choices_find_the_same_cuts_either_way(frame, seed, choice):
    """A limit that forbids nothing takes the road of the limits: the groups stay those of k alone."""
    free = apply("mondrian", frame, ROLES, seed=seed, k=2, choice=choice)
    searched = apply("mondrian", frame, ROLES, seed=seed, k=2, choice=choice, t=0.999999)
    limited = apply("mondrian", frame, ROLES, seed=seed, k=2, choice=choice, l=1, individuals=1)
    assert grouped(free) == grouped(limited)
    if measured(free, "t")[0] <= 0.999999:
        assert grouped(free) == grouped(searched)


@given(frame=frames(min_rows=8))
@examples(15)
def test_t_of_numbers_is_the_ordered_one(frame):
    roles = Roles(("town", "seen", "flag"), ("age",))
    release = apply("mondrian", frame, roles, k=2, t=0.2)
    table = Table.from_frame(frame)
    ordered = table["age"].kind != "category"
    test = near_the_table(table["age"].codes.tolist(), 0.2, ordered=ordered)
    made = PlainMondrian(table, roles.quasi, 2, [test])
    assert grouped(release) == {frozenset(rows) for rows in made.run()}
    assert measured(release, "t")[0] <= 0.2 + 1e-9


@pytest.fixture(scope="module")
def census() -> tuple[Table, Roles]:
    return Table.from_frame(adult_like()), Roles(QUASI_IDENTIFIERS, (SENSITIVE,))


def mondrian(census: tuple[Table, Roles], **parameters: object) -> TableRelease:
    method = methods.get("mondrian", data="table").item(**parameters)
    return method.apply(*census, np.random.default_rng(0))


@pytest.mark.slow
@pytest.mark.parametrize("k", [5, 10, 50])
def test_it_loses_less_than_the_widest_and_than_anonypy(census, k):
    best, widest = (mondrian(census, k=k, choice=choice) for choice in ("best", "widest"))
    assert measured(best, "k")[0] >= k
    assert measured(best, "ncp")[0] <= measured(widest, "ncp")[0]
    assert measured(best, "ncp")[0] <= 0.95 * ANONYPY[str(k)]["ncp"]
    assert ANONYPY[str(k)]["rows"] == 30_000
    assert ANONYPY[str(k)]["k"] >= k


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "asked"), [("l", 2), pytest.param("t", 0.2, marks=pytest.mark.long)])
def test_limits_cost_no_more_than_the_plain_one(census, limit, asked):
    """30,000 rows, k = 10; the plain one checks the same limit at each cut."""
    table, roles = census
    release = mondrian(census, k=10, **{limit: asked})
    codes = table[SENSITIVE].codes.tolist()
    test = at_least(codes, asked) if limit == "l" else near_the_table(codes, asked, ordered=False)
    reference = PlainMondrian(table, roles.quasi, 10, [test])
    reference.run()
    found = measured(release, limit)[0]
    assert found >= asked if limit == "l" else found <= asked
    assert measured(release, "ncp")[0] <= 1.05 * reference.ncp()
    assert measured(release, "ncp")[0] == pytest.approx(reference.ncp(), rel=1e-9)


def test_six_rows_by_hand():
    """k = 3: cutting 'a' leaves b whole (1 + 0); cutting 'b' leaves a of width 4/5 and 3/5: 'b' wins, barely.

    a = 0 1 4 | 1 4 5 by b; by a the sides are 0 1 1 and 4 4 5, of widths 1/5 and 1/5, with both values of b.
    """
    frame = pd.DataFrame({"a": [0, 1, 4, 1, 4, 5], "b": [*"xxxyyy"]})
    best = apply("mondrian", frame, Roles(("a", "b")), k=3)
    assert set(zip(best.frame["a"], best.frame["b"], strict=True)) == {("[0, 4]", "x"), ("[1, 5]", "y")}
    # By b: (4/5 + 0 + 4/5 + 0) / 2 columns / 2 sides = 0.4; by a: (1/5 + 1) / 2 = 0.6.
    assert measured(best, "ncp")[0] == pytest.approx(0.4)


def test_a_refused_cut_names_its_limit():
    """Ages cut the illness apart: l = 1 on both sides; towns do not."""
    frame = pd.DataFrame({"age": [1, 1, 2, 2], "town": [*"abab"], "ill": [*"ffcc"], "who": [*"pqpq"]})
    roles = Roles(("age", "town"), ("ill",), "who")
    table = Table.from_frame(frame)

    def notes(**limits):
        method = methods.get("mondrian", data="table").item(k=2, **limits)
        return method.apply(table, roles, np.random.default_rng(0)).evidence[0].notes[0]

    assert notes() == ()
    assert notes(l=2) == ("age: l = 1 < 2",)
    assert notes(t=0.2) == ("age: t = 0.50 > 0.2",)
    assert notes(l=1.5, diversity="entropy") == ("age: entropy l = 1.00 < 1.5",)
    assert notes(individuals=2) == ("town: 1 individuals < 2",)
    assert say(notes(l=2)[0], "fr") == "age\u00a0: l = 1 < 2"
    assert say(notes(individuals=2)[0], "fr") == "town\u00a0: 1 individus < 2"


def test_what_is_asked_of_classes_is_promised_and_measured():
    steps = (Step("mondrian", {"k": 5, "l": 3, "t": 0.3}),)
    report = run(Recipe(steps, data="demo:patients", kind="table", seed=1), only=("privacy.l", "privacy.t"))
    first, diverse, close = report.promises
    assert (first.symbol, diverse.symbol, close.symbol) == ("k", "l", "t")
    assert diverse.measured == report.scores["privacy.l"].value >= 3
    assert close.measured == report.scores["privacy.t"].value <= 0.3 + 1e-9
    assert all(one.holds for one in report.promises)
    assert close.rounded >= close.measured - 1e-9
    assert diverse.columns == ("diagnosis",)
    assert "holds at least 6 different values of [diagnosis]" in diverse.sentence()


@pytest.mark.parametrize(
    ("roles", "more", "kind", "message"),
    [
        (Roles(("age",)), {"l": 2}, UsageError, "about sensitive columns, and none is named"),
        (Roles(("age",)), {"individuals": 2}, UsageError, "name the identifier column"),
        (Roles(("age",), ("town",)), {"l": 3}, DataError, "l = 3 is impossible: 'town' has l = 2"),
        (Roles(("age",), (), "who"), {"individuals": 4}, DataError, "4 individuals are impossible"),
        (Roles(("age",)), {"stop": "source"}, UsageError, "literal rule, which looks at k alone"),
        (Roles(("age",)), {"t": 2}, UsageError, "must be a number from 0 to 1"),
    ],
)
def test_what_cannot_be(roles, more, kind, message):
    frame = pd.DataFrame({"who": [*"abc"], "age": [1, 2, 3], "town": [*"xyy"]})
    with pytest.raises(InsanonymError, match=message) as caught:
        apply("mondrian", frame, roles, k=1, **more)
    assert isinstance(caught.value, kind)


def test_limits_are_adapted_to_other_data():
    """Without a sensitive column or an identifier nothing is asked of them; l is what the table can have."""
    step = Step("mondrian", {"k": 2, "l": 9, "t": 0.1, "individuals": 3})
    table = Table.from_frame(pd.DataFrame({"a": [1, 2, 3], "s": [*"xyy"]}))
    (bare,) = adapt_steps((step,), "table", table, Roles(("a",)))
    assert (bare.parameters["l"], bare.parameters["t"], bare.parameters["individuals"]) == (1, 1, 1)
    (sensitive,) = adapt_steps((step,), "table", table, Roles(("a",), ("s",)))
    assert (sensitive.parameters["l"], sensitive.parameters["t"]) == (2, 0.1)
