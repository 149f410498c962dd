"""`Any` in a signature, a field or an alias of the core needs a reason: a comment `# Any: …` beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import insanonym_core

CORE = Path(insanonym_core.__file__).parent


def lines_with_any(source: str) -> Iterator[int]:
    """Yield the first line of each signature, field or alias that has an `Any` without its reason."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        for first, last, parts in annotated_parts(node):
            used = any(is_any(name) for part in parts for name in ast.walk(part))
            if used and not any("# Any: " in line for line in lines[first - 1 : last]):
                yield first


def annotated_parts(node: ast.AST) -> Iterator[tuple[int, int, list[ast.expr]]]:
    """Yield first line, last line and annotations of what a node declares."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        arguments += [one for one in (node.args.vararg, node.args.kwarg) if one]
        parts = [one.annotation for one in arguments if one.annotation]
        parts += [node.returns] if node.returns else []
        yield node.lineno, max(node.lineno, node.body[0].lineno - 1), parts
    elif isinstance(node, ast.ClassDef | ast.Module):
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                parts = [statement.annotation, *([statement.value] if statement.value else [])]
                yield statement.lineno, statement.end_lineno or statement.lineno, parts
            elif isinstance(statement, ast.Assign):
                yield statement.lineno, statement.end_lineno or statement.lineno, [statement.value]


def is_any(node: ast.AST) -> bool:
    """Whether this is the name Any, also inside an annotation that is written as a text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.endswith("[Any]") or node.value == "Any"
    return (isinstance(node, ast.Name) and node.id == "Any") or (
        isinstance(node, ast.Attribute) and node.attr == "Any"
    )


def test_every_any_of_the_core_has_its_reason():
    found = [
        f"{path.relative_to(CORE)}:{line}"
        for path in sorted(CORE.rglob("*.py"))
        for line in lines_with_any(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_what_counts_as_an_any_without_reason():
    assert list(lines_with_any("def f(a: int, *b: Any) -> None: ...")) == [1]
    assert list(lines_with_any("def f(\n    a: int,\n) -> dict[str, Any]:\n    return {}")) == [1]
    assert list(lines_with_any("class A:\n    b: list[Any]")) == [2]
    assert list(lines_with_any("Json = dict[str, Any]")) == [1]
    assert list(lines_with_any('Series: TypeAlias = "pd.Series[Any]"')) == [1]
    assert list(lines_with_any("def f(a: int) -> typing.Any:\n    return a")) == [1]
    assert list(lines_with_any("def f(a: Any) -> None:  # Any: numba has no types\n    ...")) == []
    assert list(lines_with_any("def f(\n    a: Any,  # Any: of JSON\n) -> None:\n    ...")) == []
    assert list(lines_with_any("def f() -> None:\n    found: dict[str, Any] = {}")) == []
