"""Serve a league: one process for the whole room, no kernels, and no other host is asked for anything."""

from __future__ import annotations

import asyncio
import logging
import signal
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import typer
from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.web import Application, RequestHandler, StaticFileHandler

from insanonym_core.league.house_bots import hand_in_house_attacks
from insanonym_core.league.live import LiveLeague
from insanonym_core.texts import say
from insanonym_dashboard.gate import MAX_BODY_BYTES, Gate, PlainPaths
from insanonym_dashboard.league.handlers import (
    AllPublished,
    Content,
    Original,
    Page,
    Published,
    Served,
    SignIn,
    SignOut,
    StartRound,
)
from insanonym_dashboard.league.receiving import HandIn
from insanonym_dashboard.notices import error_page, language_of, send_page
from insanonym_dashboard.server import EVERYWHERE, HERE_ONLY, bound_socket
from insanonym_dashboard.sharing import addresses, link

PORT = 8877
REFRESH_SECONDS = 1.5
ADDRESS = "The league is at {address} (Ctrl-C stops it)."
SHARED = (
    "Everybody on this network who has a code can open it, and nothing is encrypted on its way: share it "
    "only in a network that you trust with the data."
)
_STATIC = Path(__file__).parent / "league" / "static"
log = logging.getLogger("insanonym")


@dataclass(frozen=True)
class Options:
    """Language of the first page, whether teams may download the original, and whether a bot attacks."""

    lang: str = "en"
    give_original: bool = False
    house_bots: bool = False


class _Missing(RequestHandler):
    """Any other address."""

    def initialize(self, lang: str) -> None:
        self._lang = lang

    def prepare(self) -> None:
        """Answer whatever the method is."""
        send_page(self, 404, error_page(language_of(self.request, self._lang), 404))


def application(live: LiveLeague, options: Options, thread: ThreadPoolExecutor, port: int) -> Application:
    """All addresses of a league."""
    # Cookies know no ports: two leagues of a machine would share one.
    served = Served(live, thread, options.lang, options.give_original, f"insanonym-league-{port}")
    given = {"served": served}
    return Application(
        [
            (r"/(?:sign-in)?", SignIn, given),
            (r"/sign-out", SignOut, given),
            (r"/(team|teacher|projector)", Page, given),
            (r"/content/(team|teacher|projector)", Content, given),
            (r"/round", StartRound, given),
            (r"/handed-in/(releases|attacks)/([^/]+)", HandIn, given),
            (r"/published/([^/]+)\.csv", Published, given),
            (r"/published\.zip", AllPublished, given),
            (r"/original", Original, given),
            (r"/static/(league\.css|league\.js)", StaticFileHandler, {"path": str(_STATIC)}),
        ],
        default_handler_class=_Missing,
        default_handler_args={"lang": options.lang},
        cookie_secret=live.room.cookie_secret,
        xsrf_cookies=True,
        xsrf_cookie_name=f"{served.cookie}-xsrf",
        xsrf_cookie_kwargs={"httponly": True, "samesite": "Strict"},
        log_function=lambda handler: None,  # addresses hold the names of teams and files
    )


def serve(
    live: LiveLeague,
    options: Options,
    *,
    port: int | None = None,
    host: str | None = None,
    share: bool = False,
    open_browser: bool = True,
) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    host = host or (EVERYWHERE if share else HERE_ONLY)
    listening = bound_socket(host, port, share, usual=PORT)
    port = listening.getsockname()[1]
    links = [link(one, port, "") for one in addresses(host)]

    async def main() -> None:
        stopped = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopped.set)
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="league") as thread:
            router = PlainPaths(application(live, options, thread, port), options.lang)
            server = HTTPServer(Gate(router, options.lang, any_host=share), max_body_size=MAX_BODY_BYTES)
            server.add_socket(listening)
            for address in links:
                typer.echo(say(ADDRESS, options.lang, address=address))
            if share:
                typer.echo(say(SHARED, options.lang))
            if open_browser:
                loop.run_in_executor(None, webbrowser.open, links[0])
            refreshing = PeriodicCallback(lambda: _refresh(live, options, thread), 1000 * REFRESH_SECONDS)
            refreshing.start()
            await _refresh(live, options, thread)
            await stopped.wait()
            refreshing.stop()
            server.stop()
            thread.shutdown(wait=False, cancel_futures=True)

    asyncio.run(main())


async def _refresh(live: LiveLeague, options: Options, thread: ThreadPoolExecutor) -> None:
    """Look for changes in the folder, and let the bot attack what is new."""
    loop = asyncio.get_running_loop()

    def refresh() -> None:
        live.refresh()
        if options.house_bots and hand_in_house_attacks(live.folder, live.original):
            live.refresh()

    try:
        await loop.run_in_executor(thread, refresh)
    except RuntimeError:
        return  # the thread has been shut down
    except Exception:
        log.exception("The league could not be computed.")
