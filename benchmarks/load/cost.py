"""What a server and its kernels cost: processor time, and memory of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import psutil

from tests.browser_dashboard.serving import Running, is_parent


@dataclass(frozen=True)
class Memory:
    """MB of the processes that serve a page: `pss` shares what several hold, `own` is theirs alone."""

    pss: list[float]
    own: list[float]

    def __str__(self) -> str:
        pss, own = np.array(self.pss), np.array(self.own)
        return (
            f"PSS median {np.median(pss):.0f} MB, most {pss.max():.0f} MB; "
            f"of its own median {np.median(own):.0f} MB, most {own.max():.0f} MB; "
            f"together {pss.sum() / 1000:.2f} GB ({len(pss)} sessions)"
        )


def groups(server: Running) -> Iterator[tuple[str, psutil.Process]]:
    """Every process of the server, by what it does."""
    own = psutil.Process(server.process.pid)
    yield "server", own
    for one in own.children(recursive=True):
        with suppress(psutil.Error):
            yield "parent" if is_parent(one) else "kernels", one


def processor(server: Running) -> dict[str, float]:
    """Seconds of processor time so far, of what lives now."""
    spent: dict[str, float] = {}
    for name, one in groups(server):
        with suppress(psutil.Error):
            spent[name] = spent.get(name, 0.0) + sum(one.cpu_times()[:2])
    return spent


def memory(server: Running, kernels: list[str]) -> Memory:
    """Of these kernels."""
    found = [server.kernel(known).memory_full_info() for known in kernels]
    return Memory([one.pss / 1e6 for one in found], [one.uss / 1e6 for one in found])


def others(server: Running) -> str:
    """Of the server and the parent of its kernels."""
    said = []
    for name, one in groups(server):
        if name != "kernels":
            with suppress(psutil.Error):
                said.append(f"{name} {one.memory_full_info().pss / 1e6:.0f} MB")
    return ", ".join(said)
