"""3: a seeded release of somebody's own data cannot be undone without the data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.demo.named import named_table
from insanonym_core.experiment import make_release
from insanonym_core.mobility.geometry import haversine_km
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import write_track
from insanonym_core.recipe import Recipe, Step
from insanonym_core.sweep import Axis
from insanonym_core.tabular.table import Table
from insanonym_dashboard.panels.sweeping import Sweeps
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState

NOISE = Step("planar_laplace", {"radius": 2000})


@pytest.fixture(scope="module")
def own() -> Track:
    """A city that somebody brought: the program cannot know that nobody lives there."""
    return replace(make_city(20, 2, seed=99).track, demonstration=False)


def _metres(one: Track, other: Track) -> float:
    return 1000 * float(np.median(haversine_km(one.latitude, one.longitude, other.latitude, other.longitude)))


def test_noise_cannot_be_subtracted_by_who_knows_seed_step_and_number_of_rows(own):
    released = make_release(Recipe((NOISE,), seed=7), own).release.release
    elsewhere = own.changed(latitude=np.full(len(own), 45.0), longitude=np.full(len(own), 5.0))
    replayed = make_release(Recipe((NOISE,), seed=7), elsewhere).release.release
    undone = released.changed(
        latitude=released.latitude - (replayed.latitude - elsewhere.latitude),
        longitude=released.longitude - (replayed.longitude - elsewhere.longitude),
    )
    assert _metres(undone, own) > 0.5 * _metres(released, own)


def test_every_mobility_draw_depends_on_the_content(own):
    """The same step with the same seed on other content draws otherwise."""
    one_row_moved = own.changed(latitude=np.where(np.arange(len(own)) == 5, 45.0, own.latitude))
    once, again, other = (
        make_release(Recipe((NOISE,), seed=7), data).release.release
        for data in (own, own.changed(), one_row_moved)
    )
    assert np.array_equal(once.latitude, again.latitude)
    moved = [release.latitude[10:] - own.latitude[10:] for release in (once, other)]
    assert not np.allclose(*moved)


def _pseudonyms(table: Table, seed: int | None) -> dict[str, str]:
    recipe = Recipe(
        (Step("pseudonymise"),), kind="table", seed=seed, roles={"identifier": "who", "quasi": ("age",)}
    )
    lookup = make_release(recipe, table).release.extra["lookup"]
    return dict(zip(lookup.iloc[:, 0], lookup.iloc[:, 1], strict=True))


def test_pseudonyms_of_own_data_come_from_the_system_whatever_the_seed(own):
    table = Table.from_frame(pd.DataFrame({"who": [f"p{n:03}" for n in range(50)], "age": range(50)}))
    once, again = _pseudonyms(table, 7), _pseudonyms(table, 7)
    assert not set(once.values()) & set(again.values())
    # Nor is the order of the tokens repeated: sorted, they would tell who is who.
    ranks = [
        sorted(names.values()).index(names["p007"]) for names in (_pseudonyms(table, 7) for _ in range(8))
    ]
    assert len(set(ranks)) > 1
    tracks = [make_release(Recipe((Step("pseudonymise"),), seed=7), own).release.release for _ in range(2)]
    assert not set(tracks[0].tokens) & set(tracks[1].tokens)


def test_two_seeded_releases_of_own_data_are_equal_but_for_the_names_of_tokens(own):
    recipe = Recipe((NOISE, Step("pseudonymise")), seed=7)
    one, other = (make_release(recipe, own.changed()).release.release for _ in range(2))
    assert np.array_equal(one.latitude, other.latitude)
    first_seen = [pd.factorize(track.token)[0] for track in (one, other)]
    assert np.array_equal(*first_seen)


def test_demonstration_data_repeats_as_a_whole():
    recipe = Recipe((NOISE, Step("pseudonymise")), data="demo:mobility", seed=7)
    one, other = (make_release(recipe, make_city(10, 2).track).release.release for _ in range(2))
    assert one.tokens == other.tokens
    assert np.array_equal(one.token, other.token)
    assert np.array_equal(one.longitude, other.longitude)
    assert named_table("demo:patients").select(["age"]).demonstration


def test_without_a_seed_a_session_repeats_a_setting_and_draws_anew_for_another(own):
    secret = b"k" * 32

    def moved(radius: float, of: bytes | None = secret) -> np.ndarray:
        recipe = Recipe((Step("planar_laplace", {"radius": radius}),))
        return make_release(recipe, own.changed(), secret=of).release.release.latitude - own.latitude

    assert np.array_equal(moved(200), moved(200))
    assert not np.allclose(moved(200), moved(200, b"x" * 32))
    assert not np.allclose(moved(200, None), moved(200, None))
    # The same steps at two lengths, subtracted from each other, would give the places back.
    assert abs(np.corrcoef(moved(200), moved(400))[0, 1]) < 0.2


@pytest.mark.parametrize("origin", [{"seed": 7}, {"secret": b"k" * 32}], ids=["seed", "session"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((Step("planar_laplace", {"radius": 200}),), (NOISE,)),  # the same noise at two lengths
        (
            (NOISE,),
            (Step("snap_to_grid", {"decimals": 2}), NOISE),
        ),  # and over rounded places
    ],
    ids=["two lengths", "a step before"],
)
def test_two_releases_of_own_data_cannot_be_subtracted(own, origin, one, other):
    def noise(steps: tuple[Step, ...]) -> np.ndarray:
        made = make_release(
            Recipe(steps, seed=origin.get("seed")), own.changed(), secret=origin.get("secret")
        )
        return made.release.release.latitude - own.latitude

    assert abs(np.corrcoef(noise(one), noise(other))[0, 1]) < 0.2


def test_own_data_has_no_seed_in_the_dashboard(own):
    state = TabState(Recipe((NOISE,), data="demo:mobility", seed=7), Session())
    state.worker.submit = lambda *_, **__: None
    state.set_data("clinic.tsv", own)
    assert state.recipe.seed is None
    state.set_seed(3)  # nor by another road: a point of a sweep, say
    state.recipe = replace(state.recipe, seed=5)
    assert state.recipe.seed is None
    state.set_data("demo:mobility")
    assert state.recipe.seed == 7


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_the_recipe_of_a_point_of_a_sweep_has_no_seed_for_own_data(own):
    """The sweep has one, to repeat; a release made by the recipe must not."""
    state = TabState(Recipe((NOISE,), data="demo:mobility", seed=7), Session())
    sweeps = Sweeps()
    sweeps.start("mobility", state, Axis("planar_laplace", "radius", "100,200"), 1)
    sweeps.point = sweeps.settings[0]
    assert "seed: 7\n" in sweeps.recipe()[1].decode()
    state.worker.submit = lambda *_, **__: None
    state.set_data("clinic.tsv", own)
    sweeps.start("mobility", state, Axis("planar_laplace", "radius", "100,200"), 1)
    sweeps.point = sweeps.settings[0]
    text = sweeps.recipe()[1].decode()
    assert "data: clinic.tsv\n" in text
    assert "seed" not in text


def test_the_command_line_warns_before_it_writes(run, tmp_path: Path, own):
    write_track(own, tmp_path / "own.tsv")
    noise = ("--step", "planar_laplace radius=200", "--seed", 7)
    done = run("anonymise", tmp_path / "own.tsv", "-o", tmp_path / "x.tsv", *noise)
    assert done.code == 0
    assert done.err.index("has or can guess the data") < done.err.index("written to")


def test_no_sentence_says_that_the_original_is_needed_to_replay():
    root = Path(__file__).parents[2]
    for path in [*root.glob("insanonym_core/**/*.py"), *root.glob("dashboard/**/*.py"), root / "SECURITY.md"]:
        text = " ".join(path.read_text("utf-8").replace('" "', "").split())
        assert "whoever has the original" not in text, path
        assert "whoever has the table and" not in text, path
