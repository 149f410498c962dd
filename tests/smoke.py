"""Try every command, every tab and both servers of an environment in which the package is installed.

    python -m tests.smoke PATH/TO/python

The package is the one of that environment, not the one of this folder. `tests/release.py` calls this with
several versions of Python, and with the lowest versions of our dependencies.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
_ROLES = ("--id", "CODE_INDIVIDU", "--qi", "REGROUPEMENT_BAC,CONTINENT,ANNEE_INSCRIPTION")
_STUDENTS = ("students.csv", *_ROLES)
_PATHS = ("--id", "CODE_INDIVIDU", "--order", "ANNEE_INSCRIPTION", "--item", "LIB_DIPLOME")
_RELEASES = "class/teams/Ada/releases"
_TRACES = ("students.csv", *_PATHS)
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--version",),
    ("list", "methods"),
    ("demo", "mobility", "-o", "city.tsv", "--users", "10", "--weeks", "2", "--seed", "1"),
    ("demo", "enrolments", "-o", "students.csv", "--seed", "1"),
    ("demo", "patients", "-o", "patients.csv", "--seed", "1"),
    ("anonymise", "city.tsv", "-o", "release.zip", "--step", "planar_laplace radius=200"),
    ("look", "students.csv"),
    ("check", "city.tsv", "release.zip"),
    ("score", "city.tsv", "release.zip"),
    ("partition", "city.tsv", "-o", "parts", "--parts", "2"),
    ("partition", "release.zip", "--original", "city.tsv", "-o", "release-parts", "--parts", "2"),
    ("score", "parts", "release-parts", "--workers", "2"),
    ("footprint", "city.tsv", "release.zip", "-o", "footprint.json"),
    ("attack", "city.tsv", "release.zip", "--method", "heatmap", "-o", "guesses.json"),
    ("score-attack", "city.tsv", "release.zip", "guesses.json"),
    ("table", "risk", *_STUDENTS),
    ("table", "mondrian", *_STUDENTS, "--k", "5", "-o", "mondrian.parquet"),
    ("table", "suppress-rare", "students.csv", "--id", "CODE_INDIVIDU", "-o", "clean.csv"),
    ("table", "generalise", "patients.csv", "--column", "age", "--k", "5", "-o", "generalised.csv"),
    ("table", "pseudonymise", "students.csv", "--column", "CODE_INDIVIDU", "-o", "pseudonyms.csv"),
    ("table", "grow", "students.csv", "--start", "CONTINENT", "--columns", "REGROUPEMENT_BAC", "-o", "a.csv"),
    (
        "table",
        "bucketise",
        "students.csv",
        "--qi",
        "CONTINENT",
        "--sensitive",
        "ANNEE_INSCRIPTION",
        "-o",
        "two",
    ),
    ("traces", "build", *_TRACES, "--mask", "10", "-o", "plain.csv"),
    ("traces", "build", *_TRACES, "--mask", "10", "--prefix", "REGROUPEMENT_BAC", "-o", "bac.csv"),
    ("traces", "difference", "plain.csv", "bac.csv", "--threshold", "10"),
    ("traces", "difference-tables", "a.csv", "a.csv"),
    ("traces", "build", *_TRACES, "-o", "counts.csv"),
    ("traces", "build", *_TRACES, "--prefix", "REGROUPEMENT_BAC", "-o", "counts_bac.csv"),
    ("traces", "protect", "counts.csv", "counts_bac.csv", "-o", "protected"),
    ("study", "study.yaml", "-o", "study"),
    ("avatars", "make", "demo:breast_cancer", "--components", "5", "-o", "avatars.csv"),
    ("avatars", "score", "demo:breast_cancer", "avatars.csv"),
    ("sweep", "recipe.yaml", "--over", "mondrian.k=2,5", "-o", "sweep.csv", "--figure", "front.svg"),
    ("tune", "patients.csv", "--kind", "table", "--trials", "15", "-o", "best.yaml", "--figure", "tried.svg"),
    ("report", "recipe.yaml", "-o", "report"),
    ("lessons", "lessons", "--no-open"),
    ("demo", "mobility", "-o", "class/original.tsv", "--users", "10", "--weeks", "2"),
    ("anonymise", "class/original.tsv", "-o", f"{_RELEASES}/one.csv", "--step", "pseudonymise"),
    ("league", "init", "class", "--name", "Ben"),
    ("league", "class"),
    ("league", "play", "class"),
)
SERVERS = (("dashboard",), ("league", "serve", "class"))
RECIPE = "data: demo:patients\nkind: table\nseed: 1\nsteps:\n- mondrian: {k: 5}\n"
TABS = """
from insanonym_core.lessons import LESSONS, lesson_page, notebook_of
from insanonym_dashboard.app import App
from insanonym_dashboard.tab_names import tabs

app = App()
for tab in tabs():
    app.open(tab)
    assert app.body.children, tab
assert "<math>" in lesson_page(notebook_of(LESSONS[0], "en"), "en")
print(*tabs())
"""


def smoke(python: Path) -> list[str]:
    """Run everything in a temporary folder; what failed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["INSANONYM_DEBUG"] = "1"
    main = [str(python.absolute()), "-m", "insanonym_core"]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "recipe.yaml").write_text(RECIPE)
        (Path(folder) / "study.yaml").write_bytes((ROOT / "docs" / "enrolments.yaml").read_bytes())
        (Path(folder) / _RELEASES).mkdir(parents=True)
        calls = [(" ".join(command), [*main, *command]) for command in COMMANDS]
        for name, call in [*calls, ("every tab, a lesson page", [str(python.absolute()), "-c", TABS])]:
            done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True)
            _say(f"{'ok' if done.returncode == 0 else 'FAILED'}: {name}")
            if done.returncode:
                _say(done.stderr[-2000:])
                failed.append(name)
        failed += [
            " ".join(server) for server in SERVERS if not _answers([*main, *server], folder, environment)
        ]
    return failed


def _answers(command: list[str], folder: str, environment: dict[str, str]) -> bool:
    """Start a server on a free port and fetch its page."""
    call = [*command, "--no-browser", "--port", "0"]
    server = subprocess.Popen(
        call, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert server.stdout is not None
        for line in server.stdout:
            address = re.search(r"http://127\.0\.0\.1:\d+\S*", line)
            if address:
                break
        else:
            _say(f"FAILED: {command[-1]} did not start")
            return False
        begun = time.monotonic()
        with urllib.request.urlopen(address[0], timeout=300) as page:  # noqa: S310
            content = page.read().decode()
        works = "insanonym" in content.lower() and "Traceback" not in content
        seconds = time.monotonic() - begun
        _say(f"{'ok' if works else 'FAILED'}: the page of {command[-1]}, after {seconds:.0f} s")
        return works
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> None:
    """Try everything; what failed is named at the end."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("python", type=Path, help="of an environment with the package")
    failed = smoke(asked.parse_args().python)
    if failed:
        raise SystemExit(f"{len(failed)} of these fail: {'; '.join(failed)}.")


if __name__ == "__main__":
    main()
