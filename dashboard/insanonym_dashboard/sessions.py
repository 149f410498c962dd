"""Sessions: how many pages may be open at a time, and when a kernel whose page is gone ends.

A kernel of the pool waits for a page and is no session. One is counted from the request of its page on, until
the page says that it closes, or has been away for a while, or the kernel dies.
"""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta
from math import inf
from time import monotonic
from typing import Any

import psutil
import tornado.web
import traitlets

from insanonym_dashboard.forking.client import NoProcessError
from insanonym_dashboard.jupyter_adapter import Kernels
from insanonym_dashboard.notices import error_page, full_page, language_of, send_page
from insanonym_dashboard.voila_adapter import VoilaPageHandler

SESSION_BYTES = 300_000_000  # a kernel's own, once every tab was open; benchmarks/load measures it
IDLE_MINUTES = 15  # untouched for this long, an open page makes room when somebody waits for its place
AWAY_SECONDS = 90.0  # a reload or a network that stumbles is back by then; a closed laptop is not
RETRY_SECONDS = 10  # how often a page that found no place asks again
_LEAVING_SECONDS = 2.0  # who reloads a page gives up a place and asks for it at the same time


def default_limit() -> int:
    """Number of sessions that fit into half of this machine's memory; uploads and sweeps use the rest."""
    return max(2, int(psutil.virtual_memory().total / 2 / SESSION_BYTES))


class Sessions(Kernels):
    """The kernels of the server, and which of them belong to an open page."""

    limit = traitlets.Int(default_limit()).tag(config=True)
    away_seconds = traitlets.Float(AWAY_SECONDS).tag(config=True)

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.pages: dict[object, float] = {}
        """Kernel id, at first a placeholder → last connect or disconnect; inf while the page is built."""
        # One for each core: thirty pages made at once would all be late, and their connections give up.
        self.making = asyncio.Semaphore(os.cpu_count() or 1)

    async def take_place(self) -> object | None:
        """Reserve a place for one more page; None if all are taken."""
        end = monotonic() + _LEAVING_SECONDS
        while len(self.pages) >= self.limit:
            await self._make_room()
            if monotonic() > end:
                return None
            await asyncio.sleep(0.1)
        place = object()
        self.pages[place] = inf
        return place

    def seat(self, place: object, kernel_id: str) -> None:
        """Assign the kernel of a page to its place."""
        self.pages.pop(place, None)
        self.pages[kernel_id] = inf

    def page_is_made(self, place: object, kernel_id: str | None) -> None:
        """Start the time limit for a disconnected page; free the place if it got no kernel."""
        self.pages.pop(place, None)
        self._note_time(kernel_id)

    async def _make_room(self) -> None:
        """End the session that has been idle longest, if it exceeds the idle limit."""
        open_ones = [one for one in self.pages if isinstance(one, str) and one in self]
        idle = [one for one in open_ones if not self.is_busy(one)]
        longest = min(idle, key=self.last_active, default=None)
        if longest is not None:
            untouched = datetime.now(UTC) - self.last_active(longest)
            if untouched > timedelta(minutes=IDLE_MINUTES):
                await self.shutdown_kernel(longest)

    # --- told by Jupyter ----------------------------------------------------------------------------

    def connection_changed(self, kernel_id: str) -> None:
        """Note the time when a page connects or disconnects, perhaps for a moment only."""
        self._note_time(kernel_id)

    def _note_time(self, kernel_id: str | None) -> None:
        """Note the time of a connect, a disconnect, or the end of building a page."""
        if kernel_id in self.pages:
            self.pages[kernel_id] = monotonic()

    async def check_kernel(self, kernel_id: str) -> None:
        """End a kernel whose page has been disconnected for too long, even if it is computing."""
        since = self.pages.get(kernel_id)
        if since is None or self.is_connected(kernel_id):
            await self.end_if_idle(kernel_id)
        elif monotonic() - since > self.away_seconds:
            await self.shutdown_kernel(kernel_id)

    def kernel_gone(self, kernel_id: str) -> None:
        """Free its place at once, while the kernel is still shutting down."""
        self.pages.pop(kernel_id, None)


class PageHandler(VoilaPageHandler):
    """voilà's page handler; refuses a page if all sessions are in use."""

    _place: object | None = None
    _kernel_id: str | None = None

    def kernel_taken(self, kernel_id: str) -> None:
        """Assign the kernel to the place reserved for this page."""
        self._kernel_id = kernel_id
        self.kernels.seat(self._place, kernel_id)

    @tornado.web.authenticated
    async def get(self, path: str | None = None) -> None:
        """Send the page; 404 for any other address."""
        if path:
            raise tornado.web.HTTPError(404)
        sessions = self.kernels
        place = self._place = await sessions.take_place()
        if place is None:
            self._refuse(len(sessions.pages))
            return
        # Looked at, it is set as a cookie: without it Jupyter does not listen when the page says it closes.
        _ = self.xsrf_token
        try:
            async with sessions.making:
                await super().get(path)
        except NoProcessError:
            send_page(self, 503, error_page(self._lang, 503))
        finally:
            sessions.page_is_made(place, self._kernel_id)

    def _refuse(self, sessions: int) -> None:
        self.set_header("Retry-After", str(RETRY_SECONDS))
        send_page(self, 503, full_page(self._lang, sessions, IDLE_MINUTES, RETRY_SECONDS))

    def write_error(self, status_code: int, **details: Any) -> None:
        """Send our error page: Jupyter's own loads files that are not served here."""
        send_page(self, status_code, error_page(self._lang, status_code))

    @property
    def _lang(self) -> str:
        return language_of(self.request, self.settings["insanonym_lang"])
