"""Issue 17, number 9: a malformed web-socket message ends its own connection, and the server goes on."""

from __future__ import annotations

import json
import struct
import uuid
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jupyter_server.services.kernels.connection.base import (
    deserialize_binary_message,
    deserialize_msg_from_ws_v1,
    serialize_binary_message,
)
from playwright.sync_api import Browser, Page
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from insanonym_dashboard.messages import MAX_HEADER_BYTES, MAX_PARTS, is_well_formed
from tests.browser_dashboard.serving import SECONDS, Running, opened, wait_values
from tests.browser_dashboard.shell_page import PLOTS, heights
from tests.browser_dashboard.test_shell import slide

V1 = "v1.kernel.websocket.jupyter.org"


def message(**changes: object) -> dict:
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "kernel_info_request", "version": "5.3"}
    sections = {"header": header, "parent_header": {}, "metadata": {}, "content": {}}
    return {"channel": "shell", **sections, **changes}


def v1(told: dict | None = None, buffers: tuple[bytes, ...] = ()) -> bytes:
    """A message as a page writes it: the last offset is its end."""
    told = told or message()
    parts = [str(told["channel"]).encode()]
    parts += [json.dumps(told[name]).encode() for name in ("header", "parent_header", "metadata", "content")]
    return framed([*parts, *buffers])


def framed(parts: list[bytes]) -> bytes:
    places = [8 * (len(parts) + 2)]
    for part in parts:
        places.append(places[-1] + len(part))
    return struct.pack(f"<{len(places) + 1}Q", len(places), *places) + b"".join(parts)


# --- the check --------------------------------------------------------------------------------------


@pytest.mark.slow
@given(st.lists(st.binary(max_size=40), max_size=20))
def test_every_message_of_a_page_passes(buffers):
    assert is_well_formed(v1(buffers=tuple(buffers)), v1=True)
    assert is_well_formed(serialize_binary_message(message(buffers=buffers)), v1=False)
    assert is_well_formed(json.dumps(message(buffers=[])), v1=False)


def reads_v1(data: bytes) -> None:
    """What jupyter_server then does; it must neither fail nor grow."""
    channel, parts = deserialize_msg_from_ws_v1(data)
    assert channel
    assert len(parts) >= 4
    assert sum(map(len, parts)) <= len(data)
    assert json.loads(parts[0])["msg_type"]


def reads_binary(data: bytes) -> None:
    found = deserialize_binary_message(data)
    assert found["header"]["msg_type"]
    assert sum(map(len, found["buffers"])) <= len(data)


READERS = [(True, v1(buffers=(b"abc",)), reads_v1)]
READERS += [(False, serialize_binary_message(message(buffers=[b"abc"])), reads_binary)]


@pytest.mark.parametrize(("newer", "good", "read"), READERS, ids=["v1", "older"])
@given(data=st.data())
def test_whatever_passes_can_be_read(newer: bool, good: bytes, read: Callable[[bytes], None], data):
    """Random bytes, and good messages with a few bytes or integers replaced, cut or lengthened."""
    spoilt = bytearray(good)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(good) - 1))
        new = data.draw(st.binary(min_size=1, max_size=8))
        spoilt[at : at + len(new)] = new
    cut = data.draw(st.integers(0, len(spoilt)))
    for one in (bytes(spoilt), bytes(spoilt[:cut]), data.draw(st.binary(max_size=200))):
        if is_well_formed(one, v1=newer):
            read(one)


