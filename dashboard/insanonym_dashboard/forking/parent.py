"""The parent of the kernels: a program that imports everything once and forks a kernel for each page.

    python -m insanonym_dashboard.forking.parent DESCRIPTOR

DESCRIPTOR is its socket to the server. Nothing here starts a thread, an event loop or a zmq context, so that
a child begins with none. The parent ends with the server. A child outlives the parent, but not the server.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import logging
import os
import select
import signal
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from insanonym_core.runtime import turns
from insanonym_core.runtime.memory import give_back
from insanonym_dashboard.forking.messages import READY, receive, send

# As `ps` and `top` show them.
PARENT_NAME = "insanonym-forks"
KERNEL_PREFIX = "page-"  # and the beginning of the kernel's id
_NAME_LENGTH = 15  # bytes, all that Linux keeps
# What a kernel imports when its page is opened, or its first tab. A module that is missing here costs a page
# some time and memory, and nothing else.
_MODULES = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.zmqshell",
    "IPython.core.completer",
    "insanonym_dashboard.app",
    "insanonym_dashboard.panels",
    "numpy.random",
    "plotly.graph_objects",
    "sklearn.neighbors",
    "scipy.optimize",
)


def kernel_name(kernel_id: str) -> str:
    """What the process of a kernel is called."""
    return (KERNEL_PREFIX + kernel_id)[:_NAME_LENGTH]


class Parent:
    """Forks a child for each message of the server and tells it how the child ended."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._lifelines: dict[int, int] = {}
        """Process id of a child → our copy of its socket to the server."""
        self._woken, self._wakes = socket.socketpair()
        for one in (self._woken, self._wakes):
            one.setblocking(False)

    def serve(self) -> None:
        """Until the server is gone."""
        signal.signal(signal.SIGCHLD, lambda *_: None)  # not ignored: a signal has to wake us up
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        _call_process(PARENT_NAME)
        send(self._channel, {"threads": threading.active_count()})
        while True:
            readable, _, _ = select.select([self._channel, self._woken], [], [])
            if self._woken in readable:
                self._woken.recv(4096)
                self._reap()
            if self._channel in readable:
                asked, lifelines = receive(self._channel)
                if asked is None or not lifelines:
                    return
                self._fork(asked, lifelines[0])

    def _reap(self) -> None:
        """Write the exit codes of the children that have ended onto their sockets."""
        while self._lifelines:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            with socket.socket(fileno=self._lifelines.pop(pid)) as lifeline, suppress(OSError):
                lifeline.sendall(str(os.waitstatus_to_exitcode(status)).encode())

    def _fork(self, asked: dict[str, Any], lifeline: int) -> None:
        try:
            pid = os.fork()
        except OSError as error:
            os.close(lifeline)
            send(self._channel, {"refused": error.strerror})
            return
        if pid:
            self._lifelines[pid] = lifeline
            send(self._channel, {"pid": pid})
            return
        code = 1
        try:
            self._forget()
            code = _run_kernel(asked, socket.socket(fileno=lifeline))
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException as error:
            # The server starts an ordinary kernel instead; the log names the kind of error, no content.
            os.write(2, f"A forked kernel could not start ({type(error).__name__}).\n".encode())
        finally:
            os._exit(code)

    def _forget(self) -> None:
        """In a child: give back what belongs to the parent."""
        os.setsid()  # signals to a kernel reach the processes that it starts, and no other kernel
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for one in (self._channel, self._woken, self._wakes):
            one.close()
        for descriptor in self._lifelines.values():
            os.close(descriptor)  # each must end with its own child
        atexit._clear()


def _run_kernel(asked: dict[str, Any], lifeline: socket.socket) -> int:
    """Be an ordinary kernel of Jupyter until it is shut down; returns its exit code."""
    threading.Thread(target=_end_with_server, args=(lifeline,), name="lifeline", daemon=True).start()
    os.environ.clear()
    os.environ.update(asked["env"])
    if asked["cwd"]:
        os.chdir(asked["cwd"])
    _call_process(kernel_name(asked["kernel_id"]))
    _draw_anew()
    gc.enable()
    import ipywidgets
    from ipykernel.kernelapp import IPKernelApp

    app = IPKernelApp.instance()
    # 1 is its word for a parent that need not be watched: the lifeline does that.
    app.initialize(  # type: ignore[no-untyped-call]
        [*asked["arguments"], "--IPKernelApp.parent_handle=1"]
    )
    # It does this by itself when a kernel imports it; here it was imported before there was one.
    ipywidgets.load_ipython_extension(app.shell)
    lifeline.sendall(READY)
    try:
        app.start()  # type: ignore[no-untyped-call]
    finally:
        atexit._run_exitfuncs()
    return 0


def _draw_anew() -> None:
    """Give the global generators a seed of their own; `random` and `secrets` do that by themselves."""
    import numpy as np

    np.random.seed()  # noqa: NPY002  ours are all handed in; this is for libraries


def _call_process(name: str) -> None:
    with suppress(OSError):  # no such file outside Linux
        Path("/proc/self/comm").write_text(name)


def _end_with_server(lifeline: socket.socket) -> None:
    """The server never writes here: this ends when the server does, and with it everything we started."""
    with suppress(OSError):
        lifeline.recv(1)
    os.killpg(0, signal.SIGKILL)


def _import_everything() -> None:
    for name in _MODULES:
        module = importlib.import_module(name)
        for one in iter_modules(getattr(module, "__path__", None) or (), f"{name}."):
            if name.startswith("insanonym"):
                importlib.import_module(one.name)


def _make_demonstrations() -> None:
    """Score the first recipe of every kind once: what follows from demonstration data alone is kept with it.

    Not on macOS, whose linear algebra starts threads of the system that a child would wait for.
    """
    from insanonym_core.experiment import run
    from insanonym_core.kinds import all_kinds, kind_named
    from insanonym_core.presets import preset_recipe

    for name in all_kinds():
        recipe = preset_recipe(kind_named(name))
        if recipe.seed is not None and recipe.data is not None:  # nothing that a page could share is drawn
            run(recipe)


def main() -> None:
    """Get warm, then serve."""
    if sys.path[0] in ("", str(Path.cwd())):
        del sys.path[0]  # as an ordinary kernel does
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    logging.captureWarnings(True)
    try:
        _import_everything()
        if sys.platform == "linux":
            _make_demonstrations()
    except Exception as error:  # of a package from outside: pages say themselves what is wrong with it
        logging.getLogger("insanonym").warning("Kernels start without their data (%s).", type(error).__name__)
    logging.captureWarnings(False)
    turns.share()
    gc.collect()
    give_back()
    gc.disable()
    gc.freeze()  # a collection in a child would copy every page of memory that it only looks at
    Parent(channel).serve()


if __name__ == "__main__":
    main()
