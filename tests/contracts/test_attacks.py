"""What every registered mobility attack keeps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import DELETED, Track, week_label
from insanonym_core.registry import attacks
from tests.helpers import as_text, checked, random_pair, values_of
from tests.levels import examples

ALL = [pytest.param(entry, id=entry.name) for entry in attacks.all(data="mobility")]


def _pair(seed: int) -> Pair:
    original, release = random_pair(seed)
    return checked(as_text(original), as_text(release)).pair()


def _shuffled(track: Track, seed: int) -> Track:
    order = np.random.default_rng(seed).permutation(len(track))
    names = ("individual", "token", "time", "latitude", "longitude")
    return track.changed(**{name: getattr(track, name)[order] for name in names})


@pytest.mark.parametrize("entry", ALL)
@given(seed=st.integers(0, 2**32), data=st.data())
@examples(30)
def test_the_order_of_the_release_is_not_seen(entry, seed, data):
    pair = _pair(seed)
    chosen = {name: data.draw(values_of(p.constraint)) for name, p in entry.parameters.items()}
    known = Crowd.known(pair.original)
    guesses = entry.item(known, Crowd.seen(pair.release), **chosen)
    assert entry.item(known, Crowd.seen(_shuffled(pair.release, seed)), **chosen) == guesses


@pytest.mark.parametrize("entry", ALL)
@given(seed=st.integers(0, 2**32))
@examples(30)
def test_every_guess_is_a_candidate_of_the_week_and_every_pair_is_named(entry, seed):
    pair = _pair(seed)
    secret = footprint(pair)
    known, seen = Crowd.known(pair.original), Crowd.seen(pair.release)
    guesses = entry.item(known, seen)
    assert {(who, week) for who, weeks in guesses.items() for week in weeks} == {
        (who, week) for who, weeks in secret.answers.items() for week in weeks
    }
    shown = set(map(week_label, secret.candidates))
    for weeks in guesses.values():
        for week, tried in weeks.items():
            assert len(set(tried)) == len(tried)
            if week not in shown:
                assert tried == ("DEL",)
    assert 0 <= score_guesses(secret, guesses).value <= 1


@pytest.mark.parametrize("entry", ALL)
def test_everything_deleted_is_guessed_deleted(entry):
    pair = _pair(3)
    gone = Pair.from_tracks(
        pair.original, pair.release.changed(token=np.full(pair.rows, DELETED, dtype=np.int32))
    )
    guesses = entry.item(Crowd.known(gone.original), Crowd.seen(gone.release))
    assert {tried for weeks in guesses.values() for tried in weeks.values()} == {("DEL",)}
    assert score_guesses(footprint(gone), guesses).value == 1


def _random_release(seed: int) -> Pair:
    """A release that says nothing: everybody has 25 rows a week, at places and times drawn apart."""
    people, weeks, rows_each = 40, 4, 25
    draw = np.random.default_rng(seed)
    individual = np.repeat(np.arange(people, dtype=np.int32), weeks * rows_each)
    week = np.tile(np.repeat(np.arange(weeks), rows_each), people)
    names = tuple(f"{number:03d}" for number in range(people))
    token_of = np.stack([draw.permutation(people) + people * number for number in range(weeks)], axis=1)

    def rows(token: np.ndarray, tokens: tuple[str, ...]) -> Track:
        return Track(
            individual,
            names,
            token.astype(np.int32),
            tokens,
            time=1_451_260_800 + week * 604_800 + draw.integers(0, 604_800, len(week)),
            latitude=draw.uniform(45.7, 45.8, len(week)),
            longitude=draw.uniform(4.8, 4.9, len(week)),
        )

    tokens = tuple(f"t{number:04d}" for number in range(weeks * people))
    return Pair.from_tracks(rows(individual.copy(), names), rows(token_of[individual, week], tokens))


@pytest.mark.parametrize("entry", ALL)
def test_no_better_than_chance_on_random_data(entry):
    above = 0
    for seed in range(20):
        pair = _random_release(seed)
        score = score_guesses(
            footprint(pair), entry.item(Crowd.known(pair.original), Crowd.seen(pair.release))
        )
        assert score.details["chance"] == pytest.approx(1 / 40)
        above += score.interval[0] > score.details["chance"] + 1e-12  # sums of fractions, rounded
    # A 95 % interval lies above the truth in 2.5 % of the draws: more than 3 of 20 would be a leak.
    assert above <= 3
