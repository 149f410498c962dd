"""The generated enrolments: their columns, plausible studies, the source's numbers, and wrong calls.

The source's figures stand beside ours; the counting here is written apart from the package's methods.
"""

import io

import pandas as pd
import pytest

from insanonym_core.demo.university import COLUMNS, make_enrolments
from insanonym_core.errors import UsageError

FULL_SIZE = 106_000
PUBLISHED = list(COLUMNS[1:])
STUDY = ["NIVEAU_APRES_BAC", "LIB_DIPLOME", "LIBELLE_COURT_COMPOSANTE", "NIVEAU_DANS_LE_DIPLOME"]
STAGE = ["CODE_ETAPE", "LIBELLE_COURT_ETAPE", "LIBELLE_LONG_ETAPE"]
PROJECTIONS = {
    "etapes": [*STAGE, *STUDY, "LIBELLE_DISCIPLINE_DIPLOME", "CODE_SISE_DIPLOME"],
    "academie": ["LIBELLE_ACADEMIE_BAC", *STUDY, "CONTINENT", "LIBELLE_REGIME"],
    "bac": ["REGROUPEMENT_BAC", *STUDY, "CONTINENT", "LIBELLE_REGIME"],
}


def rare(frame, columns, k=5):
    return frame.groupby(columns, dropna=False)[columns[0]].transform("size") < k


def clean(frame):
    """Rows without rare values, and the number of rare values by column, pass by pass."""
    passes = []
    while True:
        counts = {name: int((frame[name].value_counts(dropna=False) < 5).sum()) for name in PUBLISHED}
        counts = {name: count for name, count in counts.items() if count}
        if not counts:
            return frame, passes
        passes.append(counts)
        frame = frame[~pd.concat([rare(frame, [name]) for name in counts], axis=1).any(axis=1)]


def total_loss(raw, kept, columns):
    return 1 - (~rare(kept, columns)).sum() / len(raw)


def traces(frame, *, with_bac):
    """How often each trace occurs."""
    item = frame["LIBELLE_COURT_COMPOSANTE"] + "." + frame["LIB_DIPLOME"]
    item += "." + frame["NIVEAU_APRES_BAC"].astype(str) + "." + frame["CODE_ETAPE"]
    ordered = frame.assign(item=item).sort_values(["CODE_INDIVIDU", "ANNEE_INSCRIPTION"])
    people = ordered.groupby("CODE_INDIVIDU")
    trace = people["item"].agg("|".join)
    return (people["REGROUPEMENT_BAC"].first() + "|" + trace if with_bac else trace).value_counts()


def shared(counts, threshold=10):
    """How many traces are not singular, and which share of the people they cover."""
    return int((counts >= threshold).sum()), counts[counts >= threshold].sum() / counts.sum()


@pytest.fixture(scope="module")
def enrolments():
    return make_enrolments()


@pytest.fixture(scope="module")
def full():
    return make_enrolments(FULL_SIZE)


@pytest.fixture(scope="module")
def cleaned(full):
    return clean(full)


# --- the rows --------------------------------------------------------------------------------------


def test_columns_years_and_individuals_are_those_asked_for(enrolments):
    assert tuple(enrolments.columns) == COLUMNS
    assert sorted(enrolments["ANNEE_INSCRIPTION"].unique()) == list(range(2006, 2016))
    assert enrolments["CODE_INDIVIDU"].nunique() == 12_000
    assert 1.9 < len(enrolments) / 12_000 < 2.2
    assert list(enrolments.index) == list(range(len(enrolments)))


def test_the_same_seed_gives_the_same_rows_and_another_does_not():
    frame = make_enrolments(500)
    pd.testing.assert_frame_equal(frame, make_enrolments(500, seed=7))
    assert not frame.equals(make_enrolments(500, seed=8))


@pytest.mark.parametrize("individuals", [1, 2, 30, 700])
def test_small_universities_are_complete_too(individuals):
    for seed in range(3):
        frame = make_enrolments(individuals, seed)
        assert tuple(frame.columns) == COLUMNS
        assert frame["CODE_INDIVIDU"].nunique() == individuals


def test_the_table_survives_a_csv_file(enrolments):
    again = pd.read_csv(io.StringIO(enrolments.to_csv(index=False)))
    pd.testing.assert_frame_equal(again, enrolments)


