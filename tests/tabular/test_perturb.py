"""Swapped, drawn and noisy values: what the methods say they do, and who looks for the nearest row."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linear_sum_assignment

from insanonym_core.errors import InsanonymError, UsageError
from insanonym_core.experiment import run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import methods, metrics
from insanonym_core.results.threats import INFERENCE, LINKABILITY
from insanonym_core.tabular.chain import apply_steps
from insanonym_core.tabular.nearest import nearest_rows, right_guesses, right_matches
from insanonym_core.tabular.release import TableRelease
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table
from insanonym_core.tabular.unprotected import unprotected
from tests.tabular.helpers import apply

ROLES = Roles(("age", "town"), ("ill",))


def table(rows: int = 300, seed: int = 3) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    age = draw.normal(50, 12, rows).round(1)
    return pd.DataFrame(
        {
            "age": np.where(draw.random(rows) < 0.05, np.nan, age),
            "town": draw.choice(["a", "b", "c", "d"], rows, p=[0.5, 0.3, 0.15, 0.05]),
            "ill": draw.choice(["flu", "cold", "none"], rows),
        }
    )


def value(release: TableRelease, name: str) -> float:
    return metrics.get(name, data="table").item(release).value


def in_order(release: TableRelease, name: str) -> pd.Series:
    """The published values in the order of the original."""
    return release.frame[name].iloc[np.argsort(release.rows)].reset_index(drop=True)


def test_swapping_keeps_the_values_and_the_ranks_near():
    frame = table()
    release = apply("swap_ranks", frame, ROLES, share=0.1)
    after = in_order(release, "age")
    assert sorted(after.dropna()) == sorted(frame["age"].dropna())
    assert (after.isna() == frame["age"].isna()).all()
    present = frame["age"].notna()
    before_rank, after_rank = frame["age"][present].rank(), after[present].rank()
    # A swap reaches a tenth of the rows; equal values share their mean rank.
    ties = frame["age"][present].value_counts().max()
    assert (before_rank - after_rank).abs().max() <= 0.1 * present.sum() + ties
    assert (after != frame["age"])[present].mean() > 0.8
    assert value(apply("swap_ranks", frame, ROLES, share=0), "ncp") == 0


def test_pram_draws_by_the_matrix_that_it_shows():
    """20,000 rows: each chance of the published matrix is met within five standard errors."""
    frame = table(20_000)
    release = apply("pram", frame, ROLES, keep=0.7)
    (shown,) = release.evidence
    after = in_order(release, "town")
    shares = frame["town"].value_counts(normalize=True)
    assert list(shown.rows) == ["a", "b", "c", "d"]
    for line, one in enumerate(shown.rows):
        for place, other in enumerate(shown.columns):
            chance = shown.values[line, place]
            assert chance == pytest.approx(0.7 * (one == other) + 0.3 * shares[other])
            found = (after[frame["town"] == one] == other).mean()
            error = np.sqrt(chance * (1 - chance) / (frame["town"] == one).sum())
            assert abs(found - chance) <= 5 * error
    assert shown.values.sum(axis=1) == pytest.approx(1)


def test_the_matrix_names_no_value_of_few_people():
    frame = table(300)
    frame.loc[0, "town"] = "alone"
    (shown,) = apply("pram", frame, ROLES).evidence
    assert "alone" not in shown.rows
    assert not shown.shows_individuals


def test_noise_has_the_deviation_that_was_asked_for():
    frame = table(20_000)
    release = apply("add_noise", frame, ROLES, deviation=0.5)
    gap = in_order(release, "age").astype(float) - frame["age"]
    assert gap.std() == pytest.approx(0.5 * frame["age"].std(), rel=0.03)
    assert abs(gap.mean()) < 0.2
    assert (in_order(release, "age").isna() == frame["age"].isna()).all()
    decimals = in_order(release, "age").astype(float).dropna() * 10
    assert np.allclose(decimals, decimals.round()), "as many decimals as before"


def test_loss_by_hand():
    """Range 10: off by 1 costs 4/10, off by 5 costs 1 at most; a text that is another costs 1."""
    frame = pd.DataFrame({"x": [0.0, 10.0, 4.0], "t": [*"aab"]})
    release = apply("swap_ranks", frame, Roles(("x", "t")), share=1, seed=2)
    gap = (in_order(release, "x").astype(float) - frame["x"]).abs()
    assert value(release, "ncp") == pytest.approx(np.minimum(4 * gap / 10, 1).mean() / 2)
    assert value(apply("pram", frame, Roles(("x", "t")), keep=1), "ncp") == 0


def literal_nearest(release: TableRelease, frame: pd.DataFrame) -> float:
    """Each person's nearest published row, counted row by row; towns are exact, ages are off."""
    deviation = frame["age"].std(ddof=0)
    right = 0.0
    for place, row in enumerate(release.rows):
        best, ties = np.inf, []
        for other in range(len(release.rows)):
            if release.frame["town"].iloc[other] != frame["town"].iloc[row]:
                continue
            pair = release.frame["age"].iloc[other], frame["age"].iloc[row]
            if pd.isna(pair[0]) != pd.isna(pair[1]):
                continue
            gap = 0.0 if pd.isna(pair[0]) else ((float(pair[0]) - pair[1]) / deviation) ** 2
            if gap < best - 1e-12:
                best, ties = gap, [other]
            elif abs(gap - best) <= 1e-12:
                ties.append(other)
        right += (place in ties) / len(ties)
    return right / len(release.rows)


