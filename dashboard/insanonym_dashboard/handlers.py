"""Every address of the server: voilà's own, without those nobody uses, and ours.

What is not served answers with a plain page. No address answers an odd path with a failure of the server.
"""

from __future__ import annotations

from typing import Any

from jupyter_server.auth.login import LoginFormHandler
from jupyter_server.auth.logout import LogoutHandler
from jupyter_server.base.handlers import APIHandler
from tornado.web import HTTPError, RequestHandler, StaticFileHandler
from tornado.websocket import WebSocketHandler

from insanonym_dashboard.channels import ChannelsHandler
from insanonym_dashboard.lesson_handler import LessonHandler
from insanonym_dashboard.notices import error_page, language_of, send_page
from insanonym_dashboard.plot import PLOTLY_JS
from insanonym_dashboard.sessions import PageHandler
from insanonym_dashboard.voila_adapter import (
    RequestInfoSocketHandler,
    TemplateStaticFileHandler,
    TornadoVoilaHandler,
    VoilaKernelWebsocketHandler,
)

# There is no password to log in with or out of. The last one tells a kernel its page's address, which ours
# does not ask for; it checks no Host header and mixes up its listeners.
_UNUSED = (LoginFormHandler, LogoutHandler, RequestInfoSocketHandler)


def handlers(server_url: str, theirs: list[Any]) -> list[Any]:
    """The addresses of the server: ours, and those of `theirs` (voilà's) that are used."""
    ours = [
        (rf"{server_url}insanonym/({PLOTLY_JS.name})", StaticFileHandler, {"path": str(PLOTLY_JS.parent)}),
        (rf"{server_url}insanonym/lessons/([0-9a-z_.]+)", LessonHandler),
    ]
    used = [one for one in theirs if not issubclass(one[1], _UNUSED)]
    return [(where, _served(handler), *others) for where, handler, *others in (*ours, *used)]


class PlainErrors(RequestHandler):
    """Sends errors as our own page: those of tornado and Jupyter load files that are not served here."""

    def set_default_headers(self) -> None:
        """Forbid other sites to embed the page in a frame, as Jupyter's own handlers do."""
        self.set_header("Content-Security-Policy", "frame-ancestors 'self'")
        super().set_default_headers()

    def write_error(self, status_code: int, **details: Any) -> None:
        """Send our error page for any status."""
        lang = language_of(self.request, self.settings["insanonym_lang"])
        send_page(self, status_code, error_page(lang, status_code))


class TemplateFiles(TemplateStaticFileHandler):  # type: ignore[misc]
    """Files of a template, `NAME/static/FILE`; voilà's own handler fails on any other path."""

    async def get(self, path: str, include_body: bool = True) -> None:
        """Send the file; 404 for any other path."""
        parts = path.split("/")
        if len(parts) < 3 or parts[1] != "static" or not {"", ".", ".."}.isdisjoint(parts):
            raise HTTPError(404)
        await super().get(path, include_body)


_REPLACED = {
    TornadoVoilaHandler: PageHandler,
    VoilaKernelWebsocketHandler: ChannelsHandler,
    TemplateStaticFileHandler: TemplateFiles,
}


def _served(handler: type[RequestHandler]) -> type[RequestHandler]:
    """Replace a handler of voilà by ours where there is one, and send errors as our own page."""
    chosen: type[RequestHandler] = _REPLACED.get(handler, handler)
    if issubclass(chosen, (APIHandler, WebSocketHandler, PageHandler)):
        return chosen
    return type(chosen.__name__, (PlainErrors, chosen), {})
