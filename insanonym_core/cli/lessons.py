"""lessons: the notebooks for a class, copied and opened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from insanonym_core.cli import show
from insanonym_core.cli.options import speak
from insanonym_core.errors import UsageError, brief, choices


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(lessons)


def lessons(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to copy them.")] = Path(
        "insanonym-lessons"
    ),
    lang: Annotated[
        str | None, typer.Option(help="en or fr; without it both.", show_default=False, callback=speak)
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only copy, do not open JupyterLab.")] = False,
) -> None:
    """Copy the lessons into FOLDER and open JupyterLab there. Existing files in FOLDER are kept."""
    from insanonym_core.lessons import copy_lessons
    from insanonym_core.texts import LANGUAGES

    if lang not in (None, *LANGUAGES):
        raise UsageError(
            "The language of the lessons must be {languages}, got {lang}.",
            languages=choices(LANGUAGES),
            lang=brief(lang),
        )
    copied, kept = copy_lessons(folder, (lang,) if lang else LANGUAGES)
    stayed = f", {len(kept)} that were there stay as they are" if kept else ""
    show.errors.print(f"{len(copied)} notebooks copied to {folder}{stayed}.")
    if no_open:
        return
    _open_jupyterlab(folder)


def _open_jupyterlab(folder: Path) -> None:
    """Run JupyterLab in this process, so that Ctrl-C stops it; its requests for news and updates are off."""
    from insanonym_core.lessons import catalogue

    settings = Path(catalogue.__file__).parent / "jupyter"
    paths = [str(settings), *filter(None, os.environ.get("JUPYTER_CONFIG_PATH", "").split(os.pathsep))]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(paths)
    try:
        from jupyterlab.labapp import main
    except ImportError:
        raise UsageError(
            "JupyterLab is not installed here: open the folder {folder} with your own, or "
            "install jupyterlab.",
            folder=folder,
        ) from None
    quiet = [
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
        "--ServerApp.ip=127.0.0.1",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # a container: whoever calls us there is always root
        quiet.append("--allow-root")
    os.chdir(folder)
    main(quiet)
