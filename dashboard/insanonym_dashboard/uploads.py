"""Files that people bring: read in this kernel's memory, never written to disk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import anywidget
import traitlets

from insanonym_core.errors import DataError, UsageError
from insanonym_core.io.sources import Source, source_of_bytes
from insanonym_core.kinds import Kind, kind_named
from insanonym_core.reading.look import Look
from insanonym_core.reading.options import READING
from insanonym_core.reading.workbooks import SheetsError

LIMIT = 100_000_000
LONGEST_NAME = 80


class Uploader(anywidget.AnyWidget):
    """A button that takes one file. What is over the limit is refused on the page and never sent.

    The content comes as a message and is not kept with the widget: a file is in memory once.
    """

    _esm = """
    function render({ model, el }) {
      const button = document.createElement("button");
      const input = document.createElement("input");
      button.className = "jupyter-button lm-Widget";
      button.type = "button";
      Object.assign(input, { type: "file", accept: model.get("accept"), hidden: true });
      const named = () => { button.textContent = "⇪ " + model.get("description"); };
      named();
      model.on("change:description", named);
      button.addEventListener("click", () => input.click());
      model.on("msg:custom", (said) => { if (said === "ask") input.click(); });
      input.addEventListener("change", async () => {
        const file = input.files[0];
        input.value = "";  // the same file may be chosen again
        if (!file) return;
        const told = { name: file.name, size: file.size };
        if (file.size > model.get("limit")) model.send(told);
        else model.send(told, undefined, [await file.arrayBuffer()]);
      });
      el.append(button, input);
    }
    export default { render };
    """
    description = traitlets.Unicode().tag(sync=True)
    accept = traitlets.Unicode(".csv,.tsv,.txt,.parquet,.zip,.gz,.xlsx,.xls,.ods,.gpx,.plt,.geojson").tag(
        sync=True
    )
    limit = traitlets.Int(LIMIT).tag(sync=True)

    def __init__(self, taken: Callable[[str, int, bytes], None], **values: Any) -> None:
        super().__init__(**values)
        self._taken = taken
        self.on_msg(self._came)

    def ask(self) -> None:
        """Open the file dialog, as a click on the button does."""
        self.send("ask")

    def _came(self, _: Any, said: Any, buffers: Any) -> None:
        content = bytes(buffers[0]) if buffers else b""
        self._taken(clean_name(str(said["name"])), int(said["size"]), content)


@dataclass(frozen=True, eq=False)
class Upload:
    """The data of an uploaded file, its clean name and its SHA-256. It is never looked for on the disk.

    `source` is its content, to read it again as somebody says, and `reading` how it was read. Where the file
    cannot be read before somebody answers, `data` is None and `look` has the questions.
    """

    name: str
    data: Any
    digest: str
    source: Source | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    look: Look | None = None

    def merged(self, reading: Mapping[str, Any]) -> dict[str, Any]:
        """The `reading` of a recipe with what was said of this file, instead of an earlier one."""
        kept = {name: value for name, value in reading.items() if name not in (*READING, "columns")}
        return {**kept, **self.reading}


def clean_name(name: str) -> str:
    """A base name without folders, control characters or a colon: no path, and no name of our own data.

    >>> clean_name("../../etc/demo:patients")
    'demo_patients'
    """
    base = re.split(r"[/\\\\]", name)[-1]
    base = "".join("_" if sign == ":" else sign for sign in base if sign.isprintable()).strip(". ")
    if len(base) > LONGEST_NAME:
        base = base[: LONGEST_NAME // 2] + "…" + base[-LONGEST_NAME // 2 :]
    return base or "upload"


def read_upload(
    name: str, size: int, content: bytes, kind: str, reading: Mapping[str, Any] | None = None
) -> Upload:
    """What an uploaded file of `size` bytes holds, or one sentence on what is wrong with it.

    `reading` is that of the recipe that is open: what it says of types, zone and sheet holds for the file.
    """
    data = kind_named(kind).read_data(checked_source(name, size, content), reading or {})
    return Upload(name, data, hashlib.sha256(content).hexdigest())


def open_source(name: str, digest: str, source: Source, kind: Kind, reading: Mapping[str, Any]) -> Upload:
    """Read a file, or look at it if it has questions; what was said of columns it does not have is left out.

    `reading` is what was said of the file that was open before.
    """
    try:
        return Upload(name, kind.read_data(source, reading), digest, source, reading)
    except UsageError:
        plain = {field: value for field, value in reading.items() if field not in ("types", "columns")}
        if plain == reading:
            raise
        return open_source(name, digest, source, kind, plain)
    except SheetsError as error:
        if kind.look is None:
            raise
        facts = {"sheets": error.names}
        asked = Look(name, kind.name, 0, {}, (), questions=(error.phrase,), facts=facts, asks=True)
        return Upload(name, None, digest, source, reading, asked)
    except DataError:
        look = kind.code("look")
        found: Look | None = look and look(source, reading, {})
        if found is None or not found.asks:
            raise
        return Upload(name, None, digest, source, reading, found)


def checked_source(name: str, size: int, content: bytes) -> Source:
    """An uploaded file, ready to be read; one sentence if it is empty or larger than the limit."""
    if size > LIMIT:
        raise UsageError(
            "{file} has {size:.0f} MB and the limit here is {limit:.0f} MB: use the command line "
            "for larger files.",
            file=name,
            size=size / 1000000.0,
            limit=LIMIT / 1000000.0,
        )
    if not content:
        raise DataError("{file} is empty: give a file with at least one row.", file=name)
    return source_of_bytes(name, content)