@given(st.one_of(st.binary(max_size=100), st.text(max_size=100)), st.booleans())
def test_random_data_never_raise(data, newer):
    assert is_well_formed(data, v1=newer) in (True, False)


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"\xff" * 7,
        b"\xff" * 8,
        b"\xff" * 7 + b"\x7f",
        (0).to_bytes(8, "little"),
        (6).to_bytes(8, "little"),
        struct.pack("<7Q", 6, *[2**63] * 6),
        struct.pack("<7Q", 6, 56, 55, 56, 56, 56, 56),
        struct.pack("<7Q", 6, *[0] * 6),
        framed([b"shell", b"{}"]),
        framed([b"shell", b"{}", b"{}", b"{}", b"{}"]),
        framed([b"\xff", *[b'{"msg_type": "x", "msg_id": "y"}'] * 4]),
        v1(message(channel="elsewhere")),
        v1(message(content=[])),
        v1(message(header={"msg_type": ["x"], "msg_id": "y"})),
        v1(message(header={"msg_type": "x" * MAX_HEADER_BYTES, "msg_id": "y"})),
        v1(buffers=(b"",) * MAX_PARTS),
        v1()[:-1],
        "text",
        json.dumps(message()),
    ],
)
def test_v1_refuses(bad):
    assert not is_well_formed(bad, v1=True)


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"\xff" * 4,
        b"\x7f\xff\xff\xff",
        b"\x00\x00\x00\x00",
        struct.pack("!2I", 1, 2**31),
        struct.pack("!3I", 2, 12, 4) + json.dumps(message()).encode(),
        struct.pack("!2I", 1, 8) + b"[]",
        "",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        "1" * 10_000,
        json.dumps(message(header=None)),
        json.dumps(message(header={"msg_type": 3, "msg_id": "y"})),
        json.dumps(message(channel=None)),
        json.dumps(message(buffers=[1])),
        json.dumps({"header": message()["header"], "channel": "shell"}),
    ],
)
def test_the_older_protocol_refuses(bad):
    assert not is_well_formed(bad, v1=False)


# --- a server ---------------------------------------------------------------------------------------


def socket_of(page: Page, server: Running, protocol: str | None) -> ClientConnection:
    kernel = page.evaluate("() => window.jupyterapp.widgetManager.kernel.id")
    address = server.address.replace("http", "ws", 1) + f"api/kernels/{kernel}/channels"
    return connect(address, subprotocols=[protocol] if protocol else None, open_timeout=SECONDS)


def close_code(socket: ClientConnection, sent: bytes | str) -> int:
    """The code with which the server ends a connection after a message."""
    socket.send(sent)
    with pytest.raises(ConnectionClosed) as ended:
        while True:
            socket.recv(timeout=SECONDS)
    assert ended.value.rcvd is not None
    return ended.value.rcvd.code


BAD = [
    (V1, b"\xff" * 7 + b"\x7f"),
    (V1, b"\xff" * 8),
    (V1, "text"),
    (V1, v1(message(header=[]))),
    (None, b"\x7f\xff\xff\xff"),
    (None, b""),
    (None, "[]"),
    (None, json.dumps(message(header={"msg_type": "comm_msg", "msg_id": "\ud800", "date": "2026-99-99T99"}))),
]


@pytest.fixture(scope="module")
def page(browser: Browser, server: Running) -> Iterator[Page]:
    """One page for all: each of them takes a kernel."""
    context = browser.new_context()
    found = context.new_page()
    found.set_default_timeout(SECONDS * 1000)
    found.goto(server.address)
    opened(found, PLOTS)
    yield found
    context.close()


@pytest.mark.parametrize(("protocol", "bad"), BAD)
def test_a_bad_message_ends_its_connection_and_nothing_else(page, server, protocol, bad):
    with socket_of(page, server, protocol) as socket:
        assert close_code(socket, bad) == 1007
    assert page.request.get(server.address + "insanonym/plotly.min.js").ok
    assert "Traceback" not in server.log


@pytest.mark.parametrize("protocol", [V1, None], ids=["v1", "older"])
def test_a_good_message_is_answered(page, server, protocol):
    told = message()
    with socket_of(page, server, protocol) as socket:
        socket.send(v1(told) if protocol else json.dumps(told))
        while True:  # until the kernel answers; recv fails after its time
            heard = socket.recv(timeout=SECONDS)
            heard = heard if isinstance(heard, bytes) else heard.encode()
            if b"kernel_info_reply" in heard and told["header"]["msg_id"].encode() in heard:
                break


def test_afterwards_the_page_still_works_and_another_one_opens(page, server):
    slide(page)
    wait_values(page.locator(".insanonym-plot").first, heights(11))
    other = page.context.new_page()
    other.goto(server.address)
    opened(other, PLOTS)
    assert "Traceback" not in server.log
