"""The card where data are chosen: a demonstration set, or a file of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from insanonym_core.jobs import Job
from insanonym_core.texts import say
from insanonym_core.written import number
from insanonym_dashboard import pieces
from insanonym_dashboard.state import TabState
from insanonym_dashboard.uploads import LIMIT, Upload, Uploader, read_upload


class DataCard:
    """The demonstration sets that the kind of data offers, and an upload.

    `adapt` finds out on the worker's thread how the recipe must change for other data (None: a demonstration
    set); `take` gets name, data and these changes on the page's thread.
    """

    def __init__(
        self,
        state: TabState,
        lang: str,
        *,
        adapt: Callable[[str, Any], dict[str, Any]],
        take: Callable[[str, Any, dict[str, Any]], None],
    ) -> None:
        self._state, self._lang, self._adapt, self._take = state, lang, adapt, take
        offered = {name: demo for name, demo in state.kind.demos.items() if demo.offered}
        self._demos = {name: demo.title for name, demo in offered.items()}
        self._menu = pieces.labelled(widgets.Dropdown(layout=widgets.Layout(width="100%")), say("Data", lang))
        self._menu.observe(self._chose, "value")
        upload = Uploader(self._uploaded, description=say("Upload…", lang))
        limit = say(
            "{formats}; up to {limit} MB. Stays in memory.",
            lang,
            formats=state.kind.formats,
            limit=LIMIT // 1_000_000,
        )
        self._about = widgets.HTML()
        small = widgets.HTML(f"<small>{limit}</small>")
        self.root = pieces.card(say("Data", lang), self._menu, upload, small, self._about, name="data")
        self.follow()

    def follow(self) -> None:
        """Show what the tab works on."""
        now = self._state.data_name
        names = [(say(title, self._lang), name) for name, title in self._demos.items()]
        self._menu.unobserve(self._chose, "value")
        self._menu.options = names if now in self._demos else [*names, (now, now)]
        self._menu.value = now
        self._menu.observe(self._chose, "value")

    def tell_rows(self, rows: int) -> None:
        """How many rows there are."""
        said = say("{rows} rows", self._lang, rows=number(rows, self._lang))
        self._about.value = f"<small>{said}</small>"

    def _chose(self, change: Mapping[str, Any]) -> None:
        if change["new"] in self._demos:
            self._read(lambda: Upload(change["new"], None, ""))

    def _uploaded(self, name: str, size: int, content: bytes) -> None:
        kind = self._state.recipe.kind
        self._read(lambda: read_upload(name, size, content, kind), "Reading the file")

    def _read(self, read: Callable[[], Upload], said: str = "") -> None:
        """Beside the page: a large file takes seconds, and can be cancelled."""

        def work(job: Job) -> tuple[Upload, dict[str, Any]]:
            upload = read()
            job.progress(said or "Data")
            return upload, self._adapt(upload.name, upload.data)

        def done(found: tuple[Upload, dict[str, Any]] | None, error: Exception | None) -> None:
            if found is None:
                self._state.fail(error or RuntimeError("a file was read without a result"))
            else:
                upload, changes = found
                self._take(upload.name, upload.data, changes)
                self._state.file_digest = upload.digest
            self.follow()

        self._state.files.submit(work, done, said)
