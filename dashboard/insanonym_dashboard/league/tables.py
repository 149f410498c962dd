"""Tables of the pages: the leaderboard, who found whom, and what a team handed in."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from insanonym_core.league.layout import ATTACKS, RELEASES, printable, release_key
from insanonym_core.league.model import League
from insanonym_core.league.room import Room
from insanonym_core.league.scoring import AttackedRelease
from insanonym_core.texts import say
from insanonym_core.texts.numbers import percent
from insanonym_dashboard.league.elements import Child, element, table
from insanonym_dashboard.league.texts import rounded, sentences


def leaderboard(league: League, lang: str, team: str | None) -> Element:
    """The table of the league; `team` is marked."""
    heads = [
        ">" + say("Place", lang),
        say("Team", lang),
        ">" + say("General", lang),
        ">" + say("Defence", lang),
        ">" + say("Attack", lang),
    ]
    rows: list[list[Child]] = [
        [
            str(line.rank),
            element("b" if line.team == team else "span", printable(line.team)),
            rounded(line.general, lang),
            rounded(line.defence, lang),
            rounded(line.attack, lang),
        ]
        for line in league.table
    ]
    return table(
        heads,
        rows,
        caption=say("General = defence + attack; defence = utility × (1 − best attack so far)", lang),
        class_="leaderboard",
    )


def matrix(league: League, lang: str) -> Element:
    """Who found whom: the share of (id, week) that a team found in the release of another that hides best.

    A dash: this team has not tried to."""
    attacked = [line.team for line in league.table if line.releases]
    heads = [say("Found by ↓, in the release of →", lang), *(">" + printable(team) for team in attacked)]
    rows: list[list[Child]] = []
    for line in league.table:
        tried = {key[0] for _, key, _ in league.teams[line.team].attacks}
        found = [_share(line.against.get(team, 0.0), lang) if team in tried else "–" for team in attacked]
        cells = ["" if team == line.team else share for team, share in zip(attacked, found, strict=True)]
        rows.append([element("b", printable(line.team)), *cells])
    if not attacked:
        return element("p", say("No team has a valid release yet.", lang))
    return table(heads, rows, caption=say("Who found whom", lang), class_="matrix")


def _share(share: float, lang: str) -> Element:
    """A share with a background that grows with it; the number says the same without colours."""
    return element("span", percent(round(share, 2), lang), data_share=round(share * 10))


def releases_table(league: League, team: str, lang: str) -> list[Child]:
    """A team's releases with their scores, and what is wrong with its files."""
    title = element("h2", say("Your releases", lang))
    if team not in league.teams:
        return [title, element("p", say("No release yet.", lang))]
    scored = {
        release.name: release for line in league.table if line.team == team for release in line.releases
    }
    files = league.teams[team].files.releases
    by_name: dict[str, str | None] = dict.fromkeys(scored)
    by_name |= {one.name: one.path.name for one in files}
    heads = [
        say("Release", lang),
        ">" + say("Utility", lang),
        ">" + say("Best attack", lang),
        say("by", lang),
        ">" + say("Defence", lang),
        "",
    ]
    rows = [
        _release_row(name, scored.get(name), file, lang)
        for name, file in sorted(by_name.items(), key=lambda item: item[0])
    ]
    problems = league.teams[team].problems
    return [
        title,
        table(heads, rows) if rows else element("p", say("No release yet.", lang)),
        _list(sentences([one for one in problems if not one.warning], lang), "error"),
        _list(sentences([one for one in problems if one.warning], lang), "note"),
    ]


def _release_row(name: str, scored: AttackedRelease | None, file: str | None, lang: str) -> list[Child]:
    remove = _take_back(RELEASES, file, lang)
    if scored is None:
        return [printable(name), "", "", say("does not count", lang), "", remove]
    return [
        printable(name),
        rounded(scored.utility, lang),
        rounded(scored.best_attack, lang) if scored.best_attackers else "–",
        printable(", ".join(scored.best_attackers)),
        rounded(scored.defence, lang),
        remove,
    ]


def attacks_table(league: League, team: str, lang: str) -> list[Child]:
    """A team's attacks: the best on each release."""
    title = element("h2", say("Your attacks", lang))
    known = league.teams.get(team)
    if known is None or not known.files.attacks:
        return [title, element("p", say("No attack yet.", lang))]
    best: dict[str, float] = {}
    targets: dict[str, str] = {}
    for file, key, score in known.attacks:
        targets[file] = release_key(*key)
        best[targets[file]] = max(best.get(targets[file], 0.0), score)
    rows: list[list[Child]] = [
        [
            printable(one.path.name),
            rounded(best[targets[one.path.name]], lang)
            if one.path.name in targets
            else say("does not count", lang),
            _take_back(ATTACKS, one.path.name, lang),
        ]
        for one in known.files.attacks
    ]
    return [title, table([say("File", lang), ">" + say("Best found on this release", lang), ""], rows)]


def publications(league: League, team: str, lang: str, *, original: bool) -> list[Child]:
    """What a team can attack."""
    rows: list[list[Child]] = []
    for line in league.table:
        for release in line.releases if line.team != team else ():
            key = release_key(line.team, release.name)
            rows.append(
                [
                    element("a", f"{printable(key)}.csv", href=f"/published/{key}.csv", download=True),
                    element(
                        "button",
                        say("Hand in an attack…", lang),
                        type="button",
                        data_sort=ATTACKS,
                        data_target=key,
                        aria_label=say("Hand in an attack on {target}…", lang, target=key),
                    ),
                ]
            )
    return [
        element("h2", say("Releases to attack", lang)),
        element("p", element("a", say("The original", lang), href="/original", download=True))
        if original
        else element("p", say("Attackers need the original: your teacher gives it to you.", lang)),
        element("p", element("a", say("All published releases (.zip)", lang), href="/published.zip"))
        if rows
        else None,
        table([say("Release", lang), ""], rows)
        if rows
        else element("p", say("No other team has published a release yet.", lang)),
    ]


def code_table(league: League, room: Room, lang: str) -> Element:
    """The teacher's overview: what each team handed in, and its code, folded."""
    heads = [
        say("Team", lang),
        ">" + say("Releases", lang),
        ">" + say("Attacks", lang),
        ">" + say("Problems", lang),
        say("Code", lang),
    ]
    rows: list[list[Child]] = []
    for name, team in league.teams.items():
        code = room.codes.get(name)
        rows.append(
            [
                printable(name),
                str(len(team.judged)),
                str(len(team.attacks)),
                str(league.problem_count(name) or ""),
                element("details", element("summary", say("Show", lang)), element("code", code))
                if code
                else "",
            ]
        )
    return table(heads, rows, caption=say("Teams", lang))


def problem_lists(league: League, lang: str) -> list[Child]:
    """The teacher's list of problems, by team."""
    parts: list[Child] = [_list(sentences(list(league.problems), lang), "error")]
    for name, team in league.teams.items():
        found = _list(sentences([one for one in team.problems if not one.warning], lang), "error")
        if found is not None:
            parts += [element("h2", printable(name)), found]
    return parts


def _list(lines: list[str], class_: str) -> Element | None:
    return element("ul", *(element("li", line) for line in lines), class_=class_) if lines else None


def _take_back(sort: str, file: str | None, lang: str) -> Child:
    if file is None:
        return ""
    return element(
        "button",
        say("Take back", lang),
        type="button",
        data_take_back=file,
        data_from=sort,
        aria_label=say("Take back {file}", lang, file=printable(file)),
    )
