"""Server: voilà with the dashboard's addresses, checks and options; voilà's private parts: voila_adapter."""

from __future__ import annotations

import asyncio
import logging
import socket
import webbrowser
from importlib.metadata import version
from pathlib import Path
from typing import Any

import traitlets
import typer
from tornado.routing import Router
from traitlets.config import Config

from insanonym_core.texts import say
from insanonym_dashboard import notices, sharing
from insanonym_dashboard.forking.client import FORKS, is_news
from insanonym_dashboard.gate import MAX_BODY_BYTES, Gate, PlainPaths
from insanonym_dashboard.handlers import handlers
from insanonym_dashboard.hub import Hub, HubGate
from insanonym_dashboard.sessions import AWAY_SECONDS, IDLE_MINUTES, Sessions, default_limit
from insanonym_dashboard.voila_adapter import VoilaServer

UPLOAD_BYTES = 200 * 1024**2  # of one message, and a file is one
LOOK_SECONDS = 15  # how often we look for kernels whose page is gone
START_SECONDS = 120  # for one step of a kernel's start, in a full room
REFILL_SECONDS = 5.0  # a page is up by then: its kernel and the next would share the cores
TEMPLATE = "insanonym"
_WIDGETS = (
    "@voila-dashboards/widgets-manager8",
    "@jupyter-widgets/jupyterlab-manager",
    "anywidget",
)


class Server(VoilaServer):
    """The dashboard's server. `make_server` makes it, with voilà's options."""

    language = traitlets.Unicode("en")
    share_token = traitlets.Unicode("", help="Empty when the server is not shared.")
    hub = traitlets.Instance(Hub, allow_none=True, help="The JupyterHub that started the server.")
    links = traitlets.List(traitlets.Unicode(), help="Its addresses, to be printed; the first is opened.")
    opens_browser = traitlets.Bool(False)

    def routes(self, prefix: str, theirs: list[Any]) -> list[Any]:
        """The routes of voilà that are used, and ours."""
        return handlers(prefix, theirs)

    def router(self, application: Router) -> Router:
        """The checks of each request: other sites, then the token when shared, then odd paths."""
        checked: Router = PlainPaths(application, self.language)
        if self.hub is not None:
            checked = HubGate(checked, self.hub, self.language)
        elif self.share_token:
            checked = sharing.TokenGate(checked, self.share_token, self.port, self.language)
        return Gate(checked, self.language, any_host=bool(self.share_token or self.hub))

    async def started(self) -> None:
        """Print the addresses and open the browser."""
        for link in self.links:
            typer.echo(say(notices.ADDRESS, self.language, address=link))
        if self.share_token:
            typer.echo(say(notices.SHARED, self.language))
        if self.opens_browser:
            await self.wait_for_kernel()
            await asyncio.to_thread(FORKS.is_warm)
            self.ioloop.run_in_executor(None, webbrowser.open, self.links[0])

    def stop(self) -> None:
        """End all kernels, those that were forked too."""
        FORKS.stop()
        super().stop()


def make_server(
    listening: socket.socket,
    notebook: Path,
    *,
    lang: str,
    open_browser: bool,
    pool: int,
    share: bool,
    sessions: int | None,
    away: float | None,
    hub: Hub | None = None,
) -> Server:
    """A server that `start()` serves; what somebody configured for their own voilà is not read.

    The arguments are those of `server.serve`.
    """
    # Jupyter counts its pings in milliseconds and tornado in seconds, and says so for every page.
    logging.getLogger("tornado.general").setLevel(logging.ERROR)
    host, port = listening.getsockname()[:2]
    token = sharing.new_token() if share else ""
    Server.clear_instance()
    server: Server = Server.instance(
        config=_configuration(notebook, host, port, lang, pool, share, sessions, away, hub),
        listening=listening,
        max_body_bytes=MAX_BODY_BYTES,
        language=lang,
        share_token=token,
        hub=hub,
        links=[sharing.link(one, port, token, hub.prefix if hub else "/") for one in sharing.addresses(host)],
        opens_browser=open_browser,
    )
    server.log.addFilter(is_news)
    server.initialize([])
    return server


def _configuration(
    notebook: Path,
    host: str,
    port: int,
    lang: str,
    pool: int,
    share: bool,
    sessions: int | None,
    away: float | None,
    hub: Hub | None,
) -> Config:
    """The options of voilà, jupyter_server and jupyter_client, by the class that has them."""
    settings: dict[str, Any] = {
        "websocket_max_message_size": UPLOAD_BYTES,
        # A hub has a cookie of this name for its own pages.
        "xsrf_cookie_kwargs": {"samesite": "Strict", "path": hub.prefix if hub else "/"},
        "insanonym_lang": lang,
    }
    if not share and hub is None:
        # Another site's page, whose name was made to point here, is refused; it would have no cookie either.
        settings |= {"allow_remote_access": False, "local_hostnames": ["localhost"]}
    texts = notices.shell_texts(lang)
    away = AWAY_SECONDS if away is None else away
    return Config(
        {
            "Voila": {
                "config_file_paths": [],
                "notebook_path": str(notebook),
                "ip": host,
                "port": port,
                "open_browser": False,
                "base_url": hub.prefix if hub else "/",
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
