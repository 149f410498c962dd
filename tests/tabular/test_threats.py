"""The headline of tables: the worst threat, on the roles that were declared."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.experiment import Report, run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import metrics
from insanonym_core.report.first_page import for_whom_it_is_safe
from insanonym_core.report.ledger import Ledger
from insanonym_core.results.threats import INFERENCE, LINKABILITY, SINGLING_OUT, by_group
from insanonym_core.tabular.methods.suppress import SuppressRareRows
from insanonym_core.tabular.release import unchanged
from insanonym_core.tabular.roles import Roles
from insanonym_core.tabular.table import Table
from insanonym_core.texts import french

# Classes: (n, f) flu flu cold; (s, m) flu flu; (e, m) none; (w, f) cold none.
HAND = pd.DataFrame(
    {
        "zone": ["n", "n", "n", "s", "s", "e", "w", "w"],
        "sex": ["f", "f", "f", "m", "m", "m", "f", "f"],
        "ill": ["flu", "flu", "cold", "flu", "flu", "none", "cold", "none"],
    }
)
ROLES = {"quasi": ("zone", "sex"), "sensitive": ("ill",), "identifier": ()}


def report_of(frame: pd.DataFrame, *steps: Step, roles: dict = ROLES, **more: object) -> Report:
    return run(Recipe(steps, kind="table", roles=roles, seed=1, **more), data=Table.from_frame(frame))


LEARNT = ((5 / 3 + 2 + 1 + 1) / 8 - 3 / 8) / (1 - 3 / 8)  # of the illness, by the classes (test_risk.py)


def adult(rows: int = 3000) -> pd.DataFrame:
    """Like Adult: what is sensitive is rare, so that many classes of ten rows hold one value."""
    rng = np.random.default_rng(5)
    age, years = rng.integers(17, 90, rows), rng.integers(1, 17, rows)
    rich = rng.random(rows) < 1 / (1 + np.exp(8 - 0.35 * years - 0.03 * age))
    return pd.DataFrame(
        {
            "age": age,
            "education": [f"level {one}" for one in years],
            "education-num": years,
            "sex": rng.choice(["f", "m"], rows),
            "hours": rng.integers(10, 80, rows),
            "income": np.where(rich, ">50K", "<=50K"),
        }
    )


ADULT_ROLES = {"quasi": ("age", "education", "sex", "hours"), "sensitive": ("income",), "identifier": ()}


def test_the_worst_threat_by_hand():
    report = report_of(HAND)
    threats = {one.measure.key: one.share for one in report.threats}
    assert threats["privacy.unique_share"] == pytest.approx(1 / 8)
    assert threats["privacy.prosecutor_mean"] == pytest.approx(4 / 8)
    assert threats["privacy.homogeneous_share"] == pytest.approx(3 / 8)
    assert threats["privacy.uncertainty_removed"] == pytest.approx(LEARNT)
    assert report.privacy == pytest.approx(1 - LEARNT)
    assert report.decided_by.measure.key == "privacy.uncertainty_removed"
    groups = by_group(report.measures)
    assert groups[SINGLING_OUT].share == pytest.approx(1 / 8)
    assert groups[LINKABILITY].share == pytest.approx(4 / 8)
    assert groups[INFERENCE].sentence() == (
        "knowing the class of a row removes 53% of the uncertainty about its sensitive value"
    )


def test_several_rows_of_one_person_hide_nobody():
    """Four people with five equal rows each: every class of five rows is one person's."""
    who = np.repeat(np.arange(4), 5)
    frame = pd.DataFrame({"who": who, "age": 20 + who, "town": who % 2, "ill": [*"abcde"] * 4})
    roles = {"quasi": ("age", "town"), "sensitive": ("ill",), "identifier": "who"}
    report = report_of(frame.astype({"who": str}), roles=roles)
    threats = {one.measure.key: one.share for one in report.threats}
    assert report.scores["privacy.unique_share"].value == 0
    assert report.scores["privacy.prosecutor_mean"].value == pytest.approx(1 / 5)
    assert threats["privacy.unique_share"] == threats["privacy.prosecutor_mean"] == 1
    assert threats["privacy.linkage"] == pytest.approx(1)
    assert report.privacy == 0
    unnamed = report_of(frame.drop(columns="who"), roles={**roles, "identifier": ()})
    assert unnamed.privacy == pytest.approx(4 / 5)


def test_old_headlines_stay_selectable():
    for name, privacy in (("prosecutor", 1 - 4 / 8), ("unique", 1 - 1 / 8)):
        assert report_of(HAND, headline={"privacy": name}).privacy == pytest.approx(privacy)


