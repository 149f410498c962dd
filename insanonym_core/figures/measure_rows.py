"""What figures with one row per measure share: labels, texts beside the rows, marks of pinned settings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.text_layout import escape_markup, text_width, wrap
from insanonym_core.figures.theme import ORANGE, SMALL, looks
from insanonym_core.texts import Phrase

if TYPE_CHECKING:
    from insanonym_core.results.scores import JsonObject

_ROW_HEIGHT, _TILE_ROW_HEIGHT = 34, 19
_MIN_ROW_HEIGHT = 15.5  # pixels of a row in a tile with many of them
_TILE_REST = 74  # pixels of a tile above and below its rows
_LOW_ROWS_REST, _NOTE_HEIGHT = 38, 19  # the same without notes, and of a line of them
_SHARE_FOR_LABELS, _SHARE_FOR_TILE_LABELS = 0.36, 0.44
_ABBREVIATION = re.compile(r" \([^()]{1,6}\)$")  # "(DCR)" at the end of a title
ARROWS = {"higher": "↑", "lower": "↓"}


def label_rows(sheet: Sheet, labels: Sequence[str], x_title: str) -> None:
    """Label one row per measure, the first on top; a long title takes two lines."""
    available = sheet.size.width * (_SHARE_FOR_TILE_LABELS if sheet.size.tile else _SHARE_FOR_LABELS)
    max_lines = 1 if sheet.size.tile and len(labels) * 2 * _TILE_ROW_HEIGHT > sheet.size.height else 2
    lines = [_wrap_label(label, available, max_lines) for label in labels]
    sheet.title_axes(
        "" if sheet.size.tile else x_title,
        "",
        max(text_width(line, SMALL) for label_lines in lines for line in label_lines),
    )
    row = _ROW_HEIGHT if all(len(label_lines) == 1 for label_lines in lines) else _ROW_HEIGHT + 6
    many = len(labels) > rows_that_fit(sheet)
    sheet.plot_height = sheet.rows_height(len(labels), row, _MIN_ROW_HEIGHT if many else _TILE_ROW_HEIGHT)
    sheet.draft.update_yaxes(
        tickvals=list(range(len(labels))),
        ticktext=["<br>".join(f"{escape_markup(line)} " for line in label_lines) for label_lines in lines],
        range=(len(labels) - 0.4, -0.6),
        showgrid=False,
    )


def _wrap_label(label: str, available: float, max_lines: int) -> list[str]:
    """Wrap a label to at most that many lines, keeping its abbreviation and arrow if it is shortened."""
    arrow = next((f"\u00a0{sign}" for sign in ARROWS.values() if label.endswith(f"\u00a0{sign}")), "")
    text, room = label.removesuffix(arrow), available - text_width(arrow, SMALL)
    lines = wrap(text, room, SMALL, max_lines) or [""]
    short = _ABBREVIATION.search(text)
    if short and lines[-1].endswith("…"):
        lines = wrap(text[: short.start()], room - text_width(short[0], SMALL), SMALL, max_lines)
        lines[-1] += short[0]
    return [*lines[:-1], lines[-1] + arrow]


def rows_that_fit(sheet: Sheet) -> int:
    """How many rows a tile has room for; no limit elsewhere."""
    return max(4, int((sheet.size.height - _TILE_REST) / _TILE_ROW_HEIGHT)) if sheet.size.tile else 10**6


def low_rows_that_fit(sheet: Sheet, lines: int) -> int:
    """How many rows a tile has room for below so many lines of notes, when they are as low as they may be."""
    if not sheet.size.tile:
        return 10**6
    return max(4, int((sheet.size.height - _LOW_ROWS_REST - lines * _NOTE_HEIGHT) / _MIN_ROW_HEIGHT))


def texts_beside_rows(
    row_texts: Sequence[tuple[float, str, str]], hover_texts: Sequence[str] = ()
) -> JsonObject:
    """A trace with one coloured text (x, text, colour) per row; much faster than annotations."""
    return {
        "type": "scatter",
        "x": [x for x, _, _ in row_texts],
        "y": list(range(len(row_texts))),
        "text": [f" {text}" for _, text, _ in row_texts],
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": SMALL, "color": [colour for _, _, colour in row_texts]},
        "hovertext": list(hover_texts),
        "hoverinfo": "text" if any(hover_texts) else "skip",
        "cliponaxis": False,
        "showlegend": False,
    }


def tell_marks(sheet: Sheet, names: Iterable[str] | None) -> None:
    """Say above the figure whose values the marks are."""
    if names:
        sheet.notes.append(sheet.say("Marks: {names}.", names=", ".join(sheet.say(name) for name in names)))


def draw_pinned(sheet: Sheet, name: str, values: Sequence[float]) -> None:
    """Mark the value of a pinned setting on each row."""
    rows = [row for row, value in enumerate(values) if not math.isnan(value)]
    title, colour = sheet.say(name), looks([name])[name].colour
    colour = colour if isinstance(name, Phrase) else ORANGE
    sheet.draft.add_trace(
        {
            "type": "scatter",
            "x": [values[row] for row in rows],
            "y": rows,
            "mode": "markers",
            "marker": {"symbol": "line-ns-open", "size": 15, "color": colour, "line": {"width": 3}},
            "customdata": [f"{escape_markup(title)}: {sheet.number(values[row], 2)}" for row in rows],
            "hovertemplate": "%{customdata}<extra></extra>",
            "showlegend": False,
        }
    )
