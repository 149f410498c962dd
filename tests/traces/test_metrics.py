"""Measures of traces by hand: four people, two of them alone."""

import pandas as pd
import pytest

from insanonym_core.figures import draw
from insanonym_core.registry import methods, metrics
from insanonym_core.scores import may_be_handed_over
from insanonym_core.texts import french
from insanonym_core.traces.release import TraceRelease

PEOPLE = pd.DataFrame({"who": list("1234"), "year": [2020] * 4, "bac": list("SSLL"), "diploma": list("XXXY")})


def released(mask: int) -> TraceRelease:
    method = methods.get("count_traces", data="traces").item(
        item=("diploma",), order=("year",), prefix=("bac",), mask=mask
    )
    return method.apply(PEOPLE, "who")


def test_below_two_the_mask_itself_gives_every_count_away():
    """S X: 2, and L X, L Y and (without the bac) Y stand below 2: they can only be 1."""
    score = metrics.get("pinned", data="traces").item(released(2))
    assert score.value == 1
    assert score.details == {"masked": 3, "narrowed": 0, "people_pinned": 2, "pinned_by_the_mask": 3}
    bars, table = score.evidence
    assert bars.labels == ("masked", "narrowed", "pinned by the mask itself")
    assert bars.values.tolist() == [3, 0, 3]
    assert table.title in french()
    assert "mask itself" in table.title
    assert set(table.columns["trace"]) == {"L → X", "L → Y", "Y"}
    assert set(table.columns["true count"]) == {1}
    assert set(table.columns["published"]) == {"<2"}
    assert not may_be_handed_over(table)


def test_above_two_only_what_both_tables_fix_counts():
    """Below 3: S X and L X are 1 or 2 each and X is 3: either may be the 2. L Y is Y, 1 or 2."""
    score = metrics.get("pinned", data="traces").item(released(3))
    assert score.value == 0
    assert score.details == {"masked": 4, "narrowed": 0, "people_pinned": 0, "pinned_by_the_mask": 0}
    assert score.evidence[0].labels[-1] == "pinned"


@pytest.mark.parametrize(("k", "rare"), [(2, 1), (3, 3), (4, 4)])
def test_the_rarest_steps_are_shown_whether_rare_or_not(k, rare):
    score = metrics.get("rare_items", data="traces").item(released(2), k=k)
    assert score.value == rare / 4
    assert score.details == {"rare": rare, "items": 4}
    (bars,) = score.evidence
    assert bars.labels == ("Y", "L", "S", "X")
    assert bars.values.tolist() == [1, 2, 2, 3]
    assert bars.references == {"k": k}
    assert not may_be_handed_over(bars), "true counts, below the mask too: nothing for a report"
    assert draw(bars).data
