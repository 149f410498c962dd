"""Pages that misled: a headline that looked well while somebody found everybody. Each must read low now."""

from __future__ import annotations

import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import run
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.sweep import plan_sweep, run_sweep

BLIND = ("naive", "mean_position", "mean_hour", "coverage", "poi", "heatmap", "assignment", "dictionary")
CLOAKED = ("cloak k=5", "delete_at_random share=0.1", "pseudonymise")


def report_of(*steps: str, seed: int = 7, city: int | None = None, **more):
    recipe = Recipe(tuple(map(step_from_text, steps)), data="demo:mobility", seed=seed)
    data = None if city is None else make_city(40, 3, seed=city).track
    return run(recipe, data=data, only=("attack", "privacy", "utility"), **more)


@pytest.mark.parametrize("city", [None, 1, 2, 3])
@pytest.mark.parametrize("steps", [CLOAKED, (*CLOAKED[:2], "jitter_time hours=1", "pseudonymise")])
def test_whom_a_join_finds_is_not_private(city, steps):
    report = report_of(*steps, city=city, costly=False)
    assert report.privacy <= 0.02
    assert report.decided_by.measure.entry.name in ("hours", "join", "gaps", "path")
    before = 1 - max(report.scores[f"attack.{name}"].value for name in BLIND)
    assert before > 0.4, "the attackers of before were blind to time"


def test_deleting_nine_rows_in_ten_hides_nobody_whose_times_stay():
    report = report_of("cloak k=20", "delete_at_random share=0.9", "pseudonymise", costly=False)
    kept = 1 - report.scores["attack.join"].details["deleted_pairs"] / 469
    assert report.privacy <= 1 - kept + 0.02
    assert 1 - max(report.scores[f"attack.{name}"].value for name in BLIND) > 0.9


@pytest.mark.slow
def test_clues_together_find_more_than_each_alone():
    steps = ("delete_at_random share=0.3", "jitter_time hours=12", "stop_noise radius=3000", "pseudonymise")
    report = report_of(*steps)
    assert report.privacy <= 0.08
    assert report.decided_by.measure.entry.name == "everything"
    alone = [one.share for one in report.threats if one.measure.key != "attack.everything"]
    assert report.decided_by.share > max(one for one in alone if one < 1) + 0.1


def test_deleting_rows_does_not_hide_that_all_others_are_found():
    """Values that few hold are deleted, the rest is published as it was: each of those rows is unique."""
    roles = {"quasi": ("sex", "age", "weight_kg", "town"), "sensitive": ("diagnosis",)}
    step = step_from_text("suppress_rare_values columns=age,town k=8")
    recipe = Recipe((step,), data="demo:patients", kind="table", roles=roles, seed=1)
    report = run(recipe, only=("privacy", "utility.ncp"))
    assert 0.2 < report.privacy < 0.8, "deleted rows count, and are not found"
    assert report.decided_by.share_of_published == 1
    assert report.decided_by.sentence().endswith(" (100% without what was deleted)")
    assert report.decided_by.sentence("fr").endswith(" (100\u202f% sans compter ce qui est supprimé)")
    sweep = run_sweep(plan_sweep({"rare": recipe}, ["suppress_rare_values.k=2,5,8"]))
    assert max(one.defence[0] for one in sweep.settings) > 0.1
    assert sweep.suggested() is None


def test_deleting_everything_is_private_and_useless():
    report = report_of("delete_at_random share=1", "pseudonymise", city=1)
    assert report.privacy == 1
    assert report.decided_by.share_of_published == 0
    assert report.scores["attack.deleted"].value == 1, "in the competition everybody is found"
    assert report.utility == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_a_sweep_does_not_recommend_what_is_found_at_100_percent():
    recipe = Recipe(tuple(map(step_from_text, CLOAKED)), data="demo:mobility", seed=7)
    sweep = run_sweep(plan_sweep({"cloak": recipe}, ["delete_at_random.share=0.1,0.5,0.9,0.97"]))
    assert sweep.suggested() is None
    assert "98 % or more of what is published are found" in sweep.reason()
    last = sweep.settings[-1]
    assert last.values == {"delete_at_random.share": 0.97}
    assert last.privacy[0] > 0.1, "whoever was deleted whole is not found"
    assert last.found_of_published == pytest.approx(1, abs=0.01), "and everybody else is"
    for outcome in sweep.outcomes:
        if outcome.point.values["delete_at_random.share"] <= 0.9:
            assert outcome.values["privacy"] <= 0.05
