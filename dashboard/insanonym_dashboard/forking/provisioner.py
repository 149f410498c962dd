"""The plug-in of jupyter_client by which the dashboard's kernels are forked (kernel.json names it)."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from insanonym_dashboard.forking.client import FORKS, ForkError, can_fork

_ORDINARY = ["-m", "ipykernel_launcher"]


class ForkedProvisioner(LocalProvisioner):
    """Asks the parent process for a kernel; starts an ordinary one where there is none to be had.

    All that comes after (ports, signals to the group, interrupt, shutdown, restart) is that of the local
    provisioner: a forked child has the methods of `Popen` that it uses.
    """

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Fork the kernel; its command is not run, only its arguments are used."""
        if not can_fork() or cmd[1:3] != _ORDINARY:
            return await self._ordinary(cmd, **kwargs)
        environment = {name: str(value) for name, value in kwargs.get("env", os.environ).items()}
        folder = kwargs.get("cwd")
        asked = {
            "kernel_id": self.kernel_id or "",
            "arguments": cmd[3:],
            "env": environment,
            "cwd": str(folder) if folder else "",
        }
        try:
            child = await asyncio.to_thread(FORKS.child, asked)
        except (ForkError, RuntimeError) as error:  # RuntimeError: no thread can be had either
            FORKS.refused(error)
            return await self._ordinary(cmd, **kwargs)
        self.process = child  # type: ignore[assignment]
        self.pid = self.pgid = child.pid
        self.cwd = folder
        return self.connection_info

    async def _ordinary(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start Python anew for it."""
        try:
            return await super().launch_kernel(cmd, **kwargs)
        except OSError as error:
            raise FORKS.no_process(error) from error
