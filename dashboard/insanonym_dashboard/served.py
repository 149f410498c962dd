"""Logging in a kernel of the dashboard's server: errors go to the server's log, not to the page."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

from IPython import get_ipython

SERVED = "INSANONYM_SERVED"  # set for the kernels of the server
LANG = "INSANONYM_LANG"  # the language that the server was started with


def is_served() -> bool:
    """Whether the kernel runs in the dashboard's server rather than in JupyterLab."""
    return SERVED in os.environ


def log_errors() -> None:
    """Send every traceback and warning to the server's log; no effect in JupyterLab."""
    shell: Any = get_ipython()
    if shell is None or not is_served():
        return
    # The kernel's own log is what still writes to the server's: what goes to stderr is sent to the page.
    for known in shell.kernel.log.handlers:
        handler = logging.StreamHandler(known.stream)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logging.getLogger().addHandler(handler)
    logging.captureWarnings(True)
    logging.getLogger("Comm").setLevel(logging.ERROR)  # a warning of ipywidgets for every page, about nothing
    log = logging.getLogger("insanonym_dashboard")

    def write(kind: type[BaseException], error: BaseException, _: Any) -> None:
        log.error("A callback of the dashboard failed.", exc_info=(kind, error, error.__traceback__))

    def show_traceback(kind: type[BaseException], error: BaseException, shown: Any) -> None:
        shell._last_traceback = shown  # goes into the reply to the cell, which voilà logs
        write(kind, error, shown)

    def in_thread(failed: threading.ExceptHookArgs) -> None:
        if failed.exc_value is not None:
            write(failed.exc_type, failed.exc_value, None)

    shell._showtraceback = show_traceback
    threading.excepthook = in_thread
