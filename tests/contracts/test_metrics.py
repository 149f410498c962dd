"""What every registered mobility metric keeps, whatever it measures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import Track
from insanonym_core.registry import metrics
from tests.helpers import as_text, checked, random_pair, values_of
from tests.levels import examples

ALL = [pytest.param(entry, id=f"{entry.name}-{entry.rules}") for entry in metrics.all(data="mobility")]
UTILITY = [pytest.param(*one.values, id=one.id) for one in ALL if one.values[0].family == "utility"]
seeds = st.integers(0, 2**32)


def _pair(seed: int) -> Pair:
    original, release = random_pair(seed)
    return checked(as_text(original), as_text(release)).pair()


def _columns(track: Track) -> tuple[np.ndarray, ...]:
    return track.individual, track.token, track.time, track.latitude, track.longitude


def _shuffled(pair: Pair, order: np.ndarray) -> Pair:
    def rows(track: Track) -> Track:
        names = ("individual", "token", "time", "latitude", "longitude")
        return track.changed(**{name: getattr(track, name)[order] for name in names})

    return Pair(rows(pair.original), rows(pair.release))


@pytest.mark.parametrize("entry", ALL)
def test_facts_are_declared(entry):
    assert entry.better in ("higher", "lower")
    assert entry.bounds
    assert entry.formula
    assert entry.title
    assert entry.help


@pytest.mark.parametrize("entry", UTILITY)
@given(seed=seeds)
@examples(25)
def test_an_unchanged_release_scores_exactly_its_best(entry, seed):
    original = _pair(seed).original
    score = entry.item(Pair.from_tracks(original, original))
    assert score.value == entry.ideal or score.undefined_because


@pytest.mark.parametrize("entry", ALL)
@given(seed=seeds, data=st.data())
@examples(25)
def test_stays_within_bounds_for_every_parameter_and_touches_nothing(entry, seed, data):
    pair = _pair(seed)
    before = [column.copy() for track in (pair.original, pair.release) for column in _columns(track)]
    chosen = {
        name: data.draw(values_of(parameter.constraint)) for name, parameter in entry.parameters.items()
    }
    score = entry.item(pair, **chosen)
    if score.defined:
        low, high = entry.bounds
        assert low <= score.value <= high
        assert score.evidence
    else:
        assert score.undefined_because
    after = [column for track in (pair.original, pair.release) for column in _columns(track)]
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("entry", ALL)
@given(seed=seeds)
@examples(25)
def test_the_order_of_row_pairs_plays_no_role(entry, seed):
    # Records of one moment are taken in file order by the poi score: here no two share their moment.
    pair = _pair(seed)
    apart = np.arange(pair.rows)
    pair = Pair(
        pair.original.changed(time=pair.original.time * 1000 + apart, resolution=1000),
        pair.release.changed(time=pair.release.time * 1000 + apart, resolution=1000),
    )
    order = np.random.default_rng(seed).permutation(pair.rows)
    before, after = entry.item(pair).value, entry.item(_shuffled(pair, order)).value
    assert after == pytest.approx(before, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("entry", ALL)
@given(seed=seeds)
@examples(15)
def test_pseudonyms_play_no_role(entry, seed):
    pair = _pair(seed)
    names = tuple(f"z{token}" for token in pair.release.tokens)
    renamed = Pair(pair.original, pair.release.changed(tokens=names))
    assert entry.item(renamed).value == pytest.approx(entry.item(pair).value, nan_ok=True)
