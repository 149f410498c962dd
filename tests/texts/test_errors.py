"""Errors are said in the language of whoever reads them: none is put together before it is translated."""

from __future__ import annotations

import ast
import re

import pytest

from insanonym_core.errors import InsanonymError, UsageError
from insanonym_core.kinds import kind_named
from insanonym_core.parameters import ColumnNames, HourSpan, Parameter, Range, Switch, Weekdays
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.texts import say
from tests.texts.extraction import ERRORS, SOURCES, called, literal_values

MESSAGES = (*ERRORS, "Problem", "Phrase", "plural", "Sentence", "undefined", "say")


def put_together(tree: ast.Module) -> list[int]:
    """Lines where a message of ours is an f-string, or is filled by %, +, str() or .format()."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or (name := called(node)) not in MESSAGES:
            continue
        for argument in node.args[: 2 if name in ("Problem", "plural") else 1]:
            made = isinstance(argument, ast.Call) and called(argument) in ("str", "format", "join")
            if isinstance(argument, ast.JoinedStr | ast.BinOp) or made:
                found.append(node.lineno)
    return found


def test_no_value_of_a_message_is_english():
    found = []
    for path in (path for home in SOURCES for path in sorted(home.rglob("*.py"))):
        values = literal_values(ast.parse(path.read_text("utf-8")), (*ERRORS, "Phrase", "plural"))
        found += [f"{path.name}:{line}: {text}" for line, text in values if re.search(r"[a-z] ", text)]
    assert [one for one in found if '"guess"' not in one] == []


def test_no_message_is_put_together_before_it_is_translated():
    found = [
        f"{path.name}:{line}"
        for home in SOURCES
        for path in sorted(home.rglob("*.py"))
        for line in put_together(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "raise UsageError(f'no {x}')",
        "raise DataError('no %s' % x)",
        "Problem('code', str(error))",
        "Phrase('a' + b)",
    ],
)
def test_the_rule_finds_what_it_forbids(code):
    assert put_together(ast.parse(code)) == [1]
    assert put_together(ast.parse("raise UsageError('no {x}', x=str(x)); Problem('code', 'text')")) == []


@pytest.mark.parametrize(
    ("constraint", "english", "french"),
    [
        (Range(0, 5000, unit="m"), "a number from 0 to 5,000 m", "un nombre de 0 à 5\u202f000 m"),
        (Range(0.5, 1, whole=True), "a whole number from 0.5 to 1", "un nombre entier de 0,5 à 1"),
        (Switch(), "yes or no", "yes ou no"),
        (HourSpan(), "two different whole hours", "deux heures entières différentes"),
        (Weekdays(), "days of the week", "des jours de la semaine"),
        (ColumnNames(), "names of columns", "des noms de colonnes"),
        (ColumnNames(single=True), "the name of a column", "le nom d’une colonne"),
    ],
)
def test_what_a_parameter_may_be(constraint, english, french):
    with pytest.raises(UsageError) as caught:
        Parameter("p", None, constraint).check(object(), "x")
    assert str(caught.value).startswith(f"The 'p' of x must be {english}")
    assert caught.value.say("fr").startswith(f"Pour x, «\u00a0p\u00a0» doit être {french}")


def test_an_error_inside_another_is_said_in_the_same_language():
    with pytest.raises(UsageError) as caught:
        Recipe((Step("cloak", {"k": 0}),), kind="mobility")
    assert caught.value.say("fr") == (
        "Étape 1\u00a0: Pour cloak, «\u00a0k\u00a0» doit être un nombre entier de 1 à 100 individus"
        "\u202f; valeur reçue\u00a0: 0."
    )


@pytest.mark.parametrize(
    "text", ["steps: 5", "unknown: 1", "steps: [a: b: c]", "kind: 7", "steps: [{cloak: {k: 0}}]"]
)
def test_recipes(text):
    with pytest.raises(InsanonymError) as caught:
        recipe_from_text(text)
    assert is_french(caught.value.say("fr")), caught.value.say("fr")


def is_french(sentence: str) -> bool:
    """Whether no English word is left outside of what was quoted as it came."""
    plain = re.sub(r"'[^']*'|«[^»]*»|/\S+", "", sentence)
    return not re.search(r"\b(the|of|must|be|is|got|has|its|are|and|row|rows|it)\b", plain)


def test_demonstration_data_by_name():
    with pytest.raises(UsageError) as caught:
        kind_named("table").make_demo("nowhere", {})
    assert is_french(caught.value.say("fr"))


@pytest.mark.parametrize("command", ["report", "sweep", "lessons"])
def test_commands_with_a_language_say_errors_in_it(command, tmp_path, run):
    (tmp_path / "recipe.yaml").write_text("steps: 5")
    (tmp_path / "file").write_text("")
    more = {
        "report": ["-o", tmp_path / "out"],
        "sweep": ["--over", "planar_laplace.radius=1:2:2", "-o", tmp_path / "out.csv"],
        "lessons": ["--no-open"],
    }[command]
    given = tmp_path / ("file" if command == "lessons" else "recipe.yaml")
    english, french = run(command, given, *more).err, run(command, given, *more, "--lang", "fr").err
    assert english != french
    assert is_french(french), french
    assert not is_french(english)
    assert say("no such text", "fr") == "no such text"
