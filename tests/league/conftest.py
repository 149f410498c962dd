"""A class of three teams in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.experiment import make_release
from insanonym_core.league import League, Rules, new_team, play
from insanonym_core.mobility.attack_files import write_guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.files import read_track
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import write_track
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.registry import attacks

STEPS = {
    "Ana": ["delete_at_random share=0.2", "planar_laplace radius=500"],
    "Ben": ["planar_laplace radius=3000"],
    "Cleo": ["snap_to_grid decimals=2"],
}


@dataclass
class Class:
    """The folder, its original, and what a team may do."""

    folder: Path
    city: Track

    def made(self, team: str) -> Pair:
        steps = tuple(map(step_from_text, [*STEPS[team], "pseudonymise"]))
        return make_release(Recipe(steps, seed=1), self.city).release

    def hand_in(self, team: str, name: str = "one.csv") -> Path:
        path = new_team(self.folder, team) / "releases" / name
        write_track(self.made(team).release, path, force=True)
        return path

    def attack(self, team: str, on: str, method: str = "heatmap", name: str = "") -> Path:
        seen = Crowd.seen(read_track(self.folder / "published" / f"{on}.csv"))
        guesses = attacks.get(method, data="mobility").item(Crowd.known(self.city), seen)
        path = new_team(self.folder, team) / "attacks" / (name or f"{on}.json")
        write_guesses(guesses, path, force=True)
        return path

    def play(self, **rules: object) -> League:
        return play(self.folder, Rules(**rules))

    def feedback(self, team: str) -> str:
        return (self.folder / "teams" / team / "league-feedback.txt").read_text("utf-8")

    def line(self, league: League, team: str):
        return next(line for line in league.table if line.team == team)


@pytest.fixture(scope="session")
def small_city() -> Track:
    return make_city(8, 2).track


@pytest.fixture
def room(tmp_path, small_city) -> Class:
    """Three teams with a release each."""
    made = Class(tmp_path / "class", small_city)
    for team in STEPS:
        made.hand_in(team)
    write_track(small_city, made.folder / "original.tsv")
    return made


@pytest.fixture
def played(room):
    """A league in which everybody attacked everybody, and its table."""
    room.play()
    for team in ("Ana", "Ben", "Cleo"):
        for other in {"Ana", "Ben", "Cleo"} - {team}:
            room.attack(team, f"{other}__one", "mean_position")
    return room, room.play()
