"""Several releases by several measures: the measures need not rank them alike."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import plotly.graph_objects as go

from insanonym_core.figures.card import Card
from insanonym_core.figures.sheet import Sheet
from insanonym_core.figures.theme import BLUE, GREEN, INK, MUTED, PALE_GREY, SCREEN, SMALL, TEXT, Size
from insanonym_core.figures.words import plain, shorten, width, wrap
from insanonym_core.registry import Measure

_PANEL, _ROW, _GAP = 185, 30, 28
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
    """`rows` holds the measures of each release; one panel per measure, each with its own axis."""
    sheet = Sheet(title, card, lang, size)
    names = list(dict.fromkeys(name for measures in rows.values() for name in measures))
    sheet.title = title or _verdict(rows, names, sheet)
    if not names:
        return sheet.empty()
    sheet.notes.append(sheet.say("★: the best release by that measure."))
    labels = [shorten(sheet.label(release), size.width * _SHARE_FOR_LABELS, SMALL) for release in rows]
    sheet.left += max(width(label, SMALL) for label in labels) + 10
    across = max(1, min(len(names), int((sheet.plot_width + _GAP) // (_PANEL + _GAP))))
    down = math.ceil(len(names) / across)
    head = 3 * SMALL * 1.4 + 8
    sheet.plot_height = down * (len(rows) * _ROW + head + 8)
    sheet.tick_lines = 0
    figure = sheet.finish()
    inside = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    for place, name in enumerate(names):
        column, row = place % across, place // across
        wide = (sheet.plot_width - (across - 1) * _GAP) / across
        left = column * (wide + _GAP) / sheet.plot_width
        top = 1 - row / down
        _panel(
            figure,
            str(place + 1) if place else "",
            [measures.get(name) for measures in rows.values()],
            (left, left + wide / sheet.plot_width),
            (top - 1 / down + 8 / inside, top - head / inside),
            [f"{plain(label)} " for label in labels] if column == 0 else None,
            sheet,
            wide,
        )
    return figure


def _verdict(rows: Mapping[str, Mapping[str, Measure]], names: Sequence[str], sheet: Sheet) -> str:
    if len(rows) < 2 or len(names) < 2:
        return sheet.say("Releases by measure")
    if disagree(rows, names):
        return sheet.say("The measures disagree about which release is safest")
    return sheet.say("The measures agree on the order of the releases")


def disagree(rows: Mapping[str, Mapping[str, Measure]], names: Sequence[str]) -> bool:
    """Whether of some two releases one measure prefers the first and another the second."""
    for one, other in combinations(rows.values(), 2):
        signs = {_preference(one[name], other[name]) for name in names if name in one and name in other}
        if {-1, 1} <= signs:
            return True
    return False


def goodness(measure: Measure | None) -> float:
    """The value turned so that more is better; NaN where there is none."""
    if measure is None:
        return math.nan
    return -measure.score.value if measure.entry.better == "lower" else measure.score.value


def _preference(one: Measure, other: Measure) -> int:
    gap = goodness(one) - goodness(other)
    return 0 if math.isnan(gap) or gap == 0 else int(math.copysign(1, gap))


def _panel(
    figure: go.Figure,
    axis: str,
    measures: Sequence[Measure | None],
    across: tuple[float, float],
    upwards: tuple[float, float],
    labels: list[str] | None,
    sheet: Sheet,
    wide: float,
) -> None:
    entry = next(measure.entry for measure in measures if measure is not None)
    values = [math.nan if measure is None else measure.score.value for measure in measures]
    found = [value for value in values if math.isfinite(value)]
    best = max((good for measure in measures if not math.isnan(good := goodness(measure))), default=math.nan)
    leading = [len(set(found)) > 1 and goodness(measure) == best for measure in measures]
    texts = [sheet.number(value) for value in values]
    room = max(width(f"★ {text}", SMALL * 1.1) for text in texts) + 10
    longest = max([*found, 0.0]) or 1.0
    least = min([*found, 0.0])
    figure.add_trace(
        go.Bar(
            x=[value if math.isfinite(value) else 0.0 for value in values],
            y=list(range(len(values))),
            orientation="h",
            width=0.6,
            marker={"color": [BLUE if leads else _PALE_BLUE for leads in leading]},
            xaxis=f"x{axis}",
            yaxis=f"y{axis}",
            showlegend=False,
            customdata=texts,
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    for place, (leads, value, text) in enumerate(zip(leading, values, texts, strict=True)):
        figure.add_annotation(
            x=max(value, 0.0) if math.isfinite(value) else 0.0,
            y=place,
            xref=f"x{axis}",
            yref=f"y{axis}",
            text=f"<b>{text} ★</b>" if leads else text,
            xanchor="left",
            xshift=3,
            showarrow=False,
            font={"size": SMALL, "color": GREEN if leads else INK if math.isfinite(value) else MUTED},
        )
    end = (longest - least) * wide / max(wide - room, wide * 0.3) + least  # room for the longest bar's number
    figure.update_layout(
        {
            f"xaxis{axis}": {
                "domain": across,
                "range": (least, end),
                "anchor": f"y{axis}",
                "showticklabels": False,
                "showgrid": False,
            },
            f"yaxis{axis}": {
                "domain": upwards,
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
    _head(figure, entry.title, entry.better, across[0], upwards[1], sheet, wide)


def _head(
    figure: go.Figure, title: str, better: str, left: float, bottom: float, sheet: Sheet, wide: float
) -> None:
    """The measure's name and where its good end is, above the panel."""
    hints = {"higher": sheet.say("longer is better →"), "lower": sheet.say("← shorter is better")}
    lines = wrap(sheet.say(title), wide, TEXT, most=2)
    hint = f'<br><span style="font-size:{SMALL}px;color:{MUTED}">{hints.get(better, "")}</span>'
    figure.add_annotation(
        text="<b>" + "<br>".join(map(plain, lines)) + "</b>" + hint,
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
