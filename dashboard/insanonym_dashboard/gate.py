"""Checks of every request before any handler: requests by pages of other sites, and malformed paths.

`Gate` comes before voilà's handlers and before the token check of `sharing`, so that none of them has to
check. A page of another site must not open kernels here by an `<img>`, nor read anything through a name made
to point at this machine.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.routing import Router
from tornado.web import Application, RequestHandler

from insanonym_dashboard.notices import error_page, language_of, refused_page, send_page

MAX_BODY_BYTES = 1024**2  # files come by web socket; nothing else sends more than a few bytes
_OWN = ("same-origin", "none")  # Sec-Fetch-Site of our own pages, and of an address that was typed
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+)(:\d+)?")


class Gate(Router):
    """Passes a request on to the application `behind`, or answers that it is refused.

    `any_host`: other machines call this one by names that are not known here (`--share`).
    """

    def __init__(self, behind: Router, lang: str, *, any_host: bool) -> None:
        self._behind, self._any_host = behind, any_host
        self._refused = _answering(403, refused_page, lang)

    def find_handler(self, request: HTTPServerRequest, **others: Any) -> Any:
        """The handler of a request."""
        allowed = (self._any_host or is_local(request.host)) and not is_foreign(request)
        return (self._behind if allowed else self._refused).find_handler(request, **others)


class PlainPaths(Router):
    """Passes on requests with a well-formed path, on which no handler fails; used after the token check."""

    def __init__(self, behind: Router, lang: str) -> None:
        self._behind = behind
        self._missing = _answering(404, lambda chosen: error_page(chosen, 404), lang)

    def find_handler(self, request: HTTPServerRequest, **others: Any) -> Any:
        """The handler of a request."""
        return (self._behind if is_plain(request.path) else self._missing).find_handler(request, **others)


def is_local(host: str) -> bool:
    """Whether a Host header names this machine: an address of the loop, or localhost."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = found[1].strip("[]")
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def is_foreign(request: HTTPServerRequest) -> bool:
    """Whether another site's page asks for this, other than by sending a person here.

    Another port of this machine is another site too. Programs and old browsers send no Sec-Fetch headers, and
    no browser sends them to a plain http address of another machine: then Origin and Referer have to do.
    """
    headers = request.headers
    site = headers.get("Sec-Fetch-Site")
    if site is None:
        return _referred_by_another(headers, request.host)
    if site in _OWN:
        return False
    person = headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest") == "document"
    ahead = "Sec-Purpose" in headers or "Purpose" in headers  # fetched before anybody clicks
    return ahead or not person or request.method not in ("GET", "HEAD")


def _referred_by_another(headers: HTTPHeaders, host: str) -> bool:
    """Whether a page of another origin requests something that is not a page; by Origin and Referer."""
    by = headers.get("Origin") or headers.get("Referer")
    if by is None or "text/html" in headers.get("Accept", ""):
        return False
    try:
        return urlsplit(by).netloc.lower() != host.lower()
    except ValueError:
        return True


def is_plain(path: str) -> bool:
    """Whether a path, once decoded, is text without control characters and without `.` or `..` folders."""
    try:
        decoded = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return False
    return decoded.isprintable() and "\\" not in decoded and {".", ".."}.isdisjoint(decoded.split("/"))


def _answering(status: int, page: Callable[[str], str], lang: str) -> Application:
    """An application that answers every request with one page, and does not log the address."""
    given = {"status": status, "page": page, "lang": lang}
    return Application([(r".*", _Answer, given)], log_function=lambda handler: None)


class _Answer(RequestHandler):
    """One page, in the language of the request."""

    def initialize(self, status: int, page: Callable[[str], str], lang: str) -> None:
        self._status, self._page, self._lang = status, page, lang

    def prepare(self) -> None:
        """Answer before the HTTP method is looked at."""
        send_page(self, self._status, self._page(language_of(self.request, self._lang)))
