"""Making and scoring avatars: repeatable, shuffled, reusable, and honest about what they are."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

from insanonym_core.avatars.methods import mix_neighbours as making
from insanonym_core.avatars.metrics.closeness import (
    cloaking_median,
    dcr_median,
    dcr_share,
    hidden_rate,
    identical,
    nndr_median,
)
from insanonym_core.avatars.release import avatars_from_tables, get_rehearsal
from insanonym_core.avatars.walkthrough import first_avatars, neighbour_distances
from insanonym_core.demo.named import NAMES, named_table
from insanonym_core.errors import DataError, UsageError
from insanonym_core.runtime.store import Store, using
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of, published_as, table_of
from tests.avatars.test_generate import GOLDEN
from tests.helpers import scores_of


@pytest.fixture(scope="module")
def patients() -> Table:
    return named_table("demo:patients")


def test_a_seed_gives_the_same_avatars_again(patients):
    once, again, other = avatars_of(patients), avatars_of(patients), avatars_of(patients, seed=2)
    pd.testing.assert_frame_equal(once.published.frame(), again.published.frame())
    assert not once.published.frame().equals(other.published.frame())


def test_avatars_come_out_shuffled_and_the_pairing_is_a_permutation(patients):
    made = avatars_of(patients)
    assert sorted(made.owner.tolist()) == list(range(patients.rows))
    assert made.owner.tolist() != list(range(patients.rows))


def test_values_are_written_as_in_the_source_even_beside_imputed_ones(patients):
    frame = avatars_of(patients).published.frame()
    source = patients.frame()
    for name in ("height_cm", "systolic_mmhg"):
        assert (frame[name] == frame[name].round()).all(), name
    glucose, admission = (frame[name].dropna() for name in ("glucose_mmol_l", "admission_date"))
    assert len(glucose) < len(frame)
    assert (glucose.round(2) == glucose).all()
    assert (admission == admission.dt.normalize()).all()
    assert set(frame["town"].dropna()) <= set(source["town"].dropna())
    assert frame["age"].between(source["age"].min(), source["age"].max()).all()


def test_a_smaller_k_and_another_seed_search_nothing_again(patients, monkeypatch):
    store = Store()
    with using(store):
        avatars_of(patients, k=30)

    def never(*_: object, **__: object):
        raise AssertionError("the neighbours were searched again")

    monkeypatch.setattr(making, "neighbours_of_rows", never)
    with using(store):
        avatars_of(patients, k=10, seed=5)
        avatars_of(patients, k=30, weights="exponential")


def test_self_neighbours_and_a_lowered_k_are_said_loudly(patients):
    for settings, what in (
        ({"weights": "published"}, "copies of real rows"),
        ({"weights": "exponential"}, "each row is one of its own ingredients"),
        ({"weights": "exponential", "k": 1}, "copies of real rows"),
    ):
        (said,) = avatars_of(patients, include_self=True, **settings).warnings
        assert what in said
        assert said.endswith("Do not publish them.")
        assert ("copies" in said) == ("copies" in what)
    few = avatars_of(patients.take(np.arange(6)), k=20)
    assert few.facts["neighbours"].index.shape == (6, 5)
    assert "lowered to 5" in few.warnings[0]
    assert avatars_of(patients).warnings == ()


def test_copies_show_in_every_score_and_in_the_share():
    rng = np.random.default_rng(0)
    table = Table.from_frame(pd.DataFrame(rng.normal(size=(200, 3)), columns=list("xyz")))
    made = avatars_of(table, include_self=True, components=3)
    assert dcr_median(made).value < 1e-6
    assert hidden_rate(made).value == 0
    assert identical(made).value == 1
    assert dcr_share(made).value == 1
    assert dcr_median(made).details["avatars_of_half"] < 1e-6


GAUSS = Table.from_frame(
    pd.DataFrame(np.random.default_rng(0).normal(size=(400, 3)).round(6), columns=list("xyz"))
)


@pytest.mark.parametrize("space", ["pca", "columns"])
def test_baselines_by_hand(space):
    made = avatars_of(GAUSS, components=2)
    dcr, nndr = dcr_median(made, space=space), nndr_median(made, space=space)
    real, published = made.points(space)
    train, held_out, half = get_rehearsal(made).points(space)
    themselves = np.sort(cdist(real, real), axis=1)[:, 1:]  # each row is left out of its own search
    for name, far in {
        "real_rows": themselves,
        "held_out_rows": np.sort(cdist(held_out, train), axis=1),
        "avatars_of_half": np.sort(cdist(half, train), axis=1),
    }.items():
        assert dcr.details[name] == pytest.approx(np.median(far[:, 0])), name
        assert nndr.details[name] == pytest.approx(np.median(far[:, 0] / far[:, 1])), name
    own = np.sort(cdist(published, real), axis=1)
    assert dcr.value == pytest.approx(np.median(own[:, 0]))
    assert nndr.value == pytest.approx(np.median(own[:, 0] / own[:, 1]))
    for score in (dcr, nndr):
        assert list(score.evidence[0].counts) == ["avatars", "held-out rows", "real rows"]
        few = 4 / len(held_out)  # the largest four of a group are not drawn
        assert all(1 - few <= shares.sum() + 1e-9 for shares in score.evidence[0].counts.values())
        assert all(shares.sum() <= 1 + 1e-9 for shares in score.evidence[0].counts.values())


def test_avatars_of_new_people_score_like_held_out_rows():
    """Avatars that are new people: as far as held-out rows are, or real rows among themselves."""
    draw = np.random.default_rng(1)
    made = published_as(GAUSS, lambda rows: pd.DataFrame(draw.normal(size=rows.shape), columns=list("xyz")))
    score = dcr_median(made)
    assert score.details["avatars_of_half"] == pytest.approx(score.details["held_out_rows"], rel=0.12)
    assert score.value == pytest.approx(score.details["real_rows"], rel=0.12)
    assert (
        score.details["held_out_rows"] > 1.12 * score.details["real_rows"]
    )  # half the people, further apart
    assert dcr_share(made).value == pytest.approx(0.5, abs=0.1)
    assert dcr_share(avatars_of(GAUSS)).value > 0.6


def test_ties_count_half_in_the_share():
    made = published_as(table_of(x=[0, 1] * 20), lambda rows: rows.assign(x=0))
    assert dcr_share(made).value == 0.5


def test_undefined_ratios_are_left_out_and_counted():
    real = table_of(x=[0.0, 0.0, 1.0, 3.0, 9.0])
    score = nndr_median(avatars_from_tables(real, table_of(x=[0.0, 0.0, 2.5, 4.0, 1.0])))
    assert score.details["undefined"] == 2
    assert score.value == pytest.approx(np.median([0.5 / 1.5, 1 / 3, 0]))
    twice = table_of(x=[0.0, 0.0, 1.0, 1.0])
    assert "0/0" in nndr_median(avatars_from_tables(twice, twice)).undefined_because


def test_the_typical_person_hides_behind_the_median():
    far = table_of(x=[0.0, 10.0, 20.0, 30.0, 40.0, 100.0])
    made = published_as(far, lambda rows: rows.assign(x=[0.0, 10.0, 20.0, 30.0, 40.0, 1.0]))
    counts = [0, 0, 0, 0, 0, 5]  # the last one's avatar lies beside the first one
    assert cloaking_median(made).value == np.median(counts) == 0
    assert hidden_rate(made).value == pytest.approx(1 / 6)
    swapped = published_as(far, lambda rows: rows.iloc[::-1].reset_index(drop=True))
    assert cloaking_median(swapped).value == 3.5  # 5, 3, 1, 2, 4, 5 others are as close
    assert hidden_rate(swapped).value == 1


def test_without_a_pairing_two_scores_are_not_available():
    real, synthetic = (
        Table.from_frame(pd.read_csv(GOLDEN / f"{name}.csv")) for name in ("real", "synthetic")
    )
    scores = scores_of(avatars_from_tables(real, synthetic), "avatars", settings={"space": "columns"})
    expected = json.loads((GOLDEN / "expected.json").read_text())
    assert scores["dcr_median"].value == pytest.approx(expected["dcr_median"], abs=1e-9)
    assert not scores["hidden_rate"].defined
    assert "which avatar was made from which row" in scores["local_cloaking"].undefined_because
    with pytest.raises(DataError, match="lacks the columns w"):
        avatars_from_tables(real, synthetic.select(["u", "v"]))
    with pytest.raises(DataError, match="original table lacks the columns v, w"):
        avatars_from_tables(real.select(["u"]), synthetic)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"x": [1]}), "at least 2 rows"),
        (pd.DataFrame({"x": [7, 7, 7]}), "All rows of the table are equal"),
        (pd.DataFrame({"x": [None, None]}).astype(float), "All rows of the table are equal"),
        (pd.DataFrame({"t": [f"text {number}" for number in range(3000)]}), "leave out identifiers"),
    ],
)
def test_tables_without_avatars(frame, message):
    with pytest.raises(DataError, match=message):
        avatars_of(Table.from_frame(frame))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": [1, 2, 3, 4]}),  # one column
        pd.DataFrame({"t": ["a", "b", "a", "c"]}),  # texts only, a category seen once
        pd.DataFrame({"x": [1, 2], "y": [3, 9], "z": [5, 5]}),  # fewer rows than columns, a constant one
        pd.DataFrame({"x": [1.0, None, 3.0], "t": ["a", None, "b"]}),
    ],
)
def test_small_tables_have_avatars(frame):
    made = avatars_of(Table.from_frame(frame), k=3)
    assert list(made.published.columns) == list(frame.columns)
    assert made.published.rows == len(frame)


@pytest.mark.parametrize("name", NAMES)
def test_named_data(name):
    assert named_table(name).rows > 400
    with pytest.raises(UsageError, match="choose from: demo:breast_cancer"):
        named_table("demo:nothing")


def test_the_documents_own_tables(patients):
    """Neighbour distances of the first rows, their weighted mean, DCR and NNDR of the first five."""
    made = avatars_of(patients, k=5)
    table = neighbour_distances(made).columns
    assert list(table) == ["row", *(f"neighbour {place}" for place in range(1, 6)), "weighted mean"]
    points, _ = made.points("pca")
    for row in range(5):
        far = np.sort(np.linalg.norm(points - points[row], axis=1))[1:6]
        assert [table[f"neighbour {place}"][row] for place in range(1, 6)] == pytest.approx(far)
        assert far[0] <= table["weighted mean"][row] <= far[-1]
    first = first_avatars(made).columns
    rows = made.published.take(np.argsort(made.owner)[:5])
    real, synthetic = points, made.space.project(made.space.columns(rows))
    for row in range(5):
        far = np.sort(np.linalg.norm(real - synthetic[row], axis=1))
        assert first["DCR"][row] == pytest.approx(far[0])
        assert first["NNDR"][row] == pytest.approx(far[0] / far[1])
        assert first["NNDR of the source"][row] == pytest.approx(far[1] / far[2])
    with pytest.raises(UsageError, match="made here"):
        first_avatars(avatars_from_tables(patients, patients))


def test_with_itself_included_the_first_neighbour_is_the_row():
    made = avatars_of(named_table("demo:breast_cancer"), k=5, include_self=True)
    assert (neighbour_distances(made).columns["neighbour 1"] == 0).all()
    assert (neighbour_distances(made).columns["weighted mean"] == 0).all()
    assert dcr_median(made).value < 0.001 * dcr_median(made).details["real_rows"]
    assert hidden_rate(made).value == 0


def test_the_held_out_half_is_the_same_for_every_k(patients):
    few, many = (dcr_median(avatars_of(patients, k=k)).details for k in (5, 50))
    for name in ("held_out_rows", "real_rows"):
        assert few[name] == many[name]
    assert few["avatars_of_half"] < many["avatars_of_half"]


def test_columns_of_another_kind_are_refused(patients):
    frame = patients.frame()
    with pytest.raises(DataError, match="holds numbers in the original and texts"):
        avatars_from_tables(patients, Table.from_frame(frame.assign(age=["old"] * len(frame))))
