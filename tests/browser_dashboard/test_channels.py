"""The web socket of a page, on both of Jupyter's protocols."""

from __future__ import annotations

import json

import pytest
from jupyter_server.services.kernels.connection.base import serialize_binary_message, serialize_msg_to_ws_v1

from insanonym_dashboard.channels import is_source
from tests.browser_dashboard.serving import Running, opened

_LISTEN = """() => new Promise((opened, failed) => {
  const { baseUrl, kernelId } = JSON.parse(document.getElementById("jupyter-config-data").textContent);
  const socket = new WebSocket(`ws://${location.host}${baseUrl}api/kernels/${kernelId}/channels`);
  window.heard = { text: 0, binary: 0, source: false };
  socket.onmessage = ({ data }) => {
    window.heard[typeof data === "string" ? "text" : "binary"] += 1;
    if (typeof data === "string" && data.includes("execute_input")) window.heard.source = true;
  };
  socket.onopen = () => opened(socket.protocol);
  socket.onerror = failed;
})"""


def message(kind: str, content: str = "x = 1") -> dict:
    header = {"msg_id": "1", "msg_type": kind}
    return {
        "header": header,
        "parent_header": {},
        "metadata": {},
        "content": {"code": content},
        "buffers": [],
    }


@pytest.mark.parametrize("kind", ["execute_input", "comm_msg"])
def test_only_the_source_is_kept_back_on_both_protocols(kind):
    told = message(kind)
    newer = serialize_msg_to_ws_v1(told, "iopub", lambda part: json.dumps(part).encode())
    assert is_source(newer, newer=True) is (kind == "execute_input")
    for older in (told, json.dumps(told)):
        assert is_source(older, newer=False) is (kind == "execute_input")


def test_a_widget_that_speaks_of_the_source_is_heard():
    assert not is_source(json.dumps(message("comm_msg", "execute_input")), newer=False)


def test_attachments_of_the_older_protocol_are_not_counted_as_parts_of_the_newer():
    told = message("comm_msg") | {"buffers": [b"x" * 100] * 3}
    assert not is_source(serialize_binary_message(told), newer=False)


def test_a_page_that_came_back_with_the_older_protocol_is_served(watch, shell: Running):
    page = watch(shell.address).page
    opened(page)
    assert page.evaluate(_LISTEN) == ""
    page.locator("[role=slider]").first.press("ArrowRight")  # a figure travels as an attachment
    page.wait_for_function("() => window.heard.binary > 0 && window.heard.text > 0")
    assert page.evaluate("() => window.heard.source") is False
    assert page.request.get(shell.address + "insanonym/plotly.min.js").ok
