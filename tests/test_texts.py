"""French: everything that a measure, a method or a figure says has a translation, and a well-set one."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import insanonym_core
from insanonym_core import texts
from insanonym_core.experiment import load, run
from insanonym_core.kinds import all_kinds
from insanonym_core.parameters import Choice, Range
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.registry import attacks, methods, metrics
from insanonym_core.scores import Bars, CellMap, Cloud, Curve, Distribution, Flow, Matrix, PoiMap, Table
from insanonym_core.texts import Phrase, french, say
from tests.experiment.test_run import ALL, TABLE

MODULES = {
    module.name: importlib.import_module(f"{texts.__name__}.{module.name}").FRENCH
    for module in pkgutil.iter_modules(texts.__path__)
}
ENTRIES = {
    " ".join(filter(None, (registry.sort, entry.data, entry.name, entry.rules))): entry
    for registry in (metrics, methods, attacks)
    for entry in registry.all()
}
KINDS = (Distribution, Bars, Matrix, Table, CellMap, PoiMap, Curve, Cloud, Flow)
RECIPES = ALL | {
    "mobility v1": ALL["mobility"] + "\nrules: v1",
    "sensitive": TABLE.replace("by: ", "sensitive: [LIBELLE_REGIME], by: "),
    "grown": TABLE.replace("mondrian: {k: 10}", "grow_projection: {start: [CONTINENT]}"),
}
# Put together where they are made, with a number or a column inside: no key can find them.
PUT_TOGETHER = re.compile(r"Predicting .+ of held-out originals")
NO_BREAK = "\u00a0\u202f"
ILL_SET = {
    "no-break space before a high sign": rf"(?<![{NO_BREAK}])(?:[;?!»%]|:(?=\s|$))|«(?![{NO_BREAK}])",
    "no-break space where none belongs": rf"[{NO_BREAK}](?![:;?!»%\d])(?<!«.)",
    "straight apostrophe or quotation mark": r"""['"]""",
    "apostrophe left out": r"(?<![/\w])(?:[dlnsjt]|qu) (?=[aeiouyàâéèêëîïôû])(?!entropique)",
    "vowel not elided": r"(?i)\b(?:de|le|la|que|ne|se|jusque|lorsque|puisque) (?=[aeiouyàâéèêëîïôûœ])",
    "two spaces": r"  ",
    "English left in": r"(?i)\b(?:the|of|and|row|rows|held-out|dataset|record|records|utility|privacy)\b",
}


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_is_translated(name):
    entry = ENTRIES[name]
    said = [entry.title, entry.help, *filter(None, [entry.formula])]
    assert [text for text in said if not text or text not in french()] == []


@pytest.mark.parametrize("name", ENTRIES)
def test_every_parameter_is_translated(name):
    said = []
    for parameter in ENTRIES[name].parameters.values():
        said.append(f"parameter:{parameter.name}")
        match parameter.constraint:
            case Range(unit=unit) if unit:
                said.append(unit)
            case Choice(values=values):
                said.extend(f"choice:{value}" for value in values)
    assert [text for text in said if text not in french()] == []


@pytest.mark.parametrize("kind", all_kinds())
def test_every_headline_is_translated(kind):
    said = [
        text
        for known in all_kinds()[kind].headlines.values()
        for one in known
        for text in (one.title, one.formula)
    ]
    assert [text for text in said if text not in french()] == []


def test_no_text_is_translated_in_two_ways():
    ways: dict[str, dict[str, str]] = {}
    for module, translations in MODULES.items():
        for text, translated in translations.items():
            ways.setdefault(text, {})[module] = translated
    assert {text: said for text, said in ways.items() if len(set(said.values())) > 1} == {}


@pytest.mark.parametrize("module", MODULES)
def test_translations_have_the_shape_of_the_english(module):
    for text, translated in MODULES[module].items():
        assert translated.strip(), text
        assert places(translated) == places(text), text
        assert translated.count("\n\n") == text.count("\n\n"), text
        assert translated.count("`") == text.count("`"), text
        assert translated.endswith(".") or not text.endswith("."), text


@pytest.mark.parametrize("module", MODULES)
def test_french_is_well_set(module):
    found = [
        (fault, translated)
        for translated in MODULES[module].values()
        for fault, pattern in ILL_SET.items()
        if re.search(pattern, re.sub(r"`[^`]*`|\{\w*\}", "x", translated))
    ]
    assert found == []


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


def test_say():
    assert say("Rows kept", "fr") == "Lignes conservées"
    assert say("Rows kept") == "Rows kept"
    assert say("a column", "fr") == "a column"
    assert say("{days} or more", "fr", days=7) == "7 ou plus"
    phrase = Phrase("median, {group}", group=Phrase("originals"))
    assert phrase == say(phrase) == "median, originals"
    assert say(phrase, "fr") == "médiane, originaux"


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


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