def test_the_nearest_row_is_found_as_by_hand():
    frame = table(80)
    release = apply("add_noise", frame, ROLES, deviation=0.3)
    found = right_guesses(release, release.quasi, np.arange(80))
    assert found[0] == found[1] == pytest.approx(literal_nearest(release, frame))
    person, row = nearest_rows(release, {"town": release.original["town"].codes[:1]})
    assert set(person) == {0}
    assert {release.frame["town"].iloc[place] for place in row} == {frame["town"].iloc[0]}


def test_matching_finds_more_than_each_nearest_row_by_itself():
    """Ages alone: the order survives the noise better than each value."""
    frame = pd.DataFrame({"age": np.arange(60) * 1.0})
    release = apply("add_noise", frame, Roles(("age",)), deviation=0.05)
    cost = (
        np.subtract.outer(
            frame["age"].to_numpy()[release.rows], release.frame["age"].astype(float).to_numpy()
        )
        ** 2
    )
    person, row = linear_sum_assignment(cost)
    classes = release.published.classes(("age",))
    expected = np.mean((classes.code[person] == classes.code[row]) / classes.size_of_row[row])
    assert right_matches(release) == pytest.approx(expected, abs=0.05)
    alone = right_guesses(release, release.quasi, np.arange(60))[0]
    assert right_matches(release) > alone
    assert value(release, "prosecutor_mean") == right_matches(release)


QUASI = {"quasi": ("sex", "age", "town"), "sensitive": ("diagnosis",)}


def patients(*steps: Step):
    return run(Recipe(steps, data="demo:patients", kind="table", roles=QUASI, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameter", "values"),
    [
        ("swap_ranks", "share", (0.0, 0.05, 0.3, 1.0)),
        ("pram", "keep", (1.0, 0.8, 0.4, 0.0)),
        ("add_noise", "deviation", (0.0, 0.2, 1.0, 5.0)),
    ],
)
def test_nothing_done_is_unchanged_and_more_is_safer_and_less_useful(name, parameter, values):
    plain = patients()
    before = {one.measure.key: one.share for one in plain.threats}
    reports = [patients(Step(name, {parameter: one})) for one in values]
    for report in reports:
        assert {one.threat.group for one in report.threats} == {LINKABILITY, INFERENCE}
        assert report.privacy >= plain.privacy - 1e-9
    nothing = {one.measure.key: one.share for one in reports[0].threats}
    for key in ("privacy.prosecutor_mean", "privacy.linkage", "privacy.uncertainty_removed"):
        assert nothing[key] == pytest.approx(before[key])
    assert reports[0].utility == 1
    privacy, utility = ([getattr(one, which) for one in reports] for which in ("privacy", "utility"))
    assert privacy == sorted(privacy)
    assert utility == sorted(utility, reverse=True)


def test_the_card_says_that_k_means_nothing():
    report = patients(Step("add_noise", {}))
    told = [one.text for one in unprotected(report)]
    assert not report.promises
    assert any("say nothing about people" in one for one in told)
    assert not any("are unique on the quasi-identifiers" in one for one in told)


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("swap_ranks", {"columns": "town"}, "holds no numbers"),
        ("pram", {"columns": "age"}, "holds no texts"),
        ("pram", {"columns": "ill"}, "is sensitive and is not perturbed"),
        ("add_noise", {"deviation": -1}, "must be a number from 0 to 5"),
        ("pram", {"keep": 2}, "must be a number from 0 to 1"),
    ],
)
def test_wrong_calls(name, more, message):
    with pytest.raises(UsageError, match=message):
        apply(name, table(20), ROLES, **more)


