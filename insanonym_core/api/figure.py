"""A figure of a result: shown in a notebook, or saved."""

from __future__ import annotations

import math
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import escape

from insanonym_core.errors import UsageError, brief

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from insanonym_core.figures.gallery import Drawable
    from insanonym_core.figures.theme import Size


class Figure:
    """One picture of a result.

    A notebook shows it without asking any other host: it carries the library that draws it (2 MB).

    Attributes
    ----------
    name, title : str
        What `Result.figure` knows it by, and what stands above it.
    plotly : plotly.graph_objects.Figure
        The figure itself, to change it.

    """

    def __init__(
        self, name: str, title: str, plotly: go.Figure, draw: Callable[[Size], go.Figure | None]
    ) -> None:
        self.name, self.title, self.plotly = name, title, plotly
        self._draw = draw

    def save(self, path: str | PathLike[str], *, width: str = "", force: bool = False) -> Path:
        """Write the figure as .html, .svg, .png or .pdf.

        Parameters
        ----------
        path : path
            Its suffix says the format; all but .html are drawn by Chrome or Chromium.
        width : str
            For print: 85mm, 170mm or slide. The figure is drawn anew at that width, with no text below 7
            points, and its caption is written beside it. What was changed in `plotly` is not in it.
        force : bool
            Overwrite the file if there is one.

        Returns
        -------
        Path
            Where the figure is.

        Raises
        ------
        UsageError
            For another format, a file that exists, or where no browser is found.

        """
        from insanonym_core.figures.export import save
        from insanonym_core.figures.gallery import Picture

        if width:
            return Picture(self.name, self.title, "", self._draw).save(Path(path), width=width, force=force)
        return save(self.plotly, Path(path), force=force)

    def __repr__(self) -> str:
        return f"<Figure {self.name}: {self.title}>"

    def _repr_html_(self) -> str:
        from insanonym_core.figures.export import as_small_html

        width, height = (math.ceil(self.plotly.layout[side]) for side in ("width", "height"))
        style = f"border: 0; width: {width + 2}px; max-width: 100%; height: {height + 2}px"
        page = as_small_html(self.plotly).replace("&", "&amp;").replace('"', "&quot;")
        frame = (
            f'<iframe sandbox="allow-scripts" title="{escape(self.title)}" style="{style}" srcdoc="{page}">'
        )
        return f"{frame}</iframe>"


def no_figure(name: str, known: list[Drawable], hidden: bool) -> UsageError:
    """The error for a figure that there is not, or that is `hidden` because it may show people."""
    if hidden:
        return UsageError(
            "The figure {name} may show single people: ask for it with individuals=True.", name=brief(name)
        )
    names = ", ".join(one.name for one in known)
    return UsageError(
        "There is no figure called {name}; choose from: {names}.", name=brief(name), names=names
    )
