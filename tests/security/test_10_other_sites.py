"""Issue 17, number 10: a page of another site opens no kernel here, shared or not."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from insanonym_dashboard.gate import is_foreign
from tests.browser_dashboard.serving import Running, notebook, opened, running
from tests.browser_dashboard.shell_page import PLOTS
from tests.browser_dashboard.test_sharing import SHELL, cookie, home, status

PATHS = [
    "",
    "?tab=table",
    "insanonym/plotly.min.js",
    "insanonym/lessons/1_first_score.en.html",
    "voila/static/voila.js",
    "voila/templates/insanonym/static/insanonym.css",
    "api/kernels/00000000-0000-0000-0000-000000000000",
    "nowhere",
]
LINK = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
ASKED = {
    "image": {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
    "script": {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"},
    "fetch": {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
    "frame": {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    "object": {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "object"},
    "socket": {"Sec-Fetch-Mode": "websocket", "Sec-Fetch-Dest": "websocket"},
    "nothing": {},
    "prefetch": {**LINK, "Sec-Purpose": "prefetch;prerender"},
}
SITES = ("cross-site", "same-site", "cross-site, none", "")


@pytest.fixture(scope="module", params=[False, True], ids=["here", "shared"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Without a pool: every kernel belongs to a page that was let in."""
    folder = tmp_path_factory.mktemp("sites")
    page = notebook(folder, SHELL)
    with running(folder, notebook=page, pool=0, share=request.param, host="127.0.0.1") as found:
        yield found


def held(server: Running) -> dict[str, str]:
    return cookie(server) if "token" in server.address else {}


@pytest.mark.parametrize("asked", ASKED)
def test_no_request_of_another_site_is_answered(server, asked):
    for site in SITES:
        for path in PATHS:
            headers = {"Sec-Fetch-Site": site, **ASKED[asked], **held(server)}
            assert status(server, path, **headers) == 403, (site, path)
    assert server.kernels() == []


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
def test_a_form_of_another_site_is_refused(server, method):
    headers = {"Sec-Fetch-Site": "cross-site", **LINK, **held(server)}
    assert status(server, "", method, **headers) == 403


def test_old_browsers_say_where_a_request_comes_from(server):
    for header in ("Origin", "Referer"):
        for by in ("http://elsewhere.example", "http://127.0.0.1:1/x", "null", "http://[", "//"):
            headers = {header: by, "Accept": "image/avif,image/*,*/*;q=0.8", **held(server)}
            assert status(server, "", **headers) == 403, by
    assert server.kernels() == []


def attackers_page(address: str) -> bytes:
    many = "".join(f'<img src="{address}?n={n}">' for n in range(5))
    return (
        f'{many}<script src="{address}"></script><link rel="stylesheet" href="{address}">'
        f'<iframe src="{address}"></iframe><object data="{address}"></object>'
        f'<script>fetch("{address}", {{mode: "no-cors"}}).catch(() => 0)</script>'
    ).encode()


@pytest.fixture
def other_port(server: Running) -> Iterator[str]:
    """Another server of this machine, whose page asks for ours in every way a page can."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(attackers_page(server.address))

        def log_message(self, *_: object) -> None:
            pass

    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=other.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{other.server_port}/"
    other.shutdown()
    other.server_close()
    thread.join()


@pytest.mark.parametrize("where", ["another port", "another site"])
def test_in_a_browser_no_page_of_another_site_opens_a_kernel(browser, server, other_port, where):
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    answers: list[int] = []
    ours = home(server)
    page.on("request", lambda one: asked.append(one.url) if one.url.startswith(ours) else None)
    page.on("response", lambda one: answers.append(one.status) if one.url.startswith(ours) else None)
    attack = other_port
    if where == "another site":
        attack = "http://localhost/"
        body = attackers_page(server.address)
        page.route(attack, lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(attack)  # until all of it was loaded or refused
    assert len(asked) >= 8
    assert set(answers) <= {403}  # Chromium shows the answers to frames, and hides those to images
    assert answers or where == "another site"
    assert server.kernels() == []
    context.close()


# --- what has to go on working; last: from here on there are kernels --------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "none", **LINK},
        {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "cross-site", **LINK},
        {"Sec-Fetch-Site": "same-site", **LINK},
        {"Referer": "http://course.example/", "Accept": "text/html,*/*"},
        {"Referer": "http://here.example/x", "Accept": "*/*"},
    ],
)
def test_our_own_pages_programs_and_links_pass(headers):
    line = RequestStartLine("GET", "/", "HTTP/1.1")
    found = HTTPHeaders({"Host": "here.example", **headers})
    assert not is_foreign(HTTPServerRequest(start_line=line, headers=found))


def test_a_link_on_another_port_opens_the_dashboard(browser, server, other_port):
    context = browser.new_context()
    page = context.new_page()
    link = f'<a href="{server.address}">dashboard</a>'
    page.route(other_port, lambda route: route.fulfill(body=link, content_type="text/html"))
    page.goto(other_port)
    page.get_by_text("dashboard").click()
    opened(page, PLOTS)
    assert len(server.kernels()) == 1
    context.close()


def test_no_address_can_be_framed_by_another_site(browser, server):
    context = browser.new_context(extra_http_headers=held(server))
    for path in ("insanonym/lessons/1_first_score.en.html", "insanonym/plotly.min.js"):
        answer = context.request.get(home(server) + path)
        assert answer.ok
        assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    context.close()
