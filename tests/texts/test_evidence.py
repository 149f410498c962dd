"""What figures say has French: asked of the evidence of whole runs, and of the code that makes it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import insanonym_core
from insanonym_core.experiment import load, run
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.results.scores import (
    Bars,
    CellMap,
    Cloud,
    Curve,
    Distribution,
    Flow,
    Matrix,
    PoiMap,
    Table,
)
from insanonym_core.texts import Phrase, french
from tests.experiment.test_run import ALL, TABLE

KINDS = (Distribution, Bars, Matrix, Table, CellMap, PoiMap, Curve, Cloud, Flow)
RECIPES = ALL | {
    "mobility v1": ALL["mobility"] + "\nrules: v1",
    "sensitive": TABLE.replace("by: ", "sensitive: [LIBELLE_REGIME], by: "),
    "grown": TABLE.replace("mondrian: {k: 10}", "grow_projection: {start: [CONTINENT]}"),
}
# Put together where they are made, with a number or a column inside: no key can find them.
PUT_TOGETHER = re.compile(r"Predicting .+ of held-out originals")


@pytest.mark.parametrize("name", RECIPES)
def test_evidence_is_found_by_key(name):
    recipe = recipe_from_text(RECIPES[name])
    report = run(recipe)
    scores = [measure.score for measure in report.measures]
    said = {key(score.undefined_because) for score in scores if not score.defined}
    for evidence in (*report.evidence, *(piece for score in scores for piece in score.evidence)):
        said.update(texts_of(evidence))
    said -= {"", *getattr(load(recipe), "columns", ()), *french()}
    assert {text for text in said if not PUT_TOGETHER.fullmatch(text)} == set()


def test_titles_and_reasons_in_the_code_are_translated():
    said = dict(texts_in_code())
    assert len(said) > 30
    assert {text: place for text, place in said.items() if text not in french()} == {}


def texts_of(evidence: object) -> Iterator[str]:
    """What a figure writes that is no data: title, axes, groups, lines and heads; templates where known."""
    said = [getattr(evidence, name, "") for name in ("title", "what", "unit", "x_label", "y_label")]
    for name in ("counts", "groups", "marks", "references"):
        said.extend(getattr(evidence, name, ()))
    match evidence:
        case Table(columns=heads) | CellMap(values=heads):
            said.extend(heads)
    return map(key, said)


def key(text: str) -> str:
    return text.template if isinstance(text, Phrase) else text


def texts_in_code() -> Iterator[tuple[str, str]]:
    """Titles of evidence and reasons of undefined scores as they are written, with their place."""
    wanted = {kind.__name__ for kind in KINDS} | {
        "TableEvidence",
        "histogram",
        "_table_per_individual",
        "undefined",
    }
    home = Path(insanonym_core.__file__).parent
    for part in ("avatars", "mobility", "tabular", "traces"):
        for path in sorted((home / part).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            known = {
                target.id: node.value
                for node in tree.body
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and node.args and called(node) in wanted:
                    first = node.args[0]
                    if isinstance(first, ast.Call) and called(first) == "Phrase":
                        first = first.args[0]
                    if isinstance(first, ast.Name):
                        first = known.get(first.id, first)
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        yield first.value, f"{path.relative_to(home)}:{node.lineno}"


def called(node: ast.Call) -> str:
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")
