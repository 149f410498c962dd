"""A lesson as an HTML page without scripts or network requests; solutions are folded."""

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
            parts.append(_markdown_to_html(source))
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
        f"<style>{_STYLE}</style></head><body><header>{how_to_work} "
        f'<a href="{name}" download>{name}</a></header>{"".join(parts)}</body></html>'
    )


def _markdown_to_html(source: str) -> str:
    """Convert Markdown to HTML, with formulas as MathML, which needs no script."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        def inline_math(self, body: str) -> str:
            return formula(body)

        def block_math(self, body: str) -> str:
            return formula(body, block=True)

    return str(MarkdownWithMath(renderer=Renderer(escape=False)).render(source))


_TOKEN_PATTERN = re.compile(
    r"\\text\{(?P<text>[^{}]*)\}|\\(?P<command>[A-Za-z]+|.)"
    r"|(?P<number>[0-9]+(?:(?:\.|\{,\})[0-9]+)?)|(?P<sign>'+|\S)",
    re.DOTALL,
)
_FUNCTION_NAMES = ("ln", "log", "exp", "max", "min")
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
_THIN_SPACE = '<mspace width="0.17em"></mspace>'


def formula(tex: str, *, block: bool = False) -> str:
    r"""Convert the subset of TeX used in the lessons to MathML; return other TeX unchanged, as code.

    >>> formula(r"z_1^2")
    '<math><msubsup><mi>z</mi><mn>1</mn><mn>2</mn></msubsup></math>'
    """
    try:
        parser = _FormulaParser(tex)
        content = parser.row(until="")
    except (IndexError, ValueError):
        return f"<code>{html.escape(tex.strip())}</code>"
    return f'<math display="block">{content}</math>' if block else f"<math>{content}</math>"


class _FormulaParser:
    """Parser of a TeX formula; raises ValueError for unknown and IndexError for missing tokens."""

    def __init__(self, tex: str) -> None:
        self._tokens = list(_TOKEN_PATTERN.finditer(tex))
        self._position = 0

    def _next_sign(self) -> str:
        """The next token if it is a sign, else an empty string."""
        more = self._position < len(self._tokens)
        return self._tokens[self._position]["sign"] or "" if more else ""

    def row(self, until: str) -> str:
        """MathML of everything up to the sign `until`, or to the end if it is empty."""
        items: list[str] = []
        while self._position < len(self._tokens) if not until else self._next_sign() != until:
            items.append(self._with_scripts())
        self._position += bool(until)
        return "".join(_add_thin_spaces(items))

    def _with_scripts(self) -> str:
        """MathML of the next item with its subscript and superscript."""
        limits = self._tokens[self._position]["command"] in ("sum", "max", "min")
        base, below, above = self._item(), "", ""
        while (sign := self._next_sign()[:1]) and sign in "_^'":
            if below if sign == "_" else above:
                raise ValueError("two scripts in one place")
            self._position += sign != "'"  # a prime is a script itself
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
        """MathML of the next item: text, number, command or sign."""
        token = self._tokens[self._position]
        self._position += 1
        if token["text"] is not None:
            return f"<mtext>{html.escape(token['text'])}</mtext>"
        if token["number"]:
            return f"<mn>{token['number'].replace('{,}', ',')}</mn>"
        return (
            self._command_to_mathml(token["command"])
            if token["command"]
            else self._sign_to_mathml(token["sign"])
        )

    def _sign_to_mathml(self, sign: str) -> str:
        """MathML of a sign or of a group in braces; ValueError if it is not supported."""
        if sign == "{":
            return f"<mrow>{self.row(until='}')}</mrow>"
        if sign in "}_^&#%~$\\":
            raise ValueError(sign)
        if sign == "|":  # absolute value: no space around it
            return '<mo stretchy="false" lspace="0" rspace="0">|</mo>'
        if sign.isalpha():
            return f"<mi>{sign}</mi>"
        return f"<mo>{html.escape(sign.replace('-', '−').replace(chr(39), '′'))}</mo>"

    def _command_to_mathml(self, name: str) -> str:
        """MathML of a TeX command; ValueError if it is unknown."""
        if name == "frac":
            return f"<mfrac>{self._item()}{self._item()}</mfrac>"
        if name == "sqrt":
            return f"<msqrt>{self._item()}</msqrt>"
        if name == "sum":
            return "<mo>∑</mo>"
        if name in _FUNCTION_NAMES:
            return f"<mi>{name}</mi>"
        if name in _GREEK:
            return f"<mi>{_GREEK[name]}</mi>"
        if name in _OPERATORS:
            return f"<mo>{_OPERATORS[name]}</mo>"
        if name in (",", ";", " "):
            return _THIN_SPACE
        raise ValueError(name)


def _add_thin_spaces(items: list[str]) -> list[str]:
    """Insert thin spaces around function names such as ln, unless an operator is adjacent."""
    function_items = tuple(f"<mi>{name}</mi>" for name in _FUNCTION_NAMES)
    spaced = items[:1]
    for before, item in pairwise(items):
        touches = (before in function_items and not item.startswith("<mo>")) or (
            item in function_items and not before.startswith(("<mo", "<mspace"))
        )
        spaced += [_THIN_SPACE, item] if touches else [item]
    return spaced
