"""A long attack stops where its job was cancelled, and families come in the order that pages show them."""

from __future__ import annotations

from typing import Any

import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import Report, run
from insanonym_core.mobility.attacks.everything import everything
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.guessing import guess_nearest
from insanonym_core.recipe import Recipe, Step
from insanonym_core.runtime.jobs import CancelledError, Job, working_for

CITY = make_city(8, 2).track
NOISE = Recipe((Step("gaussian_noise", {"sigma": 100.0}),), kind="mobility")


def test_an_attack_of_a_cancelled_job_stops_at_the_next_week() -> None:
    job, seen = Job(), []

    def costs(people: Any, candidates: Any) -> Any:
        seen.append(len(people))
        job.cancel()
        return abs(people[:, None] - candidates[None, :]) * 1.0

    with working_for(job), pytest.raises(CancelledError):
        guess_nearest(Crowd.known(CITY), Crowd.seen(CITY), costs)
    assert len(seen) == 1


def test_the_attack_that_learns_stops_too() -> None:
    job = Job()
    job.cancel()
    with working_for(job), pytest.raises(CancelledError):
        everything(Crowd.known(CITY), Crowd.seen(CITY))


def test_families_of_the_headlines_come_first_and_a_report_keeps_its_order() -> None:
    families: list[list[str]] = []

    def heard(part: Report) -> None:
        families.append(sorted({one.family for one in part.measures}))

    report = run(NOISE, data=CITY, job=Job(on_partial=heard))
    assert families == [["utility"], ["attack"], ["privacy"], ["attack"]]
    ordered = list(dict.fromkeys(one.family for one in report.measures))
    assert ordered == ["utility", "privacy", "attack"]
    assert report.measures[-1].key == "attack.everything"
