"""No label of the dashboard is left in English: every text it says has a translation."""

from __future__ import annotations

import ast
from pathlib import Path

import insanonym_dashboard
from insanonym_core.kinds import all_kinds, resolve
from insanonym_core.texts import french
from insanonym_dashboard.downloads import FIGURES, MENU
from insanonym_dashboard.tab_names import tabs

PACKAGE = Path(insanonym_dashboard.__file__).parent


def said_in(path: Path) -> set[str]:
    """Literal texts handed to say(…), self.say(…), labelled(…)."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if (
                name in ("say", "labelled")
                and isinstance(first, ast.Constant)
                and isinstance(first.value, str)
            ):
                found.add(first.value)
    return found


def test_every_text_has_a_translation():
    said = {text for path in PACKAGE.rglob("*.py") for text in said_in(path)} - {""}
    assert len(said) > 40
    said |= {*tabs().values(), *MENU, *FIGURES}
    said |= {demo.title for kind in all_kinds().values() for demo in kind.demos.values()}
    for kind in all_kinds().values():
        panel = resolve(kind.panel)
        said |= {
            *panel.pages,
            *(name for page in panel.pages.values() for name in page),
        }
    same = {"DCR", "NNDR", "Notebook", "Date"}
    assert sorted(text for text in said - same if text not in french()) == []
