"""What the parts in `voila_parts` have to do; each check is given a server as voilà builds it."""

from __future__ import annotations

import asyncio
import inspect
import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from pkgutil import resolve_name
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

APP = "voila.app:Voila"
KERNELS = "jupyter_server.services.kernels.kernelmanager:AsyncMappingKernelManager"
ONE_KERNEL = "jupyter_server.services.kernels.kernelmanager:ServerKernelManager"
CONNECTION = "jupyter_server.services.kernels.connection.channels:ZMQChannelsWebsocketConnection"
SOCKET = "jupyter_server.services.kernels.websocket:KernelWebsocketHandler"


def in_loop(work: Callable[[], Any]) -> Any:
    """Call it inside an event loop of its own thread: Playwright's may run in this one."""
    found: list[Any] = []

    async def call() -> None:
        try:
            made = work()
            found.append(await made if inspect.isawaitable(made) else made)
        except Exception as error:  # for the caller's thread
            found.append(error)

    thread = threading.Thread(target=lambda: asyncio.run(call()))
    thread.start()
    thread.join()
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


# --- voilà ------------------------------------------------------------------------------------------


def handlers(server: Any) -> list[Any]:
    found: list[Any] = resolve_name(APP).init_handlers(server)
    return found


def is_registered(handler: str) -> Callable[[Any], object]:
    return lambda server: [one[1] for one in handlers(server)].count(resolve_name(handler)) == 1


def are_routes(server: Any) -> object:
    return all(
        isinstance(one, tuple) and len(one) in (2, 3) and isinstance(one[0], str) and isinstance(one[1], type)
        for one in handlers(server)
    )


def stops_the_loop(server: Any) -> object:
    fake = SimpleNamespace(log=Mock(), ioloop=Mock())
    resolve_name(APP)._handle_signal_stop(fake, 15, None)
    fake.ioloop.add_callback_from_signal.assert_called_once_with(fake.ioloop.stop)
    return True


def gives_folder_to_kernels(server: Any) -> object:
    return (
        Path(server.connection_dir).is_dir() and server.kernel_manager.connection_dir == server.connection_dir
    )


class _StopError(Exception):
    """A page is not made any further."""


class _Manager:
    """As many kernels as `pool` says; the page is not made once it has taken one."""

    def __init__(self, pool: int) -> None:
        self.pool = pool

    @property
    def notebook_data(self) -> Any:
        return SimpleNamespace(get=lambda *_: {"template": None, "theme": None})

    def get_pool_size(self, _: str) -> int:
        return self.pool

    async def get_rendered_notebook(self, **_: Any) -> Any:
        async def rendering() -> Any:
            for cell in ():
                yield cell

        made: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        made.set_result(([], rendering()))
        return made, [], "warm"

    async def start_kernel(self, **_: Any) -> str:
        return "new"

    def get_kernel(self, _: str) -> Any:
        raise _StopError


def page_reports(pool: int, kernel_id: str) -> Callable[[Any], object]:
    """Whether a page takes its kernel through `kernel_manager`, by the method that voila_adapter watches."""

    def holds(server: Any) -> object:
        from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

        from insanonym_dashboard.voila_adapter import TornadoVoilaHandler, VoilaPageHandler

        taken: list[str] = []

        class Page(VoilaPageHandler):
            kernels = _Manager(pool)

            def kernel_taken(self, kernel_id: str) -> None:
                taken.append(kernel_id)

        async def make() -> None:
            line = RequestStartLine("GET", "/", "HTTP/1.1")
            headers = HTTPHeaders({"Host": "localhost"})
            request = HTTPServerRequest(headers=headers, start_line=line, connection=Mock())
            request.protocol = "http"
            arguments = next(one[2] for one in handlers(server) if one[1] is TornadoVoilaHandler)
            try:
                async for _ in Page(server.app, request, **arguments).get_generator():
                    pass
            except _StopError:
                pass

        in_loop(make)
        return taken == [kernel_id]

    return holds


def themes_are_there(server: Any) -> object:
    return Path(server.themes_dir) == Path(server.data_dir) / "themes"


def _templates(server: Any) -> dict[str, str]:
    """What our template overrides or calls, and the text of the templates below it."""
    ours, *others = (Path(folder) for folder in server.template_paths if "templates" in folder)
    text = "".join(file.read_text() for folder in others if folder != ours for file in folder.glob("*.j2"))
    return {"ours": (ours / "index.html.j2").read_text(), "theirs": text}


def blocks_exist(server: Any) -> object:
    found = _templates(server)
    blocks = set(re.findall(r"{%-? block (\w+)", found["ours"]))
    return blocks and blocks <= set(re.findall(r"{%-? *block (\w+)", found["theirs"]))


def macros_exist(server: Any) -> object:
    found = _templates(server)
    macros = re.findall(r"{%-? from '[\w.]+' import (\w+)", found["ours"])
    return macros and all(f"macro {one}(" in found["theirs"] for one in macros)


# --- jupyter_server ---------------------------------------------------------------------------------


def calls(where: str, name: str) -> Callable[[Any], object]:
    return lambda _: name in resolve_name(where).__code__.co_names


def counts_connections(_: Any) -> object:
    made = resolve_name(KERNELS)()
    made._kernels["x"] = SimpleNamespace(
        kernel_name="", last_activity=datetime.now(UTC), execution_state="idle"
    )
    made._kernel_connections["x"] = 0
    counts = []
    for change in (lambda _: None, made.notify_connect, made.notify_disconnect):
        change("x")
        counts.append(made.kernel_model("x")["connections"])
    return counts == [0, 1, 0]


def is_trait(name: str, *, unset: bool) -> Callable[[Any], object]:
    """Of the kernels that the server starts; `unset`: without a value until a kernel has started."""

    def holds(server: Any) -> object:
        kernel = resolve_name(server.kernel_manager.kernel_manager_class)()
        return kernel.has_trait(name) and (not unset or not kernel.trait_has_value(name))

    return holds


def forgets_kernel(_: Any) -> object:
    handler: Any = Mock(connection=Mock())
    resolve_name(SOCKET).on_close(handler)
    return handler.connection is None


def forgets_page(_: Any) -> object:
    handler: Any = Mock(ws_connection=Mock())
    resolve_name("tornado.websocket:WebSocketHandler").close(handler)
    return handler.ws_connection is None


def is_set(name: str) -> Callable[[Any], object]:
    return lambda server: hasattr(server, name)


def always(_: Any) -> object:
    """For parts that only have to be there, with the same parameters."""
    return True
