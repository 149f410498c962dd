"""Write the results of a league: the table as CSV and JSON, and feedback in each team's folder."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core.errors import InsanonymError, Problem
from insanonym_core.io.output import writing
from insanonym_core.io.spreadsheets import defused_row
from insanonym_core.league.layout import FEEDBACK, printable, release_key
from insanonym_core.league.model import League, Team
from insanonym_core.league.publish import write_json
from insanonym_core.league.scoring import AttackedRelease, Key, Standing
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.results.scores import JsonObject

TABLE_FILE, DETAILS_FILE = "league.csv", "league.json"
_FEEDBACK_HEADER = "insanonym league: feedback for "


def save(league: League) -> League:
    """Write the table and the feedback; a team's folder that cannot be written to is added as a problem."""
    problems = list(league.problems)
    for line in league.table:
        team = league.teams[line.team]
        path = team.files.path / FEEDBACK
        try:
            if not _may_overwrite(path):
                problems.append(
                    _feedback_problem(team.name, "there is another file of that name; move it away.")
                )
                continue
            with writing(path, force=True) as temporary:
                temporary.write_text("\n".join(_feedback_lines(league, line, team)) + "\n", encoding="utf-8")
        except (InsanonymError, OSError):
            problems.append(
                _feedback_problem(team.name, "the folder cannot be written to; change its rights.")
            )
    league = replace(league, problems=tuple(problems))
    with (
        writing(league.folder / TABLE_FILE, force=True) as temporary,
        temporary.open("w", newline="", encoding="utf-8") as file,
    ):
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["place", "team", "general", "defence", "attack", "release", "problems"])
        for line in league.table:
            numbers = (line.general, line.defence, line.attack)
            rounded = [f"{number:.4f}" for number in numbers]  # all digits would reveal single guesses
            cells = [line.rank, line.team, *rounded, line.best_release, league.problem_count(line.team)]
            rows.writerow(defused_row(cells))
    write_json(league.folder / DETAILS_FILE, league_as_json(league), private=True)
    return league


def _may_overwrite(path: Path) -> bool:
    """Whether there is no file or one of an earlier run; a student's own file is never overwritten."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return False
    if not path.exists():
        return True
    with path.open("rb") as file:
        return file.read(len(_FEEDBACK_HEADER)) == _FEEDBACK_HEADER.encode()


def _feedback_problem(team: str, reason: str) -> Problem:
    return Problem(
        "feedback",
        Phrase("no feedback was written to {team}: {reason}", team=team, reason=Phrase(reason)),
        file=FEEDBACK,
    )


def _feedback_lines(league: League, line: Standing, team: Team) -> Iterator[str]:
    """Lines of the feedback for a team."""
    yield f"{_FEEDBACK_HEADER}{team.name}"
    yield "This file is rewritten at each run. No other file in this folder is ever changed."
    yield ""
    yield f"Place {line.rank} of {len(league.table)}."
    yield f"general {line.general:.4f} = defence {line.defence:.4f} + attack {line.attack:.4f}"
    yield from ["", "Your releases: defence = utility x (1 - best attack by another team)"]
    for release in line.releases:
        yield f"  {_release_text(release)}{'  <- your defence' if release.name == line.best_release else ''}"
        utilities = team.judged[release.name].utilities.items()
        yield f"    {', '.join(f'{name} {_number_text(value)}' for name, value in utilities)}"
    if not line.releases:
        yield "  no valid release yet: your defence is 0."
    if league.rules.closed:
        yield "  The league is closed: what was published counts, whatever the files are now."
    yield from ["", "Your attacks: the best on each release, the weakest of these on each team, all added up"]
    attacked: dict[Key, list[float]] = {}
    for _, key, score in team.attacks:
        attacked.setdefault(key, []).append(score)
    for key, scores in attacked.items():
        best = f" (the best of {len(scores)} attacks)" if len(scores) > 1 else ""
        yield f"  {release_key(*key)}: found {max(scores):.2f}{best}"
    for other, weakest in line.against.items():
        missing = [
            release_key(other, name) for name in league.teams[other].judged if (other, name) not in attacked
        ]
        missing_text = f"; no valid attack yet, counts 0: {', '.join(missing)}" if missing else ""
        yield f"  on {other}: {weakest:.2f}{missing_text}"
    if not line.against:
        yield "  no other team has a valid release yet."
    yield from ["", "Problems: these files do not count; fix them and hand them in again"]
    errors = [problem for problem in team.problems if not problem.warning]
    yield from (f"  {problem.sentence()}" for problem in errors)
    if not errors:
        yield "  none"
    warnings = [problem for problem in team.problems if problem.warning]
    if warnings:
        yield from ["", "Notes: these are not errors of yours"]
        yield from (f"  {problem.sentence()}" for problem in warnings)


def _number_text(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.4f}"


def _release_text(release: AttackedRelease) -> str:
    by = f" by {', '.join(release.best_attackers)}" if release.best_attackers else ""
    attacked = f"best attack {release.best_attack:.2f}{by}"
    return f"{release.name}: utility {release.utility:.4f}, {attacked}, defence {release.defence:.4f}"


def league_as_json(league: League) -> JsonObject:
    """The league as values that can be written as JSON."""
    publisher = league.publisher
    return {
        "rules": league.rules.rules,
        "aggregate": league.rules.aggregate,
        "house_attacks": league.rules.house,
        "closed": league.rules.closed,
        "original": league.original,
        "teams": [_team_as_json(line, league.teams[line.team]) for line in league.table],
        "published": {
            "new": sorted(publisher.written),
            "kept": sorted(publisher.kept),
            "withdrawn": sorted(publisher.withdrawn),
        },
        "problems": [_problem_as_json(problem) for problem in league.problems],
    }


def _team_as_json(line: Standing, team: Team) -> JsonObject:
    """A team's line, releases, attacks and problems as JSON values."""
    return {
        "place": line.rank,
        "team": line.team,
        "general": line.general,
        "defence": line.defence,
        "attack": line.attack,
        "release": line.best_release or None,
        "against": dict(line.against),
        "releases": [
            {
                "release": release.name,
                "published": f"{release_key(release.team, release.name)}.csv",
                "utility": release.utility,
                "scores": dict(team.judged[release.name].utilities),
                "best_attack": release.best_attack,
                "by": list(release.best_attackers),
                "defence": release.defence,
            }
            for release in line.releases
        ],
        "attacks": [
            {"file": printable(file), "on": release_key(*key), "found": score}
            for file, key, score in team.attacks
        ],
        "problems": [_problem_as_json(problem) for problem in team.problems],
    }


def _problem_as_json(problem: Problem) -> JsonObject:
    return {
        "code": problem.code,
        "file": problem.file,
        "count": problem.count,
        "lines": list(problem.lines),
        "message": problem.message,
        "warning": problem.warning,
    }
