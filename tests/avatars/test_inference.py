"""Guessing a value from the nearest avatar: by hand, against a slow literal version, and beside a control."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.avatars.metrics import inference as module
from insanonym_core.avatars.metrics.inference import inference
from insanonym_core.avatars.release import Avatars, get_rehearsal
from insanonym_core.demo.named import named_table
from insanonym_core.errors import DataError, UsageError
from insanonym_core.experiment import run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of, published_as, table_of
from tests.levels import examples
from tests.tabular.helpers import frames


def slow_success(made: Avatars, known: list[str], guessed: list[str]) -> list[tuple[float, int]]:
    """For both halves, by loops: Σ of the chances to be right, and how many values were asked for."""
    rehearsal = get_rehearsal(made)
    fitted = rehearsal.train.imputed.frame()
    kinds = {name: column.kind for name, column in made.source.columns.items()}

    def numbers(frame: pd.DataFrame, name: str) -> list[float]:
        days = kinds[name] == "date"
        values = frame[name]  # without any value in a half, it is a column of None
        if days:
            values = (pd.to_datetime(values) - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)
        return values.astype(float).tolist()

    def texts(frame: pd.DataFrame, name: str) -> list[object]:
        return [None if pd.isna(value) else value for value in frame[name]]

    shown, filled = rehearsal.avatars.published.frame(), rehearsal.avatars.imputed.frame()
    results = []
    for half in (rehearsal.train, rehearsal.held_out):
        source, whole = half.source.frame(), half.imputed.frame()
        total, asked = 0.0, 0
        for guess in guessed:
            apart = np.zeros((len(whole), len(filled)))
            for name in (name for name in known if name != guess):
                read = texts if kinds[name] == "category" else numbers
                scale = 1.0 if kinds[name] == "category" else float(np.std(numbers(fitted, name)))
                for i, one in enumerate(read(whole, name)):
                    for j, other in enumerate(read(filled, name)):
                        apart[i, j] += (
                            one != other if kinds[name] == "category" else ((one - other) / scale) ** 2
                        )
            category = kinds[guess] == "category"
            truth, offered = ((texts if category else numbers)(frame, guess) for frame in (source, shown))
            observed = (
                [value for value in numbers(made.source.frame(), guess) if value == value]
                if not category
                else []
            )
            reach = 0 if category else 0.05 * (np.quantile(observed, 0.95) - np.quantile(observed, 0.05))
            there = [j for j, value in enumerate(offered) if value is not None and value == value]
            for i, value in enumerate(truth):
                if value is None or value != value:
                    continue
                asked += 1
                if there:
                    least = min(apart[i, j] for j in there)
                    near = [j for j in there if apart[i, j] <= least + 1e-9]
                    total += sum(
                        offered[j] == value if category else abs(offered[j] - value) <= reach for j in near
                    ) / len(near)
        results.append((total, asked))
    return results


def by_hand(made: Avatars, known: list[str], guessed: list[str]) -> float:
    (inside, asked), (outside, other) = slow_success(made, known, guessed)
    return inside / asked - outside / other


def columns_of(made: Avatars) -> list[str]:
    space = get_rehearsal(made).avatars.space
    return [column.name for column in (*space.numbers, *space.categories)]


@given(frame=frames(min_rows=6), seed=st.integers(0, 1000), k=st.integers(1, 4))
@examples(25)
def test_it_is_what_loops_find(frame, seed, k):
    table = Table.from_frame(frame.drop(columns="who"))
    try:
        made = avatars_of(table, seed, k=k)
        names = columns_of(made)
    except DataError:
        return
    score = inference(made)
    if not score.defined:
        assert len(names) < 2 or "no value to guess" in score.undefined_because
        return
    assert score.value == pytest.approx(by_hand(made, names, names), abs=1e-12)
    assert score.interval[0] <= score.value <= score.interval[1]


@pytest.mark.parametrize("roles", [{}, {"sensitive": ("diagnosis",)}, {"quasi": ("age", "sex", "town")}])
def test_patients_as_loops_find_them(roles):
    """Numbers, dates, categories and gaps; columns with roles."""
    table = named_table("demo:patients").take(np.arange(60))
    recipe = Recipe((Step("mix_neighbours", {"k": 4}),), kind="avatars", seed=3, roles=roles)
    report = run(recipe, data=table, only=["privacy.inference"])
    made, names = report.release, columns_of(report.release)
    assert (made.quasi, made.sensitive) == (roles.get("quasi", ()), roles.get("sensitive", ()))
    known = [name for name in names if not made.quasi or name in made.quasi]
    guessed = list(made.sensitive) or [name for name in names if name not in made.quasi]
    score = report.scores["privacy.inference"]
    assert score.value == pytest.approx(by_hand(made, known, guessed), abs=1e-12)
    assert list(score.evidence[0].labels) == [name for name in names if name in guessed]
    shares = score.evidence[0].values
    assert score.details["worst"] == pytest.approx((shares["in the data"] - shares["not in the data"]).max())
    assert score.details["in_data"] - score.details["not_in_data"] == pytest.approx(score.value)
    assert report.threats[0].threat.group == "inference"
    assert report.threats[0].share == max(0, score.value)


def test_copies_tell_a_value_that_nothing_else_tells():
    """x says nothing about s: whoever is not in the data is guessed like by a coin, the others are copied."""
    draw = np.random.default_rng(0)
    table = table_of(x=draw.normal(size=300), s=draw.choice(["a", "b"], 300))
    copies = published_as(table, lambda rows: rows)
    score = inference(copies)
    by_column = dict(zip(score.evidence[0].labels, score.evidence[0].values["in the data"], strict=True))
    assert by_column["s"] == 1  # nobody shares an x: the nearest avatar is the copy
    assert score.evidence[0].values["not in the data"][1] == pytest.approx(0.5, abs=0.1)
    shuffled = published_as(table, lambda rows: rows.assign(s=draw.permutation(rows["s"])))
    assert inference(shuffled).interval[0] < 0 < inference(shuffled).interval[1]


def test_what_statistics_tell_is_no_loss_of_privacy():
    """s follows from x for everybody: the guess is right for people in the data and for others alike."""
    x = np.random.default_rng(1).normal(size=400)
    score = inference(avatars_of(table_of(x=x, y=x**2, s=np.where(x > 0, "a", "b"))))
    assert score.details["in_data"] > 0.5
    assert score.value == pytest.approx(0, abs=0.1)


def test_equally_near_avatars_are_taken_at_random():
    """Everybody knows the same x: the chance is the share of the avatars that have the value."""
    table = table_of(x=["p"] * 40 + ["q"] * 40, s=list("aaab") * 20)
    score = inference(published_as(table, lambda rows: rows))
    made = published_as(table, lambda rows: rows)
    assert score.value == pytest.approx(by_hand(made, ["x", "s"], ["x", "s"]), abs=1e-12)
    assert score.evidence[0].values["in the data"][1] == pytest.approx(0.75**2 + 0.25**2, abs=0.1)


def test_a_number_is_right_within_a_twentieth_of_its_span():
    made = published_as(table_of(x=range(101), s=np.arange(101) * 10.0), lambda rows: rows)
    assert module.guess_tolerance(made, "s") == pytest.approx(0.05 * (950 - 50))
    assert (
        module.guess_tolerance(published_as(table_of(c=list("abc") * 4, x=range(12)), lambda r: r), "c") == 0
    )


def test_avatars_without_the_value_are_passed_over():
    """The nearest avatar has no s; the second nearest is asked instead."""
    space = get_rehearsal(
        published_as(table_of(x=range(8), s=list("abababab")), lambda rows: rows)
    ).avatars.space
    one = module.People.from_table(space, *[table_of(x=[0, 5], s=["a", "b"])] * 2)
    other = module.People.from_table(space, *[table_of(x=[0, 1, 6], s=[None, "b", "b"])] * 2)
    found = module.guess_success(space, one, other, ["x"], ["s"], np.zeros(1))
    assert found.tolist() == [[0], [1]]
    nobody = module.People.from_table(
        space, *[table_of(x=[0, 1], s=pd.Series([None, None], dtype=object))] * 2
    )
    assert module.guess_success(space, one, nobody, ["x"], ["s"], np.zeros(1)).tolist() == [[0], [0]]
    unasked = module.People.from_table(space, *[table_of(x=[0], s=pd.Series([None], dtype=object))] * 2)
    assert np.isnan(module.guess_success(space, unasked, other, ["x"], ["s"], np.zeros(1))).all()


def test_many_people_and_columns_are_drawn_and_repeat(monkeypatch):
    draw = np.random.default_rng(2)
    made = avatars_of(Table.from_frame(pd.DataFrame(draw.normal(size=(400, 6))).rename(columns=str)))
    exact = inference(made)
    assert exact.details["rows_tried"] == 400
    monkeypatch.setattr(module, "MAX_PEOPLE_TRIED", 50)
    monkeypatch.setattr(module, "MAX_COLUMNS", 3)
    some = inference(made)
    assert (some.details["rows_tried"], some.details["columns"]) == (100, 3)
    assert some.value == inference(made).value
    assert some.value == pytest.approx(exact.value, abs=0.15)
    assert some.interval[0] < exact.value < some.interval[1]


def test_where_nothing_can_be_guessed_it_says_why():
    assert "guessed from others" in inference(avatars_of(table_of(x=range(20)))).undefined_because
    assert (
        "at least 6 rows" in inference(avatars_of(table_of(x=range(5), y=[1, 2, 1, 3, 4]))).undefined_because
    )
    recipe = Recipe((Step("mix_neighbours", {}),), kind="avatars", seed=1, roles={"sensitive": ("moon",)})
    with pytest.raises(UsageError, match="sensitive columns must name columns of the table, got 'moon'"):
        run(recipe, data=table_of(x=range(20), y=range(20)))


def test_roles_that_nobody_named_are_not_guessed_for_avatars():
    recipe = Recipe((Step("mix_neighbours", {}),), kind="avatars", seed=1)
    report = run(recipe, data=named_table("demo:patients"), only=["privacy.inference"])
    assert (report.release.quasi, report.release.sensitive) == ((), ())
    assert not {"quasi", "sensitive"} & set(report.facts["roles_guessed"])
