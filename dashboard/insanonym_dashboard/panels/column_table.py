"""The columns of a file as a table: type and role of each can be chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets


class ColumnTable(anywidget.AnyWidget):
    """`rows` are columns as texts, with the types and roles to choose from; a choice is sent, not kept."""

    _esm = """
    function render({ model, el }) {
      el.classList.add("insanonym-columns-table");
      const cell = (row, text, kind = "") => {
        const made = row.insertCell();
        made.textContent = text;
        made.className = kind;
        return made;
      };
      const choice = (row, place, what, one) => {
        const made = document.createElement("select");
        for (const [value, text] of one[`${what}s`]) made.append(new Option(text, value));
        made.value = one[what];
        made.setAttribute("aria-label", `${one.name}: ${model.get("head")[what === "type" ? 1 : 5]}`);
        made.dataset[what] = one.name;
        made.classList.toggle("asked", what === "type" && one.asked);
        made.addEventListener("change", () => model.send({ place, what, value: made.value }));
        cell(row, "").append(made);
      };
      const draw = () => {
        const top = el.scrollTop, focused = document.activeElement?.dataset ?? {};
        const table = document.createElement("table");
        table.className = "insanonym-table";
        const head = table.insertRow();
        for (const text of model.get("head")) {
          const th = document.createElement("th");
          th.textContent = text;
          head.append(th);
        }
        model.get("rows").forEach((one, place) => {
          const row = table.insertRow();
          row.classList.toggle("asked", one.asked);
          cell(row, one.name, "name").title = one.name;
          choice(row, place, "type", one);
          cell(row, one.distinct, "number");
          cell(row, one.missing, "number");
          cell(row, one.outlines, "outlines").title = one.outlines;
          choice(row, place, "role", one);
          cell(row, one.why, "why").title = one.why;
        });
        el.replaceChildren(table);
        el.scrollTop = top;
        for (const what of ["type", "role"])
          if (focused[what] !== undefined)
            el.querySelector(`[data-${what}="${CSS.escape(focused[what])}"]`)?.focus();
      };
      draw();
      model.on("change:rows", draw);
    }
    export default { render };
    """
    head: Any = traitlets.List().tag(sync=True)
    rows: Any = traitlets.List().tag(sync=True)

    def __init__(self, chosen: Callable[[int, str, str], None], **values: Any) -> None:
        super().__init__(**values)
        self._chosen = chosen
        self.on_msg(self._came)

    def _came(self, _: Any, said: Any, __: Any) -> None:
        place, what, value = int(said["place"]), str(said["what"]), str(said["value"])
        row = self.rows[place] if 0 <= place < len(self.rows) else {}
        if value in [known for known, _ in row.get(f"{what}s", ())]:
            self._chosen(place, what, value)
