"""The server's side: the parent of its kernels is started here, and asked for a child."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from insanonym_core.texts import say
from insanonym_dashboard.forking.messages import READY, receive, send
from insanonym_dashboard.served import LANG

log = logging.getLogger("insanonym")
PARENT = "insanonym_dashboard.forking.parent"
OFF = "INSANONYM_NO_FORK"
"""Set to anything, every kernel is an ordinary one: for programs beside the dashboard that mind a fork."""
WARM_SECONDS = 120.0  # the parent imports everything: a second or two, more on a machine that is busy
FORK_SECONDS = 20.0  # a fork is done in hundredths of a second
START_SECONDS = 60.0  # a child listens after tenths of a second, in a full room later
ATTEMPTS = 3  # a parent that ended so often before a first child is not started again
_GONE = 1  # the exit code of a kernel whose parent could not tell it

NO_FORK = (
    "Each page of the dashboard starts Python anew here, which takes some seconds and 160 MB: processes are "
    "not forked on this system."
)
REFUSED = (
    "A page's process could not be forked ({reason}): it starts by itself, which takes some seconds more."
)
ENDED = "The process that pages are forked from has ended: it is started again, and open pages go on."


NO_PROCESS = (
    "No process could be started for a page ({reason}): allow this user more processes or memory, or fewer "
    "pages with --sessions."
)


class ForkError(Exception):
    """There is no child; the text says why, in a few words."""


class NoProcessError(Exception):
    """No kernel can be started at all; the log says so already."""


def is_news(record: logging.LogRecord) -> bool:
    """Filter of the server's log: leaves out what Jupyter says of a `NoProcessError`, by traceback."""
    return not (
        str(record.msg).startswith("Failed to run command:")
        or (record.exc_info and isinstance(record.exc_info[1], NoProcessError))
    )


class Child:
    """A forked kernel, with the methods of `subprocess.Popen` that jupyter_client uses."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int, lifeline: socket.socket) -> None:
        self.pid, self.returncode = pid, None
        self._lifeline, self._told = lifeline, b""
        self._lock = threading.Lock()
        lifeline.setblocking(False)

    returncode: int | None

    def poll(self) -> int | None:
        """Its exit code; None while it lives."""
        with self._lock:
            while self.returncode is None:
                try:
                    part = self._lifeline.recv(64)
                except BlockingIOError:
                    return None
                except OSError:
                    part = b""
                self._told += part
                if not part:
                    told = self._told.removeprefix(READY).decode()
                    self.returncode = int(told) if told else _GONE
                    self._lifeline.close()
            return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; returns its exit code."""
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            time.sleep(0.01)
        return code

    def wait_until_it_listens(self, seconds: float) -> None:
        """Raise a ForkError if it ends before that, or takes too long."""
        end = time.monotonic() + seconds
        while self.poll() is None and READY not in self._told:
            if time.monotonic() > end:
                self.kill_group()
                raise ForkError("it did not answer")
            time.sleep(0.01)
        if self.returncode is not None:
            raise ForkError(f"exit code {self.returncode}")

    def send_signal(self, number: int) -> None:
        """Send a signal to the kernel itself."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def kill_group(self) -> None:
        """End it and every process that it started."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)


