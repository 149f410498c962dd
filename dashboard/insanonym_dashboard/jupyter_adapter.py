"""What the dashboard needs of jupyter_server and its web sockets beyond what they document.

Apart from `voila_adapter`, because these parts move with other releases than voilà's and have a bound of
their own in pyproject.toml. `tests/browser_dashboard/test_voila_parts.py` checks them too.

- `AsyncMappingKernelManager.notify_connect`, `AsyncMappingKernelManager.notify_disconnect`: called when a
  page opens or closes its web socket.
- `AsyncMappingKernelManager.shutdown_kernel`: documented, but listed because voilà overrides it as well.
- `AsyncMappingKernelManager.cull_kernel_if_idle`: called for every kernel, each `cull_interval` seconds.
- `AsyncMappingKernelManager.remove_kernel`: called for a kernel that died.
- `AsyncMappingKernelManager.kernel_model`: its `connections` are the open web sockets of a kernel.
- `ServerKernelManager.execution_state`, `ServerKernelManager.last_activity`: the second has no value while a
  kernel is only just starting.
- `KernelWebsocketHandler.connection`: to the kernel; None once the web socket has been closed.
- `WebSocketHandler.ws_connection` (tornado): to the page; None once it has been closed. jupyter_server reads
  it too, so tornado needs no bound of ours.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

_Manager: Any = AsyncMappingKernelManager  # its methods have no types


class Kernels(_Manager):  # type: ignore[misc]
    """The kernels of a server. Subclasses override the three methods that follow."""

    def connection_changed(self, kernel_id: str) -> None:
        """Called when a page connects to its kernel or disconnects."""

    def kernel_gone(self, kernel_id: str) -> None:
        """Called when a kernel is about to end, or has died."""

    async def check_kernel(self, kernel_id: str) -> None:
        """Called for each kernel from time to time."""
        await self.end_if_idle(kernel_id)

    async def end_if_idle(self, kernel_id: str) -> None:
        """End a kernel that has no page and was idle for `cull_idle_timeout` seconds."""
        await super().cull_kernel_if_idle(kernel_id)

    def is_busy(self, kernel_id: str) -> bool:
        """Whether it computes."""
        return bool(self.get_kernel(kernel_id).execution_state == "busy")

    def is_connected(self, kernel_id: str) -> bool:
        """Whether a page is connected to it."""
        return bool(self.kernel_model(kernel_id)["connections"])

    def last_active(self, kernel_id: str) -> datetime:
        """Time of its last activity for a page."""
        found: datetime = self.get_kernel(kernel_id).last_activity
        return found

    # --- overridden parts of jupyter_server ---------------------------------------------------------

    def notify_connect(self, kernel_id: str) -> None:
        """A page connects."""
        super().notify_connect(kernel_id)
        self.connection_changed(kernel_id)

    def notify_disconnect(self, kernel_id: str) -> None:
        """A page disconnects, perhaps for a moment."""
        super().notify_disconnect(kernel_id)
        self.connection_changed(kernel_id)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """Check a kernel, unless it has ended meanwhile or is only just starting."""
        if kernel_id in self and self.get_kernel(kernel_id).trait_has_value("last_activity"):
            await self.check_kernel(kernel_id)

    async def shutdown_kernel(self, kernel_id: str, *others: Any, **values: Any) -> Any:
        """End a kernel."""
        self.kernel_gone(kernel_id)
        return await super().shutdown_kernel(kernel_id, *others, **values)

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel that died."""
        self.kernel_gone(kernel_id)
        return super().remove_kernel(kernel_id)


class KernelChannels(KernelWebsocketHandler):
    """The web socket between a page and its kernel."""

    @property
    def has_kernel(self) -> bool:
        """Whether it is still connected to the kernel."""
        return self.connection is not None

    @property
    def has_page(self) -> bool:
        """Whether it is still connected to the page."""
        return self.ws_connection is not None
