"""Issue 17, number 12: every address checks the host, and none fails on an odd path."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_dashboard.gate import is_local, is_plain
from tests.browser_dashboard.serving import ROOT, Running
from tests.browser_dashboard.test_sharing import handshake, status

KERNEL = "00000000-0000-0000-0000-000000000000"
# Every route, as the server registers it; it is asked instead of served.
ROUTES = """
import json
from insanonym_dashboard import server
listening = server.bound_socket("127.0.0.1", 0, False, usual=0)
options = dict(open_browser=False, pool=1, share=False, sessions=1, away=None)
made = server._server(listening, server.APP, lang="en", **options)
groups = lambda app: [rule for group in app.default_router.rules for rule in group.target.rules]
type(made).listen = lambda self: print(json.dumps([one.matcher.regex.pattern for one in groups(self.app)]))
made.start()
listening.close()
"""
ODD = [
    "",
    "..%2f",
    "../",
    "..",
    ".",
    "./.",
    "%2e%2e%2f%2e%2e%2f",
    "..%2f..%2f..%2fetc%2fpasswd",
    "..%5c..%5cx",
    "%00",
    "a%00b",
    "%0d%0aX:1",
    "%ff",
    "%c0%ae",
    "%",
    "%zz",
    "*",
    "~",
    ":",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "//x",
    "a/b",
    "a/static",
    "a/static/",
    "a/static/b",
    "a//static/b",
    "a/other/b/c",
    "insanonym/static/..%2f..%2fconf.json",
    "x" * 5000,
    KERNEL,
    f"{KERNEL}/channels",
    "%C3%A9",
    "?lang=%ff",
    "?template=..%2f..&theme=%00",
]
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")


@pytest.fixture(scope="module")
def prefixes() -> list[str]:
    """What every registered route begins with, and addresses that Jupyter would have."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "dashboard")])
    made = subprocess.run(
        [sys.executable, "-c", ROUTES],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    routes = [pattern.partition("(")[0].rstrip("$") for pattern in json.loads(made.stdout)]
    assert "/voila/templates/" in routes
    assert "/api/kernels/" in routes
    return list(dict.fromkeys([*routes, "/login", "/logout", "/voila/query/", "/static/", "/files/"]))


def asked(server: Running, method: str, path: str) -> tuple[int, str]:
    """Status and text of an answer; with the cookie and the header by which a page of ours is known."""
    where = urlsplit(server.address)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=20)
    connection.putrequest(method, path)
    for name, value in {"Cookie": "_xsrf=0", "X-XSRFToken": "0"}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer.status, text


def test_no_odd_path_fails(server, prefixes):
    page = ("/", "/?lang=%ff", "/?template=..%2f..&theme=%00")
    for method in METHODS:
        for prefix in prefixes:
            for odd in ODD:
                path = prefix + odd
                if path in page and method == "GET":
                    continue  # the page itself
                code, said = asked(server, method, path)
                assert 400 <= code < 500 or (method == "OPTIONS" and code < 300), (method, path[:80])
                assert "Traceback" not in said
                assert str(ROOT) not in said
    assert "Traceback" not in server.log


@pytest.mark.parametrize("path", ["/logout", "/login", "/voila/templates/..%2f", "/..%2f", "/nowhere"])
@pytest.mark.parametrize(
    ("lang", "said"), [("en", "nothing at this address"), ("fr", "rien à cette adresse")]
)
def test_what_is_not_there_is_a_plain_page(server, path, lang, said):
    code, text = asked(server, "GET", f"{path}?lang={lang}")
    assert code == 404
    assert said in text


PATHS = [
    "",
    "insanonym/plotly.min.js",
    "insanonym/lessons/1_first_score.en.html",
    "voila/static/voila.js",
    "voila/templates/insanonym/static/insanonym.css",
    "voila/labextensions/anywidget/package.json",
    "voila/api/themes/x",
    "voila/files/page.ipynb",
    f"voila/query/{KERNEL}",
    f"api/kernels/{KERNEL}",
    "login",
    "nowhere",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_foreign_host_is_refused_at_every_address(server, path):
    for host in ("elsewhere.example", "elsewhere.example:80", "127.0.0.1.elsewhere.example", "192.0.2.1"):
        assert status(server, path, Host=host) == 403, host


@pytest.mark.parametrize("path", [f"voila/query/{KERNEL}", f"api/kernels/{KERNEL}/channels"])
def test_a_web_socket_of_a_name_made_to_point_here_is_refused(server, path):
    foreign = "elsewhere.example"
    assert handshake(server, path, foreign, Origin=f"http://{foreign}") == 403
    here = urlsplit(server.address).netloc
    assert handshake(server, path, here, Origin=f"http://{here}") == 404


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8866", "[::1]:80", "[::1]"]
)
def test_the_names_of_this_machine_pass(host):
    assert is_local(host)


@given(st.text(max_size=30))
def test_any_other_host_is_refused(text):
    assert not is_local(f"{text}.example")
    assert not is_local(f"127.0.0.1@{text}")


@given(st.text(max_size=30))
def test_a_path_that_leads_upwards_is_never_plain(text):
    assert not is_plain(f"/{text}/../x")
    assert not is_plain(f"/{text}%2f%2e%2E%2fx")
    assert not is_plain(f"/{text}%00")
