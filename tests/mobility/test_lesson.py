"""What the demonstration city has to show a class."""

import hashlib

import numpy as np
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import make_release, score_release
from insanonym_core.mobility.pair import Pair
from insanonym_core.recipe import Recipe, step_from_text


@pytest.fixture(scope="module")
def city():
    return make_city().track


def report(track, *steps: str, attacks: tuple[str, ...] | None = None):
    recipe = Recipe(tuple(map(step_from_text, steps)), seed=11)
    return score_release(make_release(recipe, track).release, attacks=attacks)


def test_replaced_ids_alone_hide_almost_nobody(city):
    found = report(city, "pseudonymise")
    assert found.scores["attack.naive"].value > 0.7
    assert found.scores["attack.heatmap"].value > 0.9
    assert found.scores["attack.dictionary"].value == 0
    assert found.utility == 1
    assert found.defence < 0.1


@pytest.mark.slow
def test_the_best_attack_and_the_distance_score_fall_as_noise_rises(city):
    # Numbers of rows and times of day give everybody away whatever the noise: both are blurred first.
    hidden = ("delete_at_random share=0.4", "jitter_time hours=24", "pseudonymise")
    found = [report(city, *hidden, f"planar_laplace radius={radius}") for radius in (0, 500, 1500, 5000)]
    best = [1 - one.privacy for one in found]
    distance = [one.scores["utility.distance"].value for one in found]
    assert best == sorted(best, reverse=True)
    assert best[0] > 0.9
    assert best[-1] < 0.75 * best[0]
    assert distance == sorted(distance, reverse=True)
    assert distance[-1] < 0.9 * distance[0]


def test_noise_alone_does_not_stop_counting_rows_or_reading_the_clock(city):
    quiet, loud = (report(city, "pseudonymise", f"gaussian_noise sigma={sigma}") for sigma in (0, 5000))
    for name in ("naive", "mean_hour"):
        assert loud.scores[f"attack.{name}"].value == pytest.approx(quiet.scores[f"attack.{name}"].value)


def test_averaging_undoes_noise_per_point_but_less_so_noise_per_stop(city):
    only = ("mean_position",)
    per_point = report(city, "pseudonymise", "planar_laplace radius=3000", attacks=only)
    per_stop = report(city, "pseudonymise", "stop_noise radius=3000", attacks=only)
    assert per_stop.scores["attack.mean_position"].value < per_point.scores["attack.mean_position"].value


@pytest.mark.slow
def test_larger_k_leaves_fewer_squares_and_hides_places(city):
    found = {
        k: report(city, "pseudonymise", f"cloak k={k}", attacks=("heatmap", "poi")) for k in (1, 2, 5, 10)
    }
    squares = [_squares(city, k) for k in found]
    assert squares == sorted(squares, reverse=True)
    assert len(set(squares)) == len(squares)
    shares = [1 - one.privacy for one in found.values()]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.9
    assert shares[-1] < 0.1
    utility = [one.utility for one in found.values()]
    assert utility == sorted(utility, reverse=True)


def _squares(city, k: int) -> int:
    release = make_release(Recipe((step_from_text(f"cloak k={k}"),), seed=1), city).release.release.kept
    return len(
        set(zip(release.week.tolist(), release.latitude.tolist(), release.longitude.tolist(), strict=True))
    )


def test_plain_hashes_are_no_pseudonyms(city):
    hashed = tuple(hashlib.sha256(name.encode()).hexdigest()[:10] for name in city.individuals)
    order = sorted(range(len(hashed)), key=hashed.__getitem__)
    rank = {code: place for place, code in enumerate(order)}
    token = [rank[code] for code in city.individual.tolist()]
    release = city.changed(
        token=np.array(token, dtype=np.int32), tokens=tuple(hashed[code] for code in order)
    )
    found = score_release(Pair.from_tracks(city, release), attacks=("dictionary",))
    assert found.scores["attack.dictionary"].value == 1
