"""A full room or an old laptop: what is late is waited for."""

from __future__ import annotations

from playwright.sync_api import Browser, WebSocket

from tests.browser_dashboard.serving import notebook, running

LATE = """
import time
import comm
import ipywidgets
from ipywidgets.widgets import widget

def late(*opened):
    time.sleep(5)
    widget.Widget.handle_control_comm_opened(*opened)

comm.get_comm_manager().register_target("jupyter.widget.control", late)
ipywidgets.IntSlider()
"""


def test_a_slow_kernel_is_waited_for(browser: Browser, tmp_path):
    """After four seconds ipywidgets would ask for one by one, and wait for ever for one that is gone."""
    page = browser.new_context().new_page()
    asked: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda sent: asked.append(sent if isinstance(sent, bytes) else sent.encode()))

    page.on("websocket", listen)
    with running(tmp_path, notebook=notebook(tmp_path, LATE), pool=0) as server:
        page.goto(server.address)
        page.wait_for_selector("[role=slider]")
    page.context.close()
    assert any(b"request_states" in sent for sent in asked)
    assert not any(b"comm_info_request" in sent for sent in asked)
