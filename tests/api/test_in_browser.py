"""What a notebook shows of results, opened in Chromium without a network."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import insanonym_core as insanonym

CELLS = """
import insanonym_core as insanonym
patients = insanonym.read("demo:patients")
roles = {"quasi": ["sex", "age", "town"], "sensitive": "diagnosis"}
safe = insanonym.anonymise(patients, "mondrian k=10", drop="admission_date", lang="fr", **roles)
safe.privacy
#
safe
#
safe.figure("utility")
#
safe.figure("privacy.k")
#
insanonym.anonymise(patients, "mondrain", lang="fr")
"""


def test_a_figure_draws_itself_without_a_network(tmp_path, watch):
    safe = insanonym.anonymise(
        "demo:patients", "mondrian k=5", quasi="age", sensitive="diagnosis", identifier=[]
    )
    page = f"<!doctype html><link rel=icon href=data:,><title>x</title>{safe.figure('utility')._repr_html_()}"
    (tmp_path / "page.html").write_text(page, "utf-8")
    watched = watch(tmp_path / "page.html")
    frame = watched.page.frame_locator("iframe")
    frame.locator(".main-svg").first.wait_for()
    assert "Utility: what an analyst can still do" in frame.locator("body").inner_text()
    assert frame.locator(".point path").count() >= 2, "bars"
    box = watched.page.locator("iframe").bounding_box()
    assert frame.locator("body").evaluate("body => body.scrollWidth") <= box["width"]
    assert frame.locator("body").evaluate("body => body.scrollHeight") <= box["height"]
    watched.assert_quiet()


@pytest.mark.slow
def test_a_notebook(tmp_path, watch):
    """Run as jupyter does and saved as a page: a table, two figures, an error of one frame of ours."""
    cells = [nbformat.v4.new_code_cell(code.strip()) for code in CELLS.split("#\n")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, allow_errors=True, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    (error,) = notebook.cells[-1].outputs
    told = "\n".join(error.traceback)
    assert error.evalue.startswith("Étape 1")
    assert "recipe.py" not in told
    exporter = HTMLExporter(template_name="basic")
    body, _ = exporter.from_notebook_node(notebook)
    (tmp_path / "page.html").write_text(f"<link rel=icon href=data:,><title>x</title>{body}", "utf-8")
    assert Path(tmp_path / "page.html").stat().st_size < 6_000_000
    watched = watch(tmp_path / "page.html")
    assert "La confidentialité est décidée par" in watched.page.locator("body").inner_text()
    for place in range(2):
        watched.page.frame_locator("iframe").nth(place).locator(".main-svg").first.wait_for()
    watched.assert_quiet()