def test_without_a_sensitive_column_inference_is_not_measured():
    report = report_of(HAND, roles={**ROLES, "sensitive": ()})
    assert by_group(report.measures)[INFERENCE] == "not measured"
    assert not report.scores["privacy.homogeneous_share"].defined
    assert report.privacy == pytest.approx(1 - 4 / 8)


@pytest.mark.parametrize("column", HAND.columns)
def test_a_table_published_unchanged_shows_its_true_risk_under_one_column(column):
    """It said 1.00 / 1.00 / 1.00: k = 1 on one column leaves every value as it is."""
    plain, cut = report_of(HAND), report_of(HAND, Step("generalise_column", {"column": (column,), "k": 1}))
    assert (cut.privacy, cut.utility) == (plain.privacy, plain.utility) == (pytest.approx(1 - LEARNT), 1)
    assert cut.scores["privacy.k"].value == 1
    assert cut.release.roles.quasi == ("zone", "sex")


@pytest.mark.parametrize(
    "step",
    [
        Step("suppress_rare_rows", {"columns": ("zone", "sex", "ill"), "k": 1}),
        Step("grow_projection", {"start": ("zone", "sex", "ill"), "k": 1}),
        Step("suppress_rare_values", {"k": 1}),
        Step("mondrian", {"k": 1}),
    ],
    ids=lambda step: step.method,
)
def test_and_under_every_other_method(step):
    report = report_of(HAND, step)
    assert report.privacy == pytest.approx(1 - LEARNT)
    assert report.scores["privacy.homogeneous_share"].value == pytest.approx(3 / 8)


def test_a_quasi_identifier_that_is_dropped_is_not_published_and_costs_all_of_it():
    report = report_of(HAND, Step("suppress_rare_rows", {"columns": ("sex", "ill"), "k": 1}))
    assert report.release.quasi == ("sex",)
    assert report.scores["privacy.k"].value == 3
    assert report.scores["utility.ncp"].details == {"zone": 1, "sex": 0}
    assert report.scores["privacy.homogeneous_share"].value == 0  # f: flu, cold, none; m: flu, none


def test_where_no_declared_quasi_identifier_is_left_the_promised_columns_stand_for_them():
    release = SuppressRareRows(columns=("zone",), k=1).apply(
        Table.from_frame(HAND), Roles(("sex",), ("ill",)), np.random.default_rng(0)
    )
    assert release.quasi == ("zone",)
    nothing = unchanged(Table.from_frame(HAND), Roles((), ("ill",)))
    assert nothing.quasi == ()


@pytest.mark.slow
def test_a_third_of_the_rows_given_away_is_what_the_headline_says():
    """Adult at k = 10 read 0.93, by the mean prosecutor risk alone."""
    report = report_of(adult(), Step("mondrian", {"k": 10}), roles=ADULT_ROLES)
    given = report.scores["privacy.homogeneous_share"].value
    assert given > 1 / 3
    assert report.privacy <= 1 - given
    assert 1 - report.scores["privacy.prosecutor_mean"].value > 0.9
    assert report.decided_by.measure.key == "privacy.homogeneous_share"


def test_a_deleted_row_is_not_found():
    """Of 8 rows (n, f) is left: 3 rows, one class. As a threat that is 1 of 8, not 1 of 3."""
    report = report_of(HAND, Step("suppress_rare_rows", {"columns": ("zone", "sex"), "k": 3}))
    assert report.kept == 3
    assert report.scores["privacy.prosecutor_mean"].value == pytest.approx(1 / 3)
    found = {one.measure.key: one.share for one in report.threats}
    assert found["privacy.prosecutor_mean"] == pytest.approx(1 / 8)
    assert found["privacy.linkage"] == pytest.approx(1 / 8)
    assert report.privacy == pytest.approx(7 / 8)


def test_buckets_are_asked_about_inference_alone():
    report = report_of(HAND, Step("bucketise", {"k": 4, "l": 2}))
    assert {one.threat.group for one in report.threats} == {INFERENCE}
    assert report.scores["privacy.unique_share"].value == pytest.approx(1 / 8), "the number itself stays"
    assert report.privacy == 1
    # With groups of one value, a row gives away what its class does: (n, f) stands in groups of flu and cold.
    alone = report_of(HAND, Step("bucketise", {"k": 1, "l": 1}))
    assert alone.scores["privacy.homogeneous_share"].value == pytest.approx(3 / 8)
    assert alone.privacy == pytest.approx(1 - LEARNT), "what the plain table tells"


