"""The notebook that makes a report again. Names and values in it are data: every text goes through `repr`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import recipe_to_text

EDIT = "# EDIT THIS LINE: the file to read. It is looked for beside this notebook."


def redo_notebook(recipe: Recipe, lang: str) -> bytes:
    """Cells that run the recipe; for an upload, one marked line names the user's own file."""
    content = {
        "cells": [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"c{number}",
                "metadata": {},
                "outputs": [],
                "source": cell,
            }
            for number, cell in enumerate(_cells(recipe, lang))
        ],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1).encode()


def _cells(recipe: Recipe, lang: str) -> Iterator[str]:
    own_file = recipe.place is not None
    imports = ["from dataclasses import replace", "from pathlib import Path", ""] if own_file else []
    yield "\n".join(
        [
            *imports,
            "from insanonym_core.experiment import run",
            "from insanonym_core.figures.gallery import pictures",
            "from insanonym_core.recipe_file import recipe_from_text",
        ]
    )
    text = recipe_to_text(replace(recipe, data=None) if own_file else recipe)
    yield f"recipe = recipe_from_text(\n{_literal(text)}\n)"
    if own_file:
        yield (
            f"{EDIT}\nDATA = {recipe.data_name!r}\n\n"
            "recipe = replace(recipe, data=str(Path.cwd() / DATA))  # an absolute path works, too"
        )
    yield "report = run(recipe)\nreport.values()"
    yield f"for picture in pictures(report, lang={lang!r}):\n    picture.figure.show()"


def _literal(text: str) -> str:
    """A text as Python literals, one for each line: easy to read, and nothing in it is run."""
    return "\n".join(f"    {line!r}" for line in text.splitlines(keepends=True))
