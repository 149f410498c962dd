"""The package as others get it: light to import, and citable. `tests/release.py` tries the wheel."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import insanonym_core

ROOT = Path(__file__).parents[1]
HEAVY = ("pandas", "plotly", "sklearn", "scipy", "ipywidgets", "pyarrow", "folium")


def heavy_after(code: str) -> str:
    """The heavy packages that a new process has loaded after this code."""
    code = f"import sys; {code}; print(*(m for m in {HEAVY} if m in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_importing_the_core_loads_nothing_heavy():
    assert heavy_after("import insanonym_core") == ""


def test_the_command_loads_nothing_heavy_for_its_help():
    assert heavy_after("import insanonym_core.cli") == ""


@pytest.mark.slow
def test_gps_traces_are_anonymised_and_scored_without_pandas():
    steps = "[Step('planar_laplace', {}), Step('pseudonymise', {})]"
    code = "from insanonym_core.recipe import Recipe, Step; from insanonym_core.experiment import run"
    loaded = heavy_after(f"{code}; run(Recipe({steps}, data='demo:mobility', seed=1), costly=False)")
    assert set(loaded.split()) == {"scipy", "pyarrow"}


def test_the_citation_names_this_version_and_the_changelog_its_date():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "license"} <= set(citation)
    newest = re.search(r"^## (\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest.groups() == (insanonym_core.__version__, str(citation["date-released"]))
    assert citation["version"] == insanonym_core.__version__
