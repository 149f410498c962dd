"""What was understood of an upload, column by column: type and role of each are shown, changed, confirmed."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from zoneinfo import available_timezones

import ipywidgets as widgets

from insanonym_core.errors import InsanonymError
from insanonym_core.mobility.track import Track
from insanonym_core.reading.look import Look, LookedColumn
from insanonym_core.recipe import identifiers_of
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import Phrase, say
from insanonym_core.texts.numbers import number
from insanonym_dashboard.panels.column_table import ColumnTable
from insanonym_dashboard.small_map import small_map
from insanonym_dashboard.state import TabState
from insanonym_dashboard.tiles import small_button
from insanonym_dashboard.uploads import Upload

_MOST = 300  # columns that are shown
ASKED = "date?"
TYPES = {
    "text": "text",
    "number": "number",
    "date": "date",
    "date:dmy": "date, day/month",
    "date:mdy": "date, month/day",
    "date:ymd": "date, year first",
}
TRACE_ROLES = {name: name for name in ("id", "date", "latitude", "longitude")}
ROLES = {
    "identifier": "identifier",
    "quasi": "quasi-identifier",
    "sensitive": "sensitive",
    "drop": "left out",
    "publish": "published",
}
HEAD = ("column", "type", "different", "missing", "outlines", "role", "why")
FORM = {"separator": "separator", "decimal": "decimal mark", "encoding": "encoding", "sheet": "sheet"}
PROPOSALS = Phrase("Types and roles are proposals until you confirm them.")
SAID = Phrase("as you said")
FILE_MAP = "Where the rows of the file are"


class FileDialog:
    """`root` lies above the tiles. `take` gets the upload and the recipe's changes when it is confirmed."""

    def __init__(
        self,
        state: TabState,
        lang: str,
        upload: Upload,
        take: Callable[[Upload, dict[str, Any]], None],
        close: Callable[[], None],
    ) -> None:
        self._state, self._lang, self._take, self._close = state, lang, take, close
        self.upload = upload
        mine = upload.data is not None and upload.data is state.data
        roles = state.recipe.roles if mine else {}
        self.roles: dict[str, Any] = {name: roles[name] for name in (*ROLES, "guessed") if name in roles}
        self.look: Look | None = None
        self._said: frozenset[str] = frozenset()  # columns whose role somebody chose here
        self.table = ColumnTable(self.choose, head=[say(text, lang) for text in HEAD])
        self.told, self.map, self.error = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.zone = widgets.Combobox(
            options=sorted(available_timezones()), placeholder="Europe/Paris", continuous_update=False
        )
        self.zone.description = say("Time zone", lang)
        self.zone.value = str(upload.reading.get("zone", ""))
        self.zone.observe(lambda change: self._convert(change["new"].strip()), "value")
        sheets = upload.look.facts.get("sheets", ()) if upload.look is not None else ()
        self.sheet = widgets.Dropdown(options=[(say("choose …", lang), ""), *((one, one) for one in sheets)])
        self.sheet.description = say("sheet", lang)
        self.sheet.layout.display = "" if sheets else "none"
        self.sheet.observe(lambda change: self._open_sheet(change["new"]), "value")
        self.use = widgets.Button(description=say("Use these columns", lang), button_style="primary")
        self.use.layout.width = "auto"
        self.use.on_click(lambda _: self._use())
        shut = small_button("×", say("Close", lang), close, "close")
        title = html.escape(say("What was understood of {name}", lang, name=upload.name))
        head = widgets.HBox([widgets.HTML(f"<h2>{title}</h2>", layout={"flex": "1 1 auto"}), shut])
        about = widgets.HBox([self.told, self.map])
        about.add_class("insanonym-file-about")
        self.root = widgets.VBox(
            [head, about, self.table, self.error, widgets.HBox([self.use, self.sheet, self.zone])]
        )
        self.root.add_class("insanonym-file-dialog")
        self._show(upload.look) if upload.look is not None else self._preview(upload.reading, self.roles)

    @property
    def _of_traces(self) -> bool:
        return "columns" in self._state.kind.reading

    def choose(self, place: int, what: str, value: str) -> None:
        """Take another type or role for a column, and read the file again."""
        assert self.look is not None  # noqa: S101  only then there are rows to choose in
        reading, roles = dict(self.upload.reading), self.roles
        column = self.look.columns[place]
        if what == "type" and not value:
            return  # "choose …"
        if what == "type":
            reading["types"] = {**reading.get("types", {}), column.name: value}
        elif self._of_traces:
            reading["columns"] = self._columns(place, value)
        else:
            roles = _with_role(self.look.columns, column.name, value)
            roles["guessed"] = tuple(self.look.facts.get("roles_guessed", ()))  # the others still are
        said = self._said | {column.name} if what == "role" else self._said
        self._preview(reading, roles, said)

    def _open_sheet(self, sheet: str) -> None:
        """Read another sheet of a workbook: what was said of the columns was of the one before."""
        if sheet:
            self._preview({"sheet": sheet}, {})

    def _convert(self, zone: str) -> None:
        """Convert times with an offset into another zone; an empty one leaves them in UTC."""
        reading = {name: value for name, value in self.upload.reading.items() if name != "zone"}
        self._preview(reading | ({"zone": zone} if zone else {}), self.roles, self._said)

    def _columns(self, place: int, role: str) -> str:
        """`columns` of a reading, with another role for a column; the roles of two are exchanged."""
        assert self.look is not None  # noqa: S101
        roles = [one.role for one in self.look.columns]
        if role and role in roles:
            roles[roles.index(role)] = roles[place]
        roles[place] = role
        if len(roles) == len(TRACE_ROLES) and not self.look.facts["columns_read"] and not self.look.asks:
            return ",".join(roles)  # a file without names of columns
        named = zip(roles, self.look.columns, strict=True)
        return ",".join(f"{role}={one.name}" for role, one in named if role in TRACE_ROLES)

    def _preview(
        self, reading: Mapping[str, Any], roles: dict[str, Any], said: frozenset[str] = frozenset()
    ) -> None:
        """Look at the file with these choices, and read it if nothing is open."""
        kind, upload = self._state.kind, self.upload
        assert upload.source is not None  # noqa: S101  such a file has no dialog
        source = upload.source

        def work(job: Job) -> tuple[Look, Any]:
            job.progress("Reading the file")
            look = kind.code("look")(source, reading, roles)
            if upload.data is not None and dict(reading) == dict(upload.reading):
                return look, upload.data
            return look, None if look.asks else kind.read_data(source, reading)

        def done(found: tuple[Look, Any] | None, error: Exception | None) -> None:
            if found is None:
                self._refused(error)
            else:
                look, data = found
                self.upload, self.roles = replace(upload, data=data, reading=dict(reading), look=look), roles
                self._said = said
                self._show(look)

        self._state.files.submit(work, done, "Reading the file")

    def _refused(self, error: Exception | None) -> None:
        """Say what is wrong with a choice; what was chosen before stays."""
        if not isinstance(error, InsanonymError):
            self._state.fail(error or RuntimeError("a file was looked at without a result"))
            return
        self._say_error(error.say(self._lang))
        rows, self.table.rows = self.table.rows, []
        self.table.rows = rows

    def _say_error(self, text: str) -> None:
        self.error.value = f"<p class='insanonym-error' role='alert'>{html.escape(text)}</p>" if text else ""

    def _show(self, look: Look) -> None:
        self.look = look
        shown = zip(look.names[:_MOST], look.columns, strict=False)
        self.table.rows = [self._row(name, one) for name, one in shown]
        told = [_summary(look, self._lang), *(say(note, self._lang) for note in look.notes)]
        if len(look.columns) > _MOST:
            total = number(len(look.columns), self._lang)
            told.append(say("The first {shown} of {total} columns.", self._lang, shown=_MOST, total=total))
        told.append(say(PROPOSALS, self._lang))
        self.told.value = "".join(f"<p>{html.escape(text)}</p>" for text in told)
        self._say_error(" ".join(self._question(one) for one in look.questions))
        track = self.upload.data
        drawn = isinstance(track, Track) and len(track) > 0
        self.map.value = small_map(track, say(FILE_MAP, self._lang)) if drawn else ""
        self.use.disabled = track is None
        self.zone.layout.display = "" if look.facts.get("zoned") else "none"

    def _question(self, question: Phrase) -> str:
        if self.look is not None and "sheets" in self.look.facts:
            return say("The workbook has several sheets: choose the one to read.", self._lang)
        asked = [one.name for one in self.look.columns if one.type == ASKED] if self.look else []
        if not asked:
            return say(question, self._lang)
        said = "Day or month first? No day is above 12 in {columns}: choose the type of these dates."
        return say(said, self._lang, columns=", ".join(asked))

    def _row(self, name: str, one: LookedColumn) -> dict[str, Any]:
        lang, asked = self._lang, one.type == ASKED
        known = ROLES if not self._of_traces else TRACE_ROLES
        roles = {
            role: text for role, text in known.items() if self._of_traces or role in self._state.kind.roles
        }
        types = {kind: say(text, lang) for kind, text in TYPES.items()}
        kind = self.upload.reading.get("types", {}).get(one.name, one.type)
        types = {"": say("choose …", lang), **types} if asked else types
        role_why = SAID if one.name in self._said else one.role_why
        why = [say(text, lang) for text in (one.why, role_why) if text]
        none = say("not published", lang) if not (one.published or one.role or self._of_traces) else "–"
        return {
            "name": name,
            "asked": asked,
            "type": "" if asked else kind,
            "types": list(types.items()),
            "distinct": number(one.distinct, lang),
            "missing": number(one.missing, lang),
            "outlines": "   ".join(one.outlines),
            "role": one.role if one.role in roles else "",
            "roles": [("", none), *((role, say(text, lang)) for role, text in roles.items())],
            "why": ("\u202f; " if lang == "fr" else "; ").join(why),
        }

    def _use(self) -> None:
        """Take the file as it is shown: its roles are no guesses any more."""
        upload, state = self.upload, self._state
        known = [role for role in ROLES if role in state.kind.roles]
        columns = self.look.columns if self.look else ()
        roles = _roles_of(columns, identifiers_of(self.roles)) if known else {}
        confirmed = {role: roles.get(role, ()) for role in known} | ({"guessed": ()} if known else {})
        reading = upload.merged(state.recipe.reading)
        recipe = replace(state.recipe, reading=reading, roles=confirmed)

        def work(job: Job) -> dict[str, Any]:
            job.progress("Data")
            return {"roles": confirmed, **state.kind.adapted(recipe, upload.data), "reading": reading}

        def done(changes: dict[str, Any] | None, error: Exception | None) -> None:
            if changes is None:
                self._refused(error)
            else:
                self._close()
                self._take(upload, changes)

        state.files.submit(work, done, "Data")


def _summary(look: Look, lang: str) -> str:
    """Rows, people and form in a line."""
    parts = [say(Phrase.plural("{n:,} row", "{n:,} rows", n=look.rows), lang)]
    if look.people is not None:
        parts.append(say(Phrase.plural("{n:,} person", "{n:,} people", n=look.people), lang))
    said = {name: value if value != "\t" else say("tab", lang) for name, value in look.form.items()}
    parts += [f"{say(title, lang)} {said[name]}" for name, title in FORM.items() if name in said]
    return " · ".join(parts)


def _roles_of(columns: tuple[LookedColumn, ...], first: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """The columns of each role; identifiers that came first stay first."""
    found = {role: tuple(one.name for one in columns if one.role == role) for role in ROLES}
    known = found["identifier"]
    kept = tuple(name for name in first if name in known)
    found["identifier"] = (*kept, *(name for name in known if name not in kept))
    return found


def _with_role(columns: tuple[LookedColumn, ...], name: str, role: str) -> dict[str, Any]:
    """The roles of all columns, with another one for a column: a new identifier tells people apart."""
    changed = tuple(replace(one, role=role) if one.name == name else one for one in columns)
    return _roles_of(changed, (name,) if role == "identifier" else ())
