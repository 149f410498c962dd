"""Every English text that has to be in the catalogue, found in the sources and in what is registered.

Python is read by its syntax tree: the literal texts handed to Phrase, say, our errors and the rest of
KEYWORDS, also where they come from a constant, a dictionary or a choice of two. Babel's own extractor sees
only literals inside the call. What is registered (measures, methods, attacks, kinds, panels) is asked for its
titles, formulas and docstrings.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2.ext import babel_extract

import insanonym_core
import insanonym_dashboard
from insanonym_core.kinds import all_kinds, resolve
from insanonym_core.parameters import WEEKDAYS, Choice, Range
from insanonym_core.presets import presets_of
from insanonym_core.registry import attacks, methods, metrics
from insanonym_core.results.threats import GROUPS
from insanonym_dashboard.downloads import FIGURES, MENU
from insanonym_dashboard.panels.compare import TRAIL
from insanonym_dashboard.panels.tab import ALL_MEASURES, COMPARISON
from insanonym_dashboard.panels.tables import LEARNED
from insanonym_dashboard.recipe_menu import ENTRIES as RECIPE_MENU
from insanonym_dashboard.tab_names import tabs

ERRORS = (
    "InsanonymError",
    "UsageError",
    "DataError",
    "WriteError",
    "TooLargeError",
    "DiskError",
    "OtherEncodingError",
)
KEYWORDS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(ERRORS, (0,)),
    **dict.fromkeys(
        ("Phrase", "say", "_say", "labelled", "Sentence", "sentence", "undefined", "progress"), (0,)
    ),
    **dict.fromkeys(("Problem", "Threat", "row_threat", "named", "_problem", "_feedback_problem"), (1,)),
    **dict.fromkeys(
        ("refuse_hidden", "small_text", "_refuse_missing", "_add_problem", "note", "problem"), (2,)
    ),
    "warn": (1,),
    "checkpoint": (0,),
    "Entry": (4,),
    "_page": (1, 2, 3, 4),
    "refuse_too_large": (2, 3),
}
EVIDENCE = {"Distribution", "Bars", "Matrix", "Table", "TableEvidence", "CellMap", "PoiMap", "Curve", "Cloud"}
EVIDENCE |= {"Flow", "Tree", "histogram", "_table_per_individual"}
SOURCES = (Path(insanonym_core.__file__).parent, Path(insanonym_dashboard.__file__).parent)
OURS = ("insanonym_core", "insanonym_dashboard")
# Nothing but places and signs that are set alike in both languages.
_SENTENCE = re.compile(
    r"[A-Z{“][^<]*( [^<]*){3}[.:]", re.S
)  # a constant in capitals that is one is said to people
_WORDLESS = re.compile(r"(\{[^}]*\}|[^\w:;?!%]|[\d_])*")


@dataclass(frozen=True)
class Text:
    """An English text, the plural and the context where it has them, and where it was found."""

    id: str
    place: str
    many: str = ""
    context: str = ""

    @property
    def key(self) -> str:
        """What `french()` knows it by."""
        return f"{self.context}:{self.id}" if self.context else self.id


@cache
def extracted() -> tuple[Text, ...]:
    """All texts, in the order of the files; one that stands in several places comes several times."""
    found = [*_in_sources(), *_registered(), *_of_kinds()]
    with_plural = {form for one in found if one.many for form in (one.id, one.many)}
    kept = (one for one in found if one.many or one.id not in with_plural)
    return tuple(one for one in kept if not _WORDLESS.fullmatch(one.id))


@cache
def literals() -> dict[str, str]:
    """Every literal text of the sources, with its file: a translation of none of them is never said.

    Some texts reach say() by roads that no reading of the sources follows, such as labels inside evidence:
    the catalogue keeps them as long as they are literals somewhere.
    """
    found: dict[str, str] = {}
    for path in _files(".py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for text in (node.value, node.value.replace("_", " ")):  # details are shown by their names
                    found.setdefault(text, _place(path))
    return found


def _files(suffix: str) -> Iterator[Path]:
    for home in SOURCES:
        yield from sorted(home.rglob(f"*{suffix}"))


def _place(path: Path) -> str:
    home = next(one for one in SOURCES if path.is_relative_to(one))
    return str(path.relative_to(home.parent))


def _in_sources() -> Iterator[Text]:
    for path in _files(".py"):
        yield from _in_python(path)
    for path in _files(".html"):
        with path.open("rb") as file:
            for _, _, text, _ in babel_extract(file, ("t",), (), {}):
                yield Text(str(text), _place(path))


def _in_python(path: Path) -> Iterator[Text]:
    tree, place = ast.parse(path.read_text("utf-8")), _place(path)
    known = _assigned(tree)
    if "cli" not in path.parts:
        for values in _constants_of(place.removesuffix(".py").replace("/", ".")).values():
            said = (text for value in values for text in _texts(value, {}))
            yield from (Text(text, place) for text in said if _SENTENCE.fullmatch(text))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = called(node)
        if name == "plural" and len(node.args) == 2:
            forms = [next(_texts(argument, known), "") for argument in node.args]
            yield from [Text(forms[0], place, forms[1])] if all(forms) else []
        for position in KEYWORDS.get(name, ()):
            if len(node.args) > position:
                yield from (Text(text, place) for text in _texts(node.args[position], known))
        if name in EVIDENCE and node.args:
            yield from (Text(text, place) for text in _texts(node.args[0], known))


def _assigned(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """What each name is set to: here, by a loop over a constant, or in a module that it is imported from."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(OURS):
            constants = _constants_of(node.module or "")
            for alias in node.names:
                found.setdefault(alias.asname or alias.name, []).extend(constants.get(alias.name, []))
                for name, values in _constants_of(f"{node.module}.{alias.name}").items():
                    found.setdefault(name, []).extend(values)  # of a module: said as module.NAME
        elif isinstance(node, ast.For | ast.comprehension):
            *_, last = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
            looped = node.iter
            if isinstance(looped, ast.Call) and called(looped) in ("items", "values"):
                looped = looped.func.value if isinstance(looped.func, ast.Attribute) else looped
            if isinstance(last, ast.Name) and isinstance(looped, ast.Name) and looped.id.isupper():
                found.setdefault(last.id, []).append(looped)
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
            found.setdefault(node.target.id, []).append(node.value)
    return found


