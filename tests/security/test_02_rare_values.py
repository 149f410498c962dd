"""2: what few people hold is not named: in bars, at the ends of histograms, in weeks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import run
from insanonym_core.numeric.holders import bin_of, common_range, count_holders, rare_bins, round_edges
from insanonym_core.recipe import Recipe, Step
from insanonym_core.results.scores import Bars, Distribution
from insanonym_core.tabular.table import Table

RARE = "ZQRARETOWN"
INCOME = 91234.567


def visits(people: int = 60) -> Table:
    """Several rows for each person; one of them alone has a town, and eight different high incomes."""
    draw = np.random.default_rng(3)
    rows = []
    for who in range(people):
        for _ in range(4):
            town, income = str(draw.choice(["Lyon", "Nantes"])), round(30_000 + 4_000 * draw.normal(), 3)
            rows.append((f"v{len(rows)}", f"p{who:03}", town, income, str(draw.choice(["flu", "cold"]))))
    for visit in range(8):
        rows.append((f"v{len(rows)}", "p999", RARE, INCOME + visit, "flu"))
    return Table.from_frame(
        pd.DataFrame(rows, columns=["visit_id", "patient_id", "town", "income", "illness"])
    )


def _evidence(recipe: Recipe, table: Table) -> list[Bars | Distribution]:
    report = run(recipe, data=table)
    every = [*report.evidence, *(one for measure in report.measures for one in measure.score.evidence)]
    return [one for one in every if not one.shows_individuals and isinstance(one, Bars | Distribution)]


def _recipes() -> dict[str, Recipe]:
    quasi = {"quasi": ("town",), "sensitive": ("illness",), "by": "town"}
    keep = (Step("suppress_rare_values", {"k": 2, "columns": ("town",)}),)
    rare = (Step("suppress_rare_values", {"k": 5, "columns": ("town",), "scope": "individual"}),)
    return {
        "table": Recipe(keep, kind="table", roles={"identifier": "patient_id", **quasi}),
        "deleted": Recipe(rare, kind="table", roles={"identifier": "patient_id", **quasi}),
        "two identifiers": Recipe(
            keep, kind="table", roles={"identifier": ("visit_id", "patient_id"), **quasi}
        ),
        "avatars": Recipe(
            (Step("mix_neighbours", {"k": 5}),), kind="avatars", roles={"identifier": "patient_id"}
        ),
    }


@pytest.mark.parametrize("name", _recipes())
def test_eight_rows_of_one_person_are_not_eight_people(name):
    shown = _evidence(_recipes()[name], visits())
    assert shown
    assert not [one.title for one in shown if isinstance(one, Bars) and RARE in one.labels]
    high = [
        one.title
        for one in shown
        if isinstance(one, Distribution) and one.title.startswith("income") and one.edges.max() > 60_000
    ]
    assert high == []


@pytest.mark.parametrize("kind", ["table", "avatars"])
def test_the_ends_of_a_histogram_are_nobodys_values(kind):
    draw = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "income": draw.normal(30_000, 4_000, 300).round(3),
            "born": pd.to_datetime("1950-01-01") + pd.to_timedelta(draw.integers(0, 20_000, 300), unit="D"),
            "sex": draw.choice(["m", "f"], 300),
        }
    )
    method = (
        Step("mix_neighbours") if kind == "avatars" else Step("suppress_rare_values", {"columns": ("sex",)})
    )
    roles = {} if kind == "avatars" else {"quasi": ("sex",)}
    own = {*frame["income"], *(1970 + (frame["born"] - pd.Timestamp(0)).dt.days / 365.2425)}
    drawn = [
        one
        for one in _evidence(Recipe((method,), kind=kind, roles=roles), Table.from_frame(frame))
        if isinstance(one, Distribution) and one.title.startswith(("income", "born"))
    ]
    assert len(drawn) == 2
    for one in drawn:
        assert not [edge for edge in one.edges.tolist() if any(abs(edge - value) < 1e-6 for value in own)]


def test_somebody_alone_is_not_seen_on_the_first_component_or_by_distance():
    draw = np.random.default_rng(5)
    frame = pd.DataFrame({"income": draw.normal(30_000, 4_000, 300), "sex": draw.choice(["m", "f"], 300)})
    frame.loc[7, "income"] = 250_000.0
    shown = _evidence(Recipe((Step("mix_neighbours"),), kind="avatars"), Table.from_frame(frame))
    for one in shown:
        if isinstance(one, Distribution) and one.unit in ("component 1", "distance"):
            assert one.edges.max() < 8, one.title  # the outlier lies 16 standard deviations away


def test_a_week_with_fewer_people_than_the_recipes_k_is_not_named():
    city = make_city(12, 2).track
    week = city.week == city.week.max()
    people = np.unique(city.individual[week])[:6]
    kept = city.take(np.flatnonzero(~week | np.isin(city.individual, people)))
    for k, named in ((2, 2), (8, 1)):
        recipe = Recipe((Step("suppress_rare_cells", {"k": k}),))
        report = run(recipe, data=kept)
        bars = next(one for one in report.family("attack")).score.evidence[0]
        assert len([label for label in bars.labels if "other" not in label]) == named


@given(st.lists(st.tuples(st.integers(0, 6), st.floats(-50, 50)), min_size=1, max_size=60), st.integers(2, 6))
def test_bins_and_ends_by_a_plain_count(rows, fewest):
    who = np.array([one for one, _ in rows])
    values = np.array([value for _, value in rows])
    ends = common_range(values, [who], fewest)
    below = lambda limit: len({person for person, value in rows if value <= limit})  # noqa: E731
    above = lambda limit: len({person for person, value in rows if value >= limit})  # noqa: E731
    if ends is None:
        common = [value for _, value in rows if below(value) >= fewest and above(value) >= fewest]
        assert not common
        return
    low, high = ends
    assert below(low) >= fewest
    assert above(high) >= fewest
    assert all(below(value) < fewest for _, value in rows if value < low)
    edges = round_edges(low, high, 20, whole=False)
    assert edges[0] <= low <= high <= edges[-1]
    assert len(edges) <= 24
    place = bin_of(values, edges)
    counts = np.histogram(values, edges)[0]
    assert np.bincount(place[place >= 0], minlength=len(edges) - 1).tolist() == counts.tolist()
    rare = rare_bins(values, [who], edges, fewest)
    for number in range(len(edges) - 1):
        assert rare[number] == (len(set(who[place == number].tolist())) < fewest)


def test_the_column_with_the_fewest_people_counts():
    group = np.array([0, 0, 0, 1, 1, 1])
    visit, patient = np.arange(6), np.array([0, 0, 0, 1, 2, -1])
    assert count_holders(group, 2, ()).tolist() == [3, 3]
    assert count_holders(group, 2, (visit,)).tolist() == [3, 3]
    assert count_holders(group, 2, (visit, patient)).tolist() == [1, 3]
