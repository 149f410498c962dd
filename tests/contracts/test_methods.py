"""What every registered mobility method keeps, for every value its sliders can take."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import UsageError
from insanonym_core.mobility.checks import check_files
from insanonym_core.mobility.files import read_track
from insanonym_core.mobility.track import DELETED
from insanonym_core.mobility.writer import write_track
from insanonym_core.numeric.randomness import step_generator
from insanonym_core.parameters import Choice, Range
from insanonym_core.registry import methods
from tests.helpers import as_text, random_pair, random_release, values_of
from tests.levels import examples

ALL = [pytest.param(entry, id=entry.name) for entry in methods.all(data="mobility")]
COLUMNS = ("individual", "token", "time", "latitude", "longitude")


def _method(entry, data):
    chosen = {
        name: data.draw(values_of(parameter.constraint)) for name, parameter in entry.parameters.items()
    }
    return entry.item(**chosen)


@pytest.mark.parametrize("entry", ALL)
@given(seed=st.integers(0, 2**32), data=st.data())
@examples(40)
def test_rows_weeks_deletions_and_people_stay(entry, seed, data):
    track = random_release(seed)
    before = {name: getattr(track, name).copy() for name in COLUMNS}
    method = _method(entry, data)
    result = method.apply(track, step_generator(seed, 1, entry.name))

    assert len(result) == len(track)
    assert (result.individual == track.individual).all()
    assert result.individuals == track.individuals
    assert (result.token[track.token == DELETED] == DELETED).all(), "a deleted row came back"
    kept = result.token != DELETED
    assert (result.week[kept] == track.week[kept]).all(), "a row left its week"
    assert np.isfinite(result.latitude[kept]).all()
    assert (np.abs(result.latitude[kept]) <= 90).all()
    assert (np.abs(result.longitude[kept]) <= 180).all()
    assert list(result.tokens) == sorted(result.tokens)
    assert all((getattr(track, name) == before[name]).all() for name in COLUMNS), "the input was changed"


@pytest.mark.parametrize("entry", ALL)
@given(seed=st.integers(0, 2**32), data=st.data())
@examples(15)
def test_the_same_seed_gives_the_same_release(entry, seed, data):
    track, method = random_release(seed), _method(entry, data)
    once, again = (method.apply(track, step_generator(seed, 1, entry.name)) for _ in range(2))
    assert once.tokens == again.tokens
    assert all((getattr(once, name) == getattr(again, name)).all() for name in COLUMNS)


@pytest.mark.parametrize("entry", ALL)
def test_a_file_that_is_all_deleted_stays_so(entry):
    track = random_release(1)
    gone = track.changed(token=np.full(len(track), DELETED, dtype=np.int32))
    result = entry.item().apply(gone, step_generator(1, 1, entry.name))
    assert (result.token == DELETED).all()


@pytest.mark.parametrize("entry", ALL)
@pytest.mark.parametrize("seed", [5, 6, 7])
def test_the_written_result_is_a_legalrandom_release(entry, seed, tmp_path):
    rows, _ = random_pair(seed)
    (tmp_path / "original.tsv").write_text(as_text(rows))
    original = read_track(tmp_path / "original.tsv")
    write_track(entry.item().apply(original, step_generator(3, 1, entry.name)), tmp_path / "release.tsv")
    assert check_files(tmp_path / "original.tsv", tmp_path / "release.tsv").valid


@pytest.mark.parametrize("entry", ALL)
def test_help_says_what_the_method_does_not_do(entry):
    assert len(entry.help.splitlines()) > 1, "the first line says what it does, the rest where it is weak"
    assert entry.title


def _outside():
    for entry in methods.all(data="mobility"):
        for name, parameter in entry.parameters.items():
            match parameter.constraint:
                case Range(low=low, high=high):
                    yield from (
                        (entry, name, bad) for bad in (low - 1, high + 1, float("nan"), "many", True, None)
                    )
                case Choice():
                    yield from ((entry, name, bad) for bad in ("", 3, None))


@pytest.mark.parametrize(
    ("entry", "name", "bad"), [pytest.param(*p, id=f"{p[0].name}-{p[1]}-{p[2]}") for p in _outside()]
)
def test_values_outside_the_declaration_are_refused_in_one_sentence(entry, name, bad):
    with pytest.raises(UsageError, match=f"The '{name}' of {entry.name} must be .*, got "):
        entry.item(**{name: bad})
