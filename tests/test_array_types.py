"""Arrays are what their annotations say, watched while whole recipes run.

mypy takes np.zeros(3, dtype=np.float64), x.astype(np.float64) and most functions of numpy for any array where
an annotation expects one: in a direct return or assignment it finds no wrong dtype. Here it is found.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import insanonym_core
from insanonym_core.experiment import run
from insanonym_core.recipe_file import recipe_from_text
from tests.experiment.test_run import ALL

CORE = Path(insanonym_core.__file__).parent
KINDS = {"Ints": "iu", "Floats": "f", "Bools": "b", "Complexes": "c", "Dates": "M", "Bytes": "u"}


def annotated(root: Path) -> dict[tuple[str, int], dict[str, ast.expr]]:
    """The annotations of each function with an array in its signature, by file and first line."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                wanted = {one.arg: one.annotation for one in arguments if one.annotation}
                wanted |= {"return": node.returns} if node.returns else {}
                if any(name in ast.unparse(one) for one in wanted.values() for name in KINDS):
                    line = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                    found[str(path), line] = wanted
    return found


def wrong(annotation: ast.expr, value: object) -> Iterator[str]:
    """What is wrong with a value: the names of arrays in its annotation, and the dtypes that came."""
    if isinstance(annotation, ast.Name) and annotation.id in KINDS and isinstance(value, np.ndarray):
        if value.dtype.kind not in KINDS[annotation.id]:
            yield f"{annotation.id} is {value.dtype}"
    elif isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "tuple":
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        if isinstance(value, tuple) and len(parts) == len(value):
            for part, one in zip(parts, value, strict=True):
                yield from wrong(part, one)


class Watch:
    """Notes wrong arrays at each call and return of an annotated function, while it is active."""

    def __init__(self, root: Path, module: str = "insanonym_core") -> None:
        self.module = module
        self.functions, self.found, self.seen = annotated(root), set(), set()

    def __call__(self, frame: FrameType, event: str, value: object) -> None:
        code = frame.f_code
        if event == "return" and (code.co_name, code.co_filename) == ("__init__", "<string>"):
            self.check_fields(frame.f_locals.get("self"))
        wanted = self.functions.get((code.co_filename, code.co_firstlineno))
        if wanted is None or event not in ("call", "return"):
            return
        self.seen.add(code.co_name)
        values = {"return": value} if event == "return" else frame.f_locals
        for name, annotation in wanted.items():
            if (name == "return") == (event == "return") and name in values:
                where = f"{Path(code.co_filename).name}: {code.co_name}, {name}"
                self.found |= {f"{where}: {one}" for one in wrong(annotation, values[name])}

    def check_fields(self, made: object) -> None:
        """Check the fields of a dataclass of ours that was just made."""
        if dataclasses.is_dataclass(made) and type(made).__module__.startswith(self.module):
            for field in dataclasses.fields(made):
                annotation = ast.parse(str(field.type), mode="eval").body
                where = f"{type(made).__name__}.{field.name}"
                self.found |= {f"{where}: {one}" for one in wrong(annotation, getattr(made, field.name))}

    def __enter__(self) -> Watch:
        sys.setprofile(self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_arrays_have_the_annotated_kind(name):
    recipe = recipe_from_text(ALL[name])
    with Watch(CORE) as watch:
        run(recipe)
    assert len(watch.seen) > 20
    assert watch.found == set()


MISTAKEN = """from __future__ import annotations
from dataclasses import dataclass
import numpy as np

def counts(values: Ints) -> Ints:
    return values.astype(np.float64)

def both(values: Ints) -> tuple[Ints, Bools]:
    return values, values

@dataclass
class Lengths:
    value: Floats
"""


def test_a_wrong_dtype_is_found(tmp_path, monkeypatch):
    (tmp_path / "mistaken.py").write_text(MISTAKEN)
    monkeypatch.syspath_prepend(tmp_path)
    mistaken = importlib.import_module("mistaken")
    with Watch(tmp_path, "mistaken") as watch:
        mistaken.counts(np.arange(3))
        mistaken.both(np.arange(3))
        mistaken.counts(np.arange(3.0))
        mistaken.Lengths(np.arange(3))
        mistaken.Lengths(np.arange(3.0))
    assert watch.found == {
        "mistaken.py: counts, return: Ints is float64",
        "mistaken.py: both, return: Bools is int64",
        "mistaken.py: counts, values: Ints is float64",
        "Lengths.value: Floats is int64",
    }