@cache
def _constants_of(module: str) -> dict[str, list[ast.expr]]:
    """What the names at the top of a module of ours are set to, if they are in capitals."""
    home = next(one for one in SOURCES if one.name == module.partition(".")[0])
    path = home.parent / f"{module.replace('.', '/')}.py"
    if not path.exists():
        return {}
    body = ast.parse(path.read_text("utf-8")).body
    return {
        target.id: [node.value]
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.isupper()
    }


def _texts(node: ast.expr, known: dict[str, list[ast.expr]], depth: int = 0) -> Iterator[str]:
    """The literal texts that an expression may be."""
    parts: list[ast.expr] = []
    match node:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp(body=body, orelse=otherwise):
            parts = [body, otherwise]
        case ast.BoolOp(values=values) | ast.Dict(values=values):
            parts = values
        case ast.Tuple(elts=values) | ast.List(elts=values):
            parts = values
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(), attr=name) if depth < 5:
            parts = known.get(name, [])
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(place))):
            tuples = [one for one in known.get(name, []) if isinstance(one, ast.Tuple)]
            parts = [one.elts[place] for one in tuples if place < len(one.elts)]
        case ast.Subscript(value=value):
            parts = [value]
        case ast.Call(func=ast.Attribute(value=value, attr="get"), args=arguments):
            parts = [value, *arguments[1:]]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            ends = list(_texts(right, known, depth + 1))
            yield from (start + end for start in _texts(left, known, depth + 1) for end in ends)
    for part in parts:
        yield from _texts(part, known, depth + 1)


def literal_values(tree: ast.Module, names: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """The literal texts that fill places in calls of these names, with the line of the call."""
    known = _assigned(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in names:
            for keyword in node.keywords:
                yield from ((node.lineno, text) for text in _texts(keyword.value, known))


def called(node: ast.Call) -> str:
    """The name of what is called."""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


def _registered() -> Iterator[Text]:
    """Titles, formulas, docstrings, threats and parameters of our measures, methods and attacks."""
    for registry in (metrics, methods, attacks):
        yield Text(registry.sort, "insanonym_core/registry.py")
        for entry in registry.all():
            if not entry.item.__module__.startswith(OURS):
                continue
            place = f"{entry.item.__module__.replace('.', '/')}.py"
            yield from (Text(text, place) for text in (entry.title, entry.help, entry.formula) if text)
            for parameter in entry.parameters.values():
                yield Text(parameter.name, place, context="parameter")
                match parameter.constraint:
                    case Range(unit=unit, zero=zero):
                        yield from (Text(text, place) for text in (unit, zero) if text)
                    case Choice(values=values):
                        yield from (Text(value, place, context="choice") for value in values)
    yield from (Text(day, "insanonym_core/parameters.py") for day in WEEKDAYS)
    for group in GROUPS:
        yield from (Text(text, "insanonym_core/threats.py") for text in (group, group.capitalize()))


def _of_kinds() -> Iterator[Text]:
    """Titles of our kinds, of their data and headlines, and of the pages and figures of their tabs."""
    for kind in all_kinds().values():
        if not (isinstance(kind.read, str) and kind.read.startswith(OURS)):
            continue
        place = f"{kind.read.partition(':')[0].rpartition('.')[0].replace('.', '/')}/kind.py"
        headlines = [one for known in kind.headlines.values() for one in known]
        said = [kind.title, kind.data_title, *(demo.title for demo in kind.demos.values())]
        said += [text for one in headlines for text in (one.title, one.formula)]
        said += [preset.title for preset in presets_of(kind)]
        if kind.attack_threat is not None:
            said.append(kind.attack_threat.text)
        panel = resolve(kind.panel)
        for page, figures in panel.pages.items():
            said += [page, *figures]
        said += [*panel.explanations.values(), *panel.hints.values()]
        yield from (Text(text, place) for text in said)
    page = [
        *tabs().values(),
        *MENU,
        *FIGURES,
        *RECIPE_MENU,
        *LEARNED.values(),
        ALL_MEASURES,
        COMPARISON,
        TRAIL,
    ]
    yield from (Text(text, "insanonym_dashboard/downloads.py") for text in page)
