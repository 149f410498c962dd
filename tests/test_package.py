"""The package as others get it: light to import, whole in its wheel, at home outside the checkout."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

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


def test_gps_traces_are_anonymised_and_scored_without_pandas():
    steps = "[Step('planar_laplace', {}), Step('pseudonymise', {})]"
    code = "from insanonym_core.recipe import Recipe, Step; from insanonym_core.experiment import run"
    loaded = heavy_after(f"{code}; run(Recipe({steps}, data='demo:mobility', seed=1), costly=False)")
    assert set(loaded.split()) == {"scipy", "pyarrow"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The wheel, built and installed into an empty environment outside the checkout."""
    home = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", home, ROOT], check=True)
    (wheel,) = home.glob("insanonym-*.whl")
    venv.create(home / "env", with_pip=False, symlinks=True)
    python = home / "env" / "bin" / "python"
    subprocess.run([*pip, "--python", python, "install", "-q", wheel], check=True)
    return home


@pytest.mark.long
def test_the_wheel_works_outside_the_checkout(installed):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def insanonym(*arguments: str) -> str:
        command = [installed / "env" / "bin" / "insanonym", *arguments]
        ran = subprocess.run(
            command, cwd=installed, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    insanonym("lessons", "mine", "--no-open")
    assert len(list((installed / "mine").glob("*.ipynb"))) == 14
    insanonym("demo", "mobility", "--users", "20", "--weeks", "2", "-o", "city.tsv")
    insanonym("anonymise", "city.tsv", "-o", "release.tsv", "--step", "cloak k=3", "--step", "pseudonymise")
    report = json.loads(insanonym("score", "city.tsv", "release.tsv", "--json"))
    assert report["valid"] is True
    assert 0 < report["utility"]["mean"] < 1
    assert len(report["attacks"]) == 15
