"""A page without a browser: an event loop in its own thread, and work that waits until a test goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from insanonym_dashboard.app import App

PATIENCE = 300  # seconds until a test that hangs is given up
PAGE = "the page's thread"


def on_the_page(wanted: Callable[[], Awaitable[Any]]) -> Any:
    """Run this with an event loop in a thread of its own, as a kernel does."""

    def named() -> None:
        threading.current_thread().name = PAGE

    async def limited() -> Any:
        return await asyncio.wait_for(wanted(), PATIENCE)  # threads that are still busy then find no page

    with ThreadPoolExecutor(1, initializer=named) as pool:
        return pool.submit(asyncio.run, limited()).result()


async def until(met: Callable[[], Any]) -> None:
    """The page is idle until this holds: everything posted to it is served."""
    while not met():
        await asyncio.sleep(0.01)


class Gate:
    """A function that notes its thread, then waits until the gate opens."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call
        self.threads: list[str] = []
        self.entered, self.opened = threading.Event(), threading.Event()

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        self.threads.append(threading.current_thread().name)
        self.entered.set()
        assert threading.current_thread().name != PAGE, "heavy work on the page's thread"
        assert self.opened.wait(PATIENCE)
        return self.call(*arguments, **more)


@contextmanager
def opening(*gates: Gate) -> Iterator[None]:
    """No thread waits for ever when a test fails."""
    try:
        yield
    finally:
        for gate in gates:
            gate.opened.set()


async def opened(tab: str) -> tuple[App, Any]:
    app = App()
    app.shell.preset = "strong_noise"  # of traces: one with many steps
    app.open(tab)
    await until(lambda: app.states[tab].report is not None and app.states[tab].worker.idle)
    return app, app.panels[tab]


async def moved(panel: Any, name: str, value: Any) -> None:
    """A slider moves, and its report comes."""
    before = panel.state.report
    panel.state.set_parameter(0, name, value)
    await until(lambda: panel.state.report is not before and panel.state.worker.idle)