def test_only_those_without_a_bac_have_no_academy(enrolments):
    missing = enrolments.isna().sum()
    assert list(missing[missing > 0].index) == ["LIBELLE_ACADEMIE_BAC"]
    without = enrolments["REGROUPEMENT_BAC"] == "Sans bac"
    assert (enrolments["LIBELLE_ACADEMIE_BAC"].isna() == without).all()
    assert 0.002 < without.mean() < 0.03


# --- the lives -------------------------------------------------------------------------------------


def test_a_person_has_one_stage_a_year_and_keeps_bac_academy_and_continent(enrolments):
    assert not enrolments.duplicated(["CODE_INDIVIDU", "ANNEE_INSCRIPTION"]).any()
    people = enrolments.groupby("CODE_INDIVIDU")
    for trait in ("REGROUPEMENT_BAC", "LIBELLE_ACADEMIE_BAC", "CONTINENT"):
        assert people[trait].nunique().max() == 1


def test_numbers_of_enrolment_count_up_and_say_who_came_before_2006(enrolments):
    ordered = enrolments.sort_values(["CODE_INDIVIDU", "ANNEE_INSCRIPTION"])
    people = ordered.groupby("CODE_INDIVIDU")
    assert (people["NIEME_INSCRIPTION"].diff().dropna() == 1).all()
    first = people[["ANNEE_INSCRIPTION", "NIEME_INSCRIPTION"]].first()
    assert (first.loc[first["ANNEE_INSCRIPTION"] > 2006, "NIEME_INSCRIPTION"] == 1).all()
    assert 0.3 < (first.loc[first["ANNEE_INSCRIPTION"] == 2006, "NIEME_INSCRIPTION"] > 1).mean() < 0.7


def test_codes_do_not_tell_when_somebody_arrived(enrolments):
    first = enrolments.groupby("CODE_INDIVIDU")["ANNEE_INSCRIPTION"].min()
    assert first.index.is_monotonic_increasing
    assert abs(first.reset_index(drop=True).corr(pd.Series(range(len(first))))) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("diploma", "level", "next_level", "least", "most"),
    [
        ("DUT", 1, 2, 0.55, 0.8),
        ("Licence", 1, 2, 0.35, 0.6),
        ("Licence", 2, 3, 0.5, 0.75),
        ("Licence", 1, 1, 0.08, 0.25),  # repeats or changes
        ("Licence", 3, 4, 0.3, 0.5),
        ("Master", 4, 5, 0.4, 0.7),
        ("Doctorat", 8, 8, 0.5, 0.8),
    ],
)
def test_students_go_on_repeat_or_leave(full, diploma, level, next_level, least, most):
    """Shares of those in a year of a diploma who are at `next_level` in the following year."""
    rows = full[full["ANNEE_INSCRIPTION"] < 2015]
    rows = rows[(rows["LIB_DIPLOME"] == diploma) & (rows["NIVEAU_APRES_BAC"] == level)]
    following = full.assign(ANNEE_INSCRIPTION=full["ANNEE_INSCRIPTION"] - 1)
    joined = rows.merge(following, on=["CODE_INDIVIDU", "ANNEE_INSCRIPTION"], how="left")
    assert least < (joined["NIVEAU_APRES_BAC_y"] == next_level).mean() < most


def test_some_interrupt_their_studies_and_every_kind_of_diploma_is_taught(enrolments):
    ordered = enrolments.sort_values(["CODE_INDIVIDU", "ANNEE_INSCRIPTION"])
    assert (ordered.groupby("CODE_INDIVIDU")["ANNEE_INSCRIPTION"].diff() > 1).any()
    taught = set(enrolments["LIB_DIPLOME"])
    assert taught > {"DUT", "Licence", "Licence pro", "Master", "Master Pro", "Master Rec", "Doctorat"}
    assert "IUTSD.DUT.1.S1TC|IUTSD.DUT.2.S2TC" in traces(enrolments, with_bac=False).index[:50]


# --- the source's numbers at full size -------------------------------------------------------------


@pytest.mark.slow
def test_full_size_has_the_rows_of_the_source(full):
    assert 205_000 < len(full) < 221_000  # source: 213,289
    by_year = full["ANNEE_INSCRIPTION"].value_counts()
    assert 19_000 < by_year.min() < by_year.max() < 24_500  # source: 19,897 to 22,641
    assert by_year[2015] > by_year[2006]


