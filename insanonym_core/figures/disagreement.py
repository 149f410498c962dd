"""Compare several releases by several measures, which may rank them differently."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import plotly.graph_objects as go

from insanonym_core.figures.card import Card
from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.text_layout import escape_markup, shorten, text_width, wrap
from insanonym_core.figures.theme import BLUE, DARK_GREEN, INK, MUTED, PALE_GREY, SCREEN, SMALL, TEXT, Size
from insanonym_core.registry import Measure

_MIN_PANEL_WIDTH, _ROW_HEIGHT, _GAP = 185, 30, 28
_SHARE_FOR_LABELS = 0.24
_PALE_BLUE = "#9cc4de"


def disagreement(
    rows: Mapping[str, Mapping[str, Measure]],
    *,
    card: Card | None = None,
    lang: str = "en",
    title: str = "",
    size: Size = SCREEN,
) -> go.Figure:
    """Draw one panel per measure, each with its own axis; `rows` maps each release to its measures."""
    sheet = Sheet(title, card, lang, size)
    names = list(dict.fromkeys(name for measures in rows.values() for name in measures))
    sheet.title = title or _default_title(rows, names, sheet)
    if not names:
        return sheet.message_figure()
    sheet.notes.append(sheet.say("★: the best release by that measure."))
    labels = [shorten(sheet.label(release), size.width * _SHARE_FOR_LABELS, SMALL) for release in rows]
    sheet.left += max(text_width(label, SMALL) for label in labels) + 10
    columns = max(1, min(len(names), int((sheet.plot_width + _GAP) // (_MIN_PANEL_WIDTH + _GAP))))
    panel_rows = math.ceil(len(names) / columns)
    columns = math.ceil(len(names) / panel_rows)  # no row with a single panel where rows can be even
    title_height = 3 * SMALL * 1.4 + 8
    sheet.plot_height = panel_rows * (len(rows) * _ROW_HEIGHT + title_height + 8)
    sheet.tick_lines = 0
    figure = sheet.finish()
    plot_height = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    for index, name in enumerate(names):
        column, row = index % columns, index // columns
        panel_width = (sheet.plot_width - (columns - 1) * _GAP) / columns
        left = column * (panel_width + _GAP) / sheet.plot_width
        top = 1 - row / panel_rows
        _panel(
            figure,
            str(index + 1) if index else "",
            [measures.get(name) for measures in rows.values()],
            (left, left + panel_width / sheet.plot_width),
            (top - 1 / panel_rows + 8 / plot_height, top - title_height / plot_height),
            [f"{escape_markup(label)} " for label in labels] if column == 0 else None,
            sheet,
            panel_width,
        )
    return figure


def _default_title(rows: Mapping[str, Mapping[str, Measure]], names: Sequence[str], sheet: Sheet) -> str:
    """Title that says whether the measures agree on the order of the releases."""
    if len(rows) < 2 or len(names) < 2:
        return sheet.say("Releases by measure")
    if disagree(rows, names):
        return sheet.say("The measures disagree about which release is safest")
    return sheet.say("The measures agree on the order of the releases")


def disagree(rows: Mapping[str, Mapping[str, Measure]], names: Sequence[str]) -> bool:
    """Whether two measures rank some pair of releases in opposite order."""
    for first, second in combinations(rows.values(), 2):
        signs = {_preference(first[name], second[name]) for name in names if name in first and name in second}
        if {-1, 1} <= signs:
            return True
    return False


def oriented_value(measure: Measure | None) -> float:
    """The value of a measure with its sign set so that higher is better; NaN without a measure."""
    if measure is None:
        return math.nan
    return -measure.score.value if measure.entry.better == "lower" else measure.score.value


def _preference(first: Measure, second: Measure) -> int:
    gap = oriented_value(first) - oriented_value(second)
    return 0 if math.isnan(gap) or gap == 0 else int(math.copysign(1, gap))


def _panel(
    figure: go.Figure,
    axis: str,
    measures: Sequence[Measure | None],
    x_domain: tuple[float, float],
    y_domain: tuple[float, float],
    labels: list[str] | None,
    sheet: Sheet,
    panel_width: float,
) -> None:
    """Draw the bars of one measure, one per release; `labels` name the releases, None to omit them."""
    entry = next(measure.entry for measure in measures if measure is not None)
    values = [math.nan if measure is None else measure.score.value for measure in measures]
    finite = [value for value in values if math.isfinite(value)]
    best = max(
        (good for measure in measures if not math.isnan(good := oriented_value(measure))), default=math.nan
    )
    best_flags = [len(set(finite)) > 1 and oriented_value(measure) == best for measure in measures]
    texts = [sheet.number(value) for value in values]
    text_width_needed = max(text_width(f"★ {text}", SMALL * 1.1) for text in texts) + 10
    highest = max([*finite, 0.0]) or 1.0
    lowest = min([*finite, 0.0])
    figure.add_trace(
        go.Bar(
            x=[value if math.isfinite(value) else 0.0 for value in values],
            y=list(range(len(values))),
            orientation="h",
            width=0.6,
            marker={"color": [BLUE if is_best else _PALE_BLUE for is_best in best_flags]},
            xaxis=f"x{axis}",
            yaxis=f"y{axis}",
            showlegend=False,
            customdata=texts,
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    for row, (is_best, value, text) in enumerate(zip(best_flags, values, texts, strict=True)):
        figure.add_annotation(
            x=max(value, 0.0) if math.isfinite(value) else 0.0,
            y=row,
            xref=f"x{axis}",
            yref=f"y{axis}",
            text=f"<b>{text} ★</b>" if is_best else text,
            xanchor="left",
            xshift=3,
            showarrow=False,
            font={"size": SMALL, "color": DARK_GREEN if is_best else INK if math.isfinite(value) else MUTED},
        )
    end = (highest - lowest) * panel_width / max(
        panel_width - text_width_needed, panel_width * 0.3
    ) + lowest  # room for the longest bar's number
    figure.update_layout(
        {
            f"xaxis{axis}": {
                "domain": x_domain,
                "range": (lowest, end),
                "anchor": f"y{axis}",
                "showticklabels": False,
                "showgrid": False,
            },
            f"yaxis{axis}": {
                "domain": y_domain,
                "range": (len(values) - 0.5, -0.5),
                "anchor": f"x{axis}",
                "showgrid": False,
                "showline": True,
                "linecolor": PALE_GREY,
                "tickvals": list(range(len(values))),
                "ticktext": labels or [],
                "showticklabels": labels is not None,
            },
        }
    )
    _panel_title(figure, entry.title, entry.better, x_domain[0], y_domain[1], sheet, panel_width)


def _panel_title(
    figure: go.Figure, title: str, better: str, left: float, bottom: float, sheet: Sheet, panel_width: float
) -> None:
    """Write the title of the measure and its direction above the panel."""
    hints = {"higher": sheet.say("longer is better →"), "lower": sheet.say("← shorter is better")}
    lines = wrap(sheet.say(title), panel_width, TEXT, max_lines=2)
    hint = f'<br><span style="font-size:{SMALL}px;color:{MUTED}">{hints.get(better, "")}</span>'
    figure.add_annotation(
        text="<b>" + "<br>".join(map(escape_markup, lines)) + "</b>" + hint,
        x=left,
        y=bottom,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        align="left",
        showarrow=False,
        borderpad=0,
        font={"size": SMALL},
    )