class Forks:
    """The parent of a server's kernels, and its children."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # one child at a time: a request and its answer
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._is_warm = self._stopped = False
        self._attempts = 0
        self._told: set[str] = set()
        self.children: list[Child] = []

    @property
    def process_id(self) -> int | None:
        """Of the parent, while it lives."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        """Start the parent, so that it is warm when a first page is asked for; does not wait."""
        if not can_fork():
            self._tell(NO_FORK)
            return
        with self._lock:
            self._start()

    def _start(self) -> None:
        if self._stopped:
            raise ForkError("the dashboard stops")
        ours, theirs = socket.socketpair()
        with theirs:
            theirs.set_inheritable(True)
            try:
                self._process = subprocess.Popen(  # noqa: S603
                    [sys.executable, "-m", PARENT, str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C is for the server, which ends it
                )
            except OSError as error:
                ours.close()
                raise ForkError(error.strerror) from error
        self._channel, self._is_warm = ours, False
        self._attempts += 1

    def child(self, asked: dict[str, Any]) -> Child:
        """A kernel that listens. Raises a ForkError where there is none. Blocks for as long as that takes."""
        with self._lock:
            child = self._ask(asked)
        child.wait_until_it_listens(START_SECONDS)
        self._attempts = 0
        return child

    def _ask(self, asked: dict[str, Any]) -> Child:
        try:
            self._warm()
            return self._forked(asked)
        except (OSError, ForkError) as error:
            if self.process_id is not None and not isinstance(error, OSError):
                raise
            # It has ended, perhaps while it was asked: once more with another one.
        self._restart()
        try:
            self._warm()
            return self._forked(asked)
        except OSError as error:
            raise ForkError(error.strerror or "it does not answer") from error

    def _restart(self) -> None:
        if self._attempts >= ATTEMPTS:
            raise ForkError("its parent process ends again and again")
        if self._process is not None:
            self._tell(ENDED, again=True)
        self._end_parent()
        self._start()

    def _warm(self) -> None:
        """Wait until the parent has imported everything."""
        if self._channel is None:
            raise ForkError("its parent process is not there")
        if not self._is_warm:
            self._channel.settimeout(WARM_SECONDS)
            told, _ = receive(self._channel)
            if told is None:
                raise ForkError("its parent process has ended")
            self._channel.settimeout(FORK_SECONDS)
            self._is_warm = True

    def _forked(self, asked: dict[str, Any]) -> Child:
        if self._channel is None:
            raise ForkError("its parent process is not there")
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                send(self._channel, asked, theirs)
                told, _ = receive(self._channel)
            except OSError:
                ours.close()
                raise
        if told is None or "pid" not in told:
            ours.close()
            raise ForkError("its parent process has ended" if told is None else told["refused"])
        child = Child(told["pid"], ours)
        self.children = [one for one in self.children if one.poll() is None]
        self.children.append(child)
        return child

    def is_warm(self) -> bool:
        """Whether a child can be had at once, or never will; waits for the parent otherwise."""
        with self._lock, suppress(OSError, ForkError):
            self._warm()
        return self._is_warm

    def refused(self, error: Exception) -> None:
        """Say once that pages start by themselves now."""
        self._tell(REFUSED, reason=str(error))

    def no_process(self, error: OSError) -> NoProcessError:
        """Say once that no kernel can be started; returns what to raise."""
        self._tell(NO_PROCESS, reason=error.strerror)
        return NoProcessError(error.strerror)

    def _tell(self, text: str, again: bool = False, **values: object) -> None:
        """One sentence in the log of the server; the next one of its kind is left out."""
        if again or text not in self._told:
            self._told.add(text)
            log.warning("%s", say(text, os.environ.get(LANG, "en"), **values))

    def stop(self) -> None:
        """End all children and the parent."""
        self._stopped = True
        for child in self.children:
            child.kill_group()
        for child in self.children:
            with suppress(subprocess.TimeoutExpired):
                child.wait(1.0)  # until the parent has reaped it
        self._end_parent()
        for child in self.children:
            child.poll()  # closes its socket

    def _end_parent(self) -> None:
        if self._process is not None:
            with suppress(OSError):
                self._process.kill()
            self._process.wait()
        if self._channel is not None:
            self._channel.close()
        self._process = self._channel = None


FORKS = Forks()
"""Those of this process, which is the server."""


def can_fork() -> bool:
    """Whether kernels are forked here: on Linux and macOS, unless somebody switched it off."""
    return sys.platform in ("linux", "darwin") and OFF not in os.environ
