"""Issue 17, number 5: which column is guessed to tell individuals apart; what commands make of it."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.experiment import load, make_release
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tabular.roles import Roles, guess_roles, not_published
from insanonym_core.tabular.table import Table
from tests.security.hospital import DIRECT, NUMBERS, PERSONS, TEXTS, VISITS, hidden, hospital, visits


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (("visit_id", "patient_id"), "patient_id"),
        (("visit_id", "id_individu"), "id_individu"),
        (("visit_id", "num_etudiant"), "num_etudiant"),
        (("id", "client"), "client"),
        (("visit_id", "key"), None),
        (("nom_ville", "ipp"), "ipp"),
        (("id", "key"), "id"),
    ],
)
def test_the_guess_prefers_people_over_the_first_match(headers, expected):
    """The first header is of rows, the second of people."""
    rows = PERSONS * VISITS
    frame = pd.DataFrame(
        {headers[0]: np.arange(rows), "age": [20, 30, 40] * PERSONS, headers[1]: NUMBERS * VISITS}
    )
    assert guess_roles(Table.from_frame(frame)).identifier == expected


def test_the_guess_prefers_values_that_repeat_and_patients_over_their_doctors():
    frame = pd.DataFrame(
        {
            "doctor_id": list(range(30)) * 10,
            "user_id": range(300),
            "patient_id": NUMBERS * VISITS,
            "prenom": TEXTS * VISITS,
        }
    )
    assert guess_roles(Table.from_frame(frame)).identifier == "patient_id"
    assert guess_roles(Table.from_frame(frame[["doctor_id", "prenom"]])).identifier == "doctor_id"
    assert guess_roles(Table.from_frame(frame[["prenom"]])).identifier is None


def test_a_named_visit_does_not_publish_the_patient():
    """Whoever names the visit as identifier gets values compared with patients all the same."""
    frame = visits("zz", TEXTS, "patient_id").frame()
    frame["visit_id"] = np.arange(len(frame))
    assert hidden(Table.from_frame(frame), identifier="visit_id") == {"visit_id", "patient_id", "zz"}
    reasons = dict(not_published(Table.from_frame(frame), Roles()))
    assert reasons["visit_id"] == "nearly every row has a different number or code"
    assert reasons["patient_id"].startswith("numbers or codes of people")


def test_guesses_never_propose_direct_identifiers_for_publication():
    guess = guess_roles(Table.from_frame(hospital()))
    assert not set(DIRECT) & {*guess.quasi, *guess.sensitive}
    assert guess.guessed == ("identifier", "quasi", "sensitive")


@pytest.mark.parametrize("demo", ["demo:patients", "demo:breast_cancer", "demo:diabetes", "demo:enrolments"])
def test_demonstration_data_are_published_as_before(demo):
    table = load(Recipe((), data=demo, kind="table"))
    expected = ["CODE_INDIVIDU"] if demo == "demo:enrolments" else []
    assert [name for name, _ in not_published(table, Roles())] == expected


def test_a_named_identifier_is_used_for_the_other_guesses():
    """A text of each person is no quasi-identifier that may be guessed, and so published."""
    recipe = Recipe((Step("mondrian", {"k": 3}),), kind="table", roles={"identifier": "key"})
    made = make_release(recipe, visits("zz", TEXTS, "key"))
    assert set(made.release.published.columns) == {"age", "town"}
    assert made.release.roles.quasi == ("age", "town")


@pytest.fixture
def clinic(tmp_path):
    frame = visits("lname", TEXTS, "patient_id").frame()
    place = frame["patient_id"].str[1:].astype(int)
    for name in ("nom_marital", "iban", "plaque", "passeport", "displayName"):
        frame[name] = [f"Zz{name}{TEXTS[n]}" for n in place]
    frame["ipp"] = [NUMBERS[n] for n in place]
    frame["visit_id"] = np.arange(len(frame))
    frame["year"] = 2020 + np.arange(len(frame)) % 3
    frame["diagnosis"] = np.random.default_rng(1).choice(["flu", "asthma", "angina"], len(frame))
    path = tmp_path / "clinic.csv"
    frame.to_csv(path, index=False)
    return path


def test_the_command_holds_back_what_people_with_several_rows_have(run, clinic, tmp_path):
    out = tmp_path / "release.csv"
    options = ("--id", "patient_id", "--qi", "age,town", "--sensitive", "diagnosis")
    ran = run("table", "mondrian", clinic, *options, "-o", out)
    assert ran.code == 0, ran.err
    assert set(pd.read_csv(out).columns) == {"age", "town", "year", "diagnosis"}
    assert "Check such a column before you publish it" in ran.err


@pytest.mark.parametrize("item", ["lname", "diagnosis,nom_marital"])
def test_traces_warn_of_names(run, clinic, tmp_path, item):
    options = ("--id", "patient_id", "--order", "visit_id", "-o")
    ran = run("traces", "build", clinic, "--item", item, *options, tmp_path / "names.csv")
    assert ran.code == 0, ran.err
    warning = "The traces publish columns that look like direct identifiers: "
    assert f"{warning}{item.split(',')[-1]} (names of people" in ran.err
    assert "visit_id (" not in ran.err  # what orders a trace is not part of it
    good = run("traces", "build", clinic, "--item", "diagnosis", *options, tmp_path / "good.csv")
    assert good.code == 0, good.err
    assert warning not in good.err


@pytest.mark.parametrize(
    ("what", "names", "sentence"),
    [
        (
            "quasi-identifiers",
            "aa",
            "The quasi-identifiers must name each column once, got 'a' twice: leave one out.",
        ),
        ("identifier", "aa", "The identifier must name each column once, got 'a' twice: leave one out."),
        ("identifier", "b", "The identifier must name columns of the table, got 'b', which is no column"),
    ],
)
def test_sentences_fit_one_and_several(what, names, sentence):
    with pytest.raises(UsageError, match=sentence):
        Table.from_frame(pd.DataFrame({"a": [1]})).named(names, what)
