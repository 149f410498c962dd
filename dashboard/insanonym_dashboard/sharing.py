"""Sharing with a classroom: every request needs a token.

The check comes before voilà's own handlers, so that no page, file, kernel or web socket can be left out.
There are no accounts: whoever has the link has access.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from typing import Any
from urllib.parse import parse_qsl, urlencode

import psutil
from tornado.httputil import HTTPServerRequest
from tornado.routing import Router
from tornado.web import Application, RequestHandler

from insanonym_dashboard.notices import language_of, link_page, send_page, welcome_page


def new_token() -> str:
    """64 random bits: short enough to be typed from a board, and guesses have to be asked one by one."""
    return secrets.token_hex(8)


def addresses(host: str) -> list[str]:
    """Where other machines find a server that listens on `host`; only this machine's own list is read."""
    if not ipaddress.ip_address(host).is_unspecified:
        return [host]
    up = {name for name, known in psutil.net_if_stats().items() if known.isup}
    found = [
        known.address
        for name, all_known in psutil.net_if_addrs().items()
        for known in all_known
        if name in up and known.family == socket.AF_INET
    ]
    reached = [one for one in found if not (_ip(one).is_loopback or _ip(one).is_link_local)]
    return reached or ["127.0.0.1"]


def link(host: str, port: int, token: str, prefix: str = "/") -> str:
    """What to open; without a token where none is asked for."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{prefix}" + (f"?token={token}" if token else "")


def _ip(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(address)


class TokenGate(Router):
    """Passes on requests that have the cookie; all others go to `_TokenHandler`."""

    def __init__(self, behind: Router, token: str, port: int, lang: str) -> None:
        self._behind = behind
        self._token = token.encode()
        self.cookie = (
            f"insanonym-{port}"  # cookies know no ports: two dashboards of a machine would share one
        )
        route = (r".*", _TokenHandler, {"gate": self, "lang": lang})
        # An address with a token is not for the log.
        self._refusing = Application([route], log_function=lambda handler: None)

    def find_handler(self, request: HTTPServerRequest, **others: Any) -> Any:
        """A token in the address is always taken out of it, so it goes to `_TokenHandler` too."""
        held = request.cookies.get(self.cookie)
        known = held is not None and self.is_token(held.value) and "token" not in request.query_arguments
        return (self._behind if known else self._refusing).find_handler(request, **others)

    def is_token(self, given: str) -> bool:
        """Whether a token is right, compared in constant time."""
        return hmac.compare_digest(given.encode(), self._token)

    @property
    def token(self) -> str:
        """The value of the cookie."""
        return self._token.decode()


class _TokenHandler(RequestHandler):
    """Sets the cookie for a right token; otherwise shows a page that asks for the link."""

    def initialize(self, gate: TokenGate, lang: str) -> None:
        self._gate, self._lang = gate, lang

    def prepare(self) -> None:
        """Answer any method and address."""
        lang = language_of(self.request, self._lang)
        self.set_header("Referrer-Policy", "no-referrer")
        given = self.get_query_arguments("token")
        if self.request.method != "GET" or not any(self._gate.is_token(one) for one in given):
            send_page(self, 403, link_page(lang))
            return
        self.set_cookie(self._gate.cookie, self._gate.token, httponly=True, samesite="Strict")
        # Not a 302: a browser that followed the link from another site (a mail, a course page) keeps a strict
        # cookie back along redirects. A page of ours that goes on is of this site.
        send_page(self, 200, welcome_page(lang, _without_token(self.request)))


def _without_token(request: HTTPServerRequest) -> str:
    """The address without its token. It never starts with two slashes, which would name another host."""
    kept = [(name, value) for name, value in parse_qsl(request.query, True) if name != "token"]
    path = "/" + request.path.lstrip("/\\")
    return f"{path}?{urlencode(kept)}" if kept else path
