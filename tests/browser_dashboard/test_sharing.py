"""--share: everything behind one door, which a link with a token opens."""

from __future__ import annotations

import http.client
import re
from types import SimpleNamespace
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import Browser, Page

from insanonym_dashboard.server import EVERYWHERE
from insanonym_dashboard.sharing import addresses, link, new_token
from tests.browser_dashboard.serving import Running, notebook, opened, running, wait_values
from tests.browser_dashboard.shell_page import PLOTS, heights
from tests.browser_dashboard.test_shell import slide

SHELL = "from tests.browser_dashboard.shell_page import show; show()"
PATHS = [
    "",
    "?lang=fr",
    "insanonym/plotly.min.js",
    "insanonym/lessons/1_first_score.en.html",
    "voila/static/voila.js",
    "voila/templates/insanonym/static/insanonym.css",
    "voila/templates/base/static/voila.js",
    "voila/labextensions/@voila-dashboards/widgets-manager8/package.json",
    "voila/api/themes/x",
    "voila/files/page.ipynb",
    "login",
    "api/kernels/{kernel}",
    "api/kernels/{kernel}/channels",
    "voila/query/{kernel}",
    "nowhere",
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory):
    """A dashboard behind its door; in tests the door is on this machine."""
    folder = tmp_path_factory.mktemp("shared")
    page = notebook(folder, SHELL)
    with running(folder, notebook=page, share=True, host="127.0.0.1") as found:
        found.wait_until_warm()
        yield found


