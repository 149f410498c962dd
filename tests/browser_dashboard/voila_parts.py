"""The undocumented parts of voilà and jupyter_server that the dashboard relies on, each with a check."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pkgutil import resolve_name
from typing import Any

from tests.browser_dashboard import voila_checks as checks
from tests.browser_dashboard.voila_checks import APP, CONNECTION, KERNELS, ONE_KERNEL, SOCKET

VOILA, JUPYTER = "voila_adapter.py", "jupyter_adapter.py"
TEMPLATE = "share/jupyter/voila/templates/insanonym/index.html.j2"
_REGISTERED = (
    "voila.tornado.handler:TornadoVoilaHandler",
    "voila.tornado.kernel_websocket_handler:VoilaKernelWebsocketHandler",
    "voila.static_file_handler:TemplateStaticFileHandler",
    "voila.request_info_handler:RequestInfoSocketHandler",
)


@dataclass(frozen=True)
class Part:
    """One part: where it is, what it is called, and which module of the dashboard relies on it.

    `holds` is given a server as voilà builds it. `on_class` is False for what only instances have.
    """

    where: str
    name: str
    holds: Callable[[Any], object]
    module: str = VOILA
    parameters: tuple[str, ...] | None = None
    on_class: bool = True

    def __str__(self) -> str:
        return f"{self.where.rpartition(':')[2]}.{self.name}"


def problem(part: Part, server: Any) -> str | None:
    """A sentence when a part is missing, is called otherwise or does something else; None if all is well."""
    package = part.where.partition(".")[0]
    try:
        found = _what_differs(part, server)
    except Exception as error:
        found = f"fails ({type(error).__name__}: {error})"
    if found is None:
        return None
    return (
        f"{part} {found} in {package} {version(package)}: change "
        f"dashboard/insanonym_dashboard/{part.module}, or the version's bound in pyproject.toml."
    )


def _what_differs(part: Part, server: Any) -> str | None:
    owner = resolve_name(part.where)
    if part.on_class and not hasattr(owner, part.name):
        return "is missing"
    if part.parameters is not None:
        given = tuple(inspect.signature(getattr(owner, part.name)).parameters)
        if given != ("self", *part.parameters):
            return f"takes {given}, not {('self', *part.parameters)},"
    return None if part.holds(server) else "does something else"


PARTS = (
    Part(APP, "data_dir", checks.themes_are_there),
    Part(APP, "init_handlers", checks.are_routes, parameters=()),
    *(Part(APP, "init_handlers", checks.is_registered(one), parameters=()) for one in _REGISTERED),
    Part(APP, "server_url", lambda server: server.server_url == "/"),
    Part(APP, "listen", lambda server: server.listened_with is server.app, parameters=()),
    Part(APP, "app", checks.is_set("app"), on_class=False),
    Part(APP, "port", checks.is_set("port")),
    Part(APP, "_handle_signal_stop", checks.stops_the_loop, parameters=("sig", "frame")),
    Part(APP, "stop", checks.always, parameters=()),
    Part(APP, "connection_dir", checks.gives_folder_to_kernels),
    Part(
        APP,
        "voila_configuration",
        lambda server: server.voila_configuration.preheat_kernel is True,
        on_class=False,
    ),
    Part(APP, "kernel_manager", lambda server: server.kernel_manager.notebook_data == {}, on_class=False),
    Part("voila.handler:VoilaHandler", "get_generator", checks.page_reports(1, "warm"), parameters=("path",)),
    Part("voila.handler:VoilaHandler", "get_generator", checks.page_reports(0, "new"), parameters=("path",)),
    Part(APP, "template_paths", checks.blocks_exist, TEMPLATE),
    Part(APP, "template_paths", checks.macros_exist, TEMPLATE),
    Part(
        APP,
        "tornado_settings",  # come after voilà's own, which let every host in
        lambda server: server.app.settings["allow_remote_access"] is False,
        "voila_server.py",
    ),
    Part(
        KERNELS,
        "notify_connect",
        checks.calls(f"{CONNECTION}.connect", "notify_connect"),
        JUPYTER,
        ("kernel_id",),
    ),
    Part(
        KERNELS,
        "notify_disconnect",
        checks.calls(f"{CONNECTION}.disconnect", "notify_disconnect"),
        JUPYTER,
        ("kernel_id",),
    ),
    Part(KERNELS, "kernel_model", checks.counts_connections, JUPYTER, ("kernel_id",)),
    Part(
        KERNELS,
        "cull_kernel_if_idle",
        checks.calls(f"{KERNELS}.cull_kernels", "cull_kernel_if_idle"),
        JUPYTER,
        ("kernel_id",),
    ),
    Part(
        KERNELS,
        "remove_kernel",
        checks.calls(f"{KERNELS}._handle_kernel_died", "remove_kernel"),
        JUPYTER,
        ("kernel_id",),
    ),
    Part(KERNELS, "shutdown_kernel", checks.always, JUPYTER, ("kernel_id", "now", "restart")),
    Part(ONE_KERNEL, "execution_state", checks.is_trait("execution_state", unset=False), JUPYTER),
    Part(ONE_KERNEL, "last_activity", checks.is_trait("last_activity", unset=True), JUPYTER),
    Part(
        SOCKET,
        "connection",
        checks.forgets_kernel,
        JUPYTER,
        on_class=False,
    ),
    Part("tornado.websocket:WebSocketHandler", "ws_connection", checks.forgets_page, JUPYTER, on_class=False),
)
