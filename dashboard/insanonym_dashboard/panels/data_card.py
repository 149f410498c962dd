"""The card where data are chosen: a demonstration set, or a file of one's own."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from insanonym_core.errors import InsanonymError
from insanonym_core.experiment import load
from insanonym_core.io.sources import Source, source_of
from insanonym_core.reading.look import Look
from insanonym_core.reading.options import READING
from insanonym_core.recipe import Recipe, identifiers_of
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import Phrase, say
from insanonym_dashboard import pieces
from insanonym_dashboard.opening import Opening
from insanonym_dashboard.panels.file_dialog import FileDialog
from insanonym_dashboard.state import TabState
from insanonym_dashboard.tiles import Fold
from insanonym_dashboard.uploads import LIMIT, Upload, Uploader, checked_source, open_source

COLUMNS = "Columns, types and roles…"


class DataCard:
    """The demonstration sets that the kind of data offers, and an upload.

    `take` gets name, data and the changes of the recipe that the data need, on the page's thread. `show` lays
    the dialog about the columns of an upload over the tiles.
    """

    def __init__(
        self,
        state: TabState,
        lang: str,
        *,
        take: Callable[[str, Any, dict[str, Any]], None],
        show: Callable[[widgets.Widget | None], None] = lambda _: None,
    ) -> None:
        self._state, self._lang, self._take = state, lang, take
        self._show_dialog = show
        self.dialog: FileDialog | None = None
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
        small = widgets.HTML(f"<small>{limit}</small>")
        self._release = widgets.HTML()
        self.columns = widgets.Button(description=say(COLUMNS, lang), layout={"width": "100%"})
        self.columns.on_click(lambda _: self.open_dialog())
        self.root = Fold(self._menu, upload, small, self.columns, *self._made_elsewhere(), name="data-line")
        self._rows = self._people = 0
        self.follow()

    def _made_elsewhere(self) -> list[widgets.Widget]:
        """Buttons to load a release or guesses made elsewhere, if the kind of data can read them."""
        kind, made = self._state.kind, []
        if kind.read_release is not None:
            take = Uploader(self._took_release, description=say("Release made elsewhere…", self._lang))
            made.append(take)
        if kind.read_guesses is not None:
            guesses = Uploader(
                self._took_guesses, description=say("Guesses (JSON)…", self._lang), accept=".json"
            )
            made.append(guesses)
        return [*made, self._release] if made else []

    def _took_release(self, name: str, size: int, content: bytes) -> None:
        self.read_release(name, lambda: checked_source(name, size, content))

    def read_release(self, name: str, source: Callable[[], Source]) -> None:
        """Read a release of the open data in the worker's thread, then measure it instead of the steps."""
        kind, data = self._state.kind, self._state.original()

        def work(job: Job) -> Any:
            job.progress("Reading the file")
            return kind.code("read_release")(source(), data)

        def done(made: Any, error: Exception | None) -> None:
            if made is None:
                self._state.fail(error or RuntimeError("a release was read without a result"))
            else:
                self._state.set_release(name, made)

        self._state.files.submit(work, done, "Reading the file")

    def _took_guesses(self, name: str, size: int, content: bytes) -> None:
        try:
            self._state.set_guesses(checked_source(name, size, content))
        except InsanonymError as error:
            self._state.fail(error)

    def open_files(self, opening: Opening) -> None:
        """Open files of this machine that the dashboard was started with."""
        kind, path = self._state.kind, Path(opening.file)

        def then() -> None:
            if opening.guesses:
                self._state.set_guesses(source_of(Path(opening.guesses)))
            if opening.release:
                name = Path(opening.release).name
                self.read_release(name, lambda: source_of(Path(opening.release)))

        self._read(lambda: open_source(path.name, "", source_of(path), kind, {}), "Reading the file", then)

    def follow(self) -> None:
        """Show the name of the data that is open in the tab."""
        now = self._state.data_name
        names = [(say(title, self._lang), name) for name, title in self._demos.items()]
        self._menu.unobserve(self._chose, "value")
        self._menu.options = names if now in self._demos else [*names, (now, now)]
        self._menu.value = now
        self._menu.observe(self._chose, "value")
        self.columns.layout.display = "" if self._upload_now is not None else "none"
        self._tell()

    @property
    def _upload_now(self) -> Upload | None:
        """The file whose data are open, if it can be looked at."""
        upload, kind = self._state.upload, self._state.kind
        mine = upload is not None and upload.data is self._state.data
        return upload if mine and kind.look is not None else None

    def open_dialog(self, upload: Upload | None = None, then: Callable[[], None] = lambda: None) -> None:
        """Show what was understood of an upload: of one that has questions, or of the one that is open.

        `then` is called once it was confirmed.
        """
        if upload is None and self._upload_now is not None:
            upload = replace(self._upload_now, look=None)  # roles may have changed since
        if upload is None:
            return
        self.close_dialog()

        def take(upload: Upload, changes: dict[str, Any]) -> None:
            self._take_upload(upload, changes)
            then()

        self.dialog = FileDialog(self._state, self._lang, upload, take, self.close_dialog)
        self._show_dialog(self.dialog.root)

    def close_dialog(self) -> None:
        """Take the dialog off the page."""
        if self.dialog is not None:
            self._show_dialog(None)
            pieces.close_all(self.dialog.root)
            self.dialog = None

    def _take_upload(self, upload: Upload, changes: dict[str, Any]) -> None:
        self._take(upload.name, upload.data, changes)
        self._state.file_digest, self._state.upload = upload.digest, upload
        self.follow()

    def _offer_guessed(self) -> None:
        """Show the columns of traces that were found by their values: they may be the wrong ones."""
        upload, kind = self._upload_now, self._state.kind
        if upload is None or "columns" not in kind.reading or upload.reading.get("columns"):
            return

        def work(job: Job) -> Look:
            job.progress("Reading the file")
            found: Look = kind.code("look")(upload.source, upload.reading, {})
            return found

        def done(look: Look | None, _: Exception | None) -> None:
            if look is not None and look.facts.get("guessed") and self._state.upload is upload:
                self.open_dialog(replace(upload, look=look))

        self._state.files.submit(work, done, "Reading the file")

    def tell_rows(self, rows: int) -> None:
        """Show the number of rows, and of people."""
        self._rows = rows
        self._people = people_in(self._state.original(), self._state.recipe.roles)
        self._tell()

    def _tell(self) -> None:
        now = self._state.data_name
        name = say(self._demos[now], self._lang) if now in self._demos else now
        known = self._state.shows_open_data  # else these are the numbers of other data
        rows = (
            say(Phrase.plural("{n:,} row", "{n:,} rows", n=self._rows), self._lang)
            if self._rows and known
            else ""
        )
        release = self._state.release_name
        said = say("Measured: the release {name}, without steps.", self._lang, name=release)
        self._release.value = f"<small>{html.escape(said)}</small>" if release else ""
        told = any(sign.isdigit() for sign in name) and now in self._demos  # the title tells the number
        people = (
            say(Phrase.plural("{n:,} person", "{n:,} people", n=self._people), self._lang)
            if self._people and known
            else ""
        )
        about = [people, rows] if not told else []
        if release:
            about = [say("release {name}", self._lang, name=release)]
        self.root.tell("\u00a0· ".join(filter(None, (name, *about))))

    def _chose(self, change: Mapping[str, Any]) -> None:
        if change["new"] in self._demos:
            self._read(lambda: Upload(change["new"], None, ""))

    def _uploaded(self, name: str, size: int, content: bytes) -> None:
        recipe = self._state.recipe
        said = {field: recipe.reading[field] for field in READING if field in recipe.reading}

        def read() -> Upload:
            source = checked_source(name, size, content)
            return open_source(name, hashlib.sha256(content).hexdigest(), source, recipe.data_kind, said)

        self._read(read, "Reading the file")

    def _read(
        self, read: Callable[[], Upload], said: str = "", then: Callable[[], None] = lambda: None
    ) -> None:
        """Read a file in the worker's thread, where it can be cancelled; call `then` afterwards."""
        self.close_dialog()  # about another file

        def work(job: Job) -> tuple[Upload, dict[str, Any]]:
            upload = read()
            job.progress(said or "Data")
            if upload.look is not None:  # it has questions
                return upload, {}
            # What was said of an earlier file goes: a recipe of other data would name its columns.
            reading = upload.merged(self._state.recipe.reading)
            return upload, {**self.adapt(upload.name, upload.data), "reading": reading}

        def done(found: tuple[Upload, dict[str, Any]] | None, error: Exception | None) -> None:
            if found is None:
                self._state.fail(error or RuntimeError("a file was read without a result"))
            elif found[0].look is not None:
                self.open_dialog(found[0], then)
            else:
                upload, changes = found
                self.close_dialog()
                self._take_upload(upload, changes)
                if upload.source is None:
                    self._state.upload = None
                self._offer_guessed()
                then()
            self.follow()

        self._state.files.submit(work, done, said)

    def adapt(self, name: str, data: Any) -> dict[str, Any]:
        """How the recipe changes for other data (None: a demonstration). On the worker's thread."""
        state = self._state
        if data is not None:
            return state.kind.adapted(_recipe_for(data, state), data)
        demo = load(replace(state.recipe, data=name), state.session.store)
        return state.kind.adapted(state.recipe, demo, name)


def _recipe_for(data: Any, state: TabState) -> Recipe:
    """The recipe for other data: roles that were confirmed hold for the same columns only."""
    recipe, before = state.recipe, getattr(state.data, "columns", ())
    if [*before] == [*getattr(data, "columns", ())]:
        return recipe
    return replace(recipe, roles={name: one for name, one in recipe.roles.items() if name != "guessed"})


def people_in(data: Any, roles: Mapping[str, Any]) -> int:
    """How many people the data is of: individuals, or values of the identifier; 0 where it is not known."""
    if hasattr(data, "individuals"):
        return len(data.individuals)
    columns, identifier = getattr(data, "columns", {}), next(iter(identifiers_of(roles)), "")
    return len(columns[identifier].values) if identifier in columns else 0