@pytest.fixture(scope="module")
def kernel(browser: Browser, shared: Running):
    """The id of the kernel of an open page."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(shared.address)
    opened(page, PLOTS)
    yield kernel_id(page)
    context.close()


def kernel_id(page: Page) -> str:
    return page.evaluate("() => window.jupyterapp.widgetManager.kernel.id")


def home(shared: Running) -> str:
    return shared.address.partition("?")[0]


def token(shared: Running) -> str:
    return shared.address.rpartition("=")[2]


def cookie(shared: Running, value: str | None = None) -> dict[str, str]:
    name = f"insanonym-{urlsplit(shared.address).port}"
    return {"Cookie": f"{name}={token(shared) if value is None else value}"}


def status(server: Running, path: str, method: str = "GET", **headers: str) -> int:
    """Asked without a browser, which would not lie about its host."""
    where = urlsplit(server.address)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=20)
    connection.request(method, f"/{path}", headers=headers)
    found = connection.getresponse().status
    connection.close()
    return found


def handshake(server: Running, path: str, host: str, **headers: str) -> int:
    """101 where a web socket opens."""
    keys = {"Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==", "Sec-WebSocket-Version": "13"}
    upgrade = {"Host": host, "Connection": "Upgrade", "Upgrade": "websocket", **keys}
    return status(server, path, **upgrade, **headers)


def channels(kernel: str) -> str:
    return f"api/kernels/{kernel}/channels"


# --- in --------------------------------------------------------------------------------------------


def test_the_link_opens_the_page_and_leaves_no_token_in_the_address(watch, shared):
    found = watch(f"{shared.address}&tab=avatars&lang=fr")
    page = found.page
    page.wait_for_url(f"{home(shared)}?tab=avatars&lang=fr")
    opened(page, PLOTS)
    slide(page)
    wait_values(page.locator(".insanonym-plot").first, heights(11))  # the web socket is let through
    held = next(one for one in page.context.cookies() if one["name"].startswith("insanonym-"))
    assert (held["httpOnly"], held["sameSite"], held["expires"]) == (True, "Strict", -1)
    assert page.evaluate("() => document.referrer + document.cookie + location").count(token(shared)) == 0
    page.goto(home(shared))  # the cookie is enough
    opened(page, PLOTS)
    found.assert_quiet()


def test_a_link_on_another_site_works(browser, shared):
    context = browser.new_context()
    page = context.new_page()
    course = f'<a href="{shared.address}">dashboard</a>'
    page.route("http://course.example/", lambda route: route.fulfill(body=course, content_type="text/html"))
    page.goto("http://course.example/")
    page.get_by_text("dashboard").click()
    opened(page, PLOTS)
    assert page.url == home(shared)
    context.close()


def test_a_token_never_leads_to_another_host(shared):
    where = urlsplit(shared.address)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=20)
    for path in ("//elsewhere.example/", "/\\elsewhere.example/", '/"><script>'):
        connection.request("GET", f"{path}?token={token(shared)}")
        said = connection.getresponse().read().decode()
        onwards = re.search(r'content="0;url=([^"]*)"', said)[1]
        assert re.match(r"/[^/\\]", onwards)
        assert "<script" not in said
    connection.close()


# --- out -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_every_address_is_refused(kernel, shared, path):
    asked = path.format(kernel=kernel)
    assert status(shared, asked) == 403
    assert status(shared, asked, **cookie(shared, "0" * 16)) == 403
    mark = "&" if "?" in asked else "?"
    assert status(shared, f"{asked}{mark}token={'0' * 16}") == 403
    assert status(shared, f"{asked}{mark}token=%C3%A9&token=") == 403


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "HEAD", "OPTIONS"])
def test_every_method_is_refused_and_ends_no_kernel(kernel, shared, method):
    assert status(shared, f"api/kernels/{kernel}", method) == 403
    assert status(shared, f"voila/api/shutdown/{kernel}", method) == 403
    assert status(shared, f"?token={token(shared)}", method) == 403
    assert status(shared, f"api/kernels/{kernel}", **cookie(shared)) == 200


@pytest.mark.parametrize(
    "path", [path for path in PATHS if path.startswith(("insanonym", "voila/templates"))]
)
def test_with_the_cookie_it_is_there(shared, path):
    assert status(shared, path, **cookie(shared)) == 200


def test_who_has_no_token_is_asked_for_the_link_in_both_languages(watch, shared):
    found = watch(home(shared))
    assert "Ask whoever started the dashboard" in found.page.inner_text("main")
    found.page.goto(f"{home(shared)}?lang=fr&token=wrong")
    assert "Demandez le lien" in found.page.inner_text("main")
    assert found.page.context.cookies() == []
    assert found.asked == []


def test_a_web_socket_needs_the_cookie_and_its_own_site(kernel, shared):
    path = channels(kernel)
    classroom = f"192.0.2.7:{urlsplit(shared.address).port}"  # as another machine calls this one
    origin = f"http://{classroom}"
    assert handshake(shared, path, classroom, Origin=origin) == 403
    assert handshake(shared, path, classroom, Origin=origin, **cookie(shared, "wrong")) == 403
    assert handshake(shared, path, classroom, Origin=origin, **cookie(shared)) == 101
    assert handshake(shared, path, classroom, Origin="http://elsewhere.example", **cookie(shared)) == 403


def test_without_a_share_a_name_made_to_point_here_is_refused(watch, shell):
    found = watch(shell.address)
    opened(found.page, PLOTS)
    path, here = channels(kernel_id(found.page)), urlsplit(shell.address).netloc
    assert handshake(shell, path, here, Origin=f"http://{here}") == 101
    assert handshake(shell, path, here, Origin="http://elsewhere.example") == 403
    assert handshake(shell, path, "elsewhere.example", Origin="http://elsewhere.example") == 403
    assert status(shell, "", Host="elsewhere.example") == 403


def test_the_token_is_printed_once_and_never_logged(kernel, shared):
    status(shared, f"nowhere?token={token(shared)}")
    status(shared, "?token=nearly")
    assert shared.log.count(token(shared)) == 1
    assert "nearly" not in shared.log
    assert "nothing is encrypted" in shared.log
    words = [word for one in shared.kernels() for word in (*one.cmdline(), *one.environ().values())]
    assert not any(token(shared) in word for word in words)


# --- without a page --------------------------------------------------------------------------------


def test_another_address_without_share_is_a_sentence(run):
    for host in (EVERYWHERE, "::", "192.0.2.1"):
        found = run("dashboard", "--host", host, "--port", 0, "--no-browser")
        assert found.code == 2
        assert found.err.startswith(f"Other machines could reach the dashboard at {host}: add --share")


def test_the_addresses_are_those_that_other_machines_reach(monkeypatch):
    known = {"lo": ["127.0.0.1"], "wifi": ["192.0.2.7"], "off": ["192.0.2.8"], "auto": ["169.254.3.3"]}
    cards = {
        name: [SimpleNamespace(address=one, family=2) for one in all_known]
        for name, all_known in known.items()
    }
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: cards)
    monkeypatch.setattr(
        psutil, "net_if_stats", lambda: {name: SimpleNamespace(isup=name != "off") for name in known}
    )
    assert addresses(EVERYWHERE) == ["192.0.2.7"]
    assert addresses("192.0.2.9") == ["192.0.2.9"]
    cards.pop("wifi")
    assert addresses(EVERYWHERE) == ["127.0.0.1"]
    assert link("::1", 80, "") == "http://[::1]:80/"


def test_every_start_has_a_token_of_its_own():
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in made)
