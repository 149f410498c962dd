"""Teams of the house, which play with the class: two simple defences, the machine's own, and an attacker.

Their folders are like those of any other team: whoever deletes one sends the bot home. Their draws have no
seed, so that nobody repeats them with this package.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from insanonym_core.experiment import make_release
from insanonym_core.kinds import kind_named
from insanonym_core.league.hand_in import published_keys
from insanonym_core.league.judge import read_original
from insanonym_core.league.layout import ATTACKS, KEY_SEPARATOR, PUBLISHED, RELEASES, find_original, new_team
from insanonym_core.mobility.attack_files import write_guesses
from insanonym_core.mobility.crowd import Crowd
from insanonym_core.mobility.files import read_track
from insanonym_core.mobility.track import Track
from insanonym_core.mobility.writer import write_track
from insanonym_core.presets import preset_recipe
from insanonym_core.recipe import Recipe, step_from_text
from insanonym_core.registry import attacks
from insanonym_core.tuning import Search, tune, wish_of

NOISE, SWAP, TUNED, ATTACKER = "House noise", "House swap", "House tuned", "House attacker"
BOTS = (NOISE, SWAP, TUNED, ATTACKER)
STEPS = {
    NOISE: ("planar_laplace radius=1000", "pseudonymise"),
    SWAP: ("swap_places", "pseudonymise"),
}
SEARCH_TRIALS = 60
RELEASE_FILE = "house.csv"
# The best one on a release counts; no more than a team may hand in.
HOUSE_ATTACKS = ("everything", "path", "join", "assignment", "mean_position", "poi", "heatmap")


def hand_in_house_releases(
    folder: Path,
    original: Path | None = None,
    *,
    trials: int = SEARCH_TRIALS,
    on_progress: Callable[[str], None] = lambda bot: None,
) -> None:
    """Make the releases of the bots that have none yet; the machine's is the best defence of a search."""
    track = read_original(find_original(folder, original), None).track
    for bot in (NOISE, SWAP, TUNED):
        path = new_team(folder, bot) / RELEASES / RELEASE_FILE
        if not path.exists():
            on_progress(bot)
            recipe = _tuned_recipe(track, trials) if bot == TUNED else _recipe(STEPS[bot])
            write_track(make_release(recipe, track).release.release, path)
    new_team(folder, ATTACKER)


def hand_in_house_attacks(folder: Path, original: Path | None = None) -> int:
    """Attack each published release that the bot has not attacked since it was published; return how many."""
    target = new_team(folder, ATTACKER) / ATTACKS
    known: Crowd | None = None
    count = 0
    for key in published_keys(folder):
        published = folder / PUBLISHED / f"{key}.csv"
        paths = {
            name: target / f"{key}{KEY_SEPARATOR}{number}.json"
            for number, name in enumerate(HOUSE_ATTACKS, start=1)
        }
        if all(
            path.exists() and path.stat().st_mtime >= published.stat().st_mtime for path in paths.values()
        ):
            continue
        known = known or Crowd.known(read_original(find_original(folder, original), None).track)
        seen = Crowd.seen(read_track(published))
        for name, path in paths.items():
            write_guesses(attacks.get(name, data="mobility").item(known, seen), path, force=True)
        count += 1
    return count


def _recipe(steps: tuple[str, ...]) -> Recipe:
    return Recipe(tuple(map(step_from_text, steps)))


def _tuned_recipe(track: Track, trials: int) -> Recipe:
    """The recipe with the best defence that a search finds; else that of the first preset."""
    base = Recipe((step_from_text("pseudonymise"),))
    found = tune(Search(base, wish_of(base, maximise="defence"), trials=trials), data=track).recipe
    return found or preset_recipe(kind_named("mobility"))
