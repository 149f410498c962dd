"""Issue 17, number 7: names and values of the data are never code in the downloaded notebook."""

from __future__ import annotations

import ast
import json
import math
from dataclasses import replace

import nbformat
import pandas as pd
import pytest
from nbclient import NotebookClient

from insanonym_core.experiment import run
from insanonym_core.recipe import Recipe, Step
from insanonym_core.tabular.files import read_table, write_frame
from insanonym_dashboard.downloads import notebook

MARK = "hostile_code_ran"
RUN = f"__import__('pathlib').Path({MARK!r}).touch()"
HOSTILE = [
    f'"""+{RUN}+"""',
    f"'''+{RUN}+'''",
    f'\\"""+{RUN}#',
    f"a\n{RUN}\nb",
    f"{{{RUN}}}",
    "x\\",
    f"%run {RUN}",
    f"!touch {MARK}",
    f"\u2028{RUN}\u2028",
    f"\x85{RUN}\r{RUN}",
    "}}]: \\n \\x22 # &a *b",
]


def hostile_frame(header: str, category: str) -> pd.DataFrame:
    rows = 40
    return pd.DataFrame(
        {
            header: [f"{category}{number % 4}" for number in range(rows)],
            "age": [20 + number % 10 for number in range(rows)],
            "illness": [("flu", "cold", "none")[number % 3] for number in range(rows)],
        }
    )


def recipe_of(header: str, data: str | None = None) -> Recipe:
    return Recipe(
        (Step("mondrian", {"k": 4}),),
        data=data,
        kind="table",
        seed=3,
        roles={"quasi": (header, "age"), "sensitive": ("illness",)},
        descriptions={header: HOSTILE[0], "age": HOSTILE[3]},
    )


def cells_of(content: bytes) -> list[str]:
    return [cell["source"] for cell in json.loads(content)["cells"]]


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_no_name_is_code(hostile, tmp_path, monkeypatch):
    """All cells but the figures are run, beside a file with a hostile header, name and category."""
    monkeypatch.chdir(tmp_path)
    name = "".join(sign for sign in hostile if sign not in "/\0") + ".csv"
    write_frame(hostile_frame(hostile, hostile), tmp_path / name)
    recipe, data = recipe_of(hostile, name), read_table(tmp_path / name)
    before = run(recipe, data=data)
    _, content, _ = notebook(before, "en")
    nbformat.validate(nbformat.reads(content.decode(), as_version=4))
    *cells, figures = cells_of(content)
    assert figures.startswith("for picture in pictures(")
    space: dict[str, object] = {}
    for cell in cells:
        ast.parse(cell)  # Python alone: no magic, no shell line
        exec(cell, space)  # noqa: S102  this is what is tested
    assert not (tmp_path / MARK).exists()
    assert set(space["report"].data.columns) == {hostile, "age", "illness"}  # type: ignore[attr-defined]
    after = space["report"].values()  # type: ignore[attr-defined]
    assert after.keys() == before.values().keys()
    for key, value in before.values().items():
        assert after[key] == value or (math.isnan(after[key]) and math.isnan(value)), key


@pytest.mark.slow
def test_the_whole_notebook_runs_in_a_kernel(tmp_path):
    """The file of an upload lies beside the notebook, under another name after one edit."""
    header = HOSTILE[0]
    write_frame(hostile_frame(header, HOSTILE[4]), tmp_path / "mine.csv")
    before = run(recipe_of(header), data=read_table(tmp_path / "mine.csv"))
    named = replace(before, recipe=replace(before.recipe, data='clinic """.csv'))
    _, content, _ = notebook(named, "fr")
    opened = nbformat.reads(content.decode(), as_version=4)
    line = f"DATA = {named.recipe.data!r}"
    (cell,) = (cell for cell in opened.cells if line in cell.source)
    assert "EDIT THIS LINE" in cell.source
    cell.source = cell.source.replace(line, "DATA = 'mine.csv'")
    check = "Path('values.txt').write_text(repr({k: repr(v) for k, v in report.values().items()}))"
    opened.cells.append(nbformat.v4.new_code_cell(check))
    client = NotebookClient(
        opened, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    assert not (tmp_path / MARK).exists()
    made = ast.literal_eval((tmp_path / "values.txt").read_text("utf-8"))
    assert made == {key: repr(value) for key, value in before.values().items()}


@pytest.mark.slow
def test_demonstration_data_need_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recipe = Recipe((Step("mondrian", {"k": 5}),), data="demo:patients", kind="table", seed=1)
    before = run(recipe)
    *cells, _ = cells_of(notebook(before, "en")[1])
    assert not any("EDIT" in cell for cell in cells)
    space: dict[str, object] = {}
    for cell in cells:
        exec(cell, space)  # noqa: S102  this is what is tested
    assert {key: repr(value) for key, value in space["report"].values().items()} == {  # type: ignore[attr-defined]
        key: repr(value) for key, value in before.values().items()
    }
