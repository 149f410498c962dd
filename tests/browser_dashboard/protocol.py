"""A page of the dashboard without a browser: it asks for what a page asks for, and says what a page says.

The server and its kernels cannot tell the difference: the same addresses, one web socket, the messages of
Jupyter's widgets. Nothing is drawn, so that thirty of them take no more of a machine than one browser.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode, urljoin

from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse
from tornado.simple_httpclient import SimpleAsyncHTTPClient
from tornado.websocket import WebSocketClientConnection, websocket_connect

PROTOCOL = "v1.kernel.websocket.jupyter.org"
PLOT, SHELL, STEPS = (
    f"insanonym_dashboard.{name}" for name in ("plot.Plot", "shell.Shell", "steps.StepRows")
)
TILE = "insanonym-tile-figure"
SIZE = {"width": 486, "height": 276}  # of a tile in a window of 1280 × 800
PATIENCE = 60.0  # seconds for an answer
_CONFIG = re.compile(r'id="jupyter-config-data"[^>]*>(.*?)</script>', re.S)
_VIEW = re.compile(r'"model_id":\s*"(\w+)"')
_MAX_BYTES = 500_000_000


class PageError(Exception):
    """The page cannot be used: it was refused, or its session has ended, or it does not answer."""


def http_client() -> AsyncHTTPClient:
    """Any number of requests at a time."""
    return SimpleAsyncHTTPClient(force_instance=True, max_clients=1000, max_body_size=_MAX_BYTES)


@dataclass
class ProtocolPage:
    """A page: `await open(...)`, then `await move()` as often as wanted, then `await close()`."""

    address: str
    lang: str = "en"
    headers: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    died: str = ""
    kernel: str = ""

    def __post_init__(self) -> None:
        self._client = http_client()
        self._cookies: dict[str, str] = {}
        self._socket: WebSocketClientConnection | None = None
        self._session = uuid.uuid4().hex
        self._views: list[str] = []
        self._sized: set[str] = set()
        self._waiting: list[tuple[Callable[[dict[str, Any], str], bool], asyncio.Future[None]]] = []
        self._reader: asyncio.Task[None] | None = None
        self._moves = 0

    # --- what somebody does -------------------------------------------------------------------------

    async def open(self, tab: str = "mobility", assets: list[str] | None = None, **asked: str) -> None:
        """Until the first figure of the tab is there; `assets` are paths that a browser asks for too."""
        await self.load(assets, tab=tab, lang=self.lang, **asked)
        first = self._until(lambda _, comm: comm == self.figure)
        self._update(self._named(SHELL), {"tab": tab, "preset": asked.get("preset", ""), "known": True})
        await self._answered(first, PATIENCE * 5)

    async def load(self, assets: list[str] | None = None, **asked: str) -> None:
        """Until the page is connected to its kernel, and has the widgets that it begins with."""
        query = urlencode(asked)
        answer = await self.get(f"?{query}", PATIENCE * 5)
        if answer.code != 200:
            raise PageError(f"status {answer.code}")
        text = answer.body.decode()
        found = _CONFIG.search(text)
        if found is None:
            raise PageError("the page has no configuration: it could not be made")
        self.kernel = json.loads(found[1])["kernelId"]
        self._views = _VIEW.findall(text)
        for path in assets or ():
            await self.get(path)
        await self._connect()

    async def move(self) -> float:
        """Three steps of a slider up, three steps down; the seconds until its figure comes."""
        rows = self._named(STEPS)
        key, values = self._slider()
        now = self.states[rows]["values"][key]
        if not self._moves:
            self._first = values.index(now)
        up = 1 if self._first + 3 < len(values) else -1
        way = (1, 2, 3, 2, 1, 0)[self._moves % 6]
        self._moves += 1
        chosen = dict(self.states[rows]["values"]) | {key: values[self._first + up * way]}
        self.states[rows]["values"] = chosen
        echoed = False

        def is_answer(data: dict[str, Any], comm: str) -> bool:
            nonlocal echoed
            echoed = echoed or (comm == rows and data["method"] == "echo_update")
            return echoed and comm == self.figure and ["figure"] in data.get("buffer_paths", [])

        answer = self._until(is_answer)
        began = time.perf_counter()
        self._update(rows, {"values": chosen})
        await self._answered(answer, PATIENCE)
        return time.perf_counter() - began

    async def close(self, *, silently: bool = False) -> None:
        """Say so to the server, as a page does; `silently`: like a laptop that is shut."""
        if self._socket is not None:
            self._socket.close()
            if not silently:
                body = urlencode({"_xsrf": self._cookies.get("_xsrf", "")})
                await self.get(f"voila/api/shutdown/{self.kernel}", method="POST", body=body)
        if self._reader is not None:
            self._reader.cancel()
        self._client.close()

    # --- the server ---------------------------------------------------------------------------------

    async def get(self, path: str, seconds: float = PATIENCE, **more: Any) -> HTTPResponse:
        """Ask for an address of the server; cookies are kept."""
        request = HTTPRequest(
            urljoin(self.address, path),
            headers=self._headers(),
            request_timeout=seconds,
            connect_timeout=seconds,
            **more,
        )
        answer = await self._client.fetch(request, raise_error=False)
        for one in answer.headers.get_list("Set-Cookie"):
            name, _, value = one.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer

    def _headers(self) -> dict[str, str]:
        held = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {**self.headers, "Sec-Fetch-Site": "same-origin", **({"Cookie": held} if held else {})}

    async def _connect(self) -> None:
        where = urljoin(self.address, f"api/kernels/{self.kernel}/channels?session_id={self._session}")
        request = HTTPRequest(
            where.replace("http", "ws", 1),
            headers=self._headers() | {"Origin": self.address.partition("?")[0].rstrip("/")},
            request_timeout=PATIENCE,
            connect_timeout=PATIENCE,
        )
        self._socket = await websocket_connect(request, subprotocols=[PROTOCOL], max_message_size=_MAX_BYTES)
        self._reader = asyncio.create_task(self._read())
        told = self._until(lambda data, _: data.get("method") == "update_states")
        self._say("kernel_info_request", {})
        control = uuid.uuid4().hex
        opening = {"comm_id": control, "target_name": "jupyter.widget.control", "data": {}}
        self._say("comm_open", opening, {"version": "1.0.0"})
        self._say("comm_msg", {"comm_id": control, "data": {"method": "request_states"}})
        await self._answered(told, PATIENCE * 2)
        for comm in list(self.states):  # so does the page of voilà
            self._say("comm_msg", {"comm_id": comm, "data": {"method": "request_state"}})

    async def _read(self) -> None:
        assert self._socket is not None
        while (message := await self._socket.read_message()) is not None:
            if isinstance(message, bytes):
                self._heard(*_parts(message))
        self.died = self.died or "the connection has ended"
        for _, waiting in self._waiting:
            if not waiting.done():
                waiting.set_exception(PageError(self.died))

    def _heard(self, kind: str, content: dict[str, Any]) -> None:
        said = str(content.get("evalue") or content.get("text"))
        # ipykernel says that of a comm which has been closed meanwhile, to browsers too.
        if kind in ("error", "stream") and "No such comm" not in said:
            self.errors.append(f"{kind}: {said[:200]}")
        if kind == "status" and content.get("execution_state") in ("dead", "restarting"):
            self.died = "This session has ended"
        if kind not in ("comm_open", "comm_msg"):
            return
        data, comm = content["data"], content["comm_id"]
        if data.get("method") == "update_states":
            self.states |= {name: one["state"] for name, one in data["states"].items()}
        elif data.get("state"):
            self.states.setdefault(comm, {}).update(data["state"])
        if "children" in data.get("state", {}):
            self._show()
        for one in [one for one in self._waiting if one[0](data, comm)]:
            self._waiting.remove(one)
            if not one[1].done():
                one[1].set_result(None)

    def _show(self) -> None:
        """Tell each figure that stands on the page now how large it is there."""
        for comm, _ in self._on_page():
            if self.states[comm].get("_anywidget_id") == PLOT and comm not in self._sized:
                self._sized.add(comm)
                self._update(comm, SIZE)

    def _say(self, kind: str, content: dict[str, Any], metadata: dict[str, Any] | None = None) -> None:
        header = {
            "msg_id": uuid.uuid4().hex,
            "msg_type": kind,
            "session": self._session,
            "username": "",
            "date": datetime.now(UTC).isoformat(),
            "version": "5.2",
        }
        parts = [b"shell", *(json.dumps(one).encode() for one in (header, {}, metadata or {}, content))]
        places = [8 * (len(parts) + 2)]
        for part in parts:
            places.append(places[-1] + len(part))
        head = [len(places), *places]
        if self._socket is None or self.died:
            raise PageError(self.died or "the page is not open")
        self._socket.write_message(b"".join([*(one.to_bytes(8, "little") for one in head), *parts]), True)

    def _update(self, comm: str, state: dict[str, Any]) -> None:
        data = {"method": "update", "state": state, "buffer_paths": []}
        self._say("comm_msg", {"comm_id": comm, "data": data})

    def _until(self, is_it: Callable[[dict[str, Any], str], bool]) -> asyncio.Future[None]:
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((is_it, waiting))
        return waiting

    async def _answered(self, waiting: asyncio.Future[None], seconds: float) -> None:
        try:
            await asyncio.wait_for(waiting, seconds)
        except TimeoutError:
            self.died = self.died or f"no answer within {seconds:g} s"
            raise PageError(self.died) from None

    # --- the widgets --------------------------------------------------------------------------------

    @property
    def figure(self) -> str:
        """The first figure in a tile of the page."""
        plots = (
            comm
            for comm, classes in self._on_page()
            if self.states[comm].get("_anywidget_id") == PLOT and TILE in classes
        )
        return next(plots, "")

    def html(self) -> str:
        """All texts that stand on the page."""
        return "\n".join(str(self.states[comm].get("value", "")) for comm, _ in self._on_page())

    def _named(self, widget: str) -> str:
        found = (comm for comm, _ in self._on_page() if self.states[comm].get("_anywidget_id") == widget)
        return next(found)

    def _on_page(self) -> Iterator[tuple[str, frozenset[str]]]:
        """The widgets of the page in their order, with their classes and those of what they stand in."""
        stack = [(view, frozenset[str]()) for view in reversed(self._views)]
        while stack:
            comm, outer = stack.pop()
            state = self.states.get(comm)
            if state is None:
                continue
            classes = outer | frozenset(state.get("_dom_classes") or ())
            yield comm, classes
            below = [one.removeprefix("IPY_MODEL_") for one in state.get("children") or ()]
            stack += [(one, classes) for one in reversed(below)]

    def _slider(self) -> tuple[str, list[Any]]:
        """The control that is moved: the radius of noise, else the first slider of the steps."""
        sliders = [
            (step, one)
            for step in self.states[self._named(STEPS)]["steps"]
            for one in step["parameters"]
            if one["type"] == "slider"
        ]
        noise = [(step, one) for step, one in sliders if step["method"] == "planar_laplace"]
        step, one = (noise or sliders)[0]
        return f"{step['id']}.{one['name']}", one["values"]


def _parts(message: bytes) -> tuple[str, dict[str, Any]]:
    """Type and content of a message."""
    count = int.from_bytes(message[:8], "little")
    places = [int.from_bytes(message[8 * n : 8 * n + 8], "little") for n in range(1, count + 1)]
    parts = [message[start:end] for start, end in pairwise(places[:6])]
    return json.loads(parts[1])["msg_type"], json.loads(parts[4])
