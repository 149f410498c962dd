"""Sharing with a classroom: one door before every address of the server, opened by a token.

The door stands before voilà's own handlers, so that nothing behind it (pages, files, kernels, web sockets)
has to remember to ask. It knows nobody: whoever has the link is let in.
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


def link(host: str, port: int, token: str) -> str:
    """What to open; without a token where none is asked for."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")


def _ip(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(address)


class Door(Router):
    """Lets a request through that brings the cookie; everything else meets the doorkeeper."""

    def __init__(self, behind: Router, token: str, port: int, lang: str) -> None:
        self._behind = behind
        self._token = token.encode()
        self.cookie = (
            f"insanonym-{port}"  # cookies know no ports: two dashboards of a machine would share one
        )
        route = (r".*", _Doorkeeper, {"door": self, "lang": lang})
        # An address with a token is not for the log.
        self._keeper = Application([route], log_function=lambda handler: None)

    def find_handler(self, request: HTTPServerRequest, **others: Any) -> Any:
        """A token in the address is always taken out of it, so it goes to the doorkeeper too."""
        held = request.cookies.get(self.cookie)
        known = held is not None and self.is_token(held.value) and "token" not in request.query_arguments
        return (self._behind if known else self._keeper).find_handler(request, **others)

    def is_token(self, given: str) -> bool:
        """In the same time whatever is given."""
        return hmac.compare_digest(given.encode(), self._token)

    @property
    def token(self) -> str:
        """What the cookie holds."""
        return self._token.decode()


class _Doorkeeper(RequestHandler):
    """Takes a token for a cookie, and asks everybody else for the link."""

    def initialize(self, door: Door, lang: str) -> None:
        self._door, self._lang = door, lang

    def prepare(self) -> None:
        """The same for every method and every address."""
        lang = language_of(self.request, self._lang)
        self.set_header("Referrer-Policy", "no-referrer")
        given = self.get_query_arguments("token")
        if self.request.method != "GET" or not any(self._door.is_token(one) for one in given):
            send_page(self, 403, link_page(lang))
            return
        self.set_cookie(self._door.cookie, self._door.token, httponly=True, samesite="Strict")
        # Not a 302: a browser that followed the link from another site (a mail, a course page) keeps a strict
        # cookie back along redirects. A page of ours that goes on is of this site.
        send_page(self, 200, welcome_page(lang, _without_token(self.request)))


def _without_token(request: HTTPServerRequest) -> str:
    """The same address of this server, everything else in it kept. Never two slashes: that names a host."""
    kept = [(name, value) for name, value in parse_qsl(request.query, True) if name != "token"]
    path = "/" + request.path.lstrip("/\\")
    return f"{path}?{urlencode(kept)}" if kept else path