def chain(frame, roles, *steps):
    made = [(methods.get(name, data="table").item(**more), np.random.default_rng(1)) for name, more in steps]
    return apply_steps(Table.from_frame(frame), roles, made)[0]


def test_recoded_texts_are_not_perturbed():
    steps = ("recode", {"rules": "town = c, d > rare"}), ("pram", {})
    with pytest.raises(InsanonymError, match="'town' were recoded by a step before"):
        chain(table(), ROLES, *steps)


def test_who_attacks_coarser_numbers_knows_how_they_were_made_coarser():
    """Rounded and swapped with nobody: as many are found as when they are rounded only."""
    frame, roles = table(), Roles(("age",), ("ill",))
    rounded = chain(frame, roles, ("round_numbers", {"step": 20}))
    swapped = chain(frame, roles, ("round_numbers", {"step": 20}), ("swap_ranks", {"share": 0}))
    assert swapped.perturbed == ("age",)
    assert not swapped.generalised
    assert right_guesses(swapped, ("age",), np.arange(300))[0] == pytest.approx(
        value(rounded, "prosecutor_mean")
    )
    assert value(swapped, "ncp") > 0, "what rounding costs is measured against the original"
    cut = chain(frame, roles, ("top_bottom_code", {"top": 0.4}), ("add_noise", {"deviation": 0.2}))
    assert in_order(cut, "age").astype(float).max() < frame["age"].max()


def skewed(rows: int, columns: int = 5) -> pd.DataFrame:
    draw = np.random.default_rng(5)
    shares = [0.6, 0.25, 0.1, 0.04, 0.01]
    names = [f"c{number}" for number in range(columns)]
    return pd.DataFrame({name: draw.choice([*"vwxyz"], rows, p=shares) for name in names})


def test_who_knows_the_chances_takes_the_likeliest_row():
    """Literally: the product over columns of the chance of the published text over its share."""
    frame = skewed(60, 3)
    roles = Roles(tuple(frame.columns))
    release = apply("pram", frame, roles, keep=0.5)
    method = methods.get("pram", data="table").item(keep=0.5)
    codes = {name: release.original[name].codes for name in frame.columns}
    person, row = nearest_rows(release, codes, by_chances=True)
    found = {one: set(row[person == one].tolist()) for one in range(60)}
    for one in range(60):
        ratio = np.ones(60)
        for name in frame.columns:
            chances = method.chances(release.original[name])
            share = np.bincount(codes[name], minlength=len(chances)) / 60
            published = release.published[name].codes
            ratio *= chances[codes[name][one], published] / share[published]
        assert found[one] == set(np.flatnonzero(ratio > ratio.max() * (1 - 1e-6)).tolist())


def test_the_stronger_attacker_of_pram_counts():
    """Five columns of skewed texts, 1,600 rows: weighing rare texts finds more, and that is what is told."""
    frame = skewed(1600)
    release = apply("pram", frame, Roles(tuple(frame.columns)), keep=0.5)
    rows = np.arange(1600)
    known = {name: release.original[name].codes[release.rows] for name in frame.columns}

    def found_by(by_chances):
        person, row = nearest_rows(release, known, by_chances)
        return float((1 / np.bincount(person)[person])[person == row].sum() / 1600)

    plain, weighing = found_by(False), found_by(True)
    assert weighing > 1.1 * plain
    assert right_guesses(release, tuple(frame.columns), rows)[0] == pytest.approx(weighing)
    assert value(release, "prosecutor_mean") >= weighing
    nothing = apply("pram", frame, Roles(tuple(frame.columns)), keep=0)
    person, _ = nearest_rows(nothing, known, by_chances=True)
    assert len(person) == 1600**2, "texts drawn anew say nothing about anybody"
