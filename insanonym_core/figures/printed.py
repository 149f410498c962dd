"""A figure for print: the file at its true width, its caption as a text, and what LaTeX and Word need."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from insanonym_core.figures.export import FORMATS, save
from insanonym_core.figures.print_width import CAPTION, LATEX, PAGE, WORD, PrintWidth, print_width
from insanonym_core.figures.theme import Size
from insanonym_core.io.output import check_writable, writing

if TYPE_CHECKING:
    import plotly.graph_objects as go

_LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "→": r"$\rightarrow$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "×": r"$\times$",
    "Σ": r"$\Sigma$",
    "′": "$'$",
    "·": r"\textperiodcentered{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\u202f": r"\,",
    "\u00a0": "~",
}


@dataclass(frozen=True)
class Printing:
    """How the figures of a report are saved beside it: formats, width, with or without title and card."""

    formats: tuple[str, ...] = FORMATS[1:]
    width: str = PAGE.name
    title: bool = True
    card: bool = True

    @property
    def paper(self) -> PrintWidth:
        """The width on paper."""
        return print_width(self.width)

    @property
    def size(self) -> Size:
        """The size at which a figure is laid out."""
        return self.paper.layout(title=self.title, card=self.card)


@dataclass(frozen=True)
class Printed:
    """The files of one figure, its width on paper and its caption."""

    name: str
    paths: tuple[Path, ...]
    width: PrintWidth
    caption: str
    lang: str

    def latex(self) -> str:
        """A figure environment that includes the file at its width."""
        path = self._of("pdf", "png")
        if path is None:
            return ""
        star = "*" if self.width.millimetres > 85 else ""
        return (
            f"\\begin{{figure{star}}}\n  \\centering\n"
            f"  \\includegraphics[width={self.width.millimetres:g}mm]{{{path.name}}}\n"
            f"  \\caption{{{latex_text(self.caption)}}}\n  \\label{{fig:{self.name}}}\n"
            f"\\end{{figure{star}}}\n"
        )

    def word(self) -> str:
        """A paragraph with the picture at its width and its caption, which Word opens and pastes."""
        path = self._of("png", "svg")
        if path is None:
            return ""
        return (
            f'<p><img src="{quote(path.name)}" style="width: {self.width.millimetres:g}mm" '
            f'alt="{escape(self.caption)}"></p>\n<p class="MsoCaption">{escape(self.caption)}</p>\n'
        )

    def _of(self, *kinds: str) -> Path | None:
        suffixes = {path.suffix.lstrip("."): path for path in self.paths}
        return next((suffixes[kind] for kind in kinds if kind in suffixes), None)


def save_printed(
    figure: go.Figure,
    paths: Sequence[Path],
    width: PrintWidth,
    *,
    name: str = "",
    force: bool = False,
) -> Printed:
    """Write a figure that was laid out for a width, and its caption beside it."""
    meta, caption = figure.layout.meta or {}, caption_of(figure)
    beside = caption_path(paths[0])
    is_new = force or not _has(beside, caption)  # the same figure in another format has the same caption
    for path in (*paths, *([beside] if is_new else [])):
        check_writable(path, force=force)
    for path in paths:
        kind = path.suffix.lower().lstrip(".")
        save(figure, path, millimetres=width.millimetres if kind in FORMATS[1:] else None, force=force)
    if is_new:
        with writing(beside, force=force) as temporary:
            temporary.write_text(caption + "\n", encoding="utf-8", newline="\n")
    return Printed(name or paths[0].stem, tuple(paths), width, caption, str(meta.get("lang", "en")))


def _has(path: Path, caption: str) -> bool:
    """Whether a file holds that caption."""
    try:
        return path.read_text("utf-8") == caption + "\n"
    except (OSError, UnicodeDecodeError):
        return False


def caption_path(path: Path) -> Path:
    """Where the caption of a figure is written."""
    return path.with_name(path.stem + CAPTION)


def caption_of(figure: go.Figure) -> str:
    """The title of a figure and its recipe card."""
    meta = figure.layout.meta or {}
    parts = (re.sub(r"\s+", " ", str(meta.get(name, ""))).strip().rstrip(".") for name in ("title", "card"))
    return " ".join(f"{part}." for part in parts if part)


def write_snippets(printed: Sequence[Printed], folder: Path) -> list[Path]:
    """Write how LaTeX and Word include the figures of a folder, each in a file, where they can."""
    written = []
    latex = "\n".join(filter(None, (one.latex() for one in printed)))
    if latex:
        written.append(folder / LATEX)
        written[-1].write_text(latex, encoding="utf-8", newline="\n")
    word = "".join(one.word() for one in printed)
    if word:
        lang = printed[0].lang
        written.append(folder / WORD)
        written[-1].write_text(
            f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8"><title>{WORD}</title></head>\n'
            f"<body>\n{word}</body></html>\n",
            encoding="utf-8",
            newline="\n",
        )
    return written


def latex_text(text: str) -> str:
    """A text with the signs of LaTeX escaped."""
    return "".join(_LATEX_SIGNS.get(sign, sign) for sign in text)
