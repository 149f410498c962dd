"""What the dashboard needs of voilà beyond its documented options. No other module imports voilà.

These parts may move with any release, so pyproject.toml bounds voilà's version and
`tests/browser_dashboard/test_voila_parts.py` checks each of them. After an upgrade that moves one, change
this module only.

- `Voila.data_dir`: where the themes are. voilà takes the first folder that exists, which is our template's.
- `Voila.init_handlers`: all addresses, as (pattern, handler[, arguments]). Some are replaced or left out. The
  handlers are `TornadoVoilaHandler`, `VoilaKernelWebsocketHandler`, `TemplateStaticFileHandler` and
  `RequestInfoSocketHandler`.
- `Voila.server_url`: what every address begins with.
- `Voila.listen`, called last by `Voila.start`: binds a port of its own, and we have a socket. What it reads
  and sets: `Voila.app`, `Voila.port`, `Voila.ioloop`.
- `Voila._handle_signal_stop`: stops `ioloop` on SIGTERM; used for Ctrl-C too.
- `Voila.stop`: loses the kernels that are only just starting.
- `Voila.connection_dir`: a folder whose path is on the command line of every kernel of this server.
- `Voila.kernel_manager`, `VoilaKernelManager.notebook_data`, `Voila.voila_configuration`: with kernels kept
  warm (`preheat_kernel`), the second is not empty once a first one has started.
- `VoilaHandler.get_generator`: takes a page's kernel from `self.kernel_manager`, by `get_rendered_notebook`
  (whose result ends with the kernel's id) or by `start_kernel`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import traitlets
from jupyter_core.paths import jupyter_path
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.routing import Router
from voila.app import Voila
from voila.request_info_handler import RequestInfoSocketHandler
from voila.static_file_handler import TemplateStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

__all__ = [
    "RequestInfoSocketHandler",
    "TemplateStaticFileHandler",
    "TornadoVoilaHandler",
    "VoilaKernelWebsocketHandler",
    "VoilaPageHandler",
    "VoilaServer",
]


class VoilaServer(Voila):  # type: ignore[misc]
    """voilà's server on a socket that is bound already. Subclasses override the three methods that follow."""

    listening = traitlets.Instance(socket.socket)
    max_body_bytes = traitlets.Int(help="Of a request; web-socket messages have a limit of their own.")

    def routes(self, prefix: str, theirs: list[Any]) -> list[Any]:
        """Routes to serve, which begin with `prefix`; `theirs` are voilà's."""
        return theirs

    def router(self, application: Router) -> Router:
        """The outermost router of requests; `application` is voilà's."""
        return application

    async def started(self) -> None:
        """Called once requests are answered."""

    async def wait_for_kernel(self) -> None:
        """Wait until a first warm kernel is ready; return at once if none is kept warm."""
        while self.voila_configuration.preheat_kernel and not self.kernel_manager.notebook_data:
            await asyncio.sleep(0.1)

    # --- overridden parts of voilà ------------------------------------------------------------------

    @property
    def data_dir(self) -> str:
        """The first folder of voilà's that has themes: ours, which comes before, has none."""
        folders = [Path(folder) for folder in jupyter_path("voila")]
        return str(next((folder for folder in folders if (folder / "themes").is_dir()), folders[-1]))

    def init_handlers(self) -> list[Any]:
        """All addresses."""
        return self.routes(self.server_url, super().init_handlers())

    def listen(self) -> None:
        """Serve until a signal stops the loop."""
        self.port = self.listening.getsockname()[1]
        server = HTTPServer(self.router(self.app), max_body_size=self.max_body_bytes)
        server.add_sockets([self.listening])
        self.ioloop = IOLoop.current()
        self.ioloop.add_callback(self.started)
        signal.signal(signal.SIGINT, self._handle_signal_stop)  # as voilà does for SIGTERM
        try:
            self.ioloop.start()
        finally:
            self.stop()

    def stop(self) -> None:
        """End all kernels, also those that are only just starting."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # tasks that are pending now do not matter
        for kernel in psutil.Process().children():
            with suppress(psutil.Error, OSError):
                if any(self.connection_dir in word for word in kernel.cmdline()):
                    _end(kernel)
        shutil.rmtree(self.connection_dir, ignore_errors=True)


def _end(kernel: psutil.Process) -> None:
    """End a kernel and all processes of its process group, which it leads."""
    if hasattr(os, "killpg"):
        os.killpg(kernel.pid, signal.SIGKILL)
    else:
        kernel.kill()
    kernel.wait(10)


class VoilaPageHandler(TornadoVoilaHandler):  # type: ignore[misc]
    """voilà's page. Subclasses are told which kernel it takes."""

    def kernel_taken(self, kernel_id: str) -> None:
        """Called as soon as the kernel of the page is known."""

    @property
    def kernels(self) -> Any:
        """The kernels of the server."""
        return super().kernel_manager

    @property
    def kernel_manager(self) -> Any:
        """The kernel manager from which voilà takes the kernel of the page."""
        return _Reporting(self.kernels, self.kernel_taken)


class _Reporting:
    """A kernel manager that reports the id of each kernel it gives out."""

    def __init__(self, manager: Any, report: Callable[[str], None]) -> None:
        self._manager, self._report = manager, report

    def __getattr__(self, name: str) -> Any:
        return getattr(self._manager, name)

    async def get_rendered_notebook(self, **asked: Any) -> Any:
        found = await self._manager.get_rendered_notebook(**asked)
        self._report(found[-1])
        return found

    async def start_kernel(self, **asked: Any) -> Any:
        kernel_id = await self._manager.start_kernel(**asked)
        self._report(kernel_id)
        return kernel_id
