"""A lesson as an HTML page without scripts or network requests; solutions are folded."""

from __future__ import annotations

import html
import json
from pathlib import Path

from insanonym_core.texts import say

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2933; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
pre { background: #f1f3f5; padding: .7rem; overflow-x: auto; font-size: 14px; border-radius: 6px; }
table { border-collapse: collapse; } td, th { border: 1px solid #d5dbe1; padding: .2rem .6rem; }
details { margin: .6rem 0; } summary { cursor: pointer; color: #0072b2; } a { color: #0072b2; }
.anchor-link { display: none; } math[display="block"] { margin: .8rem 0; }
header { border-bottom: 1px solid #d5dbe1; margin-bottom: 1.5rem; padding-bottom: .6rem; }
"""


def lesson_page(path: Path, lang: str) -> str:
    """The notebook at `path` as HTML."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(markdown_to_html(source))
            continue
        code = f"<pre>{html.escape(source)}</pre>"
        folded = "solution" in cell["metadata"].get("tags", ())
        parts.append(f"<details><summary>Solution</summary>{code}</details>" if folded else code)
    name = html.escape(path.name)
    how_to_work = say("To work on it in JupyterLab, run {command} or take the notebook:", lang, command="§")
    how_to_work = html.escape(how_to_work).replace("§", "<code>insanonym lessons</code>")
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{name}</title>'
        '<link rel="icon" href="data:,">'
        f"<style>{STYLE}</style></head><body><header>{how_to_work} "
        f'<a href="{name}" download>{name}</a></header>{"".join(parts)}</body></html>'
    )


def markdown_to_html(source: str) -> str:
    """Convert Markdown to HTML, with formulas as MathML, which needs no script."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        def inline_math(self, body: str) -> str:
            return formula(body)

        def block_math(self, body: str) -> str:
            return formula(body, block=True)

    return str(MarkdownWithMath(renderer=Renderer(escape=False)).render(source))


def formula(tex: str, *, block: bool = False) -> str:
    """Return a TeX formula as MathML, or as code if math-core does not know all of it."""
    from math_core import LatexError, LatexToMathML

    try:
        return LatexToMathML().convert_with_local_state(tex, displaystyle=block)
    except LatexError:
        return f"<code>{html.escape(tex.strip())}</code>"
