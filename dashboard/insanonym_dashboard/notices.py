"""Pages of the server itself: while a page starts, when it is refused, when its session has ended."""

from __future__ import annotations

import html
from typing import Any

from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler

from insanonym_core.texts import LANGUAGES, say

_SHELL = {
    "loading": "Starting…",
    "slow": "Still starting. If this goes on, the window where it was started says why.",
    "failed": "Something went wrong while this page was made. The server's log says what: it stands in "
    "the window where the dashboard was started.",
}
# In both languages: a page may have changed its own since.
_BANNERS = {
    "ended": "This session has ended, and with it what it computed and the files it was given. "
    "Reload the page to begin a new one.",
    "lost": "The dashboard does not answer: it was stopped, or the network is down. This page keeps trying.",
    "reload": "Reload",
}
ADDRESS = "The dashboard is at {address} (Ctrl-C stops it)."
SHARED = (
    "Everybody on this network who has that link can open it, and nothing is encrypted on its way. What they "
    "upload stays in this machine's memory and is gone when you stop the dashboard."
)
_STYLE = """
body { margin: 0; background: #f5f7f9; color: #1f2933; font: 16px/1.5 system-ui, sans-serif; }
header { background: #fff; border-bottom: 1px solid #e4e7ec; padding: .7rem 1.3rem; font-weight: bold; }
main { max-width: 36rem; margin: 12vh auto 0; padding: 1.5rem 2rem; background: #fff;
  border: 1px solid #e4e7ec; border-radius: 8px; }
h1 { font-size: 1.3rem; margin: 0 0 .8rem; } a { color: #0072b2; }
"""


def language_of(request: HTTPServerRequest, otherwise: str) -> str:
    """Language of a request: from its address (?lang=fr), else the one that the server was started with."""
    asked = request.query_arguments.get("lang", [b""])[-1].decode("utf-8", "replace")
    return asked if asked in LANGUAGES else otherwise


def send_page(handler: RequestHandler, status: int, page: str) -> None:
    """Answer with a page that browsers do not cache."""
    handler.set_status(status)
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    handler.set_header("Cache-Control", "no-store")
    handler.finish(page)


def shell_texts(lang: str) -> dict[str, Any]:
    """Texts of the page template."""
    banners = {one: {name: say(text, one) for name, text in _BANNERS.items()} for one in LANGUAGES}
    return {**{name: say(text, lang) for name, text in _SHELL.items()}, "banners": banners}


def full_page(lang: str, sessions: int, minutes: int, retry: int) -> str:
    """Page shown when all sessions are in use; it retries by itself."""
    return _page(
        lang,
        "Every place is taken",
        "Sessions open: {count}, as many as this dashboard keeps at a time.",
        "A place is free as soon as somebody closes the page, and a session that nobody has touched for "
        "{minutes} minutes makes room. This page tries again by itself.",
        head=f'<meta http-equiv="refresh" content="{retry}">',
        count=sessions,
        minutes=minutes,
    )


def link_page(lang: str) -> str:
    """Page shown without a token or with a wrong one."""
    return _page(
        lang,
        "Please open the whole link",
        "This dashboard is shared by a link with a token, and this address has not the right one.",
        "Ask whoever started the dashboard for the link: each start has a new one.",
    )


def error_page(lang: str, status: int) -> str:
    """Page shown for an unknown address, or if the dashboard page cannot be built."""
    if 400 <= status < 500:
        return _page(
            lang, "There is nothing at this address", "The dashboard is at the address without a path."
        )
    return _page(lang, "This page could not be made", _SHELL["failed"])


def refused_page(lang: str) -> str:
    """Page shown if another site sends the request, or if the Host header is not this machine's."""
    return _page(
        lang,
        "This request was refused",
        "The dashboard answers its own pages only, at the address that was printed when it was started. "
        "Open that address, or a link to it.",
    )


def welcome_page(lang: str, address: str) -> str:
    """Page shown for a right token: it redirects to the same address without the token."""
    onwards = f'<meta http-equiv="refresh" content="0;url={html.escape(address)}">'
    return _page(lang, "Welcome", "The dashboard opens.", head=onwards)


def _page(lang: str, title: str, *lines: str, head: str = "", **values: object) -> str:
    said = "".join(f"<p>{html.escape(say(line, lang, **values))}</p>" for line in lines)
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>INSAnonym Explorer</title>'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        f"<style>{_STYLE}</style>{head}</head><body><header>INSAnonym Explorer</header>"
        f"<main><h1>{html.escape(say(title, lang))}</h1>{said}</main></body></html>"
    )
