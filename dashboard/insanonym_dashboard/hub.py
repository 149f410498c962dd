"""A JupyterHub starts the dashboard for each of its users: its address, and its login before every request.

The hub says all it wants in environment variables. It logs people in by OAuth; a request is answered when its
cookie belongs to somebody who may use this very server.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from tornado.httputil import HTTPServerRequest
from tornado.routing import Router
from tornado.web import Application, RequestHandler

from insanonym_core.errors import UsageError
from insanonym_dashboard.notices import language_of, refused_page, send_page

_PREFIX, _URL, _TOKEN = "JUPYTERHUB_SERVICE_PREFIX", "JUPYTERHUB_SERVICE_URL", "JUPYTERHUB_API_TOKEN"
_SECRETS = (_TOKEN, "JPY_API_TOKEN")


@dataclass(frozen=True)
class Hub:
    """Where the hub wants the server to listen, and how it knows its users."""

    prefix: str
    host: str
    port: int
    auth: Any

    @classmethod
    def from_environment(cls) -> Hub | None:
        """The hub that started this process; None if none did. Its token is taken out of the environment."""
        if _PREFIX not in os.environ or _URL not in os.environ:
            return None
        try:
            from jupyterhub.services.auth import HubOAuth
        except ImportError as error:
            raise UsageError(
                "A JupyterHub has started the dashboard, and the package jupyterhub is not installed here: "
                "install insanonym[hub]."
            ) from error
        where = urlsplit(os.environ[_URL])
        auth = HubOAuth(base_url=os.environ[_PREFIX], api_token=os.environ.get(_TOKEN, ""))
        for name in _SECRETS:
            os.environ.pop(name, None)  # no kernel has it
        return cls(os.environ[_PREFIX], where.hostname or "127.0.0.1", where.port or 80, auth)


class HubGate(Router):
    """Passes on the requests of people whom the hub lets in; sends all others to the hub's login."""

    def __init__(self, behind: Router, hub: Hub, lang: str) -> None:
        from jupyterhub.services.auth import HubOAuthCallbackHandler

        self._behind, self._hub = behind, hub
        given = {"hub": hub, "lang": lang}
        callback = type("Callback", (HubOAuthCallbackHandler,), {"_hub_auth": hub.auth})
        self._asking_handler = _asking_handler()
        routes: list[Any] = [
            (rf"{hub.prefix}oauth_callback", callback),
            (rf"{hub.prefix}api/?", _IsUp),
            (r".*", self._asking_handler, given),
        ]
        self._own = Application(routes, cookie_secret=secrets.token_bytes(32), log_function=lambda _: None)
        self._given = given

    def find_handler(self, request: HTTPServerRequest, **others: Any) -> Any:
        """The handler of a request."""
        own = request.path in (f"{self._hub.prefix}oauth_callback", f"{self._hub.prefix}api")
        let_in = not own and request.path.startswith(self._hub.prefix) and self._knows(request)
        return (self._behind if let_in else self._own).find_handler(request, **others)

    def _knows(self, request: HTTPServerRequest) -> bool:
        """Whether somebody who may come in asks; the hub's answer is kept for some minutes."""
        return self._asking_handler(self._own, request, **self._given).current_user is not None


class _IsUp(RequestHandler):
    """The hub asks here whether the server runs."""

    def get(self) -> None:
        """Say so."""
        self.set_header("X-JupyterHub-Version", version("jupyterhub"))
        self.finish({"version": version("insanonym")})


def _asking_handler() -> type[RequestHandler]:
    """The handler of requests that are not let in; made here because jupyterhub may not be installed."""
    from jupyterhub.services.auth import HubOAuthenticated

    class Asking(HubOAuthenticated, RequestHandler):  # type: ignore[misc]
        """Sends a person to the hub's login, and refuses everything else."""

        def initialize(self, hub: Hub, lang: str) -> None:
            self.hub_auth, self._prefix, self._lang = hub.auth, hub.prefix, lang

        def check_xsrf_cookie(self) -> None:
            """Of a script's request: it must come from a page of this user's own server."""
            referring = urlsplit(self.request.headers.get("Referer", ""))
            same_host = referring.netloc == self.request.host
            if not (same_host and referring.path.startswith(self._prefix)):
                super().check_xsrf_cookie()

        def prepare(self) -> None:
            """Answer any method and address."""
            known = self.current_user  # asks the hub; where somebody else came, this forbids to redirect
            is_page = self.request.method == "GET" and self.request.path.startswith(self._prefix)
            if known is None and is_page and "redirect" not in vars(self):
                self.redirect(self.get_login_url())
            else:
                send_page(self, 403, refused_page(language_of(self.request, self._lang)))

    return Asking