def test_buckets_of_two_values_are_no_perfect_privacy():
    """Ten values, each as frequent: a group of two leaves a choice of two, where it was one of ten."""
    frame = pd.DataFrame({"age": np.arange(100), "town": np.arange(100) % 7, "ill": np.arange(100) % 10})
    report = report_of(
        frame.astype({"ill": str}),
        Step("bucketise", {"k": 2, "l": 2}),
        roles={"quasi": ("age", "town"), "sensitive": ("ill",), "identifier": ()},
    )
    assert report.scores["privacy.homogeneous_share"].value == 0
    assert report.privacy == pytest.approx(1 - (0.5 - 0.1) / (1 - 0.1))
    assert report.decided_by.measure.key == "privacy.uncertainty_removed"
    assert report.utility == pytest.approx(1 - (1 / 9) / 3), "one of ten values became one of two"


def test_what_is_published_besides_is_named():
    rng = np.random.default_rng(2)
    frame = adult(600).assign(
        measure=rng.permutation(600) / 7, nom_patient=[f"N{one % 300}" for one in range(600)]
    )
    roles = {**ADULT_ROLES, "publish": ("nom_patient",)}
    report = report_of(frame, Step("mondrian", {"k": 10}), roles=roles)
    said = list(report.recipe.data_kind.sentences(report))
    texts = [
        one.text.format(
            **{name: getattr(value, "text", "") or value.value for name, value in one.values.items()}
        )
        for one in said
    ]
    k = report.scores["privacy.k"].value
    assert "Published as they are, although they look like direct identifiers: nom_patient." in texts
    assert any(one.startswith("Published as they are, and nearly unique: measure.") for one in texts)
    first_page = " ".join(map(str, for_whom_it_is_safe(report, Ledger("en"))))
    assert "Whoever knows such a value finds the row" in first_page
    assert "although they look like direct identifiers" in first_page
    told = f"education can be derived from education-num: k = {k} on the quasi-identifiers you named, "
    (found,) = [one for one in texts if one.startswith(told)]
    left = report.release.published.classes((*ADULT_ROLES["quasi"], "education-num")).size.min()
    assert found == f"{told}{left} if education-num is known too."
    assert left < k
    assert all(one.text in french() for one in said)


def test_columns_that_stand_for_quasi_identifiers_nobody_named_are_told():
    """One column is generalised, all others are exact: its k alone says little about the file."""
    step = Step("generalise_column", {"column": "age", "k": 5})
    unnamed = report_of(adult(600), step, roles={**ADULT_ROLES, "quasi": ()})
    assert unnamed.release.assumed_quasi == ("age",)
    (said,) = [
        one for one in unnamed.recipe.data_kind.sentences(unnamed) if "No quasi-identifier" in one.text
    ]
    assert said.values["columns"].text == "age"
    assert said.text in french()
    named = report_of(adult(600), step, roles=ADULT_ROLES)
    assert named.release.assumed_quasi == ()
    assert named.privacy < unnamed.privacy
    rare = Step("suppress_rare_rows", {"columns": ("age", "sex"), "k": 2})
    alone = report_of(adult(600), rare, roles={**ADULT_ROLES, "quasi": ()})
    assert alone.release.assumed_quasi == (), "nothing else is published"


def test_nothing_is_said_of_columns_that_are_not_published_as_they_are():
    report = report_of(
        adult(600),
        Step("suppress_rare_rows", {"columns": ("age", "sex", "income"), "k": 2}),
        roles=ADULT_ROLES,
    )
    texts = [one.text for one in report.recipe.data_kind.sentences(report)]
    assert not any("can be derived from" in one or "as they are" in one for one in texts)


@pytest.mark.parametrize(
    "entry",
    [one for data in ("table", "traces") for one in metrics.all(data=data) if one.threat],
    ids=lambda one: one.key,
)
def test_threats_are_said_in_french(entry):
    assert entry.threat.text in french()


def test_a_larger_threat_beside_the_headline_is_told():
    """Five rows of one person stand in five groups: who intersects them learns more than one row tells."""
    rng = np.random.default_rng(1)
    who = np.repeat(np.arange(100), 5)
    frame = pd.DataFrame(
        {"who": who.astype(str), "age": 20 + who % 60, "town": who // 60, "ill": (who * 7 % 40).astype(str)}
    ).sample(frac=1, random_state=rng.integers(100))
    roles = {"quasi": ("age", "town"), "sensitive": ("ill",), "identifier": "who"}
    report = report_of(frame, Step("bucketise", {"k": 5, "l": 3}), roles=roles)
    assert report.decided_by.measure.key != "privacy.inference"
    assert report.larger_uncounted_threat.measure.key == "privacy.inference"
    assert report.larger_uncounted_threat.share > report.decided_by.share
