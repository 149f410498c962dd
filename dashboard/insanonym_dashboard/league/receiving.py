"""Files that teams hand in: they go to the disk as they come, and are judged in the thread of the league."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import IO

from tornado.web import HTTPError, stream_request_body

from insanonym_core.errors import InsanonymError
from insanonym_core.league.hand_in import HandedIn
from insanonym_core.league.judge_attacks import MAX_ATTACK_BYTES
from insanonym_core.league.layout import ATTACKS, RELEASES, TEACHER, printable
from insanonym_core.texts import say
from insanonym_dashboard.league.handlers import LeagueHandler
from insanonym_dashboard.league.pages import Visitor
from insanonym_dashboard.league.texts import sentences

MAX_UPLOAD_BYTES = {RELEASES: 500_000_000, ATTACKS: MAX_ATTACK_BYTES}
_MAX_NAME_LENGTH = 120


@stream_request_body
class HandIn(LeagueHandler):
    """PUT hands a file in, DELETE takes one back; the answer is JSON with sentences for the page."""

    _file: IO[bytes] | None = None
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def prepare(self) -> Awaitable[None] | None:
        """Check who sends before the file comes."""
        self._visitor: Visitor = self.visitor(teacher=False)
        sort, name = self.path_args
        if sort not in MAX_UPLOAD_BYTES or Path(name).name != name or len(name) > _MAX_NAME_LENGTH:
            raise HTTPError(404)
        if self.request.method == "PUT":
            limit = MAX_UPLOAD_BYTES[sort]
            if int(self.request.headers.get("Content-Length") or 0) > limit:
                raise HTTPError(413)
            self.request.connection.set_max_body_size(limit)  # type: ignore[union-attr]
            self._folder = tempfile.TemporaryDirectory(
                prefix=".upload-", dir=self.live.folder / TEACHER, ignore_cleanup_errors=True
            )
            self._file = (Path(self._folder.name) / name).open("wb")
        return None

    def data_received(self, chunk: bytes) -> None:
        """Keep a part of the file."""
        if self._file is not None:
            self._file.write(chunk)

    async def put(self, sort: str, name: str) -> None:
        """Judge the file, and answer what is wrong with it."""
        assert self._folder is not None  # noqa: S101  prepare made it
        self._close()
        team = self._visitor.team or ""
        path = Path(self._folder.name) / name
        target = self.get_query_argument("target", "")
        try:
            handed_in: HandedIn = await self.in_thread(self.live.hand_in, team, sort, path, target)
        except InsanonymError as error:
            self._answer(accepted=False, lines=error.say(self.lang).splitlines())
            return
        finally:
            self._folder.cleanup()
        lines = sentences(list(handed_in.problems), self.lang)
        if handed_in.accepted:
            lines.insert(0, say("{file} is handed in.", self.lang, file=printable(handed_in.name)))
        self._answer(accepted=handed_in.accepted, lines=lines)
        await self.in_thread(self.live.refresh)

    async def delete(self, sort: str, name: str) -> None:
        """Take a file back."""
        try:
            await self.in_thread(self.live.take_back, self._visitor.team or "", sort, name)
        except InsanonymError as error:
            self._answer(accepted=False, lines=[error.say(self.lang)])
            return
        await self.in_thread(self.live.refresh)
        self._answer(accepted=True, lines=[say("{file} is taken back.", self.lang, file=printable(name))])

    def on_connection_close(self) -> None:
        """A file that did not come to its end is removed."""
        self._close()
        if self._folder is not None:
            self._folder.cleanup()
        super().on_connection_close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _answer(self, *, accepted: bool, lines: list[str]) -> None:
        self.finish({"accepted": accepted, "lines": lines})
