"""The pages: signing in, a team's, the teacher's, and the projector's."""

from __future__ import annotations

import time
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from insanonym_core.league.layout import ATTACKS, RELEASES
from insanonym_core.league.live import LiveLeague
from insanonym_core.texts import LANGUAGES, say
from insanonym_dashboard.league.elements import Child, element, to_html
from insanonym_dashboard.league.tables import (
    attacks_table,
    code_table,
    leaderboard,
    matrix,
    problem_lists,
    publications,
    releases_table,
)
from insanonym_dashboard.league.texts import round_title

TEAM, TEACHER, PROJECTOR = "team", "teacher", "projector"
_LANGUAGE_NAMES = {"en": "English", "fr": "Français"}


@dataclass(frozen=True)
class Visitor:
    """Who asks for a page, and in which language; `team` is None for the teacher."""

    team: str | None
    lang: str
    xsrf: str


def sign_in_page(lang: str, xsrf: str, *, wrong: bool = False) -> str:
    """The page that asks for a code."""
    return _page(
        lang,
        xsrf,
        [
            element(
                "main",
                element("h1", say("League", lang)),
                element("p", say("Sign in with the code that your teacher gave you.", lang)),
                element(
                    "p", say("This code is not known: type it again.", lang), class_="error", role="alert"
                )
                if wrong
                else None,
                element(
                    "form",
                    element("input", type="hidden", name="_xsrf", value=xsrf),
                    element("label", say("Code", lang), for_="code"),
                    element(
                        "input",
                        id="code",
                        name="code",
                        required=True,
                        autofocus=True,
                        autocomplete="off",
                        autocapitalize="none",
                        spellcheck="false",
                        maxlength=40,
                    ),
                    element("button", say("Sign in", lang), type="submit", class_="main"),
                    method="post",
                    action="/sign-in",
                ),
                class_="narrow",
            )
        ],
    )


def page(name: str, live: LiveLeague, visitor: Visitor, *, original: bool, error: str = "") -> str:
    """A page of somebody who has signed in; `original`: teams may download the original."""
    lang = visitor.lang
    title = {TEAM: visitor.team or "", TEACHER: say("Teacher", lang), PROJECTOR: say("League", lang)}[name]
    links: list[Child] = [element("a", say("Table", lang), href=f"/{PROJECTOR}")]
    home = TEACHER if visitor.team is None else TEAM
    links.append(element("a", visitor.team or say("Teacher", lang), href=f"/{home}"))
    body: list[Child] = [element("h1", title) if name != PROJECTOR else None]
    if name == TEAM:
        body += [_hand_in_form(lang), element("p", "", id="message", role="status")]
    if name == TEACHER:
        body += [
            _round_form(lang, visitor.xsrf),
            element("p", error, class_="error", role="alert") if error else None,
        ]
    body.append(element("div", *content(name, live, visitor, original=original), id="content"))
    return _page(
        lang,
        visitor.xsrf,
        [element("main", *body, class_=name)],
        links=links,
        signed_in=True,
        live=(name, live.version),
    )


def content(name: str, live: LiveLeague, visitor: Visitor, *, original: bool) -> list[Child]:
    """The part of a page that changes as the league goes on."""
    lang, now = visitor.lang, time.time()
    current = live.room.round
    left = None if current.ends is None else max(0, round(current.ends - now))
    clock: list[Child] = [
        element(
            "p",
            round_title(current, now, lang),
            element("b", "", class_="clock", data_left=left) if left else None,
            class_="round",
        )
    ]
    if live.error and visitor.team is None:
        clock.append(element("p", say(live.error, lang), class_="error", role="alert"))
    if live.league is None:
        return [*clock, element("p", say("The first table is being computed.", lang))]
    if name == PROJECTOR:
        return [
            *clock,
            element(
                "div",
                element("section", leaderboard(live.league, lang, None)),
                element("section", matrix(live.league, lang)),
                class_="side-by-side",
                data_rows=len(live.league.table),
            ),
        ]
    if name == TEACHER:
        return [
            *clock,
            element("section", code_table(live.league, live.room, lang)),
            element("section", *problem_lists(live.league, lang)),
        ]
    team = visitor.team or ""
    return [
        *clock,
        element("section", leaderboard(live.league, lang, team)),
        element("section", *releases_table(live.league, team, lang)),
        element("section", *attacks_table(live.league, team, lang)),
        element("section", *publications(live.league, team, lang, original=original)),
    ]


def _hand_in_form(lang: str) -> Element:
    """The button that opens a file to hand in; attacks have theirs beside each published release."""
    return element(
        "p",
        element("button", say("Hand in a release…", lang), type="button", class_="main", data_sort=RELEASES),
        element("input", type="file", id="picker", hidden=True, aria_label=say("File to hand in", lang)),
        class_="hand-in",
    )


def _round_form(lang: str, xsrf: str) -> Element:
    """The teacher's form that starts a round."""
    return element(
        "form",
        element("input", type="hidden", name="_xsrf", value=xsrf),
        element("label", say("Start a round", lang), for_="name"),
        element(
            "select",
            element("option", say("Releases and attacks", lang), value=RELEASES),
            element("option", say("Attacks alone: releases are closed", lang), value=ATTACKS),
            id="name",
            name="name",
        ),
        element("label", say("Minutes (empty: no end)", lang), for_="minutes"),
        element("input", id="minutes", name="minutes", type="number", min=0, max=1440, step="any", size=5),
        element("button", say("Start", lang), type="submit", class_="main"),
        method="post",
        action="/round",
        class_="round-form",
    )


def _page(
    lang: str,
    xsrf: str,
    body: list[Child],
    *,
    links: list[Child] | None = None,
    signed_in: bool = False,
    live: tuple[str, int] | None = None,
) -> str:
    others = [
        element("a", name, href=f"?lang={one}", lang=one, hreflang=one)
        for one, name in _LANGUAGE_NAMES.items()
        if one in LANGUAGES and one != lang
    ]
    sign_out = element(
        "form",
        element("input", type="hidden", name="_xsrf", value=xsrf),
        element("button", say("Sign out", lang), type="submit"),
        method="post",
        action="/sign-out",
    )
    texts = {
        "sending": say("Sending…", lang),
        "lost": say("The league does not answer: this page keeps trying.", lang),
        "too_large": say("This file is too large to be handed in.", lang),
    }
    return "<!doctype html>" + to_html(
        element(
            "html",
            element(
                "head",
                element("meta", charset="utf-8"),
                element("meta", name="viewport", content="width=device-width"),
                element("title", say("League", lang) + " · INSAnonym Explorer"),
                element("link", rel="icon", href="data:,"),
                element("link", rel="stylesheet", href="/static/league.css"),
                element("script", "", src="/static/league.js", defer=True),
            ),
            element(
                "body",
                element(
                    "header",
                    element("b", "INSAnonym Explorer"),
                    element("nav", *(links or []), *others, sign_out if signed_in else None),
                ),
                *body,
                data_xsrf=xsrf,
                data_page=live[0] if live else None,
                data_version=live[1] if live else None,
                **{f"data_{name}": text for name, text in texts.items()},
            ),
            lang=lang,
        )
    )
