"""Widgets from declarations: one slider, menu or box for each declared parameter of a method."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from insanonym_core.parameters import (
    WEEKDAYS,
    Choice,
    ColumnNames,
    HourSpan,
    Parameter,
    Range,
    Switch,
    Weekdays,
)
from insanonym_core.texts import choice_label, parameter_label, say

Changed = Callable[[Any], None]
MOST_POSITIONS = 400
_NICE = (1, 1.5, 2, 3, 5, 7)


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
        """Another list, and what is ticked in it."""
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


class Helper(anywidget.AnyWidget):
    """Gives what ipywidgets leaves nameless a name for screen readers, in the card where it stands.

    A slider's handle is called what its description says and tells its read-out; a small button what its
    tooltip says. And it can move the keyboard to something that is about to appear.
    """

    _esm = """
    function render({ model, el }) {
      el.style.display = "none";
      let card = null, waiting = false;
      const put = (one, name, text) => {
        if (text && one.getAttribute(name) !== text) one.setAttribute(name, text);
      };
      const named = () => {
        waiting = false;
        for (const slider of card.querySelectorAll(".widget-inline-hbox")) {
          const handles = slider.querySelectorAll("[role=slider]");
          const readout = slider.querySelector(".widget-readout");
          const name = slider.querySelector(".widget-label")?.textContent;
          if (!handles.length) continue;
          handles.forEach((handle) => put(handle, "aria-label", name));
          if (handles.length === 1 && readout) put(handles[0], "aria-valuetext", readout.textContent);
          if (readout?.isContentEditable) {
            put(readout, "role", "textbox");
            put(readout, "aria-label", name);
          }
        }
        card.querySelectorAll("button.insanonym-small").forEach((one) => put(one, "aria-label", one.title));
      };
      const later = () => { if (!waiting) { waiting = true; requestAnimationFrame(named); } };
      const watch = new MutationObserver(later);
      const begin = () => {
        card = el.closest(".insanonym-card");
        if (!el.isConnected || !card) { if (!over) setTimeout(begin, 30); return; }
        const attributeFilter = ["aria-valuetext", "title"];
        watch.observe(card, { subtree: true, childList: true, characterData: true, attributeFilter });
        later();
      };
      let over = false;
      const focus = (tries) => {
        const wanted = card?.querySelector(model.get("focus")[0]);
        const free = !document.activeElement || document.activeElement === document.body;
        if (wanted && free) wanted.focus();
        else if (tries && !over) setTimeout(() => focus(tries - 1), 30);
      };
      begin();
      model.on("change:focus", () => setTimeout(() => focus(60), 30));
      return () => { over = true; watch.disconnect(); };
    }
    export default { render };
    """
    focus = traitlets.Tuple(default_value=("", 0)).tag(sync=True)

    def move_to(self, selector: str) -> None:
        """Give the keyboard to what this finds, as soon as it is there, unless it went elsewhere."""
        self.focus = (selector, self.focus[1] + 1)


def control(
    parameter: Parameter,
    value: Any,
    changed: Changed,
    *,
    lang: str,
    columns: Sequence[str] = (),
    most: float = math.inf,
) -> widgets.Widget:
    """The widget of a parameter at a value; `changed` hears every new value.

    `columns` are those of the table at hand, `most` is the largest number that makes sense for it (its rows).
    """
    made, back = _widget(parameter, value, lang, columns, most)
    made.observe(lambda change: changed(back(change["new"])), "value")
    name = parameter_label(parameter.name, lang)
    unit = getattr(parameter.constraint, "unit", "")
    shown = f"{name} ({say(unit, lang)})" if unit and say(unit, lang) != name else name
    made.add_class("ins-control")
    label = widgets.HTML("" if isinstance(made, widgets.Checkbox) else f"<label>{shown}</label>")
    made.description = shown  # read by screen readers; the visible label is above, or beside a box to tick
    if not isinstance(made, widgets.Checkbox):
        made.add_class("insanonym-labelled")
    return widgets.VBox([label, made], layout=widgets.Layout(width="100%"))


def _widget(
    parameter: Parameter, value: Any, lang: str, columns: Sequence[str], most: float
) -> tuple[Any, Callable[[Any], Any]]:
    wide = widgets.Layout(width="100%")
    match parameter.constraint:
        case Range() as allowed:
            return _slider(allowed, value, most, lang)
        case Choice(values=values):
            texts = [(choice_label(one, lang), one) for one in values]
            return widgets.Dropdown(options=texts, value=value, layout=wide), _same
        case Switch():
            return widgets.Checkbox(value=value, indent=False, layout=wide), _same
        case HourSpan():
            # Past midnight (22-6) the slider counts on to 48: 22 to 30.
            low, high = value
            span = (low, high if high > low else high + 24)
            made = widgets.IntRangeSlider(value=span, min=0, max=48, layout=wide)
            return made, lambda hours: (hours[0] % 24, hours[1] if hours[1] <= 24 else hours[1] - 24)
        case Weekdays():
            names = [(say(day, lang), place) for place, day in enumerate(WEEKDAYS)]
            return Ticked(options=names, value=tuple(value), layout=wide), tuple
        case ColumnNames(single=True):
            options: list[tuple[str, Any]] = [
                (say("(none)", lang), ()),
                *((name, (name,)) for name in columns),
            ]
            known = tuple(name for name in value if name in columns)  # other data has other columns
            return widgets.Dropdown(options=options, value=known, layout=wide), _same
        case ColumnNames(none_is_all=by_itself):
            none = say("None ticked: all of them.", lang) if by_itself else ""
            return Ticked(options=list(columns), value=tuple(value), none=none, layout=wide), tuple
    raise TypeError(f"no widget for {parameter.constraint}: add one")


def _same(value: Any) -> Any:
    return value


def _slider(allowed: Range, value: float, most: float, lang: str) -> tuple[Any, Callable[[Any], Any]]:
    """Even steps over a short range; round numbers growing by factors over a long one.

    Only whole numbers can be typed: a browser would read 0,25 as 0.
    """
    wide = widgets.Layout(width="100%")
    step = allowed.step or (1 if allowed.whole else (allowed.high - allowed.low) / 100)
    high = max(allowed.low + step, min(allowed.high, most), value)  # a slider has two ends
    short = allowed.scale == "linear" and (high - allowed.low) / step <= MOST_POSITIONS
    if short and allowed.whole and not allowed.zero:
        return widgets.IntSlider(value=value, min=allowed.low, max=high, step=step, layout=wide), _same
    numbers = even_numbers(allowed.low, high, step, value) if short else round_numbers(allowed, high, value)
    digits = 0 if allowed.whole or not short else _digits(step)
    options = [(_written(one, lang, digits), one) for one in numbers]
    if allowed.zero:
        options[0] = (say(allowed.zero, lang), numbers[0])
    return widgets.SelectionSlider(options=options, value=value, layout=wide), _same


def even_numbers(low: float, high: float, step: float, value: float) -> list[float]:
    """From low to high by steps, with both ends and the value itself."""
    digits = _digits(step) + 2
    found = {round(low + place * step, digits) for place in range(math.floor((high - low) / step + 1e-9) + 1)}
    near = {one for one in found if math.isclose(one, value, abs_tol=step * 1e-6)}
    return sorted((found - near) | {value} | {high})


def _digits(step: float) -> int:
    """How many decimals a step has."""
    return max(0, len(f"{step:.6f}".rstrip("0").partition(".")[2]))


def round_numbers(allowed: Range, high: float, value: float) -> list[float]:
    """1, 1.5, 2, 3, 5, 7, 10, 15 … within the range, with its ends and the value itself."""
    found = {allowed.low, high, value}
    start = allowed.low if allowed.low > 0 else allowed.step or (1 if allowed.whole else high / 1000)
    power = math.floor(math.log10(start))
    while 10.0**power <= high:
        found |= {one * 10.0**power for one in _NICE if start <= one * 10.0**power <= high}
        power += 1
    numbers = (
        {int(one) for one in found if one == int(one)}
        if allowed.whole
        else {float(f"{one:.6g}") for one in found}
    )
    return sorted(numbers | ({int(value)} if allowed.whole else {value}))


def _written(value: float, lang: str, digits: int = 0) -> str:
    even = digits and math.isclose(value, round(value, digits))
    text = f"{value:.{digits}f}" if even else f"{value:,.6g}" if value == int(value) else f"{value:g}"
    return text.replace(",", "\u202f").replace(".", ",") if lang == "fr" else text
