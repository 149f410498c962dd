"""Elements of the page that ipywidgets lacks: lists to tick, rows to click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anywidget
import traitlets


class Ticked(anywidget.AnyWidget):
    """A list of boxes to tick: a click changes one of them and leaves the others.

    `value` holds what is ticked, in the order of the list; what is not in the list is dropped.
    """

    _esm = """
    function render({ model, el }) {
      el.classList.add("insanonym-ticked");
      const group = document.createElement("div");
      group.setAttribute("role", "group");
      const none = document.createElement("small");
      el.append(group, none);
      const boxes = () => Array.from(group.querySelectorAll("input"));
      const ticked = () => {
        const chosen = new Set(model.get("value").map(String));
        const options = model.get("options");
        boxes().forEach((box) => { box.checked = chosen.has(String(options[box.dataset.place]?.[1])); });
        none.textContent = chosen.size ? "" : model.get("none");
      };
      const named = () => group.setAttribute("aria-label", model.get("description"));
      const listed = () => {
        // What is ticked comes first, to be seen without scrolling; later ticks move nothing.
        const chosen = new Set(model.get("value").map(String));
        const all = model.get("options").map(([text, value], place) => ({ text, value, place }));
        const first = all.filter((one) => chosen.has(String(one.value)));
        const rest = all.filter((one) => !chosen.has(String(one.value)));
        group.replaceChildren(...[...first, ...rest].map(({ text, place }) => {
          const label = document.createElement("label"), box = document.createElement("input");
          box.type = "checkbox";
          box.dataset.place = place;
          box.addEventListener("change", () => {
            const now = new Set(boxes().filter((one) => one.checked).map((one) => Number(one.dataset.place)));
            model.set("value", model.get("options").filter((_, at) => now.has(at)).map((one) => one[1]));
            model.save_changes();
          });
          label.append(box, text);
          label.title = text;
          return label;
        }));
        ticked();
      };
      named();
      listed();
      model.on("change:options", listed);
      model.on("change:value", ticked);
      model.on("change:description", named);
    }
    export default { render };
    """
    _css = """
    .insanonym-ticked > div { display: block; max-height: 148px; overflow: auto; border: 1px solid #c5cbd3;
      border-radius: 4px; padding: 3px 6px; box-sizing: border-box; }
    .insanonym-ticked label { display: flex; align-items: center; gap: 7px; line-height: 1.5; font-size: 13px;
      overflow: hidden; text-overflow: ellipsis; white-space: nowrap; cursor: pointer; }
    .insanonym-ticked input { flex: none; margin: 2px; }
    .insanonym-ticked small:not(:empty) { display: block; line-height: 1.7; }
    """
    options: Any = traitlets.List().tag(sync=True)
    """Pairs: a text, and the value that it stands for."""
    value = traitlets.Tuple().tag(sync=True)
    none = traitlets.Unicode().tag(sync=True)
    """What it means when nothing is ticked."""
    description = traitlets.Unicode().tag(sync=True)

    def __init__(self, options: Sequence[Any] = (), value: Sequence[Any] = (), **more: Any) -> None:
        super().__init__(**more)
        self.offer(options, value)

    @traitlets.validate("value")
    def _known(self, proposal: Any) -> tuple[Any, ...]:
        return tuple(one for _, one in self.options if one in proposal["value"])

    def offer(self, options: Sequence[Any], value: Sequence[Any]) -> None:
        """Replace the list of options and what is ticked."""
        with self.hold_sync():
            self.value = ()
            self.options = [one if isinstance(one, tuple) else (one, one) for one in options]
            self.value = tuple(value)


class Rows(anywidget.AnyWidget):
    """A table made by pieces.frame_html, one of whose rows can be clicked: `clicked` is its place."""

    _esm = """
    function render({ model, el }) {
      el.classList.add("insanonym-rows");
      const write = () => {
        const before = el.querySelector(".insanonym-scroll")?.scrollTop ?? 0;
        el.innerHTML = model.get("content");
        const pane = el.querySelector(".insanonym-scroll"), row = el.querySelector("tr.chosen");
        if (!pane) return;
        pane.scrollTop = before;
        const { top, bottom } = pane.getBoundingClientRect(), at = row?.getBoundingClientRect();
        if (at && (at.top < top || at.bottom > bottom)) pane.scrollTop += at.top - (top + bottom) / 2;
      };
      el.addEventListener("click", (event) => {
        const row = event.target.closest("tr");
        const place = Array.from(el.querySelectorAll("tr")).indexOf(row) - 1;  // the first is the head
        if (place < 0) return;
        model.set("clicked", [place, model.get("clicked")[1] + 1]);
        model.save_changes();
      });
      write();
      model.on("change:content", write);
    }
    export default { render };
    """
    _css = """
    .insanonym-rows tr:not(:first-child) { cursor: pointer; }
    .insanonym-rows tr:not(:first-child):hover td { background: #f0f4f8; }
    """
    content = traitlets.Unicode().tag(sync=True)
    clicked = traitlets.Tuple(default_value=(-1, 0)).tag(sync=True)
    """The place of the row in the table, and how often one was clicked."""