@pytest.mark.slow
def test_rare_values_go_in_two_passes(cleaned):
    _, passes = cleaned
    assert len(passes) == 2
    first, second = (dict(counts) for counts in passes)
    for name, least, most in (  # source: 319, 299, 362, 41, 27, 1, 3
        ("CODE_ETAPE", 220, 450),
        ("LIBELLE_COURT_ETAPE", 200, 420),
        ("LIBELLE_LONG_ETAPE", 250, 500),
        ("CODE_SISE_DIPLOME", 25, 80),
        ("LIBELLE_DISCIPLINE_DIPLOME", 15, 40),
        ("LIB_DIPLOME", 1, 1),
        ("NIEME_INSCRIPTION", 1, 8),
    ):
        assert least <= first.pop(name) <= most, name
    assert first == {}
    assert set(second) <= set(STAGE)
    assert 1 <= sum(second.values()) < 30  # source: 4


def test_cleaning_costs_little_and_most_in_the_last_years(full, cleaned):
    kept, _ = cleaned
    assert 0.002 < 1 - len(kept) / len(full) < 0.006  # source: 795 of 213,289 = 0.0037
    lost = full["ANNEE_INSCRIPTION"].value_counts() - kept["ANNEE_INSCRIPTION"].value_counts()
    assert 2.5 < lost[2015] / lost[2006] < 10  # source: 228 / 45 = 5.1
    assert lost[2015] > lost[2014] > lost[2013] > lost[[2006, 2007, 2008]].mean()


def test_all_columns_together_cost_most_rows(full, cleaned):
    lost = rare(cleaned[0], PUBLISHED).sum() / len(full)
    assert 0.5 < lost < 0.7  # source: 0.61


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("etapes", 0.002, 0.01), ("academie", 0.02, 0.05), ("bac", 0.01, 0.04)],  # source: 0.004, 0.035, 0.019
)
def test_themed_projections_cost_a_few_percent(full, cleaned, name, least, most):
    assert least < total_loss(full, cleaned[0], PROJECTIONS[name]) < most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("with_bac", "different", "not_singular", "covered"),
    [(False, 16_077, 1_584, 0.77), (True, 25_725, 1_876, 0.60)],  # the source's
)
def test_traces_are_few_for_many_and_many_for_few(cleaned, with_bac, different, not_singular, covered):
    counts = traces(cleaned[0], with_bac=with_bac)
    many, share = shared(counts)
    assert different / 1.3 < len(counts) < different * 1.3
    assert not_singular / 1.3 < many < not_singular * 1.3
    assert share == pytest.approx(covered, abs=0.05)


# --- the same character at the default size --------------------------------------------------------


@pytest.mark.slow
def test_the_default_size_is_a_smaller_university_of_the_same_kind(enrolments):
    kept, passes = clean(enrolments)
    assert 0.002 < 1 - len(kept) / len(enrolments) < 0.01
    assert len(passes) <= 3
    assert 20 < passes[0]["CODE_ETAPE"] < 80
    for columns in PROJECTIONS.values():
        assert total_loss(enrolments, kept, columns) < 0.08
    without, with_bac = (traces(kept, with_bac=choice) for choice in (False, True))
    assert 1_500 < len(without) < len(with_bac) < 6_000
    assert 0.55 < shared(without)[1] < 0.8
    assert 0.3 < shared(with_bac)[1] < shared(without)[1]


# --- wrong calls -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "name", "got"),
    [
        ({"individuals": 0}, "individuals", "got 0"),
        ({"individuals": 2_000_001}, "individuals", "got 2000001"),
        ({"individuals": 2.5}, "individuals", "got 2.5"),
        ({"individuals": True}, "individuals", "got True"),
        ({"individuals": "12"}, "individuals", "got '12'"),
        ({"seed": -1}, "seed", "got -1"),
        ({"seed": None}, "seed", "got None"),
    ],
)
def test_a_wrong_size_is_refused_in_one_sentence(arguments, name, got):
    with pytest.raises(UsageError, match="demonstration university must be a whole number") as refused:
        make_enrolments(**arguments)
    assert f"'{name}'" in str(refused.value)
    assert got in str(refused.value)
