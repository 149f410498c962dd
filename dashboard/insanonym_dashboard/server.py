"""serve: the dashboard as a page of this machine, through voilà; nobody else is asked for anything."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import os
import shutil
import signal
import socket
import webbrowser
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil
import typer

from insanonym_core.errors import UsageError
from insanonym_core.texts import LANGUAGES, say
from insanonym_dashboard.served import LANG, SERVED

PORT = 8866
HERE_ONLY, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104  the second only behind the door of sharing.py
UPLOAD_BYTES = 200 * 1024**2  # of one message, and a file is one
POOL = 2  # kernels that wait for a page, about 90 MB each
LOOK_SECONDS = 15  # how often we look for kernels whose page is gone
# A kernel with every tab open holds 280 MB of its own instead of 325, and is no slower: Arrow's own pool and
# glibc's arenas keep what was once used. (Smaller thresholds give more back, and a move takes twice as long.)
LEAN = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_TRIM_THRESHOLD_": "8388608",
    "MALLOC_MMAP_THRESHOLD_": "4194304",
}
START_SECONDS = 120  # for one step of a kernel's start, in a full room
REFILL_SECONDS = 5.0  # a page is up by then: its kernel and the next would share the cores

HERE = Path(__file__).parent
APP = HERE / "app.ipynb"
TEMPLATE = "insanonym"
_SHARE = HERE / "share" / "jupyter"
_WIDGETS = (
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
    "jupyter-leaflet",
)


def serve(
    port: int | None = None,
    lang: str = "en",
    open_browser: bool = True,
    host: str | None = None,
    *,
    share: bool = False,
    sessions: int | None = None,
    pool: int = POOL,
    away: float | None = None,
    notebook: Path | str = APP,
) -> None:
    """Serve the dashboard until Ctrl-C or SIGTERM; then its kernels end with it.

    `port`: 8866, or any free one when that is taken, unless it is given. `share`: for other machines too,
    behind a token. `sessions`: pages open at a time; without it what half of the memory holds. `pool`:
    kernels kept warm. `away`: seconds after which a page that is gone is not waited for. `notebook`: another
    page than the dashboard, for tests and benchmarks.
    """
    if lang not in LANGUAGES:
        raise UsageError(f"The dashboard speaks {' and '.join(LANGUAGES)}, got {lang!r}.")
    if sessions is not None and sessions < 1:
        raise UsageError(f"--sessions is how many pages may be open at a time, 1 or more, got {sessions}.")
    host = host or (EVERYWHERE if share else HERE_ONLY)
    listening = _bound(host, port, share)
    try:
        made = _server(listening, Path(notebook), lang, open_browser, pool, share, sessions, away)
    except BaseException:
        listening.close()
        raise
    made.start()


def _bound(host: str, port: int | None, share: bool) -> socket.socket:
    """A socket of ours from now on: whoever comes later finds the port taken, not we."""
    if port is None:
        try:
            return _bound(host, PORT, share)
        except UsageError:
            return _bound(host, 0, share)
    if not 0 <= port <= 65535:
        raise UsageError(f"A port is a number from 0 to 65535, got {port}.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        if not share and not ipaddress.ip_address(address[0]).is_loopback:
            raise UsageError(
                f"Other machines could reach the dashboard at {host}: add --share, which lets in whoever has "
                "its link and nobody else, or leave --host away."
            )
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f"The address {host!r} is not one of this machine ({error.strerror}).") from error
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                f"Port {port} is taken, perhaps by a dashboard that is still open: choose another with "
                "--port, or leave --port away and a free one is found."
            ) from error
        raise UsageError(f"Port {port} of {host} cannot be used here ({error.strerror}).") from error
    return listening


def _end(kernel: psutil.Process) -> None:
    """A kernel leads a group of its own: with it ends what it started."""
    if hasattr(os, "killpg"):
        os.killpg(kernel.pid, signal.SIGKILL)
    else:
        kernel.kill()
    kernel.wait(10)


def _server(
    listening: socket.socket,
    notebook: Path,
    lang: str,
    open_browser: bool,
    pool: int,
    share: bool,
    sessions: int | None,
    away: float | None,
) -> Any:
    """voilà, told everything; what somebody configured for their own voilà is not read."""
    os.environ[SERVED] = "1"
    os.environ[LANG] = lang
    for name, value in LEAN.items():
        os.environ.setdefault(name, value)
    # Our template, and a kernel that is this very Python whatever kernels somebody has installed.
    paths = [str(_SHARE), *filter(None, os.environ.get("JUPYTER_PATH", "").split(os.pathsep))]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(dict.fromkeys(paths))
    try:
        from tornado.httpserver import HTTPServer
        from tornado.ioloop import IOLoop
        from traitlets.config import Config
        from voila.app import Voila

        from insanonym_dashboard import notices, sharing
        from insanonym_dashboard.gate import MAX_BODY_BYTES, Gate, PlainPaths
        from insanonym_dashboard.handlers import handlers
        from insanonym_dashboard.sessions import AWAY_SECONDS, IDLE_MINUTES, Sessions, default_limit
    except ImportError as error:
        raise UsageError(
            f"The dashboard needs the package {(error.name or 'voila').partition('.')[0]}, which is not "
            "installed here: install insanonym with pip, which brings it along."
        ) from error

    host, port = listening.getsockname()[:2]
    token = sharing.new_token() if share else ""
    links = [sharing.link(one, port, token) for one in sharing.addresses(host)]

    class Server(Voila):  # type: ignore[misc]
        """voilà on our socket, with plotly.js at an address of its own."""

        @property
        def data_dir(self) -> str:
            # The first folder that a page's themes are in: ours, which comes before, has none.
            from jupyter_core.paths import jupyter_path

            folders = [Path(folder) for folder in jupyter_path("voila")]
            return str(next((folder for folder in folders if (folder / "themes").is_dir()), folders[-1]))

        def init_handlers(self) -> list[Any]:
            return handlers(self.server_url, super().init_handlers())

        def listen(self) -> None:
            inside = PlainPaths(self.app, lang)
            behind = sharing.Door(inside, token, port, lang) if share else inside
            gate = Gate(behind, lang, any_host=share)
            HTTPServer(gate, max_body_size=MAX_BODY_BYTES).add_sockets([listening])
            self.port = port
            self.ioloop = IOLoop.current()
            self.ioloop.add_callback(self._announce)
            signal.signal(signal.SIGINT, self._handle_signal_stop)  # as voilà does for SIGTERM
            try:
                self.ioloop.start()
            finally:
                self.stop()

        async def _announce(self) -> None:
            for link in links:
                typer.echo(say(notices.ADDRESS, lang, address=link))
            if share:
                typer.echo(say(notices.SHARED, lang))
            if open_browser:
                while pool and not self.kernel_manager.notebook_data:  # a first kernel is on its way
                    await asyncio.sleep(0.1)
                self.ioloop.run_in_executor(None, webbrowser.open, links[0])

        def stop(self) -> None:
            # Not through voilà, which loses the kernels that are only just starting.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # it was about to do more: so what
            for kernel in psutil.Process().children():
                with suppress(psutil.Error, OSError):
                    if any(self.connection_dir in word for word in kernel.cmdline()):
                        _end(kernel)
            shutil.rmtree(self.connection_dir, ignore_errors=True)

    # Jupyter counts its pings in milliseconds and tornado in seconds, and says so for every page.
    logging.getLogger("tornado.general").setLevel(logging.ERROR)
    settings: dict[str, Any] = {
        "websocket_max_message_size": UPLOAD_BYTES,
        "xsrf_cookie_kwargs": {"samesite": "Strict"},
        "insanonym_lang": lang,
    }
    if not share:
        # Another site's page, whose name was made to point here, is refused; at the door it has no cookie.
        settings |= {"allow_remote_access": False, "local_hostnames": ["localhost"]}
    texts = notices.shell_texts(lang)
    away = AWAY_SECONDS if away is None else away
    Server.clear_instance()
    server = Server.instance(
        config=Config(
            {
                "Voila": {
                    "config_file_paths": [],
                    "notebook_path": str(notebook),
                    "ip": host,
                    "port": port,
                    "open_browser": False,
                    "log_level": logging.ERROR,
                    "tornado_settings": settings,
                },
                "VoilaConfiguration": {
                    "template": TEMPLATE,
                    "allow_template_override": "NO",
                    "allow_theme_override": "NO",
                    "file_allowlist": [],
                    "show_tracebacks": False,
                    "preheat_kernel": pool > 0,
                    "default_pool_size": pool,
                    "extension_allowlist": list(_WIDGETS),
                    "resources": {"insanonym": {"plotly": version("plotly"), **texts}},
                    "multi_kernel_manager_class": Sessions,
                },
                "VoilaExporter": {"language_code": lang},
                "VoilaExecutor": {
                    "cell_error_instruction": texts["failed"],
                    "cell_timeout_instruction": texts["failed"],
                    # A busy machine may deliver what the page shows later than the 4 s that voilà waits by
                    # itself; it would then serve a page with nothing on it, and nobody would know.
                    "iopub_timeout": START_SECONDS,
                    "raise_on_iopub_timeout": True,
                    "startup_timeout": START_SECONDS,
                },
                "VoilaKernelManager": {"fill_delay": REFILL_SECONDS},
                "Sessions": {
                    "limit": default_limit() if sessions is None else sessions,
                    "away_seconds": away,
                    "cull_idle_timeout": IDLE_MINUTES * 60,
                    "cull_interval": max(1, min(LOOK_SECONDS, int(away))),
                },
                # A kernel that died is not started again: it would know nothing of its page, which says so.
                "KernelRestarter": {"restart_limit": 0},
            }
        )
    )
    server.initialize([])
    return server
