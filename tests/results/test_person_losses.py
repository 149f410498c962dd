"""Who pays: worked out by hand for each kind, and no class of fewer than five people."""

import numpy as np
import pandas as pd
import pytest

from insanonym_core.experiment import run
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.results.person_losses import PersonLosses, mean_by_person
from tests.experiment.test_run import ALL, report_of


def test_classes_hold_five_people_or_nobody():
    losses = PersonLosses(np.array([0.0] * 20 + [0.05] * 2 + [0.2] * 4 + [0.6] * 7 + [1.0]), "")
    labels, counts = losses.classes(5)
    assert [str(label) for label in labels] == ["nothing", "0% to 25%", "25% to 50%", "more than 50%"]
    assert counts.tolist() == [20, 6, 0, 8]
    assert counts.sum() == len(losses.losses)


@pytest.mark.parametrize("number", range(20))
def test_no_class_shows_a_few(number):
    generator = np.random.default_rng(number)
    losses = np.round(generator.random(int(generator.integers(1, 60))) ** 3, 2)
    labels, counts = PersonLosses(losses, "").classes(5)
    assert counts.sum() == len(losses)
    assert len(set(map(str, labels))) == len(labels)
    assert all(count == 0 or count >= 5 for count in counts) or len(counts[counts > 0]) == 1


def test_the_tenth_that_loses_most():
    losses = PersonLosses(np.array([1.0, *[0.0] * 8, 1.0]), "")
    assert losses.mean == 0.2
    assert losses.worst_tenth == 0.5
    assert np.isnan(PersonLosses(np.zeros(10), "").worst_tenth)
    assert mean_by_person(np.array([1.0, 0.0, 0.5]), np.array([1, 1, 0]), 2).tolist() == [0.5, 0.5]


def test_mobility_is_one_minus_the_distance_score_of_each_person():
    report = report_of("mobility")
    pair = report.release
    rows = np.bincount(pair.original.individual, minlength=len(pair.original.individuals))
    mean = float((report.person_losses.losses * rows[rows > 0]).sum() / rows.sum())
    assert mean == pytest.approx(1 - report.scores["utility.distance"].value)


def test_tables_are_ncp_by_person(tmp_path):
    frame = pd.DataFrame({"who": [1, 1, 2, 2, 3, 3], "age": [10, 20, 10, 20, 50, 60], "town": list("aabbcc")})
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    steps = "steps: [{suppress_rare_values: {k: 2, columns: [age]}}]"
    text = f"data: {path}\nkind: table\nroles: {{identifier: who, quasi: [age, town]}}\n{steps}"
    report = run(recipe_from_text(text), only=("utility.ncp",))
    assert sorted(report.person_losses.losses.tolist()) == [0, 0, 1], "the rows of one person are deleted"
    whole = report_of("table")
    person = whole.release.original[whole.release.roles.identifier].codes
    rows = np.bincount(person)
    assert float((whole.person_losses.losses * rows[rows > 0]).sum() / rows.sum()) == pytest.approx(
        whole.scores["utility.ncp"].value
    )


def test_traces_lose_all_or_their_deleted_rows():
    report = report_of("traces")
    losses, release = report.person_losses.losses, report.release
    assert len(losses) == release.individuals_before
    everything = int((losses == 1).sum())
    lost = release.individuals_before - release.traces.individuals
    assert everything == release.masked.singular_individuals + lost
    assert int((losses < 1).sum()) == release.masked.counted_individuals


def test_avatars_are_as_far_as_gower_says():
    report = report_of("avatars")
    avatars = report.release
    losses = report.person_losses.losses
    assert len(losses) == avatars.source.rows
    row = 17
    made = int(np.flatnonzero(avatars.owner == row)[0])
    before, after = avatars.source.frame(), avatars.published.frame()
    parts = [
        min(
            1.0,
            abs(before[name].iloc[row] - after[name].iloc[made]) / (before[name].max() - before[name].min()),
        )
        for name in before
        if pd.api.types.is_numeric_dtype(before[name])
    ]
    assert len(parts) == before.shape[1]
    assert losses[row] == pytest.approx(np.mean(parts))
    assert "identifier" not in ALL["avatars"]
    assert report.person_losses.rows
