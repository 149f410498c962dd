"""A lesson as a page to read beside the dashboard: no script, nobody asked; solutions are folded."""

from __future__ import annotations

import html
import json
import re
from itertools import pairwise
from pathlib import Path

from insanonym_core.texts import say

_STYLE = """
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
            parts.append(_text(source))
            continue
        code = f"<pre>{html.escape(source)}</pre>"
        folded = "solution" in cell["metadata"].get("tags", ())
        parts.append(f"<details><summary>Solution</summary>{code}</details>" if folded else code)
    name = html.escape(path.name)
    work = say("To work on it in JupyterLab, run {command} or take the notebook:", lang, command="§")
    work = html.escape(work).replace("§", "<code>insanonym lessons</code>")
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{name}</title>'
        '<link rel="icon" href="data:,">'
        f"<style>{_STYLE}</style></head><body><header>{work} "
        f'<a href="{name}" download>{name}</a></header>{"".join(parts)}</body></html>'
    )


def _text(source: str) -> str:
    """Markdown as HTML, its formulas as MathML: browsers draw it without a script."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        def inline_math(self, body: str) -> str:
            return formula(body)

        def block_math(self, body: str) -> str:
            return formula(body, block=True)

    return str(MarkdownWithMath(renderer=Renderer(escape=False)).render(source))


_TOKEN = re.compile(
    r"\\text\{(?P<text>[^{}]*)\}|\\(?P<command>[A-Za-z]+|.)"
    r"|(?P<number>[0-9]+(?:(?:\.|\{,\})[0-9]+)?)|(?P<sign>'+|\S)",
    re.DOTALL,
)
_NAMES = ("ln", "log", "exp", "max", "min")
_GREEK = {
    **{
        "alpha": "α",
        "beta": "β",
        "gamma": "γ",
        "delta": "δ",
        "epsilon": "ϵ",
        "varepsilon": "ε",
        "theta": "θ",
    },
    **{"lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "Delta": "Δ", "Sigma": "Σ"},
}
_OPERATORS = {"cdot": "⋅", "times": "×", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "approx": "≈"}
_THIN = '<mspace width="0.17em"></mspace>'


def formula(tex: str, *, block: bool = False) -> str:
    r"""The TeX of our lessons as MathML; what it does not know is shown as it was written.

    >>> formula(r"z_1^2")
    '<math><msubsup><mi>z</mi><mn>1</mn><mn>2</mn></msubsup></math>'
    """
    try:
        parser = _Formula(tex)
        content = parser.row(until="")
    except (IndexError, ValueError):
        return f"<code>{html.escape(tex.strip())}</code>"
    return f'<math display="block">{content}</math>' if block else f"<math>{content}</math>"


class _Formula:
    """Reads tokens from left to right; an unknown one is a ValueError, a missing one an IndexError."""

    def __init__(self, tex: str) -> None:
        self._tokens = list(_TOKEN.finditer(tex))
        self._place = 0

    def _sign(self) -> str:
        """The sign that comes next, if it is one."""
        more = self._place < len(self._tokens)
        return self._tokens[self._place]["sign"] or "" if more else ""

    def row(self, until: str) -> str:
        """Everything up to a closing brace, or up to the end."""
        items: list[str] = []
        while self._place < len(self._tokens) if not until else self._sign() != until:
            items.append(self._with_scripts())
        self._place += bool(until)
        return "".join(_spaced(items))

    def _with_scripts(self) -> str:
        limits = self._tokens[self._place]["command"] in ("sum", "max", "min")
        base, below, above = self._item(), "", ""
        while (sign := self._sign()[:1]) and sign in "_^'":
            if below if sign == "_" else above:
                raise ValueError("two scripts in one place")
            self._place += sign != "'"  # a prime is a script itself
            if sign == "_":
                below = self._item()
            else:
                above = self._item()
        names = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
        if below and above:
            return f"<{names[2]}>{base}{below}{above}</{names[2]}>"
        if below or above:
            name = names[0] if below else names[1]
            return f"<{name}>{base}{below or above}</{name}>"
        return base

    def _item(self) -> str:
        token = self._tokens[self._place]
        self._place += 1
        if token["text"] is not None:
            return f"<mtext>{html.escape(token['text'])}</mtext>"
        if token["number"]:
            return f"<mn>{token['number'].replace('{,}', ',')}</mn>"
        return self._command(token["command"]) if token["command"] else self._plain(token["sign"])

    def _plain(self, sign: str) -> str:
        if sign == "{":
            return f"<mrow>{self.row(until='}')}</mrow>"
        if sign in "}_^&#%~$\\":
            raise ValueError(sign)
        if sign == "|":  # at both ends of a value: no space around it
            return '<mo stretchy="false" lspace="0" rspace="0">|</mo>'
        if sign.isalpha():
            return f"<mi>{sign}</mi>"
        return f"<mo>{html.escape(sign.replace('-', '−').replace(chr(39), '′'))}</mo>"

    def _command(self, name: str) -> str:
        if name == "frac":
            return f"<mfrac>{self._item()}{self._item()}</mfrac>"
        if name == "sqrt":
            return f"<msqrt>{self._item()}</msqrt>"
        if name == "sum":
            return "<mo>∑</mo>"
        if name in _NAMES:
            return f"<mi>{name}</mi>"
        if name in _GREEK:
            return f"<mi>{_GREEK[name]}</mi>"
        if name in _OPERATORS:
            return f"<mo>{_OPERATORS[name]}</mo>"
        if name in (",", ";", " "):
            return _THIN
        raise ValueError(name)


def _spaced(items: list[str]) -> list[str]:
    """A thin space around ln and the like, where no sign stands between it and its neighbour."""
    named = tuple(f"<mi>{name}</mi>" for name in _NAMES)
    spaced = items[:1]
    for before, item in pairwise(items):
        touches = (before in named and not item.startswith("<mo>")) or (
            item in named and not before.startswith(("<mo", "<mspace"))
        )
        spaced += [_THIN, item] if touches else [item]
    return spaced
