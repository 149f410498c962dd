"""One run of a league: check everything, publish what is new, count, and tell each team."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from insanonym_core.errors import Problem
from insanonym_core.jobs import Job
from insanonym_core.league import layout
from insanonym_core.league.judge import (
    Judged,
    judge_copy,
    judge_release,
    read_attack,
    read_original,
    score_attack,
)
from insanonym_core.league.layout import HandedIn, key_of, same
from insanonym_core.league.model import League, Rules, Team
from insanonym_core.league.publish import Accepted, Publisher
from insanonym_core.league.results import save
from insanonym_core.league.scoring import Key, standings

Judge = Callable[[Path], Judged | tuple[Problem, ...]]


def play(
    folder: Path | str,
    rules: Rules | None = None,
    *,
    original: Path | None = None,
    job: Job | None = None,
) -> League:
    """Run a league once: read, check, publish, count, save. Run again, only what changed is published anew.

    `job` hears the name of each file before it is opened.
    """
    folder, rules, job = Path(folder), rules or Rules(), job or Job()
    recipe = rules.recipe()
    place = layout.find_original(folder, original)
    found, problems = layout.find_teams(folder)
    job.progress(place.name)
    known = read_original(place, rules.columns)
    publisher = Publisher.open(folder)
    teams = {files.team: Team(files, problems=list(files.problems)) for files in found}
    with publisher.incoming() as incoming:

        def again(path: Path) -> Judged | tuple[Problem, ...]:
            return judge_copy(path, known, rules.columns, recipe, house=rules.house)

        def opened(path: Path) -> Judged | tuple[Problem, ...]:
            return judge_release(path, incoming, known, rules.columns, recipe, house=rules.house)

        for team in teams.values():
            if not rules.closed:
                _judge_handed_in(team, publisher, rules, job, opened)
            _judge_accepted(team, publisher, rules, job, again)
        if not rules.closed:
            publisher.withdraw()
        judged = {(team.name, name): one for team in teams.values() for name, one in team.judged.items()}
        absent = _absent(teams.values(), publisher)
        for team in teams.values():
            _attack(team, judged, absent, rules, job, incoming)
    table = standings(
        teams,
        {key: one.utility for key, one in judged.items()},
        {team.name: _by_release(team) for team in teams.values()},
        {key: one.house for key, one in judged.items() if one.house is not None},
    )
    league = League(folder, rules, place.name, tuple(table), teams, publisher, tuple(problems))
    return save(league)


def _judge_handed_in(team: Team, publisher: Publisher, rules: Rules, job: Job, judge: Judge) -> None:
    """Judge what a team handed in, and publish what is valid."""
    for extra in team.files.releases[rules.most_releases :]:
        _note(team, extra, f"is one release too many: {rules.most_releases} count, the first by name.")
    for handed_in in team.files.releases[: rules.most_releases]:
        job.progress(layout.shown(handed_in.path.name))
        found = judge(handed_in.path)
        if isinstance(found, Judged):
            before = publisher.before(team.name, handed_in.name)
            _accept(team, before.release if before else handed_in.name, found, publisher)
        else:
            team.problems += found


def _judge_accepted(team: Team, publisher: Publisher, rules: Rules, job: Job, judge: Judge) -> None:
    """Judge accepted copies: all of them after the close, before it those whose files are broken now.

    Nobody may take points from those who attacked a release by breaking the file afterwards.
    """
    if rules.closed:
        for late in team.files.releases:
            if publisher.before(team.name, late.name) is None:
                _note(team, late, "was not accepted before the league was closed: it does not count.")
        chosen = [one for one in publisher.accepted.values() if one.team == team.name]
    else:
        chosen = _broken_now(team, publisher, rules)
    for accepted in chosen:
        path = publisher.own(accepted)
        job.progress(path.name)
        found = judge(path)
        if isinstance(found, Judged):
            name = f"{accepted.release} (as accepted)"
            warnings = tuple(replace(problem, file=name) for problem in found.warnings)
            _accept(team, accepted.release, replace(found, warnings=warnings), publisher)
            if not rules.closed:
                message = "as it is now it cannot count: what was accepted before counts in its place."
                team.problems.append(Problem("league", message, file=accepted.release, warning=True))
        else:
            team.problems += found


def _broken_now(team: Team, publisher: Publisher, rules: Rules) -> list[Accepted]:
    """What was accepted of a team, is still handed in under its name, and was not found valid."""
    extra = {same(one.name) for one in team.files.releases[rules.most_releases :]}
    waiting = [
        one
        for one in publisher.accepted.values()
        if one.team == team.name
        and one.release not in team.judged
        and same(one.release) not in extra
        and team.files.holds(one.release)
    ]
    return waiting[: max(0, rules.most_releases - len(team.judged))]


def _accept(team: Team, name: str, found: Judged, publisher: Publisher) -> None:
    team.problems += found.warnings
    team.judged[name] = found
    publisher.publish(team.name, name, found.copy, found.pair.release, found.sha256)


def _absent(teams: Iterable[Team], publisher: Publisher) -> dict[str, Key]:
    """Names that are no mistake of an attacker's: releases that are not valid now, or were withdrawn."""
    handed_in = [(team.name, one.name) for team in teams for one in team.files.releases]
    withdrawn = [(team, name) for team, _, name in (key.partition(layout.JOINT) for key in publisher.gone)]
    return {same(key_of(*key)): key for key in [*withdrawn, *handed_in]}


def _attack(
    team: Team,
    judged: dict[Key, Judged],
    absent: dict[str, Key],
    rules: Rules,
    job: Job,
    incoming: Path,
) -> None:
    """Score a team's attack files."""
    targets = {same(key_of(*key)): key for key in judged}
    tried: dict[Key, int] = {}
    for handed_in in team.files.attacks:
        key = _target(handed_in.name, targets)
        missing = _target(handed_in.name, absent)
        if team.name == (key or missing or ("", ""))[0]:
            _note(team, handed_in, "attacks a release of your own: it does not count.")
        elif key is None and missing is not None:
            message = (
                f"attacks {key_of(*missing)}, which was withdrawn or is not valid at the moment: it counts "
                "for nothing until there is such a release again. This is no fault of yours."
            )
            _note(team, handed_in, message, warning=True)
        elif key is None:
            _note(
                team,
                handed_in,
                "attacks nothing: name it after a published release, TEAM__RELEASE.json, "
                "or TEAM__RELEASE__2.json for one more.",
            )
        elif tried.get(key, 0) >= rules.most_attacks:
            _note(team, handed_in, f"is one attack too many on {key_of(*key)}: {rules.most_attacks} count.")
        else:
            tried[key] = tried.get(key, 0) + 1
            job.progress(layout.shown(handed_in.path.name))
            guesses = read_attack(handed_in.path, incoming)
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


def _note(team: Team, handed_in: HandedIn, message: str, *, warning: bool = False) -> None:
    team.problems.append(Problem("league", message, file=layout.shown(handed_in.path.name), warning=warning))
