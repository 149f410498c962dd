"""One run of a league: check everything, publish what is new, count, and tell each team."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from insanonym_core.errors import Problem
from insanonym_core.league import layout
from insanonym_core.league.judge import Judged, judge_release, read_attack, read_original, score_attack
from insanonym_core.league.layout import HandedIn, key_of, same
from insanonym_core.league.model import League, Rules, Team
from insanonym_core.league.publish import Publisher
from insanonym_core.league.results import save
from insanonym_core.league.scoring import Key, standings
from insanonym_core.mobility.evaluate import Settings
from insanonym_core.mobility.files import Reading

Tell = Callable[[str], None]


def play(
    folder: Path | str,
    rules: Rules | None = None,
    *,
    original: Path | None = None,
    tell: Tell = lambda _: None,
) -> League:
    """Run a league once: read, check, publish, count, save. Run again, only what changed is published anew.

    `tell` hears the name of each file before it is opened.
    """
    folder, rules = Path(folder), rules or Rules()
    settings = rules.settings()
    place = layout.find_original(folder, original)
    found, problems = layout.find_teams(folder)
    tell(place.name)
    known = read_original(place, rules.columns)
    publisher = Publisher.open(folder, rules.seed)
    teams = {files.team: Team(files, problems=list(files.problems)) for files in found}
    for team in teams.values():
        for handed_in in _releases(team, publisher, rules):
            tell(layout.shown(handed_in.path.name))
            _judge(team, handed_in, known, settings, publisher, rules)
    if not rules.closed:
        publisher.withdraw()
    judged = {(team.name, name): one for team in teams.values() for name, one in team.judged.items()}
    for team in teams.values():
        _attack(team, judged, rules, tell)
    table = standings(
        teams,
        {key: one.utility for key, one in judged.items()},
        {team.name: _by_release(team) for team in teams.values()},
        {key: one.house for key, one in judged.items() if one.house is not None},
    )
    league = League(folder, rules, place.name, tuple(table), teams, publisher, tuple(problems))
    return save(league)


def _releases(team: Team, publisher: Publisher, rules: Rules) -> Sequence[HandedIn]:
    """The releases that are looked at: those handed in, or, after the close, those published."""
    if rules.closed:
        for late in team.files.releases:
            if key_of(team.name, late.name) not in publisher.accepted:
                _note(team, late, "came after the league was closed: it does not count.")
        return [publisher.own(one) for one in publisher.accepted.values() if one.team == team.name]
    for extra in team.files.releases[rules.most_releases :]:
        _note(team, extra, f"is one release too many: {rules.most_releases} count, the first by name.")
    return team.files.releases[: rules.most_releases]


def _judge(
    team: Team, handed_in: HandedIn, known: Reading, settings: Settings, publisher: Publisher, rules: Rules
) -> None:
    found = judge_release(handed_in.path, known, rules.columns, settings, house=rules.house)
    if not isinstance(found, Judged):
        team.problems += found
        return
    team.problems += found.warnings
    team.judged[handed_in.name] = found
    publisher.publish(team.name, handed_in, found.pair.release, found.sha256)


def _attack(team: Team, judged: dict[Key, Judged], rules: Rules, tell: Tell) -> None:
    """Score a team's attack files."""
    targets = {same(key_of(*key)): key for key in judged}
    tried: dict[Key, int] = {}
    for handed_in in team.files.attacks:
        key = _target(handed_in.name, targets)
        if key is None:
            _note(
                team,
                handed_in,
                "attacks nothing: name it after a published release, TEAM__RELEASE.json, "
                "or TEAM__RELEASE__2.json for one more.",
            )
        elif key[0] == team.name:
            _note(team, handed_in, "attacks a release of your own: it does not count.")
        elif tried.get(key, 0) >= rules.most_attacks:
            _note(team, handed_in, f"is one attack too many on {key_of(*key)}: {rules.most_attacks} count.")
        else:
            tried[key] = tried.get(key, 0) + 1
            tell(layout.shown(handed_in.path.name))
            guesses = read_attack(handed_in.path)
            if isinstance(guesses, tuple):
                team.problems += guesses
                continue
            score, warnings = score_attack(handed_in.path, guesses, judged[key])
            team.problems += warnings
            team.attacks.append((handed_in.path.name, key, score))


def _target(name: str, targets: dict[str, Key]) -> Key | None:
    """The release an attack is named after: TEAM__RELEASE, with __ANYTHING behind it if need be."""
    team, _, rest = name.partition(layout.JOINT)
    release = rest.partition(layout.JOINT)[0]
    return targets.get(same(key_of(team, release)))


def _by_release(team: Team) -> dict[Key, list[float]]:
    results: dict[Key, list[float]] = {}
    for _, key, score in team.attacks:
        results.setdefault(key, []).append(score)
    return results


def _note(team: Team, handed_in: HandedIn, message: str) -> None:
    team.problems.append(Problem("league", message, file=layout.shown(handed_in.path.name)))
