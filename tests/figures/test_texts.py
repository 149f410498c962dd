"""Every text in a figure has its French, and nothing is translated that nobody says."""

from __future__ import annotations

import ast
from pathlib import Path

import insanonym_core.figures as figures
from insanonym_core.texts import french, say
from insanonym_core.texts.fr_figures import FRENCH

# what a table's columns, an entry's facts and a card's `what` say, though no call names it
SAID_BY_DATA = {"rows", "measure", "value", "interval", "better", "formula", "higher", "lower", "chance"}


def _said() -> set[str]:
    """The literal texts handed to say(), in all modules of figures."""
    texts = set()
    home = Path(str(figures.__file__)).parent
    for path in (*home.glob("*.py"), home.parent / "written.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name == "say" and isinstance(node.args[0], ast.Constant):
                    texts.add(str(node.args[0].value))
    return texts


def test_everything_said_is_translated() -> None:
    assert _said() - set(french()) == set()


def test_everything_translated_is_said() -> None:
    assert set(FRENCH) - _said() - SAID_BY_DATA == set()


def test_places_to_fill_are_the_same_in_both_languages() -> None:
    import string

    for text, translated in FRENCH.items():
        places = [
            {name for _, name, _, _ in string.Formatter().parse(said) if name} for said in (text, translated)
        ]
        assert places[0] == places[1], text
    assert say("seed {seed}", "fr", seed=7) == "graine 7"
