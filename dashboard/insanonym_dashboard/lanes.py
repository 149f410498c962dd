"""The threads of a tab, one for each sort of work, and which of them the page shows as running."""

from __future__ import annotations

from functools import partial
from typing import Any

import traitlets

from insanonym_core.runtime.store import Store
from insanonym_dashboard.worker import Worker


class Lanes(traitlets.HasTraits):
    """A worker for each lane, so that a slider never waits for a download or a large file."""

    busy = traitlets.Unicode("")
    """What is computed, empty for nothing."""

    def __init__(self, store: Store, **values: Any) -> None:
        super().__init__(**values)
        self._lanes = {
            lane: Worker(partial(self._tell_busy, lane), keep_all=lane == "downloads", store=store)
            for lane in ("report", "figures", "references", "files", "downloads")
        }
        self.spreads = Worker(store=store)  # nobody waits for it: not told as busy
        self._busy_with = dict.fromkeys(self._lanes, "")

    @property
    def worker(self) -> Worker:
        """Worker that computes reports; a newer job replaces an older one."""
        return self._lanes["report"]

    @property
    def figures(self) -> Worker:
        """Worker for figures and previews of the report; its jobs are dropped when the recipe changes."""
        return self._lanes["figures"]

    @property
    def references(self) -> Worker:
        """Computes the setting that figures are compared with."""
        return self._lanes["references"]

    @property
    def files(self) -> Worker:
        """Worker that reads data; its job is dropped by a later file, not by a moved slider."""
        return self._lanes["files"]

    @property
    def downloads(self) -> Worker:
        """Worker that makes files to download, one after the other; dropped only by Cancel."""
        return self._lanes["downloads"]

    def _tell_busy(self, lane: str, text: str) -> None:
        self._busy_with[lane] = text
        self.busy = next(filter(None, self._busy_with.values()), "")

    def cancel(self) -> None:
        """Cancel the work that the page shows as running."""
        lane = next((name for name, text in self._busy_with.items() if text), "report")
        self.drop(lane)

    def drop(self, lane: str) -> None:
        """Cancel the work of one lane."""
        self._lanes[lane].cancel()
        self._tell_busy(lane, "")

    def stop(self) -> None:
        """Cancel everything that is wanted or under way: nobody looks at this state any more."""
        for worker in (*self._lanes.values(), self.spreads):
            worker.cancel()
