"""Build the wheel and the source distribution, check them, and try them in empty environments.

    make release        # all of it, about ten minutes; also part of make test-all
    make test-lowest    # only the lowest versions of our dependencies that pyproject.toml allows

Each Python from 3.11 to 3.14 that this machine has gets an environment with the newest versions; which ones
it lacks is said. uv, twine and pip-audit are installed into `.venv-release`.
"""

from __future__ import annotations

import argparse
import email
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

if __package__ in {None, ""}:  # called as a script, by a Python that has nothing installed
    sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.smoke import ROOT, smoke

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LOWEST_PYTHON = PYTHONS[0]
TOOLS = ROOT / ".venv-release"
# Without these a wheel opens no dashboard, no lesson, no French page.
PARTS = (
    "insanonym_core/py.typed",
    "insanonym_core/texts/locale/fr/LC_MESSAGES/insanonym.po",
    "insanonym_core/lessons/notebooks/1_first_score.en.ipynb",
    "insanonym_core/mobility/presets/common_week_middle.yaml",
    "insanonym_dashboard/app.ipynb",
    "insanonym_dashboard/plot.js",
)


def say(text: str) -> None:
    """A line, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def call(*command: str | Path, **options: object) -> str:
    """What a command prints; its own words end the run when it fails."""
    quiet = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(one) for one in command],
        capture_output=True,
        text=True,
        env={**quiet, "UV_PYTHON_DOWNLOADS": "never", "UV_LINK_MODE": "copy"},
        **options,  # type: ignore[call-overload]
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command[:4]))} … failed:\n{done.stdout}{done.stderr}"[-4000:])
    return str(done.stdout)


def tool(name: str) -> Path:
    """A tool of `.venv-release`, which is made when it is missing."""
    path = TOOLS / "bin" / name
    if not path.exists():
        venv.create(TOOLS, with_pip=True)
        call(TOOLS / "bin" / "python", "-m", "pip", "install", "--quiet", "uv", "twine", "pip-audit")
    return path


def build(folder: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel that is made from it."""
    call(tool("uv"), "build", "--quiet", "--out-dir", folder, ROOT)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def missing_parts(wheel: Path) -> set[str]:
    """What a wheel must have and this one has not: parts, and every file of ours that git knows."""
    inside = set(zipfile.ZipFile(wheel).namelist())
    listed = call(
        "git", "-C", ROOT, "ls-files", "insanonym_core", "dashboard/insanonym_dashboard"
    ).splitlines()
    ours = {name.removeprefix("dashboard/") for name in listed}
    return (ours | set(PARTS)) - inside


def unwanted_parts(source: Path, wheel: Path) -> set[str]:
    """What no distribution should have: tests, environments, compiled files, anything hidden."""
    with tarfile.open(source) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    names |= set(zipfile.ZipFile(wheel).namelist())
    unwanted = (".venv", "tests", "__pycache__", ".git", ".ci")
    return {name for name in names if set(PurePosixPath(name).parts) & set(unwanted)}


def wrong_metadata(wheel: Path) -> Iterator[str]:
    """What a reader of the package's page would miss."""
    archive = zipfile.ZipFile(wheel)
    (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
    found = email.message_from_bytes(archive.read(name))
    for field in ("Version", "Summary", "License-Expression", "Requires-Python", "Keywords"):
        if not found[field]:
            yield f"no {field}"
    if "insanonym" not in found.get_payload():
        yield "no README"


def check(wheel: Path, source: Path) -> list[str]:
    """What is wrong with the two files."""
    call(tool("twine"), "check", "--strict", wheel, source)
    wrong = [*(f"{wheel.name} lacks {name}" for name in sorted(missing_parts(wheel)))]
    wrong += [f"{name} does not belong into a distribution" for name in sorted(unwanted_parts(source, wheel))]
    wrong += [f"{wheel.name}: {problem}" for problem in wrong_metadata(wheel)]
    sizes = (f"{one.name} ({one.stat().st_size // 1024} kB)" for one in (wheel, source))
    say(", ".join(sizes))
    say("twine check --strict: ok" if not wrong else "\n".join(wrong))
    return wrong


def python_of(version: str) -> Path | None:
    """The Python of this version on this machine, or none. pyenv keeps those that are not on the path."""
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    found = kept[-1] if kept else shutil.which(f"python{version}")
    return Path(found) if found else None


def install(folder: Path, python: Path, package: Path, *options: str) -> Path:
    """An empty environment with the package and its dependencies; its Python."""
    uv = tool("uv")
    call(uv, "venv", "--quiet", "--python", python, folder)
    inside = folder / "bin" / "python"
    call(uv, "pip", "install", "--quiet", "--python", inside, *options, package, cwd=folder)
    return inside


def lowest(home: Path, wheel: Path) -> list[str]:
    """The lowest versions that pyproject.toml allows."""
    python = python_of(LOWEST_PYTHON)
    if python is None:
        raise SystemExit(f"The lowest versions are tried with Python {LOWEST_PYTHON}: install it first.")
    say(f"Lowest versions, Python {LOWEST_PYTHON}:")
    inside = install(home / "lowest", python, wheel, "--resolution", "lowest-direct")
    return [f"lowest versions: {failed}" for failed in smoke(inside)]


def newest(home: Path, wheel: Path, source: Path) -> list[str]:
    """The newest versions, with each Python; the oldest Python gets the source distribution."""
    failed, lacking = [], []
    for version in PYTHONS:
        python = python_of(version)
        if python is None:
            lacking.append(version)
            continue
        package = source if version == LOWEST_PYTHON else wheel
        say(f"Newest versions, Python {version}, {package.name}:")
        inside = install(home / version, python, package)
        failed += [f"Python {version}: {one}" for one in smoke(inside)]
        if version == LOWEST_PYTHON:
            failed += audit(inside)
    if lacking:
        say(f"Not tried, since this machine has no such Python: {', '.join(lacking)}.")
    return failed


def audit(python: Path) -> list[str]:
    """Known vulnerabilities of what was installed; said where the database does not know a package."""
    frozen = call(tool("uv"), "pip", "freeze", "--python", python).splitlines()
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "installed.txt"
        listed.write_text("\n".join(line for line in frozen if not line.startswith("insanonym")))
        options = ("-r", listed, "--no-deps", "--disable-pip", "--progress-spinner=off", "--format=json")
        done = subprocess.run([tool("pip-audit"), *options], capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        say(f"pip-audit gave no answer, so nothing was audited: {done.stderr.strip()[-200:]}")
        return []
    packages = json.loads(done.stdout)["dependencies"]
    audited = [one for one in packages if "skip_reason" not in one]
    say(f"pip-audit: its database answered for {len(audited)} of {len(packages)} packages.")
    found = ((one, vulnerability["id"]) for one in audited for vulnerability in one["vulns"])
    return [f"{one['name']} {one['version']}: {name}" for one, name in found]


def main() -> None:
    """Build and check; then install and try."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--lowest", action="store_true", help="only the lowest versions")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        wheel, source = build(home / "dist")
        failed = check(wheel, source)
        failed += lowest(home, wheel)
        if not given.lowest:
            failed += newest(home, wheel, source)
    if failed:
        raise SystemExit("\n".join(["This release is not ready:", *failed]))
    say("Everything works.")


if __name__ == "__main__":
    main()
