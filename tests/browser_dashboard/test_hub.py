"""A real JupyterHub with the configuration of docs/jupyterhub.md: two users with a server each."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import Browser, Page

from tests.browser_dashboard.serving import ROOT, choose_file, opened, wait_for
from tests.browser_dashboard.test_isolation import CANARY, ROWS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PROXY = "configurable-http-proxy"
PASSWORD = "a-class-of-two"
_ONLY_HERE = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}/"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub}/"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
c.ConfigurableHTTPProxy.command = {proxy!r}
c.JupyterHub.db_url = "sqlite:///hub.sqlite"
c.JupyterHub.cookie_secret_file = "cookie"
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = {password!r}
c.Authenticator.allowed_users = {{"alice", "bob"}}
c.JupyterHub.spawner_class = "simple"
c.Spawner.environment = {{"PYTHONPATH": {path!r}}}
c.Spawner.cmd = [{python!r}, "-m", "insanonym_core", *c.Spawner.cmd[1:]]
"""


@dataclass
class Hub:
    address: str
    process: subprocess.Popen[bytes]
    written: Path

    @property
    def log(self) -> str:
        return self.written.read_text(errors="replace")

    def servers(self) -> list[psutil.Process]:
        """The servers of its users."""
        below = psutil.Process(self.process.pid).children(recursive=True)
        return [one for one in below if "insanonym_core" in one.cmdline()]


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    found = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return found


@pytest.fixture(scope="module")
def proxy(request: pytest.FixtureRequest) -> str:
    """The hub's proxy: installed already, or from npm, kept for the next run."""
    installed = shutil.which(PROXY)
    if installed:
        return installed
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("there is no node and no npm for the proxy of JupyterHub")
    folder = request.config.cache.mkdir("hub-proxy")
    found = folder / "node_modules" / ".bin" / PROXY
    if not found.exists():
        command = ["npm", "install", "--no-fund", "--no-audit", "--prefix", str(folder), PROXY]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            pytest.skip(f"npm cannot install {PROXY}: {done.stderr.splitlines()[-1:]}")
    return str(found)


@pytest.fixture(scope="module")
def hub(proxy: str, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("hub")
    port, own, api = free_ports(3)
    path = os.pathsep.join([str(ROOT), str(ROOT / "dashboard")])
    shown = (ROOT / "docs" / "jupyterhub.md").read_text(encoding="utf-8")
    more = _ONLY_HERE.format(
        port=port, hub=own, api=api, proxy=[proxy], password=PASSWORD, path=path, python=sys.executable
    )
    configuration = folder / "jupyterhub_config.py"
    configuration.write_text(re.search(r"```python\n(.*?)```", shown, re.S)[1] + more)
    written = folder / "hub.log"
    with written.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterhub", "-f", str(configuration)],
            cwd=folder,
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONPATH": path},
        )
    found = Hub(f"http://127.0.0.1:{port}", process, written)
    try:
        wait_for(lambda: "JupyterHub is now running" in found.log or process.poll() is not None, "the hub")
        assert process.poll() is None, found.log
        yield found
    finally:
        below = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.terminate()
        process.wait(60)
        _, left = psutil.wait_procs(below, timeout=20)
        assert left == []


def log_in(browser: Browser, hub: Hub, name: str, query: str = "") -> Page:
    """Opens somebody's dashboard in a browser of their own; the hub asks for the password first."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{hub.address}/hub/login")
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("[type=submit]")
    page.wait_for_url(f"{hub.address}/user/{name}/**")
    opened(page)
    if query:
        page.goto(f"{hub.address}/user/{name}/{query}")
        opened(page)
    return page


@pytest.mark.long
def test_two_users_have_a_server_each_and_see_nothing_of_each_other(browser, hub):
    asked: list[str] = []
    alice = log_in(browser, hub, "alice")
    alice.context.on("request", lambda request: asked.append(urlsplit(request.url).path))
    alice.on("websocket", lambda one: asked.append(urlsplit(one.url).path))
    alice.goto(f"{hub.address}/user/alice/?tab=table")
    opened(alice)
    choose_file(alice, [{"name": f"{CANARY}.csv", "mimeType": "text/csv", "buffer": ROWS.encode()}])
    wait_for(lambda: "210 rows" in alice.locator(".insanonym-data").inner_text(), "the upload")
    bob = log_in(browser, hub, "bob", "?tab=table")
    assert CANARY not in bob.content()

    # Prefix: nothing is asked for outside of it, the web socket neither.
    assert len(asked) > 50
    assert any(path.endswith("/channels") for path in asked)
    ours = ("/user/alice/", "/hub/", "http:")  # the last are blobs, made by the page itself
    outside = [path for path in asked if not path.startswith(ours)]
    assert outside == []

    # Isolation: neither the page, nor a kernel, nor its channels.
    kernel = alice.evaluate("() => window.jupyterapp.widgetManager.kernel.id")
    places = ("", f"api/kernels/{kernel}", f"api/kernels/{kernel}/channels", "insanonym/plotly.min.js")
    statuses = [bob.request.get(f"{hub.address}/user/alice/{one}").status for one in places]
    assert set(statuses) == {403}, statuses
    stranger = browser.new_context()
    sent_to = stranger.request.get(f"{hub.address}/user/alice/").url
    assert sent_to.startswith(f"{hub.address}/hub/login")
    stranger.close()

    # The hub's token is in no kernel.
    servers = hub.servers()
    assert len(servers) == 2
    below = [one for server in servers for one in server.children(recursive=True)]
    assert below
    assert not [one for one in below if "JUPYTERHUB_API_TOKEN" in one.environ()]

    # Logout: the server ends, and what it held; the page is behind the login again.
    alice.goto(f"{hub.address}/hub/logout")
    wait_for(lambda: len(hub.servers()) == 1, "the end of the server of alice")
    alice.goto(f"{hub.address}/user/alice/")
    assert "/hub/login" in alice.url
    assert bob.request.get(f"{hub.address}/user/bob/insanonym/plotly.min.js").status == 200
    assert CANARY not in hub.log
    assert not re.search("Traceback", hub.log)
    for page in (alice, bob):
        page.context.close()
