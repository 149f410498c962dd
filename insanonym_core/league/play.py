"""One run of a league: check all files, publish new releases, score, and write feedback."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from insanonym_core.errors import Problem
from insanonym_core.league import layout
from insanonym_core.league.judge import Judge, Judged, ScoredRelease, read_original
from insanonym_core.league.judge_attacks import read_attack, score_attack
from insanonym_core.league.layout import Submission, normalise_name, release_key
from insanonym_core.league.model import League, Rules, Team
from insanonym_core.league.publish import Accepted, Publisher
from insanonym_core.league.results import save
from insanonym_core.league.scoring import Key, standings
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import Phrase


def play(
    folder: Path | str,
    rules: Rules | None = None,
    *,
    original: Path | None = None,
    job: Job | None = None,
    judge: Judge | None = None,
) -> League:
    """Run a league once: read, check, publish, score, save. A later run publishes only changed releases.

    `job` receives the name of each file before it is opened. `judge`: that of an earlier run with the same
    original and rules, which does not score unchanged files again.
    """
    folder, rules, job = Path(folder), rules or Rules(), job or Job()
    original_path = layout.find_original(folder, original)
    team_files, problems = layout.find_teams(folder)
    job.progress(original_path.name)
    judge = judge or make_judge(original_path, rules)
    publisher = Publisher.open(folder)
    teams = {files.team: Team(files, problems=list(files.problems)) for files in team_files}
    with publisher.incoming() as incoming:
        for team in teams.values():
            if not rules.closed:
                _judge_submissions(
                    team, publisher, rules, job, partial(judge.judge_release, incoming=incoming)
                )
            _judge_accepted(team, publisher, rules, job, judge.judge_copy)
        if not rules.closed:
            publisher.withdraw()
        judged = {
            (team.name, name): release for team in teams.values() for name, release in team.judged.items()
        }
        unavailable = _unavailable_releases(teams.values(), publisher)
        for team in teams.values():
            _score_attacks(team, judged, unavailable, rules, job, incoming)
    table = standings(
        teams,
        {key: release.utility for key, release in judged.items()},
        {team.name: _scores_by_release(team) for team in teams.values()},
        {key: release.house for key, release in judged.items() if release.house is not None},
    )
    league = League(folder, rules, original_path.name, tuple(table), teams, publisher, tuple(problems))
    return save(league)


def make_judge(original: Path, rules: Rules) -> Judge:
    """Read the original, and the judge of its releases."""
    return Judge(read_original(original, rules.columns), rules.columns, rules.recipe(), rules.house)


def _judge_submissions(
    team: Team, publisher: Publisher, rules: Rules, job: Job, judge: Callable[[Path], Judged]
) -> None:
    """Score the releases that a team handed in, and publish the valid ones."""
    for extra in team.files.releases[rules.max_releases :]:
        _add_problem(
            team,
            extra,
            Phrase("is one release too many: {most} count, the first by name.", most=rules.max_releases),
        )
    for submission in team.files.releases[: rules.max_releases]:
        job.progress(layout.printable(submission.path.name))
        result = judge(submission.path)
        if isinstance(result, ScoredRelease):
            accepted = publisher.find_accepted(team.name, submission.name)
            _accept(team, accepted.release if accepted else submission.name, result, publisher)
        else:
            team.problems += result


def _judge_accepted(
    team: Team, publisher: Publisher, rules: Rules, job: Job, judge: Callable[[Path], Judged]
) -> None:
    """Score accepted copies: all if the league is closed, else those whose submitted file is now invalid.

    Otherwise a team could take points from its attackers by making its file invalid afterwards.
    """
    if rules.closed:
        for submission in team.files.releases:
            if publisher.find_accepted(team.name, submission.name) is None:
                _add_problem(
                    team, submission, "was not accepted before the league was closed: it does not count."
                )
        to_judge = [release for release in publisher.accepted.values() if release.team == team.name]
    else:
        to_judge = _accepted_but_invalid_now(team, publisher, rules)
    for accepted in to_judge:
        path = publisher.teacher_copy(accepted)
        job.progress(path.name)
        result = judge(path)
        if isinstance(result, ScoredRelease):
            name = Phrase("{release} (as accepted)", release=accepted.release)
            warnings = tuple(replace(problem, file=name) for problem in result.warnings)
            _accept(team, accepted.release, replace(result, warnings=warnings), publisher)
            if not rules.closed:
                message = "as it is now it cannot count: what was accepted before counts in its place."
                team.problems.append(Problem("league", message, file=accepted.release, warning=True))
        else:
            team.problems += result


def _accepted_but_invalid_now(team: Team, publisher: Publisher, rules: Rules) -> list[Accepted]:
    """Accepted releases of a team that are still submitted but no longer valid, up to the limit."""
    surplus_names = {normalise_name(release.name) for release in team.files.releases[rules.max_releases :]}
    candidates = [
        release
        for release in publisher.accepted.values()
        if release.team == team.name
        and release.release not in team.judged
        and normalise_name(release.release) not in surplus_names
        and team.files.has_release(release.release)
    ]
    return candidates[: max(0, rules.max_releases - len(team.judged))]


def _accept(team: Team, name: str, scored: ScoredRelease, publisher: Publisher) -> None:
    """Add a scored release to its team and publish it."""
    team.problems += scored.warnings
    team.judged[name] = scored
    publisher.publish(team.name, name, scored.copy, scored.pair.release, scored.sha256)


def _unavailable_releases(teams: Iterable[Team], publisher: Publisher) -> dict[str, Key]:
    """Releases that are not valid now or were withdrawn, by normalised key: attacking them is no mistake."""
    submitted = [(team.name, submission.name) for team in teams for submission in team.files.releases]
    withdrawn = [
        (team, name)
        for team, _, name in (key.partition(layout.KEY_SEPARATOR) for key in publisher.ever_withdrawn)
    ]
    return {normalise_name(release_key(*key)): key for key in [*withdrawn, *submitted]}


def _score_attacks(
    team: Team,
    judged: dict[Key, ScoredRelease],
    unavailable: dict[str, Key],
    rules: Rules,
    job: Job,
    incoming: Path,
) -> None:
    """Score a team's attack files."""
    targets = {normalise_name(release_key(*key)): key for key in judged}
    attack_counts: dict[Key, int] = {}
    for submission in team.files.attacks:
        key = _target(submission.name, targets)
        unavailable_key = _target(submission.name, unavailable)
        if team.name == (key or unavailable_key or ("", ""))[0]:
            _add_problem(team, submission, "attacks a release of your own: it does not count.")
        elif key is None and unavailable_key is not None:
            message = Phrase(
                "attacks {release}, which was withdrawn or is not valid at the moment: it counts for nothing "
                "until there is such a release again. This is no fault of yours.",
                release=release_key(*unavailable_key),
            )
            _add_problem(team, submission, message, warning=True)
        elif key is None:
            _add_problem(
                team,
                submission,
                "attacks nothing: name it after a published release, TEAM__RELEASE.json, "
                "or TEAM__RELEASE__2.json for one more.",
            )
        elif attack_counts.get(key, 0) >= rules.max_attacks:
            _add_problem(
                team,
                submission,
                Phrase(
                    "is one attack too many on {release}: {most} count.",
                    release=release_key(*key),
                    most=rules.max_attacks,
                ),
            )
        else:
            attack_counts[key] = attack_counts.get(key, 0) + 1
            job.progress(layout.printable(submission.path.name))
            guesses = read_attack(submission.path, incoming)
            if isinstance(guesses, tuple):
                team.problems += guesses
                continue
            score, warnings = score_attack(submission.path, guesses, judged[key])
            team.problems += warnings
            team.attacks.append((submission.path.name, key, score))


def _target(name: str, targets: dict[str, Key]) -> Key | None:
    """The release that an attack file TEAM__RELEASE or TEAM__RELEASE__ANYTHING is named after."""
    team, _, rest = name.partition(layout.KEY_SEPARATOR)
    release = rest.partition(layout.KEY_SEPARATOR)[0]
    return targets.get(normalise_name(release_key(team, release)))


def _scores_by_release(team: Team) -> dict[Key, list[float]]:
    """Scores of a team's attacks, by release."""
    results: dict[Key, list[float]] = {}
    for _, key, score in team.attacks:
        results.setdefault(key, []).append(score)
    return results


def _add_problem(team: Team, submission: Submission, message: str, *, warning: bool = False) -> None:
    team.problems.append(
        Problem("league", message, file=layout.printable(submission.path.name), warning=warning)
    )
