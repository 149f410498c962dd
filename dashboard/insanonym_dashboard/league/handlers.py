"""Requests of the pages of a league: nothing but signing in is answered without a code."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Awaitable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tornado.web import HTTPError, RequestHandler

from insanonym_core.errors import InsanonymError
from insanonym_core.league.hand_in import published_keys
from insanonym_core.league.layout import PUBLISHED
from insanonym_core.league.live import LiveLeague
from insanonym_core.league.room import minutes_of
from insanonym_core.texts import LANGUAGES
from insanonym_dashboard.league.elements import to_html
from insanonym_dashboard.league.pages import PROJECTOR, TEACHER, TEAM, Visitor, content, page, sign_in_page
from insanonym_dashboard.notices import error_page, language_of, send_page

WRONG_CODE_SECONDS = 0.5  # a guess has 1 chance in 10^14
SESSION_DAYS = 2
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Served:
    """What every handler needs: the league, the one thread in which it is judged, and options."""

    live: LiveLeague
    thread: Executor
    lang: str
    original: bool
    cookie: str


class LeagueHandler(RequestHandler):
    """A request by somebody, who may have signed in."""

    def initialize(self, served: Served) -> None:
        """Keep what is served."""
        self.served = served
        self.live = served.live

    def set_default_headers(self) -> None:
        """No other origin, no frame, no copy in a cache."""
        self.set_header("Content-Security-Policy", _POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "same-origin")
        self.set_header("Cache-Control", "no-store")

    @property
    def lang(self) -> str:
        """The language in the address, else the one chosen before."""
        kept = self.get_cookie(f"{self.served.cookie}-lang", "")
        return language_of(self.request, kept if kept in LANGUAGES else self.served.lang)

    def prepare(self) -> Awaitable[None] | None:
        """Keep the language that the address asks for."""
        if "lang" in self.request.query_arguments:
            self.set_cookie(f"{self.served.cookie}-lang", self.lang, httponly=True, samesite="Strict")
        return None

    def get_current_user(self) -> Visitor | None:
        """Who has signed in, by the code in a signed cookie: a code that was changed is signed out."""
        value = self.get_signed_cookie(self.served.cookie, max_age_days=SESSION_DAYS)
        code = value.decode("utf-8", "replace") if value else ""
        if not code:
            return None
        if self.live.room.is_teacher(code):
            return Visitor(None, self.lang, self.xsrf())
        team = self.live.room.team_of(code)
        return None if team is None else Visitor(team, self.lang, self.xsrf())

    def xsrf(self) -> str:
        """The token that forms and scripts of our pages send back."""
        token: bytes = self.xsrf_token
        return token.decode()

    def visitor(self, *, teacher: bool | None = None) -> Visitor:
        """Who asks; 403 if nobody has signed in, or somebody for whom this is not meant."""
        found: Visitor | None = self.current_user
        if found is None or (teacher is not None and teacher != (found.team is None)):
            raise HTTPError(403)
        return found

    async def in_thread(self, call: Any, *arguments: Any) -> Any:
        """Run in the thread of the league: one at a time."""
        return await asyncio.get_running_loop().run_in_executor(self.served.thread, call, *arguments)

    def write_error(self, status_code: int, **details: Any) -> None:
        """Answer with one of our pages."""
        send_page(self, status_code, error_page(self.lang, status_code))


class SignIn(LeagueHandler):
    """The first page: it asks for a code, or goes on to the visitor's page."""

    def get(self) -> None:
        """Ask for the code."""
        visitor: Visitor | None = self.current_user
        if visitor is not None:
            self.redirect(f"/{TEACHER if visitor.team is None else TEAM}")
            return
        send_page(self, 200, sign_in_page(self.lang, self.xsrf()))

    async def post(self) -> None:
        """Check the code."""
        code = self.get_body_argument("code", "")[:100]
        if not (self.live.room.is_teacher(code) or self.live.room.team_of(code)):
            await asyncio.sleep(WRONG_CODE_SECONDS)
            send_page(self, 403, sign_in_page(self.lang, self.xsrf(), wrong=True))
            return
        self.set_signed_cookie(
            self.served.cookie, code, expires_days=SESSION_DAYS, httponly=True, samesite="Strict"
        )
        self.redirect("/")


class SignOut(LeagueHandler):
    """The end of a session."""

    def post(self) -> None:
        """Forget the code."""
        self.clear_cookie(self.served.cookie)
        self.redirect("/")


class Page(LeagueHandler):
    """A page of somebody who has signed in."""

    def get(self, name: str) -> None:
        """Send the page; whoever has not signed in is asked to."""
        visitor: Visitor | None = self.current_user
        if visitor is None or not _may_see(visitor, name):
            self.redirect("/")
            return
        send_page(self, 200, page(name, self.live, visitor, original=self.served.original))


class Content(LeagueHandler):
    """The part of a page that changes; nothing if it is still as the browser has it."""

    def get(self, name: str) -> None:
        """Send it."""
        visitor = self.visitor()
        if not _may_see(visitor, name):
            raise HTTPError(403)
        self.set_header("X-League-Version", str(self.live.version))
        if self.get_query_argument("version", "") == str(self.live.version):
            self.set_status(204)
            return
        parts = content(name, self.live, visitor, original=self.served.original)
        # Without the element around them: they go into the one of the page.
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish("".join(to_html(one) for one in parts if one is not None and not isinstance(one, str)))


class StartRound(LeagueHandler):
    """The teacher starts a round."""

    async def post(self) -> None:
        """Start it."""
        visitor = self.visitor(teacher=True)
        try:
            minutes = minutes_of(self.get_body_argument("minutes", ""))
            await self.in_thread(self.live.start_round, self.get_body_argument("name", ""), minutes)
            await self.in_thread(self.live.refresh)
        except InsanonymError as error:
            told = error.say(self.lang)
            send_page(self, 400, page(TEACHER, self.live, visitor, original=True, error=told))
            return
        self.redirect(f"/{TEACHER}")


class Published(LeagueHandler):
    """What attackers get: one release, or all of them."""

    def get(self, key: str) -> None:
        """Send a published release."""
        self.visitor()
        if key not in published_keys(self.live.folder):
            raise HTTPError(404)
        self.send_file(self.live.folder / PUBLISHED / f"{key}.csv", f"{key}.csv")

    def send_file(self, path: Path, name: str) -> None:
        """Send a file to be saved under a name."""
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Disposition", _attachment(name))
        self.finish(path.read_bytes())


class AllPublished(LeagueHandler):
    """All published releases in one file."""

    async def get(self) -> None:
        """Pack and send them."""
        self.visitor()
        self.set_header("Content-Type", "application/zip")
        self.set_header("Content-Disposition", _attachment("published.zip"))
        self.finish(await self.in_thread(_packed, self.live.folder))


class Original(Published):
    """The original, where the teacher gives it out here."""

    def get(self) -> None:  # type: ignore[override]
        """Send it."""
        visitor = self.visitor()
        if visitor.team is not None and not self.served.original:
            raise HTTPError(404)
        self.send_file(self.live.original, self.live.original.name)


def _packed(folder: Path) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for key in published_keys(folder):
            file.write(folder / PUBLISHED / f"{key}.csv", f"{key}.csv")
    return packed.getvalue()


def _attachment(name: str) -> str:
    return f"attachment; filename*=UTF-8''{quote(name)}"


def _may_see(visitor: Visitor, name: str) -> bool:
    return name == PROJECTOR or (name == TEACHER) == (visitor.team is None)
