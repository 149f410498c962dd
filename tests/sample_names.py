"""Names and texts of the project, drawn at random: is each understood without reading the code behind it?

    python -m tests.sample_names --seed 7

draws ten functions, classes and constants, parameters, docstrings (first lines) and messages of errors each.
Run it with a seed that was not used before, judge each line as a stranger would, and fix what is puzzling
wherever it occurs in that way. Nothing here passes or fails by itself.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("insanonym_core", "dashboard", "tests", "benchmarks")
SORTS = ("function", "class or constant", "parameter", "docstring", "message")
MIN_WORDS = 3  # a shorter text is a label, not a message


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--seed", type=int, required=True)
    options.add_argument("--number", type=int, default=10, help="how many of each sort are drawn")
    options.add_argument("--root", type=Path, default=ROOT, help="another checkout")
    options.add_argument("--in", dest="folders", nargs="+", default=FOLDERS, help="folders to draw from")
    chosen = options.parse_args()
    found = [one for folder in chosen.folders for one in named_in(chosen.root, chosen.root / folder)]
    draw = random.Random(chosen.seed)  # noqa: S311
    lines = [
        f"{sort}: {text}  ({place})"
        for sort in SORTS
        for text, place in draw.sample(
            sorted({(text, place) for one, text, place in found if one == sort}), chosen.number
        )
    ]
    for number, line in enumerate(lines, start=1):
        sys.stdout.write(f"{number:2}. {line}\n")


def named_in(root: Path, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield sort, text and place of each name, docstring and message of the modules in a folder."""
    for path in sorted(folder.rglob("*.py")):
        if "texts" in path.parts or path.name == "sample_names.py":
            continue  # translations are judged as French, not as names
        for line, sort, text in names_of(ast.parse(path.read_text(encoding="utf-8"))):
            yield sort, text, f"{path.relative_to(root)}:{line}"


def names_of(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yield line, sort and text of everything that is named or said in a module."""
    yield from docstring(tree, "the module")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from function_names(node)
        elif isinstance(node, ast.ClassDef):
            yield node.lineno, "class or constant", node.name
            yield from docstring(node, node.name)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            text = message(node.exc.args[0])
            if len(text.split()) >= MIN_WORDS:
                yield node.lineno, "message", text
    for statement in tree.body:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            if isinstance(target, ast.Name) and not target.id.startswith("__"):
                yield statement.lineno, "class or constant", target.id


def function_names(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[int, str, str]]:
    """Yield the signature of a function, its parameters and its docstring."""
    if not node.name.startswith("__"):
        yield node.lineno, "function", f"{node.name}({ast.unparse(node.args)})"
    yield from docstring(node, node.name)
    for argument in (*node.args.args, *node.args.kwonlyargs):
        if argument.arg not in ("self", "cls"):
            yield argument.lineno, "parameter", f"{argument.arg} of {node.name}"


def docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str
) -> Iterator[tuple[int, str, str]]:
    """Yield the first line of a docstring, if there is one."""
    text = ast.get_docstring(node)
    if text:
        yield getattr(node, "lineno", 1), "docstring", f"{name}: {text.splitlines()[0]}"


def message(node: ast.expr) -> str:
    """A text as it is written, with … for what is filled in; empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return ""


if __name__ == "__main__":
    main()
