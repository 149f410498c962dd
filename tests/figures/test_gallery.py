from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from insanonym_core.avatars.metrics._shared import histogram
from insanonym_core.experiment import Report, run
from insanonym_core.figures import draw, gallery, weights
from insanonym_core.figures.evidence_selection import (
    MAX_COLUMN_FIGURES,
    fingerprint,
    has_content,
    select_evidence,
)
from insanonym_core.recipe import Recipe, Step
from insanonym_core.registry import Measure
from insanonym_core.results.scores import Bars, Distribution, Evidence, Flow, Table
from tests.figures.examples import KINDS, VALUES

RECIPE = Recipe((Step("mix_neighbours", {"k": 5}),), data="demo:breast_cancer", seed=1)


@pytest.fixture(scope="module")
def report() -> Report:
    return run(RECIPE)


@pytest.mark.parametrize("kind", KINDS)
def test_empty_evidence_is_not_worth_a_picture(kind: str) -> None:
    assert not has_content(KINDS[kind](0, VALUES, "c"))
    assert has_content(KINDS[kind](6, VALUES, "c"))


def _bars(*values: float) -> Bars:
    return Bars(
        "Rows", "rows", tuple(map(str, range(len(values)))), np.array(values), shows_individuals=False
    )


def test_a_lonely_bar_is_not_worth_a_picture() -> None:
    assert not has_content(_bars(7))
    assert not has_content(_bars(0, 0))
    assert not has_content(_bars(24_425, 0)), "all rows are kept"
    assert not has_content(_bars(74_648, 0, 0, 0)), "no row was moved"
    assert has_content(_bars(24_300, 125))
    assert has_content(_bars(0, 0, 0.03)), "found only by who knows everything"
    assert not has_content(Flow("T", "people", ("a",), ("b",), np.array([0]), shows_individuals=False))
    nobody = Distribution("D", "rows", "km", np.arange(3), {"a": np.zeros(2)}, shows_individuals=False)
    assert not has_content(nobody)


def test_of_many_columns_the_farthest_are_shown() -> None:
    names = [f"c{place}" for place in range(10)]
    columns = {"column": np.array(names, dtype=object), "distance": np.arange(10.0)}
    both = {"originals": np.ones(2), "avatars": np.ones(2)}
    some: list[Evidence] = [
        Distribution(name, "share", "", np.arange(3), both, shows_individuals=False) for name in names
    ]
    kept = [
        one.title
        for _, one in select_evidence(
            [Table("Distance of each column", columns, shows_individuals=False), *some]
        )
    ]
    assert kept == ["Distance of each column", "c9", "c8", "c7", "c6", "c5", "c4"]
    assert len(kept) == 1 + MAX_COLUMN_FIGURES
    assert len(list(select_evidence(some))) == 10, "without a table before them they are no columns"


def test_the_same_is_drawn_once_and_other_data_under_the_same_title_too(report: Report) -> None:
    assert fingerprint(_bars(1, 2)) == fingerprint(_bars(1, 2)) != fingerprint(_bars(1, 3))
    one, other = report.measures[:2]
    weeks = [_bars(1, 2), _bars(1, 2), _bars(1, 3)]
    measures = (_with(one, *weeks[:2]), _with(other, weeks[2]))
    drawn = [
        picture for picture in gallery.pictures(replace(report, measures=measures)) if "Rows" in picture.title
    ]
    assert [picture.title for picture in drawn] == [
        f"Rows ({one.entry.title})",
        f"Rows ({other.entry.title})",
    ]
    assert "Rows" in drawn[1].figure.layout.title.text
    assert len({picture.name for picture in drawn}) == 2


def _with(measure: Measure, *evidence: Evidence) -> Measure:
    return replace(measure, score=replace(measure.score, evidence=evidence))


@pytest.mark.slow
def test_the_own_weights_are_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    report = run(RECIPE)
    asked = []

    def counted(recipe: Recipe, **options: object) -> Report:
        asked.append(recipe.steps[0].parameters["weights"])
        return run(recipe, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(weights, "run", counted)
    found = weights.COMPARISON.compute(report)
    assert asked == ["exponential"]
    assert list(found) == ["published", "exponential"]
    own = {measure.entry.name: measure for measure in report.measures}
    assert len(found["published"]) == 5
    assert all(measure is own[name] for name, measure in found["published"].items())
    afresh = run(RECIPE.with_parameter(0, "weights", "exponential"))
    assert found["exponential"]["dcr_median"].score.value == afresh.scores["privacy.dcr_median"].value
    asked.clear()
    assert list(weights.COMPARISON.compute(afresh)) == ["published", "exponential"]
    assert asked == ["published"]
    assert weights.COMPARISON.figure(report, found, "fr") is not None


def _edges(*values: int) -> Iterator[float]:
    yield from histogram("t", "u", {"people": np.array(values)}).edges.tolist()


def test_whole_numbers_have_bins_around_them() -> None:
    assert list(_edges(*[0, 3, 1] * 5)) == [-0.5, 0.5, 1.5, 2.5, 3.5]
    many = list(_edges(*range(100)))
    assert set(np.diff(many)) == {5.0}, "a round width"
    assert len(many) <= 41
    assert many[0] == -0.5
    assert 95 < many[-1] < 100, "the four largest are not drawn"
    full = histogram("t", "u", {"people": np.arange(60)})
    assert np.ptp(full.counts["people"]) == pytest.approx(0), "no false gaps"
    shown = draw(histogram("t", "u", {"people": np.array([0, 3, 1] * 5)})).data[0].customdata
    assert [text.split(":")[0] for text in shown] == ["0", "1", "2", "3"]
