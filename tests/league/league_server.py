"""A league's server in a process of its own, and visitors who speak HTTP."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit


@dataclass
class Answer:
    """Status, headers and body of an answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    @property
    def lines(self) -> list[str]:
        return json.loads(self.body)["lines"]


@dataclass
class Visitor:
    """A browser without a screen: it keeps cookies and sends the token of the page."""

    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    xsrf: str = ""

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        given = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        connection.request(method, path, body, given | (headers or {}))
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        for header in answer.headers.get_all("Set-Cookie") or []:
            for name, cookie in SimpleCookie(header).items():
                self.cookies[name] = cookie.value
        found = re.search(rb'data-xsrf="([^"]+)"', content)
        self.xsrf = found[1].decode() if found else self.xsrf
        return Answer(answer.status, dict(answer.headers), content)

    def post(self, path: str, **fields: str) -> Answer:
        body = urlencode({"_xsrf": self.xsrf, **fields}).encode()
        return self.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def sign_in(self, code: str) -> Answer:
        self.ask("GET", "/")
        answer = self.post("/sign-in", code=code)
        if answer.status == 302:
            self.ask("GET", self.ask("GET", "/").headers["Location"])
        return answer

    def hand_in(self, sort: str, name: str, content: bytes, target: str = "") -> Answer:
        path = f"/handed-in/{sort}/{quote(name, safe='')}" + (f"?target={quote(target)}" if target else "")
        return self.ask("PUT", path, content, {"X-XSRFToken": self.xsrf})

    def take_back(self, sort: str, name: str) -> Answer:
        return self.ask(
            "DELETE", f"/handed-in/{sort}/{quote(name, safe='')}", headers={"X-XSRFToken": self.xsrf}
        )


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Serve a league on a free port; it must end well when asked to."""
    command = [sys.executable, "-m", "insanonym_core", "league", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(
        [*command, "--no-browser", *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert found, said + process.stdout.read()
            yield found[0], process
        finally:
            process.terminate()
            rest = process.communicate(timeout=60)[0]
        assert process.returncode == 0, rest
        assert "Traceback" not in rest, rest
        assert "Error" not in rest, rest
